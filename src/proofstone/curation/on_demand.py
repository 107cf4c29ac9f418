"""Tuples that are worked out when they are looked at (spec page 9).

To callers they are tuples: they have the same items, length, comparisons and hash. Two threads that
ask at once may both work something out; they get equal results.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar, overload

Source = TypeVar("Source")
Item = TypeVar("Item")


class _Tuple(Sequence[Item], Generic[Item]):
    """What both kinds share with tuples."""

    __slots__ = ()

    @abstractmethod
    def _item(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: int) -> Item: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Item, ...]: ...

    def __getitem__(self, index: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(index, slice):
            return tuple(self._item(place) for place in range(*index.indices(len(self))))
        return self._item(range(len(self))[index])

    def __iter__(self) -> Iterator[Item]:
        return map(self._item, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, (_Tuple, tuple)):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        return repr(tuple(self))


class EachOnDemand(_Tuple[Item], Generic[Source, Item]):
    """One item for each of ``sources``, made and kept when it is first asked for."""

    __slots__ = ("_made", "_make", "_sources")

    def __init__(self, sources: Sequence[Source], make: Callable[[Source], Item]) -> None:
        self._sources = sources
        self._make = make
        self._made: dict[int, Item] = {}

    def __len__(self) -> int:
        return len(self._sources)

    def _item(self, index: int) -> Item:
        found = self._made.get(index)
        if found is None:
            found = self._made[index] = self._make(self._sources[index])
        return found


class AllOnDemand(_Tuple[Item]):
    """Items that are worked out together when one, or their number, is first asked for."""

    __slots__ = ("_is_quick", "_items", "_make")

    def __init__(
        self, make: Callable[[], tuple[Item, ...]], is_quick: Callable[[], bool] = lambda: True
    ) -> None:
        self._make = make
        self._is_quick = is_quick
        self._items: tuple[Item, ...] | None = None

    @property
    def is_known(self) -> bool:
        """Whether the items can be had at once; False while what they need is being made."""
        return self._items is not None or self._is_quick()

    def _all(self) -> tuple[Item, ...]:
        if self._items is None:
            self._items = self._make()
        return self._items

    def __len__(self) -> int:
        return len(self._all())

    def _item(self, index: int) -> Item:
        return self._all()[index]
