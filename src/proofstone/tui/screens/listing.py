"""A list at the left and, for the row under its cursor, everything at the right."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Resize
from textual.widget import Widget

from proofstone.tui.rows import Row, Rows, RowSource
from proofstone.tui.screens.filtering import FilteringScreen
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import safe

NARROW = 100


class ListingScreen(FilteringScreen):
    """The shape of Memories, Log, Inquiries and Problems."""

    has_filter: ClassVar[bool] = False
    title_of_detail: ClassVar[str] = ""
    DEFAULT_CSS = """
    ListingScreen {
        #listing { height: 1fr; }
        #listing > LineList {
            border: round $frame; border-title-color: $ink-title; border-subtitle-color: $ink-dim;
            &:focus { border: round $frame-focus; border-title-color: $ink-key; }
        }
        #items { width: 45%; }
        #detail { width: 1fr; }
    }
    ListingScreen.-narrow {
        #listing { layout: vertical; }
        #items { width: 100%; height: 1fr; }
        #detail { width: 100%; height: 1fr; }
    }
    """

    def __init__(self, prefer: str = "") -> None:
        """``prefer`` is the row to start at, if it is there."""
        super().__init__()
        self._prefer = prefer
        self._items = LineList(id="items")
        self._detail = LineList(id="detail")
        self._detailed = ""

    def compose_body(self) -> ComposeResult:
        """The two lists, and the filter line."""
        with Horizontal(id="listing"):
            yield self._items
            yield self._detail
        if self.has_filter:
            yield from self.filter_line("layer:L1 scope:project:x reviewed:no …")

    def on_mount(self) -> None:
        """Draw what is open."""
        workspace = self.workspace
        if workspace is not None:
            self.show_workspace(workspace, self._prefer)
        self._items.focus()
        self.refresh_bars()

    def on_resize(self, event: Resize) -> None:
        """Below one another where there is no room beside."""
        self.set_class(event.size.width < NARROW, "-narrow")

    def subject(self) -> str:
        """The row under the cursor."""
        return self._items.cursor_key

    def fill(
        self,
        source: RowSource,
        *,
        detail: str = "",
        subtitle: str = "",
        placeholder: str = "",
        prefer: str = "",
    ) -> None:
        """Show these rows at the left, with the cursor at ``prefer`` if it is there."""
        title = self.title_in_header
        self._items.set_rows(source, placeholder=self.workbench.keymap.told(placeholder))
        if prefer:
            self._items.move_to(prefer)
        self._items.put_above(safe(f"{title} · {detail}" if detail else title))
        self._items.put_below(safe(subtitle, limit=120))
        self._show_detail()

    def detail_rows(self, key: str) -> list[Row]:
        """Everything about the row with this key."""
        raise NotImplementedError

    def _show_detail(self) -> None:
        key = self._items.cursor_key
        anew, self._detailed = key != self._detailed, key
        self._detail.set_rows(
            Rows(self.detail_rows(key) if key else []),
            anew=anew,
            placeholder="Nothing is selected.",
        )
        self._detail.put_above(Content(self.title_of_detail))
        self.refresh_bars()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Follow the cursor."""
        event.stop()
        if event.line_list is self._items:
            self._show_detail()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter goes to the detail."""
        event.stop()
        if event.line_list is self._items:
            self._detail.focus()

    def select(self, subject: str) -> None:
        """Go back to a row."""
        if self._items.move_to(subject):
            self._show_detail()

    def filter_changed(self) -> None:
        """Show what the filter lets through."""
        if self.workspace is not None:
            self.show_workspace(self.workspace)

    def keys_changed(self) -> None:
        """Name other keys, wherever the lists name one."""
        if self.workspace is not None:
            self.show_workspace(self.workspace)
        super().keys_changed()

    def filter_home(self) -> Widget:
        """The list."""
        return self._items

    async def command_back(self) -> None:
        """Show everything again, or leave the screen."""
        if self.is_filtering:
            self.end_filter(clear=True)
        else:
            await super().command_back()
