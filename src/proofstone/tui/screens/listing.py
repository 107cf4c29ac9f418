"""A list at the left and, for the row under its cursor, everything at the right."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.events import Resize
from textual.widgets import Input

from proofstone.domain import filters
from proofstone.tui.rows import Row, Rows, RowSource
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.widgets.line_list import LineList

NARROW = 100


class ListingScreen(WorkbenchScreen):
    """The shape of Memories, Log and Problems."""

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
        #filter {
            height: 1; display: none; border: none; padding: 0 1;
            background: $ground-raised; color: $ink;
            &:focus { border: none; }
        }
    }
    ListingScreen.-filtering #filter { display: block; }
    ListingScreen.-narrow {
        #listing { layout: vertical; }
        #items { width: 100%; height: 1fr; }
        #detail { width: 100%; height: 1fr; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.filter = filters.parse("")
        self._items = LineList(id="items")
        self._detail = LineList(id="detail")

    def compose_body(self) -> ComposeResult:
        """The two lists, and the filter line."""
        with Horizontal(id="listing"):
            yield self._items
            yield self._detail
        if self.has_filter:
            yield Input(id="filter", placeholder="words, or layer:L1 scope:project:x reviewed:no …")

    def on_mount(self) -> None:
        """Draw what is open."""
        for line in self.query(Input):
            line.cursor_blink = False
        workspace = self.workspace
        if workspace is not None:
            self.show_workspace(workspace)
        self._items.focus()
        self.refresh_bars()

    def on_resize(self, event: Resize) -> None:
        """Below one another where there is no room beside."""
        self.set_class(event.size.width < NARROW, "-narrow")

    def subject(self) -> str:
        """The row under the cursor."""
        return self._items.cursor_key

    def fill(
        self, source: RowSource, *, detail: str = "", subtitle: str = "", placeholder: str = ""
    ) -> None:
        """Show these rows at the left."""
        title = self.title_in_header
        self._items.set_rows(source, placeholder=placeholder)
        self._items.border_title = Content(f"{title} · {detail}" if detail else title)
        self._items.border_subtitle = Content(subtitle)
        self._show_detail()

    def detail_rows(self, key: str) -> list[Row]:
        """Everything about the row with this key."""
        raise NotImplementedError

    def _show_detail(self) -> None:
        key = self._items.cursor_key
        self._detail.set_rows(
            Rows(self.detail_rows(key) if key else []),
            anew=True,
            placeholder="Nothing is selected.",
        )
        self._detail.border_title = Content(self.title_of_detail)
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

    async def command_filter(self) -> None:
        """Open the filter line."""
        self.add_class("-filtering")
        self.query_one("#filter", Input).focus()

    async def command_back(self) -> None:
        """Close the filter, or leave the screen."""
        if self.has_class("-filtering") or self.filter.text:
            if self.has_filter:
                self.query_one("#filter", Input).value = ""
            self._apply_filter("")
            self.remove_class("-filtering")
            self._items.focus()
        else:
            await super().command_back()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as it is typed."""
        event.stop()
        self._apply_filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on in the list; a faulty filter says what is wrong."""
        event.stop()
        try:
            filters.parse(event.value)
        except filters.FilterError as error:
            self.app.notify(str(error), title="filter", severity="warning", markup=False)
            return
        self.remove_class("-filtering")
        self._items.focus()

    def _apply_filter(self, text: str) -> None:
        try:
            wanted = filters.parse(text)
        except filters.FilterError:
            return
        if wanted.text != self.filter.text and self.workspace is not None:
            self.filter = wanted
            self.show_workspace(self.workspace)
