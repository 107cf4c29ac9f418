"""What stands on the screen while everything else is still being loaded and the vault is read.

One widget that draws the frames of the main screen by itself: there is something to see long
before the panes and what they draw with are there. Of a large vault, a page of what waits follows
in the frame of the queue (``first_page``), and keys move in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Resize
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.widget import Widget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofstone.domain.records import Proposal
    from proofstone.tui.widgets.line_list import LineList

QUEUE = 2
Column = tuple[tuple[int, str, int], ...]
"""Number, title and share of the height of each pane of a column."""

LEFT: Column = ((1, "Turns", 2), (QUEUE, "Queue", 3))
MIDDLE: Column = ((3, "Evidence", 1), (4, "Gate", 1))
RIGHT: Column = ((5, "Proposal", 5), (6, "Verifier", 5), (7, "Siblings", 4))
ALONE: Column = ((QUEUE, "Queue", 1),)
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
        self._titles: dict[int, str] = {}

    def say_of_queue(self, words: str) -> None:
        """Put words behind the title of the queue."""
        self._titles[QUEUE] = words
        self.refresh()

    def render(self) -> Content:
        """Header, and frames where there is room for them."""
        width, height = self.size.width, self.size.height
        lines = [self._header(width)]
        if width >= WIDE and height >= TALL:
            left, right = int(width * LEFT_SHARE), int(width * RIGHT_SHARE)
            columns = [
                self._column(panes, cells, height - _BARS)
                for panes, cells in (
                    (LEFT, left),
                    (MIDDLE, width - left - right),
                    (RIGHT, right),
                )
            ]
            lines += [Content("").join(parts) for parts in zip(*columns, strict=True)]
        elif height > _BARS + 2:
            lines += [Content(""), *self._column(ALONE, width, height - _BARS - 1)]
        return Content("\n").join(lines)

    def _header(self, width: int) -> Content:
        name = Content.assemble((" Proofstone ", "$ink-key bold"), (self._vault, "$ink bold"))
        said = Content.assemble(name, ("   " + _READING.lower(), "$ink-dim"))
        author = Content.assemble(("as ", "$ink-dim"), (self._author, "$ink"), " ")
        room = width - said.cell_length - author.cell_length
        line = said + Content(" " * room) + author if room > 1 else name
        return line.pad_right(max(0, width - line.cell_length)).stylize("on $ground-bar")

    def _column(self, panes: Column, width: int, height: int) -> list[Content]:
        """Frames below one another that share ``height`` lines."""
        ends = _ends(panes, height)
        lines: list[Content] = []
        for (number, title, _), top, bottom in zip(panes, ends, ends[1:], strict=False):
            told = self._titles.get(number, "")
            lines += _frame(f"{number} {title}", told, width, bottom - top)
        return lines


def queue_within(size: Size) -> Region:
    """The room inside the queue's frame; none where the window is too small for frames."""
    width, height = size
    if width >= WIDE and height >= TALL:
        top, bottom = _ends(LEFT, height - _BARS)[1:3]
        return Region(1, top + 2, int(width * LEFT_SHARE) - 2, bottom - top - 2)
    if height > _BARS + 2:
        return Region(1, 3, width - 2, height - _BARS - 3)
    return Region()


def _ends(panes: Column, height: int) -> list[int]:
    """Where each pane of a column ends, after a 0."""
    whole = sum(share for _, _, share in panes)
    ends = [0]
    for number, (_, _, share) in enumerate(panes, 1):
        ends.append(height if number == len(panes) else ends[-1] + round(height * share / whole))
    return ends


def _frame(title: str, told: str, width: int, height: int) -> list[Content]:
    inside = width - 2
    told = f" · {told}" if told else ""
    ruled = "─" * max(0, inside - len(title) - len(told) - 3)
    rows = [" " * inside] * max(0, height - 2)
    if rows:
        rows[0] = f" {_READING}".ljust(inside)[:inside]
    heading = Content.assemble(("╭─ ", "$frame"), (f"{title}{told}", "$ink-title bold"))
    return [
        heading + Content.styled(f" {ruled}╮", "$frame"),
        *(Content.assemble(("│", "$frame"), (row, "$ink-dim"), ("│", "$frame")) for row in rows),
        Content.styled(f"╰{'─' * inside}╯", "$frame"),
    ]


class OpeningScreen(Screen[None]):
    """The first picture. It is replaced as soon as the vault was read, or could not be."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("q,ctrl+q", "app.quit", show=False, id="quit")]
    DEFAULT_CSS = """
    OpeningScreen { background: $ground; color: $ink; }
    OpeningPicture { width: 100%; height: 100%; }
    #first-page { position: absolute; }
    """

    def __init__(self, name: str, author: str) -> None:
        super().__init__()
        self._picture = OpeningPicture(name, author)
        self._page: LineList | None = None

    def compose(self) -> ComposeResult:
        """The picture."""
        yield self._picture

    async def show_page(self, waiting: Sequence[Proposal]) -> None:
        """Show the first proposals in the place of the queue."""
        from proofstone.tui.first_page import NOT_JUDGED, unjudged_rows
        from proofstone.tui.widgets.line_list import LineList

        if not waiting:
            return
        self._page = LineList(id="first-page")
        self._place_page()
        await self.mount(self._page)
        self._page.set_rows(unjudged_rows(waiting))
        self._page.focus()
        self._picture.say_of_queue(NOT_JUDGED)

    @property
    def chosen(self) -> str:
        """The proposal that the person has gone to on the first page; empty without one."""
        return self._page.cursor_key if self._page is not None and self._page.cursor > 0 else ""

    def _place_page(self) -> None:
        if self._page is not None:
            room = queue_within(self.app.size)
            self._page.styles.offset = room.offset
            self._page.styles.width, self._page.styles.height = room.size

    def on_resize(self, event: Resize) -> None:
        """The frames are elsewhere now."""
        self._place_page()
