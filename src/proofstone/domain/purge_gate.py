"""A stored Gate answer after a purge: without the words, and still an answer (spec page 6, purge).

The candidates that were purged go. Units whose text was blacked out have new ids, and what named
them by the old ones follows. A unit that supported nothing but purged candidates now holds
nothing of future value, and its row says so, so that its turn can be settled.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.gate_candidates import MAX_REASON_CHARACTERS
from proofstone.domain.gate_types import Binding, Claim, CoverageRow, Decision, GateAnswer

NOTHING_LEFT = "no_future_value"
"""The reason of a row whose unit supported only what was purged."""


@dataclass(frozen=True, slots=True)
class Renamed:
    """Units that were blacked out: their new form by their old id."""

    by_id: Mapping[str, EvidenceUnit]

    @classmethod
    def between(cls, before: Iterable[EvidenceUnit], after: Iterable[EvidenceUnit]) -> Renamed:
        """What became of each unit, told by where it stands."""
        there = {_place(unit): unit for unit in after}
        return cls(
            {
                unit.unit_id: now
                for unit in before
                if (now := there.get(_place(unit))) is not None and now.unit_id != unit.unit_id
            }
        )

    def id_of(self, unit_id: str) -> str:
        """A unit's id as it is now."""
        unit = self.by_id.get(unit_id)
        return unit_id if unit is None else unit.unit_id

    def claim(self, claim: Claim) -> Claim:
        """A claim as it reads now; its offsets stay."""
        unit = self.by_id.get(claim.unit_id)
        if unit is None:
            return claim
        quote = unit.text[claim.start : claim.end]
        return replace(claim, unit_id=unit.unit_id, quote=quote)


def without(
    answer: GateAnswer,
    purged: Collection[str],
    renamed: Renamed,
    black_out: Callable[[str], str],
) -> GateAnswer:
    """``answer`` without the candidates ``purged``, and with ``black_out`` done to all its words.

    The result is as good as the answer was: it keeps the contract if that did.
    """
    candidates = tuple(
        replace(
            candidate,
            memory=black_out(candidate.memory),
            reason=None
            if candidate.reason is None
            else black_out(candidate.reason)[:MAX_REASON_CHARACTERS],
        )
        for candidate in answer.candidates
        if candidate.candidate_id not in purged
    )
    bindings = tuple(
        Binding(
            candidate_id=binding.candidate_id,
            claims=tuple(
                replace(claim, quote=black_out(claim.quote))
                for claim in map(renamed.claim, binding.claims)
            ),
        )
        for binding in answer.bindings
        if binding.candidate_id not in purged
    )
    rows = {row.unit_id: row for row in (_row(row, purged, renamed) for row in answer.coverage)}
    return replace(
        answer,
        candidates=candidates,
        bindings=bindings,
        coverage=tuple(rows.values()),
        missing_unit_ids=tuple(renamed.id_of(unit_id) for unit_id in answer.missing_unit_ids),
    )


def _row(row: CoverageRow, purged: Collection[str], renamed: Renamed) -> CoverageRow:
    unit_id = renamed.id_of(row.unit_id)
    if row.decision is not Decision.CANDIDATE:
        return replace(row, unit_id=unit_id)
    left = tuple(name for name in row.candidate_ids if name not in purged)
    if left:
        return replace(row, unit_id=unit_id, candidate_ids=left)
    return CoverageRow(unit_id=unit_id, decision=Decision.NO_CHANGE, reason=NOTHING_LEFT)


def _place(unit: EvidenceUnit) -> tuple[object, ...]:
    return (unit.event_key, unit.source_role, unit.call_id, unit.record_id, unit.start)
