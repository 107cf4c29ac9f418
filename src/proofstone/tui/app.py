"""The workbench: a Textual application over one vault (spec page 7)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import SystemCommand
from textual.binding import BindingType
from textual.driver import Driver
from textual.screen import Screen
from textual.worker import get_current_worker

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.shown import shown_text
from proofstone.tui.errands import ErrandsApp
from proofstone.tui.live import (
    FilesChanged,
    LiveVault,
    VaultReadAgain,
    arrivals,
    changed_card,
    read_again,
)
from proofstone.tui.personal import personal_folder
from proofstone.tui.screens.opening import OpeningScreen
from proofstone.tui.themes import NO_COLOUR_THEME
from proofstone.tui.thrift import thrifty_driver
from proofstone.tui.tour import PRESENTER_THEME, TouringApp, TourState

if TYPE_CHECKING:
    from proofstone.curation.context import Context
    from proofstone.curation.history import Entry
    from proofstone.curation.rulings import Applied, Preview
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.plan import Value
    from proofstone.domain.rulings import Choices
    from proofstone.tui.counts import Counts
    from proofstone.tui.messages import (
        OpenVault,
        RulingRefusal,
        RulingWritten,
        VaultFailed,
        VaultOpened,
    )
    from proofstone.tui.screens.base import WorkbenchScreen
    from proofstone.tui.ties import TieIndex

# What reads, judges, writes or draws a vault is not imported here: the first picture does not
# need it, and the reading worker loads it behind that picture.

_WORKING = "working"
"""The stack of screens that follows the first picture, which stays on a stack of its own."""

_PREVIEW_REASON = "(the reason that you will give)"


class ProofstoneApp(ErrandsApp, TouringApp):
    """Opens a vault in the background, shows it, and writes rulings one at a time.

    Args:
        opener: Reads the vault; called in a thread, and again when it is to be read afresh.
        context: Clock, author and door.
        theme: The name of a theme; it goes before the vault's.
        vault_name: What the header calls the vault.
        personal: The folder with the person's own keys and themes, if those are to count.
        tour: Whether the guided tour is offered, or is on from the start.
        watch: The vault, if it is to be read again whenever something in it changes.
    """

    TITLE = "Proofstone"
    ENABLE_COMMAND_PALETTE = True
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Toast { background: $ground-raised; color: $ink; border-left: outer $frame-focus; }
    Toast .toast--title { color: $ink-title; text-style: bold; }
    ToastRack { margin-bottom: 3; }
    Toast.-warning { border-left: outer $verdict-flag; }
    Toast.-error { border-left: outer $verdict-block; }
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
    ) -> None:
        # Without colour, Textual would still send black and white; with its filter for the
        # terminal's own colours it sends none.
        no_colour = True if os.environ.get("NO_COLOR") else None
        super().__init__(folder=personal, theme=theme, ansi_color=no_colour, tour=tour)
        self._opener = opener
        self.context = context
        self.vault_name = vault_name
        self.workspace: Workspace | None = None
        self.journal: tuple[Entry, ...] = ()
        self.counts: Counts
        self.index: TieIndex
        self.reading = "reading the vault…"
        self.writing = ""
        self.failure = ""
        self.live = LiveVault(self, watch)

    def get_driver_class(self) -> type[Driver]:
        """The platform's driver, sparing slow links what their terminal knows already."""
        return thrifty_driver(super().get_driver_class())

    def get_default_screen(self) -> Screen[None]:
        """What can be shown at once; the main screen follows when there is something to show."""
        return OpeningScreen(self.vault_name, self.context.author)

    def on_mount(self) -> None:
        """Show the first picture; everything else happens behind it."""
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.start_personal()
        # Watched from before it is read, so that no change falls between the two.
        self.live.start()
        self.call_later(self._read)

    # Reading

    @work(thread=True, exclusive=True, group="read")
    def _read(self) -> None:
        from proofstone.tui.messages import OpenVault, VaultFailed, VaultOpened

        import_module("proofstone.tui.screens.main")  # here, and not in the way of the screen
        worker = get_current_worker()
        try:
            opened = OpenVault.prepared(self._opener())
        except (ProofstoneError, OSError) as error:
            if not worker.is_cancelled:
                self.post_message(VaultFailed(str(error)))
            return
        if not worker.is_cancelled:
            self.post_message(VaultOpened(opened))
        # Behind the picture, and only in a large vault: the next opening need not read every note.
        with suppress(ProofstoneError, OSError):
            opened.workspace.keep_index()

    async def on_vault_opened(self, event: VaultOpened) -> None:
        """Show what was read."""
        event.stop()
        self.failure = ""
        with self.batch_update():
            await self._end_opening()
            self.reading = ""
            self._show(event.opened)
        await self.begin_tour()
        self.live.start()

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
                arrived = arrivals(event.before, now)
                if arrived:
                    self.notify(arrived, title="new in the vault", markup=False)
                if changed_card(event.before, now, subject):
                    told = "What is selected has changed on disk. Look at it again."
                    self.notify(told, title="changed", severity="warning", markup=False)
        self.live.go_on()
        self.files_changed()

    def files_changed(self) -> None:
        """Say on every screen what is stale, and what is not any more."""
        for screen in self._screens():
            screen.files_changed()

    # Ruling

    def start_ruling(
        self,
        action: str,
        *subjects: str,
        target: str = "",
        edits: Mapping[str, Value] | None = None,
    ) -> None:
        """Ask for what ``action`` on ``subjects`` needs, then write it.

        ``target`` is the memory that is offered as chosen where one is asked for; ``edits`` are
        what was changed already, and are not asked for.
        """
        self._rule(action, subjects, target, edits or {})

    @work(exclusive=True, group="ruling")
    async def _rule(
        self, action: str, subjects: tuple[str, ...], target: str, edits: Mapping[str, Value]
    ) -> None:
        from proofstone.curation import rulings
        from proofstone.tui import ruling_flow
        from proofstone.tui.asking import Dialogs
        from proofstone.tui.messages import RulingRefusal

        workspace = self.workspace
        if workspace is None:
            return
        plan, dialogs = partial(self._planned, workspace, action, subjects), Dialogs(self)
        try:
            if len(subjects) == 1:
                outcome = await ruling_flow.ask_and_plan(
                    action, subjects[0], workspace, dialogs, plan, target, edits
                )
            else:
                outcome = await ruling_flow.ask_and_plan_batch(
                    action, subjects, workspace, dialogs, plan
                )
        except (ProofstoneError, OSError) as error:
            self.post_message(RulingRefusal(action, str(error), stale=True))
            return
        if outcome.refusal:
            self.post_message(RulingRefusal(action, outcome.refusal))
        elif outcome.preview is not None:
            self.write(action, partial(rulings.apply, workspace, outcome.preview), workspace)

    def write(self, action: str, write: Callable[[], Applied], workspace: Workspace) -> None:
        """Write in the background, and show what came of it."""
        from proofstone.tui.commands import BY_ID

        self.writing = BY_ID[action].title
        self._refresh_bars()
        self._write(action, write, workspace)

    @staticmethod
    async def _planned(
        workspace: Workspace, action: str, subjects: tuple[str, ...], choices: Choices
    ) -> Preview:
        """Plan in a thread: rendering reads files."""
        from proofstone.curation import rulings

        return await asyncio.to_thread(rulings.preview, workspace, action, subjects, choices)

    @work(thread=True, group="write")
    def _write(self, action: str, write: Callable[[], Applied], workspace: Workspace) -> None:
        """Write one ruling and read what came of it."""
        from proofstone.domain.rulings import RulingRefused
        from proofstone.tui.messages import OpenVault, RulingRefusal, RulingWritten

        before = {view.proposal_id for view in workspace.queue}
        try:
            applied = write()
        except RulingRefused as refused:
            self.post_message(RulingRefusal(action, refused.why))
            return
        except (ProofstoneError, OSError) as error:
            self.post_message(RulingRefusal(action, str(error), stale=True))
            return
        self.live.wrote(workspace, applied.changes)
        now = OpenVault.prepared(workspace.reload())
        returned = [v.proposal_id for v in now.workspace.queue if v.proposal_id not in before]
        back = returned[0] if action in ("undo", "redo") and returned else ""
        self.post_message(RulingWritten(action, applied, now, back))

    def on_ruling_written(self, event: RulingWritten) -> None:
        """Show the vault as it is now, and say what was written and how to take it back."""
        from proofstone.tui.commands import BY_ID
        from proofstone.tui.words import spoken

        event.stop()
        self.writing = ""
        self._show(event.opened, event.back)
        undone = event.action == "undo"
        key = self.keymap.label("redo" if undone else "undo")
        other = f"\n{key} {'puts' if undone else 'takes'} it back"
        if event.action == "purge":
            other = ""
        self.clear_notifications()
        self.notify(
            f"{spoken(event.applied.summary)}{other}",
            title=BY_ID[event.action].title,
            markup=False,
        )

    def on_ruling_refusal(self, event: RulingRefusal) -> None:
        """Say why, and that nothing was changed; read again what may be stale."""
        from proofstone.tui.commands import BY_ID

        event.stop()
        self.writing = ""
        if event.stale:
            self.reading = "reading again…"
            self._read()
        self.live.go_on()
        self._refresh_bars()
        self.notify(
            f"{event.why}\nNothing was changed.",
            title=f"{BY_ID[event.action].title}: refused",
            severity="error",
            markup=False,
        )

    def start_preview(self, action: str, subject: str) -> None:
        """Show what ``action`` would write, with a stand-in for words still to be given."""
        self._preview(action, subject)

    @work(exclusive=True, group="ruling")
    async def _preview(self, action: str, subject: str) -> None:
        from proofstone.domain.rulings import Choices, short_id
        from proofstone.tui.messages import RulingRefusal
        from proofstone.tui.screens.preview import PreviewDialog

        workspace = self.workspace
        if workspace is None:
            return
        choices = Choices(reason=_PREVIEW_REASON, confirm=short_id(subject))
        try:
            planned = await self._planned(workspace, action, (subject,), choices)
        except (ProofstoneError, OSError) as error:
            self.post_message(RulingRefusal(action, str(error), stale=True))
            return
        title = f"What {action} would write"
        await self.push_screen_wait(PreviewDialog(title, planned, confirm=False))

    def why_no_undo(self) -> str:
        """Why nothing can be undone now; empty when something can."""
        if not self.journal:
            return "no ruling is left to take back"
        from proofstone.curation import history

        standing = (entry for entry in self.journal if entry.state == history.IN_FORCE)
        last = next((entry for entry in standing if entry.is_ruling or entry.is_purge), None)
        if last is not None and last.is_purge:
            return "the last ruling is a purge, which cannot be undone; the Log takes back others"
        return "" if last is not None else "no ruling is left to take back"

    def why_no_redo(self) -> str:
        """Why nothing can be redone now; empty when something can."""
        if not self.journal:
            return "nothing was undone"
        from proofstone.curation import history

        can = any(entry.is_ruling and entry.state == history.UNDONE for entry in self.journal)
        return "" if can else "nothing was undone"

    def start_undo(self, ruling: str = "") -> None:
        """Take back the last ruling, or the one named."""
        from proofstone.curation import history

        if self.workspace is not None:
            self.writing = "undo"
            self._refresh_bars()
            self._write("undo", partial(history.undo, self.workspace, ruling), self.workspace)

    # Commands that every screen has

    async def command_undo(self) -> None:
        """Take back the last ruling."""
        self.start_undo()

    async def command_redo(self) -> None:
        """Put back what was last taken back."""
        from proofstone.curation import history

        if self.workspace is not None:
            self.writing = "redo"
            self._refresh_bars()
            self._write("redo", partial(history.redo, self.workspace), self.workspace)

    async def command_reload(self) -> None:
        """Read the vault again."""
        self.reading = "reading the vault…"
        self._refresh_bars()
        self._read()

    async def command_help(self) -> None:
        """The help sheet of the focused pane."""
        from proofstone.tui.screens.base import WorkbenchScreen
        from proofstone.tui.screens.help import HelpSheet

        screen = self.screen
        if isinstance(screen, WorkbenchScreen):
            title, about = screen.about_focus()
            self.push_screen(HelpSheet(title, about, screen.situation(), self.keymap))

    async def command_memories(self) -> None:
        """The Memories screen."""
        from proofstone.tui.screens.memories import MemoriesScreen

        self._open(MemoriesScreen)

    async def command_log(self) -> None:
        """The Log screen."""
        from proofstone.tui.screens.log import LogScreen

        self._open(LogScreen)

    async def command_problems(self) -> None:
        """The Problems screen."""
        from proofstone.tui.screens.problems import ProblemsScreen

        self._open(ProblemsScreen)

    async def command_settings(self) -> None:
        """The Settings screen."""
        from proofstone.tui.screens.settings import SettingsScreen

        self._open(SettingsScreen)

    def _open(self, screen_type: type[WorkbenchScreen]) -> None:
        """Put another screen over the main one; never two of them."""
        if not isinstance(self.screen, screen_type):
            self.open_screen(screen_type())

    def open_screen(self, screen: WorkbenchScreen) -> None:
        """Put ``screen`` over the main one, in the place of any other."""
        from proofstone.tui.screens.main import MainScreen

        if isinstance(self.screen, MainScreen):
            self.push_screen(screen)
        else:
            self.switch_screen(screen)

    async def command_theme(self) -> None:
        """The next theme."""
        names = list(self.theme_files)
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]
        title = shown_text(self.theme_files[self.theme].title)
        self.clear_notifications()
        self.notify(title, title="theme", markup=False)

    async def command_palette(self) -> None:
        """Every command by name."""
        self.action_command_palette()

    async def command_quit(self) -> None:
        """Leave."""
        self.exit()

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The palette: the screen's commands, those that cannot run with the reason."""
        from proofstone.tui.commands import commands_for
        from proofstone.tui.screens.base import WorkbenchScreen

        if not isinstance(screen, WorkbenchScreen):
            return
        now = screen.situation()
        for listed in commands_for(screen.name_in_registry):
            if listed.is_list_key or listed.id == "palette" or not listed.offered(now):
                continue
            command = self.keymap.live(listed)
            why = command.why_not(now)
            told = f"Not now: {why}" if why else command.help
            yield SystemCommand(
                f"{command.title} ({command.key_label})",
                told,
                partial(screen.action_command, command.id),
            )


def run(
    path: Path,
    context: Context,
    *,
    theme: str | None = None,
    tour: str = "",
) -> None:
    """Open the workbench on the vault at ``path`` and stay until the person leaves.

    ``tour`` is ``offered`` or ``on`` where the vault is the demo vault.
    """
    state = TourState(tour)
    usual = PRESENTER_THEME if state is TourState.ON else None
    chosen = theme or (NO_COLOUR_THEME if os.environ.get("NO_COLOR") else usual)

    def opener() -> Workspace:
        from proofstone.curation.workspace import Workspace

        return Workspace.open(path, context)

    app = ProofstoneApp(
        opener,
        context,
        theme=chosen,
        vault_name=path.resolve().name,
        personal=personal_folder(),
        tour=state,
        watch=path,
    )
    app.run()
