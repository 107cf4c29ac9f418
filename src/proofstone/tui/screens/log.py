"""The Log screen: every ruling, newest first; undo from any row."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from proofstone.curation.history import CUT_SHORT, IN_FORCE, UNDONE, Entry
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.tui.command import LOG, Situation
from proofstone.tui.commands import bindings_for
from proofstone.tui.panes.proposal import fact_row
from proofstone.tui.rows import LazyRows, Row, spaced, text_row
from proofstone.tui.screens.listing import ListingScreen
from proofstone.tui.screens.preview import change_rows
from proofstone.tui.words import safe, spoken

_LOOK = {
    IN_FORCE: ("●", "$verdict-pass"),
    UNDONE: ("○", "$verdict-idle"),
    CUT_SHORT: ("✗", "$verdict-block"),
}
_EMPTY = "No ruling was made yet.\n\nThe first one, by any key on the main screen, appears here."


class LogScreen(ListingScreen):
    """The journal."""

    name_in_registry: ClassVar[str] = LOG
    title_of_detail: ClassVar[str] = "Ruling"
    title_in_header: ClassVar[str] = "Log"
    about: ClassVar[str] = (
        "Every ruling, newest first, with who made it and what it wrote. ● in force · ○ undone · "
        "✗ cut short and rolled back. {undo} takes back the one under the cursor, as long as none "
        "of its files has changed since."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(LOG)

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw the journal."""
        self._entries: dict[str, Entry] = {
            entry.ruling.ruling_id: entry for entry in self.workbench.journal
        }
        self._order = list(self._entries)
        self.fill(
            LazyRows(self._order, self._build, fixed_height=2),
            detail=f"{len(self._order):,}" if self._order else "",
            placeholder=_EMPTY,
        )

    def situation(self) -> Situation:
        """Undo here is of the row under the cursor."""
        entry = self._entries.get(self.subject())
        if entry is None:
            why = "no ruling is selected"
        elif entry.is_forward_only:
            why = f"it is a {entry.ruling.action}, and that cannot be undone"
        elif entry.ruling.undoes or entry.ruling.redoes:
            why = f"{entry.ruling.action} is no ruling by itself; choose the ruling"
        elif entry.state != IN_FORCE:
            why = f"it is {entry.state}"
        else:
            why = ""
        return replace(super().situation(), undo=why)

    def _build(self, index: int) -> Row:
        entry = self._entries[self._order[index]]
        glyph, style = _LOOK.get(entry.state, ("–", "$ink-dim"))
        ruling = entry.ruling
        time = ruling.time[:16].replace("T", " ")
        told = [safe(f"{ruling.author} · {ruling.via}", "$ink-dim", limit=80)]
        if ruling.reason:
            told.append(safe(spoken(ruling.reason), "$ink-dim", limit=200))
        words = "$ink-dim strike" if entry.state == UNDONE else "$ink bold"
        return Row(
            key=ruling.ruling_id,
            gutter=Content.assemble((glyph, style), " "),
            continuation=Content("  "),
            body=Content.assemble(
                (f"{ruling.action:<10} ", words),
                safe(self._words(ruling.subject), "$ink", limit=200),
                "\n",
                Content.styled(" · ", "$ink-dim").join(told),
            ),
            trailing=safe(time, "$ink-dim", limit=20),
        )

    def _words(self, subject: str) -> str:
        """What the subject says, or its id where that cannot be known any more."""
        return self._statement(subject) or subject

    def _statement(self, subject: str) -> str:
        found = self.workspace.named(subject) if self.workspace is not None else None
        return found.statement if found is not None else ""

    def detail_rows(self, key: str) -> list[Row]:
        """The ruling in full, with the lines that it changed."""
        entry = self._entries[key]
        ruling = entry.ruling
        facts = [
            ("action", ruling.action),
            ("words", self._statement(ruling.subject)),
            ("subject", ruling.subject),
            ("state", entry.state),
            ("when", ruling.time),
            ("by", f"{ruling.author} · {ruling.via}"),
            ("reason", spoken(ruling.reason)),
            *((name, _chosen(value)) for name, value in sorted(ruling.choices.items())),
            ("undoes", ruling.undoes),
            ("redoes", ruling.redoes),
            ("ruling", ruling.ruling_id),
            ("group", ruling.group),
        ]
        return spaced([[fact_row(n, v) for n, v in facts if v], self._changes(entry)])

    def _changes(self, entry: Entry) -> list[Row]:
        workspace = self.workspace
        if workspace is None:
            return []
        try:
            changes = workspace.journal.shown_changes(entry.ruling)
        except (ProofstoneError, OSError) as error:
            return [text_row("gone", safe(str(error), "$verdict-flag"))]
        return change_rows(changes)

    async def command_undo(self) -> None:
        """Take back the ruling under the cursor."""
        self.workbench.start_undo(self.subject())


def _chosen(value: object) -> str:
    """What a person chose, as words; of several, one after the other."""
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)
