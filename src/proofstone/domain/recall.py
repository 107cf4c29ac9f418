"""Finding memories by words, for agents that ask what they may remember (spec page 8, MCP server).

A query finds a memory by the share of its words that the memory has, rare words counting more.
A word also counts, for less, when it begins one of the memory's words or is a near misspelling of
it. Scripts without spaces are compared by pairs of characters. The same memories and the same
query always give the same list.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from rapidfuzz import fuzz, process

from proofstone.domain import tokens

LEAST = 0.3
"""The score below which a memory is not an answer."""

LEAST_OF_BEST = 0.4
"""The part of the best score below which a memory is not worth reading beside that one."""

_PREFIX_LENGTH = 3
_FUZZY_LENGTH = 4
_FUZZY_CUTOFF = 78
_PREFIX_WEIGHT = 0.8
_PHRASE_BONUS = 0.1
_CLOSENESS = 0.1
_UNKNOWN = math.log(3)
"""What a word counts that no text has: as much as one that every other text has."""

_STOP_LIST = (
    "a about an and any are as at be been by can could did do does for from had has have how i"
    " if in is it its me my of on or our shall should so that the their them then there these"
    " they this to us was we were what when where which who why will with would you your"
    " al com como da das de del do dos el em en es esta la las los na no nos o os para pela"
    " pelo por que se sobre su um uma un una y"
)
_STOP_WORDS = frozenset(_STOP_LIST.split())
"""Words that a question has in English, Portuguese and Spanish, whatever it is about."""


@dataclass(frozen=True, slots=True, order=True)
class Hit:
    """A memory that a query found, best first: ``rank`` is the score negated."""

    rank: float
    id: str

    @property
    def score(self) -> float:
        """The share of the query that was found, from 0 to 1, in two decimals."""
        return round(min(-self.rank, 1.0), 2)


@dataclass(frozen=True, slots=True)
class _Entry:
    words: frozenset[str]
    folded: str


class RecallIndex:
    """Texts by their words; updated in place."""

    def __init__(self) -> None:
        self._entries: dict[str, _Entry] = {}
        self._postings: dict[str, set[str]] = {}
        self._sorted: list[str] | None = None

    def __len__(self) -> int:
        return len(self._entries)

    def add(self, id: str, text: str) -> None:
        """Add a text, or replace the one that has this id."""
        self.remove(id)
        folded = tokens.fold(text)
        words = frozenset(tokens.words_of_folded(folded))
        self._entries[id] = _Entry(words, " ".join(tokens.runs(folded)))
        for word in words:
            ids = self._postings.get(word)
            if ids is None:
                ids = self._postings[word] = set()
                self._sorted = None
            ids.add(id)

    def remove(self, id: str) -> None:
        """Forget a text; an id that is not held changes nothing."""
        entry = self._entries.pop(id, None)
        if entry is None:
            return
        for word in entry.words:
            ids = self._postings[word]
            ids.remove(id)
            if not ids:
                del self._postings[word]
                self._sorted = None

    def search(
        self, query: str, limit: int, accept: Callable[[str], bool] | None = None
    ) -> tuple[Hit, ...]:
        """The best ``limit`` texts for ``query`` that are accepted; ties go to the lower id."""
        folded = tokens.fold(query)
        asked = _asked(folded)
        if not asked or not self._entries:
            return ()
        phrase = " ".join(tokens.runs(folded))
        total = 0.0
        found: dict[str, float] = {}
        for word in asked:
            weights = self._weights(word)
            rarity = math.log(1 + len(self._entries) / len(weights)) if weights else _UNKNOWN
            total += rarity
            for id, weight in weights.items():
                found[id] = found.get(id, 0.0) + rarity * weight
        hits: list[Hit] = []
        for id, weight in found.items():
            score = weight / total
            if score < LEAST or (accept is not None and not accept(id)):
                continue
            entry = self._entries[id]
            score += _CLOSENESS * tokens.jaccard_of(asked, entry.words)
            if len(asked) > 1 and phrase in entry.folded:
                score += _PHRASE_BONUS
            hits.append(Hit(-score, id))
        hits.sort()
        return tuple(hit for hit in hits[:limit] if hit.rank <= LEAST_OF_BEST * hits[0].rank)

    def _weights(self, word: str) -> dict[str, float]:
        """The texts that have ``word`` or one like it, each with how much that counts."""
        weights: dict[str, float] = {}
        for other, weight in self._alike(word):
            for id in self._postings[other]:
                if weights.get(id, 0.0) < weight:
                    weights[id] = weight
        return weights

    def _alike(self, word: str) -> Iterable[tuple[str, float]]:
        if word in self._postings:
            yield word, 1.0
        if tokens.is_unspaced(word):
            if len(word) == 1:
                yield from ((other, _PREFIX_WEIGHT) for other in self._postings if word in other)
            return
        if len(word) >= _PREFIX_LENGTH:
            vocabulary = self._vocabulary()
            at = bisect_left(vocabulary, word)
            while at < len(vocabulary) and vocabulary[at].startswith(word):
                yield vocabulary[at], _PREFIX_WEIGHT
                at += 1
        if len(word) >= _FUZZY_LENGTH and not any(character.isdigit() for character in word):
            near = process.extract(
                word,
                self._postings.keys(),
                scorer=fuzz.ratio,
                score_cutoff=_FUZZY_CUTOFF,
                limit=None,
            )
            yield from ((other, (ratio / 100) ** 3) for other, ratio, _ in near)

    def _vocabulary(self) -> list[str]:
        if self._sorted is None:
            self._sorted = sorted(self._postings)
        return self._sorted


def _asked(folded: str) -> frozenset[str]:
    """The words of a query that say something; all of them where none does."""
    every = frozenset(tokens.words_of_folded(folded))
    return every - _STOP_WORDS or every
