"""Putting the questions of a ruling to a person, as dialogs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from proofstone.tui.offering import Offers
from proofstone.tui.screens.dialog import PickDialog, Picked, WordsDialog
from proofstone.tui.screens.target import TargetDialog

if TYPE_CHECKING:
    from proofstone.curation.rulings import Preview
    from proofstone.domain.plan import Value
    from proofstone.domain.records import Statement
    from proofstone.tui.reading_app import ReadingApp
    from proofstone.tui.screens.edit import Judge


class Dialogs:
    """Asks through dialogs over the present screen."""

    def __init__(self, app: ReadingApp) -> None:
        self._app = app

    async def words(self, title: str, intro: Content, label: str) -> str | None:
        return await self._app.push_screen_wait(WordsDialog(title, intro, label))

    async def pick(
        self, title: str, intro: Content, reasons: tuple[str, ...], *, with_date: bool
    ) -> Picked | None:
        today = self._app.context.now().date() if with_date else None
        dialog = PickDialog(title, intro, reasons, today=today)
        return await self._app.push_screen_wait(dialog)

    async def targets(
        self,
        title: str,
        intro: Content,
        offers: Offers,
        statement: str,
        *,
        single: bool,
        chosen: str = "",
    ) -> tuple[str, ...] | None:
        dialog = TargetDialog(
            title, intro, offers, statement=statement, single=single, chosen=chosen
        )
        return await self._app.push_screen_wait(dialog)

    async def deliberate(self, proposal_id: str) -> tuple[str, str] | None:
        from proofstone.tui.screens.identity import IdentityDialog

        workspace = self._app.workspace
        if workspace is None:
            return None
        dialog = IdentityDialog(workspace.proposal(proposal_id), workspace)
        said = await self._app.push_screen_wait(dialog)
        return (said.reason, said.confirm) if said else None

    async def edits(
        self, title: str, subject: Statement, typed: Mapping[str, Value], fault: str
    ) -> dict[str, Value] | None:
        from proofstone.tui.screens.edit import EditDialog

        dialog = EditDialog(title, subject, typed, fault, judge=self._judge(subject))
        return await self._app.push_screen_wait(dialog)

    def _judge(self, subject: Statement) -> Judge | None:
        """How edits of a proposal or a memory would be judged."""
        from proofstone.curation.edit_trial import judge
        from proofstone.domain.records import Memory, Proposal

        workspace = self._app.workspace
        if workspace is None or not isinstance(subject, Proposal | Memory):
            return None
        return partial(judge, workspace, subject)

    async def confirm(self, title: str, shown: Preview) -> bool:
        from proofstone.tui.screens.preview import PreviewDialog

        workspace = self._app.workspace
        words = {
            row.subject: workspace.proposals[row.subject].statement
            for row in shown.rows
            if workspace is not None and row.subject in workspace.proposals
        }
        dialog = PreviewDialog(title, shown, confirm=True, words=words)
        confirmed = await self._app.push_screen_wait(dialog)
        return confirmed is True
