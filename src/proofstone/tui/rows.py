"""What a Line API list shows: rows, made on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, TypeVar

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

    def extent(self, index: int) -> Extent: ...


@dataclass(frozen=True, slots=True)
class LaterRow:
    """A row of one line that is built when it is first shown."""

    key: str
    build: Callable[[], Row]

    @property
    def extent(self) -> Extent:
        """One line, whatever stands in it."""
        return Extent("", 0, 0, wraps=False)


AnyRow = TypeVar("AnyRow", bound=Row | LaterRow)


@dataclass(slots=True)
class Rows:
    """A source made of rows that exist already, or are built one by one."""

    rows: Sequence[Row | LaterRow] = ()
    fixed_height: int | None = None

    def __len__(self) -> int:
        return len(self.rows)

    def row(self, index: int) -> Row:
        row = self.rows[index]
        return row.build() if isinstance(row, LaterRow) else row

    def key(self, index: int) -> str:
        return self.rows[index].key

    def extent(self, index: int) -> Extent:
        return self.rows[index].extent


@dataclass(slots=True)
class LazyRows:
    """A source for long lists whose rows are alike: each is built when it is first shown."""

    keys: Sequence[str]
    build: Callable[[int], Row]
    fixed_height: int | None = 1
    measure: Callable[[int], Extent] | None = field(default=None)

    def __len__(self) -> int:
        return len(self.keys)

    def row(self, index: int) -> Row:
        return self.build(index)

    def key(self, index: int) -> str:
        return self.keys[index]

    def extent(self, index: int) -> Extent:
        return self.measure(index) if self.measure is not None else self.build(index).extent


def text_row(key: str, *parts: str | tuple[str, str] | Content, wrap: bool = True) -> Row:
    """A row that is read, not chosen."""
    return Row(key=key, body=Content.assemble(*parts), wrap=wrap, selectable=False)


def blank_row(key: str) -> Row:
    """An empty line."""
    return Row(key=key, body=EMPTY, selectable=False)


def spaced(groups: Iterable[Sequence[AnyRow]]) -> list[AnyRow | Row]:
    """Groups of rows with an empty line between them; empty groups vanish."""
    rows: list[AnyRow | Row] = []
    for number, group in enumerate(groups):
        if rows and group:
            rows.append(blank_row(f"blank-{number}"))
        rows.extend(group)
    return rows
