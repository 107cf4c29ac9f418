"""What every pane of the main screen is: a titled list that draws from a scene."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual.content import Content

from proofstone.tui.scene import Scene
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import safe

if TYPE_CHECKING:
    from proofstone.tui.app import ProofstoneApp

READING = "Reading the vault…"


class Pane(LineList):
    """A pane with its number and title in the frame.

    ``about`` is what the help sheet says of the pane: what it shows, and how to read its signs.
    """

    number: ClassVar[int] = 0
    title: ClassVar[str] = ""
    about: ClassVar[str] = ""

    DEFAULT_CSS = """
    Pane {
        border: round $frame;
        border-title-color: $ink-title;
        border-title-style: bold;
        border-subtitle-color: $ink-dim;
        padding: 0;
        &:focus {
            border: round $frame-focus;
            border-title-color: $ink-key;
        }
    }
    """

    def __init__(self) -> None:
        super().__init__(id=self.title.lower(), placeholder=READING)
        self._subject = ""
        self._drawn: object = None
        self.set_titles()

    def set_titles(self, detail: str | Content = "", subtitle: str | Content = "") -> None:
        """Put number, title and a detail in the frame; a string is never read as markup."""
        heading = f"{self.number} {self.title}"
        parts = [heading, " · ", _harmless(detail)] if detail else [heading]
        self.put_above(Content.assemble(*parts))
        self.put_below(_harmless(subtitle))

    def key_label(self, command_id: str) -> str:
        """The key that a command has now, as people read it."""
        return cast("ProofstoneApp", self.app).keymap.label(command_id)

    def told(self, text: str) -> str:
        """One of our own texts with the keys of now: ``{fold}`` is the key that folds."""
        return cast("ProofstoneApp", self.app).keymap.told(text)

    def forget_drawn(self) -> None:
        """Draw anew at the next scene, even if it is the same one: keys have other names."""
        self._drawn = None

    def starts_anew(self, subject: str) -> bool:
        """Whether this is another subject than was drawn before; remembers it."""
        before, self._subject = self._subject, subject
        return before != subject

    def show(self, scene: Scene) -> None:
        """Draw the scene, keeping the cursor where it was if that is still there."""
        raise NotImplementedError


def _harmless(words: str | Content) -> Content:
    """Words for the frame; what is content already was made harmless where it was made."""
    return words if isinstance(words, Content) else safe(words, limit=120)
