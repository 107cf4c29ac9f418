"""The notes of one room, each made into a record when it is first asked for (spec page 9).

A row is a record, or what one can be made of: the note's bytes, or its place in an index. Rows of
unchanged files are shared by one reading of a vault and the next.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from proofstone.domain.records import EvidenceRecord, Inquiry, Memory, Proposal, Tombstone
from proofstone.vault.bulk import bulk_loading
from proofstone.vault.held_notes import HeldNotes
from proofstone.vault.listing import SUFFIX
from proofstone.vault.records import Record
from proofstone.vault.told import KeptTold, Told

if TYPE_CHECKING:
    from proofstone.domain.plan import NoteKind
    from proofstone.domain.records import Problem
    from proofstone.vault.listing import Listing

Made = TypeVar("Made", bound=Record)


@dataclass(frozen=True, slots=True)
class Careful:
    """A note that was read at once, because it is not in the form that programs write."""

    record: Record | None
    problems: tuple[Problem, ...]


_MADE_AT_ONCE = 1_000

Row = Record | Careful | bytes | int
"""Bytes and numbers (places in an index, or among the ``HeldNotes``) stand for plain notes only;
see ``plain_note``."""


@dataclass(slots=True)
class RoomRows:
    """The rows of a room in the places of its ``listing``.

    ``is_simple`` says that all are plain notes in the room's own folder, so that ids are unique.
    ``young`` are the places of files that
    were changed so shortly before they were read that they are read again next time.
    ``make`` gives the record of bytes, or of a place in the index, and its path.
    """

    kind: NoteKind
    room: str
    listing: Listing
    rows: list[Row]
    make: Callable[[NoteKind, bytes | int, str], Record]
    is_simple: bool
    young: frozenset[int] = frozenset()
    indexed: Callable[[int], bytes | None] = lambda _row: None
    """The bytes of a note in the index, if they are what they were."""
    held: HeldNotes | None = field(default=None, compare=False)
    """What holds the notes that were read without an index."""
    _named: list[str] = field(default_factory=list)
    """The ids of plain notes by place, once asked for: all that index them share these."""
    kept: Callable[[], KeptTold | None] = field(default=lambda: None, compare=False)
    """What the index of notes keeps of what they tell, for rows that are places in it."""
    told: Told | None = field(default=None, compare=False)
    """What was told of the notes so far (``vault.survey``)."""

    def raw(self, place: int) -> bytes | None:
        """The bytes of a plain note of which no record was made yet, else None."""
        row = self.rows[place]
        if isinstance(row, bytes):
            return row
        return self.indexed(row) if isinstance(row, int) else None

    def path(self, place: int) -> str:
        """A file's path in the vault."""
        return f"{self.room}/{self.listing.names[place]}"

    def identifier(self, place: int) -> str:
        """The id of the note in a place, empty when it has no record."""
        row = self.rows[place]
        if isinstance(row, (bytes, int)):
            return self._names()[place]
        record = row.record if isinstance(row, Careful) else row
        return "" if record is None else id_of(record)

    def identifiers(self, places: Iterable[int]) -> Iterator[str]:
        """The ids of the notes in these places."""
        if self.is_simple:
            return map(self._names().__getitem__, places)
        return map(self.identifier, places)

    def _names(self) -> list[str]:
        if not self._named:
            end = -len(SUFFIX)
            self._named = [name[name.rfind("/") + 1 : end] for name in self.listing.names]
        return self._named

    def record(self, place: int) -> Record:
        """The record in a place that has one, made now if it was not yet."""
        row = self.rows[place]
        if isinstance(row, (bytes, int)):
            made = self.rows[place] = self.make(self.kind, row, self.path(place))
            return made
        if isinstance(row, Careful):
            assert row.record is not None, "places without a record are in no list"
            return row.record
        return row


class RecordList(Sequence[Made], Generic[Made]):
    """Records that are made when they are asked for, else like a tuple of them."""

    __slots__ = ("_parts", "_size")

    def __init__(self, parts: Sequence[tuple[RoomRows, Sequence[int]]]) -> None:
        self._parts = tuple((room, array("I", places)) for room, places in parts)
        self._size = sum(len(places) for _, places in self._parts)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[Made]:
        for room, places in self._parts:
            record: Callable[[int], Any] = room.record
            for start in range(0, len(places), _MADE_AT_ONCE):
                with bulk_loading():
                    made = list(map(record, places[start : start + _MADE_AT_ONCE]))
                yield from made

    @overload
    def __getitem__(self, index: int) -> Made: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Made, ...]: ...

    def __getitem__(self, index: int | slice) -> Made | tuple[Made, ...]:
        if isinstance(index, slice):
            return tuple(self[place] for place in range(*index.indices(self._size)))
        wanted = index + self._size if index < 0 else index
        if not 0 <= wanted < self._size:
            raise IndexError(index)
        for room, places in self._parts:
            if wanted < len(places):
                found: Any = room.record(places[wanted])
                return found  # type: ignore[no-any-return]
            wanted -= len(places)
        raise AssertionError("the parts are as long as the whole")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (RecordList, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))

    @property
    def parts(self) -> tuple[tuple[RoomRows, Sequence[int]], ...]:
        """The rooms, each with the places of its records."""
        return self._parts

    @property
    def made(self) -> int:
        """How many of the records were made so far."""
        return sum(
            not isinstance(room.rows[place], (bytes, int))
            for room, places in self._parts
            for place in places
        )


def id_of(record: Record) -> str:
    """A record's own id."""
    match record:
        case Memory():
            return record.memory_id
        case Proposal():
            return record.proposal_id
        case EvidenceRecord():
            return record.evidence_id
        case Tombstone():
            return record.tombstone_id
        case Inquiry():
            return record.inquiry_id
