"""Lines with a scroll bar, of which only those are painted again that look otherwise.

A pane that shows something else mostly shows much of the same: a frame, blank lines, a heading.
Textual would paint all of it, and what that costs is felt at every key. The bar is drawn here, as
the last cell of each line: a widget of its own would be painted whole for every move.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import ClassVar, Self

from rich.segment import Segment
from rich.style import Style
from textual.content import Content, Span
from textual.events import Click, MouseDown, MouseMove, MouseRelease, MouseUp
from textual.geometry import Offset, Region
from textual.scroll_view import ScrollView
from textual.strip import Strip

from proofstone.tui.widgets.thumb import GROUND, Cell, Thumb, thumb_of

BAR_WIDTH = 1
"""Cells at the right of every line, for the bar; they are kept where it has nothing to show."""

_REVERSED = Style(reverse=True)


class LineView(ScrollView):
    """What a list, or any other text of many lines, is drawn on.

    | component class | what it styles |
    |---|---|
    | `line-view--bar` | the scroll bar |
    | `line-view--bar-grabbed` | the same while it is dragged |
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"line-view--bar", "line-view--bar-grabbed"}
    DEFAULT_CSS = """
    LineView {
        overflow: hidden hidden;
        & > .line-view--bar { color: $frame; background: $ground; }
        & > .line-view--bar-grabbed { color: $frame-focus; background: $ground; }
    }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._painted: dict[int, Strip] = {}
        self._joined: dict[int, tuple[Strip, Segment, Strip]] = {}
        self._cells_of_bar: dict[tuple[Cell, bool], Segment] = {}
        self._titles: dict[str, tuple[str, Sequence[Span]]] = {}
        self._no_more_than: Region | None = None
        self._repaint_waits: bool | None = None
        self._grabbed: tuple[int, float] | None = None
        self._pressed_on_bar = False

    def line(self, y: int, width: int) -> Strip:
        """What stands on a line of the screen, without the bar, in so many cells."""
        raise NotImplementedError

    @property
    def line_width(self) -> int:
        """The cells that a line has beside the bar."""
        return max(0, self.size.width - BAR_WIDTH)

    # Painting

    def render_line(self, y: int) -> Strip:
        """A line with its cell of the bar."""
        strip = self._painted[y] = self._whole_line(y, self.line_width, self._thumb)
        return strip

    def repaint(self) -> None:
        """Paint again what looks otherwise than it was painted."""
        if self._repaint_waits is not None:
            self._repaint_waits = True
            return
        size, thumb, painted = self.size, self._thumb, self._painted
        width = self.line_width
        changed = [
            y for y in range(size.height) if self._whole_line(y, width, thumb) != painted.get(y)
        ]
        regions = [Region(0, start, size.width, count) for start, count in _runs(changed)]
        if regions:
            self.refresh(*regions)

    @contextmanager
    def painted_once(self) -> Iterator[None]:
        """Whatever changes meanwhile is looked at when all of it has changed."""
        if self._repaint_waits is not None:
            yield
            return
        self._repaint_waits = False
        try:
            yield
        finally:
            waits, self._repaint_waits = self._repaint_waits, None
            if waits:
                self.repaint()

    def put_above(self, title: Content) -> None:
        """Put a title into the frame above, and paint no more than its line."""
        self._put("border_title", title, 0)

    def put_below(self, title: Content) -> None:
        """The same below."""
        self._put("border_subtitle", title, self.outer_size.height - 1)

    def _put(self, name: str, title: Content, line: int) -> None:
        now = title.plain, title.spans
        if self._titles.get(name) == now:
            return
        self._titles[name] = now
        gutter = self.styles.gutter
        self._no_more_than = Region(-gutter.left, line - gutter.top, self.outer_size.width, 1)
        setattr(self, name, title)
        self._no_more_than = None

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> Self:
        """Paint regions again, or all; while a title is set, its line only."""
        if self._no_more_than is not None and self._no_more_than.area:
            regions = (self._no_more_than,)
        return super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)

    def notify_style_update(self) -> None:
        """Styles changed: everything kept is out of date."""
        super().notify_style_update()
        self._joined.clear()
        self._cells_of_bar.clear()

    def _whole_line(self, y: int, width: int, thumb: Thumb | None) -> Strip:
        line = self.line(y, width)
        cell = self._cell_of_bar(thumb.cell(y) if thumb is not None else GROUND)
        joined = self._joined.get(y)
        if joined is not None and joined[0] is line and joined[1] is cell:
            return joined[2]
        strip = Strip([*line, cell], line.cell_length + BAR_WIDTH)
        self._joined[y] = line, cell, strip
        return strip

    # The bar

    @property
    def allow_vertical_scroll(self) -> bool:
        """Always: the bar is drawn here, so that none is shown as a widget."""
        return True

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Other lines came into sight, or the thumb moved."""
        self.repaint()

    @property
    def _thumb(self) -> Thumb | None:
        return thumb_of(self.size.height, self.virtual_size.height, self.scroll_y)

    def _cell_of_bar(self, cell: Cell) -> Segment:
        grabbed = self._grabbed is not None
        segment = self._cells_of_bar.get((cell, grabbed))
        if segment is None:
            name = "line-view--bar-grabbed" if grabbed else "line-view--bar"
            style = self.get_component_rich_style(name)
            if cell.is_reversed:
                style += _REVERSED
            segment = self._cells_of_bar[cell, grabbed] = Segment(cell.text, style)
        return segment

    def is_on_bar(self, at: Offset | None) -> bool:
        """Whether a place of the view, not of what it shows, belongs to the bar."""
        return at is not None and self._thumb is not None and at.x >= self.line_width

    @property
    def was_pressed_on_bar(self) -> bool:
        """Whether the button that was pressed last went down on the bar: the click that follows
        chooses nothing, wherever it goes up."""
        return self._pressed_on_bar

    async def _on_mouse_down(self, event: MouseDown) -> None:
        at = event.get_content_offset(self)
        self._pressed_on_bar = event.button == 1 and self.is_on_bar(at)
        thumb = self._thumb
        if at is None or thumb is None or not self._pressed_on_bar:
            return
        event.stop()
        side = thumb.side(at.y)
        if side:
            self._scroll_lines_to(self.scroll_y + side * self.size.height)
        else:
            self._grabbed = event.screen_y, self.scroll_y
            self.capture_mouse()
            self.repaint()

    def _on_mouse_move(self, event: MouseMove) -> None:
        if self._grabbed is not None and self.size.height:
            line, position = self._grabbed
            lines_a_cell = self.virtual_size.height / self.size.height
            self._scroll_lines_to(position + (event.screen_y - line) * lines_a_cell)

    async def _on_mouse_up(self, event: MouseUp) -> None:
        if self._grabbed is not None:
            self.release_mouse()

    def _on_mouse_release(self, event: MouseRelease) -> None:
        self._grabbed = None
        self.repaint()

    async def _on_click(self, event: Click) -> None:
        if self._pressed_on_bar:
            event.stop()

    def _scroll_lines_to(self, y: float) -> None:
        target = max(0, min(self.max_scroll_y, round(y)))
        self.scroll_to(y=target, animate=False, force=True, immediate=True)


def _runs(lines: Iterable[int]) -> list[tuple[int, int]]:
    """Lines that follow each other as the first of them and how many."""
    runs = (
        [line for _, line in run]
        for _, run in groupby(enumerate(lines), key=lambda pair: pair[1] - pair[0])
    )
    return [(run[0], len(run)) for run in runs]
