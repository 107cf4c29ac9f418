"""An index that finds siblings among many texts, exactly, and is updated in place (spec page 9).

Two siblings share at least half of the larger vocabulary, so of a text's n tokens at least
⌈n/2⌉ are in each of its siblings, and at least ``e`` of them among any ⌊n/2⌋ + e tokens that we
care to look at, as long as ``e`` is at most ⌈n/2⌉. We look at the rarest ones, whose lists are
short, and count; only texts that were met ``e`` times are compared in full. Lists hold ascending
numbers (``sibling_postings``), so a full comparison is a binary search per token and needs no
stored vocabulary. A text that is removed only loses its id: its number is passed over.
"""

from __future__ import annotations

from array import array
from bisect import insort
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from operator import attrgetter
from typing import NamedTuple

from proofstone.domain.sibling_postings import Picture, Posting, Postings
from proofstone.domain.sibling_score import has_enough, reported
from proofstone.domain.sibling_tokens import tokens

_MEETINGS = 4
"""``e`` above. More means longer lists to count and fewer texts to compare in full."""

_PACKED_AFTER = 4
"""While many texts are added, after so many of them one part of the lists is packed."""

_TOLD_EVERY = 256
"""Texts between two calls of ``progress``."""

_size = attrgetter("size")


class Sibling(NamedTuple):
    """An id and its score as people see it (two decimals, at most 0.99)."""

    id: str
    score: float


class Ranked(NamedTuple):
    """A sibling and its rank: the exact score negated, then order and id. Lower is better."""

    rank: float
    order: str
    id: str
    score: float

    @property
    def sibling(self) -> Sibling:
        """What the caller asked for."""
        return Sibling(self.id, self.score)


class IndexPicture(NamedTuple):
    """An index at one moment: of each number the id, the order and how many tokens are compared.

    The id of a text that was removed is None; its number may be met in ``lists`` all the same.
    """

    ids: list[str | None]
    orders: list[str]
    sizes: array[int]
    lists: Picture


class SiblingIndex:
    """Siblings of a text among the texts added so far.

    Results are those of comparing with every text. Ties go to the lower ``order`` (the time of
    creation, say), then to the lower id.
    """

    def __init__(self) -> None:
        # Of each number the text's id, its order, and how many tokens it has: none when it is too
        # short to be compared.
        self._ids: list[str | None] = []
        self._orders: list[str] = []
        self._sizes = array("I")
        self._numbers: dict[str, int] = {}
        self._postings = Postings(self._is_gone)

    @classmethod
    def of(
        cls, rows: Iterable[tuple[str, str, str]], progress: Callable[[int], None] | None = None
    ) -> SiblingIndex:
        """An index of many texts, each with id and order: (id, text, order).

        ``progress`` is called now and then with how many were added so far. What it raises ends
        the making and is passed on, so it can also be asked whether to go on.
        """
        index = cls()
        for count, (id, text, order) in enumerate(rows):
            if progress is not None and count % _TOLD_EVERY == 0:
                progress(count)
            index._put(id, text, order)
            if count % _PACKED_AFTER == 0:
                index._postings.pack_next()
        index._postings.pack_all()
        return index

    @classmethod
    def of_picture(cls, picture: IndexPicture) -> SiblingIndex:
        """The index of a picture; its lists of ids, orders and sizes become the index's own.

        Raises:
            ValueError: the picture cannot be one of an index.
        """
        index = cls()
        index._ids, index._orders, index._sizes = picture.ids, picture.orders, picture.sizes
        numbered = enumerate(picture.ids)
        index._numbers = {id: number for number, id in numbered if id is not None}
        compared = len(picture.sizes) - picture.sizes.count(0)
        gone = sum(
            1 for id, size in zip(picture.ids, picture.sizes, strict=True) if size and id is None
        )
        index._postings = Postings.of_picture(index._is_gone, picture.lists, compared, gone)
        return index

    def picture(self) -> IndexPicture:
        """The index as it is now. No other thread may change it meanwhile; afterwards any may."""
        return IndexPicture(self._ids[:], self._orders[:], self._sizes[:], self._postings.picture())

    def pack(self) -> None:
        """Pack everything, when nothing more is to be added for a while."""
        self._postings.pack_all()

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, id: object) -> bool:
        return id in self._numbers

    def add(self, id: str, text: str, order: str = "") -> None:
        """Add a text, or replace the one that has this id."""
        self._put(id, text, order)
        self._postings.pack_next()

    def _put(self, id: str, text: str, order: str) -> None:
        self.remove(id)
        number = len(self._ids)
        vocabulary = tokens(text)
        self._ids.append(id)
        self._orders.append(order)
        self._numbers[id] = number
        is_compared = has_enough(vocabulary)
        self._sizes.append(len(vocabulary) if is_compared else 0)
        if is_compared:
            self._postings.add(vocabulary, number)

    def remove(self, id: str) -> None:
        """Forget a text; an id that is not held changes nothing."""
        number = self._numbers.pop(id, None)
        if number is not None:
            self._ids[number] = None
            self._orders[number] = ""
            if self._sizes[number]:
                self._postings.remove()

    def _is_gone(self, number: int) -> bool:
        return self._ids[number] is None

    def nearest(
        self,
        text: str,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Sibling, ...]:
        """The ``k`` best siblings of ``text`` whose id is not excluded and is accepted."""
        return self.question(text).nearest(k, accept, exclude)

    def ranked(
        self,
        text: str,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Ranked, ...]:
        """`nearest`, with what it is ranked by, so that results of two indexes can be merged."""
        return self.question(text).ranked(k, accept, exclude)

    def question(self, text: str) -> Question:
        """The candidates for siblings of ``text``, for whoever wants to know more than one thing
        of them. Ask it before a text is added or removed."""
        vocabulary = tokens(text)
        size = len(vocabulary)
        if not has_enough(vocabulary):
            return Candidates(self._ids, self._orders, self._sizes, size, (), [])
        known = self._postings.of(vocabulary)
        known.sort(key=_size)
        # Tokens that no text has count among the rarest, and cannot be met.
        unmet = size - len(known)
        meetings = min(_MEETINGS, (size + 1) // 2)
        looked_at = size // 2 + meetings - unmet
        if looked_at < meetings:
            return Candidates(self._ids, self._orders, self._sizes, size, (), [])
        # What is met often enough is met before the last lists, which are the longest. A set of all
        # that was met, and a count of what was met again, take less than a count of everything.
        enough = looked_at - meetings + 1
        seen: set[int] = set()
        again: list[int] = []
        for posting in known[:enough]:
            numbers = posting.numbers().tolist()
            again += seen.intersection(numbers)
            seen.update(numbers)
        for posting in known[enough:looked_at]:
            again += seen.intersection(posting.numbers())
        met = Counter(again)
        candidates = [(count + 1, number) for number, count in met.items() if count + 1 >= meetings]
        candidates.sort(key=lambda c: (-c[0], c[1]))
        rest = known[looked_at:]
        return Candidates(self._ids, self._orders, self._sizes, size, candidates, rest)


class Question:
    """A text of which the siblings are asked."""

    def ranked(
        self,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Ranked, ...]:
        """See ``SiblingIndex.ranked``."""
        raise NotImplementedError

    def nearest(
        self,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Sibling, ...]:
        """See ``SiblingIndex.nearest``."""
        return tuple(found.sibling for found in self.ranked(k, accept, exclude))


class Candidates(Question):
    """A text of which the siblings are asked, and the texts that may be them.

    Of each candidate its number and how many tokens of the lists that were looked at it shares,
    those with the most first; ``rest`` are the lists that were not.
    """

    def __init__(
        self,
        ids: Sequence[str | None],
        orders: Sequence[str],
        sizes: Sequence[int],
        size: int,
        candidates: Sequence[tuple[int, int]],
        rest: list[Posting],
    ) -> None:
        self._ids, self._orders, self._sizes, self._size = ids, orders, sizes, size
        self._candidates, self._rest = candidates, rest

    def ranked(
        self,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Ranked, ...]:
        """See ``SiblingIndex.ranked``."""
        if k < 1:
            return ()
        size, rest = self._size, self._rest
        least = (size + 1) // 2
        best: list[Ranked] = []
        for count, number in self._candidates:
            id = self._ids[number]
            if id is None:
                continue
            order, other = self._orders[number], self._sizes[number]
            larger = max(size, other)
            needed = max(least, (larger + 1) // 2)
            if len(best) == k:
                at_most = min(count + len(rest), size, other)
                if (-(at_most / larger), order, id) > best[-1][:3]:
                    continue
                # The same division as below, so an equal score is never cut by rounding.
                while needed <= larger and -(needed / larger) > best[-1].rank:
                    needed += 1
            shared = _shared(count, number, rest, needed)
            if shared < needed:
                continue
            row = Ranked(-(shared / larger), order, id, reported(shared, larger))
            if len(best) == k and row > best[-1]:
                continue
            if id in exclude or (accept is not None and not accept(id)):
                continue
            insort(best, row)
            del best[k:]
        return tuple(best)


def _shared(count: int, number: int, rest: list[Posting], needed: int) -> int:
    """How many tokens text ``number`` shares, or some count below ``needed`` once it cannot."""
    left = len(rest)
    for posting in rest:
        if count + left < needed:
            return count
        left -= 1
        count += number in posting
    return count
