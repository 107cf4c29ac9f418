"""A sample of what ``make torture`` does in full: killed rulings, and a crowd on one vault."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.torture.crowd import run_crowd
from tests.torture.script import SCRIPT

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are forked to be killed")
def test_rulings_killed_here_and_there_leave_the_vault_before_or_after() -> None:
    command = [sys.executable, "-m", "tests.torture.crash", "--sample", "25"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    said = re.search(r"(\d+) rulings, (\d+) kill points .* (\d+) faults", done.stdout)
    assert said is not None
    assert said.groups() == ("25", "25", "0")


def test_the_script_has_sixty_rulings_of_every_kind() -> None:
    names = [step.name.split()[0] for step in SCRIPT]
    assert len(names) >= 60
    assert set(names) == {
        *("ratify", "defer", "supersede", "tombstone", "dismiss", "edit", "contest"),
        *("undo", "redo", "submit", "refused", "capture"),
    }
    assert any(" + " in step.name for step in SCRIPT)


def test_a_crowd_on_one_vault_loses_and_doubles_nothing(tmp_path: Path) -> None:
    verdict = run_crowd(tmp_path, count=3)
    assert verdict.faults == []
    assert verdict.counts["captured"] >= 11
    assert verdict.counts["ruled"] >= 3
