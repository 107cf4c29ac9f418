"""What agents may read: memories that a person ratified, and how much waits (spec page 8).

Nothing here rules on anything. Proposals are told by id alone: their words have not been decided
on, and an agent that read them would remember them all the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from proofstone.curation import framing
from proofstone.curation.anchored import anchor_root, anchored_file, file_hash
from proofstone.curation.context import Context
from proofstone.curation.live import LiveNotes, Note
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import NoteKind
from proofstone.domain.recall import RecallIndex
from proofstone.domain.records import Memory, Proposal, ProposalStatus, Tombstone

DEFAULT_LIMIT = 8
MAX_LIMIT = 50
MAX_QUERY_CHARACTERS = 2_000
SEARCH_CHARACTERS = 2_000
"""How much of a statement a search shows."""
GET_CHARACTERS = 200_000
PENDING_IDS = 500
"""How many ids of waiting proposals are listed."""


class Reader:
    """Answers agents' questions about one vault, from what its files say now."""

    def __init__(self, notes: LiveNotes, context: Context) -> None:
        self._notes = notes
        self._context = context
        self._index = RecallIndex()
        notes.listen(self._take)

    def search(self, query: str, *, limit: int = DEFAULT_LIMIT, project: str = "") -> list[str]:
        """The ratified memories that answer ``query``, best first, each framed as data.

        The first text says what was found, or that nothing was. With ``project``, memories of
        other projects are left out and global ones stay.

        Raises ProofstoneError for a query or limit out of bounds, or when there is no vault.
        """
        if not query.strip() or len(query) > MAX_QUERY_CHARACTERS:
            raise ProofstoneError(f"query must have 1 to {MAX_QUERY_CHARACTERS} characters")
        if not 1 <= limit <= MAX_LIMIT:
            raise ProofstoneError(f"limit must be from 1 to {MAX_LIMIT}")
        self._notes.refresh()

        def is_of_project(memory_id: str) -> bool:
            memory = self._ratified(memory_id)
            return memory is not None and (not project or memory.project in ("", project))

        hits = self._index.search(query, limit, accept=is_of_project)
        asked = framing.value(query)
        if not hits:
            return [f"No ratified memory matches “{asked}”. Nothing is known here about it."]
        count = f"{len(hits)} ratified memor{'y matches' if len(hits) == 1 else 'ies match'}"
        texts = [f"{count} “{asked}”. {framing.NOTICE}"]
        for hit in hits:
            memory = self._ratified(hit.id)
            assert memory is not None
            texts.append(self._framed(memory, SEARCH_CHARACTERS, hit.score))
        return texts

    def get(self, memory_id: str) -> list[str]:
        """The ratified memory ``memory_id``, framed as data; else a line that says what it is.

        Raises ProofstoneError when there is no vault.
        """
        self._notes.refresh()
        memory = self._ratified(memory_id)
        if memory is None:
            return [f"“{framing.value(memory_id)}”: {self._why_not(memory_id)}"]
        return [framing.NOTICE, self._framed(memory, GET_CHARACTERS)]

    def pending(self) -> dict[str, Any]:
        """How many proposals wait for a person, open and deferred, and their ids.

        Raises ProofstoneError when there is no vault.
        """
        self._notes.refresh()
        waiting = [
            note
            for note in self._notes.notes(NoteKind.PROPOSAL)
            if isinstance(note, Proposal) and note.is_waiting
        ]
        ids = sorted(note.proposal_id for note in waiting)
        return {
            "open": sum(note.status is ProposalStatus.OPEN for note in waiting),
            "deferred": sum(note.status is ProposalStatus.DEFERRED for note in waiting),
            "ids": ids[:PENDING_IDS],
            "ids_left_off": max(0, len(ids) - PENDING_IDS),
        }

    def _ratified(self, memory_id: str) -> Memory | None:
        note = self._notes.get(NoteKind.MEMORY, memory_id)
        return note if isinstance(note, Memory) and note.ratified is not None else None

    def _why_not(self, memory_id: str) -> str:
        if self._notes.get(NoteKind.MEMORY, memory_id) is not None:
            return "no person has ratified this memory yet, so it is not given out."
        waiting = self._notes.get(NoteKind.PROPOSAL, memory_id)
        if isinstance(waiting, Proposal) and waiting.is_waiting:
            return "a proposal that waits for a person's ruling; it is not a memory yet."
        for stone in self._notes.notes(NoteKind.TOMBSTONE):
            if isinstance(stone, Tombstone) and stone.deleted_id == memory_id:
                return "forgotten by a person's ruling."
        return "no memory in force has this id."

    def _framed(self, memory: Memory, limit: int, score: float | None = None) -> str:
        return framing.memory(
            memory,
            now=self._context.timestamp(),
            drift=self._drift(memory),
            score=score,
            limit=limit,
        )

    def _drift(self, memory: Memory) -> str:
        """What became of the file that a memory's anchor names, when that was recorded."""
        root = anchor_root(self._notes.root, self._notes.settings.anchor_root)
        file: Path | None = anchored_file(root, memory.anchor) if memory.anchor_hash else None
        if file is None:
            return ""
        present = file_hash(file)
        if present is None:
            return "the file is gone or cannot be read"
        return "" if present == memory.anchor_hash else "the file has changed since"

    def _take(self, kind: NoteKind, was: Note | None, now: Note | None) -> None:
        if kind is not NoteKind.MEMORY:
            return
        if isinstance(was, Memory):
            self._index.remove(was.memory_id)
        if isinstance(now, Memory) and now.ratified is not None:
            labels = (*now.tags, *now.keywords, *now.aliases, now.kind, now.memory_id)
            self._index.add(now.memory_id, "\n".join((now.title, now.statement, *labels)))
