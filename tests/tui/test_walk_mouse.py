"""Everything by mouse: words on the screen are clicked, and the files say what was done."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import frontmatter
import pytest
from tui_bench import Bench, Opening, files_of
from walking import click, place_of, screen_lines

from proofstone.curation.demo import DEMO_NOW
from proofstone.curation.views import ProposalView
from proofstone.domain.records import Layer, MatchKind
from proofstone.domain.verification import VerificationStatus
from proofstone.tui.command import DUPLICATES, INQUIRIES, LOG, MAIN, MEMORIES, PROBLEMS, SETTINGS
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.dialog import PickDialog
from proofstone.tui.screens.help import HelpSheet
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.preview import PreviewDialog
from proofstone.tui.screens.target import TargetDialog
from proofstone.tui.widgets.line_list import LineList

TALL = (120, 60)
"""Every proposal of the demo vault is in sight, so that each can be clicked."""


def _clean(view: ProposalView) -> bool:
    return (
        view.report.status is VerificationStatus.VERIFIED
        and view.match.kind is MatchKind.NEW
        and view.proposal.layer is Layer.L2
    )


async def _choose(b: Bench) -> str:
    """Click on the first clean proposal of the queue."""
    view = next(view for view in b.workspace.queue if _clean(view))
    await click(b, view.proposal.statement[:14], "#queue")
    assert b.subject == view.proposal_id
    return view.proposal_id


def _note(vault: Path, folder: str, name: str) -> frontmatter.Post:
    return frontmatter.loads((vault / folder / f"{name}.md").read_text(encoding="utf-8"))


async def test_rulings_with_the_mouse_alone(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault, TALL) as b:
        subject = await _choose(b)
        await click(b, "ratify", "KeyBar")
        assert _note(demo_vault, "proposals/ruled", subject)["status"] == "ratified"
        await click(b, "undo", "KeyBar")
        assert files_of(demo_vault) == before

        await _choose(b)
        await click(b, "defer", "KeyBar")
        assert isinstance(b.app.screen, PickDialog)
        await click(b, "needs owner", "#reasons")
        await click(b, "in a week", "#days")
        assert files_of(demo_vault) == before, "nothing is written by choosing"
        await click(b, "enter does it")
        deferred = _note(demo_vault, "proposals", subject)["deferred"]
        assert deferred["reason"] == "needs_owner"
        assert deferred["until"] == (DEMO_NOW.date() + timedelta(days=7)).isoformat()
        await click(b, "undo", "KeyBar")
        assert files_of(demo_vault) == before

        await _choose(b)
        await click(b, "supersede", "KeyBar")
        assert isinstance(b.app.screen, TargetDialog)
        targets = b.app.screen.query_one("#targets", LineList)
        wanted = targets.source.key(1)
        await b.pilot.click(targets, offset=(6, targets._top(1)))
        await click(b, "space marks")
        await click(b, "enter goes on")
        assert isinstance(b.app.screen, PreviewDialog)
        await click(b, "enter writes it")
        ruled = _note(demo_vault, "proposals/ruled", subject)
        assert ruled["status"] == "superseding"
        memory = _note(demo_vault, "knowledge", str(ruled["memory_id"]))
        assert memory["supersedes"] == [wanted]

        second = b.subject
        await click(b, "tombstone", "KeyBar")
        await click(b, "esc cancels")
        assert (demo_vault / "proposals" / f"{second}.md").exists()
        await click(b, "tombstone", "KeyBar")
        await click(b, "poisoned", "#reasons")
        await click(b, "poisoned", "#reasons")
        assert _note(demo_vault, "proposals/ruled", second)["status"] == "tombstoned"

        await click(b, "log", "KeyBar")
        await click(b, "supersede", "#items")
        await click(b, "undo", "KeyBar")
        assert (demo_vault / "proposals" / f"{subject}.md").exists()
        assert not (demo_vault / "proposals" / f"{second}.md").exists()
        await click(b, "tombstone", "#items")
        await click(b, "undo", "KeyBar")
        await click(b, "back", "KeyBar")
        assert isinstance(b.app.screen, MainScreen)
        assert files_of(demo_vault) == before


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_every_screen_is_opened_and_left_by_clicks(
    demo_vault: Path, bench: Opening, size: tuple[int, int]
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault, size) as b:
        for name in (MEMORIES, LOG, INQUIRIES, DUPLICATES, PROBLEMS, SETTINGS):
            footer = b.app.screen.query_one("KeyBar").region
            if any(name in line for line in screen_lines(b)[footer.y :]):
                await click(b, name, "KeyBar")
            elif name in (INQUIRIES, DUPLICATES):
                await _by_palette(b, f"{name} (")
            else:
                continue
            assert isinstance(b.app.screen, WorkbenchScreen)
            assert b.app.screen.name_in_registry == name
            items = b.app.screen.query_one("#items", LineList)
            if len(items.source) > 1:
                await b.pilot.click(items, offset=(6, 1 + items._top(1)))
                assert items.cursor == 1
            await click(b, "back", "KeyBar")
            assert isinstance(b.app.screen, MainScreen)
        await click(b, "help", "KeyBar")
        assert isinstance(b.app.screen, HelpSheet)
        await click(b, "esc or ? closes")
        await click(b, "boundary", "KeyBar")
        assert b.app.screen.has_class("-boundary")
        await click(b, "boundary", "KeyBar")
        if size[0] < 100:
            await _by_palette(b, "sort (O)")
            assert "longest waiting first" in b.title("#queue")
            for number, title in enumerate(("Turns", "Queue", "Evidence", "Gate"), 1):
                await click(b, f"{number} {title}", "TabStrip")
                assert b.app.focused is b.app.screen.query_one(f"#{title.lower()}")
        assert b.app.screen.name_in_registry == MAIN
        assert files_of(demo_vault) == before


async def _by_palette(b: Bench, words: str) -> None:
    """Open the palette by a click, look for the entry with the wheel, and click on it."""
    await click(b, "commands", "KeyBar")
    for _ in range(20):
        await b.pilot.pause()
        if b.app.screen.query("CommandList OptionList, CommandList"):
            break
    options = b.app.screen.query_one("CommandList")
    for _ in range(60):
        await b.pilot.pause()
        if any(line.lstrip().startswith(words) for line in screen_lines(b)):
            x, y = place_of(b, words)
            await b.pilot.click(offset=(x, y))
            await b.pilot.pause()
            await b.pilot.pause()
            return
        options.scroll_relative(y=4, animate=False)
    raise AssertionError(f"{words} is not in the palette")


async def test_a_turn_is_answered_with_the_mouse(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault, TALL) as b:
        await click(b, "atlas-load #4", "#turns")
        await click(b, "Store Atlas amounts", "#evidence")
        await click(b, "no change", "KeyBar")
        assert isinstance(b.app.screen, PickDialog)
        await click(b, "enter does it")
        assert "draft · 1/3" in b.shown("#turns")
        assert "submit answer" in "".join(screen_lines(b)[-2:])
