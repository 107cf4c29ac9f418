"""A key does the same work whatever there is: counted, not timed (spec page 9, CPU per key)."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import pytest_asyncio
from counted_work import Counted, CountedMemories, Work
from tui_bench import Bench, opened

from proofstone.curation.views import MemoryView, ProposalView, TurnView
from proofstone.tui.messages import OpenVault
from proofstone.tui.offering import COMPARED
from proofstone.tui.panes.queue import QueuePane
from proofstone.tui.scene import Scene
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.target import TargetDialog
from proofstone.tui.widgets.line_list import LineList

FEW, MANY = 200, 20_000
UNITS = 10_000
TURN = "claude-code/atlas-load#4"
SLACK = 1.2
"""The goal: many rows may cost so many times what few cost."""

FEW_MORE = 4
"""Rows and views that many may cost more than few: rows of another height come into sight."""


def proposals(views: list[ProposalView], number: int) -> list[ProposalView]:
    """So many proposals, the given ones over and over under other ids."""
    return [
        replace(view, proposal=replace(view.proposal, proposal_id=f"prop-{place:05}"))
        for place in range(number)
        for view in (views[place % len(views)],)
    ]


def memories(views: list[MemoryView], number: int) -> list[MemoryView]:
    """So many memories, the given ones over and over under other ids."""
    return [
        replace(view, memory=replace(view.memory, memory_id=f"mem-{place:05}"))
        for place in range(number)
        for view in (views[place % len(views)],)
    ]


def long_turn(view: TurnView, number: int) -> TurnView:
    """The turn with so many units, each a little other than the one before."""
    units = tuple(
        view.units[0]._replace(unit_id=f"unit-{place:05}", text=f"Rule {place} holds for builds.")
        for place in range(number)
    )
    row = next(iter(view.dispositions.values()))
    rows = {unit.unit_id: replace(row, unit_id=unit.unit_id) for unit in units}
    return replace(view, units=units, dispositions=rows)


@dataclass
class Crowded:
    """A workbench whose vault holds as many of everything as is asked for."""

    bench: Bench
    work: Work

    async def hold(self, number: int, units: int) -> None:
        """Hold so many proposals and memories, and a turn of so many units."""
        workspace = self.bench.workspace.reload()
        queue = proposals(list(workspace.queue), number)
        held = memories(list(workspace.memories), number)
        turn = long_turn(workspace.turn(TURN), units)
        counts = self.work.done
        stand_ins = {
            "queue": Counted(queue, counts),
            "memories": CountedMemories(held, counts),
            "turns": (turn,),
            "turn": lambda reference: turn,
            "proposals": {view.proposal_id: view.proposal for view in queue},
            "proposal": {view.proposal_id: view for view in queue}.__getitem__,
        }
        workspace.__dict__.update(stand_ins)
        self.bench.app.show_written(OpenVault.prepared(workspace))
        await self.bench.press("escape")

    async def key(self, key: str) -> Counter[str]:
        """What one press of a key makes the program do."""
        with self.work.counted() as done:
            await self.bench.press(key)
        return done.copy()

    @property
    def seen(self) -> int:
        """The lines that can be seen of the lists on the screen."""
        return sum(pane.size.height for pane in self.bench.app.screen.query(LineList))


@pytest_asyncio.fixture
async def crowded(demo_vault: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Crowded]:
    async with opened(demo_vault) as bench:
        yield Crowded(bench, Work(monkeypatch))


PLACES = {
    "queue": ("2", "j", "k"),
    "memories": ("M", "j", "k"),
    "evidence": ("1", "3", "j", "k"),
    "gate": ("4", "j", "k"),
}
"""How to come to each list, with keys that fill what is kept for later keys."""


async def test_a_cursor_key_does_not_depend_on_how_much_there_is(
    crowded: Crowded, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: dict[int, dict[str, Counter[str]]] = {FEW: {}, MANY: {}}
    for number in (FEW, MANY):
        await crowded.hold(number, UNITS if number == MANY else FEW)
        assert isinstance(crowded.bench.app.screen, MainScreen)
        for place, keys in PLACES.items():
            await crowded.bench.press(*keys)
            work = done[number][place] = await crowded.key("j")
            assert work["lines"] <= 3 * crowded.seen, place
            assert work["files"] == 0, place
            if place == "memories":
                await crowded.bench.press("escape")
    for place in PLACES:
        few, many = done[FEW][place], done[MANY][place]
        assert few["steps"] > 1_000, "it was counted"
        assert many["steps"] <= SLACK * few["steps"], (place, few, many)
        for what in ("rows", "measured", "views", "compared"):
            assert many[what] <= few[what] + FEW_MORE, (place, what, few, many)

    # And the count would tell: a look through all that waits, at each key, is far beyond it.
    before = QueuePane.show

    def looking_through_all(pane: QueuePane, scene: Scene) -> None:
        workspace = crowded.bench.workspace
        assert not any(view.proposal_id == "none" for view in workspace.queue)
        before(pane, scene)

    monkeypatch.setattr(QueuePane, "show", looking_through_all)
    await crowded.bench.press("2")
    work = await crowded.key("j")
    assert work["steps"] > SLACK * done[FEW]["queue"]["steps"]
    assert work["views"] >= MANY


async def test_what_may_be_replaced_is_made_where_it_is_shown(crowded: Crowded) -> None:
    done: dict[int, Counter[str]] = {}
    for number in (FEW, COMPARED + FEW):
        await crowded.hold(number, FEW)
        await crowded.bench.press("2")
        crowded.work.done.clear()
        await crowded.bench.press("s")
        done[number] = crowded.work.done.copy()
        dialog = crowded.bench.app.screen
        assert isinstance(dialog, TargetDialog)
        targets = dialog.query_one("#targets", LineList)
        assert len(targets.source) == number
        if number > COMPARED:
            await crowded.bench.press("slash", "O", "z")
            assert not len(targets.source)
            await crowded.bench.press("backspace", "enter")
            assert 0 < len(targets.source) < number
        await crowded.bench.press("escape")
    few, many = done.values()
    assert few["measured"] >= FEW, "few are wrapped, and so looked at: the count would tell"
    for what in ("rows", "measured", "views", "compared"):
        assert many[what] <= few[what] + FEW_MORE, (what, few, many)
