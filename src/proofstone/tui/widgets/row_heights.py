"""How many lines rows take, without building them."""

from __future__ import annotations

from array import array

from proofstone.tui.rows import Extent, JoinedRows, LazyRows, RowSource
from proofstone.tui.wrapping import line_count


def height_of(extent: Extent, width: int) -> int:
    """Lines that a row takes at ``width`` cells."""
    text, gutter, aside, wraps = extent
    return line_count(text, width - gutter, aside) if wraps else text.count("\n") + 1


def heights_of(source: RowSource, width: int) -> array[int]:
    """Lines of every row; rows that are known to be alike, or were measured, are not looked at."""
    heights = array("l")
    if isinstance(source, JoinedRows):
        for part in source.parts:
            heights.extend(heights_of(part, width))
    elif source.fixed_height is not None:
        heights.extend(array("l", [source.fixed_height]) * len(source))
    elif isinstance(source, LazyRows):
        if source.measured is None or source.measured[0] != width:
            extents = map(source.extent, range(len(source)))
            source.measured = width, array("l", (height_of(one, width) for one in extents))
        heights.extend(source.measured[1])
    else:
        heights.extend(height_of(source.extent(at), width) for at in range(len(source)))
    return heights
