"""Asking again: an answer stands until a whole new one is accepted, and no proposal vanishes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from proofstone.curation import gate, history
from proofstone.curation.check import check
from proofstone.curation.gate_pending import outdated
from proofstone.curation.gate_results import Outcome, TurnResult
from proofstone.curation.gate_run import run_turns
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_contract import projection
from proofstone.domain.gate_origin import stems_from
from proofstone.domain.rulings import Choices
from tests.conftest import Proofstone, contents
from tests.gate import models, server
from tests.gate.conftest import FakeTime, settings_for
from tests.gate.server import Asked, Reply

TURN = "claude-code/atlas-load#4"
INBOX = "inbox/claude-code/atlas-load.md"


def saying(statement: str) -> Reply:
    """A whole answer that makes ``statement`` of the first unit."""

    def change(answer: dict[str, Any]) -> None:
        answer["candidates"][0]["memory"] = statement

    return server.whole(models.changed(change))


def asked(
    workspace: Workspace, *replies: Reply, again: bool = True
) -> tuple[TurnResult, list[Asked]]:
    with server.serving(*replies) as endpoint:
        (result,) = run_turns(
            workspace,
            [TURN],
            settings_for(endpoint.base_url),
            timing=FakeTime().timing,
            again=(TURN,) if again else (),
        )
    return result, endpoint.requests


def change_the_text(root: Path) -> None:
    path = root / INBOX
    text = path.read_text(encoding="utf-8")
    assert "finance export" in text
    path.write_text(text.replace("finance export", "finance import"), encoding="utf-8")


@pytest.fixture
def answered(workspace: Workspace) -> Workspace:
    """The demo vault, its waiting turn answered with one proposal."""
    asked(workspace, saying("Atlas amounts are decimals."))
    return workspace.reload()


def of_turn(workspace: Workspace) -> dict[str, str]:
    """What the turn's proposals say, and where each stands."""
    return {
        proposal.statement: proposal.status.value
        for proposal in workspace.holdings.proposals
        if proposal.turn == TURN
    }


def test_another_answer_takes_the_place_and_what_waits_goes_on_waiting(
    answered: Workspace,
) -> None:
    result, _ = asked(answered, saying("The finance export reads decimals."))
    assert result.outcome is Outcome.ACCEPTED
    assert result.result is not None and result.result.replaced
    after = answered.reload()
    assert of_turn(after) == {
        "Atlas amounts are decimals.": "open",
        "The finance export reads decimals.": "open",
    }
    (old,) = result.result.left
    view = after.turn(TURN)
    assert not stems_from(after.proposals[old], view.gate)
    assert stems_from(after.proposals[result.proposals[0]], view.gate)
    assert view.counts.waiting == 2, "the turn cannot be settled over it"
    assert check(after) == check(answered)


def test_what_was_ruled_on_stays_to_the_byte(answered: Workspace) -> None:
    (proposal,) = (p for p in answered.holdings.proposals if p.turn == TURN)
    rule(answered, "ratify", [proposal.proposal_id], Choices(reason="said so"))
    ruled = answered.reload()
    before = contents(ruled.root, without=("_state/", "gate/"))
    result, _ = asked(ruled, saying("The finance export reads decimals."))
    assert result.result is not None and result.result.left == ()
    now = contents(ruled.root, without=("_state/", "gate/"))
    assert {path: now[path] for path in before} == before


def test_an_edited_proposal_still_stems_from_its_answer(answered: Workspace) -> None:
    (proposal,) = (p for p in answered.holdings.proposals if p.turn == TURN)
    words = {"statement": "Atlas amounts are decimals, always."}
    rule(answered, "edit", [proposal.proposal_id], Choices(edits=words, reason="clearer"))
    after = answered.reload()
    assert after.proposals[proposal.proposal_id].statement == words["statement"]
    assert not after.proposal(proposal.proposal_id).answer_is_replaced


def test_a_proposal_that_is_made_again_rests_on_the_new_answer(answered: Workspace) -> None:
    (before,) = (p for p in answered.holdings.proposals if p.turn == TURN)
    change_the_text(answered.root)
    changed = answered.reload()
    assert changed.turn(TURN).answer_is_stale
    second = changed.turn(TURN).units[1]

    def rest_on_the_second(answer: dict[str, Any]) -> None:
        answer["candidates"][0]["memory"] = before.statement
        rows = answer["coverage"]
        rows[0], rows[1] = (
            {**rows[1], "unit_id": rows[0]["unit_id"]},
            {**rows[0], "unit_id": second.unit_id},
        )
        claim = {"unit_id": second.unit_id, "quote": second.text, "role": "assertion"}
        answer["evidence_bindings"][0]["claims"] = [claim]

    result, _ = asked(changed, server.whole(models.changed(rest_on_the_second)))
    assert result.outcome is Outcome.ACCEPTED
    assert (result.proposals, result.result and result.result.left) == ((), ())
    after = answered.reload()
    now = after.proposals[before.proposal_id]
    assert [claim.quote for claim in now.bindings] == [second.text]
    assert after.proposal(now.proposal_id).missing_evidence == ()
    assert not after.turn(TURN).answer_is_stale
    assert not any(problem.subject == TURN for problem in check(after))


@pytest.mark.parametrize(
    "replies",
    [
        (server.status(500),),
        (server.cut_in_the_stream,),
        (server.whole(models.partial), server.status(500)),
        (server.whole(models.partial), server.cut_in_the_body),
    ],
)
def test_an_answer_that_never_comes_whole_moves_nothing(
    answered: Workspace, replies: tuple[Reply, ...]
) -> None:
    before = contents(answered.root)
    result, _ = asked(answered, *replies)
    assert result.outcome is Outcome.FAILED
    assert contents(answered.root) == before


@pytest.mark.parametrize(
    ("replies", "stage", "identifier"),
    [
        ((server.whole(models.fenced),), "gate", "invalid_json"),
        ((server.whole(models.invented_unit),), "gate", "unknown_unit"),
        (
            (server.whole(models.partial), server.whole(models.fenced)),
            "correction",
            "invalid_json",
        ),
        ((server.whole(models.partial_again),), "gate", "incomplete_coverage"),
    ],
)
def test_a_refused_one_leaves_its_identifier_and_the_answer_that_was_there(
    answered: Workspace, replies: tuple[Reply, ...], stage: str, identifier: str
) -> None:
    before = answered.turn(TURN).gate
    assert before is not None
    result, _ = asked(answered, *replies)
    assert result.outcome is Outcome.REFUSED
    after = answered.reload()
    now = after.turn(TURN).gate
    assert now is not None
    assert (now.answer, now.answered_at, now.corrected_at) == (
        before.answer,
        before.answered_at,
        "",
    )
    ((_, kept),) = now.refusals
    assert (kept.stage, kept.identifier) == (stage, identifier)
    assert of_turn(after) == of_turn(answered)


def test_a_partial_one_is_corrected_before_it_is_stored(answered: Workspace) -> None:
    result, requests = asked(answered, server.whole(models.partial), server.whole(models.good))
    assert result.outcome is Outcome.ACCEPTED
    assert len(requests) == 2
    view = answered.reload().turn(TURN)
    assert view.counts.covered == view.counts.physical == 3


def test_the_same_answer_again_changes_nothing(answered: Workspace) -> None:
    before = contents(answered.root)
    result, _ = asked(answered, saying("Atlas amounts are decimals."))
    assert result.outcome is Outcome.ACCEPTED
    assert result.result is not None and not result.result.changed
    assert contents(answered.root) == before


def test_an_answer_by_another_hand_meanwhile_stands(answered: Workspace) -> None:
    def say(asked: Asked) -> str:
        others = answered.reload()
        theirs = models.value(asked)
        theirs["candidates"][0]["memory"] = "By another hand."
        data = json.dumps(theirs).encode()
        gate.submit(others, TURN, data, answered_by="Mira Tal", kind="person", in_place=True)
        return models.good(asked)

    result, _ = asked(answered, server.whole(say))
    assert result.outcome is Outcome.FAILED
    record = answered.reload().turn(TURN).gate
    assert record is not None and record.answered_by == "Mira Tal"


def test_undo_by_name_brings_the_answer_back_to_the_byte(answered: Workspace) -> None:
    before = contents(answered.root, without=("_state/",))
    asked(answered, saying("The finance export reads decimals."))
    after = answered.reload()
    entry = history.entries(after)[0]
    assert "in place of the answer by loopback-1" in entry.ruling.reason
    history.undo(after, entry.ruling.ruling_id)
    assert contents(answered.root, without=("_state/",)) == before


def test_a_cleaned_turn_is_not_asked_about_again(workspace: Workspace) -> None:
    with server.serving(server.whole(models.good)) as endpoint:
        (result,) = run_turns(
            workspace,
            ["codex/orion-release#4"],
            settings_for(endpoint.base_url),
            again=("codex/orion-release#4",),
        )
    assert result.outcome is Outcome.SKIPPED
    assert endpoint.requests == []


def test_run_again_asks_about_changed_text_and_about_named_turns_alone(
    demo_vault: Path, proofstone: Proofstone, answered: Workspace
) -> None:
    assert answered.root == demo_vault
    change_the_text(demo_vault)
    assert TURN in outdated(answered.reload())
    with server.serving(server.whole(models.good)) as endpoint:
        options = ("--base-url", endpoint.base_url, "--model", "loopback-1")
        skipped = proofstone("gate", "run", demo_vault, TURN, *options)
        assert "--again asks again" in skipped.out
        assert endpoint.requests == []
        again = proofstone("gate", "run", demo_vault, "--again", *options, "--json")
        assert {item["turn"] for item in again.items} == {TURN}
        (item,) = again.items
        assert item["replaced"] is True
        assert len(item["left_waiting"]) == 1
        assert proofstone("gate", "run", demo_vault, "--again", *options).out == (
            "no turn waits for the Gate\n"
        )
        named = proofstone("gate", "run", demo_vault, TURN, "--again", *options)
    assert "the same answer is already stored" in named.out
    assert len(endpoint.requests) == 2


def test_submit_replaces_when_it_is_told_to(
    demo_vault: Path, proofstone: Proofstone, answered: Workspace, tmp_path: Path
) -> None:
    units = projection(answered.turn(TURN).units)
    whole = {
        "candidates": [],
        "coverage": models.rows([unit.unit_id for unit in units]),
        "evidence_bindings": [],
    }
    file = tmp_path / "answer.json"
    file.write_text(json.dumps(whole), encoding="utf-8")
    told = proofstone("gate", "submit", demo_vault, TURN, file, code=2)
    assert "another accepted answer" in told.err and "--replace" in told.err
    done = proofstone("gate", "submit", demo_vault, TURN, file, "--replace", "--person")
    assert "1 of the answer before still waits" in done.out
    again = proofstone("gate", "submit", demo_vault, TURN, file, "--replace", "--json")
    assert (again.json["changed"], again.json["replaced"]) == (False, False)
    partial = {**whole, "coverage": whole["coverage"][:1]}
    file.write_text(json.dumps(partial), encoding="utf-8")
    refused = proofstone("gate", "submit", demo_vault, TURN, file, "--replace", code=1)
    assert refused.err == "refused: incomplete_coverage\n"


def test_a_stale_answer_is_not_replaced_without_being_told_to(answered: Workspace) -> None:
    change_the_text(answered.root)
    with pytest.raises(ProofstoneError, match=r"text has changed .*--replace"):
        gate.submit(answered.reload(), TURN, b"{}", answered_by="m", kind="model")
