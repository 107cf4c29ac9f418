"""Reading the rooms of a vault: what is known to be unchanged is taken over, the rest is read.

What is known comes from an earlier reading in this process, or from the index. Both give what
reading every file would give (spec page 9).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, cast

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.note_kinds import NoteKind
from proofstone.vault import layout
from proofstone.vault.held_notes import HeldNotes
from proofstone.vault.index import CAREFUL, MISSING, VaultIndex
from proofstone.vault.listing import SUFFIX, list_room, places
from proofstone.vault.note_reader import NoteReader, read_files
from proofstone.vault.plain_note import plain_id
from proofstone.vault.reading import MAX_NOTE_BYTES, not_read, read_one
from proofstone.vault.rows import Careful, RoomRows, Row
from proofstone.vault.walk import Found

if TYPE_CHECKING:
    from proofstone.vault.listing import Listing
    from proofstone.vault.records import Record
    from proofstone.vault.told import KeptTold


PLAIN_FROM = 200
"""A room with fewer files to read is read at once: for them the pattern is not worth its making."""


class RoomReader:
    """Reads rooms one after the other; ``count`` is called for every file that is read.

    ``previous`` are the rooms of an earlier reading of the same vault, or nothing.
    """

    def __init__(
        self,
        root: Path,
        count: Callable[[], None],
        previous: Mapping[NoteKind, RoomRows],
        now: Callable[[], int] = time.time_ns,
    ) -> None:
        self._root = root
        self._count = count
        self._previous = previous
        self._index = None if previous else VaultIndex.open(root)
        self._held = None if previous or self._index is not None else HeldNotes()
        source = self._held if self._index is None else self._index
        self._bytes_of = (lambda _row: None) if source is None else source.bytes_of
        self._now = now
        self._reader = NoteReader()

    def read(self, kind: NoteKind) -> RoomRows:
        """One room as it is now."""
        room = layout.ROOMS[kind]
        previous = self._previous.get(kind)
        indexed = self._index.rooms[kind] if self._index is not None else None
        known = previous.listing if previous else indexed.listing if indexed else None
        moment = self._now()
        listing = list_room(self._root, room, layout.rooms_below(room), known)
        rows: list[Row | None]
        if previous is not None:
            if listing is previous.listing and not previous.young:
                return previous
            rows = _taken_over(listing, previous.listing, previous.rows, previous.young)
        elif indexed is not None:
            numbers: list[Row] = list(range(indexed.first, indexed.first + len(indexed.states)))
            missing = frozenset(_in_state(indexed.states, MISSING))
            rows = _taken_over(listing, indexed.listing, numbers, missing)
            careful = [numbers[place] for place in _in_state(indexed.states, CAREFUL)]
            if careful:
                self._read_indexed(kind, room, listing, rows, frozenset(careful))
        else:
            rows = [None] * len(listing.names)
        young: set[int] = set()
        if None in rows:
            fresh = [place for place in listing.order if rows[place] is None]
            before = {}
            if previous is not None:
                was = places(previous.listing)
                names = ((place, listing.names[place]) for place in fresh)
                before = {place: previous.rows[was[name]] for place, name in names if name in was}
            young = self._read_files(kind, room, listing, rows, fresh, before)
            young |= {place for place in fresh if listing.is_young(place, moment)}
        is_simple = set(map(type, rows)) <= {bytes, int} and "/" not in "\n".join(listing.names)
        make = previous.make if previous is not None else self._make
        filled = cast(list[Row], rows)
        found = previous.indexed if previous is not None else self._bytes_of
        made = RoomRows(kind, room, listing, filled, make, is_simple, frozenset(young), found)
        made.held = previous.held if previous is not None else self._held
        if kind is NoteKind.MEMORY:
            made.kept = previous.kept if previous is not None else self._kept
            if previous is not None and previous.told is not None:
                made.told = previous.told.moved(_unchanged(made, previous))
        return made

    def _read_files(
        self,
        kind: NoteKind,
        room: str,
        listing: Listing,
        rows: list[Row | None],
        fresh: list[int],
        before: Mapping[int, Row],
    ) -> set[int]:
        """Fill in the rows of ``fresh`` places; those that could not be read are given back.

        ``before`` are rows of files that may have changed: where the content did not, they stay.
        """
        failed: set[int] = set()
        is_many = len(fresh) >= PLAIN_FROM
        files = (
            Found(path := f"{room}/{listing.names[place]}", f"{self._root}/{path}")
            for place in fresh
        )
        contents = read_files(self._root, files, MAX_NOTE_BYTES)
        for place, (found, data) in zip(fresh, contents, strict=True):
            self._count()
            if isinstance(data, bytes):
                known = before.get(place)
                is_same = known is not None and self._is_of(kind, known, data)
                row = known if is_same else self._row(kind, found.path, data, is_many)
                if self._held is not None and isinstance(row, bytes):
                    row = self._held.add(row)
                rows[place] = row
                continue
            failed.add(place)
            # What another program removed since the folder was listed is not there: no problem.
            is_gone = isinstance(data, FileNotFoundError)
            rows[place] = Careful(None, () if is_gone else (not_read(found, data),))
        return failed

    def _read_indexed(
        self,
        kind: NoteKind,
        room: str,
        listing: Listing,
        rows: list[Row | None],
        careful: frozenset[Row],
    ) -> None:
        """Read with care what the index holds in other forms than those that programs write."""
        assert self._index is not None
        for place, row in enumerate(rows):
            if isinstance(row, int) and row in careful:
                data = self._index.bytes_of(row)
                path = f"{room}/{listing.names[place]}"
                rows[place] = None if data is None else self._row(kind, path, data)

    def _row(self, kind: NoteKind, path: str, data: bytes, is_one_of_many: bool = False) -> Row:
        name = path[path.rfind("/") + 1 : -len(SUFFIX)]
        if is_one_of_many and name and plain_id(kind, data) == name:
            return data
        record, problems = self._reader.read(kind, data, path)
        if record is None or problems:
            return Careful(record, problems)
        return record

    def _is_of(self, kind: NoteKind, row: Row, data: bytes) -> bool:
        """Whether an earlier reading's row stands for exactly these bytes."""
        if isinstance(row, int):
            return self._previous[kind].indexed(row) == data
        if isinstance(row, bytes):
            return row == data
        return not isinstance(row, Careful) and row.revision == sha256(data).hexdigest()

    def _kept(self) -> KeptTold | None:
        return None if self._index is None else self._index.told()

    def _make(self, kind: NoteKind, row: bytes | int, path: str) -> Record:
        """The record of a plain note; of the file itself when the index was damaged since."""
        data: bytes | OSError | None = row if isinstance(row, bytes) else None
        if isinstance(row, int):
            data = self._bytes_of(row)
        if data is None:
            data = read_one(self._root, Found(path, f"{self._root}/{path}"), MAX_NOTE_BYTES)
        record = self._reader.read(kind, data, path)[0] if isinstance(data, bytes) else None
        if record is None:
            raise ProofstoneError(
                f"{path}: the note is not what it was when the vault was opened; open it again"
            )
        return record


def _unchanged(room: RoomRows, previous: RoomRows) -> list[int]:
    """Of each place of a room the place that the same row had in ``previous``, or -1."""
    listing, before = room.listing, previous.listing
    if listing.names == before.names:
        was: list[int] = list(range(len(room.rows)))
    else:
        known = places(before)
        was = [known.get(name, -1) for name in listing.names]
    rows = zip(room.rows, was, strict=True)
    return [old if old >= 0 and row is previous.rows[old] else -1 for row, old in rows]


def _taken_over(
    listing: Listing, before: Listing, rows: list[Row], without: frozenset[int]
) -> list[Row | None]:
    """The rows of files that are as they were, None for the others."""
    if listing is before or (listing.names == before.names and listing.stats == before.stats):
        taken: list[Row | None] = list(rows)
        for place in without:
            taken[place] = None
        return taken
    taken = []
    known = places(before)
    for place, name in enumerate(listing.names):
        was = known.get(name, -1)
        is_same = was >= 0 and was not in without and before.stat(was) == listing.stat(place)
        taken.append(rows[was] if is_same else None)
    return taken


def _in_state(states: array[int], state: int) -> list[int]:
    if not states.count(state):
        return []
    return [place for place, found in enumerate(states) if found == state]
