"""One door to all rulings: an action and a subject in, a plan out."""

from __future__ import annotations

from proofstone.domain.plan import RulingPlan
from proofstone.domain.records import Memory, Proposal
from proofstone.domain.rulings import edits, on_memory, on_proposal
from proofstone.domain.rulings.terms import (
    DEFER_REASONS,
    DISMISS_REASONS,
    TOMBSTONE_REASONS,
    Assessment,
    Choices,
    Held,
    Need,
    RulingMoment,
    RulingRefused,
)

ACTIONS: tuple[str, ...] = (
    "ratify",
    "defer",
    "supersede",
    "tombstone",
    "dismiss",
    "edit",
    "contest",
)
"""Every action that can be planned; undo and redo invert plans that were carried out."""

_PROBE = RulingMoment(
    ruling_id="probe", group="probe", time="2000-01-01T00:00:00Z", author="", via=""
)
_WITH_REASON = {
    "defer": DEFER_REASONS[0],
    "tombstone": TOMBSTONE_REASONS[0],
    "dismiss": DISMISS_REASONS[0],
}


def plan(
    action: str,
    subject: str,
    *,
    held: Held,
    assessment: Assessment | None,
    choices: Choices,
    moment: RulingMoment,
) -> RulingPlan:
    """Plan ``action`` on the proposal or memory ``subject``.

    ``assessment`` is what the verifier and matcher say of a proposal; memories need none.

    Raises:
        RulingRefused: the ruling may not be made, or something is still missing.
    """
    proposal = held.proposal(subject)
    if proposal is not None:
        return _on_proposal(action, proposal, held, assessment, choices, moment)
    memory = held.memory(subject)
    if memory is not None:
        return _on_memory(action, memory, held, choices, moment)
    raise RulingRefused(f"{subject} is neither a proposal nor a memory in force")


def unavailable(action: str, subject: str, *, held: Held, assessment: Assessment | None) -> str:
    """Why ``action`` cannot be taken on ``subject`` whatever a person adds; empty when it can."""
    choices = Choices(reason=_WITH_REASON.get(action, ""))
    try:
        plan(action, subject, held=held, assessment=assessment, choices=choices, moment=_PROBE)
    except RulingRefused as refused:
        return refused.why if refused.need is Need.NOTHING else ""
    return ""


def _on_proposal(
    action: str,
    proposal: Proposal,
    held: Held,
    assessment: Assessment | None,
    choices: Choices,
    moment: RulingMoment,
) -> RulingPlan:
    if action in ("ratify", "supersede"):
        if assessment is None:
            raise RulingRefused(f"{proposal.proposal_id} has not been verified")
        make = on_proposal.ratify if action == "ratify" else on_proposal.supersede
        return make(proposal, held, assessment, choices, moment)
    if action == "defer":
        return on_proposal.defer(proposal, choices, moment)
    if action == "tombstone":
        return on_proposal.tombstone(proposal, held, choices, moment)
    if action == "dismiss":
        return on_proposal.dismiss(proposal, held, choices, moment)
    if action == "edit":
        return edits.edit_proposal(proposal, choices, moment)
    raise RulingRefused(f"{action} is not for proposals")


def _on_memory(
    action: str, memory: Memory, held: Held, choices: Choices, moment: RulingMoment
) -> RulingPlan:
    if action == "ratify":
        return on_memory.confirm(memory, held, choices, moment)
    if action == "defer":
        return on_memory.postpone(memory, choices, moment)
    if action == "supersede":
        return on_memory.replace_by(memory, held, choices, moment)
    if action == "tombstone":
        return on_memory.retire(memory, held, choices, moment)
    if action == "edit":
        return edits.edit_memory(memory, choices, moment)
    if action == "contest":
        return on_memory.contest(memory, held, choices, moment)
    raise RulingRefused(f"{action} is not for memories")
