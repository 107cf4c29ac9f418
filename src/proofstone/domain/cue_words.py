"""The cue words of matching, as data: English, Spanish and Chinese (spec page 3, Matching).

Latin patterns are searched in lower-case text with plain apostrophes. Their word ends are ASCII
ones, so that a cue between Chinese characters is found as well.
"""

from __future__ import annotations

import re
from itertools import chain

from proofstone.domain.late_pattern import late_pattern

CONTRADICTION_LATIN = late_pattern(
    r"\b(?:no longer|instead of|rather than|replaces?|deprecated|do not|don't|avoid|stop"
    r"|never use)\b"
    r"|\b(?:ya no|en (?:lugar|vez) de|reempla[cz]\w*|sustitu(?:y|ir)\w*|obsolet[oa]s?|evit[aeo]\w*"
    r"|dej(?:a|ar|e|en) de|nunca|jam[aá]s)"
    r"|\bno (?:se (?:debe|puede|usa)n?|us(?:ar|es?|en)|utili[cz]\w+|hagas|hacer|hay que|deb\w+"
    r"|ejecut\w+)",
    re.ASCII,
)
CONTRADICTION_NEEDS = (
    *("no ", "ya no", "instead of", "rather than", "replace", "deprecated", "do not", "don't"),
    *("avoid", "stop", "never use", "lugar", "vez", "reempla", "sustitu", "obsolet"),
    *("evit", "dej", "nunca", "jam"),
)
"""Of these, each match of the Latin pattern has one."""
CONTRADICTION_HAN = late_pattern(
    r"不再|不要|不得|不能|不可以|不许|不应|不使用|请勿|切勿|禁止|严禁|避免|停止|停用|弃用|废弃|取代|替换|代替"
    r"|而不是|而非|改用|不應|不許|請勿|嚴禁|棄用|廢棄|替換"
)
UPDATE_LATIN = late_pattern(
    r"\b(?:update|change|revise|adjust|extend|include|add|now)\b"
    r"|\b(?:actuali[cz]\w*|cambi(?:ar|[aeo]|os)\b|modifi[cq]\w*|revis(?:ar|[ae])\b|ahora\b"
    r"|ajust(?:ar|[ae])\b|ampl[ií]\w*|inclu(?:y\w*|ir)|a(?:ñ|n\u0303)ad\w*|agreg[aou]\w*)",
    re.ASCII,
)
UPDATE_NEEDS = (
    *("update", "change", "revis", "adjust", "extend", "inclu", "add", "now", "actuali", "cambi"),
    *("modifi", "ahora", "ajust", "ampl", "ñ", "n\u0303", "agreg"),
)
"""Of these, each match of the Latin pattern has one."""
UPDATE_HAN = late_pattern(
    r"更新|修改|更改|变更|改为|改成|调整|扩展|增加|添加|新增|现在|現在|變更|調整|擴展|改為"
)

CONTRAST = late_pattern(r"\b(?:instead of|rather than|en (?:lugar|vez) de)\b|而不是|而非", re.ASCII)
"""``A instead of B``: what follows is turned down."""
CONTRAST_NEEDS = ("instead of", "rather than", "lugar", "vez", "而不是", "而非")
"""Of these, each contrast has one."""

FILLERS: frozenset[str] = frozenset({"a", "an", "the", "using", "use", "el", "la", "un", "una"})
"""Words that may stand between such a cue and the thing turned down."""

NEGATIONS: frozenset[str] = frozenset(
    {
        *("not", "never", "no", "none", "nor", "cannot", "without", "deprecated"),
        *("avoid", "avoids", "avoided", "avoiding", "stop", "stops", "stopped", "stopping"),
        *("forbid", "forbids", "forbidden", "prohibit", "prohibits", "prohibited"),
        *("disallow", "disallows", "disallowed"),
        *("nunca", "jamás", "jamas", "sin", "ni", "tampoco", "evita", "evitar", "evite", "eviten"),
        *("prohibido", "prohibida", "prohibir", "prohíbe"),
    }
)
NEGATION_HAN = late_pattern(
    r"不(?![同错仅但过断少久变管论只足錯僅過斷變論])|没有?|沒有?|无需|無需|勿|禁止|严禁|嚴禁|避免|停止|停用"
    r"|弃用|废弃|棄用|廢棄|从未|從未|(?:^|[\s,.;:，。；：、请請])[别別]"
)
CONTRACTED_NOT = late_pattern(r"\b[a-z]+n't\b", re.ASCII)

OPPOSITES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(one), frozenset(other))
    for one, other in (
        (
            ("enable", "enables", "enabled", "enabling"),
            ("disable", "disables", "disabled", "disabling"),
        ),
        (
            ("allow", "allows", "allowed", "permit", "permits", "permitted"),
            ("deny", "denies", "denied", "block", "blocks", "blocked", "reject", "rejects"),
        ),
        (
            ("accept", "accepts", "accepted", "accepting"),
            ("reject", "rejects", "rejected", "rejecting", "refuse", "refuses", "refused"),
        ),
        (
            ("include", "includes", "included", "including"),
            ("exclude", "excludes", "excluded", "excluding", "omit", "omits", "omitted"),
        ),
        (
            ("add", "adds", "added", "adding"),
            ("remove", "removes", "removed", "removing", "delete", "deletes", "deleted"),
        ),
        (
            ("start", "starts", "started", "starting"),
            ("stop", "stops", "stopped", "stopping"),
        ),
        (
            ("increase", "increases", "increased", "increasing"),
            ("decrease", "decreases", "decreased", "reduce", "reduces", "reduced"),
        ),
        (("always", "siempre"), ("never", "nunca", "sometimes", "optionally")),
        (("required", "mandatory", "must"), ("optional", "may")),
        (("before", "antes"), ("after", "después", "despues")),
        (("with", "con"), ("without", "sin")),
        (("on",), ("off",)),
        (("true",), ("false",)),
        (("yes",), ("no",)),
        (("public",), ("private",)),
        (("synchronous", "synchronously"), ("asynchronous", "asynchronously")),
        (("habilita", "habilitar", "habilite"), ("deshabilita", "deshabilitar", "deshabilite")),
        (("activa", "activar", "active"), ("desactiva", "desactivar", "desactive")),
        (("permite", "permitir", "permita"), ("prohíbe", "prohibe", "prohibir", "prohíba")),
    )
)

OPPOSED: frozenset[str] = frozenset().union(*chain.from_iterable(OPPOSITES))
"""Every word of the pairs."""

OPPOSITES_HAN: tuple[tuple[re.Pattern[str], re.Pattern[str]], ...] = tuple(
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
        ("(?<![异異])同步", "异步|異步"),
    )
)
