"""From a row to the lines that show it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.cells import cell_len
from rich.segment import Segment
from textual.content import Content
from textual.strip import Strip
from textual.style import Style

from proofstone.tui.rows import Row
from proofstone.tui.wrapping import cut_cells, wrap_spans

ParseStyle = Callable[[str | Style], Style]


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


def strip_of(
    parts: Sequence[Content],
    width: int,
    style: Style,
    parse: ParseStyle,
    trailing: Content | None = None,
) -> Strip:
    """One line of ``width`` cells: the parts from the left, ``trailing`` at the right."""
    segments = [
        Segment(text, piece.rich_style)
        for part in parts
        for text, piece in part.render(style, end="", parse_style=parse)
        if text
    ]
    room = width - (cell_len(trailing.plain) if trailing else 0)
    strip = Strip(segments).adjust_cell_length(room, style.rich_style)
    if trailing:
        tail = [
            Segment(text, piece.rich_style)
            for text, piece in trailing.render(style, end="", parse_style=parse)
        ]
        strip = Strip([*strip, *tail]).adjust_cell_length(width, style.rich_style)
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
