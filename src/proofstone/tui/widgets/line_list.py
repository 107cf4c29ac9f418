"""The one list of the workbench: turns, units, coverage, findings, siblings, memories, log.

Only visible lines are rendered, and kept. A hundred thousand rows cost no more per key than a
hundred.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.cache import LRUCache
from textual.content import Content
from textual.events import Blur, Click, Focus, Resize
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from proofstone.tui.rows import Row, Rows, RowSource
from proofstone.tui.widgets.line_view import LineView
from proofstone.tui.widgets.row_drawing import Pen, ShortParts, row_lines, strip_of
from proofstone.tui.widgets.row_heights import height_of, heights_of
from proofstone.tui.words import displayed
from proofstone.tui.wrapping import wrap_spans

MARKER_WIDTH = 2
"""Cells before every row: the cursor, then whether it is marked or linked."""

CURSOR, CURSOR_IDLE, LINKED, MARKED = "►", "▷", "•", "✓"


_NEAR = 8
"""Rows before and after the old place that are looked at first for the row that was there."""
_STATES = 16
"""In so many ways a row is drawn: under the cursor or not, with the focus, linked, marked."""


class LineList(LineView, can_focus=True):
    """A list with a cursor, marks and linked rows, drawn line by line.

    | component class | what it styles |
    |---|---|
    | `line-list--cursor` | the row under the cursor while the list has the focus |
    | `line-list--cursor-idle` | the same while it has not |
    | `line-list--linked` | rows tied to what is chosen in another pane |
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "line-list--cursor",
        "line-list--cursor-idle",
        "line-list--linked",
    }
    DEFAULT_CSS = """
    LineList {
        background: $ground;
        color: $ink;
        & > .line-list--cursor { background: $ground-cursor; text-style: bold; }
        & > .line-list--cursor-idle { background: $ground-cursor-idle; }
        & > .line-list--linked { background: $ground-linked; }
    }
    """
    shows_idle_cursor: ClassVar[bool] = True
    """Whether the cursor is drawn while another widget has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "down", show=False, id="row_next"),
        Binding("k,up", "move(-1)", "up", show=False, id="row_previous"),
        Binding("g,home", "edge(-1)", "first", show=False, id="row_first"),
        Binding("G,end", "edge(1)", "last", show=False, id="row_last"),
        Binding("pagedown,ctrl+d", "page(1)", "page down", show=False, id="page_next"),
        Binding("pageup,ctrl+b", "page(-1)", "page up", show=False, id="page_previous"),
        Binding("enter", "choose", "open", show=False),
    ]

    class Highlighted(Message):
        """The cursor came to another row by the person's hand."""

        def __init__(self, line_list: LineList, index: int, key: str) -> None:
            super().__init__()
            self.line_list = line_list
            self.index = index
            self.key = key

        @property
        def control(self) -> LineList:
            return self.line_list

    class Selected(Highlighted):
        """The row under the cursor was chosen, by enter or a second click."""

    def __init__(
        self, *, id: str | None = None, classes: str | None = None, placeholder: str = ""
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._source: RowSource = Rows()
        self._placeholder = placeholder
        self._cursor = -1
        self._linked: frozenset[str] = frozenset()
        self._marked: frozenset[str] = frozenset()
        self._tops: array[int] | None = None
        self._heights = array("l")
        self._places: dict[str, int] | None = None
        self._measured_width = 0
        self._rows: LRUCache[int, Row] = LRUCache(2048)
        self._strips: LRUCache[tuple[int, int, int], list[Strip]] = LRUCache(2048)
        self._short_parts: ShortParts = {}
        self._without_row: dict[tuple[int, int], Strip] = {}

    # What it holds

    @property
    def source(self) -> RowSource:
        """The rows."""
        return self._source

    @property
    def placeholder(self) -> str:
        """What stands there when the list is empty."""
        return self._placeholder

    @property
    def cursor(self) -> int:
        """The index of the row under the cursor, or -1."""
        return self._cursor

    @property
    def cursor_key(self) -> str:
        """The key of the row under the cursor, or an empty string."""
        return self._source.key(self._cursor) if 0 <= self._cursor < len(self._source) else ""

    @property
    def cursor_row(self) -> Row | None:
        """The row under the cursor."""
        return self._row(self._cursor) if 0 <= self._cursor < len(self._source) else None

    def set_rows(
        self, source: RowSource, *, anew: bool = False, placeholder: str | None = None
    ) -> None:
        """Show other rows.

        Args:
            source: The rows.
            anew: Start at the top. Otherwise the cursor stays on the row with the same key, else
                at the same place in the list, and what is read stays where it is on the screen.
            placeholder: What stands there when the list is empty.
        """
        wanted, place = ("", 0) if anew else (self.cursor_key, self._cursor)
        held = None if anew else self._looked_at()
        self._source = source
        if placeholder is not None:
            # It may quote an error, and with it a file's name.
            self._placeholder = displayed(placeholder, newlines=True).text
        self._forget()
        self._cursor = self._find(wanted, place)
        self._measure()
        if anew:
            self.scroll_to(y=0, animate=False, force=True, immediate=True)
        elif held is None or self.cursor_key != wanted or not self._hold(held):
            self._show_cursor()
        self.repaint()

    def _looked_at(self) -> tuple[str, int] | None:
        """The row that a person reads, by its key and its line on the screen: the one under the
        cursor, or where it was scrolled away from, the first one in sight."""
        start, height = self.scroll_offset.y, self.size.height
        if not height or not len(self._source):
            return None
        seen = 0 <= self._cursor < len(self._source)
        index = self._cursor
        if not seen or not start <= self._top(index) < start + height:
            index = self._index_at(start)
        return (self._source.key(index), self._top(index) - start) if index >= 0 else None

    def _hold(self, held: tuple[str, int]) -> bool:
        """Put a row on the line of the screen where it was; False where it went away."""
        key, line = held
        index = self._index_of(key)
        if index < 0:
            return False
        target = max(0, min(self.max_scroll_y, self._top(index) - line))
        if target != self.scroll_offset.y:
            self.scroll_to(y=target, animate=False, force=True, immediate=True)
        if index == self._cursor:
            self._show_cursor()
        return True

    def set_linked(self, linked: Iterable[str]) -> None:
        """Highlight the rows whose ``link`` is among these."""
        before, self._linked = self._linked, frozenset(linked)
        changed = before ^ self._linked
        if changed:
            for index in self._visible():
                if self._row(index).link in changed:
                    self._refresh_row(index)

    def set_marked(self, marked: Iterable[str]) -> None:
        """Mark the rows with these keys."""
        now = frozenset(marked)
        if now != self._marked:
            self._marked = now
            self.repaint()

    def redraw_rows(self) -> None:
        """The same rows look different now, and are as high as they were."""
        self._rows.clear()
        self._strips.clear()
        self.repaint()

    def change_rows(self, source: RowSource, changed: Iterable[int]) -> None:
        """Take another source of the same keys, of which only these rows look otherwise.

        What it costs follows from what is changed and seen, and not from what there is.
        """
        self._source = source
        is_moved = False
        for index in changed:
            self._rows.discard(index)
            for state in range(_STATES):
                self._strips.discard((index, self._measured_width + MARKER_WIDTH, state))
            if self._tops is not None:
                height = height_of(source.extent(index), self._measured_width)
                is_moved = is_moved or height != self._heights[index]
                self._heights[index] = height
            self._refresh_row(index)
        if is_moved:
            self._tops = array("l", accumulate(self._heights, initial=0))
            self._resize_to(self.virtual_size.with_height(self._tops[-1]))
            self.repaint()

    def move_to(self, key: str) -> bool:
        """Put the cursor on the row with this key, without a message."""
        index = self._cursor if key and key == self.cursor_key else self._index_of(key)
        if index < 0:
            return False
        self._place(index)
        return True

    # Geometry

    def _index_of(self, key: str) -> int:
        if not key:
            return -1
        if self._places is None:
            self._places = {key: at for at, key in enumerate(self._source.all_keys())}
        return self._places.get(key, -1)

    def _near(self, key: str, place: int) -> int:
        """Where the key is, if that is near ``place``: mostly it is, and not all need be asked."""
        for index in range(max(0, place - _NEAR), min(place + _NEAR + 1, len(self._source))):
            if self._source.key(index) == key:
                return index
        return -1

    def _visible(self) -> range:
        """The indexes of the rows of which something can be seen."""
        top, height = self.scroll_offset.y, self.size.height
        first, last = self._index_at(top), self._index_at(top + height - 1)
        if first < 0 or not height:
            return range(0)
        return range(first, (last if last >= 0 else len(self._source) - 1) + 1)

    def _find(self, key: str, place: int) -> int:
        index = self._near(key, place)
        if index < 0:
            index = self._index_of(key)
        if index < 0:
            index = min(max(place, 0), len(self._source) - 1)
        return self._selectable_from(index, 1)

    def _selectable_from(self, index: int, step: int) -> int:
        """The nearest row that can be selected, looking onward first and then back."""
        for direction in (step, -step):
            at = index
            while 0 <= at < len(self._source):
                if self._row(at).selectable:
                    return at
                at += direction
        return -1

    def _measure(self) -> None:
        """Find every row's first line; text is wrapped only where it may not fit."""
        height = self._source.fixed_height
        self._measured_width = width = self._text_width if self.size else 0
        if height is not None:
            self._tops = None
            total = len(self._source) * height
        else:
            # While it has no room, nobody sees it; it is measured when it gets some.
            unseen = array("l", [1]) * len(self._source)
            self._heights = heights_of(self._source, width) if width else unseen
            self._tops = array("l", accumulate(self._heights, initial=0))
            total = self._tops[-1]
        self._resize_to(Size(max(1, self.size.width), total))

    def _resize_to(self, size: Size) -> None:
        """Take another virtual size without laying the screen out again where that can be.

        A layout repaints the whole screen, which a person on a slow link would feel at every key.
        The bar has its column always, so nothing else depends on how many lines there are.
        """
        if not self.container_size.height or self.styles.auto_dimensions:
            self.virtual_size = size
            return
        self.set_reactive(LineList.virtual_size, size)
        if self.scroll_offset.y > self.max_scroll_y:
            self.scroll_to(y=self.max_scroll_y, animate=False, force=True, immediate=True)

    @property
    def _text_width(self) -> int:
        return max(4, self.line_width - MARKER_WIDTH)

    def _top(self, index: int) -> int:
        if self._tops is None:
            return index * (self._source.fixed_height or 1)
        return self._tops[index]

    def _index_at(self, line: int) -> int:
        """The index of the row that has this line, or -1 below the last one."""
        if self._tops is None:
            index = line // (self._source.fixed_height or 1)
        else:
            index = bisect_right(self._tops, line) - 1
        return index if 0 <= index < len(self._source) else -1

    def _on_resize(self, event: Resize) -> None:
        if self._text_width != self._measured_width:
            self._strips.clear()
            self._measure()
            self._show_cursor()
            self.refresh()

    def _forget(self) -> None:
        self._rows.clear()
        self._strips.clear()
        self._without_row.clear()
        self._places = None

    def notify_style_update(self) -> None:
        """Styles changed: everything kept is out of date."""
        super().notify_style_update()
        self._strips.clear()
        self._short_parts.clear()
        self._without_row.clear()

    # The cursor

    def _place(self, index: int) -> None:
        before, self._cursor = self._cursor, index
        if before != index:
            self._refresh_row(before)
            self._refresh_row(index)
        self._show_cursor()

    def _refresh_row(self, index: int) -> None:
        if not 0 <= index < len(self._source):
            return
        self.refresh_lines(self._top(index), max(1, self._top(index + 1) - self._top(index)))

    def _show_cursor(self) -> None:
        """Scroll as little as shows the row under the cursor, and start with a whole row."""
        height = self.size.height
        if self._cursor < 0 or not height:
            return
        top, bottom = self._top(self._cursor), self._top(self._cursor + 1)
        # With nothing selectable above, the lines above belong to this view too.
        if self._selectable_before(self._cursor) < 0 and bottom <= height:
            top = 0
        target = present = self.scroll_offset.y
        if top < present or bottom - top >= height:
            target = top
        elif bottom > present + height:
            first = self._index_at(bottom - height)
            target = self._top(first)
            if target < bottom - height:
                target = self._top(first + 1)
        if target != present:
            self.scroll_to(y=target, animate=False, force=True, immediate=True)

    def _selectable_before(self, index: int) -> int:
        at = index - 1
        while at >= 0 and not self._row(at).selectable:
            at -= 1
        return at

    def _go(self, index: int) -> None:
        if index >= 0 and index != self._cursor:
            self._place(index)
            self.post_message(self.Highlighted(self, index, self._source.key(index)))

    def action_move(self, step: int) -> None:
        """Move the cursor by rows, or scroll where nothing can be selected."""
        at = self._cursor + step
        while 0 <= at < len(self._source) and not self._row(at).selectable:
            at += step
        if self._cursor >= 0 and 0 <= at < len(self._source):
            self._go(at)
        else:
            self.scroll_relative(y=step, animate=False)

    def action_page(self, step: int) -> None:
        """Move the cursor by a screenful."""
        height = max(1, self.size.height - 1)
        if self._cursor < 0:
            self.scroll_relative(y=step * height, animate=False)
            return
        line = self._top(self._cursor) + step * height
        last = self._top(len(self._source)) - 1 if len(self._source) else 0
        index = self._selectable_from(self._index_at(min(max(line, 0), last)), step)
        if index == self._cursor:
            self.scroll_relative(y=step * height, animate=False)  # what is read, not chosen
        else:
            self._go(index)

    def action_edge(self, direction: int) -> None:
        """Go to the first or last row."""
        if self._cursor < 0:
            self.scroll_to(y=0 if direction < 0 else self.max_scroll_y, animate=False)
            return
        edge = 0 if direction < 0 else len(self._source) - 1
        self._go(self._selectable_from(edge, -direction))

    def action_choose(self) -> None:
        """Choose the row under the cursor."""
        if self._cursor >= 0:
            self.post_message(self.Selected(self, self._cursor, self.cursor_key))

    async def _on_click(self, event: Click) -> None:
        if self.was_pressed_on_bar:
            return
        index = self._index_at(event.get_content_offset_capture(self).y + self.scroll_offset.y)
        if index < 0 or not self._row(index).selectable:
            return
        if index != self._cursor:
            self._go(index)
        elif event.button == 1:
            self.action_choose()

    def _on_focus(self, event: Focus) -> None:
        self._refresh_row(self._cursor)

    def _on_blur(self, event: Blur) -> None:
        self._refresh_row(self._cursor)

    # Drawing

    def _row(self, index: int) -> Row:
        row = self._rows.get(index)
        if row is None:
            row = self._source.row(index)
            self._rows[index] = row
        return row

    def line(self, y: int, width: int) -> Strip:
        """One line of what is visible."""
        line = y + self.scroll_offset.y
        index = self._index_at(line)
        if index >= 0:
            lines = self._row_strips(index, width)
            within = line - self._top(index)
            if within < len(lines):
                return lines[within]
        return self._line_without_row(-1 if len(self._source) else y, width)

    def _line_without_row(self, y: int, width: int) -> Strip:
        """A line of what stands there when the list is empty; for -1, and below it, a blank one."""
        kept = self._without_row.get((y, width))
        if kept is not None:
            return kept
        base = self.visual_style
        spans = wrap_spans(self._placeholder, max(4, width - 2)) if y >= 0 else []
        strip = Strip.blank(width, base.rich_style)
        if 0 <= y < len(spans):
            start, end = spans[y]
            text = Content.assemble(" ", (self._placeholder[start:end], "$ink-dim"))
            strip = strip_of([text], width, Pen(base, self.app.stylesheet.parse_style, {}))
        self._without_row[y, width] = strip
        return strip

    def _row_strips(self, index: int, width: int) -> list[Strip]:
        row = self._row(index)
        at_cursor = index == self._cursor and (self.has_focus or self.shows_idle_cursor)
        linked, marked = bool(row.link) and row.link in self._linked, row.key in self._marked
        focused = at_cursor and self.has_focus
        state = at_cursor + 2 * focused + 4 * linked + 8 * marked
        kept = self._strips.get((index, width, state))
        if kept is not None:
            return kept
        if at_cursor:
            name = "line-list--cursor" if focused else "line-list--cursor-idle"
            style = self.get_visual_style(name)
        elif linked:
            style = self.get_visual_style("line-list--linked")
        else:
            style = self.visual_style
        marker = self._marker(at_cursor, linked, marked)
        rail = Content.assemble(" ", (LINKED if linked else " ", "$link"))
        pen = Pen(style, self.app.stylesheet.parse_style, self._short_parts)
        strips = [
            strip_of(
                [marker if n == 0 else rail, gutter, line],
                width,
                pen,
                row.trailing if n == 0 else None,
            )
            for n, (gutter, line) in enumerate(row_lines(row, width - MARKER_WIDTH))
        ]
        self._strips[(index, width, state)] = strips
        return strips

    def _marker(self, at_cursor: bool, linked: bool, marked: bool) -> Content:
        cursor = (CURSOR if self.has_focus else CURSOR_IDLE) if at_cursor else " "
        second = (MARKED, "$mark") if marked else (LINKED, "$link") if linked else (" ", "")
        return Content.assemble((cursor, "$ink-key"), second)
