"""Many processes capture into one vault at once, and captures are cut short at every step.

The default run is small; ``TORTURE=1`` (``make torture``) runs ten processes with 200 items each,
handed in one by one and in batches.
"""

from __future__ import annotations

import multiprocessing
import os
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from proofstone.curation.capture import CaptureDesk, capture
from proofstone.curation.check import check
from proofstone.curation.context import Context
from proofstone.curation.live import LiveNotes
from proofstone.curation.workspace import Workspace
from proofstone.vault.create import create_vault
from proofstone.vault.files import Files

TORTURE = bool(os.environ.get("TORTURE"))
PROCESSES = 10
EACH = 200 if TORTURE else 24
BATCHES = (1, 25) if TORTURE else (6,)
SHARED = 8
"""Items that every process captures: they must end up as one proposal each."""
NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)


def fact(name: str) -> dict[str, Any]:
    return {"content": f"Flight fact {name} of the log", "source": "log", "anchor": f"doc-{name}"}


def batch(process: int) -> list[dict[str, Any]]:
    own = [fact(f"{process}-{number}") for number in range(EACH - SHARED)]
    return [*own, *(fact(f"shared-{number}") for number in range(SHARED))]


def work(root: Path, process: int, size: int, answers: Any) -> None:
    """One agent: captures its items in calls of ``size``, and reports the counts."""
    desk = CaptureDesk(LiveNotes(root), Context(clock=lambda: NOW, author="x", via="mcp"))
    counts: Counter[str] = Counter()
    items = batch(process)
    for start in range(0, len(items), size):
        answer = desk.capture({"items": items[start : start + size]}, timeout=600)
        counts.update({key: answer[key] for key in ("captured", "deduped", "rejected")})
    answers.put(counts)


@pytest.mark.parametrize("size", BATCHES)
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that start at once")
def test_ten_processes_lose_nothing_and_double_nothing(
    tmp_path: Path, context: Context, size: int
) -> None:
    root = tmp_path / "vault"
    create_vault(root)
    # Loaded before the processes part, so that they start together and at once.
    capture(root, fact("first"), context)
    processes = multiprocessing.get_context("fork")
    answers = processes.Queue()
    agents = [
        processes.Process(target=work, args=(root, number, size, answers))
        for number in range(PROCESSES)
    ]
    for agent in agents:
        agent.start()
    total: Counter[str] = sum((answers.get(timeout=900) for _ in agents), Counter())
    for agent in agents:
        agent.join()
    assert [agent.exitcode for agent in agents] == [0] * PROCESSES

    distinct = PROCESSES * (EACH - SHARED) + SHARED
    assert total == Counter(captured=distinct, deduped=PROCESSES * EACH - distinct)
    workspace = Workspace.open(root, context)
    assert workspace.problems == ()
    statements = Counter(proposal.statement for proposal in workspace.holdings.proposals)
    wanted = {fact("first")["content"]}
    wanted.update(item["content"] for number in range(PROCESSES) for item in batch(number))
    assert statements == Counter(dict.fromkeys(wanted, 1))
    held = {record.evidence_id for record in workspace.holdings.evidence}
    assert all(set(p.evidence) <= held for p in workspace.holdings.proposals)
    assert check(workspace) == ()


class Killed(BaseException):
    """The process is gone."""


class Steps(Files):
    """Files that stop the process before the step ``last``."""

    def __init__(self, last: int) -> None:
        self.step = 0
        self._last = last

    def _next(self) -> None:
        self.step += 1
        if self.step == self._last:
            raise Killed

    def make_folder(self, path: Path) -> bool:
        self._next()
        return super().make_folder(path)

    def write(self, path: Path, data: bytes, mode: int = 0o600) -> None:
        self._next()
        path.write_bytes(data[: len(data) // 2])
        self._next()
        super().write(path, data, mode)

    def append(self, path: Path, data: bytes, *, sync: bool) -> None:
        self._next()
        super().append(path, data, sync=sync)

    def rename(self, source: Path, target: Path) -> None:
        self._next()
        super().rename(source, target)


def killed_at(root: Path, context: Context, step: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Capture three items and be killed before ``step``; False when there was no such step."""
    files = Steps(step)
    with monkeypatch.context() as patch:
        patch.setattr("proofstone.vault.transaction.Files", lambda: files)
        try:
            capture(root, {"items": [fact(name) for name in "abc"]}, context)
        except Killed:
            return True
    return False


def test_a_capture_killed_at_any_step_is_whole_or_not_there(
    tmp_path: Path, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    outcomes: set[int] = set()
    step = 1
    while True:
        root = tmp_path / f"vault-{step}"
        create_vault(root)
        if not killed_at(root, context, step, monkeypatch):
            break
        answer = capture(root, {"items": [fact(name) for name in "abcd"]}, context)
        outcomes.add(answer["deduped"])
        workspace = Workspace.open(root, context)
        assert len(workspace.holdings.proposals) == 4
        assert len(workspace.holdings.evidence) == 4
        assert check(workspace) == ()
        step += 1
    assert step > 20
    assert outcomes == {0, 3}
