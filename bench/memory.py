"""Memory of a workspace over 100,000 notes, above one over none, each in a process of its own.

"Opened" is what is held when the vault is open; "listed" when every memory was made into a record,
as a list of all of them needs; "searchable" when the index of siblings was made too.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

from bench import data
from bench.measure import python
from bench.opening import index_age
from proofstone.vault import index
from proofstone.vault.create import create_vault

GOAL = 200

_CODE = """
import gc, sys
from datetime import UTC, datetime
from pathlib import Path
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
import proofstone.curation.assessing, proofstone.curation.turns
from bench.memory import resident_megabytes

workspace = Workspace.open(Path(sys.argv[1]), Context(lambda: datetime.now(UTC), "bench"))
gc.collect()
print(resident_megabytes())
for memory in workspace.holdings.memories:
    memory.title
gc.collect()
print(resident_megabytes())
workspace.prepare()
gc.collect()
print(resident_megabytes())
"""


def run() -> list[dict[str, object]]:
    """Megabytes above an empty workspace, at three moments."""
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "vault"
        create_vault(empty)
        base = [float(line) for line in python(_CODE, str(empty)).split()]
    root = data.vault(data.SIZES[-1])
    shutil.rmtree(root / "_index", ignore_errors=True)
    rows = _figures(base, root, "without an index")
    time.sleep(index_age())
    index.update(root)
    return rows + _figures(base, root, "with an index")


def _figures(base: list[float], root: Path, how: str) -> list[dict[str, object]]:
    full = [float(line) for line in python(_CODE, str(root)).split()]
    return [
        {
            "figure": f"memory of 100,000 notes {how}, {what}, MB above an empty workspace",
            "baseline": round(low),
            "measured": round(high - low),
            "ratio": "",
            "goal": f"<= {GOAL} MB",
        }
        for what, low, high in zip(("opened", "listed", "searchable"), base, full, strict=True)
    ]


def resident_megabytes() -> float:
    """What this process has in memory now; its peak where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        from bench.duplicates import peak_megabytes

        return peak_megabytes()
    return pages * 4096 / 1e6
