"""Jump mode: a letter over each pane, and one key to go there (spec page 7, Behaviour)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.events import Click, Key
from textual.geometry import Region
from textual.screen import ModalScreen
from textual.widgets import Static

LETTERS = "asdfghjklqwertyuiop"
"""Those under the resting fingers first."""


@dataclass(frozen=True, slots=True)
class JumpTarget:
    """A place to go to: what it is called, and where it stands; an empty region is not shown.

    The letter of a tab takes the place of the tab, that of a list stands in its frame.
    """

    key: str
    title: str
    region: Region
    is_tab: bool = False


class JumpLabel(Static):
    """One letter with the name of its pane; a click is the key."""

    DEFAULT_CSS = """
    JumpLabel {
        width: auto; height: 1; padding: 0 1; position: absolute;
        background: $ink-key; color: $ground; text-style: bold;
        &:ansi { text-style: bold reverse; }
    }
    """

    def __init__(self, letter: str, target: JumpTarget) -> None:
        super().__init__(Content(f"{letter} {target.title}"))
        self.target = target

    def on_click(self, event: Click) -> None:
        """Go there."""
        event.stop()
        self.screen.dismiss(self.target.key)


class JumpOverlay(ModalScreen[str]):
    """The letters; gives back the key of the chosen place, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "cancel", show=False)]
    DEFAULT_CSS = """
    JumpOverlay { background: transparent; }
    """

    def __init__(self, targets: Sequence[JumpTarget]) -> None:
        super().__init__()
        self._targets = dict(zip(LETTERS, targets, strict=False))

    def compose(self) -> ComposeResult:
        """A label on each pane that can be seen; the others in a stack at the left."""
        stacked = 2
        for letter, target in self._targets.items():
            label = JumpLabel(letter, target)
            if target.region:
                label.styles.offset = (target.region.x + (not target.is_tab), target.region.y)
            else:
                label.styles.offset = (2, stacked)
                stacked += 1
            yield label

    def on_key(self, event: Key) -> None:
        """A letter goes there; any other key closes the letters."""
        if event.key == "escape":
            return
        event.stop()
        target = self._targets.get(event.key)
        self.dismiss(target.key if target else None)

    def action_close(self) -> None:
        """Stay where one was."""
        self.dismiss(None)
