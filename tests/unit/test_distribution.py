"""What people install holds what the program, its documents and its tests need."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BUILD = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"][
    "build"
]["targets"]
MADE_OR_INSTALLED = {"site", "dist", "build", "node_modules", "snapshot_report.html"}
NEEDED_THOUGH_HIDDEN = {".pre-commit-hooks.yaml"}


def test_the_source_distribution_holds_everything_of_the_checkout() -> None:
    found = {path.name for path in ROOT.iterdir() if not path.name.startswith(".")}
    assert found - MADE_OR_INSTALLED - {"pyproject.toml"} | NEEDED_THOUGH_HIDDEN == set(
        BUILD["sdist"]["include"]
    )


@pytest.mark.parametrize("folder", BUILD["wheel"]["force-include"])
def test_the_wheel_holds_the_folders_that_the_program_opens(folder: str) -> None:
    assert any((ROOT / folder).iterdir())
    assert BUILD["wheel"]["force-include"][folder] == f"proofstone/_data/{folder}"
