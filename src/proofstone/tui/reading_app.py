"""Opening a vault, showing it, and reading it again when others write (spec page 7, Live)."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from proofstone.domain.errors import ProofstoneError
from proofstone.tui.live import (
    FilesChanged,
    LiveVault,
    VaultReadAgain,
    arrivals,
    changed_card,
    read_again,
)
from proofstone.tui.screens.opening import OpeningScreen
from proofstone.tui.terminal_app import TerminalApp
from proofstone.tui.tour import TouringApp, TourState

if TYPE_CHECKING:
    from proofstone.curation.context import Context
    from proofstone.curation.first_look import StagedOpening
    from proofstone.curation.history import Entry
    from proofstone.curation.workspace import Workspace
    from proofstone.tui.counts import Counts
    from proofstone.tui.first_page import FirstPage
    from proofstone.tui.messages import OpenVault, VaultFailed, VaultOpened
    from proofstone.tui.opening import FirstLookTaken, ReadingGoesOn, SiblingsKnown
    from proofstone.tui.screens.base import WorkbenchScreen
    from proofstone.tui.ties import TieIndex

# What reads, judges, writes or draws a vault is not imported here: the first picture does not
# need it, and the reading worker loads it behind that picture.

_WORKING = "working"
"""The stack of screens that follows the first picture, which stays on a stack of its own."""


class ReadingApp(TerminalApp, TouringApp):
    """An application over one vault, which it reads in the background.

    Args:
        opener: Reads the vault; called in a thread, and again when it is to be read afresh.
        context: Clock, author and door.
        theme: The name of a theme; it goes before the vault's.
        vault_name: What the header calls the vault.
        personal: The folder with the person's own keys and themes, if those are to count.
        tour: Whether the guided tour is offered, or is on from the start.
        watch: The vault, if it is to be read again whenever something in it changes.
        stages: What opens it first, in the place of ``opener``, if that is to go in stages.
    """

    def __init__(
        self,
        opener: Callable[[], Workspace],
        context: Context,
        *,
        theme: str | None = None,
        vault_name: str = "",
        personal: Path | None = None,
        tour: TourState = TourState.NONE,
        watch: Path | None = None,
        stages: Callable[[], StagedOpening] | None = None,
    ) -> None:
        # Without colour, Textual would still send black and white; with its filter for the
        # terminal's own colours it sends none.
        no_colour = True if os.environ.get("NO_COLOR") else None
        super().__init__(folder=personal, theme=theme, ansi_color=no_colour, tour=tour)
        self._opener = opener
        self._stages = stages
        self.context = context
        self.vault_name = vault_name
        self.workspace: Workspace | None = None
        self.journal: tuple[Entry, ...] = ()
        self.counts: Counts
        self.index: TieIndex
        self.reading = "reading the vault…"
        self.writing = ""
        self.waits = ""
        self.failure = ""
        self.live = LiveVault(self, watch)

    def get_default_screen(self) -> Screen[None]:
        """What can be shown at once; the main screen follows when there is something to show."""
        return OpeningScreen(self.vault_name, self.context.author)

    def on_mount(self) -> None:
        """Show the first picture; everything else happens behind it."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        # Watched from before it is read, so that no change falls between the two.
        self.live.start()
        self.call_later(self._read)

    # Reading

    @work(thread=True, exclusive=True, group="read")
    def _read(self) -> None:
        from proofstone.tui.first_page import LONGEST_HOLD, FirstPage, Seen

        worker = get_current_worker()

        def tell(message: Message) -> None:
            if not worker.is_cancelled:
                self.post_message(message)
                if isinstance(message, Seen):
                    message.is_painted.wait(LONGEST_HOLD)

        def load() -> None:
            import_module("proofstone.tui.screens.main")  # here, and not in the way of the screen

        try:
            if self._stages is not None and self.workspace is None:
                stages = self._stages()
                page = stages.first_page()
                if page is not None:
                    tell(FirstPage(page))
                load()
                look = stages.first_look(page) if page is not None else None
                self.live.is_watched.wait(LONGEST_HOLD)
                from proofstone.tui.opening import read_in_stages

                workspace = read_in_stages(stages, look, tell)
            else:
                load()
                self.live.is_watched.wait(LONGEST_HOLD)
                from proofstone.tui.messages import OpenVault, VaultOpened

                workspace = self._opener()
                tell(VaultOpened(OpenVault.prepared(workspace)))
        except (ProofstoneError, OSError) as error:
            from proofstone.tui.messages import VaultFailed

            tell(VaultFailed(str(error)))
            return
        # Behind the picture, and only in a large vault: the next opening need not read every note.
        with suppress(ProofstoneError, OSError):
            workspace.keep_index()

    async def on_vault_opened(self, event: VaultOpened) -> None:
        """Show what was read."""
        event.stop()
        self.failure = ""
        from proofstone.tui.opening import COMPARING

        with self.batch_update():
            await self._end_opening()
            is_prepared = event.opened.workspace.knows_siblings
            self.waits = "" if is_prepared else COMPARING
            self.reading = "" if is_prepared else "comparing what waits with every memory…"
            self._show(event.opened)
        await self.begin_tour()
        self.live.start()
        self.call_after_refresh(self.keep_what_is_there)

    async def on_first_page(self, event: FirstPage) -> None:
        """Show a page of what waits, while what draws everything else is loaded."""
        event.stop()
        if isinstance(self.screen, OpeningScreen):
            await self.screen.show_page(event.waiting)
        self.call_after_refresh(event.is_painted.set)

    async def on_first_look_taken(self, event: FirstLookTaken) -> None:
        """Show what there is while the rest is being read."""
        event.stop()
        chosen = self.screen.chosen if isinstance(self.screen, OpeningScreen) else ""
        with self.batch_update():
            await self._end_opening()
            self._show(event.opened, chosen)
        self.call_after_refresh(event.is_painted.set)

    def on_reading_goes_on(self, event: ReadingGoesOn) -> None:
        """Say how far the reading has come."""
        event.stop()
        self.reading = event.told
        self._refresh_bars()

    def on_siblings_known(self, event: SiblingsKnown) -> None:
        """Show what proposals resemble, and let rulings begin."""
        event.stop()
        if event.workspace is self.workspace:
            self.waits = self.reading = ""
            for screen in self._screens():
                screen.show_workspace(event.workspace)
            self._refresh_bars()
            self.live.go_on()
            self.call_after_refresh(self.keep_what_is_there)

    async def on_vault_failed(self, event: VaultFailed) -> None:
        """Say why there is nothing to show."""
        event.stop()
        await self._end_opening()
        self.reading, self.failure = "", event.why
        for screen in self._screens():
            screen.show_failure(event.why)
        self._refresh_bars()

    async def _end_opening(self) -> None:
        """Put the main screen in the place of the first picture."""
        from proofstone.tui.screens.main import MainScreen

        if isinstance(self.screen, OpeningScreen):
            # The person's theme is on already; their keys are for the screens that follow.
            self.start_personal()
            self.add_mode(_WORKING, MainScreen)
            await self.switch_mode(_WORKING)

    def _show(self, opened: OpenVault, prefer: str = "") -> None:
        self.workspace, self.journal = opened.workspace, opened.journal
        self.counts, self.index = opened.counts, opened.index
        self.follow_vault_settings(opened.workspace.settings)
        for screen in self._screens():
            screen.show_workspace(opened.workspace, prefer)
        self._refresh_bars()
        self.live.go_on()

    def keys_changed(self) -> None:
        """Name the keys that hold now."""
        for screen in self._screens():
            screen.keys_changed()

    def _screens(self) -> list[WorkbenchScreen]:
        """The screens that show something of the vault; one not mounted yet does so by itself."""
        from proofstone.tui.screens.base import WorkbenchScreen

        return [s for s in self.screen_stack if isinstance(s, WorkbenchScreen) and s.is_mounted]

    def show_written(self, opened: OpenVault, prefer: str = "") -> None:
        """Show the vault after something was written; ``prefer`` is selected if it is there."""
        self.writing = ""
        self._show(opened, prefer)

    def _refresh_bars(self) -> None:
        for screen in self._screens():
            screen.refresh_bars()

    # Living with others who write

    def on_files_changed(self, event: FilesChanged) -> None:
        """An agent, an editor or another program changed files of the vault."""
        event.stop()
        self.live.take(event.paths)

    @work(thread=True, group="read")
    def read_again(self, workspace: Workspace) -> None:
        """Read what changed since ``workspace``."""
        self.post_message(read_again(workspace, self.journal))

    def on_vault_read_again(self, event: VaultReadAgain) -> None:
        """Show what changed, everything else staying in its place; say what arrived."""
        event.stop()
        if self.live.has_read(event.before):
            if event.why:
                self.notify(event.why, title="not read again", severity="warning", markup=False)
            if event.opened is not None:
                now = event.opened.workspace
                screens = self._screens()
                subject = screens[-1].subject() if screens else ""
                self._show(event.opened)
                arrived = self.told_arrivals(event.before, now)
                if arrived:
                    self.notify(arrived, title="new in the vault", markup=False)
                if changed_card(event.before, now, subject):
                    told = "What is selected has changed on disk. Look at it again."
                    self.notify(told, title="changed", severity="warning", markup=False)
        self.live.go_on()
        self.files_changed()

    def told_arrivals(self, before: Workspace, now: Workspace) -> str:
        """What others brought since, in words; empty when nobody brought anything."""
        return arrivals(before, now)

    def files_changed(self) -> None:
        """Say on every screen what is stale, and what is not any more."""
        for screen in self._screens():
            screen.files_changed()

    # Commands

    async def command_reload(self) -> None:
        """Read the vault again."""
        self.reading = "reading the vault…"
        self._refresh_bars()
        self._read()
