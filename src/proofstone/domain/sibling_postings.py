"""For every token the texts that have it, in little memory, and changed in place (spec page 9).

Of the tokens of a large vault most are met once or twice, so that objects for each would weigh
several times what they say. Only a token that is common, or new, has a list of its own. The others
lie on a fixed number of shelves, by their hash: all tokens of a shelf in one string, and their
lists behind one another in one array. Every change packs what is new on the next shelf, so what is
unpacked stays bounded, and no single change has to pack everything.

Tokens are compared as they are, not by their hash: two of them never share a list.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, chain
from operator import sub
from threading import Lock

SHELVES = 2_048
"""A power of two. More means shorter strings to search, and more objects to hold."""

COMMON = 48
"""A token that so many texts have keeps a list of its own."""

_SHELF = SHELVES - 1
_END = "\n"
"""Ends a token on its shelf. Tokens are letters, digits and marks, so none has it."""
_MANY_GONE = 4
"""One text removed for so many that are left makes it worth going through all numbers."""

_NOTHING = array("I")


class Posting:
    """The texts that have one token, as ascending numbers: what is packed and then what is not."""

    __slots__ = ("_own", "_packed", "_start", "_stop", "size")

    def __init__(self, packed: array[int], start: int, stop: int, own: array[int]) -> None:
        self._packed = packed
        self._start = start
        self._stop = stop
        self._own = own
        self.size = stop - start + len(own)

    def numbers(self) -> Sequence[int]:
        """All numbers."""
        if self._start == self._stop:
            return self._own
        return self._packed[self._start : self._stop] + self._own

    def __contains__(self, number: int) -> bool:
        at = bisect_left(self._own, number)
        if at < len(self._own) and self._own[at] == number:
            return True
        at = bisect_left(self._packed, number, self._start, self._stop)
        return at < self._stop and self._packed[at] == number


class Postings:
    """The lists of all tokens. ``is_gone`` tells of a number that its text was removed.

    One thread may change them while others ask.
    """

    def __init__(self, is_gone: Callable[[int], bool]) -> None:
        self._is_gone = is_gone
        self._own: dict[str, array[int]] = {}
        self._shelves: dict[int, _Shelf] = {}
        self._next = 0
        self._added = 0
        self._removed = 0
        self._changing = Lock()

    def add(self, vocabulary: Iterable[str], number: int) -> None:
        """Note that text ``number`` has these tokens. Numbers must ascend from call to call."""
        own, shelves = self._own, self._shelves
        first = array("I", (number,))
        with self._changing:
            for token in vocabulary:
                if token in own:
                    own[token].append(number)
                    continue
                own[token] = first[:]
                key = hash(token) & _SHELF
                if key not in shelves:
                    shelves[key] = _Shelf()
                shelves[key].new.append(token)
            self._added += 1

    def remove(self) -> None:
        """Note that one more text is gone; where there are many, their numbers go too in time."""
        with self._changing:
            self._removed += 1
            if self._removed * _MANY_GONE > self._added:
                self._drop()

    def of(self, vocabulary: Iterable[str]) -> list[Posting]:
        """The texts that have each of these tokens, where any has it; some may be gone."""
        own, shelves = self._own, self._shelves
        found: list[Posting] = []
        with self._changing:
            for token in vocabulary:
                numbers = own.get(token, _NOTHING)
                shelf = shelves.get(hash(token) & _SHELF)
                place = -1 if shelf is None else shelf.place(token)
                if shelf is not None and place >= 0:
                    starts = shelf.starts
                    found.append(Posting(shelf.numbers, starts[place], starts[place + 1], numbers))
                elif numbers:
                    found.append(Posting(_NOTHING, 0, 0, numbers))
        return found

    def pack_next(self) -> None:
        """Pack one shelf. Call it again and again, so that all have their turn."""
        with self._changing:
            self._next = (self._next + 1) & _SHELF
            shelf = self._shelves.get(self._next)
            if shelf is not None:
                shelf.pack(self._own)

    def pack_all(self) -> None:
        """Pack everything, when nothing more is to come for a while."""
        with self._changing:
            for shelf in self._shelves.values():
                shelf.pack(self._own)
            # A dictionary keeps the room that it once needed; its copy does not.
            self._own = dict(self._own)

    def _drop(self) -> None:
        """Leave out all numbers of texts that are gone. So many were removed that it costs each
        of them no more than its share."""
        for shelf in self._shelves.values():
            shelf.pack(self._own)
            shelf.drop(self._is_gone)
        for token, numbers in list(self._own.items()):
            kept = array("I", (number for number in numbers if not self._is_gone(number)))
            if kept:
                self._own[token] = kept
            else:
                del self._own[token]
        self._added -= self._removed
        self._removed = 0


class _Shelf:
    """The tokens of a shelf, with an end before and after each, and the ``numbers`` of each.

    A token's numbers go from its start to the next one. ``new`` are the tokens with a list of their
    own that are to be packed. The arrays are never changed, but replaced.
    """

    __slots__ = ("new", "numbers", "starts", "tokens")

    def __init__(self) -> None:
        self.tokens = _END
        self.starts = array("I", (0,))
        self.numbers = _NOTHING
        self.new: list[str] = []

    def place(self, token: str) -> int:
        """Which of the shelf's tokens this is, or -1."""
        tokens, wanted = self.tokens, _END + token
        at = tokens.find(wanted)
        while at >= 0:
            after = at + len(wanted)
            if tokens[after] == _END:
                return tokens.count(_END, 0, at)
            at = tokens.find(wanted, after)
        return -1

    def pack(self, own: dict[str, array[int]]) -> None:
        """Take in the lists of what is new, but for tokens that turn out to be common."""
        if not self.new:
            return
        starts = self.starts
        lengths = array("I", map(sub, starts[1:], starts))
        places = {token: place for place, token in enumerate(self.tokens.split(_END), -1)}
        replaced: list[tuple[int, int, array[int]]] = []
        for token in self.new:
            place = places.get(token)
            if place is None:
                continue
            start, stop = starts[place], starts[place + 1]
            together = self.numbers[start:stop] + own[token]
            if len(together) < COMMON:
                del own[token]
            else:
                own[token] = together
                together = _NOTHING
            lengths[place] = len(together)
            replaced.append((start, stop, together))
        fresh = [token for token in self.new if token not in places and len(own[token]) < COMMON]
        lists = list(map(own.pop, fresh))
        lengths.extend(map(len, lists))
        replaced.sort()
        packed = array("I")
        taken = 0
        for start, stop, numbers in replaced:
            packed += self.numbers[taken:start]
            packed += numbers
            taken = stop
        packed += self.numbers[taken:]
        packed.extend(chain.from_iterable(lists))
        self.new = []
        self._set(self.tokens + "".join(token + _END for token in fresh), lengths, packed)

    def drop(self, is_gone: Callable[[int], bool]) -> None:
        """Leave out the numbers of texts that were removed, and tokens that no text has left."""
        kept = array("I")
        lengths = array("I")
        left: list[str] = []
        for place, token in enumerate(self.tokens.split(_END)[1:-1]):
            before = len(kept)
            numbers = self.numbers[self.starts[place] : self.starts[place + 1]]
            kept.extend(number for number in numbers if not is_gone(number))
            if len(kept) > before:
                lengths.append(len(kept) - before)
                left.append(token + _END)
        self._set(_END + "".join(left), lengths, kept)

    def _set(self, tokens: str, lengths: array[int], numbers: array[int]) -> None:
        self.tokens = tokens
        # A copy has no room to grow, which these will not do.
        self.starts = array("I", accumulate(lengths, initial=0))[:]
        self.numbers = numbers[:]
