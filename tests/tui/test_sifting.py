"""A filter over many views is worked out while keys have their turn."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest
from tui_bench import Bench, Opening, settled

from bench import data
from proofstone.domain import filters
from proofstone.tui.command import MAIN
from proofstone.tui.screens import filtering
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen
from proofstone.tui.widgets.bars import Standing, VaultHeader
from proofstone.vault import room_reader
from proofstone.vault.rows import RecordList

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


@pytest.fixture
def in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a large vault: what is many is looked at in pieces, and notes wait for their record."""
    monkeypatch.setattr(filtering, "SIFTED_AT_ONCE", AT_ONCE)
    monkeypatch.setattr(filtering, "TOLD_EVERY", AT_ONCE)
    monkeypatch.setattr(room_reader, "PLAIN_FROM", 0)


def _made(b: Bench) -> int:
    held = b.workspace.holdings.memories
    assert isinstance(held, RecordList)
    return held.made


def _shown(screen: object) -> list[str]:
    assert isinstance(screen, MemoriesScreen)
    return list(screen._items.source.all_keys())


async def test_a_filter_makes_no_record_of_what_it_hides(
    tmp_path: Path, bench: Opening, in_pieces: None
) -> None:
    vault = tmp_path / "vault"
    data.write_vault(vault, 60)
    async with bench(vault, size=(120, 16)) as b:
        await b.press("M")
        screen = b.app.screen
        assert isinstance(screen, MemoriesScreen)
        in_sight = _made(b)
        assert in_sight < 20 < len(b.workspace.memories)
        screen._apply("layer:L1")
        await settled(b.pilot)
        let_through = _shown(screen)
        assert _made(b) <= in_sight + len(let_through)
        await b.press("escape")
        assert len(_shown(screen)) == len(b.workspace.memories)
        screen._apply("reviewed:no")
        await settled(b.pilot)
        assert len(_shown(screen)) == len(b.workspace.memories)
        assert _made(b) <= 3 * in_sight + len(let_through), "all pass, a page is shown"
        wanted = filters.parse("layer:L1")
        assert let_through == [
            view.memory_id for view in b.workspace.memories if wanted.matches(view.filterable)
        ]


async def test_other_screens_make_no_record_of_what_they_do_not_name(
    tmp_path: Path, bench: Opening, in_pieces: None
) -> None:
    vault = tmp_path / "vault"
    data.write_vault(vault, 60)
    async with bench(vault, size=(120, 16)) as b:
        weighed = _made(b)
        for key in ("L", "I"):
            await b.press(key)
            assert b.app.screen.name_in_registry != MAIN
            await b.press("escape")
        assert _made(b) == weighed < 20


async def test_the_header_says_how_far_it_is_and_typing_on_ends_it(
    demo_vault: Path, bench: Opening, in_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    before = VaultHeader.show

    def show(header: VaultHeader, standing: Standing) -> None:
        told.append(standing.note)
        before(header, standing)

    monkeypatch.setattr(VaultHeader, "show", show)
    finished: list[str] = []
    take = filtering.FilteringScreen._take

    def taken(screen: filtering.FilteringScreen, wanted: filters.Filter) -> None:
        finished.append(wanted.text)
        take(screen, wanted)

    monkeypatch.setattr(filtering.FilteringScreen, "_take", taken)
    async with bench(demo_vault) as b:
        await b.press("M", "slash")
        screen = b.app.screen
        assert isinstance(screen, MemoriesScreen)
        total = len(b.workspace.memories)
        screen._apply("first")
        screen._apply("pnpm")
        await settled(b.pilot)
        assert finished == ["pnpm"]
        assert f"filtering: {AT_ONCE} of {total} looked at…" in told
        assert not told[-1]
        screen._apply("second")
        screen._apply("pnpm")
        await settled(b.pilot)
        assert finished == ["pnpm"] == [screen.filter.text]


async def test_what_is_read_again_is_filtered_in_pieces_too(
    demo_vault: Path, bench: Opening, in_pieces: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(demo_vault) as b:
        await b.press("slash")
        await b.write("-layer:L1")
        await b.press("enter")
        screen = b.app.screen
        assert isinstance(screen, MainScreen)

        def expected() -> set[str]:
            wanted = filters.parse("-layer:L1")
            return {v.proposal_id for v in b.workspace.queue if wanted.matches(v.filterable)}

        def shown() -> set[str]:
            return set(screen.queue_pane.source.all_keys())

        assert shown() == expected()
        at_once, looked_at = Counter[str](), "reading"
        before = filters.Filter.matches

        def matches(wanted: filters.Filter, row: filters.Filterable) -> bool:
            at_once[looked_at] += 1
            return before(wanted, row)

        monkeypatch.setattr(filters.Filter, "matches", matches)
        proposals = sorted((demo_vault / "proposals").glob("*.md"))
        gone = next(file for file in proposals if file.stem in shown())
        text = gone.read_text(encoding="utf-8")
        (gone.parent / "prop-come.md").write_text(
            text.replace(gone.stem, "prop-come"), encoding="utf-8"
        )
        gone.unlink()
        drawn: list[set[str]] = []
        fill = screen.show_workspace

        def show_workspace(*about: object) -> None:
            nonlocal looked_at
            looked_at = "drawing"
            fill(*about)  # type: ignore[arg-type]
            looked_at = "after"
            drawn.append(shown())

        monkeypatch.setattr(screen, "show_workspace", show_workspace)
        await b.press("ctrl+r")
        assert drawn and all(gone.stem not in keys and "prop-come" in keys for keys in drawn)
        assert 0 < at_once["drawing"] <= 2 * AT_ONCE * len(drawn)
        assert at_once["after"] >= len(b.workspace.queue)
        assert shown() == expected()


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
