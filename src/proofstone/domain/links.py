"""Links between notes that lead nowhere, and notes that contradict what they link to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from proofstone.domain import ids
from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.records import (
    Holdings,
    Memory,
    Problem,
    Proposal,
    Standing,
    Statement,
)

_LINK_ADVICE = "Restore the note it names from history or backup, or edit the link away."


def broken_links(
    holdings: Holdings, may_be: Callable[[str], bool] = lambda _id: False
) -> tuple[Problem, ...]:
    """Ids in notes that name nothing that the vault holds or once held.

    ``may_be`` tells of an id whether it may be that of a note that cannot be read: such a note is
    shown as unreadable, and is not absent.
    """
    records = _Known({record.evidence_id for record in holdings.evidence}, may_be)
    memories = _Known(_memory_ids(holdings), may_be)
    proposals = _Known({proposal.proposal_id for proposal in holdings.proposals}, may_be)
    found: list[Problem] = []
    for memory in (*holdings.memories, *holdings.history):
        found += _links(memory, memory.memory_id, "evidence record", memory.evidence, records)
        found += _links(memory, memory.memory_id, "memory", memory.supersedes, memories)
        found += _links(memory, memory.memory_id, "memory", memory.superseded_by, memories)
    for proposal in holdings.proposals:
        subject = proposal.proposal_id
        found += _links(proposal, subject, "evidence record", proposal.evidence, records)
        target = (proposal.update_memory_id,) if proposal.update_memory_id else ()
        if proposal.is_waiting:
            found += _links(proposal, subject, "memory", target, memories)
        found += _links(proposal, subject, "memory", proposal.l1_sources, memories)
    for record in holdings.evidence:
        for memory_id in record.memory_ids:
            if memory_id not in memories:
                found.append(_broken(record.path, record.evidence_id, "memory", memory_id))
    for inquiry in holdings.inquiries:
        for concern in inquiry.concerns:
            if concern not in memories and concern not in proposals:
                found.append(
                    _broken(inquiry.path, inquiry.inquiry_id, "memory or proposal", concern)
                )
    return tuple(found)


def broken_bindings(
    proposals: Iterable[Proposal],
    units: Mapping[str, EvidenceUnit],
    cleaned_turns: Collection[str] = (),
) -> tuple[Problem, ...]:
    """Quotes of waiting proposals that no longer stand where their bindings say.

    Proposals of ``cleaned_turns``, whose captured text was removed on purpose, are passed over.
    """
    found: list[Problem] = []
    for proposal in proposals:
        if not proposal.is_waiting or proposal.turn in cleaned_turns:
            continue
        for claim in proposal.bindings:
            unit = units.get(claim.unit_id)
            if unit is None:
                message = f"it quotes the unit {claim.unit_id}, which no captured turn has"
            elif unit.text[claim.start : claim.end] != claim.quote:
                message = f"its quote does not stand at {claim.start}–{claim.end} of its unit"
            else:
                continue
            found.append(
                Problem(
                    code="broken_binding",
                    path=proposal.path,
                    subject=proposal.proposal_id,
                    message=f"{message}.",
                    advice="The captured text was changed or removed; defer or dismiss it.",
                )
            )
    return tuple(found)


def changed_content(holdings: Holdings) -> tuple[Problem, ...]:
    """Notes whose words are no longer those that their ``content_hash`` was taken of."""
    subjects: list[tuple[str, Statement]] = [
        *((memory.memory_id, memory) for memory in (*holdings.memories, *holdings.history)),
        *((proposal.proposal_id, proposal) for proposal in holdings.proposals),
    ]
    return tuple(
        Problem(
            code="changed_content",
            path=subject.path,
            subject=identifier,
            message="its words were changed by another hand since they were proposed or ratified.",
            advice="Read it again, then edit it here, or restore it.",
        )
        for identifier, subject in subjects
        if subject.content_hash and subject.content_hash != ids.content_hash(subject.statement)
    )


def returned_from_the_dead(
    holdings: Holdings, purged: Callable[[str], Collection[str]] = lambda _statement: ()
) -> tuple[Problem, ...]:
    """Memories in force although they, or the same words, were tombstoned.

    ``purged`` gives the ids of the purge markers that a statement has.
    """
    by_id = {stone.deleted_id: stone for stone in holdings.tombstones}
    by_content = {stone.content_hash: stone for stone in holdings.tombstones if stone.content_hash}
    by_name = {stone.tombstone_id: stone for stone in holdings.tombstones}
    found = []
    for memory in holdings.memories:
        stone = by_id.get(memory.memory_id) or by_content.get(ids.content_hash(memory.statement))
        if stone is None:
            stone = next((by_name[name] for name in purged(memory.statement)), None)
        if stone is not None:
            found.append(
                Problem(
                    code="tombstoned_in_force",
                    path=memory.path,
                    subject=memory.memory_id,
                    message=f"it is in force although it was tombstoned ({stone.reason}).",
                    advice="Tombstone it again, or remove the marker if it was a mistake.",
                )
            )
    return tuple(found)


def _memory_ids(holdings: Holdings) -> set[str]:
    """Ids of memories in force, of versions in history, and of what those versions were of."""
    known = {memory.memory_id for memory in holdings.memories}
    for version in holdings.history:
        known.add(version.memory_id)
        if version.active_memory_id:
            known.add(version.active_memory_id)
    # What was purged is known by its marker alone.
    known.update(stone.deleted_id for stone in holdings.tombstones)
    return known


@dataclass(frozen=True, slots=True)
class _Known:
    """The ids that a link may lead to: those that were read, and those that may lie unread."""

    ids: set[str]
    may_be: Callable[[str], bool]

    def __contains__(self, identifier: str) -> bool:
        return identifier in self.ids or self.may_be(identifier)


def _links(
    note: Statement, subject: str, kind: str, named: Iterable[str], known: _Known
) -> Iterator[Problem]:
    return (_broken(note.path, subject, kind, id) for id in named if id not in known)


def _broken(path: str, subject: str, kind: str, named: str) -> Problem:
    return Problem(
        code="broken_link",
        path=path,
        subject=subject,
        message=f"it names the {kind} {named}, which is not there.",
        advice=_LINK_ADVICE,
    )


def standing_faults(memories: Iterable[Memory]) -> tuple[Problem, ...]:
    """Memories in force whose standing belongs to history."""
    return tuple(
        Problem(
            code="wrong_standing",
            path=memory.path,
            subject=memory.memory_id,
            message=f"it is in force, and its standing says {memory.standing.value}.",
            advice="Move it to history by a ruling, or set its standing to active.",
        )
        for memory in memories
        if memory.standing in (Standing.SUPERSEDED, Standing.DELETED)
    )
