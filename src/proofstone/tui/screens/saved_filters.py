"""Saved filters: taken up, kept under a name, and taken away (spec page 7, Filter language)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from proofstone.domain.errors import ProofstoneError
from proofstone.tui.rows import Row, Rows
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.typed import TypedLine
from proofstone.tui.words import safe

MOST_NAME_CHARACTERS = 40
_NONE = "None is saved yet. Filter the list, come back here, and give it a name."

Keep = Callable[[str, str | None], None]
"""Keeps a filter under a name, or takes it away for None; raises ProofstoneError."""


class SavedFiltersDialog(Dialog[str]):
    """Answers with the filter that was chosen.

    Args:
        saved: What is saved, by name.
        present: What is in the filter line now.
        keep: How one is saved or taken away.
    """

    keys: ClassVar[str] = "enter filters by it · delete removes it · tab to the name · esc closes"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("delete,x", "take_away", "take away", show=False),
    ]

    def __init__(self, saved: Mapping[str, str], present: str, keep: Keep) -> None:
        super().__init__("Saved filters")
        self._saved = dict(saved)
        self._present = present
        self._keep = keep

    def told_keys(self) -> str:
        """Only what can be done now."""
        if self._saved:
            told = super().told_keys()
            return told if self._present else told.replace(" · tab to the name", "")
        return "enter saves it · esc closes" if self._present else "esc closes"

    def compose_fields(self) -> ComposeResult:
        """The list, and a line for a name."""
        yield LineList(id="saved", placeholder=_NONE)
        if self._present:
            told = Content.assemble("Save ", safe(self._present, "$ink bold", limit=60), " as")
            yield Static(told, classes="label")
            yield TypedLine(id="name", max_length=MOST_NAME_CHARACTERS)

    def on_mount(self) -> None:
        """Start where something can be done."""
        super().on_mount()
        self._fill()
        if self._saved or not self._present:
            self.query_one(LineList).focus()
        else:
            self.query_one("#name").focus()

    def _fill(self) -> None:
        width = max((len(name) for name in self._saved), default=0)
        rows = [
            Row(
                key=name,
                gutter=safe(f"{name:<{width}}  ", "$ink bold", limit=60),
                body=safe(text, "$ink-dim", limit=200),
            )
            for name, text in sorted(self._saved.items())
        ]
        found = self.query_one(LineList)
        found.styles.height = max(2, min(len(rows), 12))
        found.set_rows(Rows(rows))

    def _changed(self, name: str, text: str | None) -> bool:
        try:
            self._keep(name, text)
        except ProofstoneError as error:
            self.say_fault(str(error))
            return False
        self.say_fault("")
        return True

    def action_take_away(self) -> None:
        """Take away the one under the cursor."""
        name = self.query_one(LineList).cursor_key
        if name and self._changed(name, None):
            del self._saved[name]
            self._fill()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Filter by it."""
        event.stop()
        self.dismiss(self._saved[event.key])

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Moving chooses nothing yet."""
        event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Save the present filter under this name."""
        event.stop()
        name = " ".join(event.value.split())
        if not name or any(sign in name for sign in "@:\"'"):
            self.say_fault("Give it a name of letters, digits, spaces and hyphens.")
        elif self._changed(name, self._present):
            self.dismiss(self._present)
