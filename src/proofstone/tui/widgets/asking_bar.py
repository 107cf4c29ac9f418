"""One line below the panes while a model is being asked: how far it is, and how to stop it."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from proofstone.tui.words import safe

_CELLS = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingWords:
    """What the line says. ``outcomes`` are numbers with a word and a style, in order."""

    model: str
    done: int
    total: int
    outcomes: tuple[tuple[int, str, str], ...] = ()
    note: str = ""
    stop: str = ""


class AskingBar(Widget):
    """The line. A click on it stops the asking."""

    DEFAULT_CSS = """
    AskingBar { height: 1; background: $ground-raised; color: $ink; padding: 0 1; }
    .-tiny AskingBar { display: none; }
    """

    class Pressed(Message):
        """The line was clicked."""

    def __init__(self, words: AskingWords) -> None:
        super().__init__()
        self._words = words

    def show(self, words: AskingWords) -> None:
        """Say something else."""
        if words != self._words:
            self._words = words
            self.refresh()

    def render(self) -> Content:
        """How far it is at the left, how to stop at the right; the model's name gives way."""
        said = self._words
        right = Content.assemble((said.stop, "$ink-key bold"))
        told = Content.assemble(
            self._meter(),
            (f" {said.done:,}/{said.total:,}", "$ink bold"),
            *(
                Content.assemble((" · ", "$ink-dim"), (f"{number:,} {word}", style))
                for number, word, style in said.outcomes
                if number
            ),
            (f" · {said.note}" if said.note else "", "$ink-dim"),
        )
        room = self.content_size.width - told.cell_length - right.cell_length - 2
        asking = Content.assemble(("asking ", "$ink-dim"), safe(said.model, "$ink", limit=60), "  ")
        left = told if asking.cell_length > room else asking + told
        gap = self.content_size.width - left.cell_length - right.cell_length
        return left + Content(" " * max(2, gap)) + right

    def _meter(self) -> Content:
        full = _CELLS * self._words.done // max(1, self._words.total)
        return Content.assemble(
            ("█" * full, "$decision-candidate"), ("░" * (_CELLS - full), "$ink-dim")
        )

    def on_click(self, event: Click) -> None:
        """A click is the key."""
        event.stop()
        self.post_message(self.Pressed())
