"""Opening a vault with its index, against stating the files of the same tree (spec page 9).

The baseline goes through the tree with ``os.scandir`` and asks for the state of every entry, as
anything that is to notice a change has to. Ours gives a whole vault: every record can be asked for.

Cold readings are taken after the system was asked to forget the files' contents; their baseline
reads the same files' bytes and nothing else. The stages of the workbench's opening are told in
processor time too, since another program on the machine does not change that.
"""

from __future__ import annotations

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from bench import data
from bench.measure import exponent, in_turn, row, seconds
from proofstone.curation.context import Context
from proofstone.curation.first_look import StagedOpening
from proofstone.curation.workspace import Workspace
from proofstone.tui.messages import OpenVault
from proofstone.vault import index, sibling_file
from proofstone.vault.vault import Vault

CHANGED = 1_000
COLD_RUNS = 3


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
    rows += _stages(root)
    rows.append(_siblings_kept(root))
    rows += _stages(root)
    shutil.rmtree(root / "_index", ignore_errors=True)
    rows += _stages(root)
    rows.append(_cold(root))
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


def _stages(root: Path) -> list[dict[str, object]]:
    """When there is something to look at, when it is judged, when siblings are known."""
    now = datetime(2027, 1, 1, tzinfo=UTC)
    opening = StagedOpening(root, Context(clock=lambda: now, author="bench"))
    has_siblings = (root / sibling_file.PATH).exists()
    has_notes = (root / index.PATH).exists()
    index_is = f"with {'an' if has_notes else 'no'} index" + " and its siblings" * has_siblings
    begun, worked = perf_counter(), process_time()
    rows: list[dict[str, object]] = []

    def reached(stage: str, goal: str = "") -> None:
        rows.append(
            {
                "figure": f"{data.SIZES[-1]:,} notes {index_is}: {stage}, s (baseline: CPU s)",
                "baseline": round(process_time() - worked, 2),
                "measured": round(perf_counter() - begun, 2),
                "ratio": "",
                "goal": goal,
            }
        )

    page = opening.first_page()
    look = opening.first_look(page) if page is not None else None
    assert look is not None
    reached("turns and a first page of the queue read", "<= 1.0 with the screen")
    workspace = opening.whole(lambda done, total: None)
    reached("all read")
    OpenVault.judged(workspace)
    reached("what waits judged")
    workspace.prepare()
    reached("siblings known, so it can be ruled on")
    return rows


def _siblings_kept(root: Path) -> dict[str, object]:
    """How long it takes to write the index of siblings that was made, and how large it is."""
    now = datetime(2027, 1, 1, tzinfo=UTC)
    workspace = Workspace.open(root, Context(clock=lambda: now, author="bench"))
    workspace.prepare()
    begun, worked = perf_counter(), process_time()
    workspace.keep_index()
    written, took = process_time() - worked, perf_counter() - begun
    size = (root / sibling_file.PATH).stat().st_size
    return {
        "figure": f"its siblings written, {size / 1e6:.0f} MB, s (baseline: CPU s)",
        "baseline": round(written, 2),
        "measured": round(took, 2),
        "ratio": "",
        "goal": "",
    }


def _cold(root: Path) -> dict[str, object]:
    """A whole reading of files whose contents the system was asked to forget."""
    raw: list[float] = []
    ours: list[float] = []
    for _ in range(COLD_RUNS):
        for taken, work in ((raw, _bytes_of_all), (ours, lambda r: Vault(r).read())):
            _forget(root)
            begun = perf_counter()
            work(root)
            taken.append(perf_counter() - begun)
    return row(
        "whole vault read cold, s (baseline: its bytes read cold)",
        median(raw),
        median(ours),
        "<= 1.5",
    )


def _bytes_of_all(root: Path) -> None:
    for room in ("knowledge", "proposals"):
        for path in (root / room).glob("*.md"):
            path.read_bytes()


def _forget(root: Path) -> None:
    """Ask the system to drop what it keeps of the notes' contents, as far as it does on asking."""
    for path in (root / "knowledge").iterdir():
        descriptor = os.open(path, os.O_RDONLY)
        try:
            if hasattr(os, "posix_fadvise"):
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)


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
