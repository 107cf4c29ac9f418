"""A filter over many views is worked out while keys have their turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tui_bench import Opening

from proofstone.domain import filters
from proofstone.tui.screens import filtering
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen

AT_ONCE = 3


async def test_keys_have_their_turn_and_the_same_is_let_through(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(filtering, "SIFTED_AT_ONCE", AT_ONCE)
    turn, looked_at = 0, Counter[int]()
    before = filters.Filter.matches

    def matches(wanted: filters.Filter, row: filters.Filterable) -> bool:
        looked_at[turn] += 1
        return before(wanted, row)

    sleep = asyncio.sleep

    async def turning(delay: float) -> None:
        nonlocal turn
        turn += 1
        await sleep(delay)

    monkeypatch.setattr(asyncio, "sleep", turning)
    monkeypatch.setattr(filters.Filter, "matches", matches)
    async with bench(demo_vault) as b:
        await b.press("slash")
        await b.write("orion")
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        wanted = filters.parse("orion")
        expected = [v.proposal_id for v in b.workspace.queue if before(wanted, v.filterable)]
        assert expected
        assert set(screen.queue_pane.source.all_keys()) == set(expected)
        assert sum(looked_at.values()) >= len(b.workspace.queue) > AT_ONCE
        assert max(looked_at.values()) <= AT_ONCE
        await b.press("escape")
        assert len(screen.queue_pane.source) == len(b.workspace.queue)


async def test_of_many_memories_only_those_in_sight_are_made(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(demo_vault, size=(120, 24)) as b:
        made: list[object] = []
        before = type(b.workspace)._memory_view

        def view(workspace: object, *about: object) -> object:
            made.append(about[0])
            return before(workspace, *about)  # type: ignore[arg-type]

        monkeypatch.setattr(type(b.workspace), "_memory_view", view)
        await b.press("M")
        assert isinstance(b.app.screen, MemoriesScreen)
        assert 0 < len(made) < len(b.workspace.memories)
