"""Capturing: durable, and at one price per item whatever is stored already (spec page 9).

A vault is filled with proposals of about 600 bytes, made from a seed; then 1,000 items are
captured in one call and others one by one, by a desk that has read the vault before, as an agent's
server has. The baseline is what the disk takes in the same run for the files alone: two per item,
each written, synced and renamed. Times are per item, in milliseconds. Whether the price is flat is
told by processor time, since a disk that others use answers now in one time and now in another.
"""

from __future__ import annotations

import os
import random
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.siblings import make_texts
from proofstone.curation.capture import CaptureDesk, capture
from proofstone.curation.context import Context
from proofstone.curation.live import LiveNotes
from proofstone.domain import ids, note_fields
from proofstone.domain.records import Proposal
from proofstone.vault.create import create_vault
from proofstone.vault.files import Files
from proofstone.vault.note_writer import new_note

STORED = (1, 10_000, 100_000)
BATCH = 1_000
SINGLES = 200
GOAL_MS = 10.0
FLAT = 1.5

_SEED = 20_261_127
_NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)


def run() -> list[dict[str, object]]:
    """Per stored size: the first reading, a batch, and single items; then whether it is flat."""
    texts = make_texts(max(STORED) + BATCH + SINGLES + 1, random.Random(_SEED))
    rows: list[dict[str, object]] = []
    batches: list[float] = []
    singles: list[float] = []
    for stored in STORED:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "vault"
            _fill(root, texts[:stored])
            fresh = texts[-BATCH - SINGLES - 1 :]
            files = _files_alone(Path(folder))
            desk = CaptureDesk(
                LiveNotes(root), Context(clock=lambda: _NOW, author="bench", via="bench")
            )
            reading, _ = _timed(lambda desk=desk, text=fresh[0]: _captured(desk, [text]))
            once, once_work = _timed(lambda root=root: _captured_once(root))
            stated, stated_work = _timed(lambda root=root: _stated(root))
            batch, batch_work = _timed(
                lambda desk=desk, some=fresh[1 : BATCH + 1]: _captured(desk, some)
            )
            one_by_one, single_work = _timed(
                lambda desk=desk, some=fresh[BATCH + 1 :]: [_captured(desk, [one]) for one in some]
            )
            batches.append(batch_work / BATCH * 1e3)
            singles.append(single_work / SINGLES * 1e3)
            each, single = batch / BATCH * 1e3, one_by_one / SINGLES * 1e3
            rows += [
                _row(
                    f"batch of {BATCH:,}, {stored:,} stored, ms per item",
                    files,
                    each,
                    f"<= {GOAL_MS:g} ms (100 items/s)",
                ),
                _row(f"{SINGLES} one by one, {stored:,} stored, ms per item", files, single),
                {
                    "figure": f"first reading of {stored:,} stored, s (once per server)",
                    "baseline": "",
                    "measured": round(reading, 2),
                    "ratio": "",
                    "goal": "",
                },
                _row(f"one item by itself, {stored:,} stored, s (os.scandir + stat)", stated, once),
                _row(f"the same, CPU s, {stored:,} stored", stated_work, once_work),
            ]
    for name, measured in (("batch", batches), ("one by one", singles)):
        rows.append(
            {
                "figure": f"{name}, {STORED[-1]:,} stored beside {STORED[0]}, CPU ms per item",
                "baseline": round(measured[0], 2),
                "measured": round(measured[-1], 2),
                "ratio": round(measured[-1] / measured[0], 2),
                "goal": f"flat: <= {FLAT} x",
            }
        )
    return rows


def _captured_once(root: Path) -> None:
    """One item as ``proofstone capture`` takes it: nothing was read before, no index is there."""
    item = {"content": "Atlas keeps its snapshots for thirty days", "source": "s", "anchor": "a"}
    context = Context(clock=lambda: _NOW, author="bench", via="bench")
    if capture(root, item, context)["rejected"]:
        raise RuntimeError("the item was rejected")


def _stated(root: Path) -> None:
    """Ask for the state of every file, as anything that is to notice a change has to."""
    for room in ("knowledge", "proposals"):
        with os.scandir(root / room) as entries:
            for entry in entries:
                entry.stat(follow_symlinks=False)


def _row(figure: str, baseline: float, measured: float, goal: str = "") -> dict[str, object]:
    return {
        "figure": figure,
        "baseline": round(baseline, 4),
        "measured": round(measured, 2),
        "ratio": round(measured / baseline, 2),
        "goal": goal,
    }


def _captured(desk: CaptureDesk, texts: list[str]) -> None:
    items: list[dict[str, Any]] = [
        {"content": text, "source": "bench", "anchor": f"doc-{number}"}
        for number, text in enumerate(texts)
    ]
    answer = desk.capture({"items": items})
    if answer["captured"] + answer["deduped"] != len(texts):
        raise RuntimeError(f"items were rejected: {answer['rejected']}")


def _fill(root: Path, texts: list[str]) -> None:
    create_vault(root)
    for text in texts:
        proposal = Proposal(
            proposal_id=ids.proposal_id(text),
            statement=text,
            title=text[:60],
            origin="capture",
            created="2026-11-20T09:00:00Z",
            updated="2026-11-20T09:00:00Z",
            content_hash=ids.content_hash(text),
            source="bench",
            anchor="doc-1",
        )
        note = new_note(note_fields.proposal_fields(proposal), text)
        (root / "proposals" / f"{proposal.proposal_id}.md").write_bytes(note)


def _files_alone(folder: Path) -> float:
    """Milliseconds per item for its two files, durable, and nothing else."""
    files = Files()
    place = folder / "alone"
    place.mkdir()
    started = perf_counter()
    for number in range(BATCH):
        for half in "ab":
            temporary = place / f".{number}{half}"
            files.write(temporary, b"x" * 900)
            files.rename(temporary, place / f"{number}{half}.md")
    files.sync_folder(place)
    return (perf_counter() - started) / BATCH * 1e3


def _timed(work: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of the processor."""
    started, worked = perf_counter(), process_time()
    work()
    return perf_counter() - started, process_time() - worked
