"""Memory of a workbench over 100,000 notes, above one over none, each in a process of its own.

Every figure is taken on the way that the workbench goes, without its screen: "opened" is what is
held when the vault was read; "judged" when the queue, the log and the lists were made; "whole" when
the index of siblings was made too, which is what the workbench then keeps; "filtered" when a filter
has gone through all memories. "Every record" is for comparison: what is held when a filter makes a
view of each, and its processor time is what that of a first filter is set beside. The last row is
what could stop a key: how long Python's collector takes to go through everything, before and after
what stays is kept out of its way, as the workbench does in a terminal.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from bench import data
from bench.measure import exponent, python
from bench.opening import index_age
from proofstone.vault import index
from proofstone.vault.create import create_vault

GOAL = 200
FILTER_GOAL = 0.5
"""Of the processor time of a filter that makes every record."""
MOMENTS = ("opened", "judged", "whole", "filtered", "with every record made")

_CODE = """
import gc, sys, time
from datetime import UTC, datetime
from pathlib import Path
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.tui.messages import OpenVault
import proofstone.curation.assessing, proofstone.curation.history, proofstone.curation.turns
from bench.memory import resident_megabytes

def told():
    gc.collect()
    print(resident_megabytes())

def pause():
    start = time.process_time()
    gc.collect()
    return (time.process_time() - start) * 1e3

workspace = Workspace.open(Path(sys.argv[1]), Context(lambda: datetime.now(UTC), "bench"))
told()
opened = OpenVault.judged(workspace)
told()
opened = OpenVault.prepared(workspace)
told()
print(pause())
gc.freeze()
print(pause())

from proofstone.curation.sifting import sift
from proofstone.domain import filters

def seconds(look):
    start = time.process_time()
    kept = look(filters.parse(sys.argv[2]))
    print(time.process_time() - start)
    return len(kept)

views = workspace.memories
found = seconds(lambda wanted: sift(views, wanted))
told()
whole = seconds(lambda wanted: [view for view in views if wanted.matches(view.filterable)])
told()
assert found == whole
"""

FILTER = "layer:L2 deployment"
"""A term that most memories pass, and a word that has to be looked for in each of them."""


def run() -> list[dict[str, object]]:
    """Megabytes above an empty workbench at each moment, how they grow, what a filter costs."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "vault"
        create_vault(empty)
        base = _measured(empty)
    root = data.vault(data.SIZES[-1])
    shutil.rmtree(root / "_index", ignore_errors=True)
    rows = _figures(base, _measured(root), "without an index")
    whole: list[float] = []
    for size in data.SIZES:
        sized = data.vault(size)
        time.sleep(index_age())
        index.update(sized)
        measured = _measured(sized)
        whole.append(max(measured.held[2] - base.held[2], 0.1))
    rows += _figures(base, measured, "with an index")
    return [
        *rows,
        {
            "figure": "memory of a whole workbench grows with the notes to the power of",
            "baseline": "",
            "measured": round(exponent(data.SIZES[1:], whole[1:]), 2),
            "ratio": "",
            "goal": "<= 1.1",
        },
        {
            "figure": "a pause of the collector over 100,000 notes, ms of CPU (baseline: unhelped)",
            "baseline": round(measured.unhelped, 1),
            "measured": round(measured.pause, 1),
            "ratio": "",
            "goal": "<= 50 ms",
        },
        {
            "figure": "CPU of a first filter over 100,000 memories, every record made -> seconds",
            "baseline": round(measured.every, 2),
            "measured": round(measured.filter, 2),
            "ratio": f"{measured.filter / measured.every:.2f}" if measured.every else "",
            "goal": f"<= {FILTER_GOAL}",
        },
    ]


class _Measured(NamedTuple):
    """Megabytes ``held`` at each of the ``MOMENTS``; pauses of the collector in milliseconds, and
    processor seconds of a filter, each in the two ways that are compared."""

    held: tuple[float, ...]
    unhelped: float
    pause: float
    filter: float
    every: float


def _measured(root: Path) -> _Measured:
    told = map(float, python(_CODE, str(root), FILTER).split())
    opened, judged, whole, unhelped, pause, filtered, after, every, made = told
    return _Measured((opened, judged, whole, after, made), unhelped, pause, filtered, every)


def _figures(base: _Measured, full: _Measured, how: str) -> list[dict[str, object]]:
    return [
        {
            "figure": f"memory of 100,000 notes {how}, {what}, MB above an empty workbench",
            "baseline": round(low),
            "measured": round(high - low),
            "ratio": "",
            "goal": f"<= {GOAL} MB" if what != MOMENTS[-1] else "",
        }
        for what, low, high in zip(MOMENTS, base.held, full.held, strict=True)
    ]


def resident_megabytes() -> float:
    """What this process has in memory now; its peak where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        from bench.duplicates import peak_megabytes

        return peak_megabytes()
    return pages * 4096 / 1e6
