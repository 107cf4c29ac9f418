"""The index is disposable: it saves reading, and nothing else is different with it."""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

import pytest

from proofstone.cli.main import run
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.vault import index, room_reader
from proofstone.vault.listing import list_room
from proofstone.vault.vault import Vault, VaultContents
from tests.kept_siblings import PATHS, assert_as_made_anew, keep

DEMO = Path(__file__).parents[2] / "demo-vault"
LATER = 60 * 1_000_000_000


def later() -> int:
    """A time at which what was just written is old."""
    return time.time_ns() + LATER


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(DEMO, tmp_path / "vault")
    return tmp_path / "vault"


def tree(root: Path) -> dict[str, tuple[str, int, int]]:
    return {
        str(path): (
            sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.lstat().st_mtime_ns,
            path.lstat().st_mode,
        )
        for path in sorted(root.rglob("*"))
    }


def without_index(root: Path, tmp_path: Path) -> VaultContents:
    copy = tmp_path / f"copy-{len(list(tmp_path.iterdir()))}"
    shutil.copytree(root, copy, ignore=shutil.ignore_patterns("_index"))
    return Vault(copy).read()


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The notes that reading a vault reads."""
    read: list[str] = []
    original = room_reader.read_files

    def counted(root: Path, files: object, limit: int) -> object:
        for found, data in original(root, files, limit):  # type: ignore[arg-type]
            read.append(found.path)
            yield found, data

    monkeypatch.setattr(room_reader, "read_files", counted)
    return read


def test_an_unchanged_vault_is_opened_without_reading_a_note(
    root: Path, tmp_path: Path, reads: list[str]
) -> None:
    assert index.update(root, now=later)
    assert Vault(root).read() == without_index(root, tmp_path)
    assert len(reads) == len(set(reads)) == 98  # by the copy, which has no index
    reads.clear()
    Vault(root).read()
    assert reads == []
    assert not index.update(root, now=later)


def test_only_what_changed_is_read(root: Path, tmp_path: Path, reads: list[str]) -> None:
    index.update(root, now=later)
    (first, second, third) = sorted((root / "knowledge").iterdir())[:3]
    first.write_bytes(first.read_bytes() + b"And more.\n")
    second.unlink()
    (root / "knowledge/mem-new.md").write_bytes(b'---\nmemory_id: "mem-new"\n---\n\nNew.\n')
    shutil.copystat(third, root / "knowledge/mem-new.md")
    contents = Vault(root).read()
    assert sorted(reads) == sorted([f"knowledge/{first.name}", "knowledge/mem-new.md"])
    assert contents == without_index(root, tmp_path)


def test_a_change_that_keeps_size_and_time_is_seen(root: Path, tmp_path: Path) -> None:
    index.update(root, now=later)
    note = next((root / "knowledge").iterdir())
    status, data = note.stat(), note.read_bytes()
    note.write_bytes(data[:-2] + b"!\n")
    os.utime(note, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert note.stat().st_size == status.st_size
    assert Vault(root).read() == without_index(root, tmp_path)


def test_files_that_were_just_written_are_not_relied_on(root: Path, reads: list[str]) -> None:
    young = root / "knowledge/mem-young.md"
    index.update(root, now=later)
    young.write_bytes(b'---\nmemory_id: "mem-young"\n---\n\nYoung.\n')
    assert index.update(root, now=time.time_ns)
    Vault(root).read()
    assert "knowledge/mem-young.md" in reads
    # When it has become old it is taken in.
    assert index.update(root, now=later)
    reads.clear()
    Vault(root).read()
    assert reads == []


def test_a_second_reading_in_one_process_reads_what_changed(
    root: Path, tmp_path: Path, reads: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_reader.RoomReader.__init__, "__defaults__", (later,))
    vault = Vault(root)
    before = vault.read()
    kept = {memory.memory_id: memory for memory in before.holdings.memories}
    note = sorted((root / "knowledge").iterdir())[0]
    note.write_bytes(note.read_bytes() + b"And more.\n")
    reads.clear()
    after = vault.read()
    assert reads == [f"knowledge/{note.name}"]
    assert after == without_index(root, tmp_path)
    same = [memory for memory in after.holdings.memories if memory is kept.get(memory.memory_id)]
    assert len(same) == len(kept) - 1


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"",
    "cut in the head": lambda data: data[:20],
    "cut in the notes": lambda data: data[: len(data) // 3],
    "cut at the end": lambda data: data[:-1],
    "longer": lambda data: data + b"x",
    "another version": lambda data: data.replace(b"s 1", b"s 9", 1),
    "table changed": lambda data: data[:-5] + b"?" + data[-4:],
    "notes changed": lambda data: data[:100] + bytes(b ^ 1 for b in data[100:9000]) + data[9000:],
    "all zeros": lambda data: bytes(len(data)),
    "another file": lambda data: b"---\ntitle: x\n---\n" * 99,
}


@pytest.mark.parametrize(
    ("path", "damage"),
    [
        *(("notes", damage) for damage in DAMAGES),
        *(("siblings", damage) for damage in ("empty", "cut at the end", "another version")),
        *(("siblings", damage) for damage in ("longer", "notes changed")),
    ],
)
def test_a_damaged_index_changes_nothing(
    root: Path, tmp_path: Path, damage: str, path: str
) -> None:
    keep(root)
    file = root / PATHS[path]
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert Vault(root).read() == without_index(root, tmp_path)
    assert assert_as_made_anew(root) == (path == "notes")
    keep(root)
    assert Vault(root).read() == without_index(root, tmp_path)


def test_an_index_that_is_damaged_while_open_is_replaced_by_the_files(
    root: Path, tmp_path: Path
) -> None:
    index.update(root, now=later)
    contents = Vault(root).read()
    (root / index.PATH).write_bytes(b"")
    note = sorted((root / "knowledge").iterdir())[0]
    assert contents == without_index(root, tmp_path)
    contents = Vault(root).read()
    note.unlink()
    index.update(root, now=later)
    again = Vault(root).read()
    (root / index.PATH).write_bytes(b"")
    gone = sorted((root / "knowledge").iterdir())[0]
    gone.unlink()
    with pytest.raises(ProofstoneError, match="open it again"):
        list(again.holdings.memories)


def test_an_index_that_is_replaced_or_deleted_while_open_still_serves(
    root: Path, tmp_path: Path
) -> None:
    index.update(root, now=later)
    expected = without_index(root, tmp_path)
    contents = Vault(root).read()
    for note in (root / "knowledge").iterdir():
        note.unlink()
    index.update(root, now=later)
    shutil.rmtree(root / "_index")
    assert contents == expected


def test_opening_and_showing_write_nothing(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for has_index in (False, True):
        if has_index:
            keep(root)
        before = tree(root)
        assert run(["show", "memories", str(root)]) == 0
        assert run(["show", "proposals", str(root), "--json"]) == 0
        run(["check", str(root)])
        assert tree(root) == before
    assert "Atlas" in capsys.readouterr().out


def test_a_ruling_written_meanwhile_stops_the_writing(root: Path) -> None:
    keep(root)
    before = {path: (root / path).read_bytes() for path in PATHS.values()}
    note = next((root / "knowledge").iterdir())
    note.write_bytes(note.read_bytes() + b"More.\n")
    journal = root / "_state/proofstone/journal.jsonl"

    def write_a_row(count: int) -> None:
        journal.write_bytes(journal.read_bytes() + b"\n")

    assert not keep(root, write_a_row)
    assert {path: (root / path).read_bytes() for path in PATHS.values()} == before
    assert names_in(root / "_index/proofstone") == ["notes", "siblings"]
    assert keep(root)
    assert all((root / path).read_bytes() != data for path, data in before.items())


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_link_in_the_way_is_neither_followed_nor_written(root: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    keep(root)
    shutil.move(root / "_index", elsewhere / "real")
    (root / "_index").symlink_to(elsewhere / "real")
    before = tree(elsewhere)
    assert index.VaultIndex.open(root) is None
    assert not assert_as_made_anew(root)
    assert not keep(root)
    assert tree(elsewhere) == before


@pytest.mark.parametrize("path", PATHS.values())
def test_a_file_that_is_itself_a_link_or_a_folder_is_not_read(root: Path, path: str) -> None:
    keep(root)
    elsewhere = root / "elsewhere"
    (root / path).rename(elsewhere)
    (root / path).symlink_to(elsewhere)
    assert index.VaultIndex.open(root) is None or not assert_as_made_anew(root)
    (root / path).unlink()
    (root / path).mkdir()
    assert index.VaultIndex.open(root) is None or not assert_as_made_anew(root)
    assert not keep(root)
    assert names_in(root / "_index/proofstone") == ["notes", "siblings"]


def test_two_writers_at_once_leave_a_good_index(root: Path, tmp_path: Path) -> None:
    def rewrite() -> None:
        for _ in range(2):
            for path in PATHS.values():
                keep(root)
                (root / path).unlink(missing_ok=True)
            keep(root)

    writers = [threading.Thread(target=rewrite) for _ in range(2)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    keep(root)
    assert index.VaultIndex.open(root) is not None
    assert Vault(root).read() == without_index(root, tmp_path)
    assert assert_as_made_anew(root)
    assert names_in(root / "_index/proofstone") == ["notes", "siblings"]


@pytest.mark.parametrize("path", PATHS.values())
def test_the_index_is_private(root: Path, path: str) -> None:
    keep(root)
    assert (root / path).stat().st_mode & 0o777 == 0o600
    assert (root / "_index/proofstone").stat().st_mode & 0o777 == 0o700


def test_a_listing_is_the_same_by_both_ways(root: Path) -> None:
    quick = list_room(root, "knowledge", frozenset(), None)
    (root / "knowledge/sub").mkdir()
    walked = list_room(root, "knowledge", frozenset(), None)
    assert [quick.names[place] for place in quick.order] == walked.names
    assert [quick.stat(place) for place in quick.order] == [
        walked.stat(place) for place in walked.order
    ]


def test_a_workspace_keeps_the_index_of_large_vaults_that_are_its_own(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = Context(clock=lambda: datetime(2026, 11, 27, tzinfo=UTC), author="Mira Tal")
    assert not Workspace.open(root, context).keep_index()
    monkeypatch.setattr(index, "WORTHWHILE", 1)
    assert Workspace.open(root, context).keep_index()
    assert (root / index.PATH).exists()
    # A memleaf vault in which Proofstone has never written stays as it is.
    shutil.rmtree(root / "_index")
    shutil.rmtree(root / "_state/proofstone")
    (root / "proofstone.yaml").unlink()
    assert not Workspace.open(root, context).keep_index()
    assert not (root / "_index").exists()
