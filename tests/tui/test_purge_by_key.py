"""A privacy purge from the screen: shown whole, typed, and nothing left (spec page 6)."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import Input, Static
from tui_bench import Bench, Opening, files_of

from proofstone.domain.rulings import short_id
from proofstone.tui.screens.log import LogScreen
from proofstone.tui.screens.purge import PurgeDialog
from proofstone.tui.widgets.line_list import LineList


def _told(b: Bench) -> str:
    dialog = b.app.screen
    assert isinstance(dialog, PurgeDialog)
    files = dialog.query_one("#files", LineList)
    return "\n".join(str(files.source.row(n).body) for n in range(len(files.source)))


async def _to_memory(b: Bench) -> str:
    """A memory in force that a proposal became, under the cursor of Memories."""
    await b.press("M")
    return b.subject


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_warning_comes_first_and_every_file_is_named(
    demo_vault: Path, bench: Opening, size: tuple[int, int]
) -> None:
    async with bench(demo_vault, size) as b:
        subject = await _to_memory(b)
        await b.press("X")
        dialog = b.app.screen
        assert isinstance(dialog, PurgeDialog)
        intro = str(dialog.query_one(".intro", Static).render())
        assert intro.startswith("A purge cannot be undone.")
        memory = b.workspace.held.memory(subject)
        assert memory is not None
        assert memory.path in _told(b)
        for selector in ("#files", "#reasons", "#confirm"):
            assert dialog.query_one(selector).region.height >= (3 if selector == "#reasons" else 1)
        box = dialog.query_one("#box").region
        assert box.contains_region(dialog.query_one("#confirm").region)


async def test_nothing_is_purged_without_the_typed_short_id(
    demo_vault: Path, bench: Opening
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        await _to_memory(b)
        await b.press("X", "enter")
        dialog = b.app.screen
        assert isinstance(dialog, PurgeDialog)
        assert dialog.query_one(Input).has_focus
        await b.press("enter", *"wrong", "enter")
        assert isinstance(b.app.screen, PurgeDialog)
        assert "Type" in str(dialog.query_one(".fault", Static).render())
        await b.press("escape")
        assert not isinstance(b.app.screen, PurgeDialog)
    assert files_of(demo_vault) == before


async def test_a_purge_leaves_the_words_nowhere_and_cannot_be_undone(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        subject = await _to_memory(b)
        memory = b.workspace.held.memory(subject)
        assert memory is not None
        words = memory.statement.encode("utf-8")
        assert any(words in data for data in files_of(demo_vault).values())
        await b.press("X", "j", "enter")
        await b.write(short_id(subject))
        await b.press("enter")
        assert b.workspace.held.memory(subject) is None
        assert any("cannot be undone" in toast for toast in b.toasts)
        assert not any("takes it back" in toast for toast in b.toasts)
        left = {path: data for path, data in files_of(demo_vault).items() if words in data}
        assert left == {}
        assert not any(
            words in path.read_bytes() for path in demo_vault.rglob("*") if path.is_file()
        )
        row = b.app.journal[0]
        assert row.is_purge
        assert row.ruling.reason == "privacy_sensitive"
        after = files_of(demo_vault)
        await b.press("escape", "u")
        assert any("cannot be undone" in toast for toast in b.toasts)
        await b.press("L", "u")
        assert isinstance(b.app.screen, LogScreen)
        assert any("It is a purge" in toast for toast in b.toasts)
        assert files_of(demo_vault) == after


async def test_a_proposal_is_purged_from_the_queue(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        subject = b.subject
        words = b.workspace.proposal(subject).proposal.statement.encode("utf-8")
        await b.press("X", "enter")
        await b.write(short_id(subject))
        await b.press("enter")
        assert subject not in {view.proposal_id for view in b.workspace.queue}
        assert b.subject != subject
        assert not any(
            words in path.read_bytes() for path in demo_vault.rglob("*") if path.is_file()
        )


async def test_marks_are_not_purged_together(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("space", "X")
        assert not isinstance(b.app.screen, PurgeDialog)
        assert any("takes the marks off" in toast for toast in b.toasts)
