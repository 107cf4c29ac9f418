"""Pictures of every screen and important state, over the demo vault with the story's clock.

Where a screen is meant to look different, look at each picture, then
``pytest tests/tui/test_snapshots.py --snapshot-update``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from memleaf import Memleaf
from textual.pilot import Pilot
from tui_bench import app_on, go_to, settled, story_context

from proofstone.curation.views import ProposalView
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import TurnState
from proofstone.domain.records import Layer, MatchKind
from proofstone.domain.verification import VerificationStatus
from proofstone.gate.settings import client_settings
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.themes import shipped_themes

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}

Compare = Callable[..., bool]


Goal = Callable[[ProofstoneApp], tuple[str, str]]
"""The key of a pane, and that of the row in it to look at."""


def after(*keys: str, goal: Goal | None = None) -> Callable[..., object]:
    """Open, go somewhere, press keys, and wait until all is drawn."""

    async def run(pilot: Pilot[None]) -> None:
        await _start(pilot, goal)
        await pilot.press(*keys)
        await settled(pilot)

    return run


def one_by_one(*keys: str, goal: Goal | None = None) -> Callable[..., Awaitable[object]]:
    """As ``after``, waiting after each key for what it started."""

    async def run(pilot: Pilot[None]) -> None:
        await _start(pilot, goal)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)

    return run


async def _start(pilot: Pilot[None], goal: Goal | None) -> None:
    await settled(pilot)
    assert isinstance(pilot.app, ProofstoneApp)
    if goal:
        await go_to(pilot, *goal(pilot.app))


def at_turn(state: TurnState) -> Goal:
    def goal(app: ProofstoneApp) -> tuple[str, str]:
        assert app.workspace is not None
        return "1", next(v.reference for v in app.workspace.turns if v.state is state)

    return goal


def at_proposal(wanted: Callable[[ProposalView], bool]) -> Goal:
    def goal(app: ProofstoneApp) -> tuple[str, str]:
        assert app.workspace is not None
        return "2", next(v.proposal_id for v in app.workspace.queue if wanted(v))

    return goal


def with_endpoint(run: Callable[..., Awaitable[object]]) -> Callable[..., object]:
    """``run`` where the person has named an endpoint; nobody listens there."""

    async def named(pilot: Pilot[None]) -> None:
        app = pilot.app
        assert isinstance(app, ProofstoneApp)
        await settled(pilot)
        settings = client_settings("http://127.0.0.1:11434/v1", "qwen3", environment={})
        app.name_endpoint(settings)
        await run(pilot)

    return named


STATES: dict[str, Callable[..., object]] = {
    "main": after(),
    "evidence": after("3", "j", "k"),
    "gate": after("4", "g", "j"),
    "verifier": after("6", "j"),
    "proposal": after("5"),
    "siblings": after("7"),
    "turns": after("1"),
    "boundary": after("b", goal=at_turn(TurnState.OPEN)),
    "incomplete-turn": after("3", goal=at_turn(TurnState.INCOMPLETE)),
    "refused-answer": after("4", goal=at_turn(TurnState.REFUSED)),
    "turn-without-answer": after("4", goal=at_turn(TurnState.WAITING)),
    "help": after("question_mark"),
    "memories": after("M", "j"),
    "log": after("L"),
    "problems": after("P"),
    "inquiries": after("I"),
    "purge": after("M", "X"),
    "filter": after("slash", "m", "a", "t", "c", "h", "colon", "c", "o", "n"),
    "defer": after("d"),
    "identity": after("r", goal=at_proposal(lambda v: v.proposal.layer is Layer.L1)),
}
_BY_HAND = at_turn(TurnState.WAITING)
STATES |= {
    "draft-by-hand": one_by_one(
        "3", "v", "right", "n", "enter", "0", "enter", "ctrl+s", "4", goal=_BY_HAND
    ),
    "new-candidate": one_by_one("3", "n", goal=_BY_HAND),
    "ask": with_endpoint(one_by_one("a", goal=_BY_HAND)),
}
ONE_SIZE: dict[str, Callable[..., object]] = {
    "words-chosen": one_by_one("3", "v", "right", "right", goal=_BY_HAND),
    "bind": one_by_one("3", "n", "enter", "plus", goal=_BY_HAND),
    "conflict": after(goal=at_proposal(lambda v: v.match.kind is MatchKind.POTENTIAL_CONFLICT)),
    "tainted": after(goal=at_proposal(lambda v: v.is_tainted)),
    "rejected": after(goal=at_proposal(lambda v: v.report.status is VerificationStatus.REJECTED)),
    "update": after(goal=at_proposal(lambda v: v.match.kind is MatchKind.UPDATES_EXISTING)),
    "reason": after("r"),
    "targets": after("s"),
    "preview": after("p"),
    "edit": after("e"),
    "batch": after("A", "r"),
    "zoom": after("3", "z"),
    "jump": after("ctrl+o"),
}


HELD_TWICE = {
    "backups": "The Atlas backups are kept on the vault server in Bergen for ninety days.",
    "old-backups": "Atlas backups are kept on the archive server in Bergen for thirty days.",
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_screen(snap_compare: Compare, demo_vault: Path, state: str, size: str) -> None:
    assert snap_compare(app_on(demo_vault), terminal_size=SIZES[size], run_before=STATES[state])


@pytest.mark.parametrize("state", ONE_SIZE)
def test_state(snap_compare: Compare, demo_vault: Path, state: str) -> None:
    assert snap_compare(app_on(demo_vault), terminal_size=(120, 40), run_before=ONE_SIZE[state])


@pytest.mark.parametrize("theme", [theme.name for theme in shipped_themes()])
def test_theme(snap_compare: Compare, demo_vault: Path, theme: str) -> None:
    app = app_on(demo_vault, theme)
    assert snap_compare(app, terminal_size=(120, 40), run_before=after("3", "j", "k"))


@pytest.mark.parametrize("size", SIZES)
def test_an_empty_vault(snap_compare: Compare, tmp_path: Path, size: str) -> None:
    path = tmp_path / "empty-vault"
    Memleaf.initialize(str(path))
    assert snap_compare(app_on(path), terminal_size=SIZES[size], run_before=after())


@pytest.mark.parametrize("size", SIZES)
def test_memories_that_say_nearly_the_same(
    snap_compare: Compare, demo_vault: Path, size: str
) -> None:
    for name, statement in HELD_TWICE.items():
        note = (
            f"---\ntitle: {name}\nmemory_id: mem-{name}\ntype: fact\nscopes: [project:atlas]\n---\n"
        )
        (demo_vault / "knowledge" / f"{name}.md").write_text(f"{note}\n{statement}\n", "utf-8")
    app = app_on(demo_vault)
    assert snap_compare(app, terminal_size=SIZES[size], run_before=after("N", "tab", "j"))


def test_a_window_that_is_too_small(snap_compare: Compare, demo_vault: Path) -> None:
    assert snap_compare(app_on(demo_vault), terminal_size=(36, 10), run_before=after())


def test_a_vault_that_cannot_be_read(snap_compare: Compare) -> None:
    def opener() -> Workspace:
        raise ProofstoneError("/home/mira/notes: no vault here; proofstone init makes one")

    app = ProofstoneApp(opener, story_context(), vault_name="notes")
    assert snap_compare(app, terminal_size=(120, 40), run_before=after())
