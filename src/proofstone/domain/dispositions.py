"""What becomes of each unit and of the turn (spec page 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from proofstone.domain.conversation import Turn
from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_support import supported_candidates
from proofstone.domain.gate_types import (
    CoverageRow,
    Decision,
    GateAnswer,
    GateRecord,
    TurnState,
    UnitDisposition,
)


def dispose(
    units: Sequence[EvidenceUnit], answer: GateAnswer | None
) -> tuple[UnitDisposition, ...]:
    """What becomes of each unit of the whole inventory, in its order.

    Without an answer every physical unit is unresolved. A refused answer counts as none.
    """
    accepted = answer or GateAnswer()
    rows = {row.unit_id: row for row in accepted.coverage}
    supported = supported_candidates(accepted, units)
    return tuple(
        _dispose(unit, rows.get(unit.unit_id), supported.get(unit.unit_id, ())) for unit in units
    )


def _dispose(
    unit: EvidenceUnit, row: CoverageRow | None, supported: tuple[str, ...]
) -> UnitDisposition:
    if unit.partition is Partition.UNRESOLVED:
        # Whether the source is whole is the host's to say: no row can make it so.
        decision, reason = Decision.DEFERRED, "incomplete_tool_evidence"
    elif supported:
        decision, reason = Decision.CANDIDATE, "candidate_checked"
    elif row is not None:
        decision, reason = row.decision, row.reason or "coverage_unresolved"
    elif unit.partition is Partition.PHYSICAL:
        decision, reason = Decision.DEFERRED, "coverage_unresolved"
    else:
        decision, reason = Decision.NO_CHANGE, unit.origin.value
    return UnitDisposition(
        unit_id=unit.unit_id,
        event_key=unit.event_key,
        decision=decision,
        reason=reason,
        candidate_ids=supported or tuple(dict.fromkeys(row.candidate_ids if row else ())),
    )


def deferred(dispositions: Iterable[UnitDisposition]) -> tuple[UnitDisposition, ...]:
    """The rows that keep the turn open."""
    return tuple(row for row in dispositions if row.decision is Decision.DEFERRED)


def cleanup_allowed(dispositions: Iterable[UnitDisposition], waiting_proposals: int) -> bool:
    """Whether an answered turn's captured text may be removed once its retention has passed.

    Nothing may be deferred, and no proposal of the turn may wait for a ruling.
    """
    return waiting_proposals == 0 and not deferred(dispositions)


def turn_state(
    turn: Turn,
    units: Iterable[EvidenceUnit],
    record: GateRecord | None,
    dispositions: Sequence[UnitDisposition],
    waiting_proposals: int,
) -> TurnState:
    """Where the turn stands. Only a SETTLED turn may ever be cleaned.

    ``waiting_proposals`` counts the turn's proposals that are open or deferred. A unit of the
    inventory that ``dispositions`` leave out keeps the turn open.
    """
    if not turn.is_complete:
        return TurnState.INCOMPLETE
    if record is None or record.answer is None:
        return TurnState.REFUSED if record is not None and record.refusals else TurnState.WAITING
    disposed = {row.unit_id for row in dispositions}
    if any(unit.unit_id not in disposed for unit in units):
        return TurnState.OPEN
    return TurnState.SETTLED if cleanup_allowed(dispositions, waiting_proposals) else TurnState.OPEN
