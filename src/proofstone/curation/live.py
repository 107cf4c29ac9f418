"""The notes of a vault as they are now, kept up to date by re-reading the files that changed.

A capture or a search must not read a whole vault again for one item. A ``LiveNotes`` is read once,
and then compares sizes and times of files; what changed is handed to those who listen, so that
their indexes are updated in place. Nothing is kept on disk: what it knows is what the files say.

Comparing 100,000 files takes some tenths of a second, too much for each of many captures in a row.
Between two comparisons ``follow`` therefore reads just the files that the journal's new rows name.
That is exact for everything that Proofstone writes; what others write by hand is seen with the
next comparison, which follows soon and at once in a vault that is compared quickly.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from proofstone.curation.unread import refusal_for
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import NoteKind, NoteRef
from proofstone.domain.records import Memory, Proposal, Tombstone
from proofstone.vault import layout
from proofstone.vault.bulk import bulk_loading, settle
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.journal import parse_row, row_changes
from proofstone.vault.note_reader import NoteReader
from proofstone.vault.reading import MAX_NOTE_BYTES, unlisted
from proofstone.vault.room_reader import RoomReader
from proofstone.vault.rows import RoomRows
from proofstone.vault.settings import Settings, SettingsError, read_settings
from proofstone.vault.walk import LINKED_ROOM, MAX_FOLDER_DEPTH, Found, read_file

Note = Memory | Proposal | Tombstone
Listener = Callable[[NoteKind, Note | None, Note | None], None]
"""Called with a note as it was and as it is; None means that there was, or is, none of its id."""

ROOMS = (
    NoteKind.MEMORY,
    NoteKind.HISTORY,
    NoteKind.PROPOSAL,
    NoteKind.RULED,
    NoteKind.TOMBSTONE,
)
"""The rooms that are followed, in the order in which changes are told."""

SHARE = 20
"""The files are compared again after this many times as long as it took the last time."""

QUICK_SECONDS = 0.02
"""A comparison that takes no longer is made every time."""

_Signature = tuple[int, int, int]
_End = tuple[int, bytes]
"""How long the journal is, and its last bytes."""

_END_BYTES = 256


PlainListener = Callable[[NoteKind, str, bytes], bool]
"""Called at the first reading with the id and the bytes of a plain note; whether that will do."""


@dataclass(slots=True)
class _Seen:
    """A file as it was read: its size, time and number, and the note in it if it has one.

    Of a plain note in ``rows`` the record is made when it is first asked for.
    """

    signature: _Signature
    made: Note | None = None
    rows: RoomRows | None = None
    place: int = 0

    @property
    def note(self) -> Note | None:
        """The note."""
        if self.rows is not None:
            record = self.rows.record(self.place)
            self.made = record if isinstance(record, (Memory, Proposal, Tombstone)) else None
            self.rows = None
        return self.made


class LiveNotes:
    """Memories, versions, proposals and tombstones of the vault in ``root``.

    Of several files that hold one id, the first by path counts, as it does everywhere.
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.settings = Settings()
        self._listeners: list[tuple[Listener, PlainListener]] = []
        self._seen: dict[NoteKind, dict[str, _Seen]] = {kind: {} for kind in ROOMS}
        self._paths: dict[NoteRef, list[str]] = {}
        self._reader = NoteReader()
        self.is_read = False
        self._compared = 0.0
        self._took = 0.0
        self._journal_end: _End = (0, b"")

    def listen(self, listener: Listener, plain: PlainListener = lambda *_: False) -> None:
        """Tell ``listener`` of every note that is there, and from now on of every change.

        What ``plain`` accepts of the notes that are there is not told to ``listener``, and no
        record is made of it.
        """
        for kind in ROOMS:
            self._tell_all(kind, listener, plain)
        self._listeners.append((listener, plain))

    def _tell_all(self, kind: NoteKind, listener: Listener, plain: PlainListener) -> None:
        seen = self._seen[kind]
        for ref, paths in self._paths.items():
            if ref.kind is not kind:
                continue
            first = seen[paths[0]]
            data = first.rows.raw(first.place) if first.rows is not None else None
            if data is None or not plain(kind, ref.id, data):
                listener(kind, None, first.note)

    def notes(self, kind: NoteKind) -> Iterator[Note]:
        """All notes of a kind, by path."""
        seen = self._seen[kind]
        for path in sorted(seen):
            note = seen[path].note
            if note is not None and self._paths[NoteRef(kind, id_of(note))][0] == path:
                yield note

    def get(self, kind: NoteKind, identifier: str) -> Note | None:
        """The note of this kind and id, or None."""
        paths = self._paths.get(NoteRef(kind, identifier))
        return self._seen[kind][paths[0]].note if paths else None

    def refresh(self) -> None:
        """Read what is new or has changed since the last time, and forget what is gone.

        Raises ProofstoneError when the folder is no vault, or its settings or a folder cannot be
        read.
        """
        begun = time.monotonic()
        self._require_vault()
        self._journal_end = self._end_of_journal()
        if not self.is_read:
            with bulk_loading():
                self._read_all()
            settle(sum(map(len, self._seen.values())))
        else:
            for kind in ROOMS:
                self._compare_room(kind)
        self.is_read = True
        self._compared = time.monotonic()
        self._took = self._compared - begun

    def follow(self) -> None:
        """``refresh``, or between two comparisons of all files only what the journal names.

        Call it under the vault's lock, so that the journal and the files agree.
        """
        since = time.monotonic() - self._compared
        if not self.is_read or self._took <= QUICK_SECONDS or since >= SHARE * self._took:
            self.refresh()
            return
        self._require_vault()
        journalled = self._journalled()
        if journalled is None:
            self.refresh()
            return
        for path in journalled:
            kind = layout.room_of(path)
            if kind in self._seen:
                self._read(kind, path)

    def _require_vault(self) -> None:
        if not layout.is_vault(self.root):
            raise ProofstoneError(
                f"{self.root}: there is no vault here; make one with `proofstone init`"
            )
        self.settings = self._read_settings()

    def _end_of_journal(self) -> _End:
        try:
            with (self.root / layout.JOURNAL).open("rb") as stream:
                size = stream.seek(0, os.SEEK_END)
                stream.seek(max(0, size - _END_BYTES))
                return size, stream.read(_END_BYTES)
        except OSError:
            return 0, b""

    def _journalled(self) -> list[str] | None:
        """The files that the journal's new rows name; None when it does not go on from before.

        A purge rewrites rows, which the bytes before the new ones show: they hold a hash.
        """
        size, end = self._journal_end
        if self._end_of_journal() == self._journal_end:
            return []
        try:
            with (self.root / layout.JOURNAL).open("rb") as stream:
                stream.seek(size - len(end))
                data = stream.read()
        except (OSError, ValueError):
            return None
        if not data.startswith(end):
            return None
        paths: set[str] = set()
        for row in map(parse_row, data[len(end) :].split(b"\n")):
            if row is not None and row["row"] == "open":
                paths.update(change.path for change in row_changes(row))
        self._journal_end = (size - len(end) + len(data), data[-_END_BYTES:])
        return sorted(paths)

    def _read_all(self) -> None:
        """The first reading: all at once, from the index where that has what a file says."""
        reader = RoomReader(self.root, lambda: None, {})
        for kind in ROOMS:
            rows = reader.read(kind)
            for fault in rows.listing.faults:
                if fault.is_unlisted:
                    raise ProofstoneError(refusal_for(unlisted(fault.path, fault.fault)))
            seen = self._seen[kind]
            for place in rows.listing.order:
                size, modified, _, number = rows.listing.stat(place)
                path = rows.path(place)
                identifier = rows.identifier(place)
                has_note = bool(identifier)
                seen[path] = _Seen(
                    (size, modified, number), None, rows if has_note else None, place
                )
                if has_note:
                    self._paths.setdefault(NoteRef(kind, identifier), []).append(path)
            for listener, plain in self._listeners:
                self._tell_all(kind, listener, plain)

    def _compare_room(self, kind: NoteKind) -> None:
        room = layout.ROOMS[kind]
        below = frozenset(other for other in layout.ROOMS.values() if other.startswith(f"{room}/"))
        seen = self._seen[kind]
        there = dict(_files(f"{self.root}{os.sep}", room, below, MAX_FOLDER_DEPTH))
        for path, signature in there.items():
            present = seen.get(path)
            if present is None or present.signature != signature:
                self._read(kind, path)
        for path in sorted(seen.keys() - there.keys()):
            self._put(kind, path, None)

    def _read(self, kind: NoteKind, path: str) -> None:
        """Read one file. Its signature is taken first: a change meanwhile is seen next time."""
        file = self.root / path
        try:
            signature = _signature(file.lstat())
        except OSError:
            self._put(kind, path, None)
            return
        try:
            data = read_file(self.root, Found(path, file), MAX_NOTE_BYTES)
        except OSError:
            self._put(kind, path, _Seen(signature, None))
            return
        record, _ = self._reader.read(kind, data, path)
        note = record if isinstance(record, (Memory, Proposal, Tombstone)) else None
        self._put(kind, path, _Seen(signature, note))

    def _put(self, kind: NoteKind, path: str, now: _Seen | None) -> None:
        """Take in what a file holds now, and tell of the ids that it changes."""
        seen = self._seen[kind]
        before = seen.get(path)
        old = before.note if before else None
        new = now.note if now else None
        refs = dict.fromkeys(NoteRef(kind, id_of(note)) for note in (old, new) if note is not None)
        told = {ref: self.get(kind, ref.id) for ref in refs}
        if old is not None:
            ref = NoteRef(kind, id_of(old))
            self._paths[ref].remove(path)
            if not self._paths[ref]:
                del self._paths[ref]
        if now is None:
            seen.pop(path, None)
        else:
            seen[path] = now
        if new is not None:
            paths = self._paths.setdefault(NoteRef(kind, id_of(new)), [])
            paths.append(path)
            paths.sort()
        for ref, was in told.items():
            present = self.get(kind, ref.id)
            if present is not was:
                for listener, _ in self._listeners:
                    listener(kind, was, present)

    def _read_settings(self) -> Settings:
        try:
            data = Files().read(self.root / layout.SETTINGS)
            return Settings() if data is None else read_settings(data)
        except SettingsError as error:
            raise ProofstoneError(
                f"{layout.SETTINGS} cannot be read: {error}; correct it first"
            ) from error
        except OSError as error:
            raise VaultWriteError(f"{layout.SETTINGS} cannot be read: {error.strerror}") from error


def id_of(note: Note) -> str:
    """A note's own id."""
    match note:
        case Memory():
            return note.memory_id
        case Proposal():
            return note.proposal_id
        case Tombstone():
            return note.tombstone_id


def _files(
    root: str, folder: str, without: frozenset[str], depth: int
) -> Iterator[tuple[str, _Signature]]:
    """The notes below a folder with their signatures, by the rules of ``vault.walk``.

    What could not be read as a note (links, pipes, odd names) is left out here.

    Raises:
        ProofstoneError: a folder cannot be listed, or the room is a link.
    """
    try:
        if os.path.islink(root + folder):  # noqa: PTH114 - as many calls as there are folders
            raise ProofstoneError(refusal_for(unlisted(folder, LINKED_ROOM)))
        with os.scandir(root + folder) as listing:
            entries = list(listing)
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        why = error.strerror or "it cannot be listed"
        raise ProofstoneError(refusal_for(unlisted(folder, why))) from error
    for entry in entries:
        name = entry.name
        if name.startswith("."):
            continue
        if name.endswith(".md") and entry.is_file(follow_symlinks=False):
            try:
                name.encode("utf-8")
                yield f"{folder}/{name}", _signature(entry.stat(follow_symlinks=False))
            except (OSError, UnicodeEncodeError):
                continue
        elif depth and f"{folder}/{name}" not in without and entry.is_dir(follow_symlinks=False):
            yield from _files(root, f"{folder}/{name}", without, depth - 1)


def _signature(status: os.stat_result) -> _Signature:
    return status.st_size, status.st_mtime_ns, status.st_ino
