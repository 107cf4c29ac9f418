"""Reading a pi-persistent-intelligence store of 50,000 records, and rendering as many memories.

The baseline of reading is ``json.loads`` of each line of the same file, in the same run; that of
rendering is one pass over the same words for white space; that of a ruling is copying the file that
it changes. Memory is the peak of a process of its own beyond what it needed to start (Linux).
"""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from proofstone.curation.context import Context
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain import rendering
from proofstone.domain.records import Memory, Ratification
from proofstone.domain.rulings import Choices
from proofstone.stores.companion import STATE_VARIABLE
from proofstone.stores.pi import PiStore
from proofstone.stores.pi_files import L2
from proofstone.vault.layout import OBJECTS

RECORDS = int(os.environ.get("PROOFSTONE_BENCH_RECORDS", "50000"))
RUNS = 3
GOAL_READ = "<= 8 x"
GOAL_MEMORY_MB = "<= 300"
GOAL_KEPT_KB = 64

_SEED = 20261130
_NOW = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)
_TEXT = (
    "build release branch test deploy config parse value index cache query thread harbor tide pier"
    " always never before after unless keep use write read check review merge image station table"
)
_WORDS = tuple(_TEXT.split())
_MEMORY_PROGRAM = """
import sys
from pathlib import Path
from proofstone.stores.pi import PiStore
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("VmHWM")))
before = peak()
contents = PiStore(Path(sys.argv[1])).read()
print((peak() - before) // 1024)
"""


def run() -> list[dict[str, object]]:
    """Rows of figure, baseline, measured and ratio; times in seconds of CPU, memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        small, large = root / "small", root / "large"
        write_store(small, RECORDS // 10)
        write_store(large, RECORDS)
        rows = [_reading(small, RECORDS // 10), _reading(large, RECORDS), *_ruling(large, root)]
        done = subprocess.run(
            [sys.executable, "-c", _MEMORY_PROGRAM, str(large)],
            check=True,
            capture_output=True,
            text=True,
        )
    size = f"PI store of {RECORDS:,} records"
    rows.append(
        {"figure": f"{size}, memory in MB", "measured": int(done.stdout), "goal": GOAL_MEMORY_MB}
    )
    rows.append(_rendering())
    return rows


def write_store(root: Path, count: int) -> None:
    """A store of ``count`` records, the same for the same count."""
    random_words = random.Random(_SEED)
    (root / L2).parent.mkdir(parents=True)
    with (root / L2).open("w", encoding="utf-8") as stream:
        for number in range(count):
            statement = " ".join(random_words.choices(_WORDS, k=24))
            record = {
                "id": f"mem_{number:08}",
                "layer": "L2",
                "profile_id": "project:harbor",
                "scope": {"type": "global"},
                "tags": [random_words.choice(_WORDS)],
                "statement": statement,
                "evidence": [{"type": "conversation", "ref": f"s-{number}", "note": "Said so."}],
                "confidence": 0.8,
                "stability": "stable",
                "created_at": "2026-10-02",
                "updated_at": "2026-10-02",
                "review": {"cadence_days": 30, "next_review": "2026-11-02", "change_condition": ""},
                "status": "active",
                "supersedes": [],
                "superseded_by": [],
                "vault_ref": None,
            }
            stream.write(json.dumps(record) + "\n")


def _reading(root: Path, count: int) -> dict[str, object]:
    data = (root / L2).read_bytes()
    baseline = _median(lambda: [json.loads(line) for line in data.splitlines()])
    measured = _median(lambda: PiStore(root).read())
    return {**_row(f"PI store of {count:,} records, read", baseline, measured), "goal": GOAL_READ}


def _ruling(store: Path, state: Path) -> list[dict[str, object]]:
    """One record edited, and what is kept for taking that back."""
    os.environ[STATE_VARIABLE] = str(state / "state")
    workspace = Workspace.open(store, Context(clock=lambda: _NOW, author="bench", via="cli"))
    data = (store / L2).read_bytes()
    copied = _median(lambda: (store / "copy").write_bytes(data))
    (store / "copy").unlink()
    subject = f"mem_{RECORDS // 2:08}"
    start = process_time()
    rule(workspace, "edit", [subject], Choices(edits={"statement": "Use podman here."}))
    measured = process_time() - start
    kept = sum(path.stat().st_size for path in (workspace.state / OBJECTS).iterdir())
    what = f"one edit in a PI store of {RECORDS:,} records"
    return [
        {**_row(what, copied, measured), "goal": ""},
        {
            "figure": f"{what}, kept for undo in kB (the file: {len(data) // 1000:,} kB)",
            "measured": round(kept / 1000, 1),
            "goal": f"<= {GOAL_KEPT_KB}",
        },
    ]


def _rendering() -> dict[str, object]:
    random_words = random.Random(_SEED)
    ratified = Ratification(by="Rosa", at="2026-11-20T09:00:00Z", ruling="rul-1")
    memories = [
        Memory(
            memory_id=f"mem-{number}",
            statement=" ".join(random_words.choices(_WORDS, k=24)),
            title=f"Title {number}",
            ratified=ratified,
        )
        for number in range(RECORDS)
    ]

    def render() -> object:
        chosen, _ = rendering.choose(memories, now=_NOW)
        return rendering.block(chosen)

    baseline = _median(lambda: [" ".join(memory.statement.split()) for memory in memories])
    return _row(f"{RECORDS:,} memories, rendered", baseline, _median(render))


def _median(work: Callable[[], object]) -> float:
    times = []
    for _ in range(RUNS):
        start = process_time()
        work()
        times.append(process_time() - start)
    return statistics.median(times)


def _row(figure: str, baseline: float, measured: float) -> dict[str, object]:
    return {
        "figure": figure,
        "baseline": round(baseline, 3),
        "measured": round(measured, 3),
        "ratio": round(measured / baseline, 1) if baseline else "",
    }
