"""What a key writes to the terminal, and that the terminal shows what it should (spec page 9)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest
import pytest_asyncio
from terminals import SIZE, Terminals, app_in
from textual.events import AppFocus, Resize
from textual.geometry import Size
from textual.pilot import Pilot
from tui_bench import settled

from proofstone.tui.widgets.line_list import LineList

GOAL = 4_000
"""Bytes that a cursor move may write at 120×40 when nothing scrolls."""


@dataclass
class Watched:
    """A workbench in two terminals."""

    pilot: Pilot[None]
    terminals: Terminals
    scrolled: bool = False
    """Whether any list was scrolled by the keys that were pressed last."""

    async def press(self, *keys: str) -> list[int]:
        """Press keys; how many bytes each wrote. Both terminals show the same after each."""
        costs = []
        before_all = self._offsets()
        for key in keys:
            before = self.terminals.spared_bytes
            await self.pilot.press(key)
            await settled(self.pilot)
            costs.append(self.terminals.spared_bytes - before)
            self.compare()
        self.scrolled = before_all != self._offsets()
        return costs

    def _offsets(self) -> list[object]:
        return [found.scroll_offset for found in self.pilot.app.screen.query(LineList)]

    def compare(self) -> None:
        assert self.terminals.spared.picture == self.terminals.plain.picture
        assert self.terminals.spared.cursor == self.terminals.plain.cursor


@pytest_asyncio.fixture
async def watched(demo_vault: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Watched]:
    monkeypatch.setenv("COLORTERM", "truecolor")  # the longest way to tell colours
    monkeypatch.setenv("TERM", "xterm-256color")
    terminals = Terminals()
    async with app_in(terminals, demo_vault).run_test(headless=False, size=SIZE) as pilot:
        await settled(pilot)
        yield Watched(pilot, terminals)


async def test_every_move_shows_what_it_should_within_the_goal(watched: Watched) -> None:
    await watched.press("2", "g")
    moves = [(await watched.press(key), watched.scrolled) for key in "jjjjjkkkkk"]
    still = [cost for [cost], has_scrolled in moves if not has_scrolled]
    assert len(still) >= 3
    assert max(still) <= GOAL
    assert median(cost for [cost], _ in moves) <= GOAL
    await watched.press("3", "g")
    assert max(await watched.press(*"jjk")) <= GOAL
    assert max(await watched.press("tab", "tab")) <= GOAL
    assert watched.terminals.spared_bytes < watched.terminals.plain_bytes / 4


async def test_other_screens_and_dialogs_show_what_they_should(watched: Watched) -> None:
    await watched.press("M", "g")
    assert max(await watched.press("j", "k")) <= GOAL
    await watched.press("escape", "question_mark", "escape", "b", "ctrl+t", "ctrl+o", "escape")


async def test_all_is_painted_where_something_else_may_have_written(watched: Watched) -> None:
    app, shown = watched.pilot.app, watched.terminals.spared.picture

    async def redraw() -> None:
        await watched.pilot.press("ctrl+l")

    async def look_again() -> None:
        app.post_message(AppFocus())

    async def go_on_after_a_stop() -> None:
        app.post_message(Resize(Size(*SIZE), Size(*SIZE)))

    for happens in (redraw, look_again, go_on_after_a_stop):
        watched.terminals.disturb()
        await happens()
        await settled(watched.pilot)
        assert watched.terminals.spared.picture == shown, happens.__name__
