"""What a person with a mouse does on the screen: find words, and click on them."""

from __future__ import annotations

from textual.geometry import Offset
from textual.widget import Widget
from tui_bench import Bench, settled


def screen_lines(b: Bench) -> list[str]:
    """What is on the screen, line by line."""
    strips = b.app.screen._compositor.render_strips()
    return ["".join(segment.text for segment in strip) for strip in strips]


def place_of(b: Bench, words: str, within: str | Widget | None = None) -> Offset:
    """Where ``words`` stand on the screen, as they are drawn.

    ``within`` is a widget, or a selector, that they must stand in: in its first line that has them.
    Without it, it is the last line of the screen: what a dialog tells stands over all else.
    """
    if isinstance(within, str):
        within = b.app.screen.query_one(within)
    region = within.region if within is not None else b.app.screen.region
    lines = screen_lines(b)
    rows = range(region.y, min(region.bottom, len(lines)))
    for y in rows if within is not None else reversed(rows):
        cells = _cells(lines[y])
        line = "".join(cells[region.x : region.right])
        at = line.find(words)
        if at >= 0:
            return Offset(_cell_of(cells, region.x, at), y)
    raise AssertionError(f"“{words}” is not on the screen:\n" + "\n".join(lines))


def _cells(line: str) -> list[str]:
    """The line by cells; a wide character has an empty one after it."""
    from rich.cells import cell_len

    cells: list[str] = []
    for character in line:
        width = cell_len(character)
        if width:
            cells += [character, *[""] * (width - 1)]
        elif cells:
            cells[-1] += character
    return cells


def _cell_of(cells: list[str], start: int, at: int) -> int:
    passed = 0
    for x in range(start, len(cells)):
        if passed >= at and cells[x]:
            return x
        passed += len(cells[x])
    return len(cells) - 1


async def click(b: Bench, words: str, within: str | Widget | None = None, button: int = 1) -> None:
    """Click on words, and wait for what it started."""
    x, y = place_of(b, words, within)
    await b.pilot.click(offset=(x, y), button=button)
    await settled(b.pilot)
