"""For every token the texts that have it, in little memory, and changed in place (spec page 9).

Of the tokens of a large vault most are met once or twice, so that objects for each would weigh
several times what they say. Only a token that is common, or new, has a list of its own. The others
lie on a fixed number of shelves: all tokens of a shelf in one string, and their lists behind one
another in one array. Every change packs what is new on the next shelf, so what is unpacked stays
bounded, and no single change has to pack everything.

A token's shelf is the rest that its bytes leave, as one number, by a divisor. The divisor is kept
with the lists, so that they can be written down and taken up again; it follows from the secret of
the process that first made them, so that nobody can choose words that all lie on one shelf. Tokens
are compared as they are: two of them never share a list.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain
from operator import sub
from threading import Lock
from typing import NamedTuple

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

COMMON_PART = -1
"""The shelf of a part that holds tokens with lists of their own."""

_TOKENS_IN_PART = 64
"""So many tokens with lists of their own are written down together."""

_LEAST_DIVISOR = 1 << 60


def _divisor() -> int:
    """An odd number of 61 bits that differs from process to process, as hashes of texts do."""
    return _LEAST_DIVISOR | hash(_END) & (_LEAST_DIVISOR - 1) | 1


class Part(NamedTuple):
    """Some tokens, each with ``_END`` after it, how many texts have each, and their numbers.

    ``shelf`` is where they lie, or ``COMMON_PART``.
    """

    shelf: int
    tokens: str
    lengths: array[int]
    numbers: array[int]

    def renumbered(self, new: array[int]) -> Part:
        """The part with ``new`` numbers in the place of the old ones, and without those that are
        negative there, and without tokens that no text has left."""
        numbers, lengths, left = array("I"), array("I"), []
        start = 0
        for token, length in zip(self.tokens.split(_END), self.lengths, strict=False):
            before = len(numbers)
            old = self.numbers[start : start + length]
            numbers.extend(number for number in map(new.__getitem__, old) if number >= 0)
            start += length
            if len(numbers) > before:
                lengths.append(len(numbers) - before)
                left.append(token + _END)
        return Part(self.shelf, "".join(left), lengths, numbers)


class Picture(NamedTuple):
    """All lists as they were at one moment, part by part, and what their shelves go by."""

    divisor: int
    parts: Iterator[Part]


class Posting:
    """The texts that have one token, as ascending numbers: what is packed and then what is not."""

    __slots__ = ("_own", "_packed", "_start", "_stop", "size")

    def __init__(self, packed: array[int], start: int, stop: int, own: array[int]) -> None:
        self._packed = packed
        self._start = start
        self._stop = stop
        self._own = own
        self.size = stop - start + len(own)

    def numbers(self) -> array[int]:
        """All numbers, none of them twice."""
        if self._start == self._stop:
            return self._own
        packed = self._packed[self._start : self._stop]
        return packed + self._own if self._own else packed

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
        self._divisor = _divisor()
        self._own: dict[str, array[int]] = {}
        self._shelves: dict[int, _Shelf] = {}
        self._next = 0
        self._added = 0
        self._removed = 0
        self._changing = Lock()

    def picture(self) -> Picture:
        """The lists as they are now, whatever is changed while the parts are asked for."""
        with self._changing:
            shelves = [
                (key, shelf.tokens, shelf.starts, shelf.numbers)
                for key, shelf in self._shelves.items()
            ]
            # A list of its own only grows, or another takes its place: its start stays as it is.
            own = [(token, numbers, len(numbers)) for token, numbers in self._own.items()]
        return Picture(self._divisor, _parts(shelves, own))

    @classmethod
    def of_picture(
        cls, is_gone: Callable[[int], bool], picture: Picture, added: int, removed: int
    ) -> Postings:
        """The lists of a picture, with how many texts were ever added and removed.

        Raises:
            ValueError: the picture cannot be one of lists.
        """
        postings = cls(is_gone)
        if not _LEAST_DIVISOR <= picture.divisor < 2 * _LEAST_DIVISOR:
            raise ValueError("no divisor for shelves")
        postings._divisor = picture.divisor
        postings._added, postings._removed = added, removed
        for part in picture.parts:
            if part.tokens.count(_END) != len(part.lengths) or not part.tokens.endswith(_END):
                raise ValueError("not as many tokens as lists")
            if sum(part.lengths) != len(part.numbers):
                raise ValueError("not as many numbers as the lists have")
            if part.shelf == COMMON_PART:
                postings._take_own(part)
            elif 0 <= part.shelf <= _SHELF and part.shelf not in postings._shelves:
                shelf = postings._shelves[part.shelf] = _Shelf()
                shelf.set(_END + part.tokens, part.lengths, part.numbers)
            else:
                raise ValueError("no such shelf")
        return postings

    def _take_own(self, part: Part) -> None:
        start = 0
        for token, length in zip(part.tokens.split(_END), part.lengths, strict=False):
            self._own[token] = part.numbers[start : start + length]
            start += length
            if length < COMMON:
                self._shelf(token).new.append(token)

    def _key(self, token: str) -> int:
        whole = int.from_bytes(token.encode("utf-8", "surrogatepass"), "big")
        # Shifted, since a short token would be less than the divisor and lie by its last letters.
        return (whole << 64) % self._divisor & _SHELF

    def _shelf(self, token: str) -> _Shelf:
        key = self._key(token)
        if key not in self._shelves:
            self._shelves[key] = _Shelf()
        return self._shelves[key]

    def add(self, vocabulary: Iterable[str], number: int) -> None:
        """Note that text ``number`` has these tokens. Numbers must ascend from call to call."""
        own = self._own
        first = array("I", (number,))
        with self._changing:
            for token in vocabulary:
                if token in own:
                    own[token].append(number)
                    continue
                own[token] = first[:]
                self._shelf(token).new.append(token)
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
                shelf = shelves.get(self._key(token))
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
        at = self.tokens.find(f"{_END}{token}{_END}")
        return -1 if at < 0 else self.tokens.count(_END, 0, at)

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
        self.set(self.tokens + "".join(token + _END for token in fresh), lengths, packed)

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
        self.set(_END + "".join(left), lengths, kept)

    def set(self, tokens: str, lengths: array[int], numbers: array[int]) -> None:
        """Hold these tokens, with as many of the numbers each as the lengths say."""
        self.tokens = tokens
        # A copy has no room to grow, which these will not do.
        self.starts = array("I", accumulate(lengths, initial=0))[:]
        self.numbers = numbers[:]


def _parts(
    shelves: Iterable[tuple[int, str, array[int], array[int]]],
    own: Sequence[tuple[str, array[int], int]],
) -> Iterator[Part]:
    for key, tokens, starts, numbers in shelves:
        if len(tokens) > len(_END):
            yield Part(key, tokens[len(_END) :], array("I", map(sub, starts[1:], starts)), numbers)
    for first in range(0, len(own), _TOKENS_IN_PART):
        some = own[first : first + _TOKENS_IN_PART]
        together = array("I")
        for _, numbers, length in some:
            together += numbers[:length]
        tokens = "".join(token + _END for token, _, _ in some)
        yield Part(COMMON_PART, tokens, array("I", (length for _, _, length in some)), together)
