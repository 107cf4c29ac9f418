"""A large vault is looked at before it was read, and ruled on only after (spec page 9)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot
from textual.widgets import Static
from tui_bench import settled, story_context

from proofstone.curation.first_look import FirstLook, Progress, StagedOpening
from proofstone.curation.workspace import Workspace
from proofstone.tui import reading_app
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.command import Group
from proofstone.tui.commands import BY_ID, COMMANDS
from proofstone.tui.opening import COMPARING
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.opening import OpeningPicture, OpeningScreen
from proofstone.tui.widgets.line_list import LineList
from proofstone.vault import first_look, reading, walk

PATIENCE = 20
"""Seconds after which a test that waits for a thread fails."""


class SlowOpening(StagedOpening):
    """Reads notes, and indexes memories, only when the test lets it."""

    def __init__(self, vault: Path) -> None:
        super().__init__(vault, story_context())
        self.may_read = Event()
        self.may_compare = Event()

    def whole(self, progress: Progress) -> Workspace:
        progress(43_000, 100_000)
        assert self.may_read.wait(PATIENCE)
        workspace = super().whole(progress)
        prepare = workspace.prepare

        def prepared(progress: Callable[[int], None] | None = None) -> None:
            assert self.may_compare.wait(PATIENCE)
            prepare(progress)

        workspace.prepare = prepared  # type: ignore[method-assign]
        return workspace


@pytest.fixture
def slow(demo_vault: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowOpening]:
    monkeypatch.setattr(first_look, "WORTHWHILE", 1)
    opening = SlowOpening(demo_vault)
    yield opening
    opening.may_read.set()
    opening.may_compare.set()


def app_of(slow: SlowOpening) -> ProofstoneApp:
    def never() -> Workspace:
        raise AssertionError("the vault was opened a second time")

    return ProofstoneApp(never, story_context(), vault_name="large", stages=lambda: slow)


@asynccontextmanager
async def running(
    slow: SlowOpening, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[ProofstoneApp, Pilot[None]]]:
    """The workbench, opening. Threads are let go before the loop waits for them."""
    app = app_of(slow)
    async with app.run_test(size=size) as pilot:
        try:
            yield app, pilot
        finally:
            slow.may_read.set()
            slow.may_compare.set()


async def until(pilot: Pilot[None], is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await pilot.pause()


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_page_of_the_queue_is_there_before_the_screens_are_loaded(
    slow: SlowOpening, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    may_load, painted_when_loading = Event(), []

    def load(name: str) -> object:
        page = app.screen.query_one("#first-page", LineList)
        painted_when_loading.append([strip.text for strip in page.render_lines(page.size.region)])
        assert may_load.wait(PATIENCE)
        return import_module(name)

    monkeypatch.setattr(reading_app, "import_module", load)
    async with running(slow, size) as (app, pilot):
        await until(pilot, lambda: bool(painted_when_loading))
        assert isinstance(app.screen, OpeningScreen)
        assert "not judged yet" in painted_when_loading[0][1]
        page = app.screen.query_one("#first-page", LineList)
        assert app.screen.chosen == "", "the first one is nobody's choice"
        await pilot.press("j", "j")
        chosen = app.screen.chosen
        assert chosen == page.cursor_key != ""
        # It stands inside the frame that was drawn for it, whatever the window.
        for other in ((size[0] - 3, size[1] - 1), (130, 50), size):
            await pilot.resize_terminal(*other)
            await pilot.pause()
            drawn = str(app.screen.query_one(OpeningPicture).render()).split("\n")
            room = page.region
            assert "2 Queue · not judged yet" in drawn[room.y - 1]
            assert drawn[room.bottom][room.x - 1] == "╰"
            assert {line[room.right] for line in drawn[room.y : room.bottom]} == {"│"}
        may_load.set()
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await until(pilot, lambda: app.workspace is not None)
        main = app.screen
        assert isinstance(main, MainScreen)
        assert main.queue_pane.cursor_key == chosen
        await until(pilot, lambda: main.queue_pane.has_focus)


async def test_the_first_page_can_be_left(
    slow: SlowOpening, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_load = Event()
    monkeypatch.setattr(reading_app, "import_module", lambda _: may_load.wait(PATIENCE))
    async with running(slow) as (app, pilot):
        await until(pilot, lambda: bool(app.screen.query("#first-page")))
        await pilot.press("q")
        await until(pilot, lambda: app.return_code == 0)
        may_load.set()


async def test_turns_and_a_page_of_the_queue_are_there_before_any_memory_was_read(
    slow: SlowOpening,
) -> None:
    async with running(slow) as (app, pilot):
        await until(pilot, lambda: isinstance(app.screen, MainScreen))
        await until(pilot, lambda: "43,000 of 100,000 notes" in app.reading)
        main = app.screen
        assert isinstance(main, MainScreen)
        assert app.workspace is not None and not app.workspace.is_whole
        assert "not judged yet" in str(main.queue_pane.border_title)
        assert len(main.turns_pane.source) == len(app.workspace.turns) > 1
        assert len(main.queue_pane.source) > 1
        assert main.evidence_pane.cursor_key
        slow.may_read.set()
        slow.may_compare.set()
        await until(pilot, lambda: app.reading == "")
        assert app.workspace.is_whole
        assert main.subject() == app.workspace.queue[0].proposal_id


async def test_lists_move_while_notes_are_read_and_nothing_can_be_ruled_on(
    slow: SlowOpening,
) -> None:
    async with running(slow) as (app, pilot):
        await until(pilot, lambda: app.workspace is not None)
        main = app.screen
        assert isinstance(main, MainScreen)
        first = main.queue_pane.cursor_key
        await pilot.press("2", "j")
        assert main.queue_pane.cursor_key not in ("", first)
        look = app.workspace
        assert isinstance(look, FirstLook)
        (chosen,) = (p for p in look.unjudged if p.proposal_id == main.queue_pane.cursor_key)
        assert main.turn is not None and main.turn.reference == chosen.turn
        for pane in (main.proposal_pane, main.verifier_pane, main.siblings_pane):
            assert "read" in pane.placeholder, "none says that there is no proposal"
        assert "still being read" in str(main.query_one("#card", Static).render())
        before = main.turn
        await pilot.press("1", "j")
        assert main.turn is not before and main.turn is not None
        now = main.situation()
        assert not now.loaded
        ruling = [command for command in COMMANDS if command.group is Group.RULE]
        assert ruling
        assert all("still being read" in command.why_not(now) for command in ruling)
        slow.may_read.set()
        await until(pilot, lambda: app.waits != "")
        # The turn that was chosen meanwhile stays; of it nothing waits.
        assert main.turn is not None and not main.subject()
        await pilot.press("2", "k")
        # Judged, but what it resembles is not known yet.
        assert main.subject()
        now = main.situation()
        assert now.loaded
        writing = [BY_ID[name] for name in ("ratify", "defer", "dismiss", "tombstone", "purge")]
        assert {command.why_not(now) for command in writing} == {COMPARING}
        assert "Being compared" in main.siblings_pane.placeholder
        slow.may_compare.set()
        await until(pilot, lambda: app.waits == "")
        await settled(pilot)
        assert not BY_ID["defer"].why_not(main.situation())
        assert app.index.clusters


async def test_without_turns_the_panes_say_that_the_vault_is_being_read(
    slow: SlowOpening, demo_vault: Path
) -> None:
    shutil.rmtree(demo_vault / "inbox")
    async with running(slow, (80, 24)) as (app, pilot):
        await until(pilot, lambda: app.workspace is not None)
        main = app.screen
        assert isinstance(main, MainScreen)
        await pilot.press("3")
        assert main.evidence_pane.has_focus
        for pane in (main.evidence_pane, main.gate_pane):
            assert "still being read" in pane.placeholder


async def test_a_vault_that_cannot_be_read_says_so(
    slow: SlowOpening, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_self: StagedOpening, _progress: Progress) -> Workspace:
        raise OSError("the disk is gone")

    monkeypatch.setattr(SlowOpening, "whole", fail)
    async with running(slow) as (app, pilot):
        await until(pilot, lambda: bool(app.failure))
        assert "the disk is gone" in app.failure


def test_a_first_look_opens_no_note_but_the_proposals_of_its_page(
    demo_vault: Path, slow: SlowOpening, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def counted(root: Path, found: walk.Found, limit: int) -> bytes:
        opened.append(found.path)
        return walk.read_file(root, found, limit)

    monkeypatch.setattr(reading, "read_file", counted)
    page = slow.first_page()
    assert page
    look = slow.first_look(page)
    assert look is not None and look.unjudged == page
    rooms = {path.partition("/")[0] for path in opened}
    assert rooms.isdisjoint({"knowledge", "history", "evidence"})
    waiting = Workspace.open(demo_vault, story_context()).queue
    assert {one.proposal_id for one in look.unjudged} == {view.proposal_id for view in waiting}
    assert look.queue == () and not look.proposals
    assert [turn.reference for turn in look.turns] == [
        turn.reference for turn in Workspace.open(demo_vault, story_context()).turns
    ]


def test_a_small_vault_has_no_stages(demo_vault: Path) -> None:
    assert StagedOpening(demo_vault, story_context()).first_page() is None
