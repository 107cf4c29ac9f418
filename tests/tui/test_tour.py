"""The guided tour: every step brings its pane into the state that it explains."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot
from tui_bench import app_on, files_of, settled

from proofstone.domain.gate_types import TurnState
from proofstone.domain.verification import Verdict, VerificationStatus
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.palette import entries
from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.boundary import BoundaryView
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.log import LogScreen
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen
from proofstone.tui.tour import TourState
from proofstone.tui.tour_steps import STEPS
from proofstone.tui.widgets.bars import KeyBar
from proofstone.tui.widgets.tour_bar import TourBar

SIZES = ((80, 24), (120, 40), (200, 60))
NEXT, BACK, LEAVE = "greater_than_sign", "less_than_sign", "T"


def _heading(app: ProofstoneApp) -> str:
    return str(app.screen.query_one(TourBar).border_title)


def _named(app: ProofstoneApp) -> list[str]:
    """What the palette lists."""
    assert isinstance(app.screen, WorkbenchScreen)
    return [entry.title for entry in entries(app.screen)]


async def _press(pilot: Pilot[None], *keys: str) -> None:
    for key in keys:
        await pilot.press(key)
        await settled(pilot)


def _main(app: ProofstoneApp) -> MainScreen:
    assert isinstance(app.screen, MainScreen)
    return app.screen


def _check_state(app: ProofstoneApp, place: int) -> None:
    """What the step's words claim is what the screen shows."""
    if place == 9:
        assert isinstance(app.screen, LogScreen)
        return
    main = _main(app)
    assert main.has_class("-boundary") is (place == 2)
    turn, view = main.turn, main.proposal
    if place in (0, 1, 2):
        assert turn is not None and turn.reference == "codex/orion-ci#2"
        assert turn.counts.unresolved
    if place == 1:
        assert main.evidence_pane.cursor_row is not None
        assert "U" in main.evidence_pane.cursor_row.gutter.plain
    if place == 3:
        assert turn is not None and turn.counts.covered == turn.counts.physical
    if place == 4:
        assert turn is not None and turn.state is TurnState.REFUSED
    if place == 5:
        assert view is not None and view.is_preselected
        assert main.evidence_pane.cursor_key in {claim.unit_id for claim in view.proposal.bindings}
    if place == 6:
        assert view is not None and view.report.status is VerificationStatus.REVIEW_REQUIRED
        found = main.verifier_pane.finding(main.verifier_pane.cursor_key)
        assert found is not None and found.verdict is Verdict.FLAG
    if place == 7:
        assert view is not None and view.match.matched
        assert main.siblings_pane.cursor_key in view.match.matched
    if place == 8:
        assert view is not None and view.is_tainted


@pytest.mark.parametrize("size", SIZES)
async def test_every_step_shows_what_it_explains(demo_vault: Path, size: tuple[int, int]) -> None:
    before = files_of(demo_vault)
    app = app_on(demo_vault, tour=TourState.ON)
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        for place, step in enumerate(STEPS):
            assert f"Tour {place + 1}/{len(STEPS)} · {step.title}" in _heading(app)
            _check_state(app, place)
            bar = app.screen.query_one(TourBar).region
            if step.pane:
                pane = _main(app).panes[step.pane - 1]
                assert pane.has_focus
                assert pane.region.height >= 6
                assert not pane.region.overlaps(bar)
            elif step.boundary:
                assert not app.screen.query_one(BoundaryView).region.overlaps(bar)
            assert bar.bottom <= app.screen.query_one(KeyBar).region.y
            assert bar.height <= 8
            words = app.screen.query_one("#tour-text").region
            assert app.screen.query_one("#tour-keys").region.bottom < bar.bottom
            assert words.height >= 2 or size[0] > 120
            if place + 1 < len(STEPS):
                await _press(pilot, NEXT)
        await _press(pilot, NEXT)
        assert not app.screen.query(TourBar)
    assert files_of(demo_vault) == before


async def test_it_is_left_and_taken_up_at_the_same_step(demo_vault: Path) -> None:
    app = app_on(demo_vault, tour=TourState.ON)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await _press(pilot, NEXT, NEXT, NEXT, NEXT)
        assert app.tour_step == 4
        await _press(pilot, LEAVE, "2", "g", "M")
        assert not app.screen.query(TourBar)
        await _press(pilot, LEAVE)
        assert "Tour 5/10" in _heading(app)
        _check_state(app, 4)
        await _press(pilot, BACK)
        assert "Tour 4/10" in _heading(app)
        _check_state(app, 3)


async def test_every_key_does_what_it_always_does(demo_vault: Path) -> None:
    before = files_of(demo_vault)
    app = app_on(demo_vault, tour=TourState.ON)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await _press(pilot, *[NEXT] * 5)
        await _press(pilot, "r")
        assert files_of(demo_vault) != before
        assert "Tour 6/10" in _heading(app)
        await _press(pilot, BACK, NEXT)
        note = app.screen.query_one("#tour-text").visual
        assert "u takes that back" in str(note)
        await _press(pilot, "u", BACK, NEXT)
        assert files_of(demo_vault) == before
        _check_state(app, 5)
        await _press(pilot, "M")
        assert isinstance(app.screen, MemoriesScreen)
        assert "Tour 6/10" in _heading(app)
        await _press(pilot, NEXT)
        _check_state(app, 6)


async def test_its_keys_are_places_to_click(demo_vault: Path) -> None:
    app = app_on(demo_vault, tour=TourState.ON)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.click("#tour-keys", offset=(12, 0))
        await settled(pilot)
        assert app.tour_step == 1


async def test_its_keys_are_named_only_while_it_is_on(demo_vault: Path) -> None:
    app = app_on(demo_vault, tour=TourState.OFFERED)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert not app.screen.query(TourBar)
        named = _named(app)
        assert "tour (T)" in named and "tour: next (>)" not in named
        await _press(pilot, LEAVE)
        named = _named(app)
        assert "tour: next (>)" in named
        assert isinstance(app.focused, Pane)


async def test_a_vault_of_ones_own_has_no_tour(demo_vault: Path) -> None:
    app = app_on(demo_vault)
    async with app.run_test() as pilot:
        await settled(pilot)
        named = _named(app)
        assert not any(title.startswith("tour") for title in named)
        await _press(pilot, LEAVE, NEXT)
        assert not app.screen.query(TourBar)
