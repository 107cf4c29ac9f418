"""Everything through the palette: found by its name and run, or dimmed with the reason."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.command import Hit
from textual.content import Content
from textual.widgets import OptionList
from tui_bench import Bench, Opening, files_of
from walking import click, place_of, screen_lines

from proofstone.tui.command import EVERYWHERE, Situation
from proofstone.tui.commands import BY_ID, COMMANDS, commands_for
from proofstone.tui.palette import OWN_COMMAND, CommandsProvider, Entry, entries
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.log import LogScreen
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.snapshot import SCREENS, at_screen

NOT_OFFERED = {"tour", "tour_next", "tour_back", "ask_stop"}


def _screen(b: Bench) -> WorkbenchScreen:
    assert isinstance(b.app.screen, WorkbenchScreen)
    return b.app.screen


async def _hits(screen: WorkbenchScreen, query: str) -> list[Hit]:
    provider = CommandsProvider(screen)
    return [hit async for hit in provider.search(query) if isinstance(hit, Hit)]


@pytest.mark.parametrize("name", EVERYWHERE)
async def test_every_command_is_found_by_its_title_and_run(
    demo_vault: Path, bench: Opening, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(demo_vault) as b:
        assert name in SCREENS
        await at_screen(b.pilot, name)
        screen = _screen(b)
        asked: list[str] = []

        async def note(command_id: str) -> None:
            asked.append(command_id)

        listed = {entry.command_id: entry for entry in entries(screen)}
        wanted = {command.id for command in commands_for(name)} - {OWN_COMMAND} - NOT_OFFERED
        assert listed.keys() == wanted
        monkeypatch.setattr(screen, "action_command", note)
        for command_id, entry in listed.items():
            hits = await _hits(screen, BY_ID[command_id].title)
            (hit,) = [hit for hit in hits if hit.text == entry.title]
            await hit.command()
            assert asked.pop() == command_id
            told = hit.match_display
            assert isinstance(told, Content)
            struck = any("strike" in str(span.style) for span in told.spans)
            assert struck == bool(entry.why_not)
            assert (f"Not now: {entry.why_not}" in told.plain) == bool(entry.why_not)


def test_no_command_is_out_of_reach() -> None:
    """What no screen's palette has must be the palette, which the footer has everywhere."""
    reachable = {command.id for name in EVERYWHERE for command in commands_for(name)}
    assert {command.id for command in COMMANDS} == reachable
    assert BY_ID[OWN_COMMAND].footer
    assert BY_ID[OWN_COMMAND].screens == EVERYWHERE


def test_a_reason_is_never_read_as_markup() -> None:
    entry = Entry("x", "title", "help", "“[red]it[/red]” is \x1b[31mheld")
    prompt = entry.prompt(Content("title"))
    assert "[red]it[/red]" in prompt.plain and "\x1b" not in prompt.plain


async def test_a_ruling_through_the_palette_by_keys(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        subject = b.subject
        await b.press("ctrl+p")
        await b.write("dismiss")
        await b.press("enter")
        await b.pilot.pause()
        await b.press("enter")
        assert (demo_vault / "proposals" / "ruled" / f"{subject}.md").exists()
        await b.press("ctrl+p")
        await b.write("undo")
        await b.press("enter")
        await b.pilot.pause()
        await b.press()
        assert files_of(demo_vault) == before


async def test_what_cannot_run_is_dimmed_and_says_why(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("ctrl+p")
        await b.write("redo")
        await _listed(b, "redo (U)")
        assert any("Not now: nothing was undone" in line for line in screen_lines(b))
        await b.press("enter")
        await b.pilot.pause()
        assert "Nothing was undone" in b.toasts[-1]


async def _listed(b: Bench, words: str) -> None:
    """Wait until the palette lists something; it searches in a worker of its own."""
    for _ in range(50):
        await b.pilot.pause()
        found = b.app.screen.query(OptionList)
        if found and any(words in line for line in screen_lines(b)):
            return
    raise AssertionError(f"{words} is not listed")


async def test_the_palette_with_the_mouse_alone(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        second = b.workspace.queue[1].proposal_id
        x, y = place_of(b, b.workspace.queue[1].proposal.statement[:12], "#queue")
        await b.pilot.click(offset=(x, y), button=3)
        await _listed(b, "ratify (r)")
        assert not isinstance(b.app.screen, WorkbenchScreen)
        assert not any("drawn yet" in line for line in screen_lines(b))
        await b.write("mark")
        await _listed(b, "mark (space)")
        await click(b, "mark (space)")
        await b.pilot.pause()
        main = b.app.screen
        assert isinstance(main, MainScreen) and second in main.marked
        await click(b, "commands", "KeyBar")
        await _listed(b, "ratify (r)")
        await b.write("log")
        await _listed(b, "log (L)")
        await click(b, "log (L)")
        await b.pilot.pause()
        assert isinstance(b.app.screen, LogScreen)


def test_a_situation_names_the_usual_keys_unless_told_otherwise() -> None:
    assert Situation().key("ratify") == "r"
