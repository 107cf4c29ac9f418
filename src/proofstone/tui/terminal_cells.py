"""What a terminal shows, cell by cell, read from what Textual writes to it.

Textual paints in pieces: a move of the cursor, then text with its styles, which end with none in
force. ``cells`` takes such a piece apart. Whatever is written in another way is not understood,
and None says so.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

_TOKEN = re.compile(r"\x1b\[([0-9;]*)m|([^\x00-\x1f\x7f-\x9f]+)")
_COLOUR_CODES = {38: "ink", 48: "ground"}
_SEEN_ON_BLANKS = frozenset({"4", "5", "6", "7", "9", "21", "53"})
"""Attributes that change what a blank looks like: lines through or below it, and reverse."""

# Characters whose width every terminal agrees on: neither emoji nor marks nor new additions.
_ONE_CELL = re.compile(
    "[\u0020-\u007e\u00a0-\u00ac\u00ae-\u02ff\u0370-\u0377\u0386-\u0482\u0490-\u052f"
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20b9\u2100-\u214f\u2190-\u21ff\u2200-\u22ff\u2500-\u25fc"
    "\u2713\u2717\u25b6-\u25c9]*"
)
_TWO_CELLS = re.compile(
    "[\u2e80-\u2fd5\u3001-\u3029\u3031-\u303e\u3041-\u3096\u309b-\u30ff\u3105-\u312f\u3131-\u318e"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufad9\uff01-\uff60\uffe0-\uffe6"
    "\U00020000-\U0002fa1d\U00030000-\U0003134a]"
)


class Style(NamedTuple):
    """What is in force: attributes in order, and colours as the terminal is told them."""

    attributes: tuple[str, ...] = ()
    ink: str = ""
    ground: str = ""

    @property
    def marks_blanks(self) -> bool:
        """Whether a blank shows more of it than its ground."""
        return not _SEEN_ON_BLANKS.isdisjoint(self.attributes)


PLAIN = Style()

Cell = tuple[str, Style]
"""What stands in a cell and how. The second half of a wide character is an empty string.

A cell of a piece that is drawn as a whole holds all of the piece and its own place in it, after a
line feed, so that it is the same only within the same piece.
"""


class Piece(NamedTuple):
    """Text at one place: its cells, and runs of it by style."""

    cells: tuple[Cell, ...]
    runs: tuple[Cell, ...]
    is_whole: bool
    """Whether terminals may disagree about its width, so that it is written whole or not at all."""


@lru_cache(maxsize=2_048)
def piece(data: str) -> Piece | None:
    """Take a piece of output apart; None where it is not understood."""
    runs: list[Cell] = []
    style, place = PLAIN, 0
    while place < len(data):
        token = _TOKEN.match(data, place)
        if token is None:
            return None
        place = token.end()
        codes, text = token.groups()
        if text is not None:
            runs.append((text, style))
            continue
        following = styled(style, codes)
        if following is None:
            return None
        style = following
    if style != PLAIN:
        return None
    cells: list[Cell] = []
    for text, run_style in runs:
        if not _add_cells(cells, text, run_style):
            length = sum(cell_len(text) for text, _ in runs)
            marks = (_cell(f"{data}\n{number}", PLAIN) for number in range(length))
            return Piece(tuple(marks), tuple(runs), is_whole=True)
    return Piece(tuple(cells), tuple(runs), is_whole=False)


def _add_cells(cells: list[Cell], text: str, style: Style) -> bool:
    """Add the cells of ``text``; False where it has characters of doubtful width."""
    if _ONE_CELL.fullmatch(text):
        cells += [_cell(character, style) for character in text]
        return True
    for character in text:
        if _ONE_CELL.fullmatch(character):
            cells.append(_cell(character, style))
        elif _TWO_CELLS.fullmatch(character):
            cells += (_cell(character, style), _cell("", style))
        else:
            return False
    return True


@lru_cache(maxsize=8_192)
def _cell(text: str, style: Style) -> Cell:
    """The cell, made once; a blank has only what is seen of its style."""
    if text == " " and not style.marks_blanks:
        return (" ", Style((), "", style.ground))
    return (text, style)


@lru_cache(maxsize=2_048)
def styled(before: Style, codes: str) -> Style | None:
    """The style after a sequence of codes; None where a code is not one that Textual writes."""
    attributes, colours = set(before.attributes), {"ink": before.ink, "ground": before.ground}
    left = codes.split(";") if codes else ["0"]
    while left:
        code = left.pop(0)
        number = int(code) if code else 0
        if number == 0:
            attributes, colours = set(), {"ink": "", "ground": ""}
        elif number in _COLOUR_CODES:
            length = {"5": 2, "2": 4}.get(left[0] if left else "")
            if length is None or len(left) < length:
                return None
            colours[_COLOUR_CODES[number]] = ";".join((code, *left[:length]))
            del left[:length]
        elif 30 <= number <= 37 or 90 <= number <= 97:
            colours["ink"] = code
        elif 40 <= number <= 47 or 100 <= number <= 107:
            colours["ground"] = code
        elif number <= 9 or number in (21, 53):
            attributes.add(str(number))
        else:
            return None
    return Style(tuple(sorted(attributes)), colours["ink"], colours["ground"])
