"""A person's keys and themes in a running workbench: heeded, told, and followed when saved."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui_bench import app_on, files_of, settled

from proofstone.tui.app import ProofstoneApp
from proofstone.tui.palette import entries
from proofstone.tui.personal import read_personal
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.help import HelpSheet
from proofstone.tui.themes import ThemeError
from proofstone.tui.widgets.bars import KeyBar
from proofstone.tui.widgets.line_list import LineList


def _theme(folder: Path, name: str, text: str) -> Path:
    path = folder / "themes" / f"{name}.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _personal_app(vault: Path, folder: Path, theme: str | None = None) -> ProofstoneApp:
    return app_on(vault, theme, personal=folder)


def _toasts(app: ProofstoneApp) -> str:
    return "\n".join(notification.message for notification in app._notifications)


def test_a_theme_may_give_only_what_differs(tmp_path: Path) -> None:
    _theme(tmp_path, "dusk", "name: dusk\ntitle: Dusk\nextends: dark\ncolours: {ink: '#fff0e0'}\n")
    (dusk,) = read_personal(tmp_path).themes
    assert dusk.colours["ink"] == "#fff0e0"
    assert dusk.dark and len(dusk.colours) > 30


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("name: dusk\ntitle: D\nextends: dusk\n", "dusk.yaml: extends must be one of dark, "),
        ("name: dark\ntitle: D\nextends: dark\n", "dusk.yaml: a theme named dark is shipped"),
        ("name: Du sk\ntitle: D\nextends: dark\n", "dusk.yaml: a name has small letters"),
        ("name: dusk\ntitle: D\n", "dusk.yaml: colours must be a mapping"),
        (
            "name: dusk\ntitle: D\nextends: dark\ncolours: {inkk: red}\n",
            "colours.inkk is no colour",
        ),
    ],
)
def test_a_faulty_theme_is_named_and_left_out(tmp_path: Path, text: str, fault: str) -> None:
    _theme(tmp_path, "dusk", text)
    _theme(tmp_path, "mist", "name: mist\ntitle: Mist\nextends: light\n")
    personal = read_personal(tmp_path)
    assert [theme.name for theme in personal.themes] == ["mist"]
    assert len(personal.faults) == 1 and fault in personal.faults[0]


def test_a_missing_folder_is_no_fault(tmp_path: Path) -> None:
    assert read_personal(tmp_path / "nowhere").faults == ()


async def test_a_key_of_ones_own_rules_and_is_what_is_told(
    demo_vault: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "keymap.yaml").write_text("ratify: f5\nundo: f6\nrow_next: f7\n", encoding="utf-8")
    before = files_of(demo_vault)
    app = _personal_app(demo_vault, folder)
    async with app.run_test(size=(160, 50)) as pilot:
        await settled(pilot)
        bar = app.screen.query_one(KeyBar).render().plain
        assert "f5 ratify" in bar and not bar.startswith("r ratify")
        queue = app.screen.query_one("#queue", LineList)
        first = queue.cursor
        await pilot.press("f7")
        await settled(pilot)
        assert queue.cursor == first + 1
        await pilot.press("j")
        assert queue.cursor == first + 1
        await pilot.press("r")
        await settled(pilot)
        assert files_of(demo_vault) == before
        await pilot.press("question_mark")
        await settled(pilot)
        assert isinstance(app.screen, HelpSheet)
        rows = app.screen.query_one(LineList).source
        told = [rows.row(place).gutter.plain.split() for place in range(len(rows))]
        assert ["f5", "ratify"] in told and ["f6", "undo"] in told
        await pilot.press("escape", "x", "enter")
        await settled(pilot)
        assert files_of(demo_vault) != before
        assert "f6 takes it back" in _toasts(app)
        await pilot.press("f6")
        await settled(pilot)
        assert files_of(demo_vault) == before
        assert isinstance(app.screen, WorkbenchScreen)
        palette = [entry.title for entry in entries(app.screen)]
        assert "undo (f6)" in palette


async def test_a_faulty_keymap_is_told_and_the_usual_keys_hold(
    demo_vault: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "keymap.yaml").write_text("ratify: d\nmark: m\n", encoding="utf-8")
    app = _personal_app(demo_vault, folder)
    async with app.run_test(size=(160, 50)) as pilot:
        await settled(pilot)
        assert "d is the key of defer" in _toasts(app)
        assert "r ratify" in app.screen.query_one(KeyBar).render().plain
        assert app.keymap.own == {}


async def test_the_vaults_settings_are_heeded(demo_vault: Path, tmp_path: Path) -> None:
    settings = demo_vault / "proofstone.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f'{text}\nkeymap:\n  ratify: "f8"\ntheme: "light"\n', encoding="utf-8")
    app = app_on(demo_vault)
    async with app.run_test(size=(160, 50)) as pilot:
        await settled(pilot)
        assert app.theme == "light"
        assert "f8 ratify" in app.screen.query_one(KeyBar).render().plain
    app = app_on(demo_vault, "high-contrast")
    async with app.run_test() as pilot:
        await settled(pilot)
        assert app.theme == "high-contrast"


async def test_a_theme_is_followed_when_it_is_saved(demo_vault: Path, tmp_path: Path) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    path = _theme(folder, "dusk", "name: dusk\ntitle: Dusk\nextends: dark\n")
    app = _personal_app(demo_vault, folder, "dusk")
    async with app.run_test() as pilot:
        await settled(pilot)
        before = app.screen.styles.background.hex
        path.write_text(
            "name: dusk\ntitle: Dusk\nextends: dark\ncolours: {ground: '#330000'}\n",
            encoding="utf-8",
        )
        app.follow_personal(read_personal(folder))
        await settled(pilot)
        assert before != "#330000"
        assert app.screen.styles.background.hex == "#330000"
        path.write_text("name: [", encoding="utf-8")
        app.follow_personal(read_personal(folder))
        await settled(pilot)
        assert app.theme == "dusk"
        assert app.screen.styles.background.hex == "#330000"
        assert "dusk.yaml: cannot be read as YAML" in _toasts(app)


def test_a_theme_that_is_not_there_is_an_error(demo_vault: Path, tmp_path: Path) -> None:
    with pytest.raises(ThemeError, match="there is no theme “dusk”"):
        _personal_app(demo_vault, tmp_path, "dusk")
