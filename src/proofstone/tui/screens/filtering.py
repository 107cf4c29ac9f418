"""The filter line of screens that have one (spec page 7, Filter language)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import TYPE_CHECKING, TypeVar, cast

from textual import work
from textual.events import Key
from textual.widget import Widget
from textual.widgets import Input

from proofstone.curation import sifting
from proofstone.domain import filters
from proofstone.tui.completing import SAVED, completed, completions, values_of
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.widgets.bars import Standing, VaultHeader
from proofstone.tui.widgets.hints import Hints
from proofstone.tui.widgets.typed import TypedLine

if TYPE_CHECKING:
    from proofstone.curation.views import MemoryView, ProposalView

View = TypeVar("View", "ProposalView", "MemoryView")

SIFTED_AT_ONCE = 100
"""So many views are looked at before other keys have their turn; more are looked at in between."""
LONGEST_AT_ONCE = 0.01
"""Seconds after which other keys have their turn even so: notes may be long."""
TOLD_EVERY = 10_000
"""After so many views it is said how far the looking has come."""


@dataclass(frozen=True, slots=True)
class _Sifted:
    """What a filter lets through; ``is_whole`` where every view was looked at."""

    seen: sifting.Sifting
    kept: sifting.Views
    is_whole: bool

    def is_of(self, wanted: filters.Filter, views: object) -> bool:
        """Whether this is what ``wanted`` lets through of these very views."""
        return self.seen.wanted.text == wanted.text and self.seen.views is views


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
    FilteringScreen Hints { display: none; }
    FilteringScreen.-filtering {
        #filter { display: block; }
        Hints { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.filter = filters.parse("")
        self._sifted: _Sifted | None = None
        self._under_way: filters.Filter | None = None
        self._told = ""
        self._before = ""
        self._values: tuple[object, dict[str, tuple[str, ...]]] = (None, {})

    def filter_line(self, examples: str) -> Iterator[Widget]:
        """The line and what may complete it, hidden until it is asked for."""
        line = TypedLine(id="filter", placeholder=f"words, or {examples}")
        line.cursor_blink = False
        yield line
        yield Hints()

    def unfiltered(self) -> sifting.Views:
        """What there is to filter, before any filter."""
        raise NotImplementedError

    def let_through(self, views: Sequence[View], prefer: str = "") -> Sequence[View]:
        """The views that the filter lets through; all of them, as they are, when it is empty.

        Of other views than those that were filtered last (the vault was read again), and too many
        to look at now, it is what was let through before and what came, ``prefer`` above all;
        ``filter_changed`` is called when all have been looked at and there is something to change.
        """
        if not self.filter.text:
            return views
        if self._sifted is None or not self._sifted.is_of(self.filter, views):
            self._sift_again(views, prefer)
        assert self._sifted is not None
        return cast("Sequence[View]", self._sifted.kept)

    def _sift_again(self, views: sifting.Views, prefer: str) -> None:
        before = self._sifted
        now = sifting.Sifting(views, self.filter)
        if now.go_on(SIFTED_AT_ONCE, _alarm()):
            self._sifted = _Sifted(now, now.kept, True)
            return
        kept = now.kept
        if before is not None and before.seen.wanted.text == self.filter.text:
            kept = sifting.carried_over(before.kept, before.seen, views, SIFTED_AT_ONCE, prefer)
        self._sifted = _Sifted(now, kept, False)
        # What is being typed goes before, and looks at these views when it is done with the old.
        if self._under_way is None:
            self._begin(self.filter)

    def filter_changed(self) -> None:
        """Show what the filter lets through."""
        raise NotImplementedError

    def filter_home(self) -> Widget:
        """Where the focus goes when the line is left."""
        raise NotImplementedError

    def select(self, subject: str) -> None:
        """Select the row of ``subject``, if it is there."""
        raise NotImplementedError

    @property
    def is_filtering(self) -> bool:
        """Whether the line is open, or hides something."""
        return self.has_class("-filtering") or bool(self.filter.text)

    async def command_filter(self) -> None:
        """Open the filter line."""
        self.add_class("-filtering")
        if not self.filter.text:
            self._before = self.subject()
        line = self.query_one("#filter", Input)
        self._offer(line.value)
        line.focus()

    async def command_filters(self) -> None:
        """Saved filters: take one up, keep the present one, take one away."""
        from proofstone.tui.screens.saved_filters import SavedFiltersDialog

        bench = self.workbench
        dialog = SavedFiltersDialog(bench.saved_filters, self.filter.text, bench.keep_filter)
        self.app.push_screen(dialog, self._take_up)

    def _take_up(self, text: str | None) -> None:
        if text is not None:
            self.query_one("#filter", Input).value = text
            self._apply(text)
            self.end_filter(clear=False)

    def _offer(self, text: str) -> None:
        """Offer what the line may become, or say what is wrong with it."""
        workspace = self.workspace
        if workspace is not None and self._values[0] is not workspace:
            self._values = (workspace, values_of(sifting.filterables(self.unfiltered())))
        offered = completions(text, self._values[1], self.workbench.saved_filters)
        self.query_one(Hints).offer(offered, "" if offered else _fault(text))

    def on_hints_taken(self, event: Hints.Taken) -> None:
        """A completion was clicked."""
        event.stop()
        self._complete(event.line)

    def _complete(self, text: str) -> None:
        line = self.query_one("#filter", Input)
        line.value = text
        line.cursor_position = len(text)
        line.focus()

    def end_filter(self, *, clear: bool) -> None:
        """Leave the line, and show everything again if asked to.

        A filter that was looked at and not kept leaves the selection as it was before.
        """
        if clear:
            self.query_one("#filter", Input).value = ""
            self._apply("")
            self.select(self._before)
        self._before = ""
        self.remove_class("-filtering")
        self.filter_home().focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as it is typed; what is not finished yet leaves the list alone."""
        event.stop()
        if event.input.id == "filter":
            self._offer(event.value)
            self._apply(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter and go on in the list; a faulty one says what is wrong."""
        event.stop()
        if completed(event.value) != event.value:
            self._complete(completed(event.value))
            self._apply(completed(event.value))
        try:
            filters.parse(self.query_one("#filter", Input).value)
        except filters.FilterError as error:
            self.app.notify(str(error), title="filter", severity="warning", markup=False)
            return
        self.end_filter(clear=False)

    def on_key(self, event: Key) -> None:
        """In the line, escape clears and leaves, and tab takes the first completion."""
        if not isinstance(self.focused, Input):
            return
        if event.key == "escape":
            event.stop()
            self.end_filter(clear=True)
        elif event.key == "tab":
            event.stop()
            first = self.query_one(Hints).first
            if first:
                self._complete(first)

    def _apply(self, text: str) -> None:
        try:
            wanted = filters.parse(_finished(text))
        except filters.FilterError:
            return
        if self.workspace is None:
            return
        self._end_sifting()
        if wanted.text == self.filter.text:
            if self._sifted is not None and not self._sifted.is_whole and wanted.text:
                self._begin(wanted)
        elif wanted.text:
            self._start(wanted)
        else:
            self._take(wanted)

    def _take(self, wanted: filters.Filter) -> None:
        self.filter = wanted
        self.filter_changed()

    def _start(self, wanted: filters.Filter) -> None:
        """Take up another filter: at once, or when all has been looked at."""
        views = self.unfiltered()
        now = sifting.Sifting(views, wanted)
        if len(views) <= SIFTED_AT_ONCE and now.go_on(SIFTED_AT_ONCE, _alarm()):
            self._sifted = _Sifted(now, now.kept, True)
            self._take(wanted)
        else:
            self._begin(wanted)

    def _begin(self, wanted: filters.Filter) -> None:
        self._under_way = wanted
        self._sift(wanted)

    def _end_sifting(self) -> None:
        """Another filter ends what was under way."""
        self.workers.cancel_group(self, "sift")
        self._under_way = None
        self._tell("")

    @work(exclusive=True, group="sift")
    async def _sift(self, wanted: filters.Filter) -> None:
        """Look through many views while keys have their turn."""
        now, told, is_done = sifting.Sifting(self.unfiltered(), wanted), TOLD_EVERY, False
        while not is_done:
            is_done = now.go_on(SIFTED_AT_ONCE, _alarm())
            if now.done >= told:
                told += TOLD_EVERY
                self._tell(f"filtering: {now.done:,} of {len(now.views):,} looked at…")
            await asyncio.sleep(0)
            if now.views is not self.unfiltered():
                # The vault was read again.
                now, told, is_done = sifting.Sifting(self.unfiltered(), wanted), TOLD_EVERY, False
        self._under_way = None
        self._tell("")
        before, kept = self._sifted, now.kept
        self._sifted = _Sifted(now, kept, True)
        if (
            before is None
            or not before.is_of(self.filter, now.views)
            or self.filter.text != wanted.text
            or list(sifting.identifiers(before.kept)) != list(sifting.identifiers(kept))
        ):
            self._take(wanted)

    def _tell(self, told: str) -> None:
        """Say in the header how far the looking has come."""
        if told != self._told:
            self._told = told
            self.query_one(VaultHeader).show(self._standing())

    def _standing(self) -> Standing:
        standing = super()._standing()
        return replace(standing, note=standing.note or self._told)


def _alarm() -> Callable[[], bool]:
    """Tells when keys have waited long enough."""
    late = monotonic() + LONGEST_AT_ONCE
    return lambda: monotonic() >= late


def _finished(text: str) -> str:
    """The filter without a last term that only begins: a key with no value, a saved one's name."""
    head, space, last = text.rpartition(" ")
    key = last.removeprefix("-").removesuffix(":")
    begins = last.startswith(SAVED) or (last.endswith(":") and key.casefold() in filters.KEYS)
    return head + space if begins else text


def _fault(text: str) -> str:
    try:
        filters.parse(_finished(text))
    except filters.FilterError as error:
        return str(error)
    return ""
