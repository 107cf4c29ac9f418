"""Filtering with completion by keys and by clicks, and filters that are saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui_bench import Bench, Opening, app_on, settled
from walking import click

from proofstone.domain import filters
from proofstone.domain.filters import KEYS, Filterable
from proofstone.tui.completing import completed, completions, values_of
from proofstone.tui.screens.filtering import FilteringScreen
from proofstone.tui.screens.saved_filters import SavedFiltersDialog
from proofstone.tui.widgets.hints import Hints
from proofstone.tui.widgets.typed import TypedLine

VALUES = values_of(
    [
        Filterable(text="", identifier="a", source="codex", scopes=("project:atlas",), tags=("x",)),
        Filterable(text="", identifier="b", source="pi", scopes=("project:atlas", "global")),
        Filterable(text="", identifier="c", source="pi", state="open", trust="agent inference"),
    ]
)
SAVED = {"clean ones": "verdict:verified -taint:yes", "old": "age:>30d"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", ["@clean ones", "@old", *(f"{key}:" for key in KEYS)]),
        ("t", ["trust:", "type:", "turn:", "tag:", "taint:"]),
        ("atlas -lay", ["layer:"]),
        ("layer:", ["L1", "L2"]),
        ("layer:l1", []),
        ("source:", ["pi", "codex"]),
        ("risk:high source:c", ["codex"]),
        ("scope:atl", ["project:atlas"]),
        ("scope:", ["project:atlas", "global"]),
        ("trust:", []),
        ("state:", ["open"]),
        ("-taint:", ["yes", "no"]),
        ("match:conf", ["conflict"]),
        ("age:>", [">1d", ">7d", ">30d"]),
        ("@", ["@clean ones", "@old"]),
        ("tag:x @o", ["@clean ones", "@old"]),
        ("colour:r", []),
        ("zzz", []),
    ],
)
def test_what_a_line_may_become(text: str, words: list[str]) -> None:
    assert [found.word for found in completions(text, VALUES, SAVED)] == words


@pytest.mark.parametrize("text", ["", "t", "-lay", "age:", "match:", "verdict:r", "reviewed:", "@"])
def test_every_completion_is_a_filter_that_is_understood(text: str) -> None:
    for found in completions(text, VALUES, SAVED):
        line = found.line.strip()
        assert filters.parse(line[:-1] if line.endswith(":") else line).tests is not None
        assert found.line.startswith(text[:-1]) or text == "@"


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("risk:h", "risk:high"),
        ("late -taint:Y", "late -taint:yes"),
        ("layer:l", "layer:l"),
        ("layer:l1", "layer:l1"),
        ("risk:", "risk:"),
        ("match:conf", "match:conf"),
        ("risk:x", "risk:x"),
        ("high", "high"),
    ],
)
def test_a_value_that_can_only_mean_one_is_written_out(text: str, whole: str) -> None:
    assert completed(text) == whole


def _line(b: Bench) -> str:
    return b.app.screen.query_one("#filter", TypedLine).value


async def test_tab_completes_key_and_value(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        total = len(b.workspace.queue)
        await b.press("slash")
        await b.write("lay")
        await b.press("tab")
        assert _line(b) == "layer:"
        assert f"{total}" in b.title("#queue") and "of" not in b.title("#queue"), "not finished"
        await b.press("tab")
        assert _line(b) == "layer:L1 "
        shown = [v for v in b.workspace.queue if v.proposal.layer == "L1"]
        assert f"{len(shown)} of {total}" in b.title("#queue")
        await b.write("hue:r")
        assert "no filter key “hue:”" in b.app.screen.query_one(Hints).render().plain


async def test_a_filter_is_put_together_by_clicks(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault, (80, 24)) as b:
        await click(b, "filter", "KeyBar")
        await click(b, "layer:", "Hints")
        await click(b, "L1", "Hints")
        assert _line(b) == "layer:L1 "
        wanted = {v.proposal_id for v in b.workspace.queue if v.proposal.layer == "L1"}
        await b.pilot.click("#queue", offset=(6, 2))
        await settled(b.pilot)
        assert b.subject in wanted


async def test_a_filter_is_saved_recalled_and_removed(demo_vault: Path, tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    file = folder / "filters.yaml"
    file.write_text("# mine\nold: age:>30d\n", encoding="utf-8")
    app = app_on(demo_vault, personal=folder)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        total = len(b.workspace.queue)
        await b.press("slash")
        await b.write("layer:L1")
        await b.press("enter", "F", "tab")
        await b.write("identity")
        await b.press("enter")
        assert file.read_text(encoding="utf-8") == '# mine\nold: age:>30d\nidentity: "layer:L1"\n'
        await b.press("escape")
        assert "of" not in b.title("#queue")
        await b.press("slash", "@")
        await b.write("ident")
        await b.press("tab")
        assert _line(b) == "layer:L1" and f"of {total}" in b.title("#queue")
        await b.press("escape", "F")
        assert isinstance(app.screen, SavedFiltersDialog)
        await b.press("enter")
        assert isinstance(app.screen, FilteringScreen) and f"of {total}" in b.title("#queue")
        await b.press("escape", "F", "delete")
        assert file.read_text(encoding="utf-8") == "# mine\nold: age:>30d\n"
        await b.press("escape")
        assert dict(app.saved_filters) == {"old": "age:>30d"}


async def test_without_a_folder_nothing_is_said_to_be_saved(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        await b.press("slash")
        await b.write("layer:L1")
        await b.press("enter", "F")
        await b.write("x1")
        await b.press("enter")
        fault = b.app.screen.query_one(".fault")
        assert "nothing is kept" in str(fault.render())


async def test_a_filter_that_is_not_kept_leaves_the_place(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault, (80, 24)) as b:
        await b.press("j", "j", "3", "slash")
        subject = b.subject
        assert b.app.screen.query_one("#queue").region, "what is narrowed can be seen"
        await b.write("late risk:me")
        await b.press("enter")
        assert _line(b) == "late risk:medium" and b.subject != subject
        await b.press("escape", "slash")
        subject = b.subject
        await b.write("pnpm")
        assert b.subject != subject
        await b.press("escape")
        assert b.subject == subject
        await b.press("slash")
        await b.write("pnpm")
        await b.press("enter")
        kept = b.subject
        await b.press("escape")
        assert b.subject == kept != subject
