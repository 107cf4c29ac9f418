"""What is shown where there is little room, and where there is much."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.content import Content
from tui_bench import Opening

from proofstone.curation.rulings import why_not
from proofstone.domain.verification import Eligibility, VerificationStatus
from proofstone.tui.rows import Row
from proofstone.tui.screens.dialog import WordsDialog
from proofstone.tui.screens.jump import JumpLabel
from proofstone.tui.screens.panes import PanesScreen
from proofstone.tui.widgets.bars import KeyBar, TabStrip, VaultHeader
from proofstone.tui.widgets.row_drawing import row_lines


def second_line(width: int, *parts: str) -> str:
    row = Row(key="one", body=Content("a statement\n" + " · ".join(parts)), parted=True)
    return row_lines(row, width)[1][1].plain


@pytest.mark.parametrize(
    ("width", "expected"),
    [
        (33, "ambiguous · risk high · low trust"),
        (32, "ambiguous·risk high·low trust"),
        (28, "ambiguous · risk high +1"),
        (23, "ambiguous +2"),
        (11, "ambiguous …"),
    ],
)
def test_of_words_in_a_row_none_is_cut_where_it_can_be_left_out(width: int, expected: str) -> None:
    told = second_line(width, "ambiguous", "risk high", "low trust")
    assert told == expected and cell_len(told) <= width


def test_a_row_whose_lines_are_no_parts_is_cut_as_before() -> None:
    row = Row(key="one", body=Content("a statement\nMira Tal · workbench · because"))
    assert row_lines(row, 20)[1][1].plain == "Mira Tal · workbenc…"


async def test_a_high_window_spares_a_line_for_every_key_and_a_low_one_does_not(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault, (200, 60)) as b:
        keys = b.app.screen.query_one(KeyBar)
        for _ in range(2):  # on the main screen, then on Memories
            told = str(keys.render())
            assert told.count("\n") == 1 and ", settings" in told and "q quit" in told
            await b.press("M")
            keys = b.app.screen.query_one(KeyBar)
        await b.pilot.resize_terminal(200, 30)
        await b.press("j")
        assert "\n" not in str(keys.render()) and keys.size.height == 1


async def test_a_narrow_window(demo_vault: Path, bench: Opening) -> None:
    """Counts that fit stay, letters stand on the tabs, a fault is said without stray marks."""
    async with bench(demo_vault, (80, 24)) as b:
        await b.press("I")
        told = str(b.app.screen.query_one(VaultHeader).render())
        assert "18 waiting · 1 deferred · 3 unreviewed" in told and cell_len(told) <= 80
        await b.press("escape", "ctrl+o")
        labels = list(b.app.screen.query(JumpLabel))
        main = b.app.screen_stack[-2]
        assert isinstance(main, PanesScreen)
        places = main.query_one(TabStrip).places()
        assert [label.region for label in labels] == [places[n] for n in range(1, 8)]
        await b.press("d")
        assert b.app.focused is main.evidence_pane
        await b.press("2", "r", "enter")
        dialog = b.app.screen
        assert isinstance(dialog, WordsDialog)
        assert str(dialog.query_one(".fault").render()).endswith("they stay on record.")


async def test_bars_are_whole_and_an_edit_says_what_the_verifier_says(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(
            lambda v: (
                v.report.status is VerificationStatus.REVIEW_REQUIRED
                and v.report.promotion_eligibility is Eligibility.AUTO_CANDIDATE
                and not why_not(b.workspace, "edit", v.proposal_id)
            )
        )
        assert not view.report.eligible
        bars = [line for line in b.shown("#verifier").splitlines() if "┃" in line]
        assert bars and not any("…" in line for line in bars)
        narrow = len(bars[0])
        await b.press("6", "z")
        wide = [line for line in b.shown("#verifier").splitlines() if "┃" in line]
        assert len(wide) == len(bars) and len(wide[0]) > narrow
        assert "eligible          not preselected" in b.shown("#verifier")
        await b.press("z", "2", "e")
        assert "then     not preselected" in b.shown("#verdict")
