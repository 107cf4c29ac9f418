"""The Inquiries screen, and the way from a question to what it is about (spec pages 3 and 7)."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui_bench import Opening

from proofstone.domain.records import Inquiry
from proofstone.tui.screens.inquiries import InquiriesScreen, in_order
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen


def _inquiry(name: str, status: str, priority: str, opened: str, answered: str = "") -> Inquiry:
    return Inquiry(
        inquiry_id=name,
        question="?",
        status=status,
        priority=priority,
        opened=opened,
        answered=answered,
    )


def test_open_ones_come_first_by_priority_and_age_and_answered_ones_by_their_answer() -> None:
    given = (
        _inquiry("done-early", "answered", "high", "2026-11-01", "2026-11-02"),
        _inquiry("low", "open", "low", "2026-10-01"),
        _inquiry("done-late", "answered", "low", "2026-11-01", "2026-11-20"),
        _inquiry("high-new", "open", "high", "2026-11-20"),
        _inquiry("high-old", "open", "high", "2026-11-10"),
        _inquiry("odd", "open", "urgent?", "2026-09-01"),
    )
    names = [found.inquiry_id for found in in_order(given)]
    assert names == ["high-old", "high-new", "odd", "low", "done-late", "done-early"]


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
async def test_a_question_is_shown_with_what_it_is_about(
    demo_vault: Path, bench: Opening, size: tuple[int, int]
) -> None:
    async with bench(demo_vault, size) as b:
        await b.press("I")
        assert isinstance(b.app.screen, InquiriesScreen)
        assert "4 open of 5" in b.title("#items")
        first = b.workspace.holdings
        high = next(i for i in first.inquiries if i.inquiry_id == "inq-d3bb6c7720b4a50400c9296e")
        assert b.subject == high.inquiry_id
        detail = " ".join(b.shown("#detail").split())
        assert "high" in detail
        assert "ago" in detail
        assert high.concerns[0] in detail.replace(" ", "") or size[0] < 100
        assert "? " in b.shown("#items")
        assert "✓ " in b.shown("#items") or size[0] < 100
        await b.press("tab", *["pagedown"] * 3)
        assert "contradicting" in b.shown("#detail") or high.inquiry_id in b.shown("#detail")


async def test_enter_goes_to_the_proposal_concerned(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("I")
        wanted = "prop-b3bdbed1bd7f20f72b1197a7"
        await b.press("enter")
        assert isinstance(b.app.screen, MainScreen)
        assert b.subject == wanted
        assert b.app.screen.queue_pane.has_focus


async def test_a_filter_does_not_hide_what_was_asked_for(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("slash", *"layer", "colon", "L", "1", "enter", "I", "enter")
        assert isinstance(b.app.screen, MainScreen)
        assert b.subject == "prop-b3bdbed1bd7f20f72b1197a7"
        assert not b.app.screen.is_filtering


async def test_enter_on_a_memory_goes_to_memories(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("I", "tab", "j", "enter")
        assert isinstance(b.app.screen, MemoriesScreen)
        assert b.subject == "mem-eb57086ecc55ab650cf0afbf"


async def test_what_is_ruled_already_is_said_to_be(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        b.app.go_to("prop-000000000000000000000000")
        await b.pilot.pause()
        assert any("neither waits nor is in force" in toast for toast in b.toasts)
        assert isinstance(b.app.screen, MainScreen)


async def test_an_empty_vault_says_where_inquiries_come_from(
    tmp_path: Path, bench: Opening
) -> None:
    vault = tmp_path / "vault"
    (vault / "knowledge").mkdir(parents=True)
    async with bench(vault) as b:
        await b.press("I")
        assert "No inquiry was opened yet" in b.shown("#items")
