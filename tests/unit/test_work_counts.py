"""Work grows with the notes and no faster, and repeated work with what changed (spec page 9).

Counted, not timed: files read, records made, texts taken into indexes, statements compared.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench import data
from proofstone.curation import rulings
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain import cues, matching, sibling_postings
from proofstone.domain.rulings import Choices
from proofstone.vault import index, quick_record, reading, room_reader, survey, unmade

SMALL, LARGE = 250, 1_000
CONTEXT = Context(clock=lambda: datetime(2027, 1, 1, tzinfo=UTC), author="Mira Tal")
MINUTE = 60 * 1_000_000_000


def in_a_minute() -> int:
    """A time at which files that the test has just written are old."""
    return time.time_ns() + MINUTE


@pytest.fixture(scope="module")
def vaults(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    made: dict[int, Path] = {}
    for size in (SMALL, LARGE):
        made[size] = tmp_path_factory.mktemp("vaults") / str(size)
        data.write_vault(made[size], size)
    return made


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each kind of work is done from now on."""
    counts: Counter[str] = Counter()

    def count(owner: object, name: str, what: str) -> None:
        original: Callable[..., Any] = getattr(owner, name)

        def counted(*arguments: Any, **named: Any) -> Any:
            counts[what] += 1
            return original(*arguments, **named)

        monkeypatch.setattr(owner, name, counted)

    count(reading, "read_file", "files read")
    count(quick_record.QuickReader, "read", "records made")
    count(room_reader, "plain_id", "notes recognised")
    count(sibling_postings.Postings, "add", "texts indexed")
    count(matching.MemoryIndex, "take", "memories indexed")
    count(cues, "opposed", "statements compared")
    monkeypatch.setattr(room_reader.RoomReader.__init__, "__defaults__", (in_a_minute,))
    return counts


def taken(work: Counter[str]) -> dict[str, int]:
    counted = dict(work)
    work.clear()
    return counted


def test_opening_reads_each_file_once_and_makes_no_record(
    vaults: dict[int, Path], work: Counter[str]
) -> None:
    for size, root in vaults.items():
        workspace = Workspace.open(root, CONTEXT)
        counted = taken(work)
        notes = size + data.PROPOSALS
        # The settings and memleaf's configuration are files too.
        assert counted["files read"] == notes + 2
        assert counted["notes recognised"] == size
        assert counted["records made"] == data.PROPOSALS
        assert len(workspace.holdings.memories) == size
        assert taken(work) == {}


def test_a_page_of_a_list_makes_a_page_of_records(
    vaults: dict[int, Path], work: Counter[str]
) -> None:
    for root in vaults.values():
        memories = Workspace.open(root, CONTEXT).holdings.memories
        taken(work)
        assert [memory.title for memory in memories[:40]]
        assert taken(work) == {"records made": 40}
        assert [memory.title for memory in memories[:40]]
        assert taken(work) == {}


def test_judging_the_queue_makes_no_record_that_is_not_weighed(
    vaults: dict[int, Path], work: Counter[str]
) -> None:
    for size, root in vaults.items():
        workspace = Workspace.open(root, CONTEXT)
        taken(work)
        workspace.prepare_verdicts()
        assert len(workspace.queue) == data.PROPOSALS
        assert workspace.unreviewed == size
        assert len(workspace.memories) == size
        weighed = {held for view in workspace.queue for held in view.match.matched}
        counted = taken(work)
        assert counted["memories indexed"] == size
        assert counted.get("records made", 0) <= len(weighed)
        assert "texts indexed" not in counted
        assert "files read" not in counted
        # A proposal is compared in full with one memory at most, whatever the vault holds.
        assert counted.get("statements compared", 0) <= data.PROPOSALS


def test_siblings_take_each_memory_once(vaults: dict[int, Path], work: Counter[str]) -> None:
    for size, root in vaults.items():
        workspace = Workspace.open(root, CONTEXT)
        assert not workspace.knows_siblings
        workspace.prepare()
        assert workspace.knows_siblings
        assert all(len(view.siblings) <= 3 for view in workspace.queue)
        counted = taken(work)
        assert counted["texts indexed"] == size
        assert counted["records made"] <= size + data.PROPOSALS


def test_what_notes_tell_without_records_is_what_their_records_tell(
    vaults: dict[int, Path],
) -> None:
    root = vaults[SMALL]
    told = Workspace.open(root, CONTEXT).holdings.memories
    records = tuple(Workspace.open(root, CONTEXT).holdings.memories)
    assert list(survey.sketches(told)) == list(map(matching.sketch_of, records))
    assert survey.count_unreviewed(told) == survey.count_unreviewed(records) == SMALL
    by_title = sorted(records, key=lambda one: (one.title, one.memory_id))
    assert list(survey.in_title_order(told)) == by_title
    assert dict(unmade.by_id(told)) == {record.memory_id: record for record in records}


def test_an_unchanged_vault_is_read_again_without_reading_a_note(
    vaults: dict[int, Path], work: Counter[str]
) -> None:
    for root in vaults.values():
        workspace = Workspace.open(root, CONTEXT)
        workspace.prepare()
        first = workspace.holdings.memories[0]
        taken(work)
        again = workspace.reload()
        again.prepare()
        assert again.holdings.memories[0] is first
        assert taken(work) == {"files read": 2}


def test_with_an_index_opening_reads_no_note(vaults: dict[int, Path], work: Counter[str]) -> None:
    for size, root in vaults.items():
        index.update(root, now=in_a_minute)
        taken(work)
        workspace = Workspace.open(root, CONTEXT)
        assert len(workspace.holdings.memories) == size
        # Settings and configuration; proposals are few, and made at once or when asked for.
        assert taken(work) == {"files read": 2}
        index_file = root / index.PATH
        index_file.unlink()


def test_after_a_ruling_only_what_it_changed_is_read_and_indexed(
    tmp_path: Path, work: Counter[str]
) -> None:
    counts: list[dict[str, int]] = []
    for size in (SMALL, LARGE):
        root = tmp_path / str(size)
        data.write_vault(root, size)
        workspace = Workspace.open(root, CONTEXT)
        workspace.prepare()
        memory = workspace.memories[0].memory_id
        rulings.rule(workspace, "contest", [memory], Choices(reason="no longer so"))
        taken(work)
        after = workspace.reload()
        after.prepare()
        counts.append(taken(work))
        assert after.held.memory(memory) is not workspace.held.memory(memory)
    assert counts[0] == counts[1]
    assert counts[1]["records made"] <= 4
    assert counts[1]["memories indexed"] == 1


def test_views_of_memories_are_made_for_the_page_that_is_shown(
    vaults: dict[int, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made: Counter[str] = Counter()
    original = Workspace._memory_view

    def counted(*arguments: Any) -> Any:
        made["views"] += 1
        return original(*arguments)

    monkeypatch.setattr(Workspace, "_memory_view", counted)
    for root in vaults.values():
        made.clear()
        memories = Workspace.open(root, CONTEXT).memories
        assert made["views"] == 0
        assert len(memories[:40]) == 40
        assert made["views"] == 40
