"""What a Line API list shows: rows, made on demand."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, chain
from typing import NamedTuple, Protocol

from textual.content import Content

EMPTY = Content("")


class Extent(NamedTuple):
    """Enough of a row to know its height without building it.

    ``gutter`` is in cells and taken from every line, ``aside`` from the first one only.
    """

    text: str
    gutter: int
    aside: int
    wraps: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a list.

    ``gutter`` stands before the first line and ``continuation`` before the following ones; both
    have the same width. ``trailing`` is set flush right on the first line. A row that does not
    wrap shows one line for each line of its body, cut with an ellipsis where it does not fit.
    A row that cannot be selected is passed over by the cursor.
    """

    key: str
    body: Content
    gutter: Content = EMPTY
    continuation: Content = EMPTY
    trailing: Content = EMPTY
    wrap: bool = False
    parted: bool = False
    """Whether the lines after the first are of parts: those with room are shown whole."""
    selectable: bool = True
    link: str = ""
    """The identity that other panes refer to when they highlight this row."""

    @property
    def extent(self) -> Extent:
        """What the row's height follows from."""
        aside = self.trailing.cell_length + 1 if self.trailing else 0
        return Extent(self.body.plain, self.gutter.cell_length, aside, self.wrap)


class RowSource(Protocol):
    """Rows by index, without building them all."""

    fixed_height: int | None
    """Lines of every row when they are all the same, else None."""

    def __len__(self) -> int: ...

    def row(self, index: int) -> Row: ...

    def key(self, index: int) -> str: ...

    def all_keys(self) -> Iterable[str]: ...

    def extent(self, index: int) -> Extent: ...


@dataclass(slots=True)
class Rows:
    """A source made of rows that exist already."""

    rows: Sequence[Row] = ()
    fixed_height: int | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def row(self, index: int) -> Row:
        return self.rows[index]

    def key(self, index: int) -> str:
        return self.rows[index].key

    def all_keys(self) -> Iterable[str]:
        return (row.key for row in self.rows)

    def extent(self, index: int) -> Extent:
        return self.rows[index].extent


@dataclass(slots=True)
class LazyRows:
    """A source for long lists whose rows are alike: each is built when it is first shown."""

    keys: Sequence[str]
    build: Callable[[int], Row]
    fixed_height: int | None = 1
    measure: Callable[[int], Extent] | None = field(default=None)
    measured: tuple[int, array[int]] | None = field(default=None, init=False)
    """A width, and the lines of every row at it: a source that is shown again is as it was."""

    def __len__(self) -> int:
        return len(self.keys)

    def row(self, index: int) -> Row:
        return self.build(index)

    def key(self, index: int) -> str:
        return self.keys[index]

    def all_keys(self) -> Iterable[str]:
        return self.keys

    def extent(self, index: int) -> Extent:
        return self.measure(index) if self.measure is not None else self.build(index).extent


@dataclass(slots=True)
class JoinedRows:
    """Sources one after the other, as one list."""

    parts: Sequence[RowSource]
    fixed_height: int | None = field(default=None, init=False)
    _starts: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self._starts = list(accumulate(map(len, self.parts), initial=0))

    def __len__(self) -> int:
        return self._starts[-1]

    def _place(self, index: int) -> tuple[RowSource, int]:
        part = bisect_right(self._starts, index) - 1
        return self.parts[part], index - self._starts[part]

    def row(self, index: int) -> Row:
        part, within = self._place(index)
        return part.row(within)

    def key(self, index: int) -> str:
        part, within = self._place(index)
        return part.key(within)

    def all_keys(self) -> Iterable[str]:
        return chain.from_iterable(part.all_keys() for part in self.parts)

    def extent(self, index: int) -> Extent:
        part, within = self._place(index)
        return part.extent(within)


def text_row(key: str, *parts: str | tuple[str, str] | Content, wrap: bool = True) -> Row:
    """A row that is read, not chosen."""
    return Row(key=key, body=Content.assemble(*parts), wrap=wrap, selectable=False)


def blank_row(key: str) -> Row:
    """An empty line."""
    return Row(key=key, body=EMPTY, selectable=False)


def spaced(groups: Iterable[Sequence[Row]]) -> list[Row]:
    """Groups of rows with an empty line between them; empty groups vanish."""
    rows: list[Row] = []
    for number, group in enumerate(groups):
        if rows and group:
            rows.append(blank_row(f"blank-{number}"))
        rows.extend(group)
    return rows


def spaced_sources(groups: Iterable[RowSource]) -> JoinedRows:
    """Sources as one, with an empty line between them; empty ones vanish."""
    parts: list[RowSource] = []
    for number, group in enumerate(groups):
        if parts and len(group):
            parts.append(Rows([blank_row(f"blank-{number}")]))
        parts.append(group)
    return JoinedRows(parts)
