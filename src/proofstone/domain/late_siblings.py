"""Siblings for few questions about many texts: looked for, not indexed (spec page 4, Capture).

Indexing 100,000 texts takes longer than any one capture may. A ``LateSiblings`` answers as
``SiblingIndex`` does, by going through all texts: a sibling has at least half of the question's
tokens, so most texts are passed over after a look for some of them. Once many questions were
asked, an index is made after all.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from proofstone.domain.sibling_index import Question, Ranked, Sibling, SiblingIndex
from proofstone.domain.sibling_score import has_enough, reported
from proofstone.domain.sibling_tokens import tokens

FEW = 16
"""Questions that are answered without an index."""

_MEETINGS = 4
_CONTEXT_SENSITIVE = "Σ"
"""In lower case it depends on what stands around it, so a token need not be in the whole text."""


class SortedSiblings(Question):
    """A text of which all siblings are known, the best first."""

    def __init__(self, found: Sequence[Ranked]) -> None:
        self._found = found

    def ranked(
        self,
        k: int,
        accept: Callable[[str], bool] | None = None,
        exclude: Collection[str] = (),
    ) -> tuple[Ranked, ...]:
        """See ``SiblingIndex.ranked``."""
        fitting = (
            found
            for found in self._found
            if found.id not in exclude and (accept is None or accept(found.id))
        )
        return tuple(found for _, found in zip(range(k), fitting, strict=False))


class LateSiblings:
    """Texts by id, with the methods of a ``SiblingIndex`` and its answers."""

    def __init__(self) -> None:
        self._texts: dict[str, tuple[str, str]] = {}
        self._index: SiblingIndex | None = None
        self._asked = 0

    def __len__(self) -> int:
        return len(self._texts) if self._index is None else len(self._index)

    def add(self, id: str, text: str, order: str = "") -> None:
        """Add a text, or replace the one that has this id."""
        if self._index is not None:
            self._index.add(id, text, order)
        else:
            self._texts[id] = (text, order)

    def remove(self, id: str) -> None:
        """Forget a text; an id that is not held changes nothing."""
        if self._index is not None:
            self._index.remove(id)
        else:
            self._texts.pop(id, None)

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
        """`nearest`, with what it is ranked by."""
        return self.question(text).ranked(k, accept, exclude)

    def question(self, text: str) -> Question:
        """All siblings of ``text``, for whoever wants to know more than one thing of them."""
        if self._index is None:
            self._asked += 1
            if self._asked <= FEW:
                return SortedSiblings(sorted(self._all(text)))
            self._index = self._made_index()
        return self._index.question(text)

    def _made_index(self) -> SiblingIndex:
        index = SiblingIndex()
        for id, (text, order) in self._texts.items():
            index.add(id, text, order)
        self._texts = {}
        return index

    def _all(self, text: str) -> list[Ranked]:
        vocabulary = tokens(text)
        if not has_enough(vocabulary):
            return []
        size = len(vocabulary)
        least = (size + 1) // 2
        meetings = min(_MEETINGS, least)
        # Long words are rare: of so many that half may be missing, some have to be there.
        looked_for = sorted(vocabulary, key=len, reverse=True)[: size - least + meetings]
        found: list[Ranked] = []
        for id, (other, order) in self._texts.items():
            if _CONTEXT_SENSITIVE not in other:
                has = other.lower().__contains__
                if sum(map(has, looked_for)) < meetings:
                    continue
            theirs = tokens(other)
            shared, larger = len(vocabulary & theirs), max(size, len(theirs))
            if 2 * shared >= larger and has_enough(theirs):
                found.append(Ranked(-(shared / larger), order, id, reported(shared, larger)))
        return found
