"""Notes in a store's companion folder: what the store itself has no place for.

They lie in the rooms of a vault and are written as a vault's notes are: deferrals, who ruled and
why, ratifications and review dates, earlier versions, tombstones. A note says something *of* a
record of the store, so the store's own words always count: a deferral says nothing any more once
the store's program has settled the candidate, and a ratification nothing of other words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from proofstone.domain import note_fields
from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    NoteKind,
    NoteRef,
    Operation,
    RemoveNote,
    RulingPlan,
    Value,
)
from proofstone.domain.records import (
    EvidenceRecord,
    Holdings,
    Inquiry,
    Memory,
    Problem,
    Proposal,
    ProposalStatus,
    Tombstone,
)
from proofstone.stores.port import Keeping, Pending, StoreContents
from proofstone.vault import layout
from proofstone.vault.note_reader import NoteReader
from proofstone.vault.reading import MAX_NOTE_BYTES, not_read, read_one
from proofstone.vault.records import Record
from proofstone.vault.rows import id_of
from proofstone.vault.swap import BESIDE
from proofstone.vault.walk import walk

Kept = TypeVar("Kept", Memory, Proposal, EvidenceRecord, Tombstone, Inquiry)

_SAID_OF_MEMORIES = ("ratified", "review", "supersedes")
_RULED = {
    ProposalStatus.RATIFIED: (ProposalStatus.RATIFIED, ProposalStatus.SUPERSEDING),
    ProposalStatus.DISMISSED: (ProposalStatus.DISMISSED, ProposalStatus.TOMBSTONED),
}
"""What a ruling may have been, by what the store says became of the candidate."""


@dataclass(frozen=True, slots=True)
class CompanionNotes:
    """The notes by kind and id, and what is wrong with them."""

    records: Mapping[NoteKind, Mapping[str, Record]]
    problems: tuple[Problem, ...]

    def of(self, kind: NoteKind, identifier: str) -> Record | None:
        """The note of this kind and id, or None."""
        return self.records[kind].get(identifier)

    @property
    def tombstones(self) -> tuple[Tombstone, ...]:
        """The tombstones that the store has no place for."""
        return _all(self, NoteKind.TOMBSTONE, Tombstone)


def read(state: Path, pending: Pending) -> CompanionNotes:
    """The notes of the companion folder ``state``, with ``pending`` written; it may be missing."""
    records: dict[NoteKind, dict[str, Record]] = {kind: {} for kind in layout.ROOMS}
    problems: list[Problem] = []
    reader = NoteReader()
    # By path, so that what is to be written is read in the order in which it will be.
    for kind, path, data in sorted(_notes(state, pending, problems), key=lambda note: note[1]):
        record, found = reader.read(kind, data, BESIDE + path)
        problems += found
        if record is not None:
            records[kind].setdefault(id_of(record), record)
    return CompanionNotes(records, tuple(problems))


def merged(
    store: StoreContents, notes: CompanionNotes, keeps_review: bool, *, keeps_proposals: bool = True
) -> Holdings:
    """What the store holds together with what the notes say of it.

    Where the store has no proposals of its own (``keeps_proposals`` false), those that wait or were
    ruled on beside it are whole, and so is their evidence.
    """
    held = store.holdings
    own = (NoteKind.PROPOSAL, NoteKind.RULED) if not keeps_proposals else ()
    evidence = () if keeps_proposals else _all(notes, NoteKind.EVIDENCE, EvidenceRecord)
    return replace(
        held,
        memories=tuple(_told_memory(memory, notes, keeps_review) for memory in held.memories),
        history=(*held.history, *_all(notes, NoteKind.HISTORY, Memory)),
        proposals=(
            *(_told_proposal(proposal, notes) for proposal in held.proposals),
            *(proposal for kind in own for proposal in _all(notes, kind, Proposal)),
        ),
        evidence=(*held.evidence, *evidence),
        tombstones=(*held.tombstones, *notes.tombstones),
        inquiries=(*held.inquiries, *_all(notes, NoteKind.INQUIRY, Inquiry)),
        problems=(*held.problems, *notes.problems),
    )


def path_of(ref: NoteRef) -> str:
    """Where the note of ``ref`` belongs in the companion folder, whatever its id is."""
    return _odd_path(ref) if layout.name_fault(ref.id) else layout.note_path(ref)


def note_plan(
    plan: RulingPlan, holdings: Holdings, notes: CompanionNotes, keeping: Keeping
) -> tuple[RulingPlan, Mapping[NoteRef, str]]:
    """What of ``plan`` is kept beside the store, and where notes of odd ids lie."""
    planning = _Planning(holdings, notes, keeping)
    operations = tuple(found for one in plan.operations for found in planning.beside(one))
    refs = {
        ref
        for one in operations
        for ref in (one.ref, one.moved_to if isinstance(one, ChangeNote) else None)
        if ref is not None
    }
    paths = {ref: _odd_path(ref) for ref in refs if layout.name_fault(ref.id)}
    return replace(plan, operations=operations), paths


class _Planning:
    def __init__(self, holdings: Holdings, notes: CompanionNotes, keeping: Keeping) -> None:
        self._memories = {memory.memory_id: memory for memory in holdings.memories}
        self._notes = notes
        self._keeping = keeping

    def beside(self, operation: Operation) -> Iterator[Operation]:
        """The operations on notes that ``operation`` on the store leaves to be done."""
        match operation.ref.kind:
            case NoteKind.MEMORY:
                yield from self._memory(operation)
            case NoteKind.PROPOSAL if NoteKind.PROPOSAL in self._keeping.kinds:
                if isinstance(operation, ChangeNote):
                    yield from self._proposal(operation)
            case kind if kind not in self._keeping.kinds:
                yield operation

    def _memory(self, operation: Operation) -> Iterator[Operation]:
        match operation:
            case CreateNote():
                said = self._said(operation.fields)
                yield from self._say(NoteKind.MEMORY, operation.ref.id, operation.fields, said)
            case ChangeNote(moved_to=None):
                memory = self._memories[operation.ref.id]
                said = self._said(operation.set)
                about = note_fields.memory_fields(memory) | dict(operation.set)
                yield from self._say(NoteKind.MEMORY, memory.memory_id, about, said)
            case ChangeNote():
                memory = self._memories[operation.ref.id]
                if operation.keep_source or not self._keeping.ended:
                    yield self._version(memory, operation)
                if not operation.keep_source:
                    yield from self._forget(NoteKind.MEMORY, memory.memory_id)

    def _version(self, memory: Memory, operation: ChangeNote) -> CreateNote:
        assert operation.moved_to is not None
        fields = note_fields.memory_fields(memory) | dict(operation.set)
        return CreateNote(ref=operation.moved_to, fields=fields, body=memory.statement)

    def _proposal(self, operation: ChangeNote) -> Iterator[Operation]:
        identifier = operation.ref.id
        about: dict[str, Value] = {"proposal_id": identifier, "layer": "L2"}
        if operation.moved_to is None:
            yield from self._say(NoteKind.PROPOSAL, identifier, about, operation.set)
        else:
            yield from self._forget(NoteKind.PROPOSAL, identifier)
            yield from self._say(NoteKind.RULED, identifier, about, operation.set)

    def _said(self, fields: Mapping[str, Value]) -> dict[str, Value]:
        """What of a memory's keys the store does not hold itself."""
        return {
            key: fields[key]
            for key in _SAID_OF_MEMORIES
            if key in fields and key not in self._keeping.memory_keys
        }

    def _say(
        self,
        kind: NoteKind,
        identifier: str,
        about: Mapping[str, Value],
        said: Mapping[str, Value],
    ) -> Iterator[Operation]:
        """Add to the note of this id, or begin one."""
        if not said:
            return
        if "content_hash" in about:
            said = {"content_hash": about["content_hash"], **said}
        ref = NoteRef(kind, identifier)
        present = self._notes.of(kind, identifier)
        if present is not None:
            yield ChangeNote(ref=ref, revision=present.revision, set=said)
            return
        named = {key: about[key] for key in _NAMED if key in about}
        yield CreateNote(ref=ref, fields={**named, **said})

    def _forget(self, kind: NoteKind, identifier: str) -> Iterator[Operation]:
        present = self._notes.of(kind, identifier)
        if present is not None:
            yield RemoveNote(ref=NoteRef(kind, identifier), revision=present.revision)


_NAMED = ("memory_id", "proposal_id", "layer")


def _told_memory(memory: Memory, notes: CompanionNotes, keeps_review: bool) -> Memory:
    note = notes.of(NoteKind.MEMORY, memory.memory_id)
    if not isinstance(note, Memory):
        return memory
    same_words = note.content_hash == memory.content_hash
    return replace(
        memory,
        ratified=note.ratified if same_words else memory.ratified,
        review=memory.review if keeps_review else note.review,
        supersedes=tuple(dict.fromkeys((*memory.supersedes, *note.supersedes))),
    )


def _told_proposal(proposal: Proposal, notes: CompanionNotes) -> Proposal:
    if proposal.status is ProposalStatus.OPEN:
        note = notes.of(NoteKind.PROPOSAL, proposal.proposal_id)
        if isinstance(note, Proposal) and note.status is ProposalStatus.DEFERRED:
            return replace(proposal, status=note.status, deferred=note.deferred)
    note = notes.of(NoteKind.RULED, proposal.proposal_id)
    if not isinstance(note, Proposal):
        return proposal
    if note.status not in _RULED.get(proposal.status, _says_nothing(proposal)):
        return proposal
    return replace(
        proposal,
        status=note.status,
        memory_id=note.memory_id or proposal.memory_id,
        ruled_by=note.ruled_by,
        ruled_at=note.ruled_at,
        ruling=note.ruling,
        ruling_reason=note.ruling_reason,
    )


def _says_nothing(proposal: Proposal) -> tuple[ProposalStatus, ...]:
    """What may be said of an open proposal: a store's report keeps no status of its own."""
    return tuple(ProposalStatus) if proposal.origin == "consolidation" else ()


def _notes(
    state: Path, pending: Pending, problems: list[Problem]
) -> Iterator[tuple[NoteKind, str, bytes]]:
    """Every note by kind and path, with its bytes."""
    for kind, room in layout.ROOMS.items():
        for found in walk(state, room, ".md", without=layout.rooms_below(room)):
            if found.path in pending:
                continue
            data = read_one(state, found, MAX_NOTE_BYTES)
            if isinstance(data, OSError):
                problems.append(not_read(replace(found, path=BESIDE + found.path), data))
            else:
                yield kind, found.path, data
    for path, content in pending.items():
        room_kind = layout.room_of(path)
        if content is not None and room_kind is not None:
            yield room_kind, path, content


def _all(notes: CompanionNotes, kind: NoteKind, of: type[Kept]) -> tuple[Kept, ...]:
    found: Iterable[Record] = notes.records[kind].values()
    return tuple(record for record in found if isinstance(record, of))


def _odd_path(ref: NoteRef) -> str:
    """Where the note of an id lies that cannot be a file name: ids come from other programs."""
    name = sha256(ref.id.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{layout.ROOMS[ref.kind]}/{name}.md"
