"""Whatever an answer holds, it keeps the contract or breaks exactly one named rule."""

from __future__ import annotations

import json
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.conversation import Event, Role, Turn
from proofstone.domain.dispositions import dispose
from proofstone.domain.gate_contract import (
    answer_from_json,
    answer_to_json,
    check_answer,
    check_response,
    merge_correction,
)
from proofstone.domain.gate_prompt import CONVERSATION_FROM, CONVERSATION_TO, prompt
from proofstone.domain.gate_support import (
    claims_of,
    covered_by,
    supported_candidates,
    supporting_units,
)
from proofstone.domain.gate_types import (
    Decision,
    EvidenceCheck,
    GateAnswer,
    GateRefusal,
    ValidationDetail,
    ValidationReason,
)
from proofstone.domain.inventory import inventory
from proofstone.testing.gate_samples import EVENT_KEYS, OFFERED, UNITS, mutated, random_answer

IDENTIFIERS = {*EvidenceCheck, *ValidationDetail, *ValidationReason}
RANDOMS = st.randoms(use_true_random=False)
ANY_TEXT = st.text(st.characters())  # lone surrogates too
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | ANY_TEXT,
    lambda inner: st.lists(inner) | st.dictionaries(ANY_TEXT, inner),
    max_leaves=20,
)


def check(text: str, *, require_complete: bool = False) -> GateAnswer | GateRefusal:
    return check_response(
        text, turn_event_keys=EVENT_KEYS, units=OFFERED, require_complete=require_complete
    )


def assert_sound(result: GateAnswer | GateRefusal) -> None:
    """An answer accounts for every unit in one way; a refusal names one rule."""
    if isinstance(result, GateRefusal):
        faults = (result.evidence_check, result.validation_detail, result.validation_reason)
        assert [fault for fault in faults if fault is not None] == [result.identifier]
        assert result.identifier in IDENTIFIERS
        return
    ids = [unit.unit_id for unit in OFFERED]
    rows = [row.unit_id for row in result.coverage]
    assert len(set(rows)) == len(rows)
    assert set(rows) <= set(ids)
    assert set(result.missing_unit_ids) <= set(ids) - set(rows)
    texts = {unit.unit_id: unit.text for unit in OFFERED}
    for binding in result.bindings:
        for claim in binding.claims:
            assert texts[claim.unit_id][claim.start : claim.end] == claim.quote


def several_times_mutated(random: Random) -> object:
    answer: object = random_answer(random)
    for _ in range(random.randint(0, 3)):
        answer = mutated(answer, random)
    return answer


@given(RANDOMS, st.booleans())
def test_a_mutated_answer_keeps_the_contract_or_breaks_one_rule(
    random: Random, complete: bool
) -> None:
    text = json.dumps(several_times_mutated(random))
    result = check(text, require_complete=complete)
    assert_sound(result)
    assert check(text, require_complete=complete) == result


@given(ANY_TEXT | JSON_VALUES.map(json.dumps))
def test_no_text_raises(text: str) -> None:
    assert_sound(check(text))


@given(RANDOMS, st.integers(min_value=0), ANY_TEXT)
def test_no_damage_to_the_text_raises(random: Random, place: int, damage: str) -> None:
    text = json.dumps(random_answer(random))
    cut = place % (len(text) + 1)
    assert_sound(check(text[:cut] + damage + text[cut + 1 :]))


@given(RANDOMS)
def test_an_answer_is_stored_and_read_back_unchanged(random: Random) -> None:
    answer = check(json.dumps(several_times_mutated(random)))
    if isinstance(answer, GateAnswer):
        stored = json.loads(json.dumps(answer_to_json(answer)))
        assert answer_from_json(stored, units=OFFERED) == answer
        assert check_answer(answer, turn_event_keys=EVENT_KEYS, units=OFFERED) == answer


@given(st.recursive(JSON_VALUES, st.lists, max_leaves=5) | RANDOMS.map(several_times_mutated))
def test_reading_a_stored_answer_never_raises(value: object) -> None:
    result = answer_from_json(value, units=OFFERED)
    assert isinstance(result, GateAnswer) or result.identifier in IDENTIFIERS


@given(RANDOMS)
def test_dispositions_account_for_the_whole_inventory(random: Random) -> None:
    answer = check(json.dumps(several_times_mutated(random)))
    accepted = answer if isinstance(answer, GateAnswer) else None
    rows = dispose(UNITS, accepted)
    assert [row.unit_id for row in rows] == [unit.unit_id for unit in UNITS]
    assert dispose(UNITS, accepted) == rows
    missing = {row.unit_id for row in rows if row.reason == "coverage_unresolved"}
    if accepted is not None:
        assert set(accepted.missing_unit_ids) <= missing
    for row in rows:
        assert (row.reason == "candidate_checked") <= (row.decision is Decision.CANDIDATE)


@given(RANDOMS)
def test_a_correction_only_ever_adds(random: Random) -> None:
    answer = check(json.dumps(several_times_mutated(random)))
    if not isinstance(answer, GateAnswer):
        return
    correction = json.dumps(several_times_mutated(random))
    result = merge_correction(answer, correction, turn_event_keys=EVENT_KEYS, units=OFFERED)
    assert_sound(result)
    if isinstance(result, GateAnswer):
        assert result.candidates[: len(answer.candidates)] == answer.candidates
        assert result.coverage[: len(answer.coverage)] == answer.coverage
        assert result.bindings[: len(answer.bindings)] == answer.bindings
        assert set(result.missing_unit_ids) <= set(answer.missing_unit_ids)


@given(RANDOMS)
def test_units_support_the_candidates_that_they_are_said_to_support(random: Random) -> None:
    answer = check(json.dumps(several_times_mutated(random)))
    if isinstance(answer, GateAnswer):
        claims, covered = claims_of(answer), covered_by(answer.coverage)
        pairs = [
            (item.unit.unit_id, candidate.candidate_id)
            for candidate in answer.candidates
            for item in supporting_units(
                candidate,
                UNITS,
                claims.get(candidate.candidate_id),
                covered.get(candidate.candidate_id),
            )
        ]
        supported = supported_candidates(answer, UNITS)
        assert supported == {
            unit: tuple(dict.fromkeys(name for other, name in pairs if other == unit))
            for unit, _ in pairs
        }


@given(st.lists(ANY_TEXT, min_size=1, max_size=4))
def test_no_captured_text_leaves_its_line_of_the_prompt(texts: list[str]) -> None:
    events = tuple(
        Event(event_key=f"evt-{number}", role=Role.USER, content=text.replace("\r", "\n"))
        for number, text in enumerate(texts)
    )
    turn = Turn(source="s", session_id="s", turn_key="k", turn_index=1, events=events)
    units = inventory(event for event in events if event.content.isascii())
    shown = prompt(turn, units)
    assert shown.encode("utf-8").decode("utf-8") == shown
    lines = shown.splitlines()
    assert lines == shown.split("\n")
    start = lines.index(CONVERSATION_FROM) + 1
    assert lines[start + len(events)] == CONVERSATION_TO
    for line, event in zip(lines[start:], events, strict=False):
        assert json.loads(line)["text"] == event.content
