"""The first picture comes before everything that it does not need (spec page 7, Behaviour)."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tui_bench import app_on, settled

from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.opening import LEFT, MIDDLE, RIGHT, TALL, WIDE, OpeningScreen

HEAVY = (
    "proofstone.curation.",
    "proofstone.domain.taint",
    "proofstone.domain.verifier",
    "proofstone.domain.rulings",
    "proofstone.vault.vault",
    "proofstone.tui.panes",
    "proofstone.tui.screens.main",
    "proofstone.tui.screens.dialog",
    "rapidfuzz",
    "watchfiles",
    "detect_secrets",
)


def _loaded_with(module: str) -> list[str]:
    code = f"import json, sys, {module}; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = json.loads(done.stdout)
    assert isinstance(names, list)
    return [str(name) for name in names]


def test_the_workbench_is_imported_without_what_judges_or_draws_a_vault() -> None:
    loaded = _loaded_with("proofstone.tui.app")
    assert "proofstone.tui.app" in loaded
    assert [name for name in loaded if name.startswith(HEAVY)] == []


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60), (100, 22), (20, 4)])
async def test_the_first_picture_fills_the_window(demo_vault: Path, size: tuple[int, int]) -> None:
    app = app_on(demo_vault)
    picture = OpeningScreen("demo-vault", "Mira Tal")
    async with app.run_test(size=size) as pilot:
        await settled(pilot)
        await app.push_screen(picture)
        drawn = picture.children[0].render()
        lines = str(drawn).split("\n")
        assert len(lines) <= size[1]
        if size[0] >= WIDE and size[1] >= TALL:
            assert {len(line) for line in lines} == {size[0]}
            for _, title, _ in (*LEFT, *MIDDLE, *RIGHT):
                assert title in str(drawn)


async def test_the_first_picture_is_followed_by_the_panes_that_it_announced(
    demo_vault: Path,
) -> None:
    app = app_on(demo_vault)
    async with app.run_test(size=(120, 40)) as pilot:
        assert app.workspace is None or isinstance(app.screen, MainScreen)
        await settled(pilot)
        assert isinstance(app.screen, MainScreen)
        announced = [(number, title) for number, title, _ in (*LEFT, *MIDDLE, *RIGHT)]
        assert announced == [(pane.number, pane.title) for pane in app.screen.panes]


async def test_the_first_picture_can_be_left(demo_vault: Path) -> None:
    app = app_on(demo_vault)
    async with app.run_test(size=(120, 40)) as pilot:
        await app.push_screen(OpeningScreen("demo-vault", "Mira Tal"))
        await pilot.press("q")
        await pilot.pause()
        assert app.return_code == 0


@pytest.mark.parametrize("own", [None, "30"])
def test_paints_follow_a_key_closely_unless_the_person_says_otherwise(
    own: str | None, demo_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Textual takes the figure from the environment when it is imported, which comes later."""
    if own is not None:
        monkeypatch.setenv("TEXTUAL_FPS", own)
    else:
        monkeypatch.delenv("TEXTUAL_FPS", raising=False)
    code = (
        "import sys, types; from proofstone.cli.main import run\n"
        "sys.stdin = sys.stdout = types.SimpleNamespace(isatty=lambda: True, flush=lambda: None)\n"
        "def opened(*_, **__):\n"
        "    from textual import constants\n"
        "    print(constants.MAX_FPS, file=sys.stderr)\n"
        "sys.modules['proofstone.tui.app'] = types.SimpleNamespace(run=opened)\n"
        f"run(['open', {str(demo_vault)!r}, '--as', 'Mira Tal'])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stderr) == (240 if own is None else 30)
