"""Whatever the payload: rows in order, counts that add up, nothing twice, no traceback."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain.capture import CaptureRefusedError, CaptureResult, Held, plan_capture
from proofstone.domain.capture_items import KINDS
from proofstone.domain.records import Holdings

NOW = "2026-08-03T09:00:00Z"
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner),
    max_leaves=10,
)
CONTENTS = st.sampled_from(["atlas runs at night", "备份每晚两点运行", "a\n", "third fact"])
GOOD = st.fixed_dictionaries(
    {"content": CONTENTS, "source": st.just("chat"), "anchor": st.sampled_from(["a:1", "#2"])},
    optional={
        "kind": st.sampled_from(KINDS),
        "stale_if": st.sampled_from(["x", "y"]),
        "event_at": st.just(NOW),
        "instruction_taint": st.booleans(),
    },
)
SPOILT = st.builds(
    lambda good, name, value: {**good, name: value},
    GOOD,
    st.sampled_from(["content", "anchor", "confidence", "kind", "valid_to", "layer", "other"]),
    JSON,
)
ITEMS = st.lists(GOOD | SPOILT | JSON, max_size=8)


def plan(payload: object, held: Held | None = None) -> CaptureResult:
    return plan_capture(payload, held=held or Held.of(Holdings()), now=NOW, project="atlas")


@settings(max_examples=200, deadline=None)
@given(JSON | SPOILT)
def test_any_payload_gives_an_answer_or_one_line(payload: object) -> None:
    try:
        answer = plan(payload).as_json()
    except CaptureRefusedError as error:
        assert "\n" not in str(error)
    else:
        json.dumps(answer).encode("utf-8")


@settings(max_examples=200, deadline=None)
@given(ITEMS)
def test_rows_are_one_per_item_and_counts_add_up(items: list[Any]) -> None:
    result = plan({"items": items})
    answer = result.as_json()
    assert len(answer["outcomes"]) == len(items)
    assert answer["captured"] + answer["deduped"] + answer["rejected"] == len(items)
    assert answer["captured"] == len(result.proposals)
    assert len({proposal.proposal_id for proposal in result.proposals}) == len(result.proposals)
    for position, row in enumerate(answer["outcomes"]):
        if row["status"] == "rejected":
            assert set(row) == {"status", "error"}
            assert row["error"].startswith(f"items[{position}]")
            assert row["error"].count("ingest rejected: ") == 1
            assert "\n" not in row["error"]
    assert plan({"items": items}) == result


@settings(max_examples=100, deadline=None)
@given(ITEMS)
def test_capturing_again_captures_nothing_and_changes_nothing(items: list[Any]) -> None:
    first = plan({"items": items})
    held = Held.of(Holdings(proposals=first.proposals))
    again = plan({"items": items}, held)
    assert again.proposals == ()
    assert [outcome.status == "rejected" for outcome in again.outcomes] == [
        outcome.status == "rejected" for outcome in first.outcomes
    ]
    assert again.relabels == ()
