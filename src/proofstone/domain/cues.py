"""Cues that one statement takes back, changes or contradicts another (spec page 3, Matching).

Cues are data, in English, Spanish and Chinese. They advise a match kind and decide nothing: a
person rules on what they find. Typographic apostrophes count as plain ones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from proofstone.domain import tokens

LIKENESS = 0.5
"""How much of the shorter statement must recur before an opposition is one (cue words aside)."""

_SAME = 0.85
"""How like two negated statements must be before one negation more counts."""

_APOSTROPHES = str.maketrans(dict.fromkeys("\u2018\u2019\u02bc\u02bb\u2032\uff07\u00b4`", "'"))

# English and Spanish are matched with ASCII word ends, so that a cue between Chinese characters
# is found as well.
_CONTRADICTION = re.compile(
    r"\b(?:no longer|instead of|rather than|replaces?|deprecated|do not|don't|avoid|stop"
    r"|never use)\b"
    r"|\b(?:ya no|en (?:lugar|vez) de|reempla[cz]\w*|sustituy\w*|sustituir|obsolet[oa]s?|evit\w+"
    r"|dej\w+ de|nunca|jam(?:á|a)s"
    r"|no (?:se (?:debe|puede|usa)n?|us(?:ar|es?|en)|utili[cz]\w+|hagas|hacer|hay que|deb\w+"
    r"|ejecut\w+))"
    r"|不再|不要|不得|不能|不可以|不许|不应|不使用|请勿|切勿|禁止|严禁|避免|停止|停用|弃用|废弃|取代"
    r"|替换|代替|而不是|而非|改用"
    r"|不應|不許|請勿|嚴禁|棄用|廢棄|替換",
    re.ASCII | re.IGNORECASE,
)
_UPDATE = re.compile(
    r"\b(?:update|change|revise|adjust|extend|include|add|now)\b"
    r"|\b(?:actuali[cz]\w*|cambi(?:ar|a|e|o|os)\b|modifi[cq]\w*|revis(?:ar|a|e)\b|ajust(?:ar|a|e)\b"
    r"|ampl(?:í|i)\w*|incluy\w*|incluir|a(?:ñ|n\u0303)ad\w*|agreg\w*|ahora\b)"
    r"|更新|修改|更改|变更|改为|改成|调整|扩展|增加|添加|新增|现在|現在|變更|調整|擴展|改為",
    re.ASCII | re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:not|never|no|none|nor|cannot|without|no longer|[a-z]+n't|avoid(?:s|ed|ing)?"
    r"|stop(?:s|ped|ping)?|forbid(?:s|den)?|forbade|prohibit(?:s|ed)?|disallow(?:s|ed)?|deprecated)\b"
    r"|\b(?:nunca|jam(?:á|a)s|sin|ni|tampoco|prohib\w+|evit\w+|dej\w+ de)\b"
    r"|不(?![同错仅但过断少久变管论只足錯僅過斷變論])|没有?|沒有?|无需|無需|勿|禁止|严禁|嚴禁|避免|停止|停用"
    r"|弃用|废弃|棄用|廢棄|从未|從未|(?:^|[\s,.;:，。；：、请請])[别別]",
    re.ASCII | re.IGNORECASE,
)
_CONTRAST = re.compile(
    r"\b(?:instead of|rather than|en (?:lugar|vez) de)\b|而不是|而非", re.ASCII | re.IGNORECASE
)
_FILLERS: frozenset[str] = frozenset({"a", "an", "the", "using", "use", "el", "la", "un", "una"})


def _pair(one: str, other: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    flags = re.ASCII | re.IGNORECASE
    return re.compile(rf"\b(?:{one})\b", flags), re.compile(rf"\b(?:{other})\b", flags)


_OPPOSITES: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = (
    _pair("enabl(?:e|es|ed|ing)", "disabl(?:e|es|ed|ing)"),
    _pair("allow(?:s|ed)?|permit(?:s|ted)?", "den(?:y|ies|ied)|block(?:s|ed)?|reject(?:s|ed)?"),
    _pair("accept(?:s|ed)?", "reject(?:s|ed)?|refuse[sd]?"),
    _pair("includ(?:e|es|ed|ing)", "exclud(?:e|es|ed|ing)|omit(?:s|ted)?"),
    _pair("add(?:s|ed|ing)?", "remov(?:e|es|ed|ing)|delet(?:e|es|ed|ing)"),
    _pair("start(?:s|ed|ing)?", "stop(?:s|ped|ping)?"),
    _pair("increas(?:e|es|ed|ing)", "decreas(?:e|es|ed|ing)|reduc(?:e|es|ed|ing)"),
    _pair("always|siempre", "never|nunca|sometimes|optionally"),
    _pair("required|mandatory|must", "optional|may"),
    _pair("before|antes", "after|despu(?:é|e)s"),
    _pair("with|con", "without|sin"),
    _pair("on", "off"),
    _pair("true", "false"),
    _pair("yes", "no"),
    _pair("public", "private"),
    _pair("synchronous(?:ly)?", "asynchronous(?:ly)?"),
    _pair("habilit\\w+|activ(?:ar|a|e)", "deshabilit\\w+|desactiv\\w+"),
    _pair("permit\\w+", "prohib\\w+"),
    *(
        (re.compile(one), re.compile(other))
        for one, other in (
            ("启用|啟用|开启|開啟|打开", "禁用|停用|关闭|關閉"),
            ("允许|允許", "禁止|拒绝|拒絕"),
            ("之前|以前", "之后|之後|以后|以後"),
            ("增加|提高", "减少|減少|降低"),
            ("添加|新增", "删除|刪除|移除"),
            ("总是|總是|始终|始終", "从不|從不|绝不"),
            ("必须|必須", "可选|可選|不必|无需|無需"),
            ("公开|公開", "私有|私密"),
            ("同步", "异步|異步"),
        )
    ),
)


def plain(text: str) -> str:
    """``text`` with every sort of apostrophe as the plain one."""
    return text.translate(_APOSTROPHES)


def contradiction(text: str) -> str:
    """The first cue that ``text`` takes something back, or an empty string."""
    found = _CONTRADICTION.search(plain(text))
    return found[0] if found else ""


def update(text: str) -> str:
    """The first cue that ``text`` changes something, or an empty string."""
    found = _UPDATE.search(plain(text))
    return found[0] if found else ""


@dataclass(frozen=True, slots=True)
class _Negated:
    """A statement, its negations, and what is left of its words without them."""

    text: str
    count: int
    rest: frozenset[str]


def opposition(one: str, other: str) -> str:
    """How two statements on one subject oppose each other, in words, or an empty string.

    They do when one negates what the other says, when each has the other's opposite word, or when
    they prefer opposite things. Statements that share little besides their subject do not.
    """
    left, right = plain(one), plain(other)
    return (
        _opposite_preference(left, right) or _opposite_words(left, right) or _negates(left, right)
    )


def _negates(one: str, other: str) -> str:
    left, right = _negated(one), _negated(other)
    if left.count == right.count:
        return ""
    if left.count and right.count:
        likeness = _jaccard(left.rest, right.rest)
        return "one has a negation that the other has not" if likeness >= _SAME else ""
    if _contained(left.rest, right.rest) < LIKENESS:
        return ""
    negating = left if left.count else right
    found = _NEGATION.search(negating.text)
    cue = found[0].strip() if found else ""
    return f"only one of the two is negated (“{cue}”)"


def _negated(text: str) -> _Negated:
    found = list(_NEGATION.finditer(text))
    return _Negated(text, len(found), _content(_NEGATION.sub(" ", text)))


def _opposite_words(one: str, other: str) -> str:
    for first, second in _OPPOSITES:
        for here, there in ((first, second), (second, first)):
            mine, theirs = here.search(one), there.search(other)
            if not mine or not theirs or there.search(one) or here.search(other):
                continue
            rest = _content(here.sub(" ", one)), _content(there.sub(" ", other))
            if _contained(*rest) >= LIKENESS:
                return f"“{mine[0]}” here, “{theirs[0]}” there"
    return ""


def _opposite_preference(one: str, other: str) -> str:
    """``A instead of B`` against ``B instead of A``, or against a plain ``B``."""
    left, right = _preference(one), _preference(other)
    if not left.refused and not right.refused:
        return ""
    if left.refused and left.refused not in right.chosen:
        return ""
    if right.refused and right.refused not in left.chosen:
        return ""
    if left.refused == right.refused or _contained(left.words, right.words) < LIKENESS:
        return ""
    refused = " and ".join(filter(None, (left.refused, right.refused)))
    return f"one prefers what the other turns down ({refused})"


@dataclass(frozen=True, slots=True)
class _Preference:
    """What a statement chooses, and the first word of what it turns down."""

    words: frozenset[str]
    chosen: frozenset[str]
    refused: str


def _preference(text: str) -> _Preference:
    before, *after = _CONTRAST.split(text, maxsplit=1)
    turned_down = next(
        (word for word in tokens.words(after[0] if after else "") if word not in _FILLERS), ""
    )
    return _Preference(_content(text), _content(before), turned_down)


def _content(text: str) -> frozenset[str]:
    return tokens.distinctive(text)


def _contained(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the shorter side that recurs in the other; 0 when a side is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def _jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    together = len(one | other)
    return len(one & other) / together if together else 1.0
