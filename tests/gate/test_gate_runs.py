"""Many turns at once: the limit, what each answer leaves, stopping and going on."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from proofstone.curation import gate_run
from proofstone.curation.check import check
from proofstone.curation.context import Context
from proofstone.curation.gate_pending import unanswered
from proofstone.curation.gate_results import GateProgress, Outcome, Stage
from proofstone.curation.gate_run import run_turns
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.rulings import Choices
from proofstone.gate.client import TOLD_CHARACTERS
from tests.conftest import contents
from tests.gate import models, server
from tests.gate.conftest import FakeTime, settings_for
from tests.gate.server import Asked, Connection


def test_all_turns_are_asked_at_once_and_stored_one_after_the_other(many_turns: Workspace) -> None:
    """Nobody is answered before three have asked, so three ask at once; the limit is three."""
    together = threading.Barrier(3)

    def say(asked: Asked) -> str:
        together.wait(30)
        return models.good(asked)

    references = unanswered(many_turns)
    steps: list[GateProgress] = []
    with server.serving(server.streamed(say)) as endpoint:
        results = run_turns(
            many_turns,
            references,
            settings_for(endpoint.base_url, limit=3),
            on_progress=steps.append,
        )
    assert len(references) == 12
    assert [result.turn for result in results] == list(references)
    assert {result.outcome for result in results} == {Outcome.ACCEPTED}
    after = many_turns.reload()
    assert unanswered(after) == ()
    assert len(after.queue) == 12
    assert check(after) == ()
    done = [step for step in steps if step.stage is Stage.DONE]
    assert [step.done for step in done] == list(range(1, 13))
    assert {step.total for step in steps} == {12}
    in_flight, most = 0, 0
    for step in steps:
        in_flight += {Stage.ASKING: 1, Stage.DONE: -1}.get(step.stage, 0)
        most = max(most, in_flight)
    assert most == 3


def test_one_faulty_turn_stops_no_other(many_turns: Workspace) -> None:
    references = unanswered(many_turns)

    def say(connection: Connection, asked: Asked) -> None:
        depot = asked.units[0]["text"].split()[1]
        reply = {
            "1": server.status(500),
            "2": server.cut_in_the_stream,
            "3": server.whole(models.fenced),
            "4": server.whole(models.invented_unit),
        }.get(depot, server.streamed(models.good))
        reply(connection, asked)

    with server.serving(say) as endpoint:
        results = run_turns(many_turns, references, settings_for(endpoint.base_url))
    outcomes = [result.outcome for result in results]
    assert outcomes[:4] == [Outcome.FAILED, Outcome.FAILED, Outcome.REFUSED, Outcome.REFUSED]
    assert set(outcomes[4:]) == {Outcome.ACCEPTED}
    after = many_turns.reload()
    assert [after.turn(reference).state.value for reference in references[:4]] == [
        "waiting",
        "waiting",
        "refused",
        "refused",
    ]
    # The next run takes up what failed, and leaves to a person what was refused.
    assert unanswered(after) == references[:2]


def test_a_stopped_run_keeps_what_came_and_the_next_goes_on(
    many_turns: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_run, "POLL_SECONDS", 0.001)
    references = unanswered(many_turns)
    stopped = threading.Event()

    def stop_after_five(step: GateProgress) -> None:
        if step.stage is Stage.DONE and step.done == 5:
            stopped.set()

    with server.serving(*[server.whole(models.good)] * 5, server.hold) as endpoint:
        results = run_turns(
            many_turns,
            references,
            settings_for(endpoint.base_url, limit=2),
            on_progress=stop_after_five,
            cancelled=stopped.is_set,
        )
    outcomes = [result.outcome for result in results]
    assert outcomes.count(Outcome.ACCEPTED) == 5
    assert outcomes.count(Outcome.CANCELLED) == 7
    after = many_turns.reload()
    assert len(unanswered(after)) == 7
    assert len(after.queue) == 5
    with server.serving(server.whole(models.good)) as endpoint:
        results = run_turns(after, references, settings_for(endpoint.base_url))
    assert len(endpoint.requests) == 7
    outcomes = [result.outcome for result in results]
    assert outcomes.count(Outcome.SKIPPED) == 5
    assert outcomes.count(Outcome.ACCEPTED) == 7
    assert unanswered(many_turns.reload()) == ()


def test_stopping_does_not_wait_for_an_endpoint_that_says_nothing(
    many_turns: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate_run, "POLL_SECONDS", 0.001)
    before = contents(many_turns.root)
    with server.serving(server.hold) as endpoint:

        def once_two_wait() -> bool:
            return len(endpoint.requests) >= 2

        results = run_turns(
            many_turns,
            unanswered(many_turns),
            settings_for(endpoint.base_url, limit=2, timeout=600.0),
            cancelled=once_two_wait,
        )
    assert {result.outcome for result in results} == {Outcome.CANCELLED}
    assert contents(many_turns.root) == before


def test_a_stop_before_the_start_asks_nothing(many_turns: Workspace) -> None:
    with server.serving(server.whole(models.good)) as endpoint:
        results = run_turns(
            many_turns,
            unanswered(many_turns),
            settings_for(endpoint.base_url),
            cancelled=lambda: True,
        )
    assert {result.outcome for result in results} == {Outcome.CANCELLED}
    assert endpoint.requests == []


def test_a_wait_is_told(many_turns: Workspace, fake_time: FakeTime) -> None:
    steps: list[GateProgress] = []
    slow_down = server.status(429, b"", retry_after="3")
    with server.serving(slow_down, server.whole(models.good)) as endpoint:
        run_turns(
            many_turns,
            unanswered(many_turns)[:1],
            settings_for(endpoint.base_url),
            on_progress=steps.append,
            timing=fake_time.timing,
        )
    assert [step.stage for step in steps] == [Stage.ASKING, Stage.WAITING, Stage.DONE]
    assert steps[1].seconds == 3.0


def test_how_much_has_come_is_told_while_it_comes(many_turns: Workspace) -> None:
    steps: list[GateProgress] = []
    with server.serving(server.streamed(models.good)) as endpoint:
        run_turns(
            many_turns,
            unanswered(many_turns)[:1],
            settings_for(endpoint.base_url),
            on_progress=steps.append,
        )
    length = len(models.good(endpoint.requests[0]))
    told = [step.characters for step in steps if step.stage is Stage.ANSWERING]
    assert told == sorted(told)
    assert 2 <= len(told) <= length // TOLD_CHARACTERS
    assert told[-1] <= length


def test_a_person_may_rule_while_answers_come_in(many_turns: Workspace, context: Context) -> None:
    """What another hand writes meanwhile is neither lost nor in the way."""
    ruled: list[str] = []

    def say(asked: Asked) -> str:
        others = Workspace.open(many_turns.root, context)
        for view in others.queue[:1]:
            rule(others, "dismiss", [view.proposal_id], Choices(reason="negated"))
            ruled.append(view.proposal_id)
        return models.good(asked)

    with server.serving(server.whole(say)) as endpoint:
        results = run_turns(
            many_turns, unanswered(many_turns), settings_for(endpoint.base_url, limit=1)
        )
    assert {result.outcome for result in results} == {Outcome.ACCEPTED}
    after = many_turns.reload()
    assert len(ruled) == 11
    assert len(after.queue) == 1
    assert {after.proposals[proposal_id].status.value for proposal_id in ruled} == {"dismissed"}


def test_a_vault_that_nobody_else_changes_is_read_again_once(
    many_turns: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reading a large vault takes far longer than comparing it."""
    read: list[Path] = []
    reload = Workspace.reload

    def counted(self: Workspace) -> Workspace:
        read.append(self.root)
        return reload(self)

    monkeypatch.setattr(Workspace, "reload", counted)
    with server.serving(server.whole(models.good)) as endpoint:
        results = run_turns(many_turns, unanswered(many_turns), settings_for(endpoint.base_url))
    assert {result.outcome for result in results} == {Outcome.ACCEPTED}
    assert len(read) == 1
    monkeypatch.undo()
    assert check(many_turns.reload()) == ()


def test_text_that_changes_while_the_model_answers_is_not_answered(
    many_turns: Workspace,
) -> None:
    (reference,) = unanswered(many_turns)[:1]
    inbox: Path = many_turns.root / "inbox" / "agent" / "depots.md"

    def say(asked: Asked) -> str:
        text = inbox.read_text(encoding="utf-8")
        inbox.write_text(text.replace("Depot 1 opens", "Depot 1 closes"), encoding="utf-8")
        return models.good(asked)

    with server.serving(server.whole(say)) as endpoint:
        (result,) = run_turns(many_turns, [reference], settings_for(endpoint.base_url))
    assert result.outcome is Outcome.FAILED
    assert "changed while the model was answering" in result.why
    assert many_turns.reload().turn(reference).gate is None


def test_an_answer_by_another_hand_meanwhile_stands(
    many_turns: Workspace, context: Context
) -> None:
    (reference,) = unanswered(many_turns)[:1]

    def say(asked: Asked) -> str:
        answer = models.good(asked)
        others = Workspace.open(many_turns.root, context)
        gate_run.gate.submit(
            others, reference, answer.encode(), answered_by="Mira Tal", kind="person"
        )
        return answer

    with server.serving(server.whole(say)) as endpoint:
        (result,) = run_turns(many_turns, [reference], settings_for(endpoint.base_url))
    assert result.outcome is Outcome.FAILED
    assert "another hand" in result.why
    record = many_turns.reload().turn(reference).gate
    assert record is not None and record.answered_by == "Mira Tal"


def test_turns_that_cannot_be_asked_about_are_skipped_with_the_reason(
    workspace: Workspace,
) -> None:
    references = ("codex/orion-release#4", "codex/orion-release#1")
    with server.serving(server.whole(models.good)) as endpoint:
        results = run_turns(workspace, references, settings_for(endpoint.base_url))
    assert endpoint.requests == []
    assert [result.why for result in results] == [
        "incomplete: the assistant's answer is missing",
        "answered already",
    ]


def test_a_refused_turn_is_asked_about_again_when_it_is_named(workspace: Workspace) -> None:
    refused = "claude-code/atlas-load#2"
    assert refused not in unanswered(workspace)
    with server.serving(server.whole(models.good)) as endpoint:
        (result,) = run_turns(workspace, [refused], settings_for(endpoint.base_url))
    assert result.outcome is Outcome.ACCEPTED
    record = workspace.reload().turn(refused).gate
    assert record is not None and len(record.refusals) == 1, "the refusal stays in the record"


def test_a_turn_that_is_not_there_is_an_error_before_anything_is_asked(
    workspace: Workspace,
) -> None:
    with (
        server.serving(server.whole(models.good)) as endpoint,
        pytest.raises(ProofstoneError, match="codex/none#1: no such turn"),
    ):
        run_turns(
            workspace,
            ["claude-code/atlas-load#4", "codex/none#1"],
            settings_for(endpoint.base_url),
        )
    assert endpoint.requests == []
