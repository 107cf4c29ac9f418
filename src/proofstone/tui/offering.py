"""Which memories a proposal, or another memory, may replace, in the order in which to offer them.

Of 100,000 memories a person looks at a few: what is told of one is made when it is shown, and a
search for words reads the notes' own bytes (spec page 9).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

from proofstone.curation.memory_views import MemoryViews
from proofstone.curation.workspace import Workspace
from proofstone.domain.likeness import likeness
from proofstone.tui.words import MATCH_SHORT

COMPARED = 2_000
"""Memories of which those most like a proposal are offered first; in a larger vault it would be
felt, and one narrows the list by words anyway."""


_PIECE = COMPARED // 4
"""So many are looked through for words before keys have their turn."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A memory that may be chosen, and why it is offered."""

    memory_id: str
    title: str
    statement: str
    why: str = ""


class Offers(Sequence[Offer]):
    """The memories in some ``places`` of ``memories``; ``why`` says of some why they come first."""

    def __init__(
        self, memories: MemoryViews, places: Sequence[int], why: Mapping[str, str]
    ) -> None:
        self._memories = memories
        self._places = places
        self._why = why
        every = memories.identifiers
        # All at once are quicker than one by one.
        every = list(every) if len(places) > COMPARED else every
        self.identifiers = [every[place] for place in places]

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> Offer: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Offer]: ...

    def __getitem__(self, index: int | slice) -> Offer | Sequence[Offer]:
        if isinstance(index, slice):
            return Offers(self._memories, self._places[index], self._why)
        memory = self._memories.memory(self._places[index])
        why = self._why.get(memory.memory_id, "")
        return Offer(memory.memory_id, memory.title, memory.statement, why)

    @property
    def pointed_at(self) -> int:
        """How many stand first because something points at them."""
        told = (place for place, name in enumerate(self.identifiers) if name not in self._why)
        return next(told, len(self))

    def having(self, words: Sequence[str]) -> Iterator[Offers | None]:
        """Those that have all of ``words``, casefolded, in title, statement or tags.

        None comes first, over and over, while a piece of many is looked through.
        """
        kept: list[int] = []
        for number, place in enumerate(self._places if words else (), start=1):
            text = self._memories.filterable(place).text.casefold()
            if all(word in text for word in words):
                kept.append(place)
            if not number % _PIECE:
                yield None
        yield Offers(self._memories, kept, self._why) if words else self


def offers_for(workspace: Workspace, subject: str, like: str = "") -> Offers:
    """Memories that may be chosen: matched first, then siblings, then all others by title.

    In a vault that is not large, those others come first that share the most words with it: what
    somebody changes their mind about is often told in too few of them for a sibling. For a memory,
    ``like`` is another one that says nearly the same.
    """
    why: dict[str, str] = {}
    if subject in workspace.proposals:
        view = workspace.proposal(subject)
        why |= {found.memory_id: f"{found.score:.2f} sibling" for found in view.siblings}
        why |= dict.fromkeys(view.match.matched, MATCH_SHORT[view.match.kind])
        named = view.proposal.update_memory_id
        if named:
            why[named] = "named by the Gate"
        ranks = [named, *view.match.matched, *(found.memory_id for found in view.siblings)]
    else:
        ranks = [like]
        why[like] = "says nearly the same"
    memories = workspace.memories
    order = {memory_id: rank for rank, memory_id in enumerate(dict.fromkeys(ranks))}
    names = list(memories.identifiers)
    first: dict[int, int] = {}
    others: list[int] = []
    for place, memory_id in enumerate(names):
        if memory_id == subject:
            continue
        if memory_id in order:
            first[order[memory_id]] = place
        else:
            others.append(place)
    if alike := _likeness(workspace, subject, others):
        others.sort(key=lambda place: -alike[names[place]])
    return Offers(memories, [*(first[rank] for rank in sorted(first)), *others], why)


def _likeness(workspace: Workspace, subject: str, places: Sequence[int]) -> Mapping[str, float]:
    """How much each memory is like the subject; nothing is known where there are too many."""
    told = workspace.held.proposal(subject) or workspace.held.memory(subject)
    if told is None or len(places) > COMPARED:
        return {}
    found = map(workspace.memories.memory, places)
    return likeness(told.statement, {m.memory_id: f"{m.title} {m.statement}" for m in found})
