"""Editing a proposal or a memory: a form of the keys that a person may change (spec page 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, VerticalScroll
from textual.content import Content
from textual.events import Resize
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Input, Static, TextArea
from textual.worker import get_current_worker

from proofstone.domain.plan import Value
from proofstone.domain.records import Durability, Layer, Statement, TrustClass
from proofstone.domain.rulings.edits import EDITABLE, STATEMENT
from proofstone.tui.rows import Rows
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.screens.edit_verdict import verdict_rows
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.typed import TypedArea, TypedLine

if TYPE_CHECKING:
    from proofstone.curation.edit_trial import Trial

Judge = Callable[[Mapping[str, Value]], "Trial"]
"""Judges the subject with these edits, without writing anything."""

PAUSE = 0.2
"""Seconds without a key after which what was typed is judged."""
BESIDE = 110
"""Columns from which the verdict stands beside the form."""

_LISTS = frozenset({"scopes", "tags", "applies_when", "does_not_apply_when", "known_exceptions"})
_SEMICOLON = frozenset({"applies_when", "does_not_apply_when", "known_exceptions"})
_HINTS = {
    "layer": " · ".join(layer.value for layer in Layer),
    "scopes": "global, project:NAME …",
    "tags": "such as: one, two",
    "trust_class": ", ".join(trust.value for trust in TrustClass),
    "durability_signal": ", ".join(signal.value for signal in Durability),
    "applies_when": "such as: first; second",
    "does_not_apply_when": "such as: first; second",
    "known_exceptions": "such as: first; second",
}
_LABELS = {
    "trust_class": "trust",
    "durability_signal": "durability",
    "rule_type": "rule type",
    "applies_when": "applies when",
    "does_not_apply_when": "not when",
    "known_exceptions": "exceptions",
}


class Judged(Message):
    """How the subject is judged as it was, and as it is typed now."""

    def __init__(self, before: Trial, now: Trial) -> None:
        super().__init__()
        self.before = before
        self.now = now


class EditDialog(Dialog[dict[str, Value]]):
    """The words in a text area, everything else on a line of its own.

    ``typed`` holds what was entered before and not accepted, for the reason in ``fault``.
    """

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "tab moves on · ctrl+s keeps the changes · esc cancels"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+s", "save", "keep", show=False, priority=True)
    ]
    DEFAULT_CSS = """
    EditDialog {
        #statement {
            height: 7; border: none; padding: 0 1; margin-bottom: 1;
            background: $ground-cursor-idle; color: $ink;
            &:focus { background: $ground-cursor; border: none; }
        }
        .sides { layout: horizontal; height: 1fr; background: $ground-raised; }
        .fields { width: 3fr; height: 100%; background: $ground-raised; }
        #box.-wide #verdict {
            width: 2fr; height: 100%; margin: 0 0 0 2; padding-left: 1;
            border-left: solid $frame;
            &:focus { border-left: solid $frame-focus; }
        }
        .-below #statement { height: 4; }
        .-below .sides { layout: vertical; }
        .-below .fields { width: 100%; height: 1fr; }
        #box.-wide.-below #verdict {
            width: 100%; height: 1fr; margin: 0; padding: 0;
            border-left: none; border-top: solid $frame;
            &:focus { border-left: none; border-top: solid $frame-focus; }
        }
        .field { height: 1; margin-bottom: 1; }
        .field > .label { width: 14; }
        .field > Input { width: 1fr; margin-bottom: 0; }
    }
    """

    def __init__(
        self,
        title: str,
        subject: Statement,
        typed: Mapping[str, Value] | None = None,
        fault: str = "",
        judge: Judge | None = None,
    ) -> None:
        super().__init__(
            title, Content.styled("The words as they were stay on record.", "$ink-dim")
        )
        self._subject = subject
        self._typed = typed or {}
        self._fault = fault
        self._judge = judge
        self._before: Trial | None = None
        self._pending: Timer | None = None

    def compose_fields(self) -> ComposeResult:
        """The statement above, the lines below."""
        words = str(self._typed.get(STATEMENT, self._subject.statement))
        area = TypedArea(words, id="statement", compact=True)
        area.cursor_blink = False
        area.highlight_cursor_line = False
        yield area
        with Container(classes="sides"):
            with VerticalScroll(classes="fields", can_focus=False):
                for key in EDITABLE:
                    if key == STATEMENT:
                        continue
                    with Horizontal(classes="field"):
                        yield Static(_LABELS.get(key, key), classes="label", markup=False)
                        value = self._typed.get(key, getattr(self._subject, key))
                        yield TypedLine(
                            _shown(key, value),
                            id=key,
                            placeholder=_HINTS.get(key, ""),
                            select_on_focus=False,
                        )
            if self._judge is not None:
                yield LineList(id="verdict", placeholder="Being judged…")

    def on_mount(self) -> None:
        """Start at the end of the words."""
        super().on_mount()
        area = self.query_one("#statement", TextArea)
        area.move_cursor(area.document.end)
        area.focus()
        if self._fault:
            self.say_fault(self._fault)
        self._judge_now()

    def on_resize(self, event: Resize) -> None:
        """The verdict stands below where there is no room beside."""
        super().on_resize(event)
        self.query_one("#box").set_class(event.size.width < BESIDE, "-below")

    # The verdict on what is typed

    def on_input_changed(self, event: Input.Changed) -> None:
        """Judge again, once the person pauses."""
        event.stop()
        self._judge_soon()

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        """Judge again, once the person pauses."""
        event.stop()
        self._judge_soon()

    def _judge_soon(self) -> None:
        if self._pending is not None:
            self._pending.stop()
        self._pending = self.set_timer(PAUSE, self._judge_now)

    def _judge_now(self) -> None:
        if self._judge is not None:
            self._judge_edits(self._judge, self._edits())

    @work(thread=True, exclusive=True, group="plan")
    def _judge_edits(self, judge: Judge, edits: Mapping[str, Value]) -> None:
        worker = get_current_worker()
        before = self._before or judge({})
        trial = judge(edits)
        if not worker.is_cancelled:
            self.post_message(Judged(before, trial))

    def on_judged(self, event: Judged) -> None:
        """Show the verdict, and what it changes."""
        event.stop()
        self._before = event.before
        self.query_one("#verdict", LineList).set_rows(Rows(verdict_rows(event.before, event.now)))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter on a line goes to the next."""
        event.stop()
        self.focus_next()

    def _edits(self) -> dict[str, Value]:
        """What differs from the subject now."""
        edits: dict[str, Value] = {}
        words = self.query_one("#statement", TextArea).text
        if words != self._subject.statement:
            edits[STATEMENT] = words
        for field in self.query(Input):
            key = str(field.id)
            if field.value == _shown(key, getattr(self._subject, key)):
                continue
            if key in _LISTS:
                mark = ";" if key in _SEMICOLON else ","
                edits[key] = tuple(p.strip() for p in field.value.split(mark) if p.strip())
            else:
                edits[key] = field.value.strip()
        return edits

    def action_save(self) -> None:
        """Hand back what changed; with nothing changed, say so."""
        edits = self._edits()
        if edits:
            self.dismiss(edits)
        else:
            self.say_fault("Nothing was changed yet.")


def _shown(key: str, value: object) -> str:
    """A value as its line in the form holds it."""
    if value is None:
        return ""
    if key in _LISTS and isinstance(value, tuple):
        return ("; " if key in _SEMICOLON else ", ").join(str(item) for item in value)
    return str(getattr(value, "value", value))
