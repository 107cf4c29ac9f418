"""From a row to the lines that show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content, Span
from textual.strip import Strip
from textual.style import Style

from proofstone.tui.rows import Row
from proofstone.tui.wrapping import cut_cells, wrap_spans

ParseStyle = Callable[[str | Style], Style]
ShortParts = dict[tuple[str, tuple[Span, ...], Style], list[Segment]]
"""Short parts of lines as they were drawn, by text, spans and the style below them."""

SHORT = 8
"""Characters of a part that is likely to come again: a cursor, a sign, a rail."""
MANY_PARTS = 1_024
"""So many are kept before all are forgotten."""


def row_lines(row: Row, width: int) -> list[tuple[Content, Content]]:
    """The gutter and the text of each line of ``row`` at ``width`` cells."""
    text, gutter, aside, wraps = row.extent
    room = max(2, width - gutter)
    if wraps:
        pieces = [row.body[start:end] for start, end in wrap_spans(text, room, aside)]
    else:
        pieces = [
            _fitted(piece, room)
            if row.parted and number
            else cut(piece, room - aside if number == 0 else room)
            for number, piece in enumerate(row.body.split("\n", allow_blank=True))
        ]
    return [
        (row.gutter if number == 0 else row.continuation, piece)
        for number, piece in enumerate(pieces)
    ]


@dataclass(frozen=True, slots=True)
class Pen:
    """What text is drawn with: its style, how names of styles are read, and what was drawn before
    of the short parts that stand before most lines."""

    style: Style
    parse: ParseStyle
    known: ShortParts

    def segments(self, part: Content) -> list[Segment]:
        """The part as segments."""
        if len(part.plain) > SHORT:
            return self._drawn(part)
        key = part.plain, tuple(part.spans), self.style
        found = self.known.get(key)
        if found is None:
            if len(self.known) >= MANY_PARTS:
                self.known.clear()
            found = self.known[key] = self._drawn(part)
        return found

    def _drawn(self, part: Content) -> list[Segment]:
        return [
            Segment(text, piece.rich_style)
            for text, piece in part.render(self.style, end="", parse_style=self.parse)
            if text
        ]


def strip_of(
    parts: Sequence[Content], width: int, pen: Pen, trailing: Content | None = None
) -> Strip:
    """One line of ``width`` cells: the parts from the left, ``trailing`` at the right."""
    ground = pen.style.rich_style
    room = width - (cell_len(trailing.plain) if trailing else 0)
    segments = [segment for part in parts for segment in pen.segments(part)]
    strip = Strip(segments).adjust_cell_length(room, ground)
    if trailing:
        strip = Strip([*strip, *pen.segments(trailing)]).adjust_cell_length(width, ground)
    return strip


def cut(line: Content, width: int) -> Content:
    """The line, with an ellipsis where it does not fit."""
    if cell_len(line.plain) <= width:
        return line
    return line[: cut_cells(line.plain, max(1, width - 1))] + Content.assemble(("…", "$ink-dim"))


_BETWEEN, _CLOSE = " · ", "·"


def _fitted(line: Content, width: int) -> Content:
    """The line's parts, closer together where that lets all fit; else how many are left out."""
    if cell_len(line.plain) <= width:
        return line
    parts = line.split(_BETWEEN)
    close = Content.styled(_CLOSE, "$ink-dim").join(parts)
    if close.cell_length <= width:
        return close
    between = Content.styled(_BETWEEN, "$ink-dim")
    for kept in range(len(parts) - 1, 0, -1):
        left_out = Content.styled(f" +{len(parts) - kept}", "$ink-dim")
        fitted = Content.assemble(between.join(parts[:kept]), left_out)
        if fitted.cell_length <= width:
            return fitted
    return cut(line, width)
