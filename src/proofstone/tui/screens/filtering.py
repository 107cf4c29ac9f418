"""The filter line of screens that have one (spec page 7, Filter language)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from textual.events import Key
from textual.widget import Widget
from textual.widgets import Input

from proofstone.domain import filters
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.widgets.typed import TypedLine

if TYPE_CHECKING:
    from proofstone.curation.views import MemoryView, ProposalView

View = TypeVar("View", "ProposalView", "MemoryView")


class FilteringScreen(WorkbenchScreen):
    """A screen whose list can be narrowed as one types.

    A subclass yields ``filter_line`` in its body and answers ``filter_changed`` and
    ``filter_home``.
    """

    DEFAULT_CSS = """
    FilteringScreen #filter {
        height: 1; display: none; border: none; padding: 0 1;
        background: $ground-raised; color: $ink;
        &:focus { border: none; }
    }
    FilteringScreen.-filtering #filter { display: block; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.filter = filters.parse("")

    def filter_line(self, examples: str) -> Input:
        """The line, hidden until it is asked for."""
        line = TypedLine(id="filter", placeholder=f"words, or {examples}")
        line.cursor_blink = False
        return line

    def let_through(self, views: Sequence[View]) -> Sequence[View]:
        """The views that the filter lets through; all of them, as they are, when it is empty."""
        if not self.filter.text:
            return views
        return [view for view in views if self.filter.matches(view.filterable)]

    def filter_changed(self) -> None:
        """Show what the filter lets through."""
        raise NotImplementedError

    def filter_home(self) -> Widget:
        """Where the focus goes when the line is left."""
        raise NotImplementedError

    @property
    def is_filtering(self) -> bool:
        """Whether the line is open, or hides something."""
        return self.has_class("-filtering") or bool(self.filter.text)

    async def command_filter(self) -> None:
        """Open the filter line."""
        self.add_class("-filtering")
        self.query_one("#filter", Input).focus()

    def end_filter(self, *, clear: bool) -> None:
        """Leave the line, and show everything again if asked to."""
        if clear:
            self.query_one("#filter", Input).value = ""
            self._apply("")
        self.remove_class("-filtering")
        self.filter_home().focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as it is typed; what is not finished yet leaves the list alone."""
        event.stop()
        self._apply(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter and go on in the list; a faulty one says what is wrong."""
        event.stop()
        try:
            filters.parse(event.value)
        except filters.FilterError as error:
            self.app.notify(str(error), title="filter", severity="warning", markup=False)
            return
        self.end_filter(clear=False)

    def on_key(self, event: Key) -> None:
        """In the line, escape clears and leaves."""
        if event.key == "escape" and isinstance(self.focused, Input):
            event.stop()
            self.end_filter(clear=True)

    def _apply(self, text: str) -> None:
        try:
            wanted = filters.parse(text)
        except filters.FilterError:
            return
        if self.workspace is not None and wanted.text != self.filter.text:
            self.filter = wanted
            self.filter_changed()
