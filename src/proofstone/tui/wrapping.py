"""Word wrapping by terminal cells, giving offsets so that styles stay where they belong."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import cell_len

# A wide character may end a line by itself; other words stay whole, and so does what a no-break
# space holds together.
_TOKEN = re.compile(
    "\n|[^\\S\n\u00a0]+|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|(?:\u00a0|[^\\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef])+"
)


def wrap_spans(text: str, width: int, kept_free: int = 0) -> list[tuple[int, int]]:
    """The spans of ``text`` that make up its lines, each at most ``width`` cells.

    The first line leaves ``kept_free`` cells free. White space at a break belongs to no line.
    There is always at least one span.
    """
    rest = max(2, width)
    width = max(2, rest - kept_free)
    if len(text) <= width and text.isascii() and "\n" not in text:
        return [(0, len(text))]
    lines: list[tuple[int, int]] = []
    start = end = 0  # the line so far: from start to the end of its last word
    used = gap = 0  # cells up to end, and of the white space after it
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "\n":
            lines.append((start, end))
            width = rest
            start = end = match.end()
            used = gap = 0
            continue
        if token.isspace():
            gap += cell_len(token)
            if end == start and not lines:
                end, used, gap = match.end(), gap, 0  # keep the text's own indentation
            continue
        cells = cell_len(token)
        if used + gap + cells > width and end > start:
            lines.append((start, end))
            width = rest
            start, used, gap = match.start(), 0, 0
        elif end == start:
            start, gap = match.start(), 0
        at = match.start()
        while cells > width:
            cut = _fit(text, at, width)
            lines.append((at, cut))
            width = rest
            at, cells = cut, cell_len(text[cut : match.end()])
            start, used, gap = cut, 0, 0
        end, used, gap = match.end(), used + gap + cells, 0
    lines.append((start, end))
    return lines


_SINGLE = re.compile(
    "[!-~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u23ce\u21e5]"
    "[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u23ce\u21e5]*"
)
"""Text of one cell for each character, with no white space but spaces, and none at its start."""


def line_count(text: str, width: int, kept_free: int = 0) -> int:
    """How many lines ``wrap_spans`` makes; most texts are counted without making them."""
    rest = max(2, width)
    first = max(2, rest - kept_free)
    if len(text) <= first and text.isascii() and "\n" not in text:
        return 1
    if not _SINGLE.fullmatch(text) or _longer_word(first).search(text):
        return len(wrap_spans(text, width, kept_free))
    begun = _line(first).match(text)
    return 1 + len(_line(rest).findall(text, begun.end() if begun else 0))


@lru_cache(maxsize=64)
def _line(width: int) -> re.Pattern[str]:
    """As many whole words as fit."""
    return re.compile(rf"[^ ](?:.{{0,{width - 2}}}[^ ])?(?![^ ])")


@lru_cache(maxsize=64)
def _longer_word(width: int) -> re.Pattern[str]:
    return re.compile(rf"[^ ]{{{width + 1}}}")


def _fit(text: str, start: int, width: int) -> int:
    """The offset after as many characters from ``start`` as fit, at least one."""
    used = 0
    for offset in range(start, len(text)):
        used += cell_len(text[offset])
        if used > width:
            return max(offset, start + 1)
    return len(text)


def cut_cells(text: str, width: int) -> int:
    """The offset up to which ``text`` fits ``width`` cells."""
    if len(text) <= width and text.isascii():
        return len(text)
    used = 0
    for offset, character in enumerate(text):
        used += cell_len(character)
        if used > width:
            return offset
    return len(text)
