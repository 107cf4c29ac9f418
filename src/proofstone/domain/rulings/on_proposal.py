"""Rulings on a proposal: ratify, defer, supersede, tombstone, dismiss (spec page 6)."""

from __future__ import annotations

from datetime import date

from proofstone.domain import note_fields
from proofstone.domain.plan import ChangeNote, NoteKind, NoteRef, Operation, RulingPlan, Value
from proofstone.domain.records import (
    Deferral,
    MatchKind,
    Memory,
    Proposal,
    ProposalStatus,
    Standing,
)
from proofstone.domain.rulings import guards, steps
from proofstone.domain.rulings.terms import (
    DEFER_REASONS,
    DISMISS_REASONS,
    NEW_MEMORY,
    TOMBSTONE_REASONS,
    Assessment,
    Choices,
    Held,
    Need,
    RulingMoment,
    RulingRefused,
)


def ratify(
    proposal: Proposal, held: Held, assessment: Assessment, choices: Choices, moment: RulingMoment
) -> RulingPlan:
    """Put the proposal in force: as a new memory, or into the one that it updates or repeats."""
    guards.require_waiting(proposal)
    guards.require_admissible(proposal, assessment, choices)
    target = _target_of(proposal, held, assessment, choices)
    if target is None:
        return _ratify_new(proposal, held, assessment, choices, moment)
    if assessment.match_kind is MatchKind.DUPLICATE and not proposal.update_memory_id:
        return _strengthen(proposal, target, held, choices, moment)
    return _update(proposal, target, held, assessment, choices, moment)


def supersede(
    proposal: Proposal, held: Held, assessment: Assessment, choices: Choices, moment: RulingMoment
) -> RulingPlan:
    """Put the proposal in force and send the memories that it replaces to history."""
    guards.require_waiting(proposal)
    guards.require_admissible(proposal, assessment, choices)
    if not choices.target:
        raise RulingRefused("choose at least one memory that it replaces", Need.TARGET)
    replaced = tuple(held.target(memory_id) for memory_id in steps.union(choices.target))
    memory = steps.memory_from(
        proposal, moment, assessment, supersedes=tuple(old.memory_id for old in replaced)
    )
    _require_new(memory.memory_id, held)
    return RulingPlan(
        ruling=moment.ruling("supersede", proposal.proposal_id, choices),
        operations=(
            steps.create_memory(memory),
            *(
                steps.to_history(
                    old, moment, standing=Standing.SUPERSEDED, superseded_by=memory.memory_id
                )
                for old in replaced
            ),
            *_close(proposal, held, choices, moment, ProposalStatus.SUPERSEDING, memory.memory_id),
            *steps.answer_inquiries(
                held.holdings,
                tuple(old.memory_id for old in replaced),
                moment,
                f"superseded by {memory.memory_id}",
                besides=proposal.proposal_id,
            ),
        ),
        summary=f"{memory.memory_id} replaces {', '.join(old.memory_id for old in replaced)}",
    )


def defer(proposal: Proposal, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Let the proposal wait, with a reason, and optionally until a date."""
    guards.require_waiting(proposal)
    guards.require_one_of(choices.reason, DEFER_REASONS, "defer")
    if choices.until:
        require_date(choices.until)
    deferral = Deferral(reason=choices.reason, note=choices.note, until=choices.until)
    if proposal.status is ProposalStatus.DEFERRED and proposal.deferred == deferral:
        raise RulingRefused("already deferred for that reason until then")
    return RulingPlan(
        ruling=moment.ruling("defer", proposal.proposal_id, choices),
        operations=(
            ChangeNote(
                ref=NoteRef(NoteKind.PROPOSAL, proposal.proposal_id),
                revision=proposal.revision,
                set={
                    "status": ProposalStatus.DEFERRED.value,
                    "deferred": note_fields.deferral_fields(deferral),
                },
            ),
        ),
        summary=f"deferred ({choices.reason})"
        + (f" until {choices.until}" if choices.until else ""),
    )


def tombstone(proposal: Proposal, held: Held, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Refuse the proposal for good: the same id or content cannot be proposed again."""
    guards.require_waiting(proposal)
    guards.require_one_of(choices.reason, TOMBSTONE_REASONS, "tombstone")
    return RulingPlan(
        ruling=moment.ruling("tombstone", proposal.proposal_id, choices),
        operations=(
            steps.bury(proposal.proposal_id, proposal.statement, moment, choices.reason),
            *_close(proposal, held, choices, moment, ProposalStatus.TOMBSTONED),
        ),
        summary=f"tombstoned ({choices.reason}); it cannot come back",
    )


def dismiss(proposal: Proposal, held: Held, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Close the proposal as no change; it may be proposed again."""
    guards.require_waiting(proposal)
    guards.require_one_of(choices.reason, DISMISS_REASONS, "dismiss")
    return RulingPlan(
        ruling=moment.ruling("dismiss", proposal.proposal_id, choices),
        operations=_close(proposal, held, choices, moment, ProposalStatus.DISMISSED),
        summary=f"dismissed ({choices.reason})",
    )


def require_date(text: str) -> None:
    """Refuse what is no date.

    Raises:
        RulingRefused: ``text`` is not YYYY-MM-DD.
    """
    try:
        valid = date.fromisoformat(text).isoformat() == text
    except ValueError:
        valid = False
    if not valid:
        raise RulingRefused(f"“{text}” is no date; write YYYY-MM-DD")


def _target_of(
    proposal: Proposal, held: Held, assessment: Assessment, choices: Choices
) -> Memory | None:
    """The memory that ratifying changes, or None when it makes a new one."""
    if choices.target == (NEW_MEMORY,):
        return None
    if len(choices.target) > 1:
        raise RulingRefused(
            "ratifying updates one memory; to replace several, supersede them", Need.TARGET
        )
    if choices.target:
        return held.target(choices.target[0])
    offered = offered_target(proposal, assessment.match_kind, assessment.matched)
    return held.target(offered) if offered else None


def offered_target(proposal: Proposal, match_kind: MatchKind, matched: tuple[str, ...]) -> str:
    """The id of the memory that ratifying would change where nobody chose; empty for none."""
    if proposal.update_memory_id:
        return proposal.update_memory_id
    changes_one = match_kind in (MatchKind.UPDATES_EXISTING, MatchKind.DUPLICATE)
    return matched[0] if changes_one and len(matched) == 1 else ""


def _ratify_new(
    proposal: Proposal, held: Held, assessment: Assessment, choices: Choices, moment: RulingMoment
) -> RulingPlan:
    memory = steps.memory_from(proposal, moment, assessment, supersedes=proposal.supersedes)
    _require_new(memory.memory_id, held)
    return RulingPlan(
        ruling=moment.ruling("ratify", proposal.proposal_id, choices),
        operations=(
            steps.create_memory(memory),
            *_close(proposal, held, choices, moment, ProposalStatus.RATIFIED, memory.memory_id),
        ),
        summary=f"ratified as {memory.memory_id}",
    )


def _update(
    proposal: Proposal,
    target: Memory,
    held: Held,
    assessment: Assessment,
    choices: Choices,
    moment: RulingMoment,
) -> RulingPlan:
    """Give the target the new words under its own id; its old version goes to history."""
    words = steps.memory_from(proposal, moment, assessment, supersedes=())
    fields = note_fields.memory_fields(words)
    described = ("trust_class", "durability_signal", "poisoning_risk", "verification")
    provenance = ("source", "anchor", "anchor_hash", "normalized_key", "scope_source", "confidence")
    changed: dict[str, Value] = {
        key: fields[key] for key in (*described, *provenance) if key in fields
    }
    changed |= {
        "title": words.title,
        "updated": moment.time,
        "content_hash": words.content_hash,
        "review": fields["review"],
        "ratified": fields["ratified"],
    }
    evidence = steps.union(proposal.evidence, target.evidence)
    if evidence:
        changed["evidence"] = evidence
    sources = steps.union(target.sources, proposal.sources)
    if proposal.sources and sources != target.sources:
        changed["sources"] = tuple(note_fields.source_fields(source) for source in sources)
    if proposal.tainted:
        changed["tainted"] = True
    return RulingPlan(
        ruling=moment.ruling("ratify", proposal.proposal_id, choices),
        operations=(
            steps.to_history(
                target,
                moment,
                standing=Standing.SUPERSEDED,
                superseded_by=target.memory_id,
                keep_source=True,
            ),
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, target.memory_id),
                revision=target.revision,
                set=changed,
                body=proposal.statement,
            ),
            *_close(proposal, held, choices, moment, ProposalStatus.RATIFIED, target.memory_id),
        ),
        summary=f"{target.memory_id} updated; its earlier version is in history",
    )


def _strengthen(
    proposal: Proposal, target: Memory, held: Held, choices: Choices, moment: RulingMoment
) -> RulingPlan:
    """Add the proposal's evidence to a memory that already says the same."""
    evidence = steps.union(target.evidence, proposal.evidence)
    changed: dict[str, Value] = {"updated": moment.time}
    if evidence != target.evidence:
        changed["evidence"] = evidence
    return RulingPlan(
        ruling=moment.ruling("ratify", proposal.proposal_id, choices),
        operations=(
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, target.memory_id),
                revision=target.revision,
                set=changed,
            ),
            *_close(proposal, held, choices, moment, ProposalStatus.RATIFIED, target.memory_id),
        ),
        summary=f"{target.memory_id} strengthened with {len(evidence) - len(target.evidence)} "
        "more evidence records",
    )


def _close(
    proposal: Proposal,
    held: Held,
    choices: Choices,
    moment: RulingMoment,
    status: ProposalStatus,
    memory_id: str = "",
) -> tuple[Operation, ...]:
    """Close the proposal, link its evidence when it is in force, answer its inquiries."""
    linked: tuple[Operation, ...] = ()
    if memory_id:
        linked = steps.link_evidence(held.holdings, proposal.evidence, memory_id)
    answer = f"{status.value}: {memory_id or choices.reason}"
    return (
        steps.close_proposal(proposal, moment, choices, status, memory_id),
        *linked,
        *steps.answer_inquiries(held.holdings, (proposal.proposal_id,), moment, answer),
    )


def _require_new(memory_id: str, held: Held) -> None:
    if held.memory(memory_id) is not None:
        raise RulingRefused(f"{memory_id} is already in force: the same proposal was ratified")
