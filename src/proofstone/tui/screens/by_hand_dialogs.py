"""The questions of a person who answers for the Gate: a new candidate, and how words support it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, Static

from proofstone.domain.gate_draft import DraftCandidate
from proofstone.domain.gate_types import CANDIDATE_TYPES, ClaimRole
from proofstone.tui.rows import Row, Rows
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.choice import Choice
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.typed import TypedLine
from proofstone.tui.words import safe, spoken

ROLE_WORDS = {
    ClaimRole.ASSERTION: "assertion",
    ClaimRole.SOURCE_EXCERPT: "source excerpt",
    ClaimRole.USER_CONFIRMATION: "user confirmation",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateForm:
    """A candidate as entered; ``role`` is how the words at hand support it, if there are any."""

    memory: str
    type: str
    scopes: tuple[str, ...]
    update_memory_id: str = ""
    role: ClaimRole = ClaimRole.ASSERTION


class CandidateDialog(Dialog[CandidateForm]):
    """Asks for statement, type, scopes, role, and the memory that it updates, if any.

    ``fault`` says why what is filled in was not accepted before.
    """

    keys: ClassVar[str] = "enter does it · tab moves on · ← → choose · esc cancels"

    def __init__(
        self,
        title: str,
        intro: Content | str,
        form: CandidateForm,
        roles: Sequence[ClaimRole] = (),
        fault: str = "",
    ) -> None:
        super().__init__(title, intro)
        self._form = form
        self._roles = tuple(roles)
        self._fault = fault

    def compose_fields(self) -> ComposeResult:
        """The form."""
        form = self._form
        yield Static("Statement, as a memory would say it", classes="label", markup=False)
        yield TypedLine(form.memory, id="memory", select_on_focus=False)
        yield Static("Type", classes="label", markup=False)
        yield Choice([(name, name) for name in CANDIDATE_TYPES], chosen=form.type, id="type")
        yield Static("Scopes: global, project:NAME, unscoped …", classes="label", markup=False)
        yield TypedLine(", ".join(form.scopes), id="scopes", select_on_focus=False)
        if self._roles:
            yield Static("These words support it as", classes="label", markup=False)
            yield role_choice(self._roles)
        yield Static("Updates the memory (its id, optional)", classes="label", markup=False)
        yield TypedLine(form.update_memory_id, id="update", select_on_focus=False)

    def on_mount(self) -> None:
        """Start at the end of the statement."""
        super().on_mount()
        memory = self.query_one("#memory", Input)
        memory.cursor_position = len(memory.value)
        memory.focus()
        if self._fault:
            self.say_fault(self._fault)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter anywhere hands the form in."""
        event.stop()
        self._done()

    def hand_in(self) -> None:
        """Enter on a choice too."""
        self._done()

    def _done(self) -> None:
        memory = self.query_one("#memory", Input).value.strip()
        scopes = self.query_one("#scopes", Input).value
        if not memory:
            self.say_fault("A candidate needs a statement.")
            return
        role = ClaimRole(self.query_one("#role", Choice).value) if self._roles else self._form.role
        self.dismiss(
            CandidateForm(
                memory=memory,
                type=self.query_one("#type", Choice).value,
                scopes=tuple(scope.strip() for scope in scopes.split(",") if scope.strip()),
                update_memory_id=self.query_one("#update", Input).value.strip(),
                role=role,
            )
        )


class BindDialog(Dialog[tuple[str, ClaimRole]]):
    """Asks which candidate words support, and in which role."""

    keys: ClassVar[str] = "↑↓ candidate · tab to the role, ← → choose · enter does it · esc cancels"

    def __init__(
        self,
        intro: Content,
        candidates: Sequence[DraftCandidate],
        roles: Sequence[ClaimRole],
        chosen: str,
    ) -> None:
        super().__init__("Bind these words", intro)
        self._candidates = tuple(candidates)
        self._roles = tuple(roles)
        self._chosen = chosen

    def compose_fields(self) -> ComposeResult:
        """The candidates and the roles."""
        yield Static("To the candidate", classes="label", markup=False)
        yield LineList(id="candidates")
        yield Static("As", classes="label", markup=False)
        yield role_choice(self._roles)

    def on_mount(self) -> None:
        """The one that was bound to last is under the cursor."""
        super().on_mount()
        candidates = self.query_one(LineList)
        candidates.styles.height = min(len(self._candidates), 8)
        candidates.set_rows(
            Rows(
                [
                    Row(
                        key=item.candidate_id,
                        body=safe(item.memory, "$ink", limit=200),
                        gutter=Content.styled(f"{item.candidate_id:<4} ", "$decision-candidate"),
                    )
                    for item in self._candidates
                ]
            )
        )
        candidates.move_to(self._chosen)
        if len(self._candidates) > 1:
            candidates.focus()
        else:
            self.query_one("#role").focus()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Moving chooses nothing yet."""
        event.stop()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a candidate."""
        event.stop()
        self._done()

    def hand_in(self) -> None:
        """Enter on the role."""
        self._done()

    def _done(self) -> None:
        role = ClaimRole(self.query_one("#role", Choice).value)
        self.dismiss((self.query_one(LineList).cursor_key, role))


def role_choice(roles: Sequence[ClaimRole]) -> Choice:
    """The roles on one line."""
    options = [(role.value, ROLE_WORDS.get(role, spoken(role.value))) for role in roles]
    return Choice(options, id="role")
