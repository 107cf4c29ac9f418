"""The other screens, the filter, tabs, help, the palette, and vaults that are odd."""

from __future__ import annotations

from pathlib import Path

import pytest
from memleaf import Memleaf
from tui_bench import Opening, files_of

from proofstone.domain.records import Standing
from proofstone.tui.panes.base import Pane
from proofstone.tui.screens.log import LogScreen
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen
from proofstone.tui.screens.problems import ProblemsScreen
from proofstone.vault.create import create_vault
from tests.clean_story import capture, new_turn


@pytest.fixture
def empty_vault(tmp_path: Path) -> Path:
    """A vault that memleaf has just made."""
    path = tmp_path / "empty"
    Memleaf.initialize(str(path))
    return path


async def test_an_empty_vault_says_how_to_start(empty_vault: Path, bench: Opening) -> None:
    async with bench(empty_vault) as b:
        assert "This vault is empty." in b.shown("#queue")
        assert "No turns are captured." in b.shown("#turns")
        await b.press("r")
        assert "No proposal is selected" in b.toasts[-1]
        await b.press("M")
        assert "No memory is in force." in b.shown("#items")
        await b.press("L")
        assert "No ruling was made yet." in b.shown("#items")
        await b.press("P")
        assert "No problems" in b.shown("#items")


async def test_an_empty_queue_says_how_many_turns_wait_for_the_gate(
    tmp_path: Path, bench: Opening
) -> None:
    vault = tmp_path / "turns"
    create_vault(vault)
    said = ("The ferry leaves at six.", "The key hangs behind the door.")
    for number, words in enumerate(said, 1):
        capture(vault, new_turn(f"agent/ten#{number}", words, "Noted."))
    async with bench(vault) as b:
        assert "2 turns wait for the Gate" in " ".join(b.shown("#queue").split())


async def test_a_missing_vault_is_an_answer_and_no_traceback(
    tmp_path: Path, bench: Opening
) -> None:
    async with bench(tmp_path / "nowhere") as b:
        assert b.app.workspace is None
        assert "ctrl+r tries again" in b.shown("#queue")
        await b.press("r")
        assert "could not be read" in b.toasts[-1]
        Memleaf.initialize(str(tmp_path / "nowhere"))
        await b.press("ctrl+r")
        assert "This vault is empty." in b.shown("#queue")


async def test_an_unreadable_note_is_listed_and_stops_nothing(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        unreadable = next(p for p in b.workspace.problems if p.path.startswith("knowledge/"))
        unfinished = next(p for p in b.workspace.problems if p.path.startswith("inbox/"))
        assert len(b.workspace.queue) > 0
        await b.press("P")
        assert isinstance(b.app.screen, ProblemsScreen)
        assert unreadable.path in b.shown("#items")
        assert unfinished.path in b.shown("#items")
        await b.press("escape")
        assert isinstance(b.app.screen, MainScreen)


async def test_the_log_undoes_the_ruling_under_the_cursor(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        before = files_of(demo_vault)
        await b.press("x", "enter", "x", "enter")
        await b.press("L", "j", "u")
        assert isinstance(b.app.screen, LogScreen)
        assert "undone" in b.toasts[-1]
        await b.press("escape", "u")
        assert files_of(demo_vault) == before


async def test_a_memory_is_contested_and_confirmed(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("M")
        assert isinstance(b.app.screen, MemoriesScreen)
        memory_id = b.subject
        await b.press("c")
        if not isinstance(b.app.screen, MemoriesScreen):
            await b.write("Is that still so?")
            await b.press("enter")
        memory = b.workspace.held.memory(memory_id)
        assert memory is not None and memory.standing is Standing.CONTESTED
        assert b.subject == memory_id
        await b.press("u")
        memory = b.workspace.held.memory(memory_id)
        assert memory is not None and memory.standing is Standing.ACTIVE


async def test_the_filter_narrows_the_queue_and_escape_widens_it(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        total = len(b.workspace.queue)
        await b.press("slash")
        await b.write("layer:L1")
        await b.press("enter")
        wanted = [v for v in b.workspace.queue if v.proposal.layer == "L1"]
        assert f"{len(wanted)} of {total}" in b.title("#queue")
        assert b.subject in {view.proposal_id for view in wanted}
        await b.press("slash")
        await b.write(" colour:red")
        await b.press("enter")
        assert "no filter key" in b.toasts[-1]
        await b.press("escape")
        assert f"{total}" in b.title("#queue") and "of" not in b.title("#queue")


async def test_a_key_that_rules_is_a_letter_in_the_filter(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        await b.press("slash")
        await b.write("rtxu")
        assert isinstance(b.app.screen, MainScreen)
    assert files_of(demo_vault) == before


@pytest.mark.parametrize("number", range(1, 8))
async def test_small_screens_show_one_pane_at_a_time(
    demo_vault: Path, bench: Opening, number: int
) -> None:
    async with bench(demo_vault, (80, 24)) as b:
        await b.press(str(number))
        visible = [pane for pane in b.app.screen.query(Pane) if pane.region.area]
        assert [pane.number for pane in visible] == [number]
        assert visible[0].has_focus


async def test_tab_goes_round(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        seen = []
        for _ in range(7):
            assert isinstance(b.app.focused, Pane)
            seen.append(b.app.focused.number)
            await b.press("tab")
        assert sorted(seen) == list(range(1, 8))
        await b.press("shift+tab")
        assert isinstance(b.app.focused, Pane) and b.app.focused.number == 1


async def test_a_resize_keeps_the_place(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("j", "j", "3")
        subject = b.subject
        for size in ((80, 24), (30, 8), (200, 60), (120, 40)):
            await b.pilot.resize_terminal(*size)
            assert b.subject == subject
        assert isinstance(b.app.focused, Pane) and b.app.focused.number == 3


async def test_help_explains_the_focused_pane_and_what_cannot_run(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault, (120, 60)) as b:
        await b.press("6", "question_mark")
        sheet = b.shown("#help")
        assert "This pane: Verifier" in sheet
        assert "ratify" in sheet and "Not now: nothing was undone" in " ".join(sheet.split())
        await b.press("question_mark")
        assert isinstance(b.app.screen, MainScreen)


async def test_the_palette_runs_commands(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("ctrl+p")
        await b.write("memories")
        await b.press("enter")
        for _ in range(5):
            await b.pilot.pause()
        assert isinstance(b.app.screen, MemoriesScreen)


async def test_a_click_on_a_key_is_that_key(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        bar = b.app.screen.query_one("KeyBar")
        text = str(bar.render()).splitlines()[0]
        await b.pilot.click("KeyBar", offset=(1 + text.index("b boundary"), 0))
        assert b.app.screen.has_class("-boundary")


async def test_a_changed_file_is_never_overwritten(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        path = demo_vault / "proposals" / f"{b.subject}.md"
        path.write_bytes(path.read_bytes() + b"\nChanged by another hand.\n")
        changed = files_of(demo_vault)
        await b.press("x", "enter")
        assert files_of(demo_vault) == changed
        assert "Nothing was changed" in b.toasts[-1]
        await b.press("ctrl+r", "x", "enter")
        assert not path.exists()


async def test_the_log_tells_what_was_chosen_in_words(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("L")
        entry = next(e for e in b.app.journal if e.ruling.choices.get("edited"))
        assert isinstance(b.app.screen, LogScreen)
        rows = b.app.screen.detail_rows(entry.ruling.ruling_id)
        told = [row.body.plain for row in rows]
        assert any(line.endswith("statement, title") for line in told), told
