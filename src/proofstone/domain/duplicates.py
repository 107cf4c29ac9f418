"""Near-duplicates in a whole collection: clusters, and each text's nearest ones (spec page 9).

A pair counts when it is a pair of siblings (``sibling_score``). Every such pair is found, and each
is compared once: two siblings share at least half of the larger vocabulary, so they share at
least *e* tokens among the ⌊n/2⌋ + *e* rarest of each, with *e* at most ⌈n/2⌉ of either. Texts are
taken one after the other and counted against those before them in lists of just these tokens,
whose commonest half is never listed.

Boilerplate can make the number of pairs quadratic. Texts with the same tokens are therefore looked
at once, pairs are given as a stream, and what is kept of them is bounded: they are joined to
clusters, and each text keeps only its best few.
"""

from __future__ import annotations

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count, repeat
from typing import NamedTuple

from proofstone.domain.sibling_score import has_enough, reported
from proofstone.domain.sibling_tokens import tokens

NEAREST = 3
"""How many of the texts nearest to it are kept for each text."""

_MEETINGS = 4
"""*e* above. More means longer lists to count and fewer pairs to compare in full."""

Progress = Callable[[int, int], None]
"""Called with how many texts were looked at, and how many there are."""


class Pair(NamedTuple):
    """Two siblings by their places in the collection, the later one first."""

    later: int
    earlier: int
    shared: int
    larger: int


class Near(NamedTuple):
    """A sibling of a text: its id and the score as people see it."""

    id: str
    score: float


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts that hang together by pairs of siblings, in order of id.

    ``score`` is that of its closest pair; ``nearest`` gives for each text its best siblings.
    """

    ids: tuple[str, ...]
    score: float
    nearest: tuple[tuple[Near, ...], ...]


def find(
    ids: Sequence[str],
    texts: Iterable[str],
    nearest: int = NEAREST,
    progress: Progress | None = None,
) -> list[Cluster]:
    """The clusters among texts with these ids, which must differ; the closest ones come first.

    ``progress`` counts each text half when it was read and half when it was compared.
    """
    size = len(ids)

    def read() -> Iterator[str]:
        for place, text in enumerate(texts):
            if progress is not None:
                progress(place // 2, size)
            yield text

    def compared(done: int, _of: int) -> None:
        if progress is not None:
            progress((size + done) // 2, size)

    vocabularies = Vocabularies(read())
    found = pairs(vocabularies, compared)
    clusters = _Clustering(ids, vocabularies.copies, nearest).of(found)
    if progress is not None:
        progress(size, size)
    return clusters


def in_order(clusters: Iterable[Cluster]) -> list[Cluster]:
    """Clusters with the closest ones first, then the largest."""
    return sorted(clusters, key=lambda cluster: (-cluster.score, -len(cluster.ids), cluster.ids))


class Vocabularies:
    """The distinct tokens of texts as numbers, the rarest lowest: what pairs are looked for in.

    ``sizes`` counts a text's tokens. It is 0 for a text that is too short to be compared, and for
    one that has exactly the tokens of an earlier one: ``copies`` has the places of all such texts
    by that of the first. ``terms`` are the tokens that another text has too, in their order; those
    that no other text has, which are many, only count. ``highest`` is the highest of them.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        numbers: defaultdict[str, int] = defaultdict(count().__next__)
        occurrences: list[int] = []
        firsts: dict[int, int] = {}
        found: list[array[int]] = []
        self.copies: dict[int, list[int]] = {}
        for place, text in enumerate(texts):
            vocabulary = tokens(text)
            found.append(array("I"))
            if not has_enough(vocabulary):
                continue
            terms = array("I", map(numbers.__getitem__, vocabulary))
            first = firsts.setdefault(hash(vocabulary), place)
            if first != place and set(found[first]) == set(terms):
                self.copies.setdefault(first, [first]).append(place)
                continue
            found[-1] = terms
            occurrences += repeat(0, len(numbers) - len(occurrences))
            # A list is several times quicker here than a Counter, which looks up every number.
            for term in terms:
                occurrences[term] += 1
        self.sizes = array("I", map(len, found))
        ranks = [0] * len(numbers)
        repeated = (number for number, times in enumerate(occurrences) if times > 1)
        for rank, number in enumerate(sorted(repeated, key=occurrences.__getitem__), 1):
            ranks[number] = rank
        self.highest = max(ranks, default=0)
        self.terms = [
            array("I", sorted(filter(None, map(ranks.__getitem__, terms)))) for terms in found
        ]


def prefix(size: int) -> int:
    """How many of a text's rarest tokens are looked at, of ``size`` in all."""
    return min(size, size // 2 + meetings(size))


def meetings(size: int) -> int:
    """How many of those two siblings share at least: the lower number of the two."""
    return min(_MEETINGS, (size + 1) // 2)


def pairs(vocabularies: Vocabularies, progress: Progress | None = None) -> Iterator[Pair]:
    """Every pair of siblings, by the later one, but for the copies."""
    terms, sizes = vocabularies.terms, vocabularies.sizes
    # Of each term the texts so far that have it among their rarest, once there is one.
    lists: list[list[int] | None] = [None] * (vocabularies.highest + 1)
    least = array("I", map(meetings, sizes))
    fewest = min(filter(None, least), default=1)
    for number, (own, size) in enumerate(zip(terms, sizes, strict=True)):
        if progress is not None:
            progress(number, len(terms))
        # The tokens that no other text has come first among the rarest, and cannot be met.
        looked_at = own[: max(0, prefix(size) - (size - len(own)))]
        holding: list[list[int]] = []
        for term in looked_at:
            places = lists[term]
            if places is None:
                lists[term] = [number]
            else:
                holding.append(places)
        met = Counter(chain.from_iterable(holding))
        for places in holding:
            places.append(number)
        if max(met.values(), default=0) < fewest:
            continue
        vocabulary: frozenset[int] | None = None
        for other in [other for other, times in met.items() if times >= fewest]:
            if met[other] < min(least[number], least[other]):
                continue
            larger = max(size, sizes[other])
            if 2 * min(size, sizes[other]) < larger:
                continue
            if vocabulary is None:
                vocabulary = frozenset(own)
            shared = len(vocabulary.intersection(terms[other]))
            if 2 * shared >= larger:
                yield Pair(number, other, shared, larger)
    if progress is not None:
        progress(len(terms), len(terms))


class _Clustering:
    """Joins pairs to clusters and keeps each text's best siblings."""

    def __init__(self, ids: Sequence[str], copies: Mapping[int, list[int]], nearest: int) -> None:
        self._ids = ids
        self._nearest = nearest
        self._alike = {
            first: sorted(places, key=ids.__getitem__) for first, places in copies.items()
        }
        self._joined = list(range(len(ids)))
        self._best: dict[int, list[tuple[float, str, Pair]]] = {}

    def of(self, found: Iterable[Pair]) -> list[Cluster]:
        """The clusters that ``found`` makes, together with the copies."""
        for pair in found:
            one, other = self._head(pair.later), self._head(pair.earlier)
            self._joined[max(one, other)] = min(one, other)
            self._keep(pair.later, pair.earlier, pair)
            self._keep(pair.earlier, pair.later, pair)
        members: dict[int, list[int]] = {}
        for place in self._best.keys() | self._alike.keys():
            members.setdefault(self._head(place), []).extend(self._all_alike(place))
        return in_order(self._cluster(places) for places in members.values())

    def _head(self, place: int) -> int:
        joined = self._joined
        while joined[place] != place:
            joined[place] = joined[joined[place]]
            place = joined[place]
        return place

    def _keep(self, place: int, near: int, pair: Pair) -> None:
        kept = self._best.setdefault(place, [])
        kept.append((-(pair.shared / pair.larger), self._ids[self._all_alike(near)[0]], pair))
        if len(kept) > 4 * self._nearest:
            kept.sort()
            del kept[self._nearest :]

    def _all_alike(self, place: int) -> list[int]:
        return self._alike.get(place) or [place]

    def _cluster(self, places: list[int]) -> Cluster:
        near: dict[str, tuple[Near, ...]] = {}
        score = 0.0
        for first in places:
            alike = self._all_alike(first)
            if first not in self._best and first not in self._alike:
                continue
            ranked = [(-1.0, self._ids[place], 1, 1) for place in alike[: self._nearest + 1]]
            for rank, _, pair in sorted(self._best.get(first, ()))[: self._nearest]:
                other = pair.earlier if pair.later == first else pair.later
                ranked += (
                    (rank, self._ids[place], pair.shared, pair.larger)
                    for place in self._all_alike(other)[: self._nearest]
                )
            ranked.sort()
            for place in alike:
                others = [row for row in ranked if row[1] != self._ids[place]][: self._nearest]
                near[self._ids[place]] = tuple(
                    Near(id, reported(shared, larger)) for _, id, shared, larger in others
                )
                score = max(score, near[self._ids[place]][0].score)
        ids = tuple(sorted(near))
        return Cluster(ids=ids, score=score, nearest=tuple(near[id] for id in ids))
