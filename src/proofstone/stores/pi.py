"""A pi-persistent-intelligence root: JSON lines, a file per kind (store-formats.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from proofstone.domain import ids
from proofstone.domain.plan import FileChange, NoteKind, RulingPlan
from proofstone.domain.purging import PurgeScope
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
from proofstone.domain.rulings.terms import RulingMoment
from proofstone.stores import json_values, pi_purge, pi_records, pi_render
from proofstone.stores.files import MAX_JSON_BYTES, MAX_LINES_BYTES, unreadable
from proofstone.stores.json_values import Line, line_of, raw_lines
from proofstone.stores.pi_files import (
    CAPTURED,
    EVIDENCE,
    INQUIRIES,
    KEPT_UNSHOWN,
    L1,
    L2,
    META,
    PATCHES,
    PROJECTS,
    TOMBSTONES,
)
from proofstone.stores.pi_records import ReadRecord
from proofstone.stores.port import (
    Capabilities,
    Keeping,
    LeftOut,
    Pending,
    Place,
    StoreContents,
    StorePurge,
    Subject,
)
from proofstone.stores.source import Source

NAME = "pi-persistent-intelligence"

_KINDS = frozenset(
    (
        NoteKind.MEMORY,
        NoteKind.PROPOSAL,
        NoteKind.EVIDENCE,
        NoteKind.TOMBSTONE,
        NoteKind.INQUIRY,
    )
)
NO_PLACE = {
    (Subject.PROPOSAL, "edit"): (
        f"{NAME} has no place for a changed candidate; ratify it, then edit the memory"
    ),
}
"""What the format itself cannot hold, whoever writes it."""


def recognises(path: Path) -> bool:
    """Whether ``path`` is the root of such a store."""
    return (path / L2).is_file() or (path / CAPTURED).is_file()


class PiStore:
    """The store below the folder ``root``."""

    kind = "pi"
    name = NAME

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._known: dict[tuple[str, str], ReadRecord] = {}
        """The records of the last reading, by file and digest: most lines never change."""

    @property
    def capabilities(self) -> Capabilities:
        """Everything but what the format has no place for."""
        return Capabilities(refused=NO_PLACE)

    @property
    def keeping(self) -> Keeping:
        """All kinds of records, reviews included, and what is no longer in force."""
        return Keeping(kinds=_KINDS, memory_keys=frozenset(("review", "supersedes")), ended=True)

    def read(self) -> StoreContents:
        """Every record of every file; lines that cannot be read are problems, and stay."""
        return self.read_with({})

    def read_with(self, pending: Pending) -> StoreContents:
        """What ``read`` would give with ``pending`` written."""
        reading = _Reading(Source(self.root, pending), self._known)
        reading.everything()
        self._known = reading.read
        return reading.contents()

    def tombstones(self, pending: Pending) -> tuple[Tombstone, ...]:
        """The tombstones alone."""
        reading = _Reading(Source(self.root, pending), {})
        reading.buried()
        return reading.contents().holdings.tombstones

    def purge(self, scope: PurgeScope, moment: RulingMoment, reason: str) -> StorePurge:
        """Every file that holds the words (``pi_purge``)."""
        return pi_purge.purge(Source(self.root, {}), scope, moment, reason)

    def render(self, plan: RulingPlan, pending: Pending) -> tuple[FileChange, ...]:
        """A patch file, and the lines that it changes (``pi_render``)."""
        return pi_render.render(Source(self.root, pending), plan)


@dataclass(slots=True)
class _Reading:
    source: Source
    known: Mapping[tuple[str, str], ReadRecord]
    read: dict[tuple[str, str], ReadRecord] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    places: dict[str, Place] = field(default_factory=dict)
    memories: list[Memory] = field(default_factory=list)
    history: list[Memory] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    evidence: list[EvidenceRecord] = field(default_factory=list)
    tombstones: list[Tombstone] = field(default_factory=list)
    inquiries: list[Inquiry] = field(default_factory=list)

    def everything(self) -> None:
        self._simple_kinds()
        linked = pi_records.evidence_by_memory(self.evidence)
        own: list[EvidenceRecord] = []
        for path in (L1, L2, *self.source.names(PROJECTS, ".jsonl")):
            self._records(path, linked, own)
        self.evidence += own
        applied = self._patches()
        for line in self._lines(CAPTURED):
            self._candidate(line, applied)
        for path in self.source.names(META, ".json"):
            self._meta(path)
        for path in KEPT_UNSHOWN:
            if self.source.data(path, MAX_LINES_BYTES) is not None:
                self.left_out.append(LeftOut(path, None, "bookkeeping of the program; kept"))

    def contents(self) -> StoreContents:
        problems = tuple(self.problems)
        return StoreContents(
            holdings=Holdings(
                memories=tuple(self.memories),
                history=tuple(self.history),
                proposals=tuple(self.proposals),
                evidence=tuple(self.evidence),
                tombstones=tuple(self.tombstones),
                inquiries=tuple(self.inquiries),
                problems=problems,
            ),
            places=self.places,
            problems=problems,
            left_out=tuple(self.left_out),
        )

    def _simple_kinds(self) -> None:
        for line in self._lines(EVIDENCE):
            record, problems = pi_records.evidence(line, EVIDENCE)
            self.problems += problems
            if record is not None:
                self.evidence.append(record)
        self.buried()
        for line in self._lines(INQUIRIES):
            inquiry = pi_records.inquiry(line, INQUIRIES)
            if isinstance(inquiry, Problem):
                self.problems.append(inquiry)
            else:
                self.inquiries.append(inquiry)

    def buried(self) -> None:
        for line in self._lines(TOMBSTONES):
            stone = pi_records.tombstone(line, TOMBSTONES)
            if isinstance(stone, Problem):
                self.problems.append(stone)
            else:
                self.tombstones.append(stone)

    def _records(
        self, path: str, linked: Mapping[str, tuple[str, ...]], own: list[EvidenceRecord]
    ) -> None:
        for number, raw in self._raw_lines(path):
            digest = json_values.digest(raw)
            read = self.known.get((path, digest))
            if read is None or not _rests_on(read, linked):
                line = line_of(number, raw, path)
                if isinstance(line, Problem):
                    self.problems.append(line)
                    continue
                read = pi_records.record(line, path, linked)
            self.problems += read.problems
            if read.memory is None:
                continue
            if not read.problems:
                self.read[path, digest] = read
            if self._is_new(read.memory.memory_id, path, number, digest):
                own += read.evidence
                (self.history if read.memory.is_history else self.memories).append(read.memory)

    def _candidate(self, line: Line, applied: frozenset[str]) -> None:
        proposal, problems = pi_records.candidate(line, CAPTURED, applied)
        self.problems += problems
        if proposal is not None and self._is_new(
            proposal.proposal_id, CAPTURED, line.number, line.digest
        ):
            self.proposals.append(proposal)

    def _meta(self, path: str) -> None:
        document = self._document(path)
        if document is None:
            return
        digest, value = document
        for number, candidate in enumerate(json_values.objects(value.get("candidates")), 1):
            line = Line(number, digest, candidate)
            proposal = pi_records.l1_proposal(line, path, json_values.text(value, "timestamp"))
            if isinstance(proposal, Problem):
                self.problems.append(proposal)
            elif proposal.proposal_id not in self.places:
                self.places[proposal.proposal_id] = Place(path, None, digest)
                # The report never says what became of it; the record that it became does.
                memory_id = ids.memory_id_for(proposal.proposal_id)
                if not proposal.statement:
                    proposal = replace(proposal, status=ProposalStatus.TOMBSTONED)
                elif memory_id in self.places:
                    ratified = ProposalStatus.RATIFIED
                    proposal = replace(proposal, status=ratified, memory_id=memory_id)
                self.proposals.append(proposal)

    def _patches(self) -> frozenset[str]:
        """The ids of candidates that an applied patch has settled; patches that wait are told."""
        settled: set[str] = set()
        for path in self.source.names(PATCHES, ".json"):
            document = self._document(path)
            if document is None:
                continue
            patch = document[1]
            status = json_values.text(patch, "status")
            ops = list(json_values.objects(patch.get("ops")))
            if status == "proposed":
                self.left_out.append(
                    LeftOut(path, None, f"a patch of {len(ops)} ops that is not applied yet")
                )
                continue
            skipped = set(json_values.texts(patch, "skipped_ops"))
            skipped |= {
                json_values.text(op, "op_id")
                for op in json_values.objects(patch.get("skipped_ops"))
            }
            for op in ops:
                if json_values.text(op, "op_id") not in skipped:
                    settled.add(json_values.text(op, "candidate_id"))
        return frozenset(settled - {""})

    def _is_new(self, identifier: str, path: str, number: int, digest: str) -> bool:
        other = self.places.get(identifier)
        if other is None:
            self.places[identifier] = Place(path, number, digest)
            return True
        self.problems.append(
            Problem(
                code="same_id",
                path=path,
                line=number,
                message=f"{other} already holds the id {identifier}, so this line is not read",
                advice="Give one of the two another id, or remove the copy.",
                subject=identifier,
            )
        )
        return False

    def _lines(self, path: str) -> Iterator[Line]:
        for number, raw in self._raw_lines(path):
            line = line_of(number, raw, path)
            if isinstance(line, Problem):
                self.problems.append(line)
            else:
                yield line

    def _raw_lines(self, path: str) -> Iterator[tuple[int, bytes]]:
        data = self.source.data(path, MAX_LINES_BYTES)
        if isinstance(data, Problem):
            self.problems.append(data)
        elif data is not None:
            yield from raw_lines(data)

    def _document(self, path: str) -> tuple[str, Mapping[str, Any]] | None:
        data = self.source.data(path, MAX_JSON_BYTES)
        if data is None:
            return None
        if isinstance(data, Problem):
            self.problems.append(data)
            return None
        try:
            value = json_values.parse(data.removeprefix(b"\xef\xbb\xbf"))
        except ValueError as error:
            self.problems.append(unreadable(path, str(error)))
            return None
        if not isinstance(value, dict):
            self.problems.append(unreadable(path, "it is no JSON object"))
            return None
        return json_values.digest(data), value


def _rests_on(read: ReadRecord, linked: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a record's evidence is still what it was when it was read."""
    if read.memory is None:
        return False
    inline = tuple(one.evidence_id for one in read.evidence)
    return read.memory.evidence == (*linked.get(read.memory.memory_id, ()), *inline)
