"""Near-duplicates of a collection that changes: only what changed is looked at again (page 9).

All siblings of a text are in its cluster. So when texts change, a cluster can only become another
one if it held one of them, or if one of them is now a sibling of a text in it. The changed texts
are therefore probed once each, and only the texts of the clusters that this touches are compared
with one another again. What comes out is what ``duplicates.find`` gives for the whole collection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from proofstone.domain.duplicates import NEAREST, Cluster, Progress, find, in_order
from proofstone.domain.sibling_index import SiblingIndex

TextOf = Callable[[str], str]
"""The text of an id that is held."""


class KeptDuplicates:
    """The clusters of texts by id, as they are now.

    ``text_of`` gives a text again when it is needed: it is not kept here.
    """

    def __init__(
        self,
        ids: Iterable[str],
        text_of: TextOf,
        nearest: int = NEAREST,
        progress: Progress | None = None,
    ) -> None:
        held = tuple(ids)
        self._nearest = nearest
        self._index = SiblingIndex.of((id, text_of(id), "") for id in held)
        self._clusters: dict[str, Cluster] = {}
        self._put(find(held, map(text_of, held), nearest, progress))

    @property
    def clusters(self) -> list[Cluster]:
        """All clusters, the closest ones first."""
        return in_order({cluster.ids: cluster for cluster in self._clusters.values()}.values())

    def of(self, id: str) -> Cluster | None:
        """The cluster that a text is in, None when nothing is like it."""
        return self._clusters.get(id)

    def change(self, changed: Mapping[str, str], gone: Iterable[str], text_of: TextOf) -> None:
        """Take in new and other texts by id, and forget those that are gone.

        ``text_of`` gives the texts as they are now.
        """
        touched: set[str] = set()
        for id in gone:
            self._index.remove(id)
            touched |= self._around(id)
        for id, text in changed.items():
            self._index.add(id, text)
            touched |= self._around(id)
        for id, text in changed.items():
            touched.add(id)
            for found in self._index.nearest(text, len(self._index), exclude=(id,)):
                touched |= self._around(found.id)
        for id in touched:
            self._clusters.pop(id, None)
        left = sorted(id for id in touched if id in self._index)
        self._put(find(left, map(text_of, left), self._nearest))

    def _around(self, id: str) -> set[str]:
        cluster = self._clusters.get(id)
        return {id} if cluster is None else set(cluster.ids)

    def _put(self, clusters: Iterable[Cluster]) -> None:
        for cluster in clusters:
            self._clusters.update(dict.fromkeys(cluster.ids, cluster))
