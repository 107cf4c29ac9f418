"""What every test may count on: a fixed time and author, none of the machine's settings."""

from __future__ import annotations

import gc
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from proofstone.cli.main import run
from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR, DEMO_NOW

NOW = DEMO_NOW
# The same examples on every run and machine: a suite must not fail by chance.
settings.register_profile("suite", derandomize=True, deadline=None)
settings.load_profile("suite")

_OURS = ("PROOFSTONE_", "NO_COLOR", "TEXTUAL", "COLORTERM", "FORCE_COLOR")


def pytest_collection_finish() -> None:
    """Let the collector look less often, and never at what stays: a fifth of the suite's time.

    The widgets of an application refer to one another, so that every collection goes through all
    of them, and through every imported module.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.fixture(autouse=True)
def _same_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """No variable of the machine reaches a test, and the time is the story's morning."""
    import os

    for name in list(os.environ):
        # The snapshot plugin keeps its folder in a variable of its own.
        if name.startswith(_OURS) and not name.startswith("TEXTUAL_SNAPSHOT"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("PROOFSTONE_NOW", NOW.isoformat())
    monkeypatch.setenv("PROOFSTONE_AUTHOR", DEMO_AUTHOR)


@pytest.fixture
def demo_vault(proofstone_demo_vault: Path) -> Path:
    """A fresh copy of the demo vault."""
    return proofstone_demo_vault


@pytest.fixture
def context(proofstone_context: Context) -> Context:
    """The story's morning, and who curates."""
    return proofstone_context


@dataclass(frozen=True)
class Outcome:
    """What a command printed and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Standard output as JSON."""
        return json.loads(self.out)

    @property
    def items(self) -> list[dict[str, Any]]:
        """The items of a listing."""
        items = self.json["items"]
        assert isinstance(items, list)
        return items


Proofstone = Callable[..., Outcome]


@pytest.fixture
def proofstone(capsys: pytest.CaptureFixture[str]) -> Proofstone:
    """Runs a command line in this process."""

    def call(*arguments: str | Path, code: int | None = 0) -> Outcome:
        capsys.readouterr()
        ended = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        outcome = Outcome(ended, printed.out, printed.err)
        assert code is None or ended == code, outcome
        return outcome

    return call


def contents(root: Path, without: Sequence[str] = ()) -> dict[str, bytes]:
    """Every file below ``root`` by its relative path, leaving out some folders."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file()
        and not any(path.relative_to(root).as_posix().startswith(skip) for skip in without)
    }
