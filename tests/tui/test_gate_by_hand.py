"""A person answers for the Gate: from raw units to proposals to memories, with no model at all."""

from __future__ import annotations

import json
from pathlib import Path

import frontmatter
import pytest
from textual.events import MouseDown, MouseEvent, MouseMove, MouseUp
from textual.widgets import Input
from tui_bench import Bench, Opening, files_of, go_to

from proofstone.domain.gate_types import TurnState
from proofstone.tui.panes import gate
from proofstone.tui.screens.by_hand_dialogs import BindDialog, CandidateDialog
from proofstone.tui.screens.dialog import PickDialog
from proofstone.tui.screens.main import MainScreen

TURN = "claude-code/atlas-load#4"


async def at_turn(bench: Bench, reference: str = TURN) -> MainScreen:
    """Go to the units of a turn."""
    await go_to(bench.pilot, "1", reference)
    await bench.press("3", "g")
    screen = bench.app.screen
    assert isinstance(screen, MainScreen)
    assert screen.turn_shown is not None
    assert screen.turn_shown.reference == reference
    return screen


async def fill(bench: Bench, field: str, text: str) -> None:
    """Put words into a field of the dialog in place of what stands there."""
    entry = bench.app.screen.query_one(f"#{field}", Input)
    entry.value = text
    await bench.pilot.pause()


async def answered(bench: Bench) -> MainScreen:
    """Account for the three units: a candidate of two, and no change for the third."""
    screen = await at_turn(bench)
    await bench.press("v", "right", "right", "right", "right", "n")
    assert isinstance(bench.app.screen, CandidateDialog)
    await fill(bench, "memory", "Atlas amounts are stored as decimals.")
    await fill(bench, "scopes", "project:atlas")
    await bench.press("enter", "plus")
    assert isinstance(bench.app.screen, BindDialog)
    await bench.press("enter", "0")
    assert isinstance(bench.app.screen, PickDialog)
    await bench.press("j", "j", "j", "enter")
    return screen


async def test_a_turn_is_curated_from_raw_units_to_a_memory(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        before = files_of(demo_vault)
        screen = await answered(b)
        assert screen.hand is not None
        assert screen.hand.draft.is_complete
        assert "3/3" in b.title("#gate")
        assert files_of(demo_vault) == before, "a draft writes nothing"
        await b.press("ctrl+s")
        changed = files_of(demo_vault).keys() - before.keys()
        answer = next(path for path in changed if path.startswith("gate/"))
        stored = json.loads((demo_vault / answer).read_bytes())
        assert stored["answered_by"] == "Mira Tal"
        assert stored["answered_by_kind"] == "person"
        assert b.subject, "the new proposal is selected"
        view = b.workspace.proposal(b.subject)
        assert view.proposal.statement == "Atlas amounts are stored as decimals."
        assert view.proposal.turn == TURN
        assert [claim.quote for claim in view.proposal.bindings] == [
            "Store Atlas amounts as decimals",
            "not as integers in cents.",
        ]
        assert any("1 proposal" in toast for toast in b.toasts)
        await b.press("r")
        words = "Atlas amounts are stored as decimals."
        notes = [
            path.read_text(encoding="utf-8")
            for path in (demo_vault / "knowledge").rglob("*.md")
            if words in path.read_text(encoding="utf-8")
        ]
        memory = frontmatter.loads(notes[0])
        assert memory.content.strip() == words
        assert memory["ratified"]["by"] == "Mira Tal"
        assert b.workspace.turn(TURN).state is TurnState.SETTLED


async def test_open_units_cannot_be_missed(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        before = files_of(demo_vault)
        screen = await at_turn(b)
        await b.press("0", "enter")
        assert screen.evidence_pane.cursor == 1, "the next open unit is under the cursor"
        shown = b.shown("#gate")
        assert shown.count("OPEN") == 2
        assert "2 units are open" in " ".join(shown.split())
        assert "2 open" in b.title("#gate")
        assert b.shown("#evidence").count("OPEN") == 2
        await b.press("ctrl+s")
        assert "incomplete_coverage" in b.shown("#gate")
        assert files_of(demo_vault) == before
        assert screen.hand is not None
        assert screen.hand.draft.reason_of(screen.hand.draft.units[0].unit_id) == "query_only"


async def test_rows_of_many_units_are_built_when_they_are_seen(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "_BUILT_AT_ONCE", 1)
    async with bench(demo_vault) as b:
        screen = await at_turn(b)
        await b.press("0", "enter")
        assert b.shown("#gate").count("OPEN") == 2
        await b.press("4", "g", "j")
        subject = screen.gate_pane.subject(screen.gate_pane.cursor_key)
        assert subject is not None
        assert subject.unit_id == screen.evidence_pane.cursor_key, "its unit is shown beside it"


async def test_a_refusal_is_explained_in_place_and_nothing_is_lost(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        screen = await answered(b)
        await b.press("4")
        screen.gate_pane.move_to("candidate-c1")
        await b.press("n")
        await fill(b, "update", "mem-nowhere")
        await b.press("enter", "ctrl+s")
        shown = b.shown("#gate")
        assert "invalid_update_target" in shown
        assert "not in force" in " ".join(shown.split())
        assert screen.hand is not None
        assert screen.hand.draft.is_complete, "the draft is as it was"
        assert b.workspace.turn(TURN).state is TurnState.REFUSED
        record = b.workspace.turn(TURN).gate
        assert record is not None
        assert [refusal.identifier for _, refusal in record.refusals] == ["invalid_update_target"]
        kept = (demo_vault / record.path).read_text(encoding="utf-8")
        assert "decimals" not in kept, "of a refused answer nothing but the identifier is kept"
        await b.press("backspace", "ctrl+s")
        assert b.workspace.turn(TURN).state is TurnState.OPEN


async def test_steps_are_taken_back_one_by_one(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        screen = await answered(b)
        steps = 0
        while screen.hand is not None and screen.hand.past:
            await b.press("backspace")
            steps += 1
        assert steps == 3
        assert "No answer yet" in b.shown("#gate")
        assert screen.hand is not None
        assert not screen.hand.has_begun


async def test_a_candidate_that_is_left_out_opens_its_units(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        screen = await answered(b)
        await b.press("4")
        assert screen.gate_pane.move_to("candidate-c1")
        await b.press("delete")
        assert b.shown("#gate").count("OPEN") == 2


async def test_the_form_says_what_the_contract_would_not_take(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        await at_turn(b)
        await b.press("n")
        await fill(b, "scopes", "team:x")
        await b.press("enter")
        dialog = b.app.screen
        assert isinstance(dialog, CandidateDialog)
        assert dialog.query_one("#memory", Input).value == "Store Atlas amounts as decimals"
        assert dialog.query_one("#scopes", Input).value == "team:x", "what was typed stays"
        assert "project:NAME" in str(dialog.query_one(".fault").render())


async def test_drafts_outlive_another_turn_and_another_reading(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        screen = await answered(b)
        draft = screen.hand.draft if screen.hand else None
        await at_turn(b, "codex/orion-ci#1")
        assert screen.hand is None, "its answer was accepted"
        await b.press("ctrl+r")
        await at_turn(b)
        assert screen.hand is not None
        assert screen.hand.draft == draft


async def test_reading_again_stays_at_the_turn(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        screen = await at_turn(b)
        await b.press("j", "ctrl+r")
        assert screen.turn_shown is not None
        assert screen.turn_shown.reference == TURN
        assert screen.evidence_pane.cursor == 1


async def test_words_are_chosen_by_keys(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        screen = await at_turn(b)
        unit = screen.hand.draft.units[0] if screen.hand else None
        assert unit is not None

        def chosen() -> str:
            picked = screen.evidence_pane.picked
            return unit.text[picked[1][0] : picked[1][1]] if picked else ""

        await b.press("v")
        assert chosen() == "Store"
        await b.press("right", "right", "shift+right")
        assert chosen() == "Atlas amounts"
        await b.press("left", "shift+left")
        assert chosen() == "Store Atlas"
        await b.press("v")
        assert chosen() == unit.text
        await b.press("escape")
        assert chosen() == ""
        await b.press("v", "j")
        assert chosen() == "", "another row, another choice"


async def test_words_are_chosen_with_the_mouse(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        screen = await at_turn(b)
        pane = screen.evidence_pane
        assert screen.hand is not None
        # Inside the frame: two cells of markers, eight of the gutter, then the text.
        text, line = 1 + 2 + 8, 1

        async def point(kind: type[MouseEvent], column: int, button: int) -> None:
            await b.pilot._post_mouse_events(
                [kind], "#evidence", offset=(text + column, line), button=button
            )

        await point(MouseMove, 8, 0)
        assert pane.picked is None, "a pointer that only moves chooses nothing"
        await point(MouseDown, 8, 1)
        await point(MouseMove, 15, 1)
        await point(MouseUp, 15, 1)
        assert pane.picked == (screen.hand.draft.units[0].unit_id, (6, 19))
        await b.press("n")
        assert isinstance(b.app.screen, CandidateDialog)
        assert b.app.screen.query_one("#memory", Input).value == "Atlas amounts"


async def test_keys_that_cannot_be_used_say_why(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("2", "0")
        assert any("accepted" in toast or "choose a unit" in toast for toast in b.toasts)
        await at_turn(b)
        await b.press("G", "0")
        assert any("read, and not cited; choose a unit marked P" in toast for toast in b.toasts)
        await b.press("g", "plus")
        assert any("There is no candidate yet" in toast for toast in b.toasts)


async def test_leaving_would_lose_a_draft_and_so_is_asked_for_twice(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        await at_turn(b)
        await b.press("0", "enter", "q")
        assert b.app.return_code is None
        assert "1 unit of your draft would be lost" in b.toasts[-1]
        await b.press("0", "enter", "q")
        assert b.app.return_code is None, "the draft has grown since it was told"
        assert "2 units of your draft" in b.toasts[-1]
        await b.pilot.press("q")
        assert b.app.return_code == 0
