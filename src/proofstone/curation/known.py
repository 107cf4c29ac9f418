"""What captures are compared with, kept current as notes change (spec page 4, Capture)."""

from __future__ import annotations

from collections import defaultdict

from proofstone.curation.live import LiveNotes, Note
from proofstone.curation.purged import purged_contents
from proofstone.domain import ids
from proofstone.domain.capture_held import Held, HeldItem
from proofstone.domain.late_siblings import LateSiblings
from proofstone.domain.matching import MemoryIndex
from proofstone.domain.plan import NoteKind
from proofstone.domain.records import Memory, Proposal, ProposalStatus, Tombstone
from proofstone.domain.siblings import SiblingIndex
from proofstone.domain.tombstone_index import TombstoneIndex
from proofstone.vault.unmade import Sketcher, words_of

_WAITING = ("", ProposalStatus.OPEN.value, ProposalStatus.DEFERRED.value)
"""States of proposals that wait; one without any is open."""


class Known:
    """The indexes of one vault: contents, siblings, keys and tombstones.

    They follow ``LiveNotes`` note by note, so that one capture costs no pass over all others.
    ``for_few`` says that few captures will ask: then siblings are not indexed.
    """

    def __init__(self, notes: LiveNotes, *, for_few: bool = False) -> None:
        self._root = notes.root
        siblings = LateSiblings() if for_few else SiblingIndex()
        self.held = Held(TombstoneIndex.of(()), siblings=siblings)
        self.memories = MemoryIndex(self._memory_now)
        self._tombstones: dict[str, Tombstone] = {}
        self._are_tombstones_current = True
        self._ruled: dict[str, dict[str, Proposal]] = defaultdict(dict)
        self._notes = notes
        self._sketcher = Sketcher()
        notes.listen(self._take, self._take_plain)

    def settle(self) -> None:
        """Bring in what is indexed as a whole; call it after each refresh of the notes."""
        if not self._are_tombstones_current:
            stones = self._tombstones.values()
            self.held.tombstones = TombstoneIndex.of(stones, purged_contents(self._root, stones))
            self._are_tombstones_current = True

    def _take(self, kind: NoteKind, was: Note | None, now: Note | None) -> None:
        match kind:
            case NoteKind.MEMORY:
                self._take_memory(_memory(was), _memory(now))
            case NoteKind.HISTORY:
                self._take_version(_memory(was), _memory(now))
            case NoteKind.PROPOSAL:
                self._take_proposal(_proposal(was), _proposal(now))
            case NoteKind.RULED:
                self._take_ruled(_proposal(was), _proposal(now))
            case NoteKind.TOMBSTONE:
                for stone in (was, now):
                    if isinstance(stone, Tombstone):
                        self._tombstones.pop(stone.tombstone_id, None)
                if isinstance(now, Tombstone):
                    self._tombstones[now.tombstone_id] = now
                self._are_tombstones_current = False

    def _take_plain(self, kind: NoteKind, identifier: str, data: bytes) -> bool:
        """Take in a memory or a proposal of the first reading without making its record."""
        if kind not in (NoteKind.MEMORY, NoteKind.PROPOSAL):
            return False
        said = words_of(data)
        digest = ids.content_hash(said.text)
        if kind is NoteKind.PROPOSAL:
            if said.state not in _WAITING:
                return False
            item = HeldItem(identifier, False, False, digest, self._proposal_now)
        else:
            sketch = self._sketcher.sketch(identifier, data)
            self.memories.take(sketch)
            item = HeldItem(identifier, True, sketch.is_active, digest, self._held_memory)
        self.held.take(item, said.text, said.created)
        return True

    def _memory_now(self, memory_id: str) -> Memory | None:
        return _memory(self._notes.get(NoteKind.MEMORY, memory_id))

    def _held_memory(self, memory_id: str) -> Memory:
        found = self._memory_now(memory_id)
        assert found is not None, "what is held is among the notes"
        return found

    def _proposal_now(self, proposal_id: str) -> Proposal:
        found = _proposal(self._notes.get(NoteKind.PROPOSAL, proposal_id))
        assert found is not None, "what is held is among the notes"
        return found

    def _take_memory(self, was: Memory | None, now: Memory | None) -> None:
        if was is not None:
            # Earlier wordings of a memory lead to it as long as it is in force, and no longer.
            self._forget_wordings(was.memory_id)
            self.held.remove(was.memory_id)
            self.memories.forget(was)
        if now is not None:
            self.held.add(now)
            self.memories.put(now)
            for proposal in self._ruled.get(now.memory_id, {}).values():
                self.held.add(proposal)

    def _take_version(self, was: Memory | None, now: Memory | None) -> None:
        if was is not None:
            for name in (was.memory_id, was.active_memory_id):
                if name not in self.held.by_id:
                    self.held.known_ids.discard(name)
        if now is not None:
            names = filter(None, (now.memory_id, now.active_memory_id))
            self.held.known_ids.update(names)
            self.memories.note_gone(now)

    def _take_proposal(self, was: Proposal | None, now: Proposal | None) -> None:
        if was is not None:
            self.held.remove(was.proposal_id)
        if now is not None:
            self.held.add(now)

    def _take_ruled(self, was: Proposal | None, now: Proposal | None) -> None:
        if was is not None:
            self._forget_wordings(was.memory_id)
            self._ruled[was.memory_id].pop(was.proposal_id, None)
        if now is not None:
            self._ruled[now.memory_id][now.proposal_id] = now
        for memory_id in {note.memory_id for note in (was, now) if note is not None}:
            for proposal in self._ruled[memory_id].values():
                self.held.add(proposal)

    def _forget_wordings(self, memory_id: str) -> None:
        """Forget the proposals' wordings that lead to a memory; its own one stays."""
        for proposal in self._ruled.get(memory_id, {}).values():
            for text in filter(None, (proposal.original_statement, proposal.statement)):
                digest = ids.content_hash(text)
                found = self.held.by_content.get(digest)
                if found is not None and found.id == memory_id and found.digest != digest:
                    del self.held.by_content[digest]


def _memory(note: Note | None) -> Memory | None:
    return note if isinstance(note, Memory) else None


def _proposal(note: Note | None) -> Proposal | None:
    return note if isinstance(note, Proposal) else None
