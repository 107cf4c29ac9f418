"""What every screen of the workbench has: header, key bar, and commands from the registry."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.events import Click
from textual.screen import Screen

from proofstone.tui.command import MAIN, Ask, Situation
from proofstone.tui.commands import BY_ID, footer_commands
from proofstone.tui.widgets.bars import KeyBar, Standing, VaultHeader

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace
    from proofstone.tui.app import ProofstoneApp
    from proofstone.tui.screens.jump import JumpTarget
    from proofstone.tui.widgets.line_list import LineList

RIGHT_BUTTON = 3


class WorkbenchScreen(Screen[None]):
    """A screen whose actions come from the registry.

    A subclass sets ``name_in_registry`` and writes one method ``command_<id>`` for each command
    that is its own; the application answers the others.
    """

    name_in_registry: ClassVar[str] = MAIN
    title_in_header: ClassVar[str] = ""
    about: ClassVar[str] = ""

    DEFAULT_CSS = """
    WorkbenchScreen { background: $ground; color: $ink; }
    """

    def compose(self) -> ComposeResult:
        """Header above, keys below, and the subclass's body between them."""
        yield VaultHeader()
        yield from self.compose_body()
        yield KeyBar()

    def compose_body(self) -> ComposeResult:
        """What stands between header and key bar."""
        raise NotImplementedError

    @property
    def workbench(self) -> ProofstoneApp:
        """The application, by its own type."""
        return cast("ProofstoneApp", self.app)

    @property
    def workspace(self) -> Workspace | None:
        """What is open, or None while it is being read."""
        return self.workbench.workspace

    def subject(self) -> str:
        """The id that an action would be on."""
        return ""

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw another view of the vault; ``prefer`` names a subject to select if it is there."""
        raise NotImplementedError

    def show_failure(self, why: str) -> None:
        """Say why the vault could not be read; a screen that shows nothing of it says nothing."""

    def files_changed(self) -> None:
        """Files were changed by others, or what was changed has been read."""
        self.refresh_bars()

    def situation(self) -> Situation:
        """What commands need to know to say whether they can run."""
        workspace, subject = self.workspace, self.subject()

        def refusal(action: str) -> str:
            if workspace is None or not subject:
                return ""
            from proofstone.curation import rulings

            return rulings.why_not(workspace, action, subject)

        return Situation(
            screen=self.name_in_registry,
            loaded=workspace is not None and workspace.is_whole,
            failed=bool(self.workbench.failure),
            busy=self.workbench.writing,
            waits=self.workbench.waits,
            subject=subject,
            stale=self.workbench.live.why_stale(subject),
            undo=self.workbench.why_no_undo(),
            redo=self.workbench.why_no_redo(),
            ask=Ask(is_on=self.workbench.is_asking),
            tour=self.workbench.tour_state,
            refusal=refusal,
            key=self.workbench.keymap.label,
        )

    def about_focus(self) -> tuple[str, str]:
        """Title and explanation of what has the focus, for the help sheet."""
        return self.title_in_header, self.about

    def refresh_bars(self) -> None:
        """Bring header and key bar up to date."""
        if not self.is_mounted:
            return
        # That a ruling waits until what was chosen is on the screen lasts for one picture. To show
        # it would make the keys flash at every move of the cursor.
        now = replace(self.situation(), seen=True)
        self.query_one(KeyBar).show(
            [
                (self.workbench.keymap.live(command), not command.why_not(now))
                for command in footer_commands(now)
            ]
        )
        self.query_one(VaultHeader).show(self._standing())

    def _standing(self) -> Standing:
        bench = self.workbench
        return Standing(
            name=bench.vault_name,
            author=bench.context.author,
            screen=self.title_in_header,
            counts=bench.counts if self.workspace and self.workspace.is_whole else None,
            note=f"writing {bench.writing}…" if bench.writing else bench.reading,
        )

    async def action_command(self, command_id: str) -> None:
        """Run a command, or say why it cannot run now."""
        command = BY_ID[command_id]
        why = command.why_not(self.situation())
        if why:
            # One at a time: a key that is pressed again and again would cover the screen.
            self.app.clear_notifications()
            self.app.notify(
                f"{why[:1].upper()}{why[1:]}",
                title=f"{command.title}: not now",
                severity="warning",
                markup=False,
            )
            return
        method = getattr(self, f"command_{command_id}", None)
        if method is None:
            method = getattr(self.workbench, f"command_{command_id}")
        await method()

    async def on_key_bar_pressed(self, event: KeyBar.Pressed) -> None:
        """A click on a key is that key."""
        event.stop()
        await self.action_command(event.command_id)

    async def on_click(self, event: Click) -> None:
        """A click with the right button, wherever it is, lists what can be done there."""
        if event.button == RIGHT_BUTTON:
            event.stop()
            # Only when the row that was clicked is chosen, and then painted: before, it could not
            # be ruled on, and the list would say so.
            self.call_after_refresh(self.call_after_refresh, self.action_command, "palette")

    async def on_screen_resume(self) -> None:
        """Another screen was left: what is shown here may be out of date."""
        await self.workbench.show_tour_bar(self)
        await self.workbench.show_asking_bar(self)
        self.refresh_bars()

    def keys_changed(self) -> None:
        """Other keys hold now."""
        self.refresh_bars()

    async def command_back(self) -> None:
        """Leave this screen."""
        if len(self.app.screen_stack) > 1 and self.name_in_registry != MAIN:
            self.app.pop_screen()

    def jump_targets(self) -> list[JumpTarget]:
        """Where a jump can lead: every list that is on the screen."""
        from proofstone.tui.screens.jump import JumpTarget
        from proofstone.tui.widgets.line_list import LineList

        return [
            JumpTarget(f"{found.id}", f"{found.border_title or found.id}", found.region)
            for found in self.query(LineList)
            if found.region
        ]

    def jump_to(self, key: str) -> None:
        """Go to the place with this key."""
        self.query_one(f"#{key}").focus()

    # A list answers its keys itself; these are for the palette.

    def _list_in_hand(self) -> LineList | None:
        """The list that has the focus, else the first that can be seen."""
        from proofstone.tui.widgets.line_list import LineList

        if isinstance(self.focused, LineList):
            return self.focused
        return next((found for found in self.query(LineList) if found.region), None)

    async def command_row_next(self) -> None:
        """One row down."""
        if (found := self._list_in_hand()) is not None:
            found.action_move(1)

    async def command_row_previous(self) -> None:
        """One row up."""
        if (found := self._list_in_hand()) is not None:
            found.action_move(-1)

    async def command_row_first(self) -> None:
        """To the first row."""
        if (found := self._list_in_hand()) is not None:
            found.action_edge(-1)

    async def command_row_last(self) -> None:
        """To the last row."""
        if (found := self._list_in_hand()) is not None:
            found.action_edge(1)

    async def command_page_next(self) -> None:
        """A screenful down."""
        if (found := self._list_in_hand()) is not None:
            found.action_page(1)

    async def command_page_previous(self) -> None:
        """A screenful up."""
        if (found := self._list_in_hand()) is not None:
            found.action_page(-1)

    async def command_pane_next(self) -> None:
        """Go to the next widget that takes the focus."""
        self.focus_next()

    async def command_pane_previous(self) -> None:
        """Go to the widget before."""
        self.focus_previous()
