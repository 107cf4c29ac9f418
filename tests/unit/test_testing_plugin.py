"""The pytest plugin, as another project meets it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_PROJECT = """
import sys


def test_it_costs_nothing_until_asked():
    assert "proofstone.testing.plugin" in sys.modules
    assert not [name for name in sys.modules if name.split(".")[0] == "textual"]
    assert "proofstone.curation.workspace" not in sys.modules


def test_the_vault_is_a_copy_of_ones_own(proofstone_demo_vault, proofstone_context):
    from proofstone.curation.workspace import Workspace

    workspace = Workspace.open(proofstone_demo_vault, proofstone_context)
    assert len(workspace.queue) == 19
    (proofstone_demo_vault / "proofstone.yaml").unlink()


def test_the_clock_stands(proofstone_clock, proofstone_context):
    assert proofstone_clock() == proofstone_clock() == proofstone_context.now()
    assert proofstone_context.author == "Mira Tal"
    assert not [name for name in sys.modules if name.split(".")[0] == "textual"]


async def test_one_key_dismisses(proofstone_app, proofstone_demo_vault):
    from proofstone.tui.snapshot import settled

    async with proofstone_app(proofstone_demo_vault, size=(80, 24)) as pilot:
        assert pilot.app.size == (80, 24)
        before = len(pilot.app.workspace.queue)
        for key in ("x", "enter"):
            await pilot.press(key)
            await settled(pilot)
        assert len(pilot.app.workspace.queue) == before - 1
"""


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, timeout=300, check=False
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A tiny project that uses the fixtures."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "pytest.ini").write_text("[pytest]\nasyncio_mode = auto\n", encoding="utf-8")
    (folder / "test_it.py").write_text(_PROJECT, encoding="utf-8")
    return folder


def test_another_project_has_the_fixtures(project: Path) -> None:
    # Other plugins may import Textual by themselves; here ours alone is on trial.
    ended = _run(project, "-p", "no:textual-snapshot")
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "4 passed" in ended.stdout


def test_they_are_listed_with_what_they_give(project: Path) -> None:
    ended = _run(project, "--fixtures")
    for name in ("demo_vault", "clock", "context", "app"):
        assert f"proofstone_{name}" in ended.stdout
