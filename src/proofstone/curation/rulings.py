"""Making rulings: preview, apply, undo and redo (spec page 6).

Every door comes through here. A preview holds the exact file changes; applying writes those and
nothing else, or refuses when a file is no longer what was seen.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from proofstone.curation.digests import ruling_digest
from proofstone.curation.workspace import Workspace
from proofstone.domain.plan import FileChange, RulingPlan
from proofstone.domain.records import Layer
from proofstone.domain.rulings import (
    Assessment,
    Choices,
    Need,
    RulingMoment,
    RulingRefused,
    plan,
    unavailable,
)

_PUTS_IN_FORCE = ("ratify", "supersede")


@dataclass(frozen=True, slots=True, kw_only=True)
class PreviewRow:
    """One subject of a preview: what would change, or why it is left out and what it needs."""

    subject: str
    allowed: bool
    why: str = ""
    need: Need = Need.NOTHING
    plan: RulingPlan | None = None
    changes: tuple[FileChange, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What an action would do, before anything is written."""

    action: str
    group: str
    rows: tuple[PreviewRow, ...]

    @property
    def allowed(self) -> tuple[PreviewRow, ...]:
        """The rows that applying would carry out."""
        return tuple(row for row in self.rows if row.allowed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What was written: the journal group, its rulings, a line for the toast, the changes."""

    group: str
    rulings: tuple[str, ...]
    summary: str
    changes: tuple[FileChange, ...] = ()


def preview(
    workspace: Workspace, action: str, subjects: Sequence[str], choices: Choices | None = None
) -> Preview:
    """Plan ``action`` on each subject in order, each seeing what those before it would change."""
    chosen = choices or Choices()
    time = workspace.context.timestamp()
    group = ruling_digest("grp", workspace.journal_head, action, list(subjects), time)
    is_batch = len(subjects) > 1
    rows: list[PreviewRow] = []
    stage = workspace
    for place, subject in enumerate(dict.fromkeys(subjects)):
        moment = RulingMoment(
            ruling_id=ruling_digest("rul", group, place, subject),
            group=group,
            time=time,
            author=workspace.context.author,
            via=workspace.context.via,
        )
        row = _plan_row(workspace, stage, action, subject, chosen, moment, is_batch)
        rows.append(row)
        if is_batch and row.changes:
            stage = stage.after(row.changes)
    return Preview(action=action, group=group, rows=tuple(rows))


def apply(workspace: Workspace, previewed: Preview) -> Applied:
    """Write the rows that are allowed, as one journal group.

    Raises:
        RulingRefused: no row is allowed, nothing would change, or what would be put in force was
            tombstoned by somebody else meanwhile.
        ProofstoneError: a file is no longer what was seen, or cannot be written.
    """
    allowed = [row for row in previewed.rows if row.plan is not None and row.changes]
    if not allowed:
        first = next((row for row in previewed.rows if row.why), None)
        raise RulingRefused(first.why if first else "nothing would change", _need(previewed))
    rulings = [(row.plan.ruling, row.changes) for row in allowed if row.plan is not None]
    workspace.write(rulings, lambda: _require_not_tombstoned_since(workspace, previewed))
    left_out = len(previewed.rows) - len(allowed)
    if len(allowed) == 1 and allowed[0].plan is not None:
        summary = allowed[0].plan.summary
    else:
        summary = f"{previewed.action}: {len(allowed)} rulings"
    if left_out:
        summary += f"; {left_out} left out"
    return Applied(
        group=previewed.group,
        rulings=tuple(ruling.ruling_id for ruling, _ in rulings),
        summary=summary,
        changes=tuple(change for row in allowed for change in row.changes),
    )


def rule(
    workspace: Workspace, action: str, subjects: Sequence[str], choices: Choices | None = None
) -> Applied:
    """Preview and apply at once, for the one-key path and for scripts."""
    return apply(workspace, preview(workspace, action, subjects, choices))


def why_not(workspace: Workspace, action: str, subject: str) -> str:
    """Why ``action`` cannot be taken on ``subject`` now; empty when it can."""
    return workspace.refusal(action, subject) or unavailable(
        action, subject, held=workspace.held, assessment=_assessment(workspace, subject)
    )


def _plan_row(
    workspace: Workspace,
    stage: Workspace,
    action: str,
    subject: str,
    choices: Choices,
    moment: RulingMoment,
    is_batch: bool,
) -> PreviewRow:
    try:
        if refusal := workspace.refusal(action, subject):
            raise RulingRefused(refusal)
        if is_batch:
            _require_batchable(workspace, action, subject)
        planned = plan(
            action,
            subject,
            held=stage.held,
            assessment=_assessment(workspace, subject),
            choices=choices,
            moment=moment,
        )
        changes = stage.render(planned)
    except RulingRefused as refused:
        return PreviewRow(subject=subject, allowed=False, why=refused.why, need=refused.need)
    return PreviewRow(subject=subject, allowed=True, plan=planned, changes=changes)


def _require_not_tombstoned_since(workspace: Workspace, previewed: Preview) -> None:
    """A tombstone is a file that no other ruling touches, so no stale file tells of a new one."""
    stones = workspace.new_tombstones() if previewed.action in _PUTS_IN_FORCE else ()
    if not stones:
        return
    stage = workspace.after(stones)
    for row in previewed.allowed:
        if row.subject in stage.proposals:
            for finding in stage.proposal(row.subject).assessment.report.blocks:
                raise RulingRefused(
                    f"{row.subject}: something was tombstoned since it was read, and the verifier "
                    f"rejects it now ({', '.join(finding.failure_reasons)}); look again"
                )


def _assessment(workspace: Workspace, subject: str) -> Assessment | None:
    if subject not in workspace.proposals:
        return None
    return workspace.proposal(subject).assessment


def _require_batchable(workspace: Workspace, action: str, subject: str) -> None:
    if action not in _PUTS_IN_FORCE or subject not in workspace.proposals:
        return
    view = workspace.proposal(subject)
    if view.proposal.layer is Layer.L1:
        raise RulingRefused("L1 is ruled on by itself, never in a batch")
    if view.is_tainted:
        raise RulingRefused("tainted text is ruled on by itself, never in a batch")


def _need(previewed: Preview) -> Need:
    return next((row.need for row in previewed.rows if not row.allowed), Need.NOTHING)
