"""What captures are compared with is the same with records of the notes and without (page 9)."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench import data
from proofstone.curation.capture import CaptureDesk
from proofstone.curation.context import Context
from proofstone.curation.known import Known
from proofstone.curation.live import LiveNotes
from proofstone.domain.matching import sketch_of
from proofstone.domain.plan import NoteKind
from proofstone.domain.records import Memory
from proofstone.vault import quick_record

SMALL, LARGE = 220, 330
CONTEXT = Context(clock=lambda: datetime(2027, 1, 1, tzinfo=UTC), author="agent", via="cli")


def large_vault(folder: Path, size: int = SMALL) -> Path:
    """A vault with so many notes that plain ones are read without records."""
    data.write_vault(folder / str(size), size)
    return folder / str(size)


def known_of(root: Path, *, with_records: bool) -> Known:
    notes = LiveNotes(root)
    notes.refresh()
    if with_records:
        assert all(list(notes.notes(kind)) is not None for kind in NoteKind if kind in notes._seen)
    return Known(notes, for_few=not with_records)


def told(known: Known) -> dict[str, Any]:
    held = known.held
    memories = [one.statement for one in held.by_id.values() if one.is_memory]
    return {
        "by id": {
            id: (one.is_memory, one.is_active, one.digest, one.project, one.statement)
            for id, one in held.by_id.items()
        },
        "by content": {digest: one.id for digest, one in held.by_content.items()},
        "ids": held.known_ids,
        "shared": [
            known.memories.sharing(sketch_of(memory).key, memory.profile)
            for memory in memories
            if isinstance(memory, Memory)
        ],
        "siblings": [held.siblings.ranked(one.statement, 3) for one in memories[:10]],
    }


@pytest.mark.parametrize("vault", ["demo", "large"])
def test_it_is_the_same_with_records_and_without(
    demo_vault: Path, tmp_path: Path, vault: str
) -> None:
    root = demo_vault if vault == "demo" else large_vault(tmp_path)
    without = told(known_of(root, with_records=False))
    assert without == told(known_of(root, with_records=True))
    assert len(without["by id"]) > 10


def test_a_capture_makes_as_many_records_in_a_large_vault_as_in_a_small_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Counter[str] = Counter()
    original = quick_record.QuickReader.read

    def counted(*arguments: Any) -> Any:
        made["records"] += 1
        return original(*arguments)

    monkeypatch.setattr(quick_record.QuickReader, "read", counted)
    counts: list[int] = []
    for size in (SMALL, LARGE):
        desk = CaptureDesk(LiveNotes(large_vault(tmp_path, size)), CONTEXT, for_few=True)
        made.clear()
        answer = desk.capture({"content": "Atlas keeps snapshots", "source": "s", "anchor": "a"})
        assert answer["captured"] == 1
        counts.append(made["records"])
    assert counts[0] == counts[1] <= data.PROPOSALS + 5


def test_what_was_known_without_a_record_is_forgotten_when_its_file_changes(
    tmp_path: Path,
) -> None:
    root = large_vault(tmp_path)
    notes = LiveNotes(root)
    desk = CaptureDesk(notes, CONTEXT, for_few=True)
    item = {"content": "Atlas keeps snapshots", "source": "s", "anchor": "a"}
    desk.capture(item)
    file = min((root / "knowledge").iterdir())
    memory = notes.get(NoteKind.MEMORY, file.stem)
    assert isinstance(memory, Memory)
    again = {**item, "content": memory.statement}
    assert desk.capture(again)["deduped"] == 1
    header, _, _ = file.read_bytes().rpartition(b"---\n")
    file.write_bytes(header + b"---\n\nIt says something else now, and at some length.\n")
    notes.refresh()
    assert desk.capture(again)["captured"] == 1
    other = {**item, "content": "It says something else now, and at some length."}
    assert desk.capture(other)["deduped"] == 1
