"""Settings that are the workbench's own, changed from its screen; the others, in their files."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tui_bench import Bench, app_on, files_of, settled
from walking import click

from proofstone.tui import editing
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.screens.settings import SettingsScreen

FAINT = "name: mist\ntitle: Mist\nextends: light\ncolours: {ink-dim: '#bbbbbb'}\n"


def _folder(tmp_path: Path) -> Path:
    folder = tmp_path / "config"
    folder.mkdir()
    return folder


async def _go(b: Bench, name: str) -> None:
    """To the settings, and to the row with this name."""
    await b.pilot.pause()
    if not isinstance(b.app.screen, SettingsScreen):
        await b.press("comma")
    await b.press("g")
    for _ in range(30):
        if b.subject == name:
            return
        await b.press("j")
    raise AssertionError(f"no setting {name}")


async def test_theme_and_author_are_kept_and_nothing_else_changes(
    demo_vault: Path, tmp_path: Path
) -> None:
    folder = _folder(tmp_path)
    file = folder / "workbench.yaml"
    file.write_text("# my bench\nfont: 12 # not ours\ntheme: dark\n", encoding="utf-8")
    before = files_of(demo_vault)
    app = app_on(demo_vault, personal=folder)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        await _go(b, "theme")
        await b.press("enter", "j")
        assert app.theme != "dark"  # tried on
        await b.press("escape")
        assert app.theme == "dark"
        assert "theme: dark" in file.read_text(encoding="utf-8")
        await b.press("enter", "G", "enter")
        chosen = app.theme
        assert chosen != "dark"
        said = f'# my bench\nfont: 12 # not ours\ntheme: "{chosen}"\n'
        assert file.read_text(encoding="utf-8") == said
        await _go(b, "author")
        await b.press("e")
        await b.write("Noor")
        await b.press("enter")
        assert file.read_text(encoding="utf-8") == f'{said}author: "Noor"\n'
        assert "from the next opening on: Noor" in b.shown("#detail")
        assert app.context.author == "Mira Tal"
    again = app_on(demo_vault, personal=folder)
    assert again.theme == chosen
    assert files_of(demo_vault) == before


async def test_a_setting_of_the_vault_is_opened_in_the_editor(
    demo_vault: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = demo_vault / "proofstone.yaml"
    script = tmp_path / "editor.py"
    script.write_text(
        "import sys\npath = sys.argv[1]\ntext = open(path).read()\n"
        "open(path, 'w').write(text + 'retention_hours: 48\\n')\n",
        encoding="utf-8",
    )
    monkeypatch.setenv("VISUAL", f"{sys.executable} {script}")
    monkeypatch.setattr(ProofstoneApp, "is_headless", False)

    def without_terminal(app: ProofstoneApp, command: list[str]) -> int:
        import subprocess

        return subprocess.run(command, check=False).returncode

    monkeypatch.setattr(editing, "hand_over", without_terminal)
    kept = "\n".join(
        line
        for line in file.read_text(encoding="utf-8").splitlines()
        if not line.startswith("retention_hours")
    )
    file.write_text(f"{kept}\n", encoding="utf-8")
    app = app_on(demo_vault)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        await _go(b, "retention")
        await b.press("E")
        await settled(pilot)
        assert b.workspace.settings.retention_hours == 48
        assert "48 hours" in b.shown("#items")
        await _go(b, "python")
        await b.press("E")
        assert any("not set in a file" in toast for toast in b.toasts)


async def test_a_faint_theme_holds_and_is_warned_of(demo_vault: Path, tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    (folder / "themes").mkdir()
    (folder / "themes" / "mist.yaml").write_text(FAINT, encoding="utf-8")
    app = app_on(demo_vault, "mist", personal=folder)
    async with app.run_test(size=(80, 24)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        (told,) = b.toasts
        assert told.startswith("theme mist: ink-dim on ground-")
        assert "has a contrast of 1." in told and "4.5 is wanted, and 5 more pairs" in told
        assert app.theme == "mist" and app.faults == ()


async def test_settings_are_changed_by_clicks(demo_vault: Path, tmp_path: Path) -> None:
    folder = _folder(tmp_path)
    app = app_on(demo_vault, personal=folder)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        await click(b, "settings", "KeyBar")
        await click(b, "theme", "#items")
        await click(b, "theme", "#items")
        await click(b, "high-contrast", "#reasons")
        await click(b, "enter does it")
        assert app.theme == "high-contrast"
        text = (folder / "workbench.yaml").read_text(encoding="utf-8")
        assert text == 'theme: "high-contrast"\n'
