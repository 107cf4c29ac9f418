"""The one bounded correction of an answer that left units out."""

from __future__ import annotations

import json
from typing import Any

from proofstone.domain.dispositions import dispose
from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_contract import (
    MAX_CORRECTION_UNITS,
    check_response,
    correction_request,
    merge_correction,
)
from proofstone.domain.gate_types import GateAnswer, GateRefusal
from proofstone.testing.gate_samples import EVENT_KEYS, OFFERED, UNITS, candidate, good_answer


def first_answer(rows: int) -> GateAnswer:
    """The good answer with only its first ``rows`` coverage rows."""
    answer = good_answer()
    answer["coverage"] = answer["coverage"][:rows]
    result = check_response(
        json.dumps(answer), turn_event_keys=EVENT_KEYS, units=OFFERED, require_complete=False
    )
    assert isinstance(result, GateAnswer)
    return result


def merged(answer: GateAnswer, correction: Any) -> GateAnswer | GateRefusal:
    text = correction if isinstance(correction, str) else json.dumps(correction)
    return merge_correction(answer, text, turn_event_keys=EVENT_KEYS, units=OFFERED)


def no_change(units: tuple[EvidenceUnit, ...]) -> list[dict[str, Any]]:
    return [
        {"unit_id": unit.unit_id, "decision": "NO_CHANGE", "reason": "query_only"} for unit in units
    ]


def test_the_request_names_the_missing_units_and_nothing_about_them() -> None:
    request = correction_request(first_answer(2), OFFERED)
    for unit in OFFERED[2:]:
        assert unit.unit_id in request
        assert unit.text not in request
    for unit in OFFERED[:2]:
        assert unit.unit_id not in request
    assert '["c1"]' in request


def test_the_request_is_bounded() -> None:
    units = tuple(
        EvidenceUnit(
            unit_id=f"u-{number:024x}",
            event_key="evt-a1",
            source_role="user",
            origin=Origin.USER_ASSERTION,
            start=number,
            end=number + 1,
            text="x",
        )
        for number in range(MAX_CORRECTION_UNITS * 3)
    )
    answer = GateAnswer(missing_unit_ids=tuple(unit.unit_id for unit in units))
    request = correction_request(answer, units)
    assert request.count("u-") == MAX_CORRECTION_UNITS


def test_nothing_is_asked_when_nothing_is_missing() -> None:
    assert correction_request(first_answer(len(OFFERED)), OFFERED) == ""


def test_a_correction_completes_the_answer() -> None:
    answer = first_answer(2)
    result = merged(answer, {"candidates": [], "coverage": no_change(OFFERED[2:])})
    assert isinstance(result, GateAnswer)
    assert result.missing_unit_ids == ()
    assert result.candidates == answer.candidates
    assert result.bindings == answer.bindings
    assert result.coverage[:2] == answer.coverage


def test_a_correction_may_add_candidates_under_new_ids() -> None:
    added = {
        "candidates": [candidate("c2", memory="The limit is 1,250 units.")],
        "coverage": no_change(OFFERED[3:]),
    }
    result = merged(first_answer(2), added)
    assert isinstance(result, GateAnswer)
    assert [item.candidate_id for item in result.candidates] == ["c1", "c2"]
    assert result.missing_unit_ids == ()
    added["candidates"][0]["candidate_id"] = "C1"
    refusal = merged(first_answer(2), added)
    assert isinstance(refusal, GateRefusal)
    assert (refusal.stage, refusal.identifier) == ("correction", "duplicate_candidate_id")


def test_a_correction_speaks_of_the_missing_units_only() -> None:
    refusal = merged(first_answer(2), {"candidates": [], "coverage": no_change(OFFERED)})
    assert isinstance(refusal, GateRefusal)
    assert refusal.identifier == "unknown_unit"
    refusal = merged(first_answer(6), {"candidates": [candidate("c2")]})
    assert isinstance(refusal, GateRefusal)
    assert refusal.identifier == "candidate_evidence"
    assert isinstance(merged(first_answer(2), "sorry"), GateRefusal)


def test_what_a_correction_leaves_out_stays_unresolved() -> None:
    answer = first_answer(2)
    result = merged(answer, {"candidates": [], "coverage": no_change(OFFERED[2:4])})
    assert isinstance(result, GateAnswer)
    assert result.missing_unit_ids == tuple(unit.unit_id for unit in OFFERED[4:])
    left = [row for row in dispose(UNITS, result) if row.reason == "coverage_unresolved"]
    assert [row.unit_id for row in left] == list(result.missing_unit_ids)
