"""Where the thumb of a scroll bar stands, to an eighth of a cell."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

EIGHTHS = 8
_BLOCKS = "▁▂▃▄▅▆▇"
"""By how many eighths of a cell they fill from below, less one."""


class Cell(NamedTuple):
    """One cell of the bar: what is written in it, and whether its colours change places."""

    text: str = " "
    is_reversed: bool = False


GROUND, FULL = Cell(), Cell(is_reversed=True)


class Thumb(NamedTuple):
    """From where to where it reaches, in eighths of a cell from the top of the bar."""

    start: int
    end: int

    def cell(self, line: int) -> Cell:
        """What stands in the bar on this line."""
        before, after = self.start - line * EIGHTHS, self.end - line * EIGHTHS
        if before >= EIGHTHS or after <= 0:
            return GROUND
        if before > 0:
            return Cell(_BLOCKS[EIGHTHS - before - 1])
        if after < EIGHTHS:
            return Cell(_BLOCKS[EIGHTHS - after - 1], is_reversed=True)
        return FULL

    def side(self, line: int) -> int:
        """-1 for a line above the thumb, 1 for one below it, 0 on it."""
        if (line + 1) * EIGHTHS <= self.start:
            return -1
        return 1 if line * EIGHTHS >= self.end else 0


def thumb_of(height: int, total: int, position: float) -> Thumb | None:
    """The thumb of a bar ``height`` lines high, of ``total`` lines the one at ``position`` being
    first; None where all of them can be seen."""
    if not 0 < height < total:
        return None
    length = max(1.0, height * height / total)
    start = int((height - length) * position / (total - height) * EIGHTHS)
    return Thumb(start, start + ceil(length * EIGHTHS))
