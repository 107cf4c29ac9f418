"""What a door shows: turns, proposals and memories with everything that bears on them.

Views are frozen and complete, so that a screen can draw them without asking anything, and threads
can share them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

from proofstone.domain.filters import Filterable

if TYPE_CHECKING:
    from proofstone.domain.conversation import Observation, Turn
    from proofstone.domain.evidence_unit import EvidenceUnit
    from proofstone.domain.gate_types import GateRecord, TurnState, UnitDisposition
    from proofstone.domain.matching import MatchResult
    from proofstone.domain.records import EvidenceRecord, Memory, Proposal, Standing
    from proofstone.domain.rulings.terms import Assessment
    from proofstone.domain.siblings import RewordedReturn
    from proofstone.domain.taint import TaintFinding
    from proofstone.domain.verification import VerifierReport
    from proofstone.vault.processed import MemleafOutcome


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCounts:
    """Units of a turn by partition, and how far they are accounted for.

    ``covered`` counts physical units that have a row or support a candidate;
    ``waiting`` the proposals from this turn that nobody has ruled on.
    """

    units: int = 0
    physical: int = 0
    context: int = 0
    unresolved: int = 0
    covered: int = 0
    deferred: int = 0
    waiting: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnView:
    """A turn with its inventory, the Gate's accounting, and what becomes of each unit."""

    turn: Turn
    units: tuple[EvidenceUnit, ...]
    dispositions: Mapping[str, UnitDisposition]
    gate: GateRecord | None
    state: TurnState
    counts: TurnCounts
    metadata: tuple[tuple[str, Observation], ...] = ()
    memleaf: MemleafOutcome | None = None
    answer_is_stale: bool = False
    """Whether the captured text is no longer what the accepted answer was checked against."""
    cleaned_at: str = ""
    """When the captured text of the settled turn was removed; empty while it is there."""

    @property
    def reference(self) -> str:
        """How commands name this turn."""
        return self.turn.reference

    @property
    def why_unaskable(self) -> str:
        """Why nobody can be asked about it, whatever its answer; empty when somebody can."""
        if self.cleaned_at:
            return "settled, and its text was removed"
        if not self.turn.is_complete:
            return f"incomplete: {self.turn.incomplete_reason}"
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SiblingView:
    """A memory whose vocabulary overlaps a proposal's; ``score`` as reported, 0–0.99."""

    memory_id: str
    score: float
    title: str
    statement: str
    scopes: tuple[str, ...]
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalView:
    """A proposal with the verifier's report, its match, siblings, evidence and taint."""

    proposal: Proposal
    report: VerifierReport
    match: MatchResult
    siblings: tuple[SiblingView, ...] = ()
    records: tuple[EvidenceRecord, ...] = ()
    missing_evidence: tuple[str, ...] = ()
    taint: tuple[TaintFinding, ...] = ()
    returned: RewordedReturn | None = None
    age: timedelta = field(default=timedelta())
    is_due: bool = True
    """False while a deferral's date lies ahead: it waits, but not for anyone today."""
    answer_is_replaced: bool = False
    """Whether its turn has another Gate answer by now, which does not propose it."""

    @property
    def proposal_id(self) -> str:
        """The proposal's id."""
        return self.proposal.proposal_id

    @property
    def knows_siblings(self) -> bool:
        """Whether the siblings can be looked at at once; False while memories are being indexed."""
        return getattr(self.siblings, "is_known", True) is True

    @property
    def is_tainted(self) -> bool:
        """Marked as tainted, or found so now."""
        return self.proposal.tainted or bool(self.taint)

    @property
    def is_preselected(self) -> bool:
        """Whether the batch review may mark it beforehand; a person still confirms."""
        return self.report.eligible and not self.is_tainted and not self.returned

    @property
    def assessment(self) -> Assessment:
        """What a ruling is planned on."""
        from proofstone.domain.rulings.terms import Assessment

        return Assessment(
            report=self.report,
            match_kind=self.match.kind,
            matched=self.match.matched,
            normalized_key=self.match.normalized_key,
            tainted=self.is_tainted,
            returned=self.returned.reason if self.returned else "",
        )

    @property
    def filterable(self) -> Filterable:
        """What filters see of it."""
        proposal = self.proposal
        return Filterable(
            text=f"{proposal.title} {proposal.statement} {' '.join(proposal.tags)}",
            identifier=proposal.proposal_id,
            layer=proposal.layer.value,
            risk=self.report.poisoning_risk,
            match=self.match.kind.value,
            verdict=self.report.status.value,
            state=proposal.status.value,
            source=proposal.turn.partition("/")[0] or proposal.source,
            origin=proposal.origin,
            trust=proposal.trust_class.value if proposal.trust_class else "",
            type=proposal.type,
            kind=proposal.kind,
            turn=proposal.turn,
            scopes=proposal.scopes,
            tags=proposal.tags,
            taint=self.is_tainted,
            eligible=self.is_preselected,
            reviewed=not proposal.is_waiting,
            age=self.age,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryJudgement:
    """How a memory in force would fare if it were proposed today."""

    report: VerifierReport
    match: MatchResult
    siblings: tuple[SiblingView, ...] = ()
    taint: tuple[TaintFinding, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryView:
    """A memory in force with its earlier versions, newest first."""

    memory: Memory
    versions: tuple[Memory, ...] = ()
    records: tuple[EvidenceRecord, ...] = ()
    missing_evidence: tuple[str, ...] = ()
    age: timedelta = field(default=timedelta())
    review_is_due: bool = False

    @property
    def memory_id(self) -> str:
        """The memory's id."""
        return self.memory.memory_id

    @property
    def is_reviewed(self) -> bool:
        """Whether a person has ratified it, or nothing of it is left to be reviewed."""
        return self.memory.is_reviewed

    @property
    def filterable(self) -> Filterable:
        """What filters see of it."""
        return memory_filterable(self.memory, self.age)


def memory_filterable(memory: Memory, age: timedelta) -> Filterable:
    """What filters see of ``memory``, which is so old."""
    return Filterable(
        text=f"{memory.title} {memory.statement} {' '.join(memory.tags)}",
        identifier=memory.memory_id,
        layer=memory.layer.value,
        risk=memory.poisoning_risk,
        verdict=memory.verification,
        state=memory.standing.value,
        source=memory.source,
        trust=memory.trust_class.value if memory.trust_class else "",
        type=memory.type,
        kind=memory.kind,
        scopes=memory.scopes,
        tags=memory.tags,
        taint=memory.tainted,
        reviewed=memory.is_reviewed,
        age=age,
    )
