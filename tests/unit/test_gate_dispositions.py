"""What becomes of units and turns."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from proofstone.domain.dispositions import cleanup_allowed, deferred, dispose, turn_state
from proofstone.domain.gate_admission import admission
from proofstone.domain.gate_contract import check_response
from proofstone.domain.gate_support import supporting_units
from proofstone.domain.gate_types import (
    Candidate,
    Claim,
    ClaimRole,
    Decision,
    EvidenceCheck,
    GateAnswer,
    GateRecord,
    GateRefusal,
    TurnState,
)
from proofstone.testing.gate_samples import (
    EVENT_KEYS,
    EVENTS,
    OFFERED,
    TURN,
    UNITS,
    candidate,
    good_answer,
)


def accepted(answer: dict[str, Any]) -> GateAnswer:
    result = check_response(
        json.dumps(answer), turn_event_keys=EVENT_KEYS, units=OFFERED, require_complete=False
    )
    assert isinstance(result, GateAnswer)
    return result


def record(answer: GateAnswer | None, *refusals: GateRefusal) -> GateRecord:
    return GateRecord(
        turn=TURN.reference,
        answer=answer,
        refusals=tuple(("2026-01-01T00:00:00Z", refusal) for refusal in refusals),
    )


def test_each_rule_gives_its_reason_in_inventory_order() -> None:
    answer = good_answer()
    del answer["coverage"][2]
    rows = dispose(UNITS, accepted(answer))
    assert [(row.decision, row.reason) for row in rows] == [
        (Decision.CANDIDATE, "candidate_checked"),
        (Decision.NO_CHANGE, "no_future_value"),
        (Decision.DEFERRED, "coverage_unresolved"),
        (Decision.NO_CHANGE, "no_future_value"),
        (Decision.NO_CHANGE, "no_future_value"),
        (Decision.NO_CHANGE, "assistant_synthesis"),
        (Decision.NO_CHANGE, "no_future_value"),
        (Decision.DEFERRED, "incomplete_tool_evidence"),
        (Decision.NO_CHANGE, "retrieved_memory"),
    ]
    assert rows[0].candidate_ids == ("c1",)
    assert deferred(rows) == (rows[2], rows[7])


def test_an_unresolved_unit_stays_deferred_whatever_the_gate_said() -> None:
    unresolved = UNITS[7]
    answer = {
        "candidates": [],
        "coverage": [
            {"unit_id": unresolved.unit_id, "decision": "NO_CHANGE", "reason": "query_only"}
        ],
    }
    result = check_response(json.dumps(answer), turn_event_keys=EVENT_KEYS, units=(unresolved,))
    assert isinstance(result, GateAnswer)
    (row,) = dispose((unresolved,), result)
    assert (row.decision, row.reason) == (Decision.DEFERRED, "incomplete_tool_evidence")


def test_a_row_without_support_keeps_its_decision() -> None:
    answer = good_answer()
    del answer["evidence_bindings"]
    row = dispose(UNITS, accepted(answer))[0]
    assert (row.decision, row.reason) == (Decision.CANDIDATE, "coverage_unresolved")
    assert row.candidate_ids == ("c1",)


def test_without_an_answer_every_physical_unit_is_unresolved() -> None:
    rows = dispose(OFFERED, None)
    assert {(row.decision, row.reason) for row in rows} == {
        (Decision.DEFERRED, "coverage_unresolved")
    }


def test_a_unit_can_support_several_candidates() -> None:
    answer = {"candidates": [candidate(f"c{n}", memory=OFFERED[0].text) for n in (1, 2)]}
    assert dispose(UNITS, accepted(answer))[0].candidate_ids == ("c1", "c2")


def test_a_text_repeated_often_is_disposed_of_without_repeating_the_work() -> None:
    repeats = tuple(OFFERED[0]._replace(unit_id=f"u-{number:024x}") for number in range(2_000))
    answer = {"candidates": [candidate(f"c{n}", memory=OFFERED[0].text) for n in range(2_000)]}
    first, *others = dispose(repeats, accepted(answer))
    assert len(first.candidate_ids) == 2_000
    assert all(row.candidate_ids is first.candidate_ids for row in others)


def whole_units() -> tuple[Any, ...]:
    return tuple(unit for unit in UNITS if unit is not UNITS[7])


def test_a_turn_is_settled_when_nothing_is_left_of_it() -> None:
    units, answer = whole_units(), accepted(good_answer())
    rows = dispose(units, answer)
    assert cleanup_allowed(rows, 0)
    assert turn_state(TURN, units, record(answer), rows, 0) is TurnState.SETTLED
    assert turn_state(TURN, units, record(answer), rows, 1) is TurnState.OPEN
    assert not cleanup_allowed(rows, 1)


def test_a_turn_with_anything_deferred_stays_open() -> None:
    answer = accepted(good_answer())
    rows = dispose(UNITS, answer)
    assert not cleanup_allowed(rows, 0)
    assert turn_state(TURN, UNITS, record(answer), rows, 0) is TurnState.OPEN


def test_a_unit_that_no_disposition_accounts_for_keeps_the_turn_open() -> None:
    answer = accepted(good_answer())
    rows = dispose(whole_units(), answer)
    assert turn_state(TURN, UNITS, record(answer), rows, 0) is TurnState.OPEN


def test_a_failed_gate_moves_nothing() -> None:
    rows = dispose(UNITS, None)
    refusal = GateRefusal(stage="gate", evidence_check=EvidenceCheck.INVALID_SPAN)
    assert turn_state(TURN, UNITS, None, rows, 0) is TurnState.WAITING
    assert turn_state(TURN, UNITS, record(None), rows, 0) is TurnState.WAITING
    assert turn_state(TURN, UNITS, record(None, refusal), rows, 0) is TurnState.REFUSED


def test_an_incomplete_turn_is_incomplete_whatever_else_is_known() -> None:
    answer = accepted(good_answer())
    turn = replace(TURN, events=EVENTS[:2])
    assert turn_state(turn, UNITS, record(answer), (), 0) is TurnState.INCOMPLETE


def one_candidate(**changes: Any) -> Candidate:
    return accepted({"candidates": [candidate(**changes)]}).candidates[0]


def claim(index: int, quote: str) -> Claim:
    return Claim(
        unit_id=UNITS[index].unit_id, quote=quote, role=ClaimRole.ASSERTION, start=0, end=len(quote)
    )


@pytest.mark.parametrize(
    ("changes", "claims", "covered", "quotes"),
    [
        ({"memory": "Orion ships on Tuesdays."}, None, None, ["Orion ships on Tuesdays."]),
        ({"memory": "Orion ships on Tuesdays."}, None, [OFFERED[1].unit_id], []),
        ({"memory": "Who approves it?"}, None, None, []),
        ({}, [claim(0, "Orion"), claim(1, "Who")], None, ["Orion", "Who"]),
        ({}, [claim(3, "x"), claim(6, "OPS-41")], None, []),
        ({"memory": "Orion ships on Tuesdays."}, [], None, []),
        ({"evidence_event_ids": ["evt-b1"]}, [claim(5, "Orion")], None, []),
    ],
)
def test_support(changes: Any, claims: Any, covered: Any, quotes: list[str]) -> None:
    chosen = one_candidate(**changes)
    support = supporting_units(chosen, UNITS, claims, covered)
    assert [item.quote for item in support] == quotes


@pytest.mark.parametrize(
    ("words", "changes", "reason"),
    [
        ("No need to renew it.", {"type": "todo"}, "negated_action"),
        ("No need to renew it.", {"type": "fact"}, None),
        ("No need to renew it.", {"type": "todo", "update_memory_id": "mem-1"}, None),
        ("证书已经全部完成。", {"type": "todo"}, "already_completed"),
        ("The vendor must renew it.", {"type": "todo"}, "ownership_ambiguous"),
        ("客户要求续期。", {"type": "todo"}, None),
    ],
)
def test_what_memleaf_would_not_write_by_itself(words: str, changes: Any, reason: Any) -> None:
    units = (OFFERED[0]._replace(text=words),)
    chosen = one_candidate(memory=words, **changes)
    result = admission(chosen, units)
    assert result.reason == reason
    assert [item.quote for item in result.support] == [words]


def test_a_question_alone_admits_nothing_unbound() -> None:
    question = (OFFERED[1],)
    assert admission(one_candidate(), question).reason == "read_only_query"
    assert admission(one_candidate(), UNITS).reason == "evidence_not_supported"
    assert admission(one_candidate(), question, [claim(1, "Who")]).reason is None
