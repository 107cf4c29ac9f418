"""Notes that were read without an index can be put aside, and are what they were."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from proofstone.curation.context import Context
from proofstone.curation.first_look import StagedOpening
from proofstone.curation.workspace import Workspace
from proofstone.domain.note_kinds import NoteKind
from proofstone.tui.opening import read_in_stages
from proofstone.vault import first_look, held_notes, index, layout, room_reader
from proofstone.vault.held_notes import HeldNotes, put_aside, rooms_of
from proofstone.vault.vault import Vault
from tests.unit.test_index import DEMO, later, tree

CONTEXT = Context(lambda: datetime.now(UTC), "mira")
needs_nameless = pytest.mark.skipif(os.name != "posix", reason="files have names there")


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A vault whose rooms are read as large ones are."""
    monkeypatch.setattr(room_reader, "PLAIN_FROM", 0)
    monkeypatch.setattr(index, "WORTHWHILE", 0)
    monkeypatch.setattr(held_notes, "PIECE_BYTES", 5_000)
    monkeypatch.setattr(room_reader.RoomReader.__init__, "__defaults__", (later,))
    shutil.copytree(DEMO, tmp_path / "vault", ignore=shutil.ignore_patterns("_index"))
    return tmp_path / "vault"


def held_in(workspace: Workspace) -> HeldNotes:
    held = rooms_of(workspace.holdings)[NoteKind.MEMORY].held
    assert held is not None and len(held) > 50, "most notes of the demo vault are plain"
    return held


def test_notes_are_what_they_were_wherever_they_are(tmp_path: Path) -> None:
    chance = random.Random(7)
    notes = [chance.randbytes(chance.choice((0, 1, 700, 400_000))) for _ in range(12)]
    notes.append(chance.randbytes(held_notes.PIECE_BYTES + 1))
    held = HeldNotes()
    assert [held.add(data) for data in notes] == list(range(len(notes)))
    assert held.held_bytes >= sum(map(len, notes))
    for _ in range(2):
        assert [held.bytes_of(number) for number in range(len(notes))] == notes
        held.put_aside(tmp_path)
        assert held.held_bytes == 0
    assert [held.bytes_of(number) for number in range(len(notes))] == notes
    if os.name == "posix":
        assert list(tmp_path.iterdir()) == []


class _Full:
    """A file on a disk that takes two pieces and no more."""

    def __init__(self, file: object, how: str) -> None:
        self._file, self._how, self._left = file, how, 2

    def write(self, data: bytes) -> int:
        self._left -= 1
        if self._left >= 0:
            return self._file.write(data)  # type: ignore[attr-defined, no-any-return]
        if self._how == "error":
            raise OSError(28, "No space left on device")
        return self._file.write(memoryview(data)[:10])  # type: ignore[attr-defined, no-any-return]

    def fileno(self) -> int:
        return self._file.fileno()  # type: ignore[attr-defined, no-any-return]

    def close(self) -> None:
        self._file.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("how", ["error", "short"])
def test_what_a_full_disk_does_not_take_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    original = tempfile.TemporaryFile
    monkeypatch.setattr(tempfile, "TemporaryFile", lambda **how_: _Full(original(**how_), how))
    monkeypatch.setattr(held_notes, "PIECE_BYTES", 1_000)
    notes = [bytes([number]) * 600 for number in range(6)]
    held = HeldNotes()
    for data in notes:
        held.add(data)
    held.put_aside(tmp_path)
    assert held.held_bytes == 1_200
    assert [held.bytes_of(number) for number in range(len(notes))] == notes


@needs_nameless
def test_a_workspace_holds_no_texts_once_they_were_put_aside(root: Path) -> None:
    wanted = Vault(root).read()
    workspace = Workspace.open(root, CONTEXT)
    held = held_in(workspace)
    before = tree(root)
    assert held.held_bytes > 50_000
    workspace.hold_less()
    assert held.held_bytes == 0
    assert workspace.contents == wanted
    assert {path: found for path, found in tree(root).items() if path in before} == before
    assert set(tree(root)) - set(before) <= {f"{root}/_index", f"{root}/{layout.INDEX}"}


@needs_nameless
def test_the_workbench_puts_them_aside_before_it_compares(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_look, "WORTHWHILE", 1)
    held: list[int] = []
    prepare = Workspace.prepare

    def noted(workspace: Workspace, *told: object) -> None:
        held.append(held_in(workspace).held_bytes)
        prepare(workspace, *told)  # type: ignore[arg-type]

    monkeypatch.setattr(Workspace, "prepare", noted)
    opening = StagedOpening(root, CONTEXT)
    page = opening.first_page()
    assert page is not None
    read_in_stages(opening, opening.first_look(page), lambda message: None)
    assert held == [0]


@needs_nameless
@pytest.mark.parametrize("what", ["deleted", "cut short", "of other notes", "its folder deleted"])
def test_whatever_becomes_of_the_index_the_texts_are_right(
    root: Path, tmp_path: Path, what: str
) -> None:
    wanted = Vault(root).read()
    workspace = Workspace.open(root, CONTEXT)
    workspace.hold_less()
    rooms = rooms_of(workspace.holdings)
    assert index.update(root, now=later, read=rooms)
    place = root / index.PATH
    if what == "deleted":
        place.unlink()
    elif what == "cut short":
        os.truncate(place, 100)
    elif what == "its folder deleted":
        shutil.rmtree(root / "_index")
    else:
        place.write_bytes(place.read_bytes().replace(b"the", b"eht"))
    assert held_in(workspace).held_bytes == 0
    assert workspace.contents == wanted


@needs_nameless
def test_an_index_of_what_was_read_is_the_one_that_reading_again_makes(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = later()
    assert index.update(root, now=lambda: moment)
    wanted = (root / index.PATH).read_bytes()
    (root / index.PATH).unlink()
    workspace = Workspace.open(root, CONTEXT)
    workspace.hold_less()
    read: list[str] = []
    original = index.read_file

    def counted(*found: object) -> bytes:
        read.append(found[1].path)  # type: ignore[attr-defined]
        return original(*found)  # type: ignore[arg-type]

    monkeypatch.setattr(index, "read_file", counted)
    note = sorted((root / "knowledge").iterdir())[3]
    assert index.update(root, now=lambda: moment, read=rooms_of(workspace.holdings))
    assert (root / index.PATH).read_bytes() == wanted
    assert f"knowledge/{note.name}" not in read

    # What was changed since is read again, and what was added.
    (root / index.PATH).unlink()
    note.write_bytes(note.read_bytes() + b"And more.\n")
    (root / "knowledge/mem-new.md").write_bytes(note.read_bytes())
    read.clear()
    assert index.update(root, now=lambda: moment + 1, read=rooms_of(workspace.holdings))
    assert {f"knowledge/{note.name}", "knowledge/mem-new.md"} <= set(read)
    assert len(read) < 50
    assert Vault(root).read() == _without_index(root)


def test_a_file_that_was_young_when_it_was_read_is_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room_reader.RoomReader.__init__, "__defaults__", (time.time_ns,))
    note = sorted((root / "knowledge").iterdir())[3]
    data = note.read_bytes()
    note.write_bytes(data)
    rooms = rooms_of(Workspace.open(root, CONTEXT).holdings)
    # Changed again without a trace, as file systems with coarse times let happen.
    status = note.stat()
    room = rooms[NoteKind.MEMORY]
    place = room.listing.names.index(note.name)
    note.write_bytes(data[:-2] + b"?\n")
    os.utime(note, ns=(status.st_atime_ns, status.st_mtime_ns))
    room.listing.stats[place * 4 + 2] = note.stat().st_ctime_ns
    assert index.update(root, now=later, read=rooms)
    found = index.VaultIndex.open(root)
    assert found is not None
    names = found.rooms[NoteKind.MEMORY].listing.names
    assert found.bytes_of(names.index(note.name)) == data[:-2] + b"?\n"


@needs_nameless
def test_a_note_that_was_only_touched_keeps_its_place(root: Path) -> None:
    vault = Vault(root)
    vault.read()
    room = vault._rooms[NoteKind.MEMORY]
    put_aside(root, {room.kind: room})
    place = next(place for place, row in enumerate(room.rows) if isinstance(row, int))
    os.utime(root / room.path(place), ns=(1, 1))
    vault.read()
    after = vault._rooms[NoteKind.MEMORY]
    assert after is not room
    assert after.rows[place] == room.rows[place]
    assert after.raw(place) == (root / room.path(place)).read_bytes()


def test_nothing_is_put_aside_in_a_vault_that_is_only_looked_at(root: Path) -> None:
    shutil.rmtree(root / layout.OWN_STATE, ignore_errors=True)
    (root / layout.SETTINGS).unlink()
    before = tree(root)
    workspace = Workspace.open(root, CONTEXT)
    workspace.hold_less()
    assert held_in(workspace).held_bytes
    assert tree(root) == before


@needs_nameless
def test_a_folder_that_takes_nothing_changes_nothing(root: Path, tmp_path: Path) -> None:
    (root / "_index").symlink_to(tmp_path)
    workspace = Workspace.open(root, CONTEXT)
    workspace.hold_less()
    assert held_in(workspace).held_bytes
    assert sorted(path.name for path in tmp_path.iterdir()) == ["vault"]


def _without_index(root: Path) -> object:
    shutil.rmtree(root / "_index")
    return Vault(root).read()
