"""Clusters of what waits: decide once, and let the rest follow or be seen to differ (spec page 7).

A cluster is one text and those that are siblings of it or say exactly the same, so that whoever
reads the first has read the gist of all. Texts that contradict each other never share a cluster,
nor does tainted text share one with untainted; clusters that contradict stand side by side.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from proofstone.domain.cues import opposition
from proofstone.domain.sibling_index import SiblingIndex

NEAREST = 4
"""How many of the clusters that are nearest to a text are tried, the nearest first."""

COMPARED = 8
"""How many texts of a cluster, or heads of one key, are looked through for a contradiction."""

CLUSTERED = 5_000
"""How many of the first texts are clustered; nobody decides on more of them in one sitting."""


class Waiting(NamedTuple):
    """A text that waits: its id, its words, its normalized key, and whether it is tainted."""

    id: str
    statement: str
    key: str
    tainted: bool


@dataclass(frozen=True, slots=True)
class Cluster:
    """Texts that belong together, the head first; ``opposed`` are heads of other clusters."""

    ids: tuple[str, ...]
    opposed: tuple[str, ...] = ()

    @property
    def head(self) -> str:
        """The first one, which stands for the others."""
        return self.ids[0]


@dataclass(slots=True)
class _Growing:
    head: Waiting
    place: int
    ids: list[str] = field(default_factory=list)
    texts: dict[str, None] = field(default_factory=dict)
    opposed: dict[str, None] = field(default_factory=dict)

    def add(self, item: Waiting, text: str) -> None:
        self.ids.append(item.id)
        self.texts.setdefault(text)

    def contradicts(self, statement: str) -> bool:
        return any(_contradict(statement, text) for text in islice(self.texts, COMPARED))


def clusters(waiting: Iterable[Waiting]) -> tuple[Cluster, ...]:
    """The clusters of ``waiting``, whose order is kept: that of the heads, and within each.

    A cluster that contradicts an earlier one follows it at once. Beyond the first ``CLUSTERED``
    texts each is a cluster of its own.
    """
    queue = list(waiting)
    rest = (Cluster((item.id,)) for item in queue[CLUSTERED:])
    return (*_adjacent(_grown(queue[:CLUSTERED])), *rest)


def among(found: Iterable[Cluster], shown: Collection[str]) -> tuple[Cluster, ...]:
    """What is left of clusters when only the texts with these ids are shown."""
    found = tuple(found)
    if all(id in shown for cluster in found for id in cluster.ids):
        return found
    kept = [
        (cluster, tuple(id for id in cluster.ids if id in shown))
        for cluster in found
        if any(id in shown for id in cluster.ids)
    ]
    heads = {cluster.head: ids[0] for cluster, ids in kept}
    return tuple(
        cluster
        if len(ids) == len(cluster.ids) and not cluster.opposed
        else replace(
            cluster, ids=ids, opposed=tuple(heads[h] for h in cluster.opposed if h in heads)
        )
        for cluster, ids in kept
    )


@lru_cache(maxsize=100_000)
def _contradict(one: str, other: str) -> bool:
    """Whether two texts contradict each other; after each ruling, nearly all pairs are known."""
    return bool(opposition(one, other))


def _grown(waiting: Iterable[Waiting]) -> list[_Growing]:
    made: list[_Growing] = []
    by_head: dict[str, _Growing] = {}
    exact: dict[tuple[bool, str], _Growing] = {}
    by_key: dict[str, list[_Growing]] = defaultdict(list)
    near = {tainted: SiblingIndex() for tainted in (False, True)}
    for place, item in enumerate(waiting):
        text = unicodedata.normalize("NFC", item.statement).strip()
        joined = exact.get((item.tainted, text))
        opposed: list[_Growing] = []
        if joined is None:
            for found in near[item.tainted].nearest(item.statement, NEAREST):
                other = by_head[found.id]
                if other.contradicts(item.statement):
                    opposed.append(other)
                elif joined is None:
                    joined = other
            seen = {id(other) for other in opposed}
            opposed += (
                other
                for other in by_key[item.key][:COMPARED]
                if other is not joined
                and id(other) not in seen
                and _contradict(item.statement, other.head.statement)
            )
        if joined is None:
            # Heads are ordered by place, so that of equally near ones the first is taken.
            joined = _Growing(item, place)
            made.append(joined)
            by_head[item.id] = joined
            near[item.tainted].add(item.id, item.statement, f"{place:09}")
            by_key[item.key].append(joined)
        joined.add(item, text)
        exact[(item.tainted, text)] = joined
        for other in opposed:
            joined.opposed.setdefault(other.head.id)
            other.opposed.setdefault(joined.head.id)
    return made


def _adjacent(made: Sequence[_Growing]) -> tuple[Cluster, ...]:
    by_head = {growing.head.id: growing for growing in made}
    placed: dict[str, Cluster] = {}
    for growing in made:
        pending = [growing]
        while pending:
            following = pending.pop()
            if following.head.id in placed:
                continue
            placed[following.head.id] = Cluster(tuple(following.ids), tuple(following.opposed))
            others = (by_head[head] for head in following.opposed if head not in placed)
            pending += sorted(others, key=lambda other: -other.place)
    return tuple(placed.values())
