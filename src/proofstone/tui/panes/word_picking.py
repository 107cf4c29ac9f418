"""Choosing words within a unit of the Evidence pane, with keys or by dragging (spec page 6)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.events import Click, MouseDown, MouseMove, MouseUp
from textual.geometry import Offset
from textual.message import Message

from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.shown import Shown, shown
from proofstone.domain.word_selection import WordSelection
from proofstone.tui.panes.base import Pane
from proofstone.tui.widgets.line_list import MARKER_WIDTH
from proofstone.tui.wrapping import cut_cells, wrap_spans

PICKED_STYLE = "reverse bold"
PICKED_LIMIT = 4_000
"""Characters of a unit that are shown, and so can be chosen from."""


class WordPicking(Pane):
    """A pane of units in which words can be chosen, where their unit may be cited."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, f"screen.command('{command}')", command, show=False, id=command)
        for key, command in (
            ("right", "words_more"),
            ("left", "words_fewer"),
            ("shift+right", "words_later"),
            ("shift+left", "words_earlier"),
        )
    ]

    class WordsPicked(Message):
        """Other words were chosen with the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self._texts: Mapping[str, str] = {}
        self._units: tuple[EvidenceUnit, ...] = ()
        self._pickable: frozenset[str] = frozenset()
        self._picked: tuple[str, WordSelection] | None = None
        self._pressed: tuple[int, int] | None = None
        self._dragged = False

    @property
    def picked(self) -> tuple[str, tuple[int, int]] | None:
        """The unit in which words are chosen, and where they begin and end in its text."""
        return (self._picked[0], self._picked[1].span) if self._picked else None

    def set_texts(self, texts: Mapping[str, str]) -> None:
        """These are the units that are shown now, by id."""
        self._texts = texts
        if self._picked is not None and self._picked[0] not in texts:
            self._picked = None

    def set_pickable(self, units: tuple[EvidenceUnit, ...]) -> None:
        """Only words of these units can be chosen."""
        if units is self._units:
            return
        self._units = units
        self._pickable = frozenset(unit.unit_id for unit in units)
        if self._picked is not None and self._picked[0] not in self._pickable:
            self.drop_words()

    def pick_words(self) -> bool:
        """Begin with the first word of the unit under the cursor; all of them the second time."""
        if self._picked is not None:
            self._picked = (self._picked[0], self._picked[1].whole())
            self.redraw_rows()
            return True
        return self._begin(self.cursor_key)

    def move_words(self, *, end: int = 0, start: int = 0) -> None:
        """Choose more or fewer words at the end, or begin later or earlier."""
        if self._picked is not None:
            unit_id, words = self._picked
            self._picked = (unit_id, words.end_moved(end) if end else words.start_moved(start))
            self.redraw_rows()

    def drop_words(self) -> None:
        """Choose no words any more."""
        if self._picked is not None:
            self._picked = None
            self.redraw_rows()

    def _begin(self, unit_id: str) -> bool:
        words = WordSelection.of(self._texts.get(unit_id, "")[:PICKED_LIMIT])
        if unit_id not in self._pickable or words is None:
            return False
        self._picked = (unit_id, words)
        self.redraw_rows()
        return True

    def _place(self, index: int) -> None:
        super()._place(index)
        if self._picked is not None and self._picked[0] != self.cursor_key:
            self.drop_words()

    # The mouse

    async def _on_mouse_down(self, event: MouseDown) -> None:
        self._dragged = False
        self._pressed = self._point(event.get_content_offset(self)) if event.button == 1 else None

    def _on_mouse_move(self, event: MouseMove) -> None:
        if self._pressed is None or not event.button:
            return
        point = self._point(event.get_content_offset(self))
        index, first = self._pressed
        if point is None or point[0] != index:
            return
        if not self._dragged:
            if point == self._pressed:
                return
            self._place(index)
            self._picked = None
            self._dragged = self._begin(self.source.key(index))
        if self._picked is not None:
            unit_id, words = self._picked
            self._picked = (unit_id, words.between(first, point[1]))
            self.redraw_rows()
            self.post_message(self.WordsPicked())

    async def _on_mouse_up(self, event: MouseUp) -> None:
        self._pressed = None

    async def _on_click(self, event: Click) -> None:
        # A drag ends with a click, which would choose the row and so drop the words.
        if self._dragged:
            event.stop()
            event.prevent_default()

    def _point(self, at: Offset | None) -> tuple[int, int] | None:
        """The row at a place of the pane, and the offset in its unit's text."""
        if at is None or self.is_on_bar(at):
            return None
        line = at.y + self.scroll_offset.y
        index = self._index_at(line)
        if index < 0 or self.source.key(index) not in self._texts:
            return None
        text, gutter, aside, _ = self.source.extent(index)
        spans = wrap_spans(text, self._text_width - gutter, aside)
        start, end = spans[min(line - self._top(index), len(spans) - 1)]
        cells = max(0, at.x - MARKER_WIDTH - gutter)
        unit = shown(self._texts[self.source.key(index)], limit=PICKED_LIMIT)
        return index, _original(unit, start + cut_cells(text[start:end], cells))


def _original(view: Shown, offset: int) -> int:
    """The offset in the original that is shown at ``offset``."""
    low, high = 0, view.length
    while low < high:
        middle = (low + high + 1) // 2
        if view.offset(middle) <= offset:
            low = middle
        else:
            high = middle - 1
    return low
