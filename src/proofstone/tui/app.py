"""The workbench: a Textual application over one vault (spec page 7)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType
from textual.command import Provider

from proofstone.domain.shown import shown_text
from proofstone.tui.asking_models import AskingApp
from proofstone.tui.command import label
from proofstone.tui.errands import ErrandsApp
from proofstone.tui.personal import personal_folder
from proofstone.tui.ruling_app import RulingApp
from proofstone.tui.themes import NO_COLOUR_THEME
from proofstone.tui.tour import PRESENTER_THEME, TourState

if TYPE_CHECKING:
    from textual.app import App

    from proofstone.curation.context import Context
    from proofstone.curation.first_look import StagedOpening
    from proofstone.curation.workspace import Workspace
    from proofstone.tui.screens.base import WorkbenchScreen

# What reads, judges, writes or draws a vault is not imported here: the first picture does not
# need it, and the reading worker loads it behind that picture.


def _commands_provider() -> type[Provider]:
    from proofstone.tui.palette import CommandsProvider

    return CommandsProvider


class ProofstoneApp(ErrandsApp, AskingApp, RulingApp):
    """Opens a vault in the background, shows it, and writes rulings one at a time."""

    _drafts_told: dict[str, tuple[int, int]] | None = None
    """The drafts of which a person who wanted to leave was told."""

    TITLE = "Proofstone"
    ENABLE_COMMAND_PALETTE = True
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands_provider}
    BINDINGS: ClassVar[list[BindingType]] = []
    CSS = """
    Toast { background: $ground-raised; color: $ink; border-left: outer $frame-focus; }
    Toast .toast--title { color: $ink-title; text-style: bold; }
    ToastRack { margin-bottom: 3; }
    Toast.-warning { border-left: outer $verdict-flag; }
    Toast.-error { border-left: outer $verdict-block; }
    """

    # Commands that every screen has

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
        """The next theme, where colours are shown at all."""
        if self.no_color:
            told = "NO_COLOR is set, so no theme shows its colours. Unset it and open again."
            self.clear_notifications()
            self.notify(told, title="theme", markup=False)
            return
        names = list(self.theme_files)
        place = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(place + 1) % len(names)]
        title = shown_text(self.theme_files[self.theme].title)
        self.clear_notifications()
        self.notify(title, title="theme", markup=False)

    async def command_palette(self) -> None:
        """Every command by name."""
        self.action_command_palette()

    def action_command_palette(self) -> None:
        """The palette, with a sign of our own."""
        from proofstone.tui.palette import Palette

        if not Palette.is_open(cast("App[object]", self)):
            self.push_screen(Palette(id="--command-palette"))

    async def command_quit(self) -> None:
        """Leave; where drafts by hand would be lost, only when asked once more."""
        drafts = self._drafts()
        if drafts and drafts != self._drafts_told:
            self._drafts_told = drafts
            units = sum(accounted for accounted, _ in drafts.values())
            self.clear_notifications()
            self.notify(
                f"{units} {'unit' if units == 1 else 'units'} of your draft "
                "would be lost: nothing of it is written before it is submitted. "
                "Once more leaves.",
                title="quit: not yet",
                severity="warning",
                markup=False,
            )
            return
        self.exit()

    def action_help_quit(self) -> None:
        """``ctrl+c``, by which many programs are left: say what leaves this one."""
        key = label(self.keymap.keys("quit")[0])
        self.clear_notifications()
        self.notify(
            f"{key} leaves. Every ruling is on disk already.",
            title="ctrl+c copies what is selected",
            markup=False,
        )

    def _drafts(self) -> dict[str, tuple[int, int]]:
        """What was answered by hand and not submitted, by turn."""
        from proofstone.tui.screens.main import MainScreen

        return {
            turn: counts
            for screen in self.screen_stack
            if isinstance(screen, MainScreen)
            for turn, counts in screen.hands.drafts().items()
        }


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

    def stages() -> StagedOpening:
        from proofstone.curation.first_look import StagedOpening

        return StagedOpening(path, context)

    app = ProofstoneApp(
        opener,
        context,
        theme=chosen,
        vault_name=path.resolve().name,
        personal=personal_folder(),
        tour=state,
        watch=path,
        stages=stages,
    )
    app.run()
