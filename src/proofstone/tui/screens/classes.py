"""Choosing a trust class or a durability, each with what it means and what it changes."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content

from proofstone.domain import trust
from proofstone.domain.records import Durability, Statement, TrustClass
from proofstone.tui.explaining import AUTOMATIC_MEANING
from proofstone.tui.rows import Row, Rows
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import RISK_STYLE, safe, spoken

TRUST, DURABILITY = "trust_class", "durability_signal"
_TITLES = {TRUST: "Trust class", DURABILITY: "Durability"}
_TRUST_WIDTH, _DURABILITY_WIDTH = 29, 14
"""Columns of a class's name; what it means follows."""
_LASTS = {
    Durability.TEMPORARY: "for a moment",
    Durability.TASK: "until the task is done",
    Durability.SESSION: "for this session",
    Durability.PROJECT: "as long as the project",
    Durability.REPOSITORY: "as long as the repository",
    Durability.USER_GLOBAL: "for the user, everywhere",
    Durability.LONG_TERM: "until somebody says otherwise",
    Durability.UNKNOWN: "nobody said",
}


class ClassDialog(Dialog[str]):
    """Asks for one of the classes of ``key``; nothing is asked of the words themselves."""

    keys: ClassVar[str] = (
        "↑↓ or {row_next} {row_previous} choose · enter changes it, and verifies anew · esc cancels"
    )

    def __init__(self, key: str, subject: Statement) -> None:
        super().__init__(_TITLES[key], safe(subject.statement, "$ink bold", limit=400))
        self._key = key
        self._present = getattr(subject, key)

    def compose_fields(self) -> ComposeResult:
        """One list."""
        yield LineList(id="classes")

    def on_mount(self) -> None:
        """The class that it has is under the cursor."""
        super().on_mount()
        classes: tuple[TrustClass | Durability, ...]
        classes = tuple(TrustClass) if self._key == TRUST else tuple(Durability)
        rows = [self._row(found) for found in classes]
        found = self.query_one(LineList)
        found.styles.height = sum(2 if self._key == TRUST else 1 for _ in rows)
        found.set_rows(Rows(rows))
        found.move_to(getattr(self._present, "value", ""))
        found.focus()

    def _row(self, found: TrustClass | Durability) -> Row:
        own = (" · as it is now" if found is self._present else "", "$link")
        width = _TRUST_WIDTH if self._key == TRUST else _DURABILITY_WIDTH
        name = (f"{spoken(found.value):<{width}}", "$ink bold")
        if isinstance(found, TrustClass):
            rule = trust.TRUST[found]
            body = Content.assemble(
                name,
                own,
                (f"\n{rule.weight:.2f} · {AUTOMATIC_MEANING[rule.automatic]} · ", "$ink-dim"),
                (f"risk {rule.risk}", RISK_STYLE[rule.risk]),
                (f" · {rule.meaning}", "$ink-dim"),
            )
        else:
            kind = "lasts" if trust.is_durable(found) else "does not last"
            kind = "for review" if found is Durability.UNKNOWN else kind
            body = Content.assemble(name, (f"{kind} · {_LASTS[found]}", "$ink-dim"), own)
        return Row(key=found.value, body=body)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a class; the one that it has changes nothing."""
        event.stop()
        same = event.key == getattr(self._present, "value", "")
        self.dismiss(None if same else event.key)

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Moving chooses nothing yet."""
        event.stop()
