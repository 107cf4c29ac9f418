"""An index that finds siblings among many texts, exactly, and is updated in place (spec page 9).

Two siblings share at least half of the larger vocabulary, so of a text's n tokens at least
⌈n/2⌉ are in each of its siblings, and at least ``e`` of them among any ⌊n/2⌋ + e tokens that we
care to look at, as long as ``e`` is at most ⌈n/2⌉. We look at the rarest ones, whose lists are
short, and count; only texts that were met ``e`` times are compared in full. Lists hold ascending
numbers, so a full comparison is a binary search per token and needs no stored vocabulary.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Collection
from typing import NamedTuple

from proofstone.domain.sibling_score import has_enough, reported
from proofstone.domain.sibling_tokens import tokens

_MEETINGS = 4
"""``e`` above. More means longer lists to count and fewer texts to compare in full."""


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


class _Entry(NamedTuple):
    id: str
    order: str
    terms: array[int]


class SiblingIndex:
    """Siblings of a text among the texts added so far.

    Results are those of comparing with every text. Ties go to the lower ``order`` (the time of
    creation, say), then to the lower id.
    """

    def __init__(self) -> None:
        self._terms: dict[str, int] = {}
        self._postings: list[array[int]] = []
        self._entries: dict[int, _Entry] = {}
        self._numbers: dict[str, int] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, id: object) -> bool:
        return id in self._numbers

    def add(self, id: str, text: str, order: str = "") -> None:
        """Add a text, or replace the one that has this id."""
        self.remove(id)
        number = self._next
        self._next += 1
        vocabulary = tokens(text)
        self._numbers[id] = number
        if not has_enough(vocabulary):
            self._entries[number] = _Entry(id, order, array("I"))
            return
        terms = array("I")
        for token in vocabulary:
            term = self._terms.get(token)
            if term is None:
                term = self._terms[token] = len(self._postings)
                self._postings.append(array("I"))
            self._postings[term].append(number)
            terms.append(term)
        self._entries[number] = _Entry(id, order, terms)

    def remove(self, id: str) -> None:
        """Forget a text; an id that is not held changes nothing."""
        number = self._numbers.pop(id, None)
        if number is None:
            return
        for term in self._entries.pop(number).terms:
            posting = self._postings[term]
            del posting[bisect_left(posting, number)]

    def nearest(
        self,
        text: str,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Sibling, ...]:
        """The ``k`` best siblings of ``text`` whose id is not excluded and is accepted."""
        return tuple(found.sibling for found in self.ranked(text, k, accept, exclude))

    def ranked(
        self,
        text: str,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Ranked, ...]:
        """`nearest`, with what it is ranked by, so that results of two indexes can be merged."""
        vocabulary = tokens(text)
        if k < 1 or not has_enough(vocabulary):
            return ()
        size = len(vocabulary)
        known = [self._postings[t] for t in map(self._terms.get, vocabulary) if t is not None]
        known.sort(key=len)
        least = (size + 1) // 2
        # Tokens that no text has count among the rarest, and cannot be met.
        meetings = min(_MEETINGS, least)
        looked_at = size // 2 + meetings - (size - len(known))
        if looked_at < meetings:
            return ()
        met: Counter[int] = Counter()
        for posting in known[:looked_at]:
            met.update(posting)
        rest = known[looked_at:]
        candidates = [(count, number) for number, count in met.items() if count >= meetings]
        candidates.sort(key=lambda c: (-c[0], c[1]))
        best: list[Ranked] = []
        for count, number in candidates:
            entry = self._entries[number]
            larger = max(size, len(entry.terms))
            needed = max(least, (larger + 1) // 2)
            if len(best) == k:
                at_most = min(count + len(rest), size, len(entry.terms))
                if (-(at_most / larger), entry.order, entry.id) > best[-1][:3]:
                    continue
                # The same division as below, so an equal score is never cut by rounding.
                while needed <= larger and -(needed / larger) > best[-1].rank:
                    needed += 1
            shared = _shared(count, number, rest, needed)
            if shared < needed:
                continue
            row = Ranked(-(shared / larger), entry.order, entry.id, reported(shared, larger))
            if len(best) == k and row > best[-1]:
                continue
            if entry.id in exclude or (accept is not None and not accept(entry.id)):
                continue
            insort(best, row)
            del best[k:]
        return tuple(best)


def _shared(count: int, number: int, rest: list[array[int]], needed: int) -> int:
    """How many tokens text ``number`` shares, or some count below ``needed`` once it cannot."""
    left = len(rest)
    for posting in rest:
        if count + left < needed:
            return count
        left -= 1
        at = bisect_left(posting, number)
        if at < len(posting) and posting[at] == number:
            count += 1
    return count
