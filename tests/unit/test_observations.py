"""What is kept of tool records, and what is masked in them (spec page 2, Observations)."""

from __future__ import annotations

from hashlib import sha256
from typing import Any

import pytest

from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.evidence_unit import Partition
from proofstone.domain.inventory import inventory
from proofstone.domain.observations import (
    MAX_BODY,
    MAX_FIELD,
    MAX_RECORDS,
    ObservationError,
    observation_fields,
    observation_from_fields,
    renormalised,
    stored_observations,
    under_policy,
)
from proofstone.domain.redaction import redacted

RECORD = {
    "tool_name": "tracker.get",
    "call_id": "c-1",
    "kind": "external_observation",
    "result_status": "success",
    "content": "body",
}


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def stored(record: object, **policy: Any) -> Observation:
    (observation,) = stored_observations([record], **policy)
    return observation


def test_fields_are_stripped_and_the_digest_is_never_trusted() -> None:
    given = RECORD | {"content": " body\n", "title": " T ", "result_digest": "f" * 64}
    kept = stored(given)
    assert (kept.content, kept.title, kept.result_digest) == ("body", "T", digest("body"))


def test_a_body_over_the_limit_is_cut_and_says_so() -> None:
    kept = stored(RECORD | {"content": "x" * MAX_BODY + "y", "completeness": "complete"})
    assert kept.content == "x" * MAX_BODY
    assert (kept.result_status, kept.completeness) == ("truncated", "partial")
    assert kept.result_digest == digest("x" * MAX_BODY)


def test_a_body_at_the_limit_is_whole() -> None:
    kept = stored(RECORD | {"content": "x" * MAX_BODY})
    assert (kept.result_status, kept.completeness) == ("success", "")


def test_other_fields_are_cut_too() -> None:
    assert stored(RECORD | {"title": "t" * 400}).title == "t" * MAX_FIELD


def test_a_truncated_result_is_partial_whatever_it_claims() -> None:
    kept = stored(RECORD | {"result_status": "truncated", "completeness": "complete"})
    assert kept.completeness == "partial"


def test_a_domain_is_folded_and_loses_its_at_sign() -> None:
    assert stored(RECORD | {"domain": "@Example.TEST"}).domain == "example.test"


@pytest.mark.parametrize(
    ("record", "message", "field"),
    [
        ("text", "invalid tool evidence record", ""),
        (RECORD | {"body": "x"}, "invalid tool evidence record", ""),
        (RECORD | {"title": 7}, "invalid tool evidence field", "title"),
        (RECORD | {"title": "  "}, "invalid tool evidence field", "title"),
        (RECORD | {"title": "a\nb"}, "invalid tool evidence field", "title"),
        (RECORD | {"content": "a\x00b"}, "invalid tool evidence field", "content"),
        (RECORD | {"domain": "no domain"}, "invalid tool evidence domain", "domain"),
        (RECORD | {"kind": "fact"}, "invalid tool evidence kind", "kind"),
        (RECORD | {"result_status": "ok"}, "invalid tool result status", "result_status"),
        (RECORD | {"execution_status": "ok"}, "invalid execution status", "execution_status"),
        (RECORD | {"completeness": "half"}, "invalid evidence completeness", "completeness"),
        (RECORD | {"source_type": "web"}, "invalid tool evidence source type", "source_type"),
        (RECORD | {"retention": "all"}, "invalid tool evidence retention", "retention"),
        (RECORD | {"omitted_count": "٣"}, "invalid omitted observation count", "omitted_count"),
    ],
)
def test_a_malformed_record_is_refused_at_the_door_and_unresolved_on_disk(
    record: object, message: str, field: str
) -> None:
    with pytest.raises(ObservationError) as refusal:
        stored_observations([RECORD, record])
    assert (str(refusal.value), refusal.value.record, refusal.value.field) == (message, 1, field)

    kept, unresolved = renormalised([RECORD, record])
    assert kept.content == "body"
    event = Event(event_key="e", role=Role.ASSISTANT, content="", observations=(unresolved,))
    assert [unit.partition for unit in inventory([event])] == [Partition.UNRESOLVED]


def test_records_that_are_no_list_are_refused_at_the_door_and_none_on_disk() -> None:
    with pytest.raises(ObservationError, match="must be a list"):
        stored_observations({"tool_name": "t"})
    assert stored_observations(None) == ()
    assert renormalised({"tool_name": "t"}) == ()


def test_repeats_collapse_and_a_field_that_is_null_was_not_given() -> None:
    assert len(stored_observations([RECORD, RECORD | {"record_id": None}])) == 1


def test_an_overflow_record_says_how_many_were_left_out() -> None:
    records = [RECORD | {"call_id": f"c-{number}"} for number in range(MAX_RECORDS + 3)]
    *kept, overflow = stored_observations(records)
    assert [item.call_id for item in kept] == [f"c-{number}" for number in range(MAX_RECORDS - 1)]
    assert (overflow.call_id, overflow.omitted_count) == ("overflow", "4")
    assert (overflow.result_status, overflow.completeness) == ("truncated", "partial")


def test_an_overflow_record_that_is_left_out_counts_as_what_it_stands_for() -> None:
    records = [RECORD | {"call_id": f"c-{number}"} for number in range(MAX_RECORDS)]
    overflow = stored_observations([*records, {"tool_name": "t", "omitted_count": "40"}])[-1]
    assert overflow.omitted_count == "41"


def test_records_on_disk_over_the_limit_are_counted_as_well() -> None:
    records = [RECORD | {"call_id": f"c-{number}"} for number in range(MAX_RECORDS + 3)]
    read = renormalised(records)
    assert len(read) == MAX_RECORDS
    assert (read[-1].call_id, read[-1].omitted_count) == ("overflow", "4")


@pytest.mark.parametrize("function", [stored_observations, renormalised])
def test_metadata_mode_keeps_all_but_the_body(function: Any) -> None:
    (kept,) = function([RECORD], "metadata")
    assert kept.content is None
    assert (kept.retention, kept.completeness) == ("metadata", "missing")
    assert kept.result_digest == digest("body")


@pytest.mark.parametrize("function", [stored_observations, renormalised])
def test_a_document_needs_consent(function: Any) -> None:
    document = RECORD | {"source_type": "document"}
    (without,) = function([document])
    (with_consent,) = function([document], "bounded", True)
    assert (without.content, without.retention) == (None, "metadata")
    assert (with_consent.content, with_consent.retention) == ("body", "")


@pytest.mark.parametrize("function", [stored_observations, renormalised])
def test_off_keeps_nothing_and_an_unknown_mode_is_refused(function: Any) -> None:
    assert function([RECORD], "off") == ()
    with pytest.raises(ValueError, match="unknown capture mode 'full'"):
        function([RECORD], "full")


def test_the_policy_applies_to_observations_too() -> None:
    observations = stored_observations([RECORD])
    assert under_policy(observations, "bounded") == observations
    assert under_policy(observations, "metadata") == stored_observations([RECORD], "metadata")
    assert under_policy(observations, "off") == ()


def test_masking_comes_before_cutting_and_the_digest() -> None:
    kept = stored(RECORD | {"content": "token=abcdefghijkl ok"}, redact=redacted)
    assert kept.content == "token=[REDACTED_SECRET] ok"
    assert kept.result_digest == digest("token=[REDACTED_SECRET] ok")


def test_fields_and_observation_are_two_forms_of_one_record() -> None:
    kept = stored(RECORD | {"record_id": "r"})
    assert observation_fields(kept) == RECORD | {"record_id": "r", "result_digest": digest("body")}
    assert observation_from_fields(observation_fields(kept)) == kept
    assert observation_fields(Observation(tool_name="t")) == {"tool_name": "t"}


@pytest.mark.parametrize("record", [{"body": "x"}, {"tool_name": 7}])
def test_fields_of_another_form_are_refused(record: Any) -> None:
    with pytest.raises(ObservationError, match="invalid tool evidence record"):
        observation_from_fields(record)


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("nothing to hide", "nothing to hide"),
        ("password: hunter2, ok", "password: [REDACTED_SECRET], ok"),
        ("API_KEY = 'a b'", "API_KEY = [REDACTED_SECRET]"),
        ('token="abc def" ok', "token=[REDACTED_SECRET] ok"),
        ("a\n Cookie: a=b; c=d\nb", "a\n Cookie: [REDACTED_SECRET]\nb"),
        ("no Cookie: a=b; c=d", "no Cookie: [REDACTED_SECRET]; c=d"),
        ("Authorization: " + "x" * 16, "Authorization: [REDACTED_TOKEN]"),
        ("bearer " + "x" * 15, "bearer " + "x" * 15),
        ("use sk-" + "a" * 16 + ".", "use [REDACTED_TOKEN]."),
        ("AKIA" + "A" * 16, "[REDACTED_TOKEN]"),
        (
            "eyJ" + "a" * 10 + "." + "b" * 10 + "." + "c" * 10 + "-",
            "[REDACTED_TOKEN]-",
        ),
        (
            "x -----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- y",
            "x [REDACTED_PRIVATE_KEY] y",
        ),
        ("-----BEGIN PRIVATE KEY----- abc", "-----BEGIN PRIVATE KEY----- abc"),
    ],
)
def test_credentials_are_masked(text: str, masked: str) -> None:
    assert redacted(text) == masked
    assert redacted(masked) == masked


@pytest.mark.parametrize(
    "piece",
    [
        *("-----BEGIN PRIVATE KEY-----", "-----BEGIN ", "\n", " ", "cookie: ", "\ncookie:"),
        *("eyJaaaaaaaaaa-", "eyJaaaaaaaaaa.", "token='", 'x="', "token ", "bearer ", "xoxb-"),
        *("sk-proj-", "sk-aaaaaaaaaaaaaaaa_"),
    ],
)
def test_no_text_makes_masking_go_back_again_and_again(piece: str) -> None:
    # With time quadratic in the text, each of these would run for many minutes.
    assert "hunter2" not in redacted(piece * 50_000 + " password=hunter2")
