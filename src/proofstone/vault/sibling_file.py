"""The index of siblings beside the index of notes, so that opening need not make it again (page 9).

``_index/proofstone/siblings`` holds the lists of a ``SiblingIndex`` and, for every text in it, the
note's name with the size, times and number that its file had. A text whose file is still the same
is taken over, the others are removed or added as any edit would: what is found is what an index
made anew finds. Whatever is wrong with the file, it is as if it were not there. It is disposable
like the index of notes, written together with it and removed by a purge.

Numbers are written little end first. The words are read only when most notes are as they were, and
nothing of them is used before the whole file's SHA-256 was right.
"""

from __future__ import annotations

import os
import struct
import sys
import unicodedata
from array import array
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple, TypeGuard

from proofstone.domain.plan import NoteKind
from proofstone.domain.sibling_index import IndexPicture, SiblingIndex
from proofstone.domain.sibling_postings import Part, Picture
from proofstone.vault import layout
from proofstone.vault.listing import PER_FILE, Listing, places
from proofstone.vault.rows import RecordList, RoomRows
from proofstone.vault.spoken import spoken_at

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofstone.domain.records import Memory

PATH = f"{layout.INDEX}/siblings"

MAX_SIBLINGS_BYTES = 512 * 1024 * 1024
"""A larger file is as good as none (docs/limits.md)."""

_MAGIC = f"proofstone siblings 1, Unicode {unicodedata.unidata_version}\n".encode()
"""Another form of the file, or another rule for what is a token, needs another number. What is a
letter also depends on the Unicode that this Python knows."""

_HEAD = struct.Struct(f"<{len(_MAGIC)}s32s")
"""The magic words and the SHA-256 of all that follows."""
_ROWS = struct.Struct("<QIQQ")
"""The shelves' divisor; how many texts; the bytes of their files' names, and of their orders."""
_PART = struct.Struct("<iIQQ")
"""A part's shelf, how many tokens, their bytes, how many numbers."""

_SEPARATOR = "\n"
_FEWEST_KEPT = 4
"""The file is left alone when more than one text in so many is gone: making anew is as quick, and
the lists do not fill with texts that are not there."""


FEW_BEHIND = 64
"""So many texts may be other than a file says before it is written again: bringing in a few costs
each opening less than a hundredth of what one writing does."""


class TakenOver(NamedTuple):
    """An index that was taken over from the file.

    ``behind`` is how many texts had to be taken out or put in; ``has_gone`` says that the file has
    words of a note that is no longer there.
    """

    siblings: SiblingIndex
    behind: int
    has_gone: bool

    @property
    def is_current(self) -> bool:
        """Whether the file still says exactly what the index holds."""
        return not self.behind and not self.has_gone


class SiblingWriter:
    """Writes what ``picture``, an index of ``memories`` of one room, holds."""

    is_written = False
    """Whether the file was made. Whether it took its place, ``index.update`` says."""

    def __init__(self, memories: RecordList[Memory], picture: IndexPicture) -> None:
        ((self._room, self._held),) = memories.parts
        self._picture = picture

    def write(self, out: IO[bytes], listings: Mapping[NoteKind, Listing], moment: int) -> bool:
        """Write the texts whose notes are as ``listings``, made at ``moment``, have them.

        Whether it was worth it: with nothing to take over there is nothing to write.
        """
        picture = self._picture
        kept = self._kept(listings[NoteKind.MEMORY], moment)
        held = len(picture.ids) - picture.ids.count(None)
        if not kept or len(kept) * _FEWEST_KEPT < held * (_FEWEST_KEPT - 1):
            return False
        new = array("q", [-1]) * len(picture.ids)
        for number, old in enumerate(sorted(kept)):
            new[old] = number
        out.write(bytes(_HEAD.size))
        digest = sha256()
        for data in self._data(kept, new):
            digest.update(data)
            out.write(data)
        out.seek(0)
        out.write(_HEAD.pack(_MAGIC, digest.digest()))
        self.is_written = True
        return True

    def _kept(self, listing: Listing, moment: int) -> dict[int, int]:
        """The numbers that are written, with the places of their notes in the memories' room."""
        picture = self._picture
        numbers = {id: number for number, id in enumerate(picture.ids) if id is not None}
        now = places(listing)
        kept: dict[int, int] = {}
        room, was = self._room, self._room.listing
        for place in self._held:
            number = numbers.get(room.identifier(place))
            name = was.names[place]
            present = now.get(name, -1)
            if (
                number is not None
                and present >= 0
                and place not in room.young
                and was.stat(place) == listing.stat(present)
                and not listing.is_young(present, moment)
                and _SEPARATOR not in name
                and _SEPARATOR not in picture.orders[number]
            ):
                kept[number] = place
        return kept

    def _data(self, kept: Mapping[int, int], new: array[int]) -> Iterator[bytes]:
        """The file after its head, piece by piece."""
        picture, listing = self._picture, self._room.listing
        numbers = sorted(kept)
        names = _joined([listing.names[kept[number]] for number in numbers])
        orders = _joined([picture.orders[number] for number in numbers])
        yield _ROWS.pack(picture.lists.divisor, len(numbers), len(names), len(orders))
        yield names
        yield orders
        stats = array("q")
        for number in numbers:
            stats += listing.stat(kept[number])
        yield _bytes(stats)
        yield _bytes(array("I", [picture.sizes[number] for number in numbers]))
        is_same = len(kept) == len(picture.ids)
        for part in picture.lists.parts:
            # A text that is left out leaves no words behind.
            written = part if is_same else part.renumbered(new)
            if written.lengths:
                tokens = written.tokens.encode("utf-8")
                counts = (len(written.lengths), len(tokens), len(written.numbers))
                yield _PART.pack(written.shelf, *counts)
                yield tokens
                yield _bytes(written.lengths)
                yield _bytes(written.numbers)


def writer_of(memories: Sequence[Memory], picture: IndexPicture) -> SiblingWriter | None:
    """What writes an index of ``memories``; None for those that are not the notes of one room."""
    return SiblingWriter(memories, picture) if _is_one_room(memories) else None


def _is_one_room(memories: Sequence[Memory]) -> TypeGuard[RecordList[Memory]]:
    return isinstance(memories, RecordList) and len(memories.parts) == 1


def take_over(root: Path, memories: Sequence[Memory]) -> TakenOver | None:
    """The index of the active ``memories``, mostly from the file; None when it is of no use."""
    if not _is_one_room(memories) or layout.is_linked(root, PATH):
        return None
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        descriptor = os.open(root / PATH, flags | getattr(os, "O_NONBLOCK", 0))
        with os.fdopen(descriptor, "rb") as file:
            return _take_over(_Reading(file), *memories.parts[0])
    except (OSError, ValueError, struct.error, MemoryError):
        return None


def _take_over(file: _Reading, room: RoomRows, held: Sequence[int]) -> TakenOver | None:
    magic, digest = _HEAD.unpack(file.head(_HEAD.size))
    if magic != _MAGIC:
        raise ValueError("not a file of this version")
    divisor, count, named, ordered = _ROWS.unpack(file.take(_ROWS.size))
    if count * (_FEWEST_KEPT - 1) > len(held) * _FEWEST_KEPT:
        return None
    names = _split(file.take(named), count)
    orders = _split(file.take(ordered), count)
    ids, fresh = _matched(names, file.numbers("q", PER_FILE * count), room, held)
    gone = ids.count(None)
    if gone * _FEWEST_KEPT > count:
        return None
    there = frozenset(room.listing.names) if gone else frozenset()
    has_gone = any(id is None and name not in there for name, id in zip(names, ids, strict=True))
    for number, id in enumerate(ids):
        if id is None:
            orders[number] = ""
    sizes = file.numbers("I", count)
    index = SiblingIndex.of_picture(
        IndexPicture(ids, orders, sizes, Picture(divisor, file.parts(count)))
    )
    if file.digest() != digest:
        raise ValueError("the file is damaged")
    added = 0
    for place in fresh:
        memory = spoken_at(room, place)
        if memory.is_active:
            index.add(memory.id, memory.statement, memory.created)
            added += 1
    if added:
        index.pack()
    return TakenOver(index, gone + added, has_gone)


def _matched(
    names: list[str], stats: array[int], room: RoomRows, held: Sequence[int]
) -> tuple[list[str | None], list[int]]:
    """The ids of texts whose notes are as they were, None for others; the places of other notes."""
    numbers = {name: number for number, name in enumerate(names)}
    ids: list[str | None] = [None] * len(names)
    fresh: list[int] = []
    before, now, size = stats.tobytes(), room.listing.stats.tobytes(), PER_FILE * stats.itemsize
    for place in held:
        number = numbers.get(room.listing.names[place], -1)
        start, other = number * size, place * size
        if number >= 0 and before[start : start + size] == now[other : other + size]:
            ids[number] = room.identifier(place)
        else:
            fresh.append(place)
    return ids, fresh


class _Reading:
    """A file that is read from its start, never more than is there, and digested on the way."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._left = os.fstat(file.fileno()).st_size
        self._digest = sha256()
        if self._left > MAX_SIBLINGS_BYTES:
            raise ValueError("too large")

    def head(self, length: int) -> bytes:
        """The next bytes, which are not digested. Raises ValueError when there are not so many."""
        if length > self._left:
            raise ValueError("cut short")
        self._left -= length
        data = self._file.read(length)
        if len(data) != length:
            raise ValueError("cut short")
        return data

    def take(self, length: int) -> bytes:
        """The next bytes. Raises ValueError when there are not so many."""
        data = self.head(length)
        self._digest.update(data)
        return data

    def numbers(self, form: str, count: int) -> array[int]:
        """The next numbers. Raises ValueError when there are not so many."""
        found: array[int] = array(form)
        found.frombytes(self.take(count * found.itemsize))
        if sys.byteorder == "big":  # pragma: no cover - no such machine runs the tests
            found.byteswap()
        return found

    def parts(self, texts: int) -> Iterator[Part]:
        """The parts up to the end. Raises ValueError for what is not one of so many ``texts``."""
        while self._left:
            shelf, tokens, length, count = _PART.unpack(self.take(_PART.size))
            words = self.take(length).decode("utf-8")
            lengths = self.numbers("I", tokens)
            numbers = self.numbers("I", count)
            if max(numbers, default=0) >= texts:
                raise ValueError("a text that is not there")
            yield Part(shelf, words, lengths, numbers)

    def digest(self) -> bytes:
        """The SHA-256 of what was read."""
        return self._digest.digest()


def _joined(texts: list[str]) -> bytes:
    return _SEPARATOR.join(texts).encode("utf-8")


def _split(data: bytes, count: int) -> list[str]:
    """So many texts. Raises ValueError when it is another number, before any is made."""
    if data.count(_SEPARATOR.encode()) + 1 != count:
        raise ValueError("not as many as were told")
    return data.decode("utf-8").split(_SEPARATOR)


def _bytes(numbers: array[int]) -> bytes:
    if sys.byteorder == "big":  # pragma: no cover - no such machine runs the tests
        numbers = numbers[:]
        numbers.byteswap()
    return numbers.tobytes()
