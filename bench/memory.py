"""Memory of a workbench over 100,000 notes, above one over none, each in a process of its own.

Every figure is taken on the way that the workbench goes, without its screen: "opened" is what is
held when the vault was read; "judged" when the queue, the log and the lists were made; "whole" when
the index of siblings was made too, which is what the workbench then keeps. "Every record" is for
comparison: a filter over all memories makes them all. The last row is what could stop a key: how
long Python's collector takes to go through everything, before and after what stays is kept out of
its way, as the workbench does in a terminal.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from bench import data
from bench.measure import exponent, python
from bench.opening import index_age
from proofstone.vault import index
from proofstone.vault.create import create_vault

GOAL = 200
MOMENTS = ("opened", "judged", "whole", "with every record made")

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
for memory in workspace.holdings.memories:
    memory.title
told()
"""


def run() -> list[dict[str, object]]:
    """Megabytes above an empty workbench, at three moments, and how they grow."""
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
        whole.append(max(measured[2] - base[2], 0.1))
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
            "baseline": round(measured[-2], 1),
            "measured": round(measured[-1], 1),
            "ratio": "",
            "goal": "<= 50 ms",
        },
    ]


def _measured(root: Path) -> list[float]:
    """Megabytes at each of the ``MOMENTS``, then the pauses in milliseconds."""
    *three, unhelped, pause, every = map(float, python(_CODE, str(root)).split())
    return [*three, every, unhelped, pause]


def _figures(base: list[float], full: list[float], how: str) -> list[dict[str, object]]:
    return [
        {
            "figure": f"memory of 100,000 notes {how}, {what}, MB above an empty workbench",
            "baseline": round(low),
            "measured": round(high - low),
            "ratio": "",
            "goal": f"<= {GOAL} MB" if what != MOMENTS[-1] else "",
        }
        for what, low, high in zip(MOMENTS, base, full, strict=False)
    ]


def resident_megabytes() -> float:
    """What this process has in memory now; its peak where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        from bench.duplicates import peak_megabytes

        return peak_megabytes()
    return pages * 4096 / 1e6
