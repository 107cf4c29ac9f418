"""From a key to a written ruling: what is asked in between, and in which order.

Pure in what it decides: it asks through ``Asker`` and returns choices. Nothing is written here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from textual.content import Content

from proofstone.curation.rulings import Preview, PreviewRow
from proofstone.curation.workspace import Workspace
from proofstone.domain.plan import Value
from proofstone.domain.records import Layer, Memory, Proposal, Statement
from proofstone.domain.rulings import Choices, Need, short_id
from proofstone.domain.rulings.terms import DEFER_REASONS, DISMISS_REASONS, TOMBSTONE_REASONS
from proofstone.tui.offering import Offers, offers_for
from proofstone.tui.screens.dialog import Picked
from proofstone.tui.words import safe, spoken

_REASONS = {
    "defer": ("Defer, because…", DEFER_REASONS),
    "dismiss": ("Dismiss, because…", DISMISS_REASONS),
    "tombstone": ("Tombstone, because…", TOMBSTONE_REASONS),
}
"""Actions that take their reason from a closed list."""

_ROUNDS = 4
"""Questions asked for one ruling at most; more would mean that answers do not help."""


class Asker(Protocol):
    """The questions that the screen can put to a person; None is always a way out."""

    async def words(self, title: str, intro: Content, label: str) -> str | None: ...

    async def pick(
        self, title: str, intro: Content, reasons: tuple[str, ...], *, with_date: bool
    ) -> Picked | None: ...

    async def targets(
        self,
        title: str,
        intro: Content,
        offers: Offers,
        statement: str,
        *,
        single: bool,
        chosen: str = "",
    ) -> tuple[str, ...] | None: ...

    async def deliberate(self, proposal_id: str) -> tuple[str, str] | None: ...

    async def edits(
        self, title: str, subject: Statement, typed: Mapping[str, Value], fault: str
    ) -> dict[str, Value] | None: ...

    async def confirm(self, title: str, shown: Preview) -> bool: ...


Plan = Callable[[Choices], Awaitable[Preview]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of asking: a preview to apply, a refusal to show, or neither when cancelled."""

    preview: Preview | None = None
    refusal: str = ""


async def ask_and_plan(
    action: str,
    subject: str,
    workspace: Workspace,
    asker: Asker,
    plan: Plan,
    target: str = "",
    edits: Mapping[str, Value] | None = None,
) -> Outcome:
    """Ask for whatever ``action`` on ``subject`` needs, until it can be made or is given up.

    ``target`` is offered as chosen where a memory is asked for; ``edits`` were made already.
    """
    statement = _statement(workspace, subject)
    if statement is None:
        return Outcome(refusal=f"{subject} is no longer there")
    choices: Choices | None = Choices(edits=edits or {})
    if not edits:
        choices = await _first_choices(action, subject, statement, workspace, asker, target)
    if choices is None:
        return Outcome()
    for _ in range(_ROUNDS):
        planned = await plan(choices)
        row = planned.rows[0]
        if row.allowed:
            if action == "supersede" and not await asker.confirm("Supersede", planned):
                return Outcome()
            return Outcome(preview=planned)
        if row.need in (Need.NOTHING, Need.TARGET):
            return Outcome(refusal=row.why)
        answered = await _answer(row, action, statement, choices, asker)
        if answered is None:
            return Outcome()
        choices = answered
    return Outcome(refusal=row.why)


async def ask_and_plan_batch(
    action: str, subjects: Sequence[str], workspace: Workspace, asker: Asker, plan: Plan
) -> Outcome:
    """Ask once for all of ``subjects``, then show every row's verdict and what would be written."""
    choices: Choices | None = Choices()
    if action in _REASONS:
        title, reasons = _REASONS[action]
        told = safe(f"{len(subjects)} marked proposals", "$ink bold")
        picked = await asker.pick(title, told, reasons, with_date=action == "defer")
        choices = _picked(picked)
    if choices is None:
        return Outcome()
    planned = await plan(choices)
    confirmed = await asker.confirm(f"{action[:1].upper()}{action[1:]}: one batch", planned)
    return Outcome(preview=planned) if confirmed and planned.allowed else Outcome()


async def _first_choices(
    action: str,
    subject: str,
    statement: Statement,
    workspace: Workspace,
    asker: Asker,
    target: str,
) -> Choices | None:
    """What an action always needs, before it is planned for the first time."""
    intro = safe(statement.statement, "$ink bold", limit=600)
    if action in _REASONS:
        title, reasons = _REASONS[action]
        if action == "tombstone":
            warning = ("The same words cannot be proposed again.", "$verdict-flag")
            intro = Content.assemble(intro, "\n\n", warning)
        return _picked(await asker.pick(title, intro, reasons, with_date=action == "defer"))
    if action == "edit":
        edits = await asker.edits(f"Edit {short_id(subject)}", statement, {}, "")
        return Choices(edits=edits) if edits is not None else None
    if action == "supersede":
        single = isinstance(statement, Memory)
        title = "Replaced by which memory?" if single else "Which memories does it replace?"
        offers = offers_for(workspace, subject, target)
        targets = await asker.targets(
            title, intro, offers, statement.statement, single=single, chosen=target
        )
        if not targets:
            return None
        return await _with_deliberation(Choices(target=targets), statement, asker)
    if action == "ratify":
        return await _with_deliberation(Choices(), statement, asker)
    return Choices()


async def _with_deliberation(
    choices: Choices, statement: Statement, asker: Asker
) -> Choices | None:
    if not isinstance(statement, Proposal) or statement.layer is not Layer.L1:
        return choices
    said = await asker.deliberate(statement.proposal_id)
    return replace(choices, reason=said[0], confirm=said[1]) if said else None


def _picked(picked: Picked | None) -> Choices | None:
    if picked is None:
        return None
    return Choices(reason=picked.reason, note=picked.note, until=picked.until)


async def _answer(
    row: PreviewRow, action: str, statement: Statement, choices: Choices, asker: Asker
) -> Choices | None:
    """Ask for what a refused plan still needs; None when it is not given."""
    if row.need is Need.EDITS:
        title = f"Edit {short_id(row.subject)}"
        edits = await asker.edits(title, statement, choices.edits, row.why)
        return replace(choices, edits=edits) if edits is not None else None
    intro = Content.assemble(
        safe(statement.statement, "$ink bold", limit=600),
        "\n\n",
        safe(spoken(f"{row.why[:1].upper()}{row.why[1:]}."), "$verdict-flag", limit=600),
    )
    title = f"{action[:1].upper()}{action[1:]}"
    if row.need is Need.CONFIRM:
        typed = await asker.words(f"{title}: confirm", intro, "Its short id")
        return replace(choices, confirm=typed) if typed else None
    reason = await asker.words(f"{title}, because…", intro, "Reason, in your words")
    return replace(choices, reason=reason) if reason else None


def _statement(workspace: Workspace, subject: str) -> Statement | None:
    return workspace.held.proposal(subject) or workspace.held.memory(subject)
