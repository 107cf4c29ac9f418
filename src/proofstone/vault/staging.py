"""What a vault would hold with some changes written, worked out without writing them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256
from typing import TypeVar

from proofstone.domain.plan import FileChange, NoteKind
from proofstone.domain.records import (
    EvidenceRecord,
    Inquiry,
    Memory,
    Problem,
    Proposal,
    Tombstone,
)
from proofstone.vault import layout
from proofstone.vault.frontmatter import parse
from proofstone.vault.gate_store import GateRecordError, read_gate
from proofstone.vault.records import Record, read_record
from proofstone.vault.vault import VaultContents

Kept = TypeVar("Kept", Memory, Proposal, EvidenceRecord, Tombstone, Inquiry)


def after(contents: VaultContents, changes: Iterable[FileChange]) -> VaultContents:
    """``contents`` as they would be with ``changes`` written: notes and Gate answers."""
    last = {change.path: change.after for change in changes}
    fresh: list[tuple[NoteKind, Record]] = []
    problems = [problem for problem in contents.problems if problem.path not in last]
    note_problems = [problem for problem in contents.holdings.problems if problem.path not in last]
    gate = {turn: record for turn, record in contents.gate.items() if record.path not in last}
    for path, data in last.items():
        if data is None:
            continue
        kind = layout.room_of(path)
        if kind is not None:
            record, found = read_record(kind, parse(data), path, sha256(data).hexdigest())
            note_problems += found
            problems += found
            if record is not None:
                fresh.append((kind, record))
        elif path.startswith(f"{layout.GATE}/"):
            try:
                answer = read_gate(data, path)
                gate[answer.turn] = answer
            except GateRecordError as error:
                problems.append(
                    Problem(code="unreadable_gate_answer", path=path, message=str(error))
                )
    held = contents.holdings
    holdings = replace(
        held,
        memories=_merged(held.memories, last, fresh, Memory, NoteKind.MEMORY),
        history=_merged(held.history, last, fresh, Memory, NoteKind.HISTORY),
        proposals=_merged(held.proposals, last, fresh, Proposal, NoteKind.PROPOSAL, NoteKind.RULED),
        evidence=_merged(held.evidence, last, fresh, EvidenceRecord, NoteKind.EVIDENCE),
        tombstones=_merged(held.tombstones, last, fresh, Tombstone, NoteKind.TOMBSTONE),
        inquiries=_merged(held.inquiries, last, fresh, Inquiry, NoteKind.INQUIRY),
        problems=tuple(note_problems),
    )
    return replace(contents, holdings=holdings, gate=gate, problems=tuple(problems))


def _merged(
    present: tuple[Kept, ...],
    touched: dict[str, bytes | None],
    fresh: list[tuple[NoteKind, Record]],
    of: type[Kept],
    *kinds: NoteKind,
) -> tuple[Kept, ...]:
    """The records of untouched files, and those that touched files of these kinds now hold."""
    kept: list[Kept] = [record for record in present if record.path not in touched]
    added: list[Kept] = [
        record for kind, record in fresh if kind in kinds and isinstance(record, of)
    ]
    if not added and len(kept) == len(present):
        return present
    return tuple(sorted(kept + added, key=lambda record: record.path))
