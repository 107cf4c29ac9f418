"""From an accepted Gate answer to proposals and the evidence records that they rest on.

A candidate that is worth keeping and repeats nothing becomes one proposal. What nobody said stays
unset: a curator sees an unknown durability instead of a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from proofstone.domain import ids, secrets_found
from proofstone.domain.conversation import Observation, Turn
from proofstone.domain.evidence_records import primary_trust_class, record_from_claim
from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.gate_support import claims_of, supported_candidates
from proofstone.domain.gate_types import Candidate, Claim, ClaimRole, GateAnswer
from proofstone.domain.records import Durability, EvidenceRecord, Proposal, SourceReference
from proofstone.domain.rulings.steps import title_of


@dataclass(frozen=True, slots=True)
class Proposed:
    """What an answer proposes: proposals in the order of its candidates, and their evidence."""

    proposals: tuple[Proposal, ...]
    records: tuple[EvidenceRecord, ...]


def propose(
    turn: Turn,
    units: Iterable[EvidenceUnit],
    answer: GateAnswer,
    *,
    profile: str,
    now: str,
) -> Proposed:
    """The proposals and records that ``answer``, accepted for ``turn``, gives rise to."""
    by_id = {unit.unit_id: unit for unit in units}
    claims = claims_of(answer)
    repeated = _repeated(answer, tuple(by_id.values()))
    observations = _observations(turn)
    proposals: list[Proposal] = []
    records: dict[str, EvidenceRecord] = {}
    for candidate in answer.candidates:
        if not candidate.worth or candidate.duplicate:
            continue
        bound = claims.get(candidate.candidate_id)
        if bound is None:
            bound = tuple(repeated.get(candidate.candidate_id, ()))
        own = [
            _record(turn, claim, by_id[claim.unit_id], candidate, observations, profile, now)
            for claim in bound
        ]
        for record in own:
            kept = records.get(record.evidence_id)
            records[record.evidence_id] = record if kept is None else _cited_twice(kept, record)
        proposals.append(_proposal(turn, candidate, bound, own, profile, now))
    return Proposed(tuple(proposals), tuple(records.values()))


def _cited_twice(kept: EvidenceRecord, again: EvidenceRecord) -> EvidenceRecord:
    """One record for words that two candidates cite, reaching as far as either does.

    It is kept once (spec page 3): were its scopes the last candidate's, the first one would be
    said to reach beyond its own evidence.
    """
    return replace(kept, scopes=tuple(dict.fromkeys((*kept.scopes, *again.scopes))))


def durability_of(candidate: Candidate) -> Durability:
    """How long a candidate is meant to hold, as far as its type and scopes say so.

    A todo ends with its task. A project's statement lasts as long as the project, a preference or
    an identity of global scope as long as the user. Of anything else nothing is known.
    """
    if candidate.type == "todo":
        return Durability.TASK
    if any(scope.startswith("project:") for scope in candidate.scopes):
        return Durability.PROJECT
    if candidate.type in ("preference", "identity") and "global" in candidate.scopes:
        return Durability.USER_GLOBAL
    return Durability.UNKNOWN


def _proposal(
    turn: Turn,
    candidate: Candidate,
    claims: tuple[Claim, ...],
    records: list[EvidenceRecord],
    profile: str,
    now: str,
) -> Proposal:
    scopes = candidate.scopes or ("global",)
    return Proposal(
        proposal_id=ids.proposal_id(candidate.memory, profile=profile, scopes=scopes),
        statement=candidate.memory,
        title=title_of(candidate.memory),
        origin="gate",
        type=candidate.type or "other",
        scopes=scopes,
        scope_source=candidate.scope_source,
        profile=profile,
        candidate_id=candidate.candidate_id,
        turn=turn.reference,
        bindings=claims,
        evidence=tuple(dict.fromkeys(record.evidence_id for record in records)),
        update_memory_id=candidate.update_memory_id or "",
        trust_class=primary_trust_class(candidate.memory, records),
        durability_signal=durability_of(candidate),
        content_hash=ids.content_hash(candidate.memory),
        sources=tuple(
            SourceReference(
                event_key=event.event_key, session_id=event.session_id, turn_id=event.turn_id
            )
            for event in turn.events
        ),
        created=now,
        updated=now,
    )


def _record(
    turn: Turn,
    claim: Claim,
    unit: EvidenceUnit,
    candidate: Candidate,
    observations: Mapping[tuple[str, str, str], Observation],
    profile: str,
    now: str,
) -> EvidenceRecord:
    place = (unit.event_key, unit.call_id or "", unit.record_id or "")
    # What is stored of a quote is stored for good, so a secret in it is masked first.
    quoted = replace(claim, quote=secrets_found.masked(claim.quote))
    return record_from_claim(
        quoted,
        unit,
        profile=profile,
        session=f"{turn.source}/{turn.session_id}",
        source_ref=f"{turn.reference}:{unit.unit_id}",
        scopes=candidate.scopes or ("global",),
        created=now,
        corrects=candidate.update_memory_id is not None,
        observation=observations.get(place),
        durability=durability_of(candidate),
    )


def _repeated(answer: GateAnswer, units: tuple[EvidenceUnit, ...]) -> dict[str, list[Claim]]:
    """For candidates without claims: a claim on the whole of each unit that they repeat."""
    supported = supported_candidates(answer, units)
    claims: dict[str, list[Claim]] = {}
    for unit in units:
        claim = Claim(
            unit_id=unit.unit_id,
            quote=unit.text,
            role=ClaimRole.ASSERTION,
            start=0,
            end=len(unit.text),
        )
        for candidate_id in supported.get(unit.unit_id, ()):
            claims.setdefault(candidate_id, []).append(claim)
    return claims


def _observations(turn: Turn) -> dict[tuple[str, str, str], Observation]:
    return {
        (event.event_key, observation.call_id, observation.record_id): observation
        for event in turn.events
        for observation in event.observations
    }
