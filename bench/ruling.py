"""What a ruling costs in sync calls, and a new view of the vault after it (spec page 9).

A disk is waited for at each sync call, so these are counted, not timed: at most two for each file
that changes, and three for the journal, the object and the folder of a group.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter

from bench import data
from bench.measure import row, seconds
from proofstone.curation import rulings
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import Choices

SIZE = 10_000
BATCH = 100


def run() -> list[dict[str, object]]:
    """Sync calls of one ruling and of a batch; the time from a ruling to the next view."""
    context = Context(lambda: datetime(2027, 1, 1, tzinfo=UTC), "bench")
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        data.write_vault(root, 200, proposals=BATCH + 2)
        workspace = Workspace.open(root, context)
        waiting = [view.proposal_id for view in workspace.queue]
        _syncs(workspace, waiting[-1:])  # The first of a vault makes its journal and folders.
        workspace = workspace.reload()
        one = _syncs(workspace, waiting[:1])
        many = _syncs(workspace.reload(), waiting[1:-1])
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        shutil.copytree(data.vault(SIZE), root)
        whole = seconds(lambda: _view(Workspace.open(root, context)), 1)
        workspace = Workspace.open(root, context)
        _view(workspace)
        rulings.rule(
            workspace,
            "dismiss",
            [workspace.queue[0].proposal_id],
            Choices(reason="no_future_value"),
        )
        start = perf_counter()
        _view(workspace.reload())
        again = perf_counter() - start
    return [
        _count("sync calls of one dismissal", *one),
        _count(f"sync calls of a batch of {BATCH} dismissals", *many),
        row(
            f"the view after a ruling at {SIZE:,} notes, s (baseline: opening and judging all)",
            whole,
            again,
            "",
        ),
    ]


def _view(workspace: Workspace) -> None:
    workspace.prepare()
    assert workspace.queue[0].siblings is not None
    assert len(workspace.memories) >= 0


def _syncs(workspace: Workspace, subjects: list[str]) -> tuple[int, int]:
    """The sync calls that a dismissal makes, and how many files it changes."""
    calls = 0
    original: Callable[[int], None] = os.fsync

    def counted(descriptor: int) -> None:
        nonlocal calls
        calls += 1
        original(descriptor)

    os.fsync = counted
    try:
        applied = rulings.rule(workspace, "dismiss", subjects, Choices(reason="no_future_value"))
    finally:
        os.fsync = original
    return calls, len({change.path for change in applied.changes})


def _count(figure: str, calls: int, files: int) -> dict[str, object]:
    allowed = 2 * files + 3
    return {
        "figure": f"{figure}, {files} files changed (baseline: 2 a file + 3)",
        "baseline": allowed,
        "measured": calls,
        "ratio": round(calls / allowed, 2),
        "goal": "<= 1.0",
    }
