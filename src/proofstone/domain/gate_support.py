"""Which units support which candidate (spec page 2, The Gate's contract).

A candidate with claims is supported by the units that it quotes. A candidate without claims is
supported by a whole user assertion or external observation that its statement repeats exactly:
Unicode NFC, trimmed, and nothing else forgiven.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from proofstone.domain.evidence_unit import EvidenceUnit, Origin, Partition
from proofstone.domain.gate_fault import ContractBrokenError
from proofstone.domain.gate_types import (
    Candidate,
    Claim,
    CoverageRow,
    Decision,
    EvidenceCheck,
    GateAnswer,
)

_REPEATABLE = frozenset((Origin.USER_ASSERTION, Origin.EXTERNAL_OBSERVATION))


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """A unit that supports a candidate, and the words of it that do."""

    unit: EvidenceUnit
    quote: str

    @property
    def origin(self) -> Origin:
        """The authority of the words once cited: the user's, or an observation's."""
        if self.unit.source_role == "user":
            return Origin.USER_ASSERTION
        return Origin.EXTERNAL_OBSERVATION


def can_be_repeated(unit: EvidenceUnit) -> bool:
    """Whether a candidate without claims may rest on this unit by repeating it."""
    return unit.origin in _REPEATABLE


def canonical(text: str) -> str:
    """Text as statements and units are compared: NFC, trimmed."""
    return unicodedata.normalize("NFC", text).strip()


def claims_of(answer: GateAnswer) -> dict[str, tuple[Claim, ...]]:
    """The claims of each candidate that has any, by candidate id."""
    return {binding.candidate_id: binding.claims for binding in answer.bindings}


def supporting_units(
    candidate: Candidate,
    units: Iterable[EvidenceUnit],
    claims: Sequence[Claim] | None = None,
    covered_ids: Collection[str] | None = None,
) -> tuple[Support, ...]:
    """What supports ``candidate`` among ``units``, the whole inventory or a part of it.

    ``claims`` are the candidate's, None when it has no binding. ``covered_ids`` are the units
    whose rows name it; when given, only those may be repeated.
    """
    events = frozenset(candidate.evidence_event_ids)
    if claims is not None:
        cited = {unit.unit_id: unit for unit in units if unit.event_key in events}
        return tuple(
            Support(unit=cited[claim.unit_id], quote=claim.quote)
            for claim in claims
            if claim.unit_id in cited and cited[claim.unit_id].partition is Partition.PHYSICAL
        )
    statement = canonical(candidate.memory)
    return tuple(
        Support(unit=unit, quote=unit.text)
        for unit in units
        if unit.event_key in events
        and can_be_repeated(unit)
        and (covered_ids is None or unit.unit_id in covered_ids)
        and canonical(unit.text) == statement
    )


class SupportIndex:
    """``supporting_units`` for many candidates over the same units, without scanning them all."""

    def __init__(self, units: Iterable[EvidenceUnit]) -> None:
        self._by_id: dict[str, EvidenceUnit] = {}
        self._by_text: dict[str, list[EvidenceUnit]] = {}
        for unit in units:
            self._by_id[unit.unit_id] = unit
            if can_be_repeated(unit):
                self._by_text.setdefault(canonical(unit.text), []).append(unit)

    def supporting(
        self,
        candidate: Candidate,
        claims: Sequence[Claim] | None,
        covered_ids: Collection[str] | None = None,
    ) -> tuple[Support, ...]:
        """The same as ``supporting_units`` over the units of this index."""
        nearby: Iterable[EvidenceUnit]
        if claims is None:
            nearby = self._by_text.get(canonical(candidate.memory), ())
        else:
            nearby = (self._by_id[c.unit_id] for c in claims if c.unit_id in self._by_id)
        return supporting_units(candidate, nearby, claims, covered_ids)


def covered_by(rows: Iterable[CoverageRow]) -> dict[str, frozenset[str]]:
    """The units whose rows name each candidate, by candidate id."""
    named: dict[str, set[str]] = {}
    for row in rows:
        for candidate_id in row.candidate_ids:
            named.setdefault(candidate_id, set()).add(row.unit_id)
    return {candidate_id: frozenset(unit_ids) for candidate_id, unit_ids in named.items()}


def check_agreement(answer: GateAnswer, offered: Sequence[EvidenceUnit]) -> None:
    """Coverage and bindings must tie the same units to the same candidates.

    A unit without a row contradicts nothing: it may still get one in the correction.
    Raises ContractBrokenError (``coverage_binding_conflict``).
    """
    rows = {row.unit_id: row for row in answer.coverage}
    claims = claims_of(answer)
    covered = covered_by(answer.coverage)
    index = SupportIndex(unit for unit in offered if unit.unit_id in rows)
    for binding in answer.bindings:
        for claim in binding.claims:
            _must_name(rows.get(claim.unit_id), binding.candidate_id)
    for candidate in answer.candidates:
        if not candidate.worth:
            continue
        candidate_id = candidate.candidate_id
        support = index.supporting(candidate, claims.get(candidate_id))
        for item in support:
            _must_name(rows[item.unit.unit_id], candidate_id)
        if candidate_id in claims:
            bound = {item.unit.unit_id for item in support}
            if not covered.get(candidate_id, frozenset()) <= bound:
                raise ContractBrokenError(EvidenceCheck.COVERAGE_BINDING_CONFLICT)


def _must_name(row: CoverageRow | None, candidate_id: str) -> None:
    if row is None:
        return
    if row.decision is not Decision.CANDIDATE or candidate_id not in row.candidate_ids:
        raise ContractBrokenError(EvidenceCheck.COVERAGE_BINDING_CONFLICT)


def unaccounted(answer: GateAnswer, offered: Iterable[EvidenceUnit]) -> tuple[str, ...]:
    """The ids of offered units that have no row and support no candidate, in inventory order."""
    claims = claims_of(answer)
    accounted = {row.unit_id for row in answer.coverage}
    accounted.update(claim.unit_id for binding in answer.bindings for claim in binding.claims)
    repeated: dict[str, set[str]] = {}
    for candidate in answer.candidates:
        if candidate.candidate_id not in claims:
            events = repeated.setdefault(canonical(candidate.memory), set())
            events.update(candidate.evidence_event_ids)
    return tuple(
        unit.unit_id
        for unit in offered
        if unit.unit_id not in accounted
        and not (
            can_be_repeated(unit)
            and repeated
            and unit.event_key in repeated.get(canonical(unit.text), ())
        )
    )
