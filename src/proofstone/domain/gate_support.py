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


def covered_by(rows: Iterable[CoverageRow]) -> dict[str, frozenset[str]]:
    """The units whose rows name each candidate, by candidate id."""
    named: dict[str, set[str]] = {}
    for row in rows:
        for candidate_id in row.candidate_ids:
            named.setdefault(candidate_id, set()).add(row.unit_id)
    return {candidate_id: frozenset(unit_ids) for candidate_id, unit_ids in named.items()}


def supported_candidates(
    answer: GateAnswer, units: Sequence[EvidenceUnit]
) -> dict[str, tuple[str, ...]]:
    """The candidates that each unit supports, in the answer's order, by unit id.

    The same as ``supporting_units`` of every candidate, but candidates that repeat the same text
    share one tuple, so that a text repeated often costs no more than one said once.
    """
    by_id = {unit.unit_id: unit for unit in units}
    claims, covered = claims_of(answer), covered_by(answer.coverage)
    singly: dict[str, list[int]] = {}
    repeating: dict[tuple[str, str], list[int]] = {}
    for position, candidate in enumerate(answer.candidates):
        own = claims.get(candidate.candidate_id)
        named = covered.get(candidate.candidate_id)
        if own is None and named is None:
            statement = canonical(candidate.memory)
            for event_key in dict.fromkeys(candidate.evidence_event_ids):
                repeating.setdefault((statement, event_key), []).append(position)
        else:
            nearby = named if own is None else (claim.unit_id for claim in own)
            found = (by_id[unit_id] for unit_id in nearby or () if unit_id in by_id)
            support = supporting_units(candidate, found, own)
            for unit_id in {item.unit.unit_id for item in support}:
                singly.setdefault(unit_id, []).append(position)
    ids = tuple(candidate.candidate_id for candidate in answer.candidates)
    shared = {key: tuple(ids[place] for place in places) for key, places in repeating.items()}
    supported: dict[str, tuple[str, ...]] = {}
    for unit in units:
        key = (
            (canonical(unit.text), unit.event_key) if repeating and can_be_repeated(unit) else None
        )
        if unit.unit_id in singly:
            places = {*singly[unit.unit_id], *(repeating.get(key, ()) if key else ())}
            supported[unit.unit_id] = tuple(ids[place] for place in sorted(places))
        elif key in shared:
            supported[unit.unit_id] = shared[key]
    return supported


def check_agreement(answer: GateAnswer, offered: Iterable[EvidenceUnit]) -> None:
    """Coverage and bindings must tie the same units to the same candidates.

    A unit without a row contradicts nothing: it may still get one in the correction.
    Raises ContractBrokenError (``coverage_binding_conflict``).
    """
    with_row = {row.unit_id for row in answer.coverage}
    claims, covered = claims_of(answer), covered_by(answer.coverage)
    repeatable: dict[str, list[EvidenceUnit]] = {}
    for unit in offered:
        if unit.unit_id in with_row and can_be_repeated(unit):
            repeatable.setdefault(canonical(unit.text), []).append(unit)
    for candidate in answer.candidates:
        named = covered.get(candidate.candidate_id, frozenset())
        own = claims.get(candidate.candidate_id)
        if own is not None:
            cited = {claim.unit_id for claim in own}
            agreed = cited & with_row <= named and (named <= cited or not candidate.worth)
        else:
            events = frozenset(candidate.evidence_event_ids)
            agreed = not candidate.worth or all(
                unit.unit_id in named
                for unit in repeatable.get(canonical(candidate.memory), ())
                if unit.event_key in events
            )
        if not agreed:
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
