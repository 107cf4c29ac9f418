"""One of a few, on one line: for forms that have no room for lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Blur, Click, Focus
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget


class Choice(Widget, can_focus=True):
    """Words side by side, one of them chosen: in brackets, and bright while it has the focus."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l,space", "move(1)", "next", show=False),
        Binding("left,h", "move(-1)", "previous", show=False),
    ]

    class Chosen(Message):
        """Another one was chosen, by key or click."""

        def __init__(self, value: str) -> None:
            super().__init__()
            self.value = value

    DEFAULT_CSS = """
    Choice {
        height: auto; margin-bottom: 1; padding: 0 1;
        background: $ground-cursor-idle; color: $ink;
        &:focus { background: $ground-cursor; }
    }
    """

    def __init__(
        self, options: Sequence[tuple[str, str]], *, chosen: str = "", id: str | None = None
    ) -> None:
        """``options`` are values, each with the word that stands for it."""
        super().__init__(id=id)
        self._options = tuple(options)
        self._at = next((n for n, (value, _) in enumerate(options) if value == chosen), 0)

    @property
    def value(self) -> str:
        """The chosen value."""
        return self._options[self._at][0]

    def action_move(self, by: int) -> None:
        """Choose the next one, or the one before."""
        self._choose((self._at + by) % len(self._options))

    def _choose(self, at: int) -> None:
        self._at = at
        self.refresh()
        self.post_message(self.Chosen(self.value))

    def _cells(self) -> list[str]:
        return [
            f"[{word}]" if number == self._at else f" {word} "
            for number, (_, word) in enumerate(self._options)
        ]

    def _lines(self, width: int) -> list[list[int]]:
        lines: list[list[int]] = [[]]
        used = 0
        for number, cell in enumerate(self._cells()):
            if used and used + cell_len(cell) > width:
                lines.append([])
                used = 0
            lines[-1].append(number)
            used += cell_len(cell)
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many lines as the words need."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The words."""
        cells = self._cells()
        lines = []
        for numbers in self._lines(self.content_size.width):
            parts = [
                Content.styled(cells[n], "$ink-key bold" if n == self._at else "$ink-dim")
                for n in numbers
            ]
            lines.append(Content("").join(parts))
        return Content("\n").join(lines)

    async def _on_click(self, event: Click) -> None:
        offset = event.get_content_offset_capture(self)
        lines = self._lines(self.content_size.width)
        if not 0 <= offset.y < len(lines):
            return
        at = 0
        cells = self._cells()
        for number in lines[offset.y]:
            at += cell_len(cells[number])
            if offset.x < at:
                self._choose(number)
                return

    def _on_focus(self, event: Focus) -> None:
        self.refresh()

    def _on_blur(self, event: Blur) -> None:
        self.refresh()
