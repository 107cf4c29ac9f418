"""Planning and writing rulings one at a time, and taking them back (spec page 6)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from textual import work

from proofstone.domain.errors import ProofstoneError
from proofstone.tui.reading_app import ReadingApp

if TYPE_CHECKING:
    from proofstone.curation.rulings import Applied, Preview
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.plan import Value
    from proofstone.domain.rulings import Choices
    from proofstone.tui.messages import RulingRefusal, RulingWritten

_PREVIEW_REASON = "(the reason that you will give)"
_WORDS_TOLD = 72
"""Characters of a statement that a toast quotes; where it quotes several, they share them."""
_LEAST_TOLD = 24
"""Characters that each has of them at least."""
_WORD = re.compile(r"[^\s,;:()]+")


class RulingApp(ReadingApp):
    """An application that writes rulings on the vault which it shows."""

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

        before = {view.proposal_id: view.proposal for view in workspace.queue}
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
        returned = [
            view.proposal_id
            for view in now.workspace.queue
            if before.get(view.proposal_id) != view.proposal
        ]
        back = returned[0] if action in ("undo", "redo") and returned else ""
        told = _in_words(applied.summary, now.workspace, workspace, is_purge=action == "purge")
        self.post_message(RulingWritten(action, replace(applied, summary=told), now, back))

    def on_ruling_written(self, event: RulingWritten) -> None:
        """Show the vault as it is now, and say what was written and how to take it back."""
        from proofstone.tui.commands import BY_ID

        event.stop()
        self.writing = ""
        # What was deferred stays in the queue, lower down: the cursor must not go there with it.
        onward = self._after_subject() if event.action == "defer" else ""
        self._show(event.opened, event.back or onward)
        undone = event.action == "undo"
        key = self.keymap.label("redo" if undone else "undo")
        other = f"\n{key} {'puts' if undone else 'takes'} it back"
        if event.action == "purge":
            other = ""
        self.clear_notifications()
        self.notify(
            f"{event.applied.summary}{other}",
            title=BY_ID[event.action].title,
            markup=False,
        )

    def _after_subject(self) -> str:
        from proofstone.tui.screens.main import MainScreen

        return self.screen.after_subject() if isinstance(self.screen, MainScreen) else ""

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

    # Commands

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


def _in_words(summary: str, now: Workspace, before: Workspace, *, is_purge: bool) -> str:
    """What was written, with the words of proposals and memories in the place of their ids.

    What was in force ``before`` is told by its words too, but for what nobody may see again: a
    purge keeps its id.
    """
    from proofstone.tui.words import displayed, shortened, spoken

    views = (now,) if is_purge else (now, before)
    found = {name: said for name in _WORD.findall(summary) if (said := _said(name, *views))}
    room = max(_LEAST_TOLD, _WORDS_TOLD // max(1, len(found)))
    # Looked for once, and from the left: what is quoted may hold ids itself.
    parts: list[str] = []
    end = 0
    for match in _WORD.finditer(summary):
        if match[0] not in found:
            continue
        # Displayed before it is cut: a cut could make harmless words of a secret.
        words = displayed(" ".join(found[match[0]].split())).text
        parts += [spoken(summary[end : match.start()]), f"“{shortened(words, room)}”"]
        end = match.end()
    return "".join(parts) + spoken(summary[end:])


def _said(name: str, *views: Workspace) -> str:
    """The words of the proposal or the memory of this id where the first view knows it; or none."""
    if "-" not in name and "_" not in name:
        return ""  # Another program's ids may be common words.
    found = (view.named(name) for view in views)
    return next((record.statement for record in found if record is not None), "")
