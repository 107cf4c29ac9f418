"""What was loaded to stay is kept out of the garbage collector's way (spec page 9)."""

from __future__ import annotations

import gc
from collections.abc import Callable
from pathlib import Path

import pytest

from proofstone.curation.live import LiveNotes
from proofstone.vault import bulk
from proofstone.vault.vault import Vault


def _read_live(root: Path) -> None:
    notes = LiveNotes(root)
    notes.refresh()
    notes.refresh()


def _read_vault(root: Path) -> None:
    Vault(root).read()


@pytest.mark.parametrize("read", [_read_live, _read_vault])
@pytest.mark.parametrize("is_large", [True, False])
def test_many_notes_are_settled_once_and_the_collector_runs_again(
    read: Callable[[Path], None],
    is_large: bool,
    demo_vault: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen: list[bool] = []
    monkeypatch.setattr(bulk, "FROZEN_FROM", 20 if is_large else 10_000)
    monkeypatch.setattr(gc, "freeze", lambda: frozen.append(gc.isenabled()))
    assert gc.isenabled()
    read(demo_vault)
    assert gc.isenabled()
    assert frozen == ([True] if is_large else [])
