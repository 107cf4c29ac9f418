"""The memories in force as views, and what can be told of each without one (spec page 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeVar, cast, overload

from proofstone.curation.ages import age_of
from proofstone.curation.on_demand import EachOnDemand
from proofstone.curation.views import memory_filterable
from proofstone.vault.survey import OrderedMemories
from proofstone.vault.told_memory import ToldMemory

if TYPE_CHECKING:
    from proofstone.curation.views import MemoryView
    from proofstone.domain.filters import Filterable
    from proofstone.domain.records import Memory

Item = TypeVar("Item")


class MemoryViews(EachOnDemand["Memory", "MemoryView"]):
    """One view for each memory, made and kept when it is first asked for.

    ``identifiers``, ``memory`` and ``filterable`` make and keep none: of 100,000 memories only
    those are to have a view that are shown.
    """

    __slots__ = ("_memories", "_now")

    def __init__(
        self, memories: Sequence[Memory], make: Callable[[Memory], MemoryView], now: datetime
    ) -> None:
        super().__init__(memories, make)
        self._memories = memories
        self._now = now

    @property
    def identifiers(self) -> Sequence[str]:
        """The ids of all, in their order."""
        if isinstance(self._memories, OrderedMemories):
            return self._memories.identifiers
        return [memory.memory_id for memory in self._memories]

    def memory(self, index: int) -> Memory:
        """The memory in a place, without a view of it."""
        return self._memories[index]

    def filterable(self, index: int) -> Filterable:
        """What a filter sees of the memory in a place, as its view would say."""
        memories = self._memories
        if isinstance(memories, OrderedMemories) and (data := memories.raw(index)) is not None:
            # It says all that a Filterable says, each when it is asked.
            told = ToldMemory(memories.identifiers[index], data, self._age)
            return cast("Filterable", told)
        memory = memories[index]
        return memory_filterable(memory, self._age(memory.created))

    def _age(self, created: str) -> timedelta:
        return age_of(created, self._now)


class _Picked(Sequence[Item]):
    """The items in some ``places`` of ``items``, each asked for when it is."""

    def __init__(self, items: Sequence[Item], places: Sequence[int]) -> None:
        self._items = items
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    def __iter__(self) -> Iterator[Item]:
        return map(self._items.__getitem__, self._places)

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Item]: ...

    def __getitem__(self, index: int | slice) -> Item | Sequence[Item]:
        if isinstance(index, slice):
            return [self._items[place] for place in self._places[index]]
        return self._items[self._places[index]]


class _Identifiers(_Picked[str]):
    def __iter__(self) -> Iterator[str]:
        # All at once are quicker than one by one.
        return map(list(self._items).__getitem__, self._places)


class SomeMemories(_Picked["MemoryView"]):
    """The views in some ``places`` of ``views``, each made when it is asked for."""

    def __init__(self, views: MemoryViews, places: Sequence[int]) -> None:
        super().__init__(views, places)
        self.identifiers: Sequence[str] = _Identifiers(views.identifiers, places)
