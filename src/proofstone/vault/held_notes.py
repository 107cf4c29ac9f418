"""The plain notes of a vault that was read without an index (spec page 9).

The bytes of 100,000 notes are most of what an open vault has in memory. They lie together in a few
large pieces, which can be put aside: into a file without a name, that no other program can open,
cut short or replace, and that is gone when this one ends, however it ends. A note then costs a
read of it, as one that an index holds does.
"""

from __future__ import annotations

import mmap
import os
from array import array
from bisect import bisect_right
from contextlib import closing, suppress
from typing import TYPE_CHECKING

from proofstone.vault import layout
from proofstone.vault.reading import read_at

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from proofstone.domain.note_kinds import NoteKind
    from proofstone.domain.records import Holdings
    from proofstone.vault.rows import RoomRows

PIECE_BYTES = 1024 * 1024
"""A piece of memory has at least so many bytes, and ends with the note that brings it there."""


class HeldNotes:
    """The bytes of notes, by number in the order in which they are added.

    One thread adds and puts aside; any may ask for bytes meanwhile.
    """

    def __init__(self) -> None:
        self._pieces: list[mmap.mmap | None] = []
        self._firsts = array("I")
        """The number of each piece's first note."""
        self._starts = array("I")
        """Where each note begins in its piece."""
        self._sizes = array("I")
        self._last: list[bytes] = []
        """The notes that have no piece yet, and their bytes."""
        self._length = 0
        self._aside: int | None = None
        """The descriptor of the file of what was put aside."""
        self._offsets: list[int] = []
        """Where each piece that was put aside begins in that file."""

    def __del__(self) -> None:
        if self._aside is not None:
            os.close(self._aside)

    def add(self, data: bytes) -> int:
        """Hold a note; its number."""
        start = self._length
        if start >= PIECE_BYTES:
            self._close()
            start = 0
        self._length = start + len(data)
        self._last.append(data)
        self._starts.append(start)
        return len(self._starts) - 1

    def _close(self) -> None:
        """Put the last notes into a piece of their own."""
        if not self._last:
            return
        piece = mmap.mmap(-1, max(self._length, 1))
        piece[: self._length] = b"".join(self._last)
        self._pieces.append(piece)
        self._firsts.append(len(self._sizes))
        # In this order, which ``bytes_of`` relies on: a note is in its piece before it leaves here.
        self._sizes.extend(map(len, self._last))
        self._last, self._length = [], 0

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def held_bytes(self) -> int:
        """Bytes of memory that notes have now."""
        return self._length + sum(len(piece) for piece in self._pieces if piece is not None)

    def bytes_of(self, number: int) -> bytes | None:
        """A note's bytes; None when the disk does not give back what was put aside."""
        last, closed = self._last, len(self._sizes)
        if number >= closed:
            return last[number - closed]
        place = bisect_right(self._firsts, number) - 1
        start, size = self._starts[number], self._sizes[number]
        piece = self._pieces[place]
        if piece is not None:
            return piece[start : start + size]
        assert self._aside is not None
        try:
            data = read_at(self._aside, self._offsets[place] + start, size)
        except OSError:
            return None
        return data if len(data) == size else None

    def put_aside(self, folder: Path) -> None:
        """Put all notes into a file without a name in ``folder``; later calls do nothing.

        What the disk does not take stays in memory. Raises OSError when there can be no file.
        """
        if self._aside is not None or not self._starts:
            return
        self._close()
        import tempfile

        end = 0
        with closing(tempfile.TemporaryFile(dir=folder, buffering=0)) as file, suppress(OSError):
            self._aside = os.dup(file.fileno())
            for number, piece in enumerate(self._pieces):
                if piece is None or file.write(piece) != len(piece):
                    return
                self._offsets.append(end)
                end += len(piece)
                # Who reads from the piece now keeps it until then.
                self._pieces[number] = None


def rooms_of(holdings: Holdings) -> dict[NoteKind, RoomRows]:
    """The rooms that the records of a vault were read from; none for other programs' stores."""
    from proofstone.vault.rows import RecordList

    lists = (
        *(holdings.memories, holdings.history, holdings.proposals, holdings.evidence),
        *(holdings.tombstones, holdings.inquiries),
    )
    return {
        room.kind: room
        for records in lists
        if isinstance(records, RecordList)
        for room, _ in records.parts
    }


def put_aside(root: Path, rooms: Mapping[NoteKind, RoomRows]) -> None:
    """Put aside the notes of these rooms that are held in memory, where the index has its place.

    Raises OSError when that cannot be written.
    """
    from proofstone.vault.files import Files

    held = {id(room.held): room.held for room in rooms.values() if room.held is not None}
    place = f"{layout.INDEX}/aside"
    # Elsewhere every file has a name while it is open, under which a purge would leave its words.
    is_nameless = os.name == "posix"
    if not any(held.values()) or not is_nameless or layout.is_linked(root, place):
        return
    for folder in layout.folders_of([place]):
        Files().make_folder(root / folder)
    for notes in held.values():
        notes.put_aside(root / layout.INDEX)
