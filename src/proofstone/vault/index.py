"""The disposable index: the plain notes of a vault in one file, to open it without reading all.

``_index/proofstone/notes`` holds each note's bytes with the size, times and number that its file
had, and what the memories tell of themselves (``told``): their keys, the order of their titles.
A file for which these numbers are the same is taken from here, any other is read. Deleting the
index loses nothing, and whatever is wrong with it (another version, cut short, changed) it is as
if it were not there: a record is the same with an index and without.

Opening and showing a vault never write it; ``update`` does, which the workbench calls behind the
screen. Under the vault's lock the finished file takes the old one's place, and only if no ruling
was written since the files were listed: so a purge, which removes the index, cannot be undone by
one that another program was about to write. The index of siblings (``sibling_file``) lies beside
it and is written with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import struct
import sys
import time
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, Protocol
from zlib import crc32

from proofstone.domain.note_kinds import NoteKind
from proofstone.vault import layout
from proofstone.vault.files import NEW_FILE, Files
from proofstone.vault.listing import PER_FILE, SUFFIX, Listing, list_room, places
from proofstone.vault.plain_note import plain_id
from proofstone.vault.reading import MAX_NOTE_BYTES, read_at
from proofstone.vault.told import KeptTeller, KeptTold, Title
from proofstone.vault.walk import Found, read_file

if TYPE_CHECKING:
    from proofstone.vault.rows import RoomRows

PATH = f"{layout.INDEX}/notes"
_MAGIC = b"proofstone notes 2\n"
"""Another form of the file, or another rule for what is plain, needs another number."""
_HEAD = struct.Struct(f"<{len(_MAGIC)}sqq32s")
"""The magic words; where the table starts and its length; its SHA-256. The table comes last."""

WORTHWHILE = 2_000
"""A vault with fewer notes is read as quickly without an index."""

MISSING, CAREFUL, PLAIN = 0, 1, 2
"""A file's state: not in the index, to be read with care, or in the form that programs write."""


@dataclass(frozen=True, slots=True)
class IndexedRoom:
    """A room as it was listed, with each file's state, and the place and CRC-32 of its bytes.

    ``first`` is the row of the first file: rows are counted through all rooms.
    """

    listing: Listing
    states: array[int]
    offsets: array[int]
    checks: array[int]
    first: int


class _Table(NamedTuple):
    """The rooms of an index, and where what is told lies: its start, length and SHA-256."""

    rooms: dict[NoteKind, IndexedRoom]
    told: tuple[int, int, str]


class VaultIndex:
    """An open index. It reads from the file that it was opened on, even when that is replaced."""

    def __init__(self, descriptor: int, table: _Table) -> None:
        self._descriptor = descriptor
        self._table = table
        self.rooms = table.rooms

    def __del__(self) -> None:
        os.close(self._descriptor)

    @classmethod
    def open(cls, root: Path) -> VaultIndex | None:
        """The vault's index, or None when there is none that can be used."""
        flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
        if layout.is_linked(root, PATH):
            return None
        try:
            descriptor = os.open(root / PATH, flags | getattr(os, "O_NONBLOCK", 0))
        except OSError:
            return None
        try:
            table = _read_table(descriptor)
        except (OSError, ValueError, KeyError, TypeError, RecursionError, struct.error):
            os.close(descriptor)
            return None
        return cls(descriptor, table)

    def told(self) -> KeptTold | None:
        """What the memories tell of themselves, read now; None when that cannot be used."""
        start, length, digest = self._table.told
        room = self.rooms[NoteKind.MEMORY]
        try:
            if not 0 <= length <= os.fstat(self._descriptor).st_size:
                return None
            data = read_at(self._descriptor, start, length)
            if sha256(data).hexdigest() != digest:
                return None
            return KeptTold.decoded(data, len(room.states), room.first)
        except (OSError, ValueError, OverflowError):
            return None

    def bytes_of(self, row: int) -> bytes | None:
        """A file's bytes, or None when they are not there or not what they were."""
        for room in self.rooms.values():
            place = row - room.first
            if 0 <= place < len(room.states):
                return self._bytes(room, place)
        return None

    def _bytes(self, room: IndexedRoom, place: int) -> bytes | None:
        size = room.listing.stats[place * PER_FILE]
        try:
            data = read_at(self._descriptor, room.offsets[place], size)
        except OSError:
            return None
        return data if len(data) == size and crc32(data) == room.checks[place] else None


def may_write(root: Path) -> bool:
    """Whether Proofstone has written in this vault before: opening another's adds nothing to it."""
    return (root / layout.SETTINGS).is_file() or (root / layout.OWN_STATE).is_dir()


class Beside(Protocol):
    """Writes a second file that stands beside the index and is of the same listing."""

    def write(self, out: IO[bytes], listings: Mapping[NoteKind, Listing], moment: int) -> bool:
        """Write it; whether it is to be kept. Raises ValueError for what has no form."""


def update(
    root: Path,
    progress: Callable[[int], None] | None = None,
    *,
    beside: Mapping[str, Beside] | None = None,
    read: Mapping[NoteKind, RoomRows] | None = None,
    now: Callable[[], int] = time.time_ns,
    files: Files | None = None,
) -> bool:
    """Bring the index up to date, reading only what changed; whether anything was written.

    ``progress`` is called with the number of files taken so far. What is ``beside`` the index, by
    its path, is written by the same rules, even when the index is as it should be. A note that
    was ``read`` when its file was as it is now is not read again. Raises VaultWriteError when the
    vault cannot be locked; a disk that refuses leaves the old files, or none.
    """
    from proofstone.vault.lock import VaultLock

    if layout.is_linked(root, PATH):
        return False
    files = files or Files()
    journal, moment = _journal_state(root), now()
    old = VaultIndex.open(root)
    read = read or {}
    before = {kind: known.listing for kind, known in (old.rooms if old else read).items()}
    listings = {
        kind: list_room(root, room, layout.rooms_below(room), before.get(kind))
        for kind, room in layout.ROOMS.items()
    }
    wanted = dict(beside or {})
    if old is None or not _is_current(old, listings, moment):
        wanted[PATH] = _Writing(root, old, progress, read)
    try:
        with contextlib.ExitStack() as leaving:
            written = {
                path: temporary
                for path, writing in wanted.items()
                if (temporary := _written(root, path, writing, listings, moment, files, leaving))
            }
            if not written:
                return False
            with VaultLock(root):
                if _journal_state(root) != journal:
                    return False
                for path, temporary in written.items():
                    files.rename(temporary, root / path)
    except OSError:
        return False
    return True


def _written(
    root: Path,
    path: str,
    writing: Beside,
    listings: Mapping[NoteKind, Listing],
    moment: int,
    files: Files,
    leaving: contextlib.ExitStack,
) -> Path | None:
    """The file that is to take the place of ``path``; it is removed on ``leaving`` if it has not.
    None when there is none to keep."""
    from proofstone.vault.swap import temporary_name

    for folder in layout.folders_of([path]):
        files.make_folder(root / folder)
    temporary = (root / path).with_name(temporary_name(f"{os.getpid()} {moment}", path))
    leaving.callback(temporary.unlink, missing_ok=True)
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(temporary, flags, NEW_FILE), "wb") as out:
        try:
            is_kept = writing.write(out, listings, moment)
        except ValueError:
            return None
    return temporary if is_kept else None


class _Writing:
    """One new index, of what an old one has and of what is read now."""

    def __init__(
        self,
        root: Path,
        old: VaultIndex | None,
        progress: Callable[[int], None] | None,
        read: Mapping[NoteKind, RoomRows],
    ) -> None:
        self._root = root
        self._known = read
        self._old = old
        self._moment = 0
        self._progress = progress
        self._count = 0
        self._position = _HEAD.size
        self._told = KeptTeller(None, lambda place: ("", ""))

    def write(self, out: IO[bytes], listings: Mapping[NoteKind, Listing], moment: int) -> bool:
        """Write the bytes of all files and what they tell; then the table; last the head that makes
        it an index."""
        self._moment = moment
        out.write(bytes(_HEAD.size))
        parts: list[bytes] = []
        counts: list[list[int]] = []
        for kind, listing in listings.items():
            columns = self._columns(out, kind, listing)
            names = "\0".join(listing.names).encode()
            order = array("q", listing.order)
            counts.append([len(listing.names), len(names)])
            parts += [names, *(column.tobytes() for column in (listing.stats, order, *columns))]
        told = self._told.finished().encoded()
        out.write(told)
        about = {
            "byteorder": sys.byteorder,
            "rooms": counts,
            "told": [self._position, len(told), sha256(told).hexdigest()],
        }
        self._position += len(told)
        table = b"\n".join((json.dumps(about).encode(), b"".join(parts)))
        out.write(table)
        out.seek(0)
        out.write(_HEAD.pack(_MAGIC, self._position, len(table), sha256(table).digest()))
        return True

    def _columns(
        self, out: IO[bytes], kind: NoteKind, listing: Listing
    ) -> tuple[array[int], array[int], array[int]]:
        """The states, offsets and checks of a room's files, whose bytes are written to ``out``."""
        old = self._old.rooms[kind] if self._old is not None else None
        before = places(old.listing) if old is not None else {}
        tell = self._telling(listing, before) if kind is NoteKind.MEMORY else None
        again = _Again(self._known.get(kind), listing)
        states, offsets, checks = array("q"), array("q"), array("q")
        for place, name in enumerate(listing.names):
            data, state = None, MISSING
            known = before.get(name, -1)
            if not listing.is_young(place, self._moment):
                if (
                    old is not None
                    and self._old is not None
                    and known >= 0
                    and old.states[known]
                    and old.listing.stat(known) == listing.stat(place)
                ):
                    data = self._old.bytes_of(old.first + known)
                    state = old.states[known]
                if data is None and (data := again.bytes_of(place)) is not None:
                    state, known = PLAIN, -1
                elif data is None:
                    data = self._read(f"{layout.ROOMS[kind]}/{name}", listing.stat(place)[0])
                    state, known = MISSING, -1
                if data is not None and not state:
                    is_plain = plain_id(kind, data) == _id_in(name)
                    state, known = PLAIN if is_plain else CAREFUL, -1
            states.append(state if data is not None else MISSING)
            offsets.append(self._position)
            checks.append(0 if data is None else crc32(data))
            if tell is not None:
                tell(name, data if state == PLAIN else None, known)
            if data is not None:
                out.write(data)
                self._position += len(data)
            self._count += 1
            if self._progress is not None:
                self._progress(self._count)
        return states, offsets, checks

    def _telling(
        self, listing: Listing, before: Mapping[str, int]
    ) -> Callable[[str, bytes | None, int], None]:
        """What takes in the name of each memory's file, its bytes if it is a plain note, and its
        place in the old index if it is unchanged."""
        from proofstone.vault.survey import Teller, title_of

        old = self._old

        def title(place: int) -> Title:
            name = listing.names[place]
            assert old is not None, "only what an old index told is asked for again"
            data = old.bytes_of(old.rooms[NoteKind.MEMORY].first + before[name])
            if data is None:
                raise OSError(f"{name}: no longer in the index")
            return title_of(_id_in(name), data)

        told = self._told = KeptTeller(old.told() if old else None, title)
        teller = Teller()

        def tell(name: str, data: bytes | None, known: int) -> None:
            if data is None or not told.take(known):
                told.tell(*teller.told(_id_in(name), data))

        return tell

    def _read(self, path: str, size: int) -> bytes | None:
        """A file's bytes if it is as long as it was when it was listed."""
        try:
            data = read_file(self._root, Found(path, f"{self._root}/{path}"), MAX_NOTE_BYTES)
        except OSError:
            return None
        return data if len(data) == size else None


class _Again:
    """The notes of a room that were read already, by the places of a newer ``listing``."""

    def __init__(self, room: RoomRows | None, listing: Listing) -> None:
        self._room = room
        self._listing = listing
        is_same = room is None or room.listing is listing
        self._was = None if is_same or room is None else places(room.listing)

    def bytes_of(self, place: int) -> bytes | None:
        """A plain note's bytes, if its file was then as it is now."""
        room, was = self._room, place
        if self._was is not None:
            was = self._was.get(self._listing.names[place], -1)
        if room is None or was < 0 or was in room.young:
            return None
        if self._was is not None and room.listing.stat(was) != self._listing.stat(place):
            return None
        return room.raw(was)


def _id_in(name: str) -> str:
    """The id that a plain note's file is named by."""
    return name.rpartition("/")[2].removesuffix(SUFFIX)


def _is_current(old: VaultIndex, listings: Mapping[NoteKind, Listing], moment: int) -> bool:
    """Whether nothing changed, and nothing was left out that is old enough to be taken in now."""
    return old.told() is not None and all(
        old.rooms[kind].listing is listing
        and not any(
            state == MISSING and not listing.is_young(place, moment)
            for place, state in enumerate(old.rooms[kind].states)
        )
        for kind, listing in listings.items()
    )


def _read_table(descriptor: int) -> _Table:
    """The table of an index file. Raises OSError, or some error of what is not as expected."""
    size = os.fstat(descriptor).st_size
    magic, start, length, digest = _HEAD.unpack(read_at(descriptor, 0, _HEAD.size))
    if magic != _MAGIC or start < _HEAD.size or start + length != size:
        raise ValueError("not an index of this version, or cut short")
    table = read_at(descriptor, start, length)
    if sha256(table).digest() != digest:
        raise ValueError("the table is damaged")
    about, _, columns = table.partition(b"\n")
    said = json.loads(about)
    if said["byteorder"] != sys.byteorder:
        raise ValueError("made on another kind of machine")
    rooms: dict[NoteKind, IndexedRoom] = {}
    position = first = 0

    def column(count: int) -> array[int]:
        nonlocal position
        numbers = array("q", columns[position : position + 8 * count])
        position += 8 * count
        return numbers

    for kind, (count, named) in zip(layout.ROOMS, said["rooms"], strict=True):
        names = columns[position : position + named].decode().split("\0") if count else []
        position += named
        stats, order = column(PER_FILE * count), column(count)
        listing = Listing(names, stats, order.tolist())
        rooms[kind] = IndexedRoom(listing, column(count), column(count), column(count), first)
        first += count
    at, length, digest = said["told"]
    return _Table(rooms, (int(at), int(length), str(digest)))


def _journal_state(root: Path) -> tuple[int, int, int] | None:
    try:
        status = (root / layout.JOURNAL).stat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns, status.st_ino
