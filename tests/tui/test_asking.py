"""Asking a model from the workbench: what is shown first, progress, stopping, going on."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tui_bench import Bench, Opening, app_on, files_of, go_to, settled

from proofstone.curation import gate
from proofstone.curation.context import Context
from proofstone.curation.gate_pending import unanswered
from proofstone.curation.gate_run import run_turns
from proofstone.curation.workspace import Workspace
from proofstone.domain.gate_types import TurnState
from proofstone.tui.command import Ask, Situation
from proofstone.tui.commands import BY_ID
from proofstone.tui.screens.asking import AskDialog
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.widgets.asking_bar import AskingBar
from tests.conftest import contents
from tests.gate import models, server
from tests.gate.conftest import settings_for, vault_of
from tests.gate.server import Asked, Endpoint

TURN = "claude-code/atlas-load#4"
STORES = Path(__file__).parents[1] / "data" / "stores"
KEY = "key-for-the-loopback-endpoint-0123456789"


@pytest.fixture
def depots(tmp_path: Path, context: Context) -> Path:
    """A vault with six turns, none answered."""
    said = [(f"Depot {n} opens at {n}. It holds {n} carts.", "Noted.") for n in range(1, 7)]
    return vault_of(tmp_path / "depots", said, context).root


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Names an endpoint as the environment does."""

    def name(endpoint: Endpoint) -> None:
        monkeypatch.setenv("PROOFSTONE_GATE_URL", endpoint.base_url)
        monkeypatch.setenv("PROOFSTONE_GATE_MODEL", "loopback-1")

    yield name


async def at_turn(bench: Bench, reference: str) -> None:
    await go_to(bench.pilot, "1", reference)


async def ended(bench: Bench) -> None:
    """Wait until nobody is asked any more, and all that came has been shown."""
    asking = [worker for worker in bench.app.workers if worker.group == "asking"]
    await bench.app.workers.wait_for_complete(asking)
    await settled(bench.pilot)


def shown(bench: Bench) -> str:
    """All that is on the screen."""
    strips = bench.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip) for strip in strips)


def bar(bench: Bench) -> str:
    return str(bench.app.screen.query_one(AskingBar).render())


async def until(bench: Bench, words: str) -> None:
    """Wait until the line below the panes says ``words``."""
    while words not in bar(bench):
        await bench.pilot.pause()
    await settled(bench.pilot)


async def test_without_an_endpoint_the_key_says_how_one_is_set_up(
    depots: Path, bench: Opening
) -> None:
    async with bench(depots) as b:
        await b.press("a")
        assert isinstance(b.app.screen, MainScreen)
        assert "PROOFSTONE_GATE_URL" in b.toasts[-1] and "gate.yaml" in b.toasts[-1]
        await b.press("W")
        assert "No endpoint is named" in b.toasts[-1]
        told = " ".join(b.shown("#gate").split())
        assert "Settings (,) says how" in told and "asks a model" not in told


async def test_without_httpx_the_key_says_how_to_install_it(
    depots: Path, bench: Opening, named: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "httpx", None)
    with server.serving(server.whole(models.good)) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            await b.press("a")
            assert "pip install 'proofstone[gate]'" in b.toasts[-1]
    assert endpoint.requests == []


async def test_what_is_sent_and_to_whom_is_shown_first_and_esc_sends_nothing(
    demo_vault: Path, bench: Opening, named: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PROOFSTONE_GATE_KEY", KEY)
    before = contents(demo_vault)
    with server.serving(server.whole(models.good)) as endpoint:
        named(endpoint)
        async with bench(demo_vault, (120, 60)) as b:
            await at_turn(b, TURN)
            await b.press("a")
            assert isinstance(b.app.screen, AskDialog)
            seen = shown(b)
            for part in (f"{endpoint.base_url}/chat/completions", "this machine", "loopback-1"):
                assert part in seen
            assert "PROOFSTONE_GATE_KEY" in seen and KEY not in seen
            assert "3 units that may be cited" in seen
            prompt = b.app.screen.query_one("#prompt")
            lines = [prompt.source.row(n).body.plain for n in range(len(prompt.source))]
            assert "\n".join(lines) == gate.prompt(b.workspace, TURN)
            await b.press("escape")
            assert isinstance(b.app.screen, MainScreen)
    assert endpoint.requests == []
    assert contents(demo_vault) == before


async def test_an_answer_appears_by_itself_with_its_proposal(
    demo_vault: Path, bench: Opening, named: Any
) -> None:
    with server.serving(server.streamed(models.good)) as endpoint:
        named(endpoint)
        async with bench(demo_vault) as b:
            await at_turn(b, TURN)
            waiting = len(b.workspace.queue)
            await b.press("a", "enter")
            await ended(b)
            assert b.workspace.turn(TURN).state is TurnState.OPEN
            assert len(b.workspace.queue) == waiting + 1
            assert "3/3" in b.title("#gate")
            assert "1 accepted; 1 new proposal" in b.toasts[-1]
            assert not any("arrived" in toast for toast in b.toasts)
            assert not b.app.screen.query(AskingBar)
    (request,) = endpoint.requests
    assert request.headers.get("authorization") is None


async def test_many_turns_with_progress_and_keys_that_work_meanwhile(
    depots: Path, bench: Opening, named: Any
) -> None:
    """The first is accepted, the second refused; the third never says anything."""

    def third(asked: Asked) -> bool:
        return "Depot 3 " in asked.prompt

    def say(connection: server.Connection, asked: Asked) -> None:
        reply = server.hold if third(asked) else server.whole(models.good)
        (server.whole(models.fenced) if "Depot 2 " in asked.prompt else reply)(connection, asked)

    with server.serving(say) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            await b.press("W")
            assert isinstance(b.app.screen, AskDialog)
            assert "6 turns, 12 units that may be cited; 4 at once" in shown(b)
            await b.press("enter")
            assert await asyncio.to_thread(endpoint.held.acquire, timeout=30)
            await until(b, "5/6")
            assert "5/6 · 4 accepted · 1 refused" in bar(b)
            assert "S or esc stops" in bar(b)
            assert len(b.workspace.queue) == 4, "what came is there before the run ends"
            await b.press("2", "g", "x", "enter")
            assert len(b.workspace.queue) == 3, "a person rules while the model thinks"
            await b.press("escape")
            await ended(b)
            assert "4 accepted, 1 refused, 1 cancelled; 4 new proposals" in b.toasts[-1]
            assert "invalid_json" in b.toasts[-1]
            assert "W goes on with what is left" in b.toasts[-1]
            assert not b.app.screen.query(AskingBar)
            assert not b.app.is_asking


@pytest.mark.parametrize("stop", ["W", "click", "elsewhere"])
async def test_it_is_stopped_in_the_middle_and_keeps_what_came(
    depots: Path, bench: Opening, named: Any, stop: str
) -> None:
    first = [server.whole(models.good)] * 2
    with server.serving(*first, server.hold) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            await b.press("W", "enter")
            assert await asyncio.to_thread(endpoint.held.acquire, timeout=30)
            await until(b, "2/6")
            if stop == "click":
                await b.pilot.click(AskingBar)
            elif stop == "elsewhere":
                await b.press("M")
                assert "S stops" in bar(b) and "esc" not in bar(b)
                await b.press("S")
            else:
                await b.press(stop)
            await ended(b)
            states = [turn.state for turn in b.workspace.turns]
            assert states.count(TurnState.OPEN) == 2
            assert states.count(TurnState.WAITING) == 4


async def test_the_next_run_takes_up_what_is_left(
    depots: Path, bench: Opening, named: Any, context: Context
) -> None:
    stopped = Workspace.open(depots, context)
    with server.serving(server.whole(models.good)) as endpoint:
        some = unanswered(stopped)[:2]
        await asyncio.to_thread(run_turns, stopped, some, settings_for(endpoint.base_url))
    with server.serving(server.whole(models.good)) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            await b.press("W")
            assert "4 turns" in shown(b)
            await b.press("enter")
            await ended(b)
            assert {turn.state for turn in b.workspace.turns} == {TurnState.OPEN}
            await b.press("W")
            assert b.toasts[-1] == "No turn waits for the Gate"
    assert len(endpoint.requests) == 4, "what was answered is not asked about again"


async def test_a_failed_call_is_said_with_its_reason_and_moves_nothing(
    depots: Path, bench: Opening, named: Any
) -> None:
    before = contents(depots)
    with server.serving(server.status(500)) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            await b.press("a", "enter")
            await ended(b)
            assert "1 failed; 0 new proposals" in b.toasts[-1]
            assert "HTTP 500" in b.toasts[-1]
    assert contents(depots) == before


async def test_an_answered_turn_is_asked_about_again_and_its_proposal_waits_on(
    depots: Path, bench: Opening, named: Any
) -> None:
    def other(answer: dict[str, Any]) -> None:
        answer["candidates"][0]["memory"] = "The first depot has one cart."

    replies = (server.whole(models.good), server.whole(models.changed(other)))
    with server.serving(*replies) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            await b.press("a", "enter")
            await ended(b)
            await b.press("a")
            assert "stands until a whole new one is accepted" in shown(b)
            await b.press("enter")
            await ended(b)
            told = "1 of the answer before still waits for you"
            assert any(told in toast for toast in b.toasts)
            (left,) = (view for view in b.workspace.queue if view.answer_is_replaced)
            assert left.proposal.statement.startswith(models.MARK)
            b.app.go_to(left.proposal_id)
            await settled(b.pilot)
            assert "ANSWER REPLACED" in b.shown("#proposal")
            linked = b.app.index.of_candidate(left.proposal.turn, left.proposal.candidate_id)
            assert left.proposal_id not in linked, "c1 is another candidate now"
            await b.press("L", "u")
            after = b.workspace.turn(left.proposal.turn).gate
            assert after is not None and after.answer is not None
            assert after.answer.candidates[0].memory == left.proposal.statement
            assert not any(view.answer_is_replaced for view in b.workspace.queue)


async def test_where_none_waits_those_are_asked_about_whose_text_has_changed(
    depots: Path, bench: Opening, named: Any, context: Context
) -> None:
    vault = Workspace.open(depots, context)
    with server.serving(server.whole(models.good)) as endpoint:
        settings = settings_for(endpoint.base_url)
        await asyncio.to_thread(run_turns, vault, unanswered(vault), settings)
    inbox = depots / "inbox" / "agent" / "depots.md"
    text = inbox.read_text(encoding="utf-8")
    inbox.write_text(text.replace("It holds 3 carts", "It holds 33 carts"), encoding="utf-8")
    with server.serving(server.whole(models.good)) as endpoint:
        named(endpoint)
        async with bench(depots) as b:
            (stale,) = (turn for turn in b.workspace.turns if turn.answer_is_stale)
            await b.press("W")
            assert f"again about {stale.reference}" in shown(b)
            await b.press("enter")
            await ended(b)
            assert not any(turn.answer_is_stale for turn in b.workspace.turns)
            await b.press("W")
            assert b.toasts[-1] == "No turn waits for the Gate"


async def test_leaving_ends_the_run(depots: Path, named: Any) -> None:
    before = files_of(depots)
    with server.serving(server.hold) as endpoint:
        named(endpoint)
        app = app_on(depots)
        async with app.run_test() as pilot:
            await settled(pilot)
            b = Bench(pilot, depots)
            await b.press("W", "enter")
            assert await asyncio.to_thread(endpoint.held.acquire, timeout=30)
            await pilot.press("q")
    assert files_of(depots) == before


async def test_another_programs_store_has_no_turns_to_ask_about(
    tmp_path: Path, bench: Opening, named: Any
) -> None:
    shutil.copytree(STORES / "pi", tmp_path / "pi")
    with server.serving(server.whole(models.good)) as endpoint:
        named(endpoint)
        async with bench(tmp_path / "pi") as b:
            await b.press("a")
            assert "stores have no turns" in b.toasts[-1]


def test_the_commands_say_why_not() -> None:
    ask, ask_all = BY_ID["ask"].why_not, BY_ID["ask_all"].why_not
    assert ask(Situation()) == "the vault is still being read"
    ready = Ask(why="", turn="", waiting=lambda: 1)
    assert ask(Situation(loaded=True, ask=ready)) == ""
    assert ask_all(Situation(loaded=True, ask=ready)) == ""
    none = Ask(why="", turn="the turn is incomplete", waiting=lambda: 0)
    assert ask(Situation(loaded=True, ask=none)) == "the turn is incomplete"
    assert ask_all(Situation(loaded=True, ask=none)) == "no turn waits for the Gate"
    on = Ask(is_on=True)
    assert ask(Situation(ask=on)) == ask_all(Situation(ask=on)) == ""
