"""Run the cases of gate.json: the Gate's contract, support, and what becomes of units.

The expected values are memleaf 0.2.30's. Where its shapes say the same thing in two ways (a list
that is empty, null or absent), both sides are brought to one of them before they are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.dispositions import cleanup_allowed, dispose
from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_admission import NO_CHANGE_ADMISSIONS, admission
from proofstone.domain.gate_contract import (
    answer_to_json,
    check_response,
    merge_correction,
    projection,
)
from proofstone.domain.gate_support import claims_of, covered_by
from proofstone.domain.gate_types import (
    Candidate,
    Claim,
    ClaimRole,
    EvidenceCheck,
    GateAnswer,
    GateRefusal,
)
from proofstone.domain.inventory import inventory

Document = Mapping[str, Any]
Case = Mapping[str, Any]

_IDENTIFIERS = ("evidence_check", "validation_detail", "validation_reason")
_ALWAYS_IN_A_ROW = ("unit_id", "decision")
_ATTEMPTS = 3
"""How often memleaf asks for an answer before the Gate has failed."""


def run_gate(document: Document, case: Case) -> tuple[Any, Any]:
    """The raw text of an answer, checked against the document's units."""
    given, expected = case["input"], case["expected"]
    units = tuple(_unit(item) for item in document["gate_units"])
    result = check_response(
        given["gate_response"],
        turn_event_keys=document["gate_event_keys"],
        units=projection(units) if given["projection"] == "physical" else units,
        require_complete=given["require_complete"],
        known_memory_ids=(),
    )
    if "accepted" in expected:
        wanted = {"accepted": _expected_answer(expected["accepted"])}
    else:
        wanted = {"error": {key: expected["error"][key] for key in _IDENTIFIERS}}
    if isinstance(result, GateAnswer):
        return wanted, {"accepted": _answer(result)}
    error = _error(result)
    if "error" in wanted and wanted["error"]["validation_reason"] is None:
        error["validation_reason"] = None
    return wanted, {"error": error}


def run_support(document: Document, case: Case) -> tuple[Any, Any]:
    """What supports a candidate, and whether memleaf would admit it."""
    given = case["input"]
    raw = given["candidate"]
    bindings = raw.get("_evidence_bindings")
    result = admission(
        _candidate(raw),
        inventory(_event(item) for item in given["events"]),
        None if bindings is None else [_claim(item) for item in bindings],
        raw.get("_evidence_unit_ids"),
    )
    return case["expected"], {
        "supporting": [
            {"unit_id": item.unit.unit_id, "text": item.quote, "origin": item.origin}
            for item in result.support
        ],
        "admission_reason": result.reason,
        "admission_support": [item.unit.unit_id for item in result.support],
    }


def run_disposition(document: Document, case: Case) -> tuple[Any, Any]:
    """A turn put before the Gate: its answers, the one correction, and what becomes of it."""
    given = case["input"]
    events = tuple(_event(item) for item in given["events"])
    units = inventory(events)
    answer = _last_answer(given, tuple(event.event_key for event in events), units)
    dispositions = dispose(units, answer)
    waiting = 0 if answer is None else _left_waiting(answer, units)
    return case["expected"], {
        "evidence_dispositions": [
            {
                "unit_id": row.unit_id,
                "event_key": row.event_key,
                "decision": row.decision,
                "reason": row.reason,
                "candidate_ids": row.candidate_ids,
            }
            for row in dispositions
        ],
        "cleanup_allowed": answer is not None and cleanup_allowed(dispositions, waiting),
    }


RUNNERS: dict[str, Callable[[Document, Case], tuple[Any, Any]]] = {
    "gate": run_gate,
    "support": run_support,
    "disposition": run_disposition,
}


def _last_answer(
    given: Mapping[str, Any], event_keys: Sequence[str], units: Sequence[EvidenceUnit]
) -> GateAnswer | None:
    """The first answer of the attempts that keeps the contract, corrected once."""
    offered = projection(units)
    known = [memory["memory_id"] for memory in given["active_memories"]]
    responses = list(given["gate_responses"])
    for attempt in range(_ATTEMPTS):
        answer = check_response(
            responses[min(attempt, len(responses) - 1)],
            turn_event_keys=event_keys,
            units=offered,
            require_complete=False,
            known_memory_ids=known,
        )
        if isinstance(answer, GateAnswer):
            break
    else:
        return None
    if not answer.missing_unit_ids or given["correction_response"] is None:
        return answer
    merged = merge_correction(
        answer,
        given["correction_response"],
        turn_event_keys=event_keys,
        units=offered,
        known_memory_ids=known,
    )
    return merged if isinstance(merged, GateAnswer) else answer


def _left_waiting(answer: GateAnswer, units: Sequence[EvidenceUnit]) -> int:
    """How many candidates memleaf would defer: those still wait here, the others are ruled on."""
    claims, covered = claims_of(answer), covered_by(answer.coverage)
    waiting = 0
    for candidate in answer.candidates:
        if not candidate.worth:
            continue
        candidate_id = candidate.candidate_id
        result = admission(candidate, units, claims.get(candidate_id), covered.get(candidate_id))
        if result.reason is None:
            waiting += candidate.scope_source == "insufficient_context"
        else:
            waiting += result.reason not in NO_CHANGE_ADMISSIONS
    return waiting


def _unit(item: Mapping[str, Any]) -> EvidenceUnit:
    return EvidenceUnit(
        unit_id=item["unit_id"],
        event_key=item["event_key"],
        source_role=item["source_role"],
        origin=Origin(item["origin"]),
        start=item["start"],
        end=item["end"],
        text=item["text"],
        section_path=tuple(item["section_path"]),
        syntax=item["syntax"],
        tool_name=item["tool_name"],
        call_id=item["call_id"],
        record_id=item["record_id"],
    )


def _event(item: Mapping[str, Any]) -> Event:
    return Event(
        event_key=item["event_key"],
        role=Role(item["role"]),
        content=item["content"],
        observations=tuple(Observation(**record) for record in item.get("tool_evidence", ())),
    )


def _candidate(raw: Mapping[str, Any]) -> Candidate:
    return Candidate(
        candidate_id=raw["candidate_id"],
        memory=raw["memory"],
        evidence_event_ids=tuple(raw["evidence_event_ids"]),
        worth=raw["worth"],
        duplicate=raw["duplicate"],
        type=raw["type"],
        scopes=tuple(raw["scopes"]),
        scope_source=raw["scope_source"],
        update_memory_id=raw.get("update_memory_id"),
        duplicate_memory_id=raw.get("duplicate_memory_id"),
        reason=raw.get("reason"),
    )


def _claim(raw: Mapping[str, Any]) -> Claim:
    return Claim(
        unit_id=raw["unit_id"],
        quote=raw["quote"],
        role=ClaimRole(raw["role"]),
        start=raw["start"],
        end=raw["end"],
    )


def _answer(answer: GateAnswer) -> dict[str, Any]:
    stored = answer_to_json(answer)
    return {
        "candidates": stored["candidates"],
        "coverage": {row["unit_id"]: row for row in stored["coverage"]},
        "bindings": {row["candidate_id"]: row["claims"] for row in stored["evidence_bindings"]},
        "missing_unit_ids": answer.missing_unit_ids,
    }


def _expected_answer(accepted: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "candidates": accepted["candidates"],
        "coverage": {key: _without_nothing(row) for key, row in accepted["coverage"].items()},
        "bindings": accepted["bindings"] or {},
        "missing_unit_ids": accepted["missing_unit_ids"],
    }


def _without_nothing(row: Mapping[str, Any]) -> dict[str, Any]:
    """The row without candidate ids or a reason that are empty or null."""
    return {key: value for key, value in row.items() if key in _ALWAYS_IN_A_ROW or value}


def _error(refusal: GateRefusal) -> dict[str, Any]:
    """A refusal in memleaf's shape, which gives evidence faults a detail, and candidates a reason.

    Its reason ``schema_violation`` stands for whatever is wrong with the root or a candidate.
    """
    evidence, detail = refusal.evidence_check, refusal.validation_detail
    in_candidates = detail is not None or evidence == EvidenceCheck.CANDIDATE_EVIDENCE
    return {
        "evidence_check": evidence,
        "validation_detail": "invalid_evidence" if evidence else detail,
        "validation_reason": "schema_violation" if in_candidates else refusal.validation_reason,
    }
