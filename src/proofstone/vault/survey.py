"""What is asked of all memories at once: their keys, who was reviewed, the order of their titles.

One pass over the notes' bytes answers all of it, and its columns stay with the room (``told``):
they are carried from one reading of a vault to the next for what is unchanged, and an index of
notes keeps them. A memory that has a record answers from it; every way gives the same.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TypeGuard, overload

from proofstone.domain.matching import Sketch, sketch_of
from proofstone.domain.records import Memory
from proofstone.vault.plain_lines import END, is_ratified, line, text
from proofstone.vault.rows import RecordList, RoomRows
from proofstone.vault.told import (
    ACTIVE,
    NOTHING,
    KeptTold,
    Title,
    Told,
    flag,
    in_order,
)
from proofstone.vault.unmade import Sketcher


def sketches(memories: Sequence[Memory]) -> Iterator[Sketch]:
    """What matching has to know of each memory."""
    if _is_one_room(memories):
        return _Survey(*memories.parts[0]).sketches()
    return map(sketch_of, memories)


def count_unreviewed(memories: Sequence[Memory]) -> int:
    """How many memories a person still has to review."""
    if _is_one_room(memories):
        return _told(*memories.parts[0]).unreviewed
    return sum(not memory.is_reviewed for memory in memories)


def in_title_order(memories: Sequence[Memory]) -> Sequence[Memory]:
    """The memories by title and id, each made when it is asked for."""
    if _is_one_room(memories):
        ((room, places),) = memories.parts
        return OrderedMemories(room, _told(room, places).order)
    return sorted(memories, key=lambda memory: (memory.title, memory.memory_id))


def title_of(identifier: str, data: bytes) -> Title:
    """The title and id of a plain memory."""
    return text(line(data, b"\ntitle: ", data.find(END))), identifier


class Teller:
    """Tells of plain memories what an index keeps of them."""

    def __init__(self) -> None:
        self._sketcher = Sketcher()

    def told(self, identifier: str, data: bytes | None) -> tuple[int, tuple[str, str], Title]:
        """The flag, the profile and key, and the title of a note; a flag of 0 where there is no
        plain note, or only its record can tell."""
        unreviewed = None if data is None else is_unreviewed(data)
        if data is None or unreviewed is None:
            return 0, ("", ""), ("", "")
        sketch = self._sketcher.sketch(identifier, data)
        told = flag(is_active=sketch.is_active, is_unreviewed=unreviewed)
        return told, (sketch.profile, sketch.key), title_of(identifier, data)


def is_unreviewed(data: bytes) -> bool | None:
    """Whether nobody reviewed a plain memory; None where only its record can tell."""
    end = data.find(END)
    # Of a note without words there may be nothing to review: its record knows.
    return not is_ratified(data, end) if data[end + len(END) :].strip() else None


class OrderedMemories(Sequence[Memory]):
    """The memories of a room in another order; ``identifiers`` and ``raw`` ask for no record."""

    def __init__(self, room: RoomRows, order: array[int]) -> None:
        self._room = room
        self._order = order
        self.identifiers = _Identifiers(room, order)

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Memory: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Memory]: ...

    def __getitem__(self, index: int | slice) -> Memory | Sequence[Memory]:
        if isinstance(index, slice):
            return [_memory(self._room, place) for place in self._order[index]]
        return _memory(self._room, self._order[index])

    def raw(self, index: int) -> bytes | None:
        """The bytes of a plain note of which no record was made yet, else None."""
        return self._room.raw(self._order[index])


class _Identifiers(Sequence[str]):
    """The ids of the notes in some places of a room."""

    def __init__(self, room: RoomRows, places: array[int]) -> None:
        self._room = room
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[str]:
        return self._room.identifiers(self._places)

    @overload
    def __getitem__(self, index: int) -> str: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[str]: ...

    def __getitem__(self, index: int | slice) -> str | Sequence[str]:
        if isinstance(index, slice):
            return _Identifiers(self._room, self._places[index])
        return self._room.identifier(self._places[index])


def _is_one_room(memories: Sequence[Memory]) -> TypeGuard[RecordList[Memory]]:
    return isinstance(memories, RecordList) and len(memories.parts) == 1


def _memory(room: RoomRows, place: int) -> Memory:
    record = room.record(place)
    assert isinstance(record, Memory)
    return record


def _told(room: RoomRows, places: Sequence[int]) -> Told:
    """What the memories in these places of a room tell; only new ones are asked."""
    told = room.told
    if told is not None and told.count == len(places) and told.of_all(places):
        return told
    return _Survey(room, places).told()


class _Survey:
    """One look at the memories in some ``places`` of a room."""

    def __init__(self, room: RoomRows, places: Sequence[int]) -> None:
        self._room = room
        self._places = places
        self._kept: KeptTold | None = None
        self._was: Sequence[int] = ()
        base = room.told
        if base is None:
            self._take_kept()
            kept = self._kept
            base = NOTHING if kept is None else kept.told.moved(self._was)
        self._order = base.order
        self._flags = bytearray(base.flags or len(room.rows))
        self._fresh: list[tuple[Title, int]] = []

    def _take_kept(self) -> None:
        """Ask the index what it keeps; of each place, where that is or -1."""
        self._kept = self._room.kept()
        if self._kept is not None:
            first, count = self._kept.first, len(self._kept.told.flags)
            self._was = [
                row - first if isinstance(row, int) and 0 <= row - first < count else -1
                for row in self._room.rows
            ]

    def told(self) -> Told:
        """What all of the memories tell; only those of which nothing is known are asked."""
        for place in self._places:
            if not self._flags[place]:
                _, unreviewed, title = _seen(self._room, place)
                self._note(place, unreviewed, title)
        return self._finished()

    def sketches(self) -> Iterator[Sketch]:
        """The sketch of each memory; all else that is told is then known too."""
        sketcher = Sketcher()
        if self._kept is None:
            self._take_kept()
        kept = self._kept
        for place in self._places:
            was = -1 if kept is None else self._was[place]
            if kept is not None and was >= 0 and kept.told.flags[was]:
                profile, key = kept.keys[kept.numbers[was]]
                is_active = bool(kept.told.flags[was] & ACTIVE)
                yield Sketch(self._room.identifier(place), key, profile, is_active)
                continue
            told, unreviewed, title = _seen(self._room, place)
            self._note(place, unreviewed, title)
            yield sketcher.sketch(title[1], told) if isinstance(told, bytes) else sketch_of(told)
        self.told()

    def _note(self, place: int, unreviewed: bool, title: Title) -> None:
        if not self._flags[place]:
            # Whether it is active goes with the keys, which only an index keeps.
            self._flags[place] = flag(is_active=False, is_unreviewed=unreviewed)
            self._fresh.append((title, place))

    def _finished(self) -> Told:
        order = self._order
        if self._fresh:
            order = in_order(order, self._fresh, lambda place: _seen(self._room, place)[2])
        if len(order) > len(self._places):
            # Another note has the id now, so this one is not in force.
            held = bytearray(len(self._flags))
            for place in self._places:
                held[place] = 1
            order = array("I", (place for place in order if held[place]))
            flags = (flag * is_held for flag, is_held in zip(self._flags, held, strict=True))
            self._flags = bytearray(flags)
        self._room.told = told = Told(bytes(self._flags), order)
        return told


def _seen(room: RoomRows, place: int) -> tuple[bytes | Memory, bool, Title]:
    """A memory's bytes, or its record where only that can tell; whether nobody reviewed it; its
    title and id."""
    data = room.raw(place)
    unreviewed = None if data is None else is_unreviewed(data)
    if data is None or unreviewed is None:
        memory = _memory(room, place)
        return memory, not memory.is_reviewed, (memory.title, memory.memory_id)
    return data, unreviewed, title_of(room.identifier(place), data)
