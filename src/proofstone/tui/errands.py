"""Commands that lead elsewhere: other screens, panes, the clipboard, an editor; and the purge."""

from __future__ import annotations

import asyncio
import os
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import work

from proofstone.domain.errors import ProofstoneError
from proofstone.tui.toasting import ToastingApp

if TYPE_CHECKING:
    from proofstone.tui.app import ProofstoneApp
    from proofstone.tui.near_duplicates import NearDuplicates
    from proofstone.tui.screens.base import WorkbenchScreen

IN_TMUX = "TMUX"


class ErrandsApp(ToastingApp):
    """The commands that every screen has, beside those on the vault itself."""

    _near: NearDuplicates | None = None
    """What is held twice, once somebody has asked."""

    @property
    def _bench(self) -> ProofstoneApp:
        return cast("ProofstoneApp", self)

    def _workbench_screen(self) -> WorkbenchScreen | None:
        from proofstone.tui.screens.base import WorkbenchScreen

        return self.screen if isinstance(self.screen, WorkbenchScreen) else None

    # Going to a proposal or a memory

    def can_go_to(self, subject: str) -> bool:
        """Whether ``subject`` is a proposal that waits or a memory in force."""
        workspace = self._bench.workspace
        if workspace is None:
            return False
        proposal = workspace.held.proposal(subject)
        if proposal is not None:
            return any(view.proposal_id == subject for view in workspace.queue)
        return workspace.held.memory(subject) is not None

    def go_to(self, subject: str) -> None:
        """Show ``subject`` where it is ruled on, or say why there is no such place any more."""
        from proofstone.tui.screens.main import MainScreen
        from proofstone.tui.screens.memories import MemoriesScreen

        workspace = self._bench.workspace
        if workspace is None:
            return
        if not self.can_go_to(subject):
            told = f"{subject} neither waits nor is in force. The Log has what became of it."
            self.notify(told, title="nowhere to go", severity="warning")
            return
        if workspace.held.memory(subject) is not None:
            self._bench.open_screen(MemoriesScreen(prefer=subject))
            return
        while not isinstance(self.screen, MainScreen) and len(self.screen_stack) > 1:
            self.pop_screen()
        if isinstance(self.screen, MainScreen):
            self.screen.show_proposal(subject)

    async def command_inquiries(self) -> None:
        """The Inquiries screen."""
        from proofstone.tui.screens.inquiries import InquiriesScreen

        if not isinstance(self.screen, InquiriesScreen):
            self._bench.open_screen(InquiriesScreen())

    async def command_duplicates(self) -> None:
        """The Duplicates screen."""
        from proofstone.tui.near_duplicates import NearDuplicates
        from proofstone.tui.screens.duplicates import DuplicatesScreen

        if self._near is None:
            self._near = NearDuplicates()
        if not isinstance(self.screen, DuplicatesScreen):
            self._bench.open_screen(DuplicatesScreen(self._near))

    # Copying

    def copy_to_clipboard(self, text: str) -> None:
        """Copy, through tmux where it runs in one."""
        if IN_TMUX not in os.environ or self._driver is None:
            super().copy_to_clipboard(text)
            return
        from proofstone.tui.copying import osc52

        self._clipboard = text
        self._driver.write(osc52(text, in_tmux=True))

    async def command_copy(self) -> None:
        """Copy what the focused pane is about."""
        from proofstone.tui.copying import MOST_BYTES, copyable

        screen = self._workbench_screen()
        what, text = copyable(screen) if screen is not None else ("", "")
        size = len(text.encode("utf-8"))
        if not text:
            told = "There is nothing here to copy."
            self.notify(told, title="copy", severity="warning")
        elif size > MOST_BYTES:
            told = f"Terminals take {MOST_BYTES:,} bytes at most; this {what} has {size:,}."
            self.notify(told, title="not copied", severity="warning")
        else:
            self.copy_to_clipboard(text)
            self.notify(text[:120], title=f"{what} copied")

    # Editing in another program

    async def command_edit_outside(self) -> None:
        """Open the note in the person's editor, and take the change back as an edit."""
        from proofstone.tui.editing import edit_outside

        screen, workspace = self._workbench_screen(), self._bench.workspace
        if screen is None or workspace is None:
            return
        subject = screen.subject()
        back = edit_outside(self._bench, workspace, subject)
        if back.edits:
            self._bench.start_ruling("edit", subject, edits=back.edits)
            return
        self.notify(
            f"{back.why[:1].upper()}{back.why[1:]}",
            title="edit in your editor: refused" if back.refused else "edit in your editor",
            severity="error" if back.refused else "information",
        )

    # Jumping

    async def command_jump(self) -> None:
        """A letter over each pane."""
        screen = self._workbench_screen()
        if screen is not None:
            self._jump(screen)

    @work(exclusive=True, group="jump")
    async def _jump(self, screen: WorkbenchScreen) -> None:
        from proofstone.tui.screens.jump import JumpOverlay

        chosen = await self.push_screen_wait(JumpOverlay(screen.jump_targets()))
        if chosen:
            screen.jump_to(chosen)

    # Purging

    async def command_purge(self) -> None:
        """Remove the words of what is selected from every file, for good."""
        screen = self._workbench_screen()
        if screen is not None:
            self._purge(screen.subject())

    @work(exclusive=True, group="ruling")
    async def _purge(self, subject: str) -> None:
        from proofstone.curation import purging
        from proofstone.domain.rulings import RulingRefused
        from proofstone.tui.messages import RulingRefusal
        from proofstone.tui.screens.purge import PurgeDialog

        bench, workspace = self._bench, self._bench.workspace
        if workspace is None:
            return
        found = workspace.held.proposal(subject) or workspace.held.memory(subject)
        try:
            shown = await asyncio.to_thread(purging.preview_purge, workspace, subject)
        except (RulingRefused, ProofstoneError, OSError) as error:
            self.post_message(RulingRefusal("purge", str(error)))
            return
        words = found.statement if found is not None else subject
        choices = await self.push_screen_wait(PurgeDialog(shown, words))
        if choices is not None:
            bench.write("purge", partial(purging.purge, workspace, subject, choices), workspace)
