"""The taint scanner: text that tries to give orders to whoever reads it (spec page 4, Taint).

A finding flags and never blocks. Precision comes first, since a false flag costs attention:
an ordinary imperative is no finding, nor is a sentence that quotes an attack to discuss it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from proofstone.domain import taint_hidden, taint_views
from proofstone.domain.late_pattern import late_pattern
from proofstone.domain.taint_rule import TaintRule
from proofstone.domain.taint_rules import TEXT_RULES
from proofstone.domain.taint_views import View
from proofstone.domain.taint_words import NEEDED

_MESSAGE_LENGTH = 80

# What may stand before an order, up to where it begins.
_BEFORE_ORDER = late_pattern(
    r"(?:^|[\n.!?;:,。！？；：、“”\"'‘’«»()\[\]{}<>*_#>`~/|-]"
    r"|(?<![a-z])(?:please|kindly|now|then|and|also|just|simply|so|therefore|always|instead|first"
    r"|next|immediately|at once|quietly|silently|secretly|discreetly|covertly|automatically"
    r"|directly|actually|hereby|from now on|no longer|i|we|you|must|should|shall|have to|need to"
    r"|is to|you are to|i want you to|i need you to|your (?:task|job|goal) is to"
    r"|to ai|ai|assistant|model|agent|claude|chatgpt"
    r"|por favor|agora|e|tambem|entao|deve|voce|assistente|logo|imediatamente|portanto|em silencio"
    r"|depois|a partir de agora|y|ahora|tambien|entonces|debes|asistente|inmediatamente"
    r"|por tanto|luego|despues|de ahora en adelante)"
    r"|请|现在|开始|接下来|以后|之后|今后|必须|应该|应当|需要|要求|务必|立即|马上|直接|然后|并|并且|同时"
    r"|从现在起|你|要|麻烦|都|全部|偷偷|悄悄"
    r")\s*$"
)
_PREFIX_REACH = 40

_QUOTED = late_pattern(
    r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|`[^`\n]{1,400}`|«[^»\n]{1,400}»|「[^」\n]{1,400}」"
    r"|『[^』\n]{1,400}』|‘[^’\n]{1,400}’|(?<![a-z])'[^'\n]{1,400}'(?![a-z])"
)
# Words of those who write about attacks.
_DISCUSSES = late_pattern(
    r"attack|poison|trick|warn|hostile|suspicious|inject|jailbreak|phish|malicious|adversar|exploit"
    r"|payload|red team|vulnerab|owasp|incident|attempt|detect|flags|flagged|scan|sanitiz|escape"
    r"|blocked|reject|refus|distrust|example|e\.g|for instance|such as|prompts? like|phrase|string"
    r"|says|claims|assert|rule|test|tokeniz|template"
    r"|atacante|ataque|injec|inyecc|exemplo|ejemplo|frases? como|escrevem|escriben|dizem|dicen"
    r"|golpe|攻击|注入|例如|比如|诸如|这类|句子|字符串|扫描|检测|标记|越狱|钓鱼|拦截|声称|自称|示例|样例"
)
# A language whose letters are nowhere in a text needs no rules tried.
_LATIN = late_pattern("[a-z]{3}")
_SCRIPTS = {
    "zh": re.compile("[\u3400-\u9fff]"),
    "en": _LATIN,
    "pt": _LATIN,
    "es": _LATIN,
}

_NAMED = late_pattern(
    r"(?<![a-z])(?:like|such as|e\.g\.|for example|for instance|tokens?|markers?|como|por exemplo"
    r"|por ejemplo|例如|比如|诸如)[\s:]*(?:[^\s]{1,24}(?:,| and| or| y| e| ou|、|和)\s*){0,3}$"
)
_CONTEXT_REACH = 240


@dataclass(frozen=True, slots=True)
class TaintFinding:
    """What was found where: ``start`` and ``end`` are offsets in the original text.

    ``message`` is the folded words that matched, or what sort of hidden text it is.
    """

    rule: str
    start: int
    end: int
    message: str

    def __str__(self) -> str:
        return f"{self.rule}: {self.message}"


def scan(text: str) -> tuple[TaintFinding, ...]:
    """All findings in ``text``, in the order in which they start; no rule overlaps itself."""
    found = [
        TaintFinding(rule.name, start, end, rule.message)
        for rule, start, end in taint_hidden.find(text)
    ]
    found.extend(_in_prose(text))
    for content, start, end in taint_hidden.decoded(text):
        found.extend(
            TaintFinding(inner.rule, start, end, f"in base64: {inner.message}"[:_MESSAGE_LENGTH])
            for inner in _in_prose(content)
        )
    found.sort(key=lambda finding: (finding.start, finding.end, finding.rule, finding.message))
    kept: list[TaintFinding] = []
    reached: dict[str, int] = {}
    for finding in found:
        if finding.start >= reached.get(finding.rule, 0):
            kept.append(finding)
            reached[finding.rule] = finding.end
    return tuple(kept)


def _in_prose(text: str) -> Iterator[TaintFinding]:
    view = taint_views.fold(text)
    others = [script for script, sign in _SCRIPTS.items() if not sign.search(view.text)]
    for number, (rule, (words, _)) in enumerate(zip(TEXT_RULES, NEEDED, strict=True)):
        if rule.language in others or not _holds(view.text, words):
            continue
        for match in _running(number).finditer(view.text):
            if rule.order and not _can_begin(view.text, match.start()):
                continue
            if _is_discussed(view.text, match, is_markup=rule.language == "any"):
                continue
            yield _finding(rule, view, match)
    for part in taint_views.squeezed_parts(view):
        for number, (rule, (_, words)) in enumerate(zip(TEXT_RULES, NEEDED, strict=True)):
            if rule.language != "any" and _holds(part.text, words):
                for match in _squeezed(number).finditer(part.text):
                    yield _finding(rule, part, match)


def _holds(text: str, words: tuple[str, ...]) -> bool:
    """Whether a rule's words leave it possible that it matches in the text."""
    for word in words:  # noqa: SIM110 - asked 145 times of every text; any() takes twice as long
        if word in text:
            return True
    return False


@cache
def _running(number: int) -> re.Pattern[str]:
    """A rule's pattern, compiled when a text first holds one of its words."""
    return TEXT_RULES[number].running()


@cache
def _squeezed(number: int) -> re.Pattern[str]:
    return TEXT_RULES[number].squeezed()


def _finding(rule: TaintRule, view: View, match: re.Match[str]) -> TaintFinding:
    start, end = view.span(*match.span())
    return TaintFinding(rule.name, start, end, " ".join(match[0].split())[:_MESSAGE_LENGTH])


def _can_begin(text: str, start: int) -> bool:
    """Whether an order can begin at ``start``."""
    return _BEFORE_ORDER.search(text[max(0, start - _PREFIX_REACH) : start]) is not None


def _is_discussed(text: str, match: re.Match[str], *, is_markup: bool) -> bool:
    """Whether the match is quoted in a paragraph that speaks about attacks.

    Markup needs no quotes where it is named as a string: "tokens such as <|im_start|>".
    """
    if is_markup and _NAMED.search(text[max(0, match.start() - _PREFIX_REACH) : match.start()]):
        return True
    start = max(text.rfind("\n", 0, match.start()) + 1, match.start() - _CONTEXT_REACH)
    stop = text.find("\n", match.end())
    end = min(len(text) if stop < 0 else stop, match.end() + _CONTEXT_REACH)
    paragraph = text[start:end]
    for quoted in _QUOTED.finditer(paragraph):
        if quoted.start() + start <= match.start() and match.end() <= quoted.end() + start:
            around = paragraph[: quoted.start()] + " " + paragraph[quoted.end() :]
            return _DISCUSSES.search(around) is not None
    return False
