"""What stands on the screen while everything else is still being loaded and the vault is read.

One widget that draws the frames of the main screen by itself: there is something to see long
before the panes and what they draw with are there.
"""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

Column = tuple[tuple[int, str, int], ...]
"""Number, title and share of the height of each pane of a column."""

LEFT: Column = ((1, "Turns", 2), (2, "Queue", 3))
MIDDLE: Column = ((3, "Evidence", 1), (4, "Gate", 1))
RIGHT: Column = ((5, "Proposal", 5), (6, "Verifier", 5), (7, "Siblings", 4))
LEFT_SHARE, RIGHT_SHARE = 0.27, 0.33
WIDE, TALL = 100, 22
"""Below these the main screen shows one pane at a time."""

_READING = "Reading the vault…"
_BARS = 3
"""Lines that header and keys take."""


class OpeningPicture(Widget):
    """The main screen's frames with nothing in them yet."""

    def __init__(self, name: str, author: str) -> None:
        super().__init__()
        self._vault, self._author = name, author

    def render(self) -> Content:
        """Header, and frames where there is room for them."""
        width, height = self.size.width, self.size.height
        lines = [self._header(width)]
        if width >= WIDE and height >= TALL:
            left, right = int(width * LEFT_SHARE), int(width * RIGHT_SHARE)
            columns = [
                _column(panes, cells, height - _BARS)
                for panes, cells in (
                    (LEFT, left),
                    (MIDDLE, width - left - right),
                    (RIGHT, right),
                )
            ]
            lines += [Content("").join(parts) for parts in zip(*columns, strict=True)]
        elif height > _BARS + 2:
            lines += [Content(""), *_column(((2, "Queue", 1),), width, height - _BARS - 1)]
        return Content("\n").join(lines)

    def _header(self, width: int) -> Content:
        name = Content.assemble((" Proofstone ", "$ink-key bold"), (self._vault, "$ink bold"))
        said = Content.assemble(name, ("   " + _READING.lower(), "$ink-dim"))
        author = Content.assemble(("as ", "$ink-dim"), (self._author, "$ink"), " ")
        room = width - said.cell_length - author.cell_length
        line = said + Content(" " * room) + author if room > 1 else name
        return line.pad_right(max(0, width - line.cell_length)).stylize("on $ground-bar")


def _column(panes: Column, width: int, height: int) -> list[Content]:
    """Frames below one another that share ``height`` lines."""
    whole = sum(share for _, _, share in panes)
    ends = [0]
    for number, (_, _, share) in enumerate(panes, 1):
        ends.append(height if number == len(panes) else ends[-1] + round(height * share / whole))
    lines: list[Content] = []
    for (number, title, _), top, bottom in zip(panes, ends, ends[1:], strict=False):
        lines += _frame(f"{number} {title}", width, bottom - top)
    return lines


def _frame(title: str, width: int, height: int) -> list[Content]:
    inside = width - 2
    ruled = "─" * max(0, inside - len(title) - 3)
    rows = [" " * inside] * max(0, height - 2)
    if rows:
        rows[0] = f" {_READING}".ljust(inside)[:inside]
    return [
        Content.assemble(("╭─ ", "$frame"), (title, "$ink-title bold"), (f" {ruled}╮", "$frame")),
        *(Content.assemble(("│", "$frame"), (row, "$ink-dim"), ("│", "$frame")) for row in rows),
        Content.styled(f"╰{'─' * inside}╯", "$frame"),
    ]


class OpeningScreen(Screen[None]):
    """The first picture. It is replaced as soon as the vault was read, or could not be."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,ctrl+q", "app.quit", show=False, id="quit")]
    DEFAULT_CSS = """
    OpeningScreen { background: $ground; color: $ink; }
    OpeningPicture { width: 100%; height: 100%; }
    """

    def __init__(self, name: str, author: str) -> None:
        super().__init__()
        self._picture = OpeningPicture(name, author)

    def compose(self) -> ComposeResult:
        """The picture."""
        yield self._picture
