"""The box in which the tour speaks: below the panes, so that it covers none of them."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static


@dataclass(frozen=True, slots=True)
class TourWords:
    """What the box says; all of it is the program's own, none of it is read from a vault."""

    heading: str
    text: str
    note: str
    back: str
    onward: str
    leave: str


class TourBar(Vertical):
    """Where one is on the tour, what the pane shows, and the keys that lead on."""

    DEFAULT_CSS = """
    TourBar {
        height: auto; max-height: 9; border: round $frame-focus; padding: 0 1;
        border-title-color: $ink-key; border-title-style: bold; border-subtitle-color: $ink;
        background: $ground-raised; color: $ink;
        & > Static { height: auto; background: $ground-raised; color: $ink; }
        & > .keys { color: $ink-dim; link-color: $ink-key; link-style: bold; }
    }
    .-tiny TourBar { display: none; }
    """

    def __init__(self, words: TourWords) -> None:
        super().__init__()
        self._words = words

    def compose(self) -> ComposeResult:
        """The text, and below it the keys, which are places to click as well."""
        yield Static(id="tour-text", markup=False)
        yield Static(id="tour-keys", classes="keys", markup=False)

    def on_mount(self) -> None:
        """Say it."""
        self.show(self._words)

    def show(self, words: TourWords) -> None:
        """Say something else."""
        self._words = words
        self.border_title = Content(words.heading)
        note = Content.assemble("\n", (words.note, "$verdict-flag")) if words.note else ""
        self.query_one("#tour-text", Static).update(Content.assemble(words.text, note))
        keys = Content.from_markup(
            "[@click=screen.command('tour_back')]$back[/]   "
            "[@click=screen.command('tour_next')]$onward[/]   "
            "[@click=screen.command('tour')]$leave[/]",
            back=words.back,
            onward=words.onward,
            leave=words.leave,
        )
        self.query_one("#tour-keys", Static).update(keys)
