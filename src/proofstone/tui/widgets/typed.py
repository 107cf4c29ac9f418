"""Lines and areas in which a person types: what stands in them may be anything too.

A form is filled with what agents wrote, and people paste. The value stays what it is, to the
character; only what is drawn has a visible sign for whatever would hide, turn the direction or act
on the terminal, and covers secrets. Every character keeps its place, so the cursor does too.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.text import Text
from textual.expand_tabs import expand_tabs_inline
from textual.widgets import Input, TextArea

from proofstone.domain.shown import in_place

_TAB_CELLS = 4


def drawn(value: str) -> str:
    """What stands for ``value`` on the screen, character for character."""
    # Loaded when a form is first filled, not with the first picture.
    from proofstone.tui.words import without_secrets

    return in_place(without_secrets(value, len(value)))


class TypedLine(Input):
    """A line to type in."""

    @property
    def _value(self) -> Text:
        return Text(drawn(self.value), no_wrap=True, overflow="ignore", end="")

    def _position_to_cell(self, position: int) -> int:
        return cell_len(expand_tabs_inline(drawn(self.value)[:position], _TAB_CELLS))


class TypedArea(TextArea):
    """Several lines to type in."""

    _lines_drawn: tuple[str, list[str]] = ("", [""])

    def get_line(self, line_index: int) -> Text:
        """One line as it is drawn. Secrets are looked for in all lines at once: keys have many."""
        text = self.document.text
        if text != self._lines_drawn[0]:
            self._lines_drawn = text, drawn(text).split(self.document.newline)
        lines = self._lines_drawn[1]
        return Text(lines[line_index] if line_index < len(lines) else "", end="", no_wrap=True)
