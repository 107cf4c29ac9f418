"""Ratifying an L1 proposal: deliberate, one at a time, typed (spec page 6, L1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from proofstone.curation.views import ProposalView
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import short_id
from proofstone.tui.panes.evidence import record_row
from proofstone.tui.panes.proposal import fact_row
from proofstone.tui.rows import Row, Rows, spaced, text_row
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.typed import TypedLine
from proofstone.tui.words import safe


@dataclass(frozen=True, slots=True)
class Deliberation:
    """What was written and typed."""

    reason: str
    confirm: str


class IdentityDialog(Dialog[Deliberation]):
    """Shows what an L1 statement rests on and what would bind whom, then asks twice."""

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "tab moves on · enter in the last line ratifies · esc cancels"

    def __init__(self, view: ProposalView, workspace: Workspace) -> None:
        super().__init__(
            "Ratify an L1 proposal",
            Content.assemble(
                safe(view.proposal.statement, "$ink bold", newlines=True),
                "\n\n",
                ("L1 is identity: it binds every agent that reads this vault. ", "$ink"),
                ("It is never ratified in a batch, and never by one key.", "$ink-dim"),
            ),
        )
        self._view = view
        self._workspace = workspace

    def compose_fields(self) -> ComposeResult:
        """What it rests on, and the two lines."""
        yield LineList(id="grounds")
        yield Static("Reason, in your words", classes="label", markup=False)
        yield TypedLine(id="reason")
        yield Static(
            safe(f"Type {short_id(self._view.proposal_id)} to confirm", limit=120), classes="label"
        )
        yield TypedLine(id="confirm", max_length=80)

    def on_mount(self) -> None:
        """The reason has the focus; nothing is filled in."""
        super().on_mount()
        self.query_one(LineList).set_rows(Rows(self._rows()))
        self.query_one("#reason").focus()

    def _rows(self) -> list[Row]:
        proposal = self._view.proposal
        sources = [self._source_row(memory_id) for memory_id in proposal.l1_sources]
        counter = [
            text_row(f"counter-{number}", ("– ", "$verdict-flag"), safe(text, limit=400))
            for number, text in enumerate(proposal.counterexamples)
        ]
        groups = [
            [_heading("It rests on these L2 memories"), *sources] if sources else [],
            [_heading("Evidence"), *(record_row(record) for record in self._view.records)]
            if self._view.records
            else [],
            [
                _heading("What speaks against it"),
                *(counter or [text_row("none", ("no counterexample is stored", "$ink-dim"))]),
            ],
            [
                _heading("Whom and when it binds"),
                fact_row("scope", ", ".join(proposal.scopes)),
                fact_row("profile", proposal.profile or "any"),
                fact_row("applies", "; ".join(proposal.applies_when) or "always"),
                fact_row("not when", "; ".join(proposal.does_not_apply_when) or "nothing named"),
                fact_row("except", "; ".join(proposal.known_exceptions) or "nothing named"),
                fact_row("changes", proposal.stale_if or "nothing named would change it"),
            ],
        ]
        return spaced(groups)

    def _source_row(self, memory_id: str) -> Row:
        memory = self._workspace.held.memory(memory_id)
        words = (
            safe(memory.statement, "$ink", limit=400)
            if memory is not None
            else Content.styled("not in force any more", "$verdict-flag")
        )
        return Row(
            key=f"source-{memory_id}",
            gutter=Content("  "),
            continuation=Content("  "),
            body=Content.assemble(words, "\n", safe(memory_id, "$ink-dim", limit=80)),
            wrap=True,
        )

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """From the reason on to the confirmation; from there, ratify."""
        event.stop()
        reason = self.query_one("#reason", Input).value.strip()
        confirm = self.query_one("#confirm", Input).value.strip()
        expected = short_id(self._view.proposal_id)
        if not reason:
            self.say_fault("L1 needs a reason in words.")
            self.query_one("#reason").focus()
        elif event.input.id == "reason":
            self.query_one("#confirm").focus()
        elif confirm not in (expected, self._view.proposal_id):
            self.say_fault(f"That is not its short id; type {expected}.")
        else:
            self.dismiss(Deliberation(reason, confirm))


def _heading(words: str) -> Row:
    return text_row(f"heading-{words}", (words, "$ink-title bold"))
