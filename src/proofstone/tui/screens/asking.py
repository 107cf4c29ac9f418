"""The dialog before a model is asked: exactly what is sent, and to whom (spec page 8)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from proofstone.domain.gate_contract import projection
from proofstone.tui.rows import Extent, LazyRows, Row
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import STATE_WORD, count, displayed, safe

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView
    from proofstone.gate.settings import ClientSettings

_LABEL = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What is about to be asked: of whom, about which turns, and what they would be sent.

    ``prompt`` gives what is sent of a turn. ``again`` says that the turns have an answer.
    """

    settings: ClientSettings
    turns: Sequence[TurnView]
    prompt: Callable[[TurnView], str]
    again: bool = False


class AskDialog(Dialog[bool]):
    """Says where the words go and which they are; takes the word to send them."""

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "enter sends it · tab to the words · esc sends nothing"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "send it", show=False, priority=True),
    ]
    DEFAULT_CSS = """
    AskDialog {
        & #box.-wide #asked-turns { height: auto; max-height: 18%; }
        & .intro { margin-bottom: 0; }
        & .label { margin-top: 1; }
    }
    """

    def __init__(self, asking: Asking) -> None:
        turns = asking.turns
        title = "Ask a model again" if asking.again else "Ask a model"
        super().__init__(f"{title} about {_turns(turns)}", _facts(asking))
        self._asking = asking
        self._views = {view.reference: view for view in turns}
        self._shown = ""

    def told_keys(self) -> str:
        """Of one turn, the words have the focus already."""
        return self.keys if len(self._views) > 1 else self.keys.replace(" · tab to the words", "")

    def compose_fields(self) -> ComposeResult:
        """The turns, where there are several, and what is sent of the one under the cursor."""
        if len(self._views) > 1:
            yield LineList(id="asked-turns")
        yield Static("", id="asked-about", classes="label", markup=False)
        yield LineList(id="prompt")

    def on_mount(self) -> None:
        """The first turn's words are shown."""
        super().on_mount()
        references = list(self._views)
        if len(references) > 1:
            turns = self.query_one("#asked-turns", LineList)
            turns.set_rows(LazyRows(references, self._turn_row))
            turns.focus()
        else:
            self.query_one("#prompt").focus()
        self._show(references[0])

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Another turn's words."""
        event.stop()
        if event.line_list.id == "asked-turns":
            self._show(event.key)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """A click chooses, and sends nothing."""
        self.on_line_list_highlighted(event)

    def action_accept(self) -> None:
        """Send it."""
        self.dismiss(True)

    def _turn_row(self, index: int) -> Row:
        view = self._asking.turns[index]
        told = f"{count(view.counts.physical, 'unit')} · {STATE_WORD[view.state]}"
        return Row(
            key=view.reference,
            body=safe(view.reference, "$ink", limit=200),
            trailing=Content.styled(told, "$ink-dim"),
        )

    def _show(self, reference: str) -> None:
        if reference == self._shown:
            return
        self._shown = reference
        told = Content.assemble(
            ("Sent of ", "$ink-dim"), safe(reference, "$ink-title", limit=120), (":", "$ink-dim")
        )
        self.query_one("#asked-about", Static).update(told)
        lines = self._asking.prompt(self._views[reference]).split("\n")

        def row(index: int) -> Row:
            text = lines[index]
            body = safe(text, "$ink", limit=max(1, len(text)))
            return Row(key=str(index), body=body, wrap=True)

        def measure(index: int) -> Extent:
            text = lines[index]
            return Extent(displayed(text, limit=max(1, len(text))).text, 0, 0, wraps=True)

        keys = [str(index) for index in range(len(lines))]
        self.query_one("#prompt", LineList).set_rows(
            LazyRows(keys, row, fixed_height=None, measure=measure), anew=True
        )


def _facts(asking: Asking) -> Content:
    settings = asking.settings
    where = "this machine" if settings.is_loopback else "over the network"
    if not settings.is_loopback and settings.url.startswith("http:"):
        where += ", in the clear"
    key = (
        f"the one in {settings.key_source} goes with it; it is neither shown nor stored"
        if settings.key
        else "none"
    )
    at_once = min(settings.limit, len(asking.turns))
    about = f"{_turns(asking.turns)}, {_units(asking.turns)}"
    about += f"; {at_once} at once" if at_once > 1 else ""
    facts: list[tuple[str, str | Content]] = [
        ("to", Content.assemble(safe(settings.url, "$ink bold", limit=300), f" · {where}")),
        ("model", safe(settings.model, "$ink bold")),
        ("key", key),
        ("about", about),
        ("not sent", _held_back(asking.turns)),
        ("becomes", "proposals for you to rule on; a refusal leaves only its reason"),
    ]
    if asking.again:
        facts.append(("again", _again(asking.turns)))
    return Content("\n").join(
        Content.assemble((f"{label:<{_LABEL}}", "$ink-dim"), value) for label, value in facts
    )


def _turns(turns: Sequence[TurnView]) -> str:
    if len(turns) == 1:
        return displayed(turns[0].reference, limit=80).text
    return count(len(turns), "turn")


def _units(turns: Sequence[TurnView]) -> str:
    units = sum(len(projection(view.units)) for view in turns)
    return count(units, "unit that may be cited", "units that may be cited")


def _held_back(turns: Sequence[TurnView]) -> str:
    held = sum(view.counts.unresolved for view in turns)
    held += sum(unit.origin.value == "retrieved_memory" for view in turns for unit in view.units)
    records = sum(len(view.metadata) for view in turns)
    told = [count(held, "unit")] if held else []
    told += [count(records, "record without its body", "records without their body")] * bool(
        records
    )
    return f"{' and '.join(told) or 'nothing'} held back; secrets are covered"


def _again(turns: Sequence[TurnView]) -> Content:
    rest = "What you ruled on stays; what waits goes on"
    if len(turns) > 1:
        return Content(f"each answer stands until a whole new one is accepted. {rest}")
    gate = turns[0].gate
    who = (gate.answered_by or gate.answered_by_kind) if gate is not None else ""
    told = "stands until a whole new one is accepted"
    return Content.assemble("the answer by ", safe(who, "$ink", limit=40), f" {told}. {rest}")
