"""Opening a vault with its index, against stating the files of the same tree (spec page 9).

The baseline goes through the tree with ``os.scandir`` and asks for the state of every entry, as
anything that is to notice a change has to. Ours gives a whole vault: every record can be asked for.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

from bench import data
from bench.measure import exponent, in_turn, row, seconds
from proofstone.vault import index
from proofstone.vault.vault import Vault

CHANGED = 1_000


def run() -> list[dict[str, object]]:
    """Unchanged, with 1,000 changed, read a second time, and the writing of the index."""
    rows: list[dict[str, object]] = []
    times: list[float] = []
    for size in data.SIZES:
        root = data.vault(size)
        shutil.rmtree(root / "_index", ignore_errors=True)
        time.sleep(index_age())  # Files that were just written are not taken into an index.
        writing = seconds(lambda r=root: index.update(r), 1)
        base, ours = in_turn(lambda r=root: stated(r), lambda r=root: Vault(r).read())
        times.append(ours)
        goal = "<= 1.5" if size == data.SIZES[-1] else ""
        figure = (
            f"vault of {size:,} notes reopened, nothing changed, s (baseline: os.scandir + stat)"
        )
        rows.append(row(figure, base, ours, goal))
    root = data.vault(data.SIZES[-1])
    rows.append(
        row("its index written for the first time, s (baseline: the same)", base, writing, "")
    )
    vault = Vault(root)
    vault.read()
    base, again = in_turn(lambda: stated(root), vault.read)
    rows.append(row("read again in one process, nothing changed, s (the same)", base, again, ""))
    rows.append(_changed(root))
    rows.append(
        {
            "figure": "reopening grows with the number of notes to the power of",
            "baseline": 1.0,
            "measured": round(exponent(data.SIZES, times), 2),
            "ratio": "",
            "goal": "<= 1.1",
        }
    )
    return rows


def stated(root: Path) -> int:
    """Ask for the state of every entry of a tree."""
    count = 0
    folders = [str(root)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                entry.stat(follow_symlinks=False)
                count += 1
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)
    return count


def index_age() -> float:
    """Seconds after which a file that was written may be taken into an index."""
    from proofstone.vault.listing import YOUNG_NANOSECONDS

    return YOUNG_NANOSECONDS / 1e9 + 0.5


def _changed(root: Path) -> dict[str, object]:
    notes = sorted((root / "knowledge").iterdir())
    step = len(notes) // CHANGED
    chosen = notes[::step][:CHANGED]
    before = {note: note.read_bytes() for note in chosen}
    for note, content in before.items():
        note.write_bytes(content + b"One more line.\n")
    try:
        base, ours = in_turn(lambda: stated(root), lambda: Vault(root).read())
    finally:
        for note, content in before.items():
            note.write_bytes(content)
    return row(f"reopened, {CHANGED:,} changed, s (the same)", base, ours, "<= 2")
