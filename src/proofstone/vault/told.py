"""What the notes of a room tell of themselves, in columns: reviewed or not, active, the order of
their titles, and their keys (spec page 9).

A ``Told`` stays with a room's rows, so that a list and a count need no second look at the notes.
A ``KeptTold`` is the same with the keys, as the index of notes holds it for its own rows: whoever
opens an unchanged vault asks no note for any of it. Deleting it loses nothing.
"""

from __future__ import annotations

import struct
import unicodedata
from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import eq

TOLD, ACTIVE, UNREVIEWED = 1, 2, 4
"""Bits of a flag. Of a note whose flag is 0 nothing is told. ``ACTIVE`` goes with the keys, which
only an index keeps."""

RULES = f"1 {unicodedata.unidata_version}"
"""Another rule for keys, titles, activity or review needs another number. What is a letter also
depends on the Unicode that this Python knows."""

_HEAD = struct.Struct("=IIIQQ")
"""How many places, how many are told, how many keys; the bytes of the rules and of the keys."""
_SEPARATOR = "\0"
"""No plain note has one."""
_SEARCHED = 16
"""One new title for so many others, or fewer, is looked for its place; of more all are sorted."""

Title = tuple[str, str]
"""A title and an id, by which memories are listed."""


def flag(*, is_active: bool, is_unreviewed: bool) -> int:
    """The flag of a note that was told of."""
    return TOLD | ACTIVE * is_active | UNREVIEWED * is_unreviewed


@dataclass(frozen=True, slots=True)
class Told:
    """A flag for each place of a room, and the places that have one by title and id."""

    flags: bytes
    order: array[int]

    @property
    def unreviewed(self) -> int:
        """How many of the notes nobody reviewed."""
        return self.flags.count(TOLD | UNREVIEWED) + self.flags.count(TOLD | UNREVIEWED | ACTIVE)

    @property
    def count(self) -> int:
        """Of how many notes something is told."""
        return len(self.flags) - self.flags.count(0)

    def of_all(self, places: Iterable[int]) -> bool:
        """Whether something is told of all these places."""
        return all(map(self.flags.__getitem__, places))

    def moved(self, was: Sequence[int]) -> Told:
        """The same for a room whose places ``was`` other ones, or none: -1."""
        if len(was) == len(self.flags) and all(map(eq, was, range(len(was)))):
            return self
        flags = bytearray(len(was))
        now = array("q", [-1]) * len(self.flags)
        for place, old in enumerate(was):
            if old >= 0:
                flags[place] = self.flags[old]
                now[old] = place
        places = (now[old] for old in self.order)
        return Told(bytes(flags), array("I", (place for place in places if place >= 0)))


@dataclass(frozen=True, slots=True)
class KeptTold:
    """What an index holds: a ``Told``, and of each place the number of its profile and key.

    ``first`` is the row of the first place.
    """

    told: Told
    numbers: array[int]
    keys: Sequence[tuple[str, str]]
    first: int = 0

    def encoded(self) -> bytes:
        """As bytes. Raises ValueError for keys that have no form."""
        texts = [text for key in self.keys for text in key]
        if any(_SEPARATOR in text for text in texts):
            raise ValueError("a key with a NUL")
        rules, keys = RULES.encode(), _SEPARATOR.join(texts).encode()
        flags, order = self.told.flags, self.told.order
        counts = (len(flags), len(order), len(self.keys), len(rules), len(keys))
        return b"".join(
            (_HEAD.pack(*counts), rules, keys, flags, order.tobytes(), self.numbers.tobytes())
        )

    @classmethod
    def decoded(cls, data: bytes, places: int, first: int) -> KeptTold:
        """From its bytes, for so many places. Raises ValueError for what cannot be that."""
        try:
            count, told, keyed, ruled, named = _HEAD.unpack_from(data)
        except struct.error as error:
            raise ValueError("cut short") from error
        size = array("I").itemsize
        if count != places or told > count or keyed > count:
            raise ValueError("of another room")
        if len(data) != _HEAD.size + ruled + named + count + size * (told + count):
            raise ValueError("not as long as it says")
        start = _HEAD.size + ruled
        if data[_HEAD.size : start] != RULES.encode():
            raise ValueError("by other rules")
        texts = data[start : start + named].decode().split(_SEPARATOR) if keyed else []
        if len(texts) != 2 * keyed:
            raise ValueError("not as many keys as it says")
        start += named
        flags = data[start : start + count]
        start += count
        order = array("I", data[start : start + size * told])
        numbers = array("I", data[start + size * told :])
        if sorted(order) != [place for place, flag in enumerate(flags) if flag]:
            raise ValueError("an order of other places")
        if keyed <= max(numbers, default=-1) and (keyed or told):
            raise ValueError("a key that is not there")
        return cls(Told(flags, order), numbers, tuple(zip(texts[::2], texts[1::2], strict=True)),
                   first)  # fmt: skip


NOTHING = Told(b"", array("I"))


class KeptTeller:
    """Puts together what an index will hold: ``take`` or ``tell`` for each place in turn.

    ``title`` gives the title and id of a place that was taken over.
    """

    def __init__(self, old: KeptTold | None, title: Callable[[int], Title]) -> None:
        self._old = old
        self._title = title
        self._flags = bytearray()
        self._numbers = array("I")
        self._known: dict[tuple[str, str], int] = {}
        self._now = array("q", [-1]) * (0 if old is None else len(old.told.flags))
        self._fresh: list[tuple[Title, int]] = []

    def take(self, was: int) -> bool:
        """Take over what was told of an unchanged note; False, and nothing, if that is nothing."""
        if self._old is None or was < 0 or not self._old.told.flags[was]:
            return False
        self._now[was] = len(self._flags)
        self._put(self._old.told.flags[was], self._old.keys[self._old.numbers[was]])
        return True

    def tell(self, flag: int, key: tuple[str, str], title: Title) -> None:
        """Take in what a note tells; a ``flag`` of 0 says that it tells nothing."""
        if flag:
            self._fresh.append((title, len(self._flags)))
        self._put(flag, key)

    def _put(self, flag: int, key: tuple[str, str]) -> None:
        self._flags.append(flag)
        self._numbers.append(self._known.setdefault(key, len(self._known)) if flag else 0)

    def finished(self) -> KeptTold:
        """All of it."""
        before = () if self._old is None else self._old.told.order
        kept = array("I", (self._now[was] for was in before if self._now[was] >= 0))
        order = in_order(kept, self._fresh, self._title)
        return KeptTold(Told(bytes(self._flags), order), self._numbers, tuple(self._known))


def in_order(
    order: array[int], fresh: list[tuple[Title, int]], title: Callable[[int], Title]
) -> array[int]:
    """Places in the ``order`` of their titles, with ``fresh`` ones among them."""
    if len(fresh) * _SEARCHED > len(order):
        every = [*fresh, *((title(place), place) for place in order)]
        return array("I", _places(sorted(every)))

    def key(place: int) -> tuple[Title, int]:
        return title(place), place

    merged, taken = array("I"), 0
    for one in sorted(fresh):
        at = bisect_right(order, one, taken, key=key)
        merged += order[taken:at]
        merged.append(one[1])
        taken = at
    return merged + order[taken:]


def _places(titled: Iterable[tuple[Title, int]]) -> Iterable[int]:
    return (place for _, place in titled)
