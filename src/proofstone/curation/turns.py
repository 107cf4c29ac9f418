"""From a captured turn to what is shown of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofstone.curation.views import TurnCounts, TurnView
from proofstone.domain.conversation import Event, Role, Turn
from proofstone.domain.dispositions import cleanup_allowed, dispose, turn_state
from proofstone.domain.evidence_unit import Origin, Partition
from proofstone.domain.gate_types import Decision, TurnState
from proofstone.domain.inventory import inventory, inventory_digest

if TYPE_CHECKING:
    from proofstone.domain.conversation import Observation
    from proofstone.domain.evidence_unit import EvidenceUnit
    from proofstone.domain.gate_types import Cleaned, GateRecord, UnitDisposition
    from proofstone.vault.processed import MemleafOutcome

METADATA_RETENTION = "metadata"


CONTEXT_REASONS = frozenset((Origin.ASSISTANT_SYNTHESIS.value, Origin.RETRIEVED_MEMORY.value))
"""The reasons of units that are context: those of physical ones come from the Gate's contract."""


def cleaned_turn(record: GateRecord, cleaned: Cleaned) -> Turn:
    """A turn whose captured text was removed: the same events, without their words."""
    return Turn(
        source=cleaned.source,
        session_id=cleaned.session_id,
        turn_key=record.turn_key,
        turn_index=cleaned.turn_index,
        turn_id=cleaned.turn_id,
        events=tuple(
            Event(
                event_key=event.event_key,
                role=Role(event.role),
                content="",
                source=cleaned.source,
                session_id=cleaned.session_id,
                turn_id=cleaned.turn_id,
                turn_key=record.turn_key,
                turn_index=cleaned.turn_index,
                timestamp=event.timestamp,
            )
            for event in cleaned.events
        ),
    )


def view_cleaned(
    turn: Turn,
    gate: GateRecord,
    cleaned: Cleaned,
    memleaf: MemleafOutcome | None,
    *,
    waiting: int,
) -> TurnView:
    """A turn whose captured text was removed: what became of its units, and none of the units."""
    rows = cleaned.dispositions
    physical = sum(row.reason not in CONTEXT_REASONS for row in rows)
    is_settled = cleanup_allowed(rows, waiting)
    return TurnView(
        turn=turn,
        units=(),
        dispositions={row.unit_id: row for row in rows},
        gate=gate,
        state=TurnState.SETTLED if is_settled else TurnState.OPEN,
        counts=TurnCounts(
            units=len(rows),
            physical=physical,
            context=len(rows) - physical,
            covered=physical,
            waiting=waiting,
        ),
        memleaf=memleaf,
        cleaned_at=cleaned.at,
    )


def view_turn(
    turn: Turn, gate: GateRecord | None, memleaf: MemleafOutcome | None, *, waiting: int
) -> TurnView:
    """Take the inventory of ``turn`` and account for every unit."""
    units = inventory(turn.events)
    answer = gate.answer if gate is not None else None
    dispositions = {row.unit_id: row for row in dispose(units, answer)}
    stale = bool(
        gate is not None
        and gate.answer is not None
        and gate.inventory_digest
        and gate.inventory_digest != inventory_digest(units)
    )
    return TurnView(
        turn=turn,
        units=units,
        dispositions=dispositions,
        gate=gate,
        state=turn_state(turn, units, gate, tuple(dispositions.values()), waiting),
        counts=_counts(units, dispositions, _with_row(gate), waiting),
        metadata=_metadata(turn),
        memleaf=memleaf,
        answer_is_stale=stale,
    )


def _counts(
    units: tuple[EvidenceUnit, ...],
    dispositions: dict[str, UnitDisposition],
    with_row: frozenset[str],
    waiting: int,
) -> TurnCounts:
    physical = [unit for unit in units if unit.partition is Partition.PHYSICAL]
    return TurnCounts(
        units=len(units),
        physical=len(physical),
        context=sum(unit.partition is Partition.CONTEXT for unit in units),
        unresolved=sum(unit.partition is Partition.UNRESOLVED for unit in units),
        covered=sum(
            unit.unit_id in with_row or dispositions[unit.unit_id].decision is Decision.CANDIDATE
            for unit in physical
        ),
        deferred=sum(row.decision is Decision.DEFERRED for row in dispositions.values()),
        waiting=waiting,
    )


def _with_row(gate: GateRecord | None) -> frozenset[str]:
    """The units that the accepted answer gives a row."""
    if gate is None or gate.answer is None:
        return frozenset()
    return frozenset(row.unit_id for row in gate.answer.coverage)


def _metadata(turn: Turn) -> tuple[tuple[str, Observation], ...]:
    """Records that were deliberately kept without a body: listed, and never evidence."""
    return tuple(
        (event.event_key, observation)
        for event in turn.events
        for observation in event.observations
        if observation.retention == METADATA_RETENTION
    )
