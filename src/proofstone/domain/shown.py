"""What untrusted text looks like on screen (spec page 7, Untrusted text).

Nothing that a terminal would act on, or that a person could not see, passes through: every
character of that sort becomes a visible mark. A map from the original offsets to the shown ones
comes with it, so that an exact span of the original can be pointed at in what is shown.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from typing import TYPE_CHECKING

from proofstone.domain.late_pattern import late_pattern

if TYPE_CHECKING:
    import re

DEFAULT_LIMIT = 20_000
"""Characters of one text that are prepared for the screen unless the caller says otherwise."""

_COMBINING_LIMIT = 3

_NAMES = {
    0x00AD: "SHY",
    0x034F: "CGJ",
    0x061C: "ALM",
    0x115F: "FILLER",
    0x1160: "FILLER",
    0x17B4: "INVISIBLE",
    0x17B5: "INVISIBLE",
    0x180B: "FVS1",
    0x180C: "FVS2",
    0x180D: "FVS3",
    0x180E: "MVS",
    0x180F: "FVS4",
    0x200B: "ZWSP",
    0x200C: "ZWNJ",
    0x200D: "ZWJ",
    0x200E: "LRM",
    0x200F: "RLM",
    0x2028: "LS",
    0x2029: "PS",
    0x202A: "LRE",
    0x202B: "RLE",
    0x202C: "PDF",
    0x202D: "LRO",
    0x202E: "RLO",
    0x2060: "WJ",
    0x2061: "INVISIBLE",
    0x2062: "INVISIBLE",
    0x2063: "INVISIBLE",
    0x2064: "INVISIBLE",
    0x2066: "LRI",
    0x2067: "RLI",
    0x2068: "FSI",
    0x2069: "PDI",
    0x2800: "BLANK",
    0x3164: "FILLER",
    0xFEFF: "BOM",
    0xFFA0: "FILLER",
    # Terminals do not agree whether a colour of skin has cells of its own or none.
    **dict.fromkeys(range(0x1F3FB, 0x1F400), "tone"),
}

_COMBINING = (
    "\u0300-\u034e\u0350-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f"
)

# One alternative per way of showing; the group's name says which.
_SPECIAL = late_pattern(
    "(?P<newline>\r\n|[\n\r])"
    "|(?P<tab>\t)"
    "|(?P<control>[\x00-\x1f\x7f])"
    "|(?P<tags>[\U000e0001-\U000e007f]+)"
    "|(?P<selector>[\ufe00-\ufe0f\U000e0100-\U000e01ef])"
    f"|(?P<combining>(?:^[{_COMBINING}]|[{_COMBINING}]{{{_COMBINING_LIMIT + 1},}})[{_COMBINING}]*)"
    "|(?P<hidden>[\x80-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U0001f3fb-\U0001f3ff\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000\U000e0080-\U000e00ff])"
)


@dataclass(frozen=True, slots=True)
class Shown:
    """Displayable text, and where each original character went.

    ``marks`` are the spans of ``text`` that stand for something else; ``left_off`` counts the
    original characters beyond the limit, which are not in ``text`` at all.
    """

    text: str
    marks: tuple[tuple[int, int], ...] = ()
    left_off: int = 0
    length: int = 0
    _breaks: tuple[int, ...] = ()
    _shifts: tuple[int, ...] = ()

    def offset(self, original: int) -> int:
        """The offset in ``text`` at which the character ``original`` begins.

        An offset inside a replaced run gives the end of its mark; one beyond what is shown gives
        the end of what is shown.
        """
        if original <= 0:
            return 0
        bounded = min(original, self.length)
        index = bisect_right(self._breaks, bounded) - 1
        if index < 0:
            return bounded
        return bounded + self._shifts[index]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of ``text`` that shows the original characters from ``start`` to ``end``."""
        return self.offset(start), self.offset(end)


def shown(text: str, *, newlines: bool = False, limit: int = DEFAULT_LIMIT) -> Shown:
    """Make ``text`` safe to display.

    Args:
        text: Anything at all, lone surrogates included.
        newlines: Keep line ends, as ``\\n``; otherwise they become a visible mark.
        limit: How many characters of the original to prepare. Work is linear in the limit, not
            in the text.

    Returns:
        The displayable text with its offset map.
    """
    kept = text[:limit] if len(text) > limit else text
    left_off = len(text) - len(kept)
    pieces: list[str] = []
    marks: list[tuple[int, int]] = []
    breaks: list[int] = []
    shifts: list[int] = []
    read = written = 0
    for match in _SPECIAL.finditer(kept):
        start, end = match.span()
        if start > read:
            pieces.append(kept[read:start])
            written += start - read
        mark = _mark(match, kept, newlines)
        pieces.append(mark)
        if mark and mark != "\n":
            marks.append((written, written + len(mark)))
        # Offsets inside the run point at the mark's end, so that no span ends within a mark.
        for inside in range(start + 1, end):
            breaks.append(inside)
            shifts.append(written + len(mark) - inside)
        written += len(mark)
        breaks.append(end)
        shifts.append(written - end)
        read = end
    if not pieces and not left_off:
        return Shown(text=kept, length=len(kept))
    pieces.append(kept[read:])
    written += len(kept) - read
    if left_off:
        note = f" ‹{left_off:,} more characters›"
        marks.append((written, written + len(note)))
        pieces.append(note)
    return Shown(
        text="".join(pieces),
        marks=tuple(marks),
        left_off=left_off,
        length=len(kept),
        _breaks=tuple(breaks),
        _shifts=tuple(shifts),
    )


def shown_text(text: str, *, limit: int = DEFAULT_LIMIT) -> str:
    """``text`` as one displayable line, when no span has to be found in it."""
    return shown(text, limit=limit).text


def in_place(text: str) -> str:
    """``text`` with one visible sign for each character that would hide or act; lines stay.

    For fields in which text is typed: the length is the same, so the cursor stays right.
    """
    return _SPECIAL.sub(_signs, text)


def _signs(match: re.Match[str]) -> str:
    found = match.group()
    match match.lastgroup:
        case "newline":
            return found.replace("\r", "␍") if found != "\r\n" else found
        case "tab":
            return found
        case "control":
            return "␡" if found == "\x7f" else chr(0x2400 + ord(found))
        case "selector":
            # The two that choose between text and picture are common, and hide nothing.
            return found if ord(found) in (0xFE0E, 0xFE0F) else "�"
        case _:
            return "�" * len(found)


def _mark(match: re.Match[str], text: str, newlines: bool) -> str:
    found = match.group()
    match match.lastgroup:
        case "newline":
            return "\n" if newlines else "⏎"
        case "tab":
            return "⇥"
        case "control":
            return "␡" if found == "\x7f" else chr(0x2400 + ord(found))
        case "tags":
            return f"‹tags:{_spoken_tags(found)}›"
        case "selector":
            return _selector(found, text, match.start())
        case "combining":
            return _combining(found, match.start())
        case _:
            code = ord(found)
            return f"‹{_NAMES.get(code, f'U+{code:04X}')}›"


def _spoken_tags(run: str) -> str:
    """The ASCII that a run of tag characters hides."""
    letters = (chr(ord(tag) - 0xE0000) for tag in run)
    return "".join(letter if letter.isprintable() else "·" for letter in letters)


def _selector(found: str, text: str, at: int) -> str:
    code = ord(found)
    # The two that choose between text and picture say nothing after a symbol, where they are
    # common; leaving them out also keeps the width certain.
    if code in (0xFE0E, 0xFE0F) and at and unicodedata.category(text[at - 1]) in ("So", "Sm", "Sk"):
        return ""
    number = code - 0xFE00 + 1 if code <= 0xFE0F else code - 0xE0100 + 17
    return f"‹VS{number}›"


def _combining(run: str, at: int) -> str:
    """At the start there is nothing to combine with; a tall stack would cover other lines."""
    carrier = "" if at else "◌"
    kept, rest = run[:_COMBINING_LIMIT], len(run) - _COMBINING_LIMIT
    return f"{carrier}{kept}‹+{rest} accents›" if rest > 0 else f"{carrier}{kept}"
