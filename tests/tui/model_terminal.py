"""A small terminal: what it shows after what was written to it, cell by cell."""

from __future__ import annotations

import re
from collections.abc import Callable

from rich.cells import cell_len

_PIECE = re.compile(
    r"\x1b\[(?P<codes>[0-9;]*)m|\x1b\[(?P<row>\d+);(?P<column>\d+)H|\x1b\[(?P<steps>\d*)C"
    r"|\x1b\[(?P<erased>\d+)X"
    r"|(?P<clear>\x1b\[2J)|(?P<ignored>\x1b\[\?\d+(?:[hl]|\$p)|\x07|\x1b\](?:22|52);[^\x07]*\x07)"
    r"|(?P<feed>\n)|(?P<back>\x08)|(?P<down>\x1b\[B)|(?P<text>[^\x1b\n\x08]+)",
    re.DOTALL,
)
_OFF = {
    "22": {"1", "2"}, "23": {"3"}, "24": {"4"}, "27": {"7"}, "29": {"9"},
}  # fmt: skip
_SEEN_ON_BLANKS = {"4", "7", "9"}

Shown = tuple[str, tuple[str, ...]]
BLANK: Shown = " ", ("", "")
JUNK: Shown = "?", ("junk",)


class ModelTerminal:
    """Understands what Textual and the workbench write, and nothing else.

    A letter over one half of a wide one blanks the other half. ``width_of`` says how many cells
    this terminal gives to a letter; a letter of none joins the one before.
    """

    def __init__(
        self, width: int = 16, height: int = 4, width_of: Callable[[str], int] = cell_len
    ) -> None:
        self.width, self.height = width, height
        self._width_of = width_of
        self._cells: list[list[Shown]] = [[BLANK] * width for _ in range(height)]
        self.row = self.column = 0
        self._attributes: set[str] = set()
        self._ink = self._ground = ""

    @property
    def picture(self) -> list[list[Shown]]:
        """The text and the look of every cell; the second half of a wide letter has no text."""
        return [list(row) for row in self._cells]

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column, from 0."""
        return self.row, self.column

    @property
    def style(self) -> tuple[object, ...]:
        """What is in force."""
        return frozenset(self._attributes), self._ink, self._ground

    def disturb(self) -> None:
        """Show something else altogether, as after another program's output."""
        self._cells = [[JUNK] * self.width for _ in range(self.height)]
        self.row, self.column = self.height - 1, 1

    def write(self, data: str) -> None:
        """Do what is written."""
        place = 0
        while place < len(data):
            found = _PIECE.match(data, place)
            assert found is not None, f"not understood: {data[place : place + 20]!r}"
            place = found.end()
            if found["codes"] is not None:
                self._style(found["codes"])
            elif found["row"] is not None:
                self.row = min(int(found["row"]), self.height) - 1
                self.column = min(int(found["column"]), self.width) - 1
            elif found["steps"] is not None:
                assert self.column < self.width, "a step from behind the last column is unsure"
                self.column = min(self.column + int(found["steps"] or 1), self.width - 1)
            elif found["erased"] is not None:
                self._erase(int(found["erased"]))
            elif found["clear"] is not None:
                self._cells = [[BLANK] * self.width for _ in range(self.height)]
            elif found["feed"] is not None:
                assert self.row < self.height - 1, "the screen would scroll"
                self.row += 1
            elif found["back"] is not None:
                assert 0 < self.column < self.width, "a step from behind the last column is unsure"
                self.column -= 1
            elif found["down"] is not None:
                assert self.row < self.height - 1
                self.row += 1
            elif found["text"] is not None:
                self._text(found["text"])

    def _erase(self, number: int) -> None:
        assert self.column < self.width, "erasing from behind the last column is unsure"
        assert self.column + number <= self.width
        for at in range(self.column, self.column + number):
            self._blank_other_half(at)
            self._cells[self.row][at] = " ", ("", self._ground)

    def _text(self, text: str) -> None:
        cells, end = self._cells[self.row], self.column + len(text)
        is_plain = text.isascii() and end <= self.width
        if not is_plain or not all(cell[0] for cell in cells[self.column : end + 1]):
            for letter in text:
                self._put(letter)
            return
        looks = {blank: self._look(blank) for blank in " x"}
        cells[self.column : end] = [(a, looks[" " if a == " " else "x"]) for a in text]
        self.column = end

    def _put(self, letter: str) -> None:
        width = self._width_of(letter)
        cells = self._cells[self.row]
        if not width:
            at = self.column - 1
            while at > 0 and not cells[at][0]:
                at -= 1
            cells[at] = (cells[at][0] + letter, cells[at][1])
            return
        if self.column + width > self.width:
            return
        for at in range(self.column, self.column + width):
            self._blank_other_half(at)
        cells[self.column] = letter, self._look(letter)
        for at in range(self.column + 1, self.column + width):
            cells[at] = "", self._look(letter)
        self.column += width

    def _blank_other_half(self, at: int) -> None:
        cells = self._cells[self.row]
        if not cells[at][0]:
            cells[at - 1] = (" ", BLANK[1])
        if at + 1 < self.width and not cells[at + 1][0]:
            cells[at + 1] = (" ", BLANK[1])

    def _look(self, letter: str) -> tuple[str, ...]:
        seen = self._attributes if letter != " " else self._attributes & _SEEN_ON_BLANKS
        return (*sorted(seen), self._ink if letter != " " or seen else "", self._ground)

    def _style(self, codes: str) -> None:
        left = codes.split(";")
        while left:
            code = left.pop(0)
            if code in ("", "0"):
                self._attributes, self._ink, self._ground = set(), "", ""
            elif code in ("38", "48"):
                take = 4 if left[0] == "2" else 2
                colour, left = ";".join((code, *left[:take])), left[take:]
                if code == "38":
                    self._ink = colour
                else:
                    self._ground = colour
            elif code in _OFF:
                self._attributes -= _OFF[code]
            elif code in ("39", "49"):
                self._ink, self._ground = ("", self._ground) if code == "39" else (self._ink, "")
            elif len(code) == 1:
                self._attributes.add(code)
            elif code[0] == "3" or code[0] == "9":
                self._ink = code
            else:
                assert code[0] == "4" or code[:2] == "10", code
                self._ground = code
