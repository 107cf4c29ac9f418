"""Hostile text in every field, through every screen: data, and nothing else (spec page 7)."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hostile import (
    EVERYTHING,
    HOSTILE,
    assert_harmless,
    drawn,
    story,
    write_hostile_vault,
    write_proposal,
)
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tui_bench import Bench

from proofstone.tui.app import ProofstoneApp
from proofstone.tui.command import Group
from proofstone.tui.commands import BY_ID, commands_for
from proofstone.tui.plain import plain
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.snapshot import SCREENS, settled


@asynccontextmanager
async def opened(root: Path, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Bench]:
    name = "va\x1b[31mult\u202e[red]"
    app = ProofstoneApp(lambda: story(root), story(root).context, vault_name=name)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        yield Bench(pilot, root)


@pytest.fixture(scope="module")
def hostile_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One proposal pair, memory, turn and the rest for each hostile string. Read only."""
    return write_hostile_vault(tmp_path_factory.mktemp("hostile") / "vault", HOSTILE.values())


@pytest.fixture(scope="module")
def everything_vault(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every hostile string in every field at once. Read only."""
    return write_hostile_vault(tmp_path_factory.mktemp("everything") / "vault", [EVERYTHING])


async def test_the_vault_holds_what_it_should(hostile_vault: Path) -> None:
    view = story(hostile_vault)
    count = len(HOSTILE)
    assert len(view.queue) >= 2 * count - 6  # some ids no note can have
    assert len(view.memories) == count
    assert len(view.turns) == count
    assert sum(turn.gate is not None and turn.gate.answer is not None for turn in view.turns) >= 15
    statements = " ".join(p.proposal.statement for p in view.queue)
    for raw in ("\x1b[31m", "\u202e", "\u200b", "\U000e0069", "[@click=app.quit]"):
        assert raw in statements


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (200, 60)])
async def test_every_proposal_and_its_turn(hostile_vault: Path, size: tuple[int, int]) -> None:
    async with opened(hostile_vault, size) as bench:
        seen = drawn(bench.app)
        for _ in bench.workspace.queue:
            await bench.press("j")
            seen += drawn(bench.app)
        assert "[/x]" in seen
        assert "␛[31mred" in seen
        if size[0] >= 120:
            assert "[@click=app.quit]x[/]" in seen.replace("\n", " ")
        assert bench.app.is_running


async def test_every_pane_and_row(everything_vault: Path) -> None:
    async with opened(everything_vault, (200, 60)) as bench:
        for pane in "1234567":
            await bench.press(pane, "z")
            drawn(bench.app)
            for _ in range(6):
                await bench.press("j")
                drawn(bench.app)
            await bench.press("pagedown")
            drawn(bench.app)
            await bench.press("z")
        await bench.press("b")
        drawn(bench.app)
        await bench.press("tab", "j")
        drawn(bench.app)


# Panes and other screens have tests of their own; ``make torture`` tries their commands here too.
ELSEWHERE = () if os.environ.get("TORTURE") else (Group.MOVE, Group.SCREENS)


@pytest.mark.parametrize("group", [group for group in Group if group not in ELSEWHERE])
async def test_every_command_of_the_main_screen(everything_vault: Path, group: Group) -> None:
    """Whatever it opens, with what it draws; then its lists, and out again with nothing done."""
    async with opened(everything_vault) as bench:
        for command in commands_for("main"):
            if command.group is group and not command.is_list_key and command.id != "quit":
                for row in _rows(command.id):
                    await bench.press("2", "g", *["j"] * row)
                    await _try(bench, command.id)


async def _try(bench: Bench, command: str) -> None:
    await bench.press(BY_ID[command].keys[0])
    drawn(bench.app)
    for key in ("j", "pagedown", "tab"):
        await bench.press(key)
        drawn(bench.app)
    for message in bench.toasts:
        assert message
    for _ in range(4):
        await bench.press("escape")
        drawn(bench.app)
        if isinstance(bench.app.screen, MainScreen):
            break
    assert isinstance(bench.app.screen, MainScreen), command
    assert bench.app.is_running


def _rows(command: str) -> Sequence[int]:
    """On which of the first two proposals a command is tried: both in ``make torture``."""
    return (0, 1) if os.environ.get("TORTURE") else (len(command) % 2,)


@pytest.mark.parametrize(
    "screen",
    [c.id for c in commands_for("main") if c.group is Group.SCREENS],
)
async def test_every_other_screen(hostile_vault: Path, screen: str) -> None:
    async with opened(hostile_vault) as bench:
        await bench.press(BY_ID[screen].keys[0])
        drawn(bench.app)
        for _ in range(len(HOSTILE)):
            await bench.press("j")
            drawn(bench.app)
        name = bench.app.screen.name_in_registry
        for command in commands_for(name):
            if command.group in (Group.RULE, Group.LOOK) and command.id not in ("undo", "redo"):
                await bench.press(command.keys[0])
                drawn(bench.app)
                await bench.press("escape")
                drawn(bench.app)
                if bench.app.screen.__class__ is MainScreen:
                    await bench.press(BY_ID[screen].keys[0])


async def test_the_picture_in_svg(hostile_vault: Path) -> None:
    async with opened(hostile_vault) as bench:
        await bench.press("slash")
        bench.app.screen.query_one("#filter").value = "app.quit"  # type: ignore[attr-defined]
        await settled(bench.pilot)
        svg = bench.app.export_screenshot(title="x")
    assert_harmless(svg)
    assert "[@click=app.quit]x[/]" in svg.replace("&#160;", " ")
    assert "<a " not in svg


def test_the_plain_text_of_every_screen(hostile_vault: Path, everything_vault: Path) -> None:
    for root in (hostile_vault, everything_vault):
        for screen in SCREENS:
            text = plain(root, story(root).context, screen=screen)
            assert_harmless(text.replace("\t", " "))
    assert "[@click=app.quit]x[/]" in plain(hostile_vault, story(hostile_vault).context)


async def test_a_refusal_and_a_toast(everything_vault: Path) -> None:
    """What a refused ruling quotes is drawn as data too."""
    from proofstone.tui.messages import RulingRefusal

    async with opened(everything_vault) as bench:
        bench.app.post_message(RulingRefusal("ratify", EVERYTHING))
        await bench.pilot.pause()
        await bench.pilot.pause()
        text = drawn(bench.app)
        assert "[red]red[/red]" in text


async def test_a_vault_that_cannot_be_read_says_so_harmlessly(tmp_path: Path) -> None:
    from proofstone.domain.errors import ProofstoneError

    def opener() -> None:
        raise ProofstoneError(" ".join(HOSTILE[name] for name in ("markup", "colours", "bidi")))

    context = story(write_hostile_vault(tmp_path / "v", [])).context
    app = ProofstoneApp(opener, context, vault_name=EVERYTHING)  # type: ignore[arg-type]
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        assert "[red]red[/red]" in drawn(app)


async def test_a_filter_made_of_hostile_words(hostile_vault: Path) -> None:
    async with opened(hostile_vault) as bench:
        await bench.press("slash")
        for text in HOSTILE.values():
            field = bench.app.screen.query_one("#filter")
            field.value = text  # type: ignore[attr-defined]
            await settled(bench.pilot)
            drawn(bench.app)
        await bench.press("enter")
        drawn(bench.app)


STATEMENTS = st.lists(
    st.one_of(st.sampled_from(list(HOSTILE.values())), st.text(max_size=40)), min_size=1, max_size=4
).map(" ".join)


@settings(max_examples=3, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(statements=st.lists(STATEMENTS, min_size=8, max_size=8))
def test_generated_statements_are_drawn_harmlessly(
    statements: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """In the queue, the Proposal pane and the others, one after another."""
    root = tmp_path_factory.mktemp("generated") / "vault"
    for number, statement in enumerate(statements):
        write_proposal(root, f"prop-{number}", statement)

    async def walk() -> None:
        async with opened(root) as bench:
            assert len(bench.workspace.queue) == len(statements)
            for _ in statements:
                drawn(bench.app)
                await bench.press("j")
            drawn(bench.app)

    asyncio.run(walk())


async def test_a_line_of_a_megabyte_is_cut_and_told(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    write_proposal(root, "prop-x", "x" * 1_000_000)
    async with opened(root) as bench:
        text = drawn(bench.app)
        assert "xxx" in text
    told = await asyncio.to_thread(plain, root, story(root).context)
    assert "more characters" in told
