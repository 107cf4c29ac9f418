"""Completions below a line, each a place to click; the first is taken by a key."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click, Resize
from textual.message import Message
from textual.widget import Widget

from proofstone.tui.completing import Completion
from proofstone.tui.words import displayed

_KEY = "tab "
_MOST_CELLS = 40


class Hints(Widget):
    """As many completions as there is room for, on one line."""

    DEFAULT_CSS = """
    Hints { height: 1; background: $ground-raised; color: $ink; padding: 0 1; }
    """

    class Taken(Message):
        """A completion was clicked."""

        def __init__(self, line: str) -> None:
            super().__init__()
            self.line = line

    def __init__(self) -> None:
        super().__init__()
        self._offered: tuple[Completion, ...] = ()
        self._otherwise = ""

    def offer(self, offered: Sequence[Completion], otherwise: str = "") -> None:
        """Offer these; where there are none, say something else instead."""
        now = tuple(offered)
        if (now, otherwise) != (self._offered, self._otherwise):
            self._offered, self._otherwise = now, otherwise
            self.refresh()

    @property
    def first(self) -> str:
        """The whole line if the first one is taken; empty where nothing is offered."""
        return self._offered[0].line if self._offered else ""

    def _cells(self) -> list[tuple[int, int, str]]:
        """Where each word that has room begins and ends, and the word."""
        room, at = self.content_size.width, len(_KEY)
        placed = []
        for completion in self._offered:
            word = displayed(completion.word, limit=_MOST_CELLS).text
            end = at + cell_len(word)
            if end > room:
                break
            placed.append((at, end, word))
            at = end + 2
        return placed

    def render(self) -> Content:
        """The words."""
        placed = self._cells()
        if not placed:
            return Content.styled(self._otherwise, "$ink-dim")
        words = [
            Content.styled(word, "$ink-key bold" if place == 0 else "$ink")
            for place, (_, _, word) in enumerate(placed)
        ]
        more = Content.styled("  …", "$ink-dim") if len(placed) < len(self._offered) else Content()
        return Content.assemble((_KEY, "$ink-dim"), Content("  ").join(words), more)

    async def _on_click(self, event: Click) -> None:
        x = event.get_content_offset_capture(self).x
        for completion, (start, end, _) in zip(self._offered, self._cells(), strict=False):
            if start <= x < end:
                self.post_message(self.Taken(completion.line))
                return

    def _on_resize(self, event: Resize) -> None:
        self.refresh()
