"""The ``coverage`` of a Gate answer: one row per unit (spec page 2, The Gate's contract)."""

from __future__ import annotations

from collections.abc import Mapping

from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_fault import ContractBrokenError
from proofstone.domain.gate_types import (
    DEFERRED_REASONS,
    NO_CHANGE_REASONS,
    CoverageRow,
    Decision,
    EvidenceCheck,
)

_KEYS = frozenset(("unit_id", "decision", "candidate_ids", "reason"))


def read_coverage(
    value: object,
    *,
    offered: Mapping[str, EvidenceUnit] | None,
    events_of: Mapping[str, frozenset[str]],
) -> tuple[CoverageRow, ...]:
    """The rows, in the answer's order.

    ``offered`` are the units put before the Gate, by id, or None when their text is gone and a
    stored answer is only read back. ``events_of`` gives the events that each candidate names.
    Raises ContractBrokenError.
    """
    if not isinstance(value, list):
        raise ContractBrokenError(EvidenceCheck.COVERAGE_SHAPE)
    rows: dict[str, CoverageRow] = {}
    for item in value:
        if not isinstance(item, dict) or item.keys() - _KEYS:
            raise ContractBrokenError(EvidenceCheck.COVERAGE_SHAPE)
        unit_id = item.get("unit_id")
        if not isinstance(unit_id, str) or (offered is not None and unit_id not in offered):
            raise ContractBrokenError(EvidenceCheck.UNKNOWN_UNIT)
        if unit_id in rows:
            raise ContractBrokenError(EvidenceCheck.DUPLICATE_COVERAGE)
        rows[unit_id] = _read_row(
            item, unit_id, None if offered is None else offered[unit_id], events_of
        )
    return tuple(rows.values())


def _read_row(
    item: Mapping[str, object],
    unit_id: str,
    unit: EvidenceUnit | None,
    events_of: Mapping[str, frozenset[str]],
) -> CoverageRow:
    decision = item.get("decision")
    if not isinstance(decision, str):
        raise ContractBrokenError(EvidenceCheck.COVERAGE_SHAPE)
    reason, candidate_ids = item.get("reason"), item.get("candidate_ids")
    if decision == Decision.CANDIDATE:
        named = _candidate_ids(candidate_ids, unit, events_of)
        if reason is not None and not isinstance(reason, str):
            raise ContractBrokenError(EvidenceCheck.INVALID_REASON)
        return CoverageRow(
            unit_id=unit_id, decision=Decision.CANDIDATE, candidate_ids=named, reason=reason
        )
    if decision not in (Decision.NO_CHANGE, Decision.DEFERRED) or candidate_ids:
        raise ContractBrokenError(EvidenceCheck.INVALID_REASON)
    # The decision follows from the reason, so the two cannot disagree.
    if isinstance(reason, str) and reason in NO_CHANGE_REASONS:
        return CoverageRow(unit_id=unit_id, decision=Decision.NO_CHANGE, reason=reason)
    if isinstance(reason, str) and reason in DEFERRED_REASONS:
        return CoverageRow(unit_id=unit_id, decision=Decision.DEFERRED, reason=reason)
    raise ContractBrokenError(EvidenceCheck.INVALID_REASON)


def _candidate_ids(
    value: object, unit: EvidenceUnit | None, events_of: Mapping[str, frozenset[str]]
) -> tuple[str, ...]:
    may_support = unit is None or unit.partition is Partition.PHYSICAL
    if not may_support or not isinstance(value, list) or not value:
        raise ContractBrokenError(EvidenceCheck.COVERAGE_CANDIDATE)
    if any(not isinstance(item, str) or item not in events_of for item in value):
        raise ContractBrokenError(EvidenceCheck.COVERAGE_CANDIDATE)
    if unit is not None and any(unit.event_key not in events_of[item] for item in value):
        raise ContractBrokenError(EvidenceCheck.EVENT_MISMATCH)
    return tuple(value)
