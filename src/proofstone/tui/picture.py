"""The picture that the terminal shows, and the least that has to be written to change it.

A ``Picture`` knows of every cell what was last written to it. Given what Textual wants to paint, it
writes only the cells that are to look different, in runs, with the shortest way from one to the
next, and tells styles only where they change. The result looks the same as what was given, and is
never longer. Where it does not know what the terminal shows, it leaves nothing out.

Written for every terminal: it asks only for absolute moves, short steps and styles; and, of those
that are known to do it in the colour of the ground, for erasing. Text whose width terminals
disagree about (emoji, combining marks) is written as a whole, as Textual does, and what stands
behind it on its line counts as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from proofstone.tui.terminal_cells import PLAIN, Cell, Piece, Style, piece

_MOVE = re.compile(r"\x1b\[([0-9]{1,5});([0-9]{1,5})H")
_OFF = {
    "1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "6": "25", "7": "27", "8": "28",
    "9": "29", "21": "24", "53": "55",
}  # fmt: skip
"""By attribute, the code that takes it back; all those of the same code go together."""

_BACK = 4
"""Cells that are stepped back over, to the same column of the next line."""
_WORTH_ERASING = 3
"""Bytes that erasing has to save: a step over what was erased may have to follow."""

Place = tuple[int, int]
"""A row and a column, from 0."""


class Picture:
    """What the terminal shows, as far as it is known."""

    def __init__(self, *, erases: bool = False) -> None:
        """``erases`` says that cells which the terminal erases take the ground in force."""
        self._erases = erases
        self._rows: dict[int, list[Cell | None]] = {}
        self._cursor: Place | None = None
        self._width = 0
        self._times_forgotten = 0

    def forget(self, width: int = 0) -> None:
        """The terminal may show anything now: what is painted next is written in full.

        ``width`` is how many columns it has, or 0 where that is not known.
        """
        self._times_forgotten += 1
        self._width = width
        self._rows = {}
        self._cursor = None

    def change(self, data: str) -> str | None:
        """What paints ``data`` on what is shown; None, and all forgotten, if not understood."""
        known = self._times_forgotten
        pieces = _pieces(data)
        if pieces is None:
            self.forget(self._width)
            return None
        changes = _Changes(self._pen)
        for place, part in pieces:
            if part.cells:
                self._paint(changes, place, part)
        end = pieces[-1][0] if not pieces[-1][1].cells else None
        told = changes.told(self._cursor, end)
        if self._times_forgotten != known:
            # A signal came in between: the terminal is another one than this was made for.
            self.forget(self._width)
            return data
        self._cursor = end
        if changes.has_conflicts or len(told.encode()) > len(data.encode()):
            return data
        return told

    def _pen(self, cursor: Place | None) -> _Pen:
        return _Pen(cursor, erases=self._erases, is_inside=self._is_inside)

    def _is_inside(self, place: Place) -> bool:
        """Whether the cursor stands in a cell for sure, and not behind the last one of a line.

        What was painted cannot tell: it may have been laid out for a wider terminal, just before.
        """
        return place[1] < self._width

    def _paint(self, changes: _Changes, place: Place, part: Piece) -> None:
        row, column = place
        shown, end = self._rows.setdefault(row, []), column + len(part.cells)
        shown += [None] * (end - len(shown))
        before = shown[column:end]
        if before == list(part.cells):
            return
        if part.is_whole:
            changes.add_whole(place, part)
            del shown[end:]
        else:
            for start, stop in _differences(before, part.cells):
                changes.add((row, column + start), part.cells[start:stop])
        shown[column:end] = part.cells


def _pieces(data: str) -> list[tuple[Place, Piece]] | None:
    """What is painted where; None where it cannot be told."""
    parts = _MOVE.split(data)
    if parts[0] or len(parts) == 1:
        return None
    found: list[tuple[Place, Piece]] = []
    last_row = max(int(row) for row in parts[1::3]) - 1
    for at in range(1, len(parts), 3):
        place = int(parts[at]) - 1, int(parts[at + 1]) - 1
        text = parts[at + 2]
        if text.endswith("\n"):
            # Between lines Textual goes down and then moves. There is a line below, so that
            # nothing scrolls, and the move alone does it.
            if at + 3 >= len(parts) or place[0] >= last_row:
                return None
            text = text[:-1]
        part = piece(text)
        if part is None or min(place) < 0:
            return None
        found.append((place, part))
    return found


def _differences(before: Sequence[Cell | None], now: Sequence[Cell]) -> list[tuple[int, int]]:
    """Where cells differ, as ranges that hold whole characters and are worth a move between.

    Where one half of a wide character was written over, a terminal blanks the other half. That half
    is here as it was; it differs from whatever follows all the same, since it had no text of its
    own, or is followed by a half that differs.
    """
    ranges: list[tuple[int, int]] = []
    at, length = 0, len(now)
    while at < length:
        if before[at] == now[at]:
            at += 1
            continue
        start = at if now[at][0] else at - 1
        while at < length and (before[at] != now[at] or not now[at][0]):
            at += 1
        if ranges and _is_cheaper_written(now, ranges[-1][1], start):
            start = ranges.pop()[0]
        ranges.append((start, at))
    return ranges


def _is_cheaper_written(cells: Sequence[Cell], start: int, stop: int) -> bool:
    """Whether to write cells again that are shown already, rather than to step over them."""
    step = _step(stop - start)
    if stop - start >= len(step):
        return False
    style = cells[start - 1][1]
    if sum(len(text.encode()) for text, _ in cells[start:stop]) > len(step):
        return False
    return all(_looks_right_in(style, *cell) for cell in cells[start:stop])


def _step(columns: int) -> str:
    return f"\x1b[{columns}C" if columns > 1 else "\x1b[C"


def _looks_right_in(style: Style, text: str, wanted: Style) -> bool:
    """Whether text looks as wanted when it is written in another style."""
    if wanted == style:
        return True
    if text.strip(" ") or style.marks_blanks or wanted.marks_blanks:
        return False
    return wanted.ground == style.ground


class Span(NamedTuple):
    """Text to write at one place in one style, and how many cells it takes."""

    place: Place
    text: str
    style: Style
    length: int


def spans(place: Place, cells: Sequence[Cell]) -> Iterator[Span]:
    """The cells as texts of one style each; a blank goes with what stands beside it."""
    row, column = place
    texts: list[str] = []
    style, start = PLAIN, 0
    is_blank = True
    for at, (text, wanted) in enumerate(cells):
        if texts and not _looks_right_in(style, text, wanted):
            if not is_blank or not _looks_right_in(wanted, " ", style):
                yield Span((row, column + start), "".join(texts), style, at - start)
                texts, start = [], at
            style, is_blank = wanted, text == " "
        elif not texts:
            style, is_blank = wanted, text == " "
        texts.append(text)
    if texts:
        yield Span((row, column + start), "".join(texts), style, len(cells) - start)


class _Changes:
    """What an update changes, and the shortest way to write it."""

    def __init__(self, pen: Callable[[Place | None], _Pen]) -> None:
        self._pen = pen
        self._whole: list[tuple[Place, Piece]] = []
        self._spans: list[Span] = []
        self._ranges: dict[int, list[range]] = {}
        self.has_conflicts = False
        """Whether something is written twice, so that only the given order is right."""

    def add(self, place: Place, cells: Sequence[Cell]) -> None:
        """These cells are to be written."""
        self._take(place, len(cells))
        self._spans += spans(place, cells)

    def add_whole(self, place: Place, part: Piece) -> None:
        """This piece is to be written before anything else: it may reach too far to the right."""
        self._take(place, len(part.cells))
        self._whole.append((place, part))

    def _take(self, place: Place, length: int) -> None:
        row, column = place
        wanted, taken = range(column, column + length), self._ranges.setdefault(row, [])
        if any(wanted.start < one.stop and one.start < wanted.stop for one in taken):
            self.has_conflicts = True
        taken.append(wanted)

    def told(self, cursor: Place | None, end: Place | None) -> str:
        """All of it, from where the cursor is to where it is to be; no style stays in force.

        Either line by line, or style by style: colours are long to tell, and moves are short.
        """
        by_style = sorted(self._spans, key=lambda span: (span.style[::-1], span.place))
        return min(
            (self._in_order(order, cursor, end) for order in (self._spans, by_style)), key=len
        )

    def _in_order(self, order: Sequence[Span], cursor: Place | None, end: Place | None) -> str:
        pen = self._pen(cursor)
        for place, part in self._whole:
            pen.go(place)
            for text, style in part.runs:
                pen.write(text, style)
            pen.cursor = None
        for span in order:
            pen.go(span.place)
            pen.write_span(span)
        if end is not None:
            pen.go(end)
        return pen.lifted()


class _Pen:
    """Writes, knowing the cursor and the style that the terminal has by then."""

    def __init__(
        self, cursor: Place | None, *, erases: bool, is_inside: Callable[[Place], bool]
    ) -> None:
        self.cursor = cursor
        self._erases, self._is_inside = erases, is_inside
        self._style = PLAIN
        self._parts: list[str] = []

    def go(self, place: Place) -> None:
        """Move the cursor, unless it is there."""
        if self.cursor == place:
            return
        row, column = place
        move = f"\x1b[{row + 1};{column + 1}H"
        if self.cursor is not None:
            down, right = row - self.cursor[0], column - self.cursor[1]
            if not down and right > 0:
                move = min(_step(right), move, key=len)
            elif down == 1 and -_BACK <= right <= 0 and self._is_inside(self.cursor):
                # The next line of a column. From behind the last cell of a line, terminals differ.
                move = min("\b" * -right + "\x1b[B", move, key=len)
        self._parts.append(move)
        self.cursor = place

    def write_span(self, span: Span) -> None:
        """Write a span from where the cursor is; blanks at its end are erased where that is
        shorter, and then the cursor stays before them."""
        row, column = span.place
        text, end = span.text, column + span.length
        words = text.rstrip(" ")
        blanks = len(text) - len(words)
        erasing = f"\x1b[{blanks}X"
        if not self._erases or span.style.marks_blanks or blanks < len(erasing) + _WORTH_ERASING:
            self.write(text, span.style)
            self.cursor = row, end
            return
        if words:
            self.write(words, span.style)
        self.write(text[len(words) :], span.style, erasing)
        self.cursor = row, end - blanks

    def write(self, text: str, style: Style, told: str = "") -> None:
        """Write text that is to look as in ``style``, or what else makes the terminal show it."""
        if not _looks_right_in(self._style, text, style):
            if not text.strip(" ") and not style.marks_blanks and not self._style.marks_blanks:
                # Of a blank only its ground is seen: the rest may stay for what comes next.
                style = Style(self._style.attributes, self._style.ink, style.ground)
            self._parts.append(_change_of_style(self._style, style))
            self._style = style
        self._parts.append(told or text)

    def lifted(self) -> str:
        """All that was written, and no style in force."""
        return "".join((*self._parts, _change_of_style(self._style, PLAIN)))


@lru_cache(maxsize=4_096)
def _change_of_style(before: Style, after: Style) -> str:
    """The shortest sequence from one style to the other; empty when they are the same."""
    if before == after:
        return ""
    if after == PLAIN:
        return "\x1b[m"
    lost = {_OFF[code] for code in before.attributes if code not in after.attributes}
    kept = {code for code in before.attributes if _OFF[code] not in lost}
    step = [*sorted(lost), *(code for code in after.attributes if code not in kept)]
    for was, now, default in ((before.ink, after.ink, "39"), (before.ground, after.ground, "49")):
        if was != now:
            step.append(now or default)
    afresh = ["0", *after.attributes, *filter(None, after[1:])]
    return f"\x1b[{min(';'.join(step), ';'.join(afresh), key=len)}m"
