"""Steps that several rulings share, each giving note operations."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace
from datetime import date, timedelta
from typing import TypeVar

from proofstone.domain import ids, inquiries, note_fields
from proofstone.domain.plan import ChangeNote, CreateNote, NoteKind, NoteRef, Operation, Value
from proofstone.domain.records import (
    Holdings,
    Layer,
    Memory,
    Proposal,
    ProposalStatus,
    Ratification,
    Review,
    Standing,
    Tombstone,
)
from proofstone.domain.rulings.terms import Assessment, Choices, RulingMoment

Item = TypeVar("Item")

REVIEW_CADENCE_DAYS = {Layer.L1: 180, Layer.L2: 90}
"""Days until a memory is to be looked at again, where nobody chose otherwise."""

TITLE_LENGTH = 72
"""Characters of a statement that serve as its title where nobody gave one."""


_RULED_KEYS = ("ruled", "memory_id", "deferred", "original")
"""What a proposal that waits again no longer says."""


def title_of(statement: str) -> str:
    """A one-line title from a statement: its first sentence, cut at a word."""
    line = " ".join(statement.split())
    if len(line) <= TITLE_LENGTH:
        return line or "untitled"
    cut = line[: TITLE_LENGTH - 1]
    head, space, _ = cut.rpartition(" ")
    return (head if space and len(head) > TITLE_LENGTH // 2 else cut) + "…"


def next_review(
    moment: RulingMoment, layer: Layer, present: Review | None = None, until: str = ""
) -> Review:
    """The review after this ruling: on ``until``, else one cadence from now."""
    cadence = (present and present.cadence_days) or REVIEW_CADENCE_DAYS[layer]
    due = until or (date.fromisoformat(moment.date) + timedelta(days=cadence)).isoformat()
    condition = present.change_condition if present else ""
    return Review(cadence_days=cadence, next_review=due, change_condition=condition)


def memory_from(
    proposal: Proposal, moment: RulingMoment, assessment: Assessment, supersedes: tuple[str, ...]
) -> Memory:
    """The memory that a proposal becomes."""
    return Memory(
        memory_id=ids.memory_id_for(proposal.proposal_id),
        statement=proposal.statement,
        title=proposal.title or title_of(proposal.statement),
        layer=proposal.layer,
        scopes=proposal.scopes,
        scope_source=proposal.scope_source,
        type=proposal.type,
        tags=proposal.tags,
        aliases=proposal.aliases,
        keywords=proposal.keywords,
        profile=proposal.profile,
        kind=proposal.kind,
        rule_type=proposal.rule_type,
        normalized_key=assessment.normalized_key or proposal.normalized_key,
        confidence=proposal.confidence,
        stability=proposal.stability,
        evidence=proposal.evidence,
        trust_class=proposal.trust_class,
        durability_signal=proposal.durability_signal,
        poisoning_risk=assessment.report.poisoning_risk,
        verification=assessment.report.status.value,
        applies_when=proposal.applies_when,
        does_not_apply_when=proposal.does_not_apply_when,
        known_exceptions=proposal.known_exceptions,
        supersedes=supersedes,
        source=proposal.source,
        anchor=proposal.anchor,
        anchor_hash=proposal.anchor_hash,
        content_hash=ids.content_hash(proposal.statement),
        valid_from=proposal.valid_from,
        valid_to=proposal.valid_to,
        event_at=proposal.event_at,
        event_from=proposal.event_from,
        event_to=proposal.event_to,
        evidence_state=proposal.evidence_state,
        proof_hint=proposal.proof_hint,
        stale_if=proposal.stale_if,
        tainted=proposal.tainted,
        sources=proposal.sources,
        created=moment.time,
        updated=moment.time,
        due_date=proposal.due_date if proposal.type == "todo" else "",
        todo_status="active" if proposal.type == "todo" else "",
        review=next_review(moment, proposal.layer),
        ratified=Ratification(by=moment.author, at=moment.time, ruling=moment.ruling_id),
    )


def create_memory(memory: Memory) -> CreateNote:
    """The operation that puts a memory in force."""
    return CreateNote(
        ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
        fields=note_fields.memory_fields(memory),
        body=memory.statement,
    )


def to_history(
    memory: Memory,
    moment: RulingMoment,
    *,
    standing: Standing,
    superseded_by: str = "",
    invalidated_reason: str = "",
    keep_source: bool = False,
) -> ChangeNote:
    """Put this version of a memory into history, under an id that the version itself gives."""
    history_id = ids.history_id(memory.memory_id, memory.revision)
    changed: dict[str, Value] = {
        "memory_id": history_id,
        "active_memory_id": memory.memory_id,
        "archived_at": moment.time,
        "standing": standing.value,
    }
    if superseded_by:
        changed["superseded_by"] = superseded_by
    if invalidated_reason:
        changed["invalidated_reason"] = invalidated_reason
    return ChangeNote(
        ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
        revision=memory.revision,
        set=changed,
        moved_to=NoteRef(NoteKind.HISTORY, history_id),
        keep_source=keep_source,
    )


def close_proposal(
    proposal: Proposal,
    moment: RulingMoment,
    choices: Choices,
    status: ProposalStatus,
    memory_id: str = "",
) -> ChangeNote:
    """Move a proposal to the ruled ones, with who decided what, when and why."""
    ruled = replace(
        proposal,
        ruled_by=moment.author,
        ruled_at=moment.time,
        ruling=moment.ruling_id,
        ruling_reason=choices.reason,
    )
    changed: dict[str, Value] = {"status": status.value}
    if memory_id:
        changed["memory_id"] = memory_id
    fields = note_fields.ruled_fields(ruled)
    if fields is not None:
        changed["ruled"] = fields
    return ChangeNote(
        ref=NoteRef(NoteKind.PROPOSAL, proposal.proposal_id),
        revision=proposal.revision,
        set=changed,
        unset=("deferred",) if proposal.deferred else (),
        moved_to=NoteRef(NoteKind.RULED, proposal.proposal_id),
    )


def reopen(ruled: Proposal, proposal: Proposal) -> ChangeNote:
    """Bring a proposal that was ruled on back to the queue, as it is proposed now.

    It keeps its file and the evidence that it had.
    """
    evidence = union(ruled.evidence, proposal.evidence)
    return ChangeNote(
        ref=NoteRef(NoteKind.RULED, ruled.proposal_id),
        revision=ruled.revision,
        set={**note_fields.proposal_fields(proposal), "evidence": evidence},
        unset=_RULED_KEYS,
        body=proposal.statement,
        moved_to=NoteRef(NoteKind.PROPOSAL, proposal.proposal_id),
    )


def link_evidence(
    holdings: Holdings, evidence: Iterable[str], memory_id: str
) -> tuple[Operation, ...]:
    """Let each record of ``evidence`` say which memory now rests on it."""
    wanted = set(evidence)
    return tuple(
        ChangeNote(
            ref=NoteRef(NoteKind.EVIDENCE, record.evidence_id),
            revision=record.revision,
            set={"memory_ids": (*record.memory_ids, memory_id)},
        )
        for record in holdings.evidence
        if record.evidence_id in wanted and memory_id not in record.memory_ids
    )


def answer_inquiries(
    holdings: Holdings,
    subjects: Collection[str],
    moment: RulingMoment,
    answer: str,
    besides: str = "",
) -> tuple[Operation, ...]:
    """Close the open inquiries that concern any of ``subjects``: the ruling is their answer.

    Those that concern ``besides`` are left out: the same ruling closes them already.
    """
    return tuple(
        ChangeNote(
            ref=NoteRef(NoteKind.INQUIRY, inquiry.inquiry_id),
            revision=inquiry.revision,
            set={"status": inquiries.ANSWERED, "answered": moment.time, "answer": answer},
        )
        for inquiry in inquiries.concerning(holdings.inquiries, subjects)
        if besides not in inquiry.concerns
    )


def bury(deleted_id: str, statement: str, moment: RulingMoment, reason: str) -> CreateNote:
    """The audit-preserving marker for ``deleted_id``: a hash of the words, never the words."""
    tombstone = Tombstone(
        tombstone_id=ids.tombstone_id(deleted_id),
        deleted_id=deleted_id,
        deleted_at=moment.time,
        reason=reason,
        by=moment.author,
        content_hash=ids.content_hash(statement),
    )
    return CreateNote(
        ref=NoteRef(NoteKind.TOMBSTONE, tombstone.tombstone_id),
        fields=note_fields.tombstone_fields(tombstone),
    )


def union(*groups: Iterable[Item]) -> tuple[Item, ...]:
    """The items of all groups, each once, in the order of first sight."""
    return tuple(dict.fromkeys(item for group in groups for item in group))
