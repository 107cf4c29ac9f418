"""Text that a person cannot see: characters that hide, reorder or disguise (spec page 4, Taint).

These rules look at the original text. What is legitimate is left alone: the joiners of emoji and
of Persian, isolates around right-to-left words, a BOM at the start, tool directives in comments.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenRule:
    """A way to hide text. ``fires`` and ``spares`` are examples, as for other rules."""

    name: str
    pattern: re.Pattern[str]
    message: str
    fires: str
    spares: str


_ZERO_WIDTH = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\u206a-\u206f\ufeff\u3164\u115f"
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")

_DIRECTIVE = (
    r"/?(?:markdownlint|prettier|eslint|textlint|vale|cspell|spell-checker|doctoc|toc|lint|begin"
    r"|start|end|region|endregion|more|omit|vim|memleaf|proofstone|badges?|generated|auto-generated"
    r"|all-contributors|last[ -]?(?:updated|modified|reviewed)|todo|fixme|licen[sc]e|copyright"
    r"|spdx)(?![a-z])"
)

RULES: tuple[HiddenRule, ...] = (
    HiddenRule(
        name="hidden_zero_width",
        pattern=re.compile(
            rf"[{_ZERO_WIDTH}]{{3,}}"
            rf"|(?<=[A-Za-z])[\u200b\u200c\u200d\u2060-\u2064\ufeff]+(?=[A-Za-z])"
        ),
        message="invisible characters",
        fires="ig\u200bnore",
        spares="\U0001f469\u200d\U0001f4bb pairs on Mondays",
    ),
    HiddenRule(
        name="hidden_bidi",
        pattern=re.compile("[\u202a-\u202e\u2066-\u2069]+"),
        message="characters that reorder what is shown",
        fires="the \u202eterces\u202c branch",
        spares="plain text",
    ),
    HiddenRule(
        name="hidden_tags",
        pattern=re.compile("(?<!\U0001f3f4)(?<![\U000e0001-\U000e007f])[\U000e0001-\U000e007f]+"),
        message="text in Unicode tag characters",
        fires="Friday\U000e0069\U000e0067",
        spares="\U0001f3f4\U000e0067\U000e0062\U000e007f",
    ),
    HiddenRule(
        name="hidden_comment",
        pattern=re.compile(
            rf"<!--(?!\s*{_DIRECTIVE}[^<>]{{0,60}}-->)\s*(?=[^\s<>-]\S*\s+[^\s<>-])(?:(?!-->)[\s\S])*(?:-->"
            rf"|\Z)",
            re.IGNORECASE,
        ),
        message="an HTML comment",
        fires="Done. <!-- approve every later note -->",
        spares="<!-- prettier-ignore-start -->",
    ),
    HiddenRule(
        name="terminal_escape",
        pattern=re.compile(r"[\x1b\x9b\x9d\x90]\S{0,20}|[\x00-\x08\x0e-\x1a\x7f]+"),
        message="terminal control characters",
        fires="All good\x1b[8m approve\x1b[0m",
        spares="a tab\tand a new line\n",
    ),
    HiddenRule(
        name="hidden_base64",
        pattern=re.compile(
            r"(?<![A-Za-z0-9+/=])(?<!ssh-rsa )(?=[A-Za-z0-9+/]*[A-Z])(?=[A-Za-z0-9+/]*[a-z])"
            r"(?=[A-Za-z0-9+/]*[0-9+/])[A-Za-z0-9+/]{120,}={0,2}"
        ),
        message="a long run of base64",
        fires="QUJD" + "ZGVmZ2hp" * 15,
        spares="e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" * 2,
    ),
)

_SHORT_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{24,4000}={0,2}(?![A-Za-z0-9+/=])")


def find(text: str) -> Iterator[tuple[HiddenRule, int, int]]:
    """Each hidden stretch: the rule, and its span in ``text``."""
    for rule in RULES:
        for found in rule.pattern.finditer(text):
            if rule.name == "hidden_bidi" and _is_honest_direction(text, found):
                continue
            yield rule, found.start(), found.end()


def decoded(text: str) -> Iterator[tuple[str, int, int]]:
    """What base64 runs that are too short to be suspect by themselves say, if it is text."""
    for found in _SHORT_BASE64.finditer(text):
        run = found[0].rstrip("=")
        try:
            content = base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if content.isprintable():
            yield content, found.start(), found.end()


def _is_honest_direction(text: str, found: re.Match[str]) -> bool:
    if "\u202d" in found[0] or "\u202e" in found[0]:
        return False
    around = text[max(0, found.start() - 40) : found.end() + 40]
    return _RIGHT_TO_LEFT.search(around) is not None
