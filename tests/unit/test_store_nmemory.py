"""nMEMORY's store: standings from every table, whatever its version, and no trace of reading."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofstone.domain.records import Memory, Standing, TrustClass
from proofstone.stores import StoreContents, Subject
from proofstone.stores.detect import detect
from proofstone.stores.files import StoreReadError
from proofstone.stores.nmemory import NMemoryStore

SAMPLE = Path(__file__).parents[1] / "data" / "stores" / "nmemory" / "memory.sql"


def build(path: Path, script: str = "") -> Path:
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript(script or SAMPLE.read_text(encoding="utf-8"))
    return path


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return build(tmp_path / "my store #1?.sqlite3")


@pytest.fixture
def wal_store(tmp_path: Path) -> Iterator[Path]:
    """A store in use: its last capsule is in the log alone."""
    path = build(tmp_path / "memory.sqlite3")
    database = sqlite3.connect(path)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA wal_autocheckpoint = 0")
    database.execute(
        "INSERT INTO capsules (seq, id, canonical_json, created_at) VALUES (9, 'cap-9', ?, 'now')",
        ('{"content":"Only in the log."}',),
    )
    database.commit()
    yield path
    database.close()


def listing(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def by_id(contents: StoreContents) -> dict[str, Memory]:
    held = contents.holdings
    return {memory.memory_id: memory for memory in (*held.memories, *held.history)}


def test_every_capsule_stands_where_its_tables_put_it(store: Path) -> None:
    contents = detect(store).read()
    memories = by_id(contents)
    assert {name: memory.standing for name, memory in memories.items()} == {
        "cap-1": Standing.SUPERSEDED,
        "cap-2": Standing.ACTIVE,
        "cap-3": Standing.ACTIVE,
        "cap-4": Standing.CONTESTED,
        "cap-6": Standing.DEPRECATED,
        "cap-7": Standing.ACTIVE,
    }
    assert memories["cap-1"].invalidated_reason == "superseded by cap-2"
    assert memories["cap-1"].is_history
    assert memories["cap-4"].invalidated_reason == "quarantined"
    assert memories["cap-4"].tainted
    assert memories["cap-6"].invalidated_reason == "falsified by cap-7"
    podman = memories["cap-2"]
    assert podman.scopes == ("project:harbor",)
    assert (podman.kind, podman.confidence) == ("decision", 0.9)
    assert podman.trust_class is TrustClass.DIRECT_USER_INSTRUCTION
    assert (podman.source, podman.anchor) == ("chat", "Makefile:12")
    assert (podman.evidence_state, podman.proof_hint, podman.stale_if) == (
        "observed",
        "make -n image",
        "the Makefile changes",
    )
    assert memories["cap-3"].valid_to == "2026-10-31T23:59:59Z"


def test_purged_and_broken_capsules_are_accounted_for(store: Path) -> None:
    contents = detect(store).read()
    [stone] = contents.holdings.tombstones
    assert (stone.deleted_id, stone.mode, stone.content_hash) == ("cap-5", "privacy_purge", "")
    assert [problem.subject for problem in contents.problems] == ["cap-8"]
    assert any(left.path.endswith("#cap-5") for left in contents.left_out)


def test_reading_leaves_no_trace(store: Path) -> None:
    before = listing(store.parent)
    detect(store).read()
    assert listing(store.parent) == before


def test_a_waiting_log_is_read_and_nothing_beside_it_is_touched(wal_store: Path) -> None:
    before = listing(wal_store.parent)
    assert len(before["memory.sqlite3-wal"]) > 0
    assert "cap-9" in by_id(detect(wal_store).read())
    assert listing(wal_store.parent) == before


def test_a_folder_that_cannot_be_written_is_read(store: Path) -> None:
    store.parent.chmod(0o500)
    try:
        assert len(by_id(detect(store).read())) == 6
    finally:
        store.parent.chmod(0o700)


def test_columns_that_other_versions_lack_or_add_are_no_error(tmp_path: Path) -> None:
    path = build(
        tmp_path / "old.sqlite3",
        """CREATE TABLE capsules (id TEXT, canonical_json TEXT, extra BLOB);
        INSERT INTO capsules VALUES ('cap-1', '{"content":"Old words."}', x'00ff');
        CREATE TABLE tiers (capsule_id TEXT, tier TEXT, since TEXT);
        INSERT INTO tiers VALUES ('cap-1', 'archived', 'then');
        PRAGMA user_version = 99;""",
    )
    contents = detect(path).read()
    [memory] = contents.holdings.memories
    assert (memory.statement, memory.standing) == ("Old words.", Standing.DEPRECATED)
    assert [problem.code for problem in contents.problems] == ["newer_schema"]


def test_tables_without_row_ids_and_with_many_rows_a_capsule_are_read(tmp_path: Path) -> None:
    path = build(
        tmp_path / "memory.sqlite3",
        """CREATE TABLE capsules (id TEXT PRIMARY KEY, canonical_json TEXT) WITHOUT ROWID;
        INSERT INTO capsules VALUES ('cap-1', '{"content":"Words."}');
        CREATE TABLE tiers (capsule_id TEXT, tier TEXT, at TEXT, PRIMARY KEY (capsule_id, at))
        WITHOUT ROWID;
        INSERT INTO tiers VALUES ('cap-1', 'active', '2026-10-03'),
        ('cap-1', 'quarantined', '2026-10-02'), ('cap-1', 'archived', '2026-10-01');""",
    )
    [memory] = detect(path).read().holdings.memories
    assert memory.standing is Standing.ACTIVE


def test_other_databases_and_damaged_ones_are_refused(tmp_path: Path) -> None:
    other = build(tmp_path / "other.sqlite3", "CREATE TABLE songs (name TEXT);")
    with pytest.raises(StoreReadError, match="has no table capsules"):
        NMemoryStore(other).read()
    damaged = tmp_path / "damaged.sqlite3"
    damaged.write_bytes(b"SQLite format 3\0" + b"\xff" * 4096)
    with pytest.raises(StoreReadError, match="cannot be read as an nMEMORY store"):
        NMemoryStore(damaged).read()


def test_nothing_can_be_ruled_in_place(store: Path) -> None:
    capabilities = detect(store).capabilities
    for action in ("ratify", "tombstone", "edit", "contest"):
        assert "nMEMORY is only read" in capabilities.refusal(Subject.MEMORY, action)
