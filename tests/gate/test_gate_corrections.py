"""Units left over go to one correction: stored before it, merged after it, never lost by it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from proofstone.curation.gate_pending import unanswered
from proofstone.curation.gate_results import Outcome, TurnResult
from proofstone.curation.gate_run import run_turns
from proofstone.curation.workspace import Workspace
from tests.conftest import contents
from tests.gate import models, server
from tests.gate.conftest import FakeTime, settings_for
from tests.gate.server import Asked, Reply

TURN = "claude-code/atlas-load#4"


def asked(workspace: Workspace, *replies: Reply) -> tuple[TurnResult, list[Asked]]:
    with server.serving(*replies) as endpoint:
        (result,) = run_turns(
            workspace, [TURN], settings_for(endpoint.base_url), timing=FakeTime().timing
        )
    return result, endpoint.requests


def test_a_correction_repairs_what_was_left_out(workspace: Workspace) -> None:
    result, (first, second) = asked(
        workspace, server.streamed(models.partial), server.streamed(models.good)
    )
    assert result.outcome is Outcome.ACCEPTED
    assert result.correction is Outcome.ACCEPTED
    assert result.missing_unit_ids == ()
    assert len(result.proposals) == 1
    view = workspace.reload().turn(TURN)
    assert view.counts.covered == view.counts.physical == 3
    assert view.gate is not None and view.gate.corrected_at == "2026-11-27T09:00:00Z"
    prompt, own, request = second.body["messages"]
    assert prompt == first.body["messages"][0]
    assert own["role"] == "assistant"
    assert json.loads(own["content"])["coverage"] == models.value(first)["coverage"][:1]
    assert request["role"] == "user"
    assert second.wanted == [unit["unit_id"] for unit in first.units[1:]]
    for unit in first.units:
        assert unit["text"] not in request["content"]


def test_a_correction_that_omits_too_leaves_the_rest_unresolved(workspace: Workspace) -> None:
    result, requests = asked(workspace, server.whole(models.partial_again))
    assert len(requests) == 2, "one correction and no more"
    assert result.correction is Outcome.ACCEPTED
    assert len(result.missing_unit_ids) == 1
    view = workspace.reload().turn(TURN)
    assert view.counts.covered == 2
    assert view.state.value == "open"
    (left,) = (row for row in view.dispositions.values() if row.decision.value == "DEFERRED")
    assert left.unit_id == result.missing_unit_ids[0]
    assert left.reason == "coverage_unresolved"


@pytest.mark.parametrize(
    ("second", "identifier"),
    [
        (server.whole(models.fenced), "invalid_json"),
        (server.whole(""), "empty_content"),
        (server.whole(lambda asked: json.dumps({"candidates": "none"})), "root_shape"),
        (
            server.whole(
                lambda asked: json.dumps(
                    {
                        "candidates": [],
                        "coverage": models.rows([asked.units[0]["unit_id"]]),
                        "evidence_bindings": [],
                    }
                )
            ),
            "unknown_unit",
        ),
    ],
)
def test_a_refused_correction_takes_nothing_away(
    workspace: Workspace, second: Reply, identifier: str
) -> None:
    result, requests = asked(workspace, server.whole(models.partial), second)
    assert len(requests) == 2
    assert result.outcome is Outcome.ACCEPTED
    assert result.correction is Outcome.REFUSED
    assert result.refusal is not None
    assert (result.refusal.stage, result.refusal.identifier) == ("correction", identifier)
    assert len(result.proposals) == 1
    view = workspace.reload().turn(TURN)
    assert view.counts.covered == 1
    assert view.gate is not None and view.gate.answer is not None
    assert [refusal.identifier for _, refusal in view.gate.refusals] == [identifier]
    assert view.gate.corrected_at


@pytest.mark.parametrize("second", [server.status(500), server.cut_in_the_stream])
def test_a_failed_correction_leaves_the_answer_and_is_asked_for_by_the_next_run(
    workspace: Workspace, second: Reply
) -> None:
    result, _ = asked(workspace, server.whole(models.partial), second)
    assert result.outcome is Outcome.ACCEPTED
    assert result.correction is Outcome.FAILED
    assert result.correction_why
    after = workspace.reload()
    view = after.turn(TURN)
    assert view.counts.covered == 1
    assert view.gate is not None
    assert (view.gate.refusals, view.gate.corrected_at) == ((), "")
    assert TURN in unanswered(after)
    resumed, (request,) = asked(after, server.whole(models.good))
    assert len(request.wanted) == 2
    assert resumed.correction is Outcome.ACCEPTED
    whole = workspace.reload()
    assert whole.turn(TURN).counts.covered == 3
    assert TURN not in unanswered(whole)


@pytest.mark.parametrize(
    "replies",
    [
        (server.whole(models.good),),
        (server.whole(models.partial_again),),
        (server.whole(models.partial), server.whole(models.fenced)),
    ],
)
def test_an_answered_turn_is_not_asked_about_again(
    workspace: Workspace, replies: tuple[Reply, ...]
) -> None:
    asked(workspace, *replies)
    before = contents(workspace.root)
    again, requests = asked(workspace.reload(), server.whole(models.good))
    assert again.outcome is Outcome.SKIPPED
    assert again.why.startswith("answered already")
    assert requests == []
    assert contents(workspace.root) == before


def test_an_answer_to_another_prompt_is_not_corrected(workspace: Workspace) -> None:
    asked(workspace, server.whole(models.partial), server.status(500))
    inbox: Path = workspace.root / "inbox" / "claude-code" / "atlas-load.md"
    words = "I will change the loader"
    text = inbox.read_text(encoding="utf-8")
    assert words in text
    inbox.write_text(text.replace(words, f"{words},"), encoding="utf-8")
    result, requests = asked(workspace.reload(), server.whole(models.good))
    assert result.outcome is Outcome.SKIPPED
    assert "has changed" in result.why
    assert requests == []
