"""The Settings screen: what holds, and how to change each."""

from __future__ import annotations

from pathlib import Path

from tui_bench import app_on, settled

from proofstone import __version__
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.settings import SettingsScreen
from proofstone.tui.widgets.line_list import LineList


def _shown(screen: SettingsScreen, selector: str) -> str:
    rows = screen.query_one(selector, LineList).source
    made = (rows.row(place) for place in range(len(rows)))
    return "\n".join(f"{row.gutter.plain}{row.body.plain}" for row in made)


async def test_it_says_what_holds_and_how_to_change_it(demo_vault: Path, tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "keymap.yaml").write_text("ratify: f5\nlog: ctrl+1\n", encoding="utf-8")
    app = app_on(demo_vault, personal=folder)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        await pilot.press("comma")
        await settled(pilot)
        screen = app.screen
        assert isinstance(screen, SettingsScreen)
        items = " ".join(_shown(screen, "#items").split())
        assert f"vault {demo_vault}" in items
        assert "governance strict" in items
        assert "author Mira Tal" in items
        assert f"proofstone {__version__}" in items
        assert "theme dark" in items
        assert "keys the usual ones" in items
        assert "faults ! 1 in your settings files" in items
        screen.query_one("#items", LineList).focus()
        await pilot.press("g")
        for _ in range(20):
            if screen.subject() == "faults":
                break
            await pilot.press("j")
        await settled(pilot)
        assert "log: “ctrl+1”: with ctrl, terminals send letters alone" in _shown(screen, "#detail")
        (folder / "keymap.yaml").write_text("ratify: f5\n", encoding="utf-8")
        from proofstone.tui.personal import read_personal

        app.follow_personal(read_personal(folder))
        await settled(pilot)
        items = " ".join(_shown(screen, "#items").split())
        assert "keys 1 of your own" in items and "faults" not in items
        await pilot.press("escape")
        await settled(pilot)
        assert isinstance(app.screen, MainScreen)
