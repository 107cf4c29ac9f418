"""Judging proposals against everything held: evidence, match, verifier, siblings, taint."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from functools import cached_property
from threading import Lock
from typing import Any, NamedTuple

from proofstone.curation.ages import age_of
from proofstone.curation.on_demand import AllOnDemand
from proofstone.curation.views import MemoryJudgement, ProposalView, SiblingView
from proofstone.domain import evidence_records, matching, taint, verifier
from proofstone.domain.governance import Governance
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import (
    EvidenceRecord,
    Holdings,
    Memory,
    Proposal,
    ProposalStatus,
    Standing,
)
from proofstone.domain.siblings import SIBLING_LIMIT, RewordedReturn, SiblingIndex
from proofstone.domain.verification import VerifierReport
from proofstone.vault.rows import RecordList
from proofstone.vault.settings import Settings
from proofstone.vault.sibling_file import FEW_BEHIND, SiblingWriter, TakenOver, writer_of
from proofstone.vault.spoken import spoken
from proofstone.vault.survey import sketches
from proofstone.vault.unmade import by_id, changed_between

GOVERNANCE: Mapping[str, Governance] = {"strict": "strict", "compatibility": "compatibility"}


_HANDED_OVER = ("_memory_index", "_sibling_index")
_HANDING_OVER = Lock()


class _Judged(NamedTuple):
    report: VerifierReport
    match: MatchResult
    siblings: tuple[SiblingView, ...]
    records: Mapping[str, EvidenceRecord]
    missing: tuple[str, ...]
    returned: RewordedReturn | None


class Assessor:
    """Holds the indexes that make judging many proposals linear work."""

    def __init__(
        self,
        holdings: Holdings,
        settings: Settings,
        purged: Callable[[str], Collection[str]] = lambda _statement: (),
        kept_siblings: Callable[[], TakenOver | None] = lambda: None,
    ) -> None:
        """``kept_siblings`` gives the index of siblings that an earlier opening wrote, if any."""
        self._holdings = holdings
        self._settings = settings
        self._purged = purged
        self._kept_siblings = kept_siblings
        self._unkept: int | None = None
        """How many texts the file of siblings does not tell as they are; None when there is no
        such file, or it has words that are to leave it."""
        self._successor: Assessor | None = None

    def successor(
        self,
        holdings: Holdings,
        settings: Settings,
        purged: Callable[[str], Collection[str]] = lambda _statement: (),
    ) -> Assessor:
        """The assessor of a newer reading of the same vault, which takes over the indexes.

        They are brought up to date for what changed, which is known by the records that are no
        longer the same ones. From then on this assessor answers from its successor's.
        """
        newer = Assessor(holdings, settings, purged)
        with _HANDING_OVER:
            kept = {name: self.__dict__.pop(name, None) for name in _HANDED_OVER}
            self._successor = newer
        memories, siblings = kept["_memory_index"], kept["_sibling_index"]
        if memories is None and siblings is None:
            return newer
        changed, gone = changed_between(self._holdings.memories, holdings.memories)
        if siblings is not None:
            for memory_id in gone:
                siblings.remove(memory_id)
            for memory in changed:
                _put_sibling(siblings, memory)
            if self._unkept is not None and not gone:
                newer._unkept = self._unkept + len(changed)
            newer.__dict__["_sibling_index"] = siblings
        versions = set(map(id, holdings.history))
        # The index does not forget what became of a memory: an undone ruling needs a new one.
        if memories is not None and all(
            id(version) in versions for version in self._holdings.history
        ):
            for memory_id in (*gone, *(memory.memory_id for memory in changed)):
                memories.drop(memory_id)
            memories.follow(newer.memories_by_id.get)
            for memory in changed:
                memories.put(memory)
            known = set(map(id, self._holdings.history))
            for version in holdings.history:
                if id(version) not in known:
                    memories.note_gone(version)
            newer.__dict__["_memory_index"] = memories
        return newer

    def prepare(self, progress: Callable[[int], None] | None = None) -> None:
        """Make the indexes now, where time does not matter.

        ``progress`` is called with how many memories the index of siblings has, while it is made.
        """
        self.prepare_verdicts()
        if "_sibling_index" not in self.__dict__:
            self.__dict__["_sibling_index"] = self._siblings(progress)

    def siblings_to_keep(self) -> SiblingWriter | None:
        """What writes the index of siblings for the next opening; None when that has it already,
        but for a few, or when this is no longer the newest view, or it was not made."""
        with _HANDING_OVER:
            index: SiblingIndex | None = self.__dict__.get("_sibling_index")
            if index is None or (self._unkept is not None and self._unkept <= FEW_BEHIND):
                return None
            picture = index.picture()
        return writer_of(self._holdings.memories, picture)

    def siblings_were_kept(self) -> None:
        """Note that what ``siblings_to_keep`` gave is on disk now."""
        self._unkept = 0

    def prepare_verdicts(self) -> None:
        """Make what a match and a verdict need: all but the index of siblings, which takes long."""
        _ = (self._memory_index, self.memories_by_id)

    @property
    def knows_siblings(self) -> bool:
        """Whether siblings are told at once, without indexing every memory first."""
        if self._successor is not None:
            return self._successor.knows_siblings
        return "_sibling_index" in self.__dict__

    def proposal_view(self, proposal: Proposal, now: datetime) -> ProposalView:
        """Everything that bears on ``proposal``, as of ``now``."""
        judged = self._judge(proposal)
        return ProposalView(
            proposal=proposal,
            report=judged.report,
            match=judged.match,
            siblings=judged.siblings,
            records=tuple(judged.records.values()),
            missing_evidence=judged.missing,
            taint=taint.scan(proposal.statement),
            returned=judged.returned,
            age=age_of(proposal.created, now),
            is_due=_is_due(proposal, now),
        )

    def memory_judgement(self, memory: Memory) -> MemoryJudgement:
        """How a memory in force would fare if it were proposed today."""
        judged = self._judge(memory)
        return MemoryJudgement(
            report=judged.report,
            match=judged.match,
            siblings=judged.siblings,
            taint=taint.scan(memory.statement),
        )

    def _judge(self, subject: Proposal | Memory) -> _Judged:
        records, missing = self.records_of(subject.evidence)
        match = self.match(subject)
        returned = self._returned(subject)
        report = verifier.verify(
            subject,
            records=records,
            match=match,
            tombstones=self.tombstones,
            governance=GOVERNANCE[self._settings.governance_mode],
            profile=self._settings.profile,
            project=self._settings.project,
            returned=returned,
        )
        siblings: Any = AllOnDemand(lambda: self.siblings(subject), lambda: self.knows_siblings)
        return _Judged(report, match, siblings, records, missing, returned)

    def match(self, subject: Proposal | Memory) -> MatchResult:
        """How ``subject`` stands to the memories in force."""
        if self._successor is not None:
            return self._successor.match(subject)
        return matching.match(subject, self._memory_index)

    def records_of(
        self, evidence: Iterable[str]
    ) -> tuple[Mapping[str, EvidenceRecord], tuple[str, ...]]:
        """The records with these ids, and the ids for which there is none."""
        found: dict[str, EvidenceRecord] = {}
        missing: list[str] = []
        for evidence_id in evidence:
            record = self._records.get(evidence_id)
            if record is None:
                missing.append(evidence_id)
            else:
                found[evidence_id] = record
        return found, tuple(missing)

    def siblings(self, subject: Proposal | Memory) -> tuple[SiblingView, ...]:
        """The nearest active memories of the same project, best first, without itself."""
        if self._successor is not None:
            return self._successor.siblings(subject)

        def same_project(memory_id: str) -> bool:
            return self.memories_by_id[memory_id].project == subject.project

        found = self._sibling_index.nearest(
            subject.statement, SIBLING_LIMIT, accept=same_project, exclude=(_id_of(subject),)
        )
        return tuple(self._sibling_view(sibling.id, sibling.score) for sibling in found)

    def _sibling_view(self, memory_id: str, score: float) -> SiblingView:
        memory = self.memories_by_id[memory_id]
        return SiblingView(
            memory_id=memory_id,
            score=score,
            title=memory.title,
            statement=memory.statement,
            scopes=memory.scopes,
            standing=memory.standing,
        )

    def _returned(self, subject: Proposal | Memory) -> RewordedReturn | None:
        """The tombstoned text that the statement says again, or None."""
        nearest = self._buried_index.nearest(subject.statement, 1, exclude=(_id_of(subject),))
        if not nearest:
            return None
        return RewordedReturn(nearest[0].id, nearest[0].score, self._buried[nearest[0].id])

    @cached_property
    def memories_by_id(self) -> Mapping[str, Memory]:
        """The memories in force."""
        return by_id(self._holdings.memories)

    @cached_property
    def _records(self) -> Mapping[str, EvidenceRecord]:
        evidence = self._holdings.evidence
        if isinstance(evidence, RecordList):
            return by_id(evidence)
        return evidence_records.by_id(evidence)

    @cached_property
    def _memory_index(self) -> matching.MemoryIndex:
        memories = sketches(self._holdings.memories)
        index = matching.MemoryIndex.of_sketches(memories, self.memories_by_id.get)
        for version in self._holdings.history:
            index.note_gone(version)
        return index

    @cached_property
    def tombstones(self) -> verifier.TombstoneIndex:
        """What was forgotten on purpose, by id and by content."""
        return verifier.TombstoneIndex.of(self._holdings.tombstones, self._purged)

    @cached_property
    def _sibling_index(self) -> SiblingIndex:
        return self._siblings(None)

    def _siblings(self, progress: Callable[[int], None] | None) -> SiblingIndex:
        """The index that was kept, brought up to date, or else one that is made now."""
        kept = self._kept_siblings()
        if kept is not None:
            self._unkept = None if kept.has_gone else kept.behind
            return kept.siblings
        memories = spoken(self._holdings.memories)
        rows = ((m.id, m.statement, m.created) for m in memories if m.is_active)
        return SiblingIndex.of(rows, progress)

    @cached_property
    def _buried(self) -> Mapping[str, str]:
        """What was tombstoned for audit and is still readable: id → reason."""
        reasons = {stone.deleted_id: stone.reason for stone in self._holdings.tombstones}
        buried = {
            memory.memory_id: memory.invalidated_reason
            for memory in self._holdings.history
            if memory.standing is Standing.DELETED
        }
        for proposal in self._holdings.proposals:
            # Of a purged one nothing is left that could be compared.
            if proposal.status is ProposalStatus.TOMBSTONED and proposal.statement:
                buried[proposal.proposal_id] = reasons.get(
                    proposal.proposal_id, proposal.ruling_reason
                )
        return buried

    @cached_property
    def _buried_index(self) -> SiblingIndex:
        index = SiblingIndex()
        for memory in self._holdings.history:
            if memory.memory_id in self._buried:
                index.add(memory.memory_id, memory.statement, memory.archived_at)
        for proposal in self._holdings.proposals:
            if proposal.proposal_id in self._buried:
                index.add(proposal.proposal_id, proposal.statement, proposal.ruled_at)
        return index


def _put_sibling(index: SiblingIndex, memory: Memory) -> None:
    if memory.standing is Standing.ACTIVE:
        index.add(memory.memory_id, memory.statement, memory.created)
    else:
        index.remove(memory.memory_id)


def _id_of(subject: Proposal | Memory) -> str:
    return subject.proposal_id if isinstance(subject, Proposal) else subject.memory_id


def _is_due(proposal: Proposal, now: datetime) -> bool:
    if proposal.status is not ProposalStatus.DEFERRED or proposal.deferred is None:
        return True
    return not proposal.deferred.until or proposal.deferred.until <= now.date().isoformat()
