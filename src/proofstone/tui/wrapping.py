"""Word wrapping by terminal cells, giving offsets so that styles stay where they belong."""

from __future__ import annotations

import re

from rich.cells import cell_len

# A wide character may end a line by itself; other words stay whole.
_TOKEN = re.compile(
    "\n|[^\\S\n]+|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+"
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
