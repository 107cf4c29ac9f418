"""The frame that all dialogs share, and the two smallest ones: a reason, and a pick from a list."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.screen import ModalScreen
from textual.style import Style
from textual.widgets import Input, Static

from proofstone.tui.rows import Row, Rows
from proofstone.tui.widgets.choice import Choice
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.typed import TypedLine
from proofstone.tui.words import safe, spoken

if TYPE_CHECKING:
    from proofstone.tui.personal import PersonalApp

T = TypeVar("T")


class Dialog(ModalScreen[T | None], Generic[T]):
    """A box over the screen: title in the frame, what it is about, fields, and its keys below.

    Escape closes it with nothing done.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "cancel", show=False),
        Binding("enter", "enter", "do it", show=False),
    ]
    wide: ClassVar[bool] = False
    keys: ClassVar[str] = "enter does it · esc leaves everything as it was"

    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        background: $ground 60%;
        &:ansi { background: transparent; }
        & > #box {
            width: 84; max-width: 96%; height: auto; max-height: 94%;
            border: round $frame-focus; border-title-color: $ink-key; border-title-style: bold;
            border-subtitle-color: $ink-dim;
            background: $ground-raised; color: $ink; padding: 1 2 0 2;
        }
        & > #box.-wide { width: 130; height: 94%; }
        & .intro { height: auto; margin-bottom: 1; background: $ground-raised; }
        & .label { height: 1; color: $ink-dim; background: $ground-raised; }
        & .fault {
            height: auto; margin-bottom: 1; display: none;
            color: $verdict-block; background: $ground-raised;
        }
        & .fault.-said { display: block; }
        & Input {
            border: none; height: 1; padding: 0 1; margin-bottom: 1;
            background: $ground-cursor-idle; color: $ink;
            &:focus { border: none; background: $ground-cursor; }
        }
        & LineList { background: $ground-raised; height: auto; max-height: 14; margin-bottom: 1; }
        & > #box.-wide LineList { height: 1fr; max-height: 100%; }
    }
    """

    def __init__(self, title: str, intro: Content | str = "") -> None:
        super().__init__()
        self._title = title
        self._intro = intro if isinstance(intro, Content) else safe(intro)

    def compose(self) -> ComposeResult:
        """The box with the fields of the subclass."""
        with Vertical(id="box", classes="-wide" if self.wide else "") as box:
            box.border_title = safe(self._title, limit=120)
            box.border_subtitle = pressable(self.told_keys())
            if self._intro:
                yield Static(self._intro, classes="intro")
            yield from self.compose_fields()
            yield Static("", classes="fault", markup=False)

    def told_keys(self) -> str:
        """The keys that stand below the box."""
        return cast("PersonalApp", self.app).keymap.told(self.keys)

    def compose_fields(self) -> ComposeResult:
        """The fields."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """No blinking: it distracts, and a picture of the screen would differ each time."""
        for field in self.query(Input):
            field.cursor_blink = False

    def say_fault(self, words: str) -> None:
        """Say what is missing or wrong, within the box."""
        fault = self.query_one(".fault", Static)
        fault.update(safe(words))
        fault.set_class(bool(words), "-said")

    def action_close(self) -> None:
        """Leave without doing anything."""
        self.dismiss(None)

    def action_enter(self) -> None:
        """What enter would do where the focus is; a click on the words for it comes here."""
        focused = self.focused
        # Called by the field itself: a message that its parent sends would not come up again.
        if isinstance(focused, Input):
            focused.call_later(focused.action_submit)
        elif isinstance(focused, LineList):
            focused.call_later(focused.action_choose)
        else:
            self.hand_in()

    def hand_in(self) -> None:
        """Do what the dialog asks; enter where neither a line nor a list has the focus."""

    def on_resize(self, event: Resize) -> None:
        """A wide box needs no margin where there is no room for one."""
        self.query_one("#box").styles.max_width = "100%" if event.size.width < 90 else "96%"


PRESSED = {
    "enter": "screen.enter",
    "esc": "screen.close",
    "tab": "app.focus_next",
    "space": "screen.mark",
    "delete": "screen.take_away",
    "/": "screen.narrow",
    "ctrl+s": "screen.save",
}
"""What a click on a key that is told below a dialog does, by the key."""


def pressable(told: str) -> Content:
    """The keys below a box, each a place to click."""
    parts = []
    for part in told.split(" · "):
        action = PRESSED.get(part.split(" ", 1)[0])
        words = Content(part)
        parts.append(words.stylize(Style.from_meta({"@click": action})) if action else words)
    return Content(" · ").join(parts)


class WordsDialog(Dialog[str]):
    """Asks for one line of words: a reason, or a typed confirmation."""

    def __init__(self, title: str, intro: Content | str, label: str) -> None:
        super().__init__(title, intro)
        self._label = label

    def compose_fields(self) -> ComposeResult:
        """One line."""
        yield Static(self._label, classes="label", markup=False)
        yield TypedLine(id="words")

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Blanks are no words."""
        event.stop()
        if event.value.strip():
            self.dismiss(event.value.strip())
        else:
            self.say_fault("Words are needed here; they stay on record.")


@dataclass(frozen=True, slots=True)
class Picked:
    """A reason from a closed list, and what was added to it."""

    reason: str
    note: str = ""
    until: str = ""


_DAYS = (
    ("0", "no date"),
    ("1", "tomorrow"),
    ("3", "in 3 days"),
    ("7", "in a week"),
    ("30", "in 30 days"),
)
"""Days from today that a date can be chosen from, with the words for each."""

REASON_WORDS: dict[str, str] = {
    "scope_ambiguous": "where it holds is not clear",
    "scope_conflict": "it claims to hold where something else does",
    "ownership_ambiguous": "whose preference or fact it is is not clear",
    "target_ambiguous": "which memory it is about is not clear",
    "coverage_unresolved": "the Gate has not accounted for its evidence",
    "needs_evidence": "it may be right, but more must support it",
    "needs_owner": "someone else has to decide",
    "later": "it can wait",
    "query_only": "it is a question, not a statement",
    "assistant_restatement": "the assistant only says it again",
    "retrieved_memory_only": "it only repeats a memory that was read back",
    "no_future_value": "nobody will need it later",
    "exact_duplicate": "it is held already",
    "quoted_or_example": "it is a quotation or an example",
    "negated": "the source says the opposite",
    "already_completed": "it is done",
    "user_requested": "the person it is about asked for it",
    "privacy_sensitive": "it should not be kept",
    "poisoned": "it was planted to steer an agent",
    "invalid": "it is wrong",
    "other": "another reason",
}


class PickDialog(Dialog[Picked]):
    """Asks for a reason from a closed list, and optionally a note and a date."""

    keys: ClassVar[str] = (
        "↑↓ or {row_next} {row_previous} choose · enter does it · tab to the note · esc cancels"
    )

    def __init__(
        self,
        title: str,
        intro: Content | str,
        reasons: tuple[str, ...],
        *,
        today: date | None = None,
        with_note: bool = True,
    ) -> None:
        """``today`` is given where a date is asked for: the days that are offered follow it."""
        super().__init__(title, intro)
        self._reasons = reasons
        self._today = today
        self._with_note = with_note

    def told_keys(self) -> str:
        """Without a note there is nothing to tab to."""
        told = super().told_keys()
        return told if self._with_note else told.replace(" · tab to the note", "")

    def compose_fields(self) -> ComposeResult:
        """The reasons, and the lines below."""
        yield LineList(id="reasons")
        if self._with_note:
            yield Static("Note (optional)", classes="label", markup=False)
            yield TypedLine(id="note")
        if self._today is not None:
            yield Static("Back in the queue on (optional, YYYY-MM-DD)", classes="label")
            yield TypedLine(id="until", placeholder="such as 2026-12-31", max_length=10)
            yield Choice(_DAYS, id="days")

    def on_mount(self) -> None:
        """The first reason is under the cursor."""
        super().on_mount()
        widest = max(len(spoken(reason)) for reason in self._reasons)
        rows = [
            Row(
                key=reason,
                body=Content.assemble(
                    (f"{spoken(reason):<{widest}}", "$ink bold"),
                    "  ",
                    (REASON_WORDS.get(reason, ""), "$ink-dim"),
                ),
            )
            for reason in self._reasons
        ]
        reasons = self.query_one(LineList)
        reasons.styles.height = len(rows)
        reasons.set_rows(Rows(rows))
        reasons.focus()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a reason."""
        event.stop()
        self._done()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Moving chooses nothing yet."""
        event.stop()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in the note or the date."""
        event.stop()
        self._done()

    def on_choice_chosen(self, event: Choice.Chosen) -> None:
        """A day that is offered fills the date in; what was typed can still be changed."""
        event.stop()
        assert self._today is not None
        days = int(event.value)
        day = (self._today + timedelta(days=days)).isoformat() if days else ""
        self.query_one("#until", Input).value = day

    def hand_in(self) -> None:
        """Enter on the days that are offered."""
        self._done()

    def _done(self) -> None:
        dated = self._today is not None
        until = self.query_one("#until", Input).value.strip() if dated else ""
        if until and not _is_date(until):
            self.say_fault(f"“{until}” is no date; write YYYY-MM-DD.")
            return
        note = self.query_one("#note", Input).value.strip() if self._with_note else ""
        self.dismiss(Picked(self.query_one(LineList).cursor_key, note, until))


def _is_date(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False
