"""What a Gate answer must keep, one rule at a time."""

from __future__ import annotations

import json
from typing import Any

import pytest

from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.gate_contract import (
    answer_from_json,
    answer_to_json,
    check_answer,
    check_response,
    projection,
)
from proofstone.domain.gate_json import MAX_NESTING
from proofstone.domain.gate_types import Decision, EvidenceCheck, GateAnswer, GateRefusal
from proofstone.testing.gate_samples import (
    EVENT_KEYS,
    KNOWN_MEMORY_IDS,
    OFFERED,
    UNITS,
    candidate,
    good_answer,
    unit_id,
)

SHIPS = unit_id("Orion ships on Tuesdays.")
WHO = unit_id("Who approves it?")
TICKET = unit_id("OPS-41 is open.")


def checked(answer: Any, **options: Any) -> GateAnswer | GateRefusal:
    text = answer if isinstance(answer, str) else json.dumps(answer)
    options = {"known_memory_ids": KNOWN_MEMORY_IDS} | options
    return check_response(text, turn_event_keys=EVENT_KEYS, units=OFFERED, **options)


def accepted(answer: Any, **options: Any) -> GateAnswer:
    result = checked(answer, **options)
    assert isinstance(result, GateAnswer), result
    return result


def refused(answer: Any, **options: Any) -> str:
    result = checked(answer, **options)
    assert isinstance(result, GateRefusal), result
    assert result.stage == "gate"
    return str(result.identifier)


def with_claim(**changes: Any) -> dict[str, Any]:
    answer = good_answer()
    answer["evidence_bindings"][0]["claims"][0].update(changes)
    return answer


def with_binding(**changes: Any) -> dict[str, Any]:
    answer = good_answer()
    answer["evidence_bindings"][0].update(changes)
    return answer


def with_row(index: int, **changes: Any) -> dict[str, Any]:
    answer = good_answer()
    answer["coverage"][index].update(changes)
    return answer


def test_a_whole_answer_is_accepted_with_its_offsets_filled_in() -> None:
    answer = accepted(good_answer())
    claim = answer.bindings[0].claims[0]
    assert (claim.quote, claim.start, claim.end) == ("ships on", 6, 14)
    assert [row.decision for row in answer.coverage[:2]] == [Decision.CANDIDATE, Decision.NO_CHANGE]
    assert answer.missing_unit_ids == ()


def test_only_physical_units_are_offered() -> None:
    assert [unit.text for unit in UNITS if unit not in OFFERED] == [
        "Orion ships on Tuesdays.",
        "OPS-42 is",
        "Old memory text.",
    ]
    assert projection(OFFERED) == OFFERED


def test_three_empty_lists_are_whole_only_without_physical_units() -> None:
    empty = {"candidates": [], "coverage": [], "evidence_bindings": []}
    assert refused(empty) == "incomplete_coverage"
    alone = check_response(json.dumps(empty), turn_event_keys=EVENT_KEYS, units=())
    assert alone == GateAnswer()


BROKEN: list[tuple[EvidenceCheck, Any]] = [
    (EvidenceCheck.COVERAGE_SHAPE, good_answer() | {"coverage": {}}),
    (EvidenceCheck.COVERAGE_SHAPE, good_answer() | {"coverage": ["row"]}),
    (EvidenceCheck.COVERAGE_SHAPE, with_row(0, why="because")),
    (EvidenceCheck.COVERAGE_SHAPE, with_row(0, decision=None)),
    (EvidenceCheck.UNKNOWN_UNIT, with_row(0, unit_id="u-" + "0" * 24)),
    (EvidenceCheck.UNKNOWN_UNIT, with_claim(unit_id="c-1")),
    (EvidenceCheck.UNKNOWN_UNIT, with_claim(unit_id=UNITS[5].unit_id)),
    (EvidenceCheck.DUPLICATE_COVERAGE, with_row(1, unit_id=SHIPS)),
    (EvidenceCheck.COVERAGE_CANDIDATE, with_row(0, candidate_ids=[])),
    (EvidenceCheck.COVERAGE_CANDIDATE, with_row(0, candidate_ids=["C1"])),
    (EvidenceCheck.COVERAGE_CANDIDATE, with_row(0, candidate_ids="c1")),
    (EvidenceCheck.EVENT_MISMATCH, with_row(0, unit_id=TICKET)),
    (EvidenceCheck.INVALID_REASON, with_row(1, reason="boring")),
    (EvidenceCheck.INVALID_REASON, with_row(1, reason=None)),
    (EvidenceCheck.INVALID_REASON, with_row(1, decision="no_change")),
    (EvidenceCheck.INVALID_REASON, with_row(1, candidate_ids=["c1"])),
    (EvidenceCheck.INVALID_REASON, with_row(0, reason=["c1"])),
    (EvidenceCheck.INCOMPLETE_COVERAGE, good_answer() | {"coverage": []}),
    (EvidenceCheck.BINDING_SHAPE, good_answer() | {"evidence_bindings": {}}),
    (EvidenceCheck.BINDING_SHAPE, good_answer() | {"evidence_bindings": ["c1"]}),
    (EvidenceCheck.BINDING_SHAPE, good_answer() | {"evidence_bindings": [{"candidate_id": "c1"}]}),
    (
        EvidenceCheck.BINDING_SHAPE,
        good_answer() | {"evidence_bindings": good_answer()["evidence_bindings"] * 2},
    ),
    (EvidenceCheck.BINDING_SHAPE, with_binding(why="because")),
    (EvidenceCheck.BINDING_SHAPE, with_binding(candidate_id="c2")),
    (EvidenceCheck.BINDING_SHAPE, with_binding(candidate_id=["c1"])),
    (EvidenceCheck.BINDING_SHAPE, with_binding(claims=[])),
    (EvidenceCheck.BINDING_SHAPE, with_binding(claims={"unit_id": SHIPS})),
    (EvidenceCheck.BINDING_SHAPE, with_binding(claims=["ships on"])),
    (EvidenceCheck.BINDING_SHAPE, with_claim(why="because")),
    (EvidenceCheck.BINDING_SHAPE, with_claim(start=6)),
    (EvidenceCheck.INVALID_SPAN, with_claim(quote="Mondays")),
    (EvidenceCheck.INVALID_SPAN, with_claim(quote="s")),
    (EvidenceCheck.INVALID_SPAN, with_claim(quote="")),
    (EvidenceCheck.INVALID_SPAN, with_claim(quote=" ", start=5, end=6)),
    (EvidenceCheck.INVALID_SPAN, with_claim(role="inference")),
    (EvidenceCheck.INVALID_SPAN, with_claim(start=7, end=15)),
    (EvidenceCheck.INVALID_SPAN, with_claim(start=6, end=15)),
    (EvidenceCheck.INVALID_SPAN, with_claim(start=6, end=14.0)),
    (EvidenceCheck.INVALID_SPAN, with_claim(start=-18, end=-10)),
    (EvidenceCheck.INVALID_SPAN, with_claim(start=6.0, end=14.0)),
    (EvidenceCheck.INVALID_SPAN, with_claim(quote="O", start=False, end=True)),
    (EvidenceCheck.BINDING_SCOPE, with_claim(unit_id=TICKET, quote="OPS-41")),
    (EvidenceCheck.COVERAGE_BINDING_CONFLICT, with_claim(unit_id=WHO, quote="Who")),
    (
        EvidenceCheck.COVERAGE_BINDING_CONFLICT,
        with_row(1, decision="CANDIDATE", candidate_ids=["c1"]),
    ),
    (
        EvidenceCheck.CANDIDATE_EVIDENCE,
        good_answer() | {"candidates": [candidate(evidence_event_ids=["evt-z9"])]},
    ),
    (
        EvidenceCheck.CANDIDATE_EVIDENCE,
        good_answer() | {"candidates": [candidate(evidence_event_ids=[])]},
    ),
    (
        EvidenceCheck.CANDIDATE_EVIDENCE,
        good_answer() | {"candidates": [candidate(evidence_event_ids="evt-a1")]},
    ),
]


@pytest.mark.parametrize(("identifier", "answer"), BROKEN)
def test_a_broken_rule_gives_its_identifier(identifier: EvidenceCheck, answer: Any) -> None:
    result = checked(answer)
    assert result == GateRefusal(stage="gate", evidence_check=identifier)


def test_every_identifier_of_the_closed_list_can_be_reached() -> None:
    assert {identifier for identifier, _ in BROKEN} == set(EvidenceCheck)


@pytest.mark.parametrize(
    ("detail", "changes"),
    [
        ("candidate_shape", {"candidate_id": " "}),
        ("candidate_shape", {"memory": "two\nlines"}),
        ("candidate_shape", {"reason": None}),
        ("unknown_fields", {"author": "me"}),
        ("invalid_flags", {"duplicate": True}),
        ("invalid_flags", {"worth": 1}),
        ("invalid_type", {"type": "rumour"}),
        ("invalid_type", {"type": None}),
        ("invalid_scope", {"scopes": []}),
        ("invalid_scope", {"scopes": "global"}),
        ("invalid_scope", {"scopes": ["project:a/b"]}),
        (
            "invalid_scope",
            {"scopes": ["unscoped", "global"], "scope_source": "insufficient_context"},
        ),
        ("invalid_scope", {"scopes": ["unscoped"]}),
        ("invalid_scope", {"scope_source": "insufficient_context"}),
        ("invalid_scope_source", {"scope_source": "guess"}),
        ("invalid_update_target", {"update_memory_id": "mem-9"}),
        ("invalid_update_target", {"update_memory_id": "../mem-1"}),
        ("invalid_update_target", {"update_memory_id": "mem-1", "duplicate_memory_id": "mem-2"}),
        ("invalid_update_target", {"update_memory_id": "mem-1", "worth": False}),
        (
            "invalid_update_target",
            {"update_memory_id": "mem-1", "worth": False, "duplicate": True},
        ),
        ("invalid_duplicate_target", {"duplicate_memory_id": "mem-1"}),
        ("invalid_duplicate_target", {"duplicate_memory_id": "mem-1", "worth": False}),
        (
            "invalid_duplicate_target",
            {"duplicate_memory_id": "mem-9", "worth": False, "duplicate": True},
        ),
        ("reason_too_long", {"reason": "x" * 31}),
    ],
)
def test_a_fault_in_a_candidate_gives_its_detail(detail: str, changes: dict[str, Any]) -> None:
    answer = good_answer() | {"candidates": [candidate(**changes)]}
    assert refused(answer) == detail


def test_candidates_share_neither_id_nor_target() -> None:
    twins = [candidate("c1"), candidate("C1")]
    assert refused(good_answer() | {"candidates": twins}) == "duplicate_candidate_id"
    rivals = [candidate("c1", update_memory_id="mem-1"), candidate("c2", update_memory_id="MEM-1")]
    assert refused(good_answer() | {"candidates": rivals}) == "duplicate_update_target"


def test_targets_are_not_checked_when_no_memories_are_given() -> None:
    answer = good_answer() | {"candidates": [candidate(update_memory_id="mem-9")]}
    assert accepted(answer, known_memory_ids=None).candidates[0].update_memory_id == "mem-9"


@pytest.mark.parametrize("target", ["a/b", "a\\b", ".", "..", " ", 1])
def test_a_target_is_never_a_path(target: object) -> None:
    answer = good_answer() | {"candidates": [candidate(update_memory_id=target)]}
    assert refused(answer, known_memory_ids=None) == "invalid_update_target"


def test_event_keys_and_targets_are_known_in_any_case() -> None:
    value = candidate(evidence_event_ids=["EVT-A1"], update_memory_id="MEM-1")
    result = check_response(
        json.dumps({"candidates": [value]}),
        turn_event_keys=["Evt-a1"],
        units=(),
        known_memory_ids=["Mem-1"],
    )
    assert isinstance(result, GateAnswer)


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("", "empty_content"),
        (" \n\u3000", "empty_content"),
        ("done", "invalid_json"),
        ('{"candidates": []} done', "invalid_json"),
        ('```json\n{"candidates": []}\n```', "invalid_json"),
        ('{"candidates": [], "candidates": []}', "invalid_json"),
        ('{"candidates": [NaN]}', "invalid_json"),
        ('{"candidates": [-Infinity]}', "invalid_json"),
        ('{"candidates": [1e999]}', "invalid_json"),
        ('{"candidates": [' + "9" * 5000 + "]}", "invalid_json"),
        ('{"candidates": ["\\ud800"]}', "invalid_json"),
        ('{"candidates": ["\ud800"]}', "invalid_json"),
        ('{"candidates": ["\t"]}', "invalid_json"),
        ("[" * 100_000, "invalid_json"),
        ('{"candidates": ' + "[" * MAX_NESTING + "]" * MAX_NESTING + "}", "invalid_json"),
        ('"\\"' * 50_000, "invalid_json"),
        ("[]", "root_shape"),
        ('"{}"', "root_shape"),
        ('{"candidates": {}}', "root_shape"),
        ('{"candidates": ["[[[[[["]}', "candidate_shape"),
        ("{}", "missing_fields"),
        ('{"candidates": [{}]}', "missing_fields"),
        ('{"candidates": [], "note": ""}', "unknown_fields"),
    ],
)
def test_text_that_is_no_answer_is_refused_without_an_exception(text: str, identifier: str) -> None:
    assert refused(text) == identifier


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit not in OFFERED])
def test_a_unit_that_may_not_support_is_refused_even_when_offered(unit: EvidenceUnit) -> None:
    chosen = [candidate(evidence_event_ids=["evt-b1"])]
    row = {"unit_id": unit.unit_id, "decision": "CANDIDATE", "candidate_ids": ["c1"]}
    claim = {"unit_id": unit.unit_id, "quote": unit.text, "role": "assertion"}
    binding = {"candidate_id": "c1", "claims": [claim]}
    for part, identifier in (
        ({"coverage": [row]}, "coverage_candidate"),
        ({"evidence_bindings": [binding]}, "binding_scope"),
    ):
        text = json.dumps({"candidates": chosen} | part)
        result = check_response(text, turn_event_keys=EVENT_KEYS, units=UNITS)
        assert isinstance(result, GateRefusal)
        assert result.identifier == identifier


def test_the_decision_follows_from_the_reason() -> None:
    answer = with_row(1, decision="DEFERRED", reason="query_only")
    assert accepted(answer).coverage[1].decision is Decision.NO_CHANGE
    answer = with_row(1, decision="NO_CHANGE", reason="scope_conflict")
    assert accepted(answer).coverage[1].decision is Decision.DEFERRED


def test_a_confirmation_is_the_users_alone() -> None:
    assert accepted(with_claim(role="user_confirmation")).bindings[0].claims[0].start == 6
    answer = good_answer()
    answer["candidates"][0]["evidence_event_ids"] = ["evt-b1"]
    answer["coverage"][0] |= {"unit_id": TICKET}
    answer["coverage"][-1]["unit_id"] = SHIPS
    claim = answer["evidence_bindings"][0]["claims"][0]
    claim |= {"unit_id": TICKET, "quote": "OPS-41"}
    assert accepted(answer).bindings[0].claims[0].unit_id == TICKET
    claim["role"] = "user_confirmation"
    assert refused(answer) == "binding_scope"


def test_offsets_count_characters_not_bytes() -> None:
    cafe = "\N{SLIGHTLY SMILING FACE} Café closes;"
    answer = {
        "candidates": [candidate(evidence_event_ids=["evt-a2"])],
        "evidence_bindings": [
            {
                "candidate_id": "c1",
                "claims": [{"unit_id": unit_id(cafe), "quote": "Café", "role": "assertion"}],
            }
        ],
    }
    claim = accepted(answer).bindings[0].claims[0]
    assert (claim.start, claim.end) == (2, 6)


def test_a_repeated_statement_supports_without_a_binding() -> None:
    answer = accepted({"candidates": [candidate(memory=" Orion ships on Tuesdays. ")]})
    assert answer.missing_unit_ids == tuple(unit.unit_id for unit in OFFERED[1:])
    changed = accepted({"candidates": [candidate(memory="orion ships on Tuesdays.")]})
    assert len(changed.missing_unit_ids) == len(OFFERED)
    question = accepted({"candidates": [candidate(memory="Who approves it?")]})
    assert len(question.missing_unit_ids) == len(OFFERED)


def test_a_repeated_statement_must_not_be_called_no_change() -> None:
    answer = good_answer()
    answer["candidates"] = [candidate(memory="Orion ships on Tuesdays.")]
    answer["coverage"][0] = {"unit_id": SHIPS, "decision": "NO_CHANGE", "reason": "query_only"}
    del answer["evidence_bindings"]
    assert refused(answer) == "coverage_binding_conflict"


def test_a_refusal_holds_nothing_of_the_answer() -> None:
    result = checked(with_claim(quote="the secret plan"))
    assert "secret" not in repr(result)


def test_the_stored_form_is_the_contracts_own() -> None:
    answer = accepted(good_answer())
    stored = answer_to_json(answer)
    assert list(stored) == ["candidates", "coverage", "evidence_bindings"]
    assert stored["candidates"] == good_answer()["candidates"]
    assert stored["coverage"] == good_answer()["coverage"]
    assert json.loads(json.dumps(stored)) == stored
    assert answer_from_json(stored, units=OFFERED) == answer


def test_a_stored_answer_is_read_back_when_its_text_is_gone() -> None:
    answer = accepted(good_answer())
    stored = answer_to_json(answer)
    assert answer_from_json(stored) == answer
    stored["evidence_bindings"][0]["claims"] = [  # no offsets, and no text to find them in
        {"unit_id": SHIPS, "quote": "ships on", "role": "assertion"}
    ]
    assert answer_from_json(stored) == GateRefusal(
        stage="stored", evidence_check=EvidenceCheck.INVALID_SPAN
    )
    assert isinstance(answer_from_json("nonsense"), GateRefusal)


def test_a_stored_answer_is_held_against_the_text_as_it_is_now() -> None:
    answer = accepted(good_answer())
    assert check_answer(answer, turn_event_keys=EVENT_KEYS, units=OFFERED) == answer
    changed = (OFFERED[0]._replace(text="Orion sails on Tuesdays."), *OFFERED[1:])
    assert check_answer(answer, turn_event_keys=EVENT_KEYS, units=changed) == GateRefusal(
        stage="stored", evidence_check=EvidenceCheck.INVALID_SPAN
    )
