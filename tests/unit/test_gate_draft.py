"""A Gate answer put together by hand: each step, and what it will not do."""

from __future__ import annotations

import json

import pytest

from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_contract import check_response
from proofstone.domain.gate_draft import DraftError, GateDraft, as_statement, roles_for
from proofstone.domain.gate_meanings import MEANINGS, meaning
from proofstone.domain.gate_types import (
    ClaimRole,
    Decision,
    EvidenceCheck,
    GateAnswer,
    ValidationDetail,
    ValidationReason,
)


def unit(
    number: int, text: str, origin: Origin = Origin.USER_ASSERTION, role: str = "user"
) -> EvidenceUnit:
    return EvidenceUnit(
        unit_id=f"u-{number}",
        event_key=f"event-{role}",
        source_role=role,
        origin=origin,
        start=0,
        end=len(text),
        text=text,
    )


UNITS = (
    unit(1, "Store amounts as decimals."),
    unit(2, "Does the export read them?", Origin.USER_QUERY),
    unit(3, "I will change the loader.", Origin.ASSISTANT_SYNTHESIS, "assistant"),
    unit(4, "42 tests passed", Origin.EXTERNAL_OBSERVATION, "external"),
)


def started() -> GateDraft:
    return GateDraft.of(UNITS).with_candidate(
        "Amounts are decimals.", type="fact", scopes=["project:atlas"]
    )


def checked(draft: GateDraft) -> object:
    keys = list(dict.fromkeys(u.event_key for u in UNITS))
    return check_response(draft.to_json().decode(), turn_event_keys=keys, units=draft.units)


def test_only_units_that_may_be_cited_await_a_row() -> None:
    draft = GateDraft.of(UNITS)
    assert [u.unit_id for u in draft.uncovered] == ["u-1", "u-2", "u-4"]
    assert draft.is_empty
    assert not draft.is_complete


def test_a_draft_becomes_complete_step_by_step_and_keeps_the_contract() -> None:
    draft = started()
    assert [c.candidate_id for c in draft.unbound] == ["c1"]
    draft = draft.bind("c1", "u-1", (6, 25)).decide("u-2", "query_only")
    assert [u.unit_id for u in draft.uncovered] == ["u-4"]
    draft = draft.decide("u-4", "coverage_unresolved")
    assert draft.is_complete
    answer = checked(draft)
    assert isinstance(answer, GateAnswer)
    assert [row.decision for row in answer.coverage] == [
        Decision.CANDIDATE,
        Decision.NO_CHANGE,
        Decision.DEFERRED,
    ]
    assert answer.bindings[0].claims[0].quote == "amounts as decimals"
    assert answer.candidates[0].evidence_event_ids == ("event-user",)


def test_one_unit_may_support_two_candidates() -> None:
    draft = started().with_candidate("Exports read them.", type="fact", scopes=["global"])
    draft = draft.bind("c1", "u-1").bind("c2", "u-1", (0, 5)).bind("c2", "u-4")
    draft = draft.decide("u-2", "query_only")
    answer = checked(draft)
    assert isinstance(answer, GateAnswer)
    assert answer.coverage[0].candidate_ids == ("c1", "c2")
    assert answer.candidates[1].evidence_event_ids == ("event-user", "event-external")


def test_a_later_decision_about_a_unit_takes_the_place_of_an_earlier_one() -> None:
    bound = started().bind("c1", "u-1")
    decided = bound.decide("u-1", "negated")
    assert decided.unbound
    assert decided.reason_of("u-1") == "negated"
    again = decided.bind("c1", "u-1")
    assert again.reason_of("u-1") == ""
    assert not again.unbound
    assert bound.reason_of("u-1") == "", "a draft is a value; the one before is as it was"


def test_the_same_words_are_bound_once_and_their_role_may_change() -> None:
    draft = started().bind("c1", "u-1").bind("c1", "u-1", role=ClaimRole.USER_CONFIRMATION)
    claims = draft.candidates[0].claims
    assert [claim.role for claim in claims] == [ClaimRole.USER_CONFIRMATION]


def test_a_candidate_can_be_reworded_and_left_out() -> None:
    draft = started().bind("c1", "u-1")
    other = draft.reworded(
        "c1", "Amounts are stored as decimals.", type="project", scopes=["unscoped"]
    )
    assert other.candidates[0].memory == "Amounts are stored as decimals."
    assert other.candidates[0].claims == draft.candidates[0].claims
    assert other.answer().candidates[0].scope_source == "insufficient_context"
    assert [u.unit_id for u in other.without("c1").uncovered] == ["u-1", "u-2", "u-4"]


def test_ids_in_use_by_an_earlier_answer_are_not_given_again() -> None:
    draft = GateDraft.of(UNITS, taken=["C1", "c3"])
    for _ in range(2):
        draft = draft.with_candidate("A fact.", type="fact", scopes=["global"])
    assert [c.candidate_id for c in draft.candidates] == ["c2", "c4"]


@pytest.mark.parametrize(
    ("memory", "type", "scopes", "target"),
    [
        ("  ", "fact", ["global"], ""),
        ("two\nlines", "fact", ["global"], ""),
        ("words", "opinion", ["global"], ""),
        ("words", "fact", [], ""),
        ("words", "fact", ["team:x"], ""),
        ("words", "fact", ["project:.."], ""),
        ("words", "fact", ["project:a b"], ""),
        ("words", "fact", ["global", "unscoped"], ""),
        ("words", "fact", ["global"], "../escape"),
    ],
)
def test_what_the_contract_would_refuse_is_no_step(
    memory: str, type: str, scopes: list[str], target: str
) -> None:
    with pytest.raises(DraftError):
        GateDraft.of(UNITS).with_candidate(
            memory, type=type, scopes=scopes, update_memory_id=target
        )


def test_two_candidates_cannot_update_one_memory() -> None:
    draft = GateDraft.of(UNITS).with_candidate(
        "a", type="fact", scopes=["global"], update_memory_id="mem-1"
    )
    with pytest.raises(DraftError):
        draft.with_candidate("b", type="fact", scopes=["global"], update_memory_id="MEM-1")


@pytest.mark.parametrize(
    "step",
    [
        lambda draft: draft.bind("c9", "u-1"),
        lambda draft: draft.bind("c1", "u-3"),
        lambda draft: draft.bind("c1", "u-1", (5, 6)),
        lambda draft: draft.bind("c1", "u-1", (0, 999)),
        lambda draft: draft.bind("c1", "u-4", role=ClaimRole.USER_CONFIRMATION),
        lambda draft: draft.decide("u-3", "negated"),
        lambda draft: draft.decide("u-1", "because"),
        lambda draft: draft.without("c9"),
    ],
)
def test_a_step_that_cannot_be_made_says_so(step: object) -> None:
    assert callable(step)
    with pytest.raises(DraftError):
        step(started())


def test_a_draft_moves_to_what_is_left_of_its_units() -> None:
    draft = started().bind("c1", "u-1").decide("u-2", "query_only")
    moved = draft.on(UNITS[1:])
    assert [c.candidate_id for c in moved.unbound] == ["c1"], "the statement is not lost"
    assert moved.reason_of("u-2") == "query_only"
    assert draft.on(UNITS) == draft


def test_quotations_are_offered_as_excerpts_first() -> None:
    quoted = unit(5, "> ship on Fridays", Origin.USER_DOCUMENT)
    assert roles_for(quoted)[0] is ClaimRole.SOURCE_EXCERPT
    assert ClaimRole.USER_CONFIRMATION not in roles_for(UNITS[3])


def test_lone_surrogates_survive_the_way_to_json() -> None:
    odd = unit(6, "half \ud83d a pair")
    draft = GateDraft.of([odd]).with_candidate(odd.text, type="fact", scopes=["global"])
    value = json.loads(draft.bind("c1", "u-6").to_json())
    assert value["evidence_bindings"][0]["claims"][0]["quote"] == odd.text


def test_every_identifier_is_explained() -> None:
    known = {*EvidenceCheck, *ValidationDetail, *ValidationReason}
    assert set(MEANINGS) == known
    assert meaning("something_else")


@pytest.mark.parametrize(
    ("words", "statement"),
    [
        ("It is fed in the evening at nine;", "It is fed in the evening at nine"),
        (" 番茄每天浇水；", "番茄每天浇水"),
        ("Use pnpm, never npm!", "Use pnpm, never npm!"),
    ],
)
def test_a_clause_becomes_a_statement_without_the_mark_by_which_it_goes_on(
    words: str, statement: str
) -> None:
    assert as_statement(words) == statement
