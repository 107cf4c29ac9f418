"""The keys by which a person answers for the Gate, on the main screen (spec page 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from textual import work
from textual.content import Content
from textual.message import Message

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_draft import DraftError, GateDraft, as_statement, roles_for
from proofstone.domain.gate_types import DEFERRED_REASONS, NO_CHANGE_REASONS
from proofstone.tui import by_hand
from proofstone.tui.by_hand import HandState, HandStates
from proofstone.tui.command import Hand, Situation
from proofstone.tui.panes.evidence import EvidencePane
from proofstone.tui.panes.gate import GatePane
from proofstone.tui.panes.word_picking import WordPicking
from proofstone.tui.screens.ruling_keys import RulingKeysScreen
from proofstone.tui.words import safe, without_secrets

if TYPE_CHECKING:
    from proofstone.curation.gate import GateResult
    from proofstone.curation.views import TurnView
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.evidence_unit import EvidenceUnit
    from proofstone.tui.messages import OpenVault
    from proofstone.tui.screens.by_hand_dialogs import CandidateForm

_TITLES = {
    NO_CHANGE_REASONS: "No change, because…",
    DEFERRED_REASONS: "Deferred, because…",
}


class AnswerGiven(Message):
    """An answer was checked and, accepted or refused, is on disk."""

    def __init__(self, result: GateResult, opened: OpenVault) -> None:
        super().__init__()
        self.result = result
        self.opened = opened


class GateKeysScreen(RulingKeysScreen):
    """A screen with units before it, for which a person can answer.

    The subclass sets the panes and the turn, and draws.
    """

    evidence_pane: EvidencePane
    gate_pane: GatePane

    def __init__(self) -> None:
        super().__init__()
        self.hands = HandStates()
        self._turn: TurnView | None = None

    def draw_turn(self) -> None:
        """Draw the turn as it is accounted for now."""
        raise NotImplementedError

    @property
    def turn_shown(self) -> TurnView | None:
        """The turn, with what was put together of it so far."""
        return self.hands.shown(self._turn, self.workbench.context.author)

    @property
    def hand(self) -> HandState | None:
        """The draft of the turn, where one can be made."""
        return self.hands.of(self._turn)

    def situation(self) -> Situation:
        """As every screen, and what can be done by hand, or by a model."""
        ask = self.workbench.ask_situation(self._turn)
        return replace(super().situation(), hand=self._hand(), ask=ask)

    async def command_ask(self) -> None:
        """Ask a model about the turn, or stop asking."""
        self.workbench.start_asking(*((self._turn.reference,) if self._turn is not None else ()))

    def _hand(self) -> Hand:
        state = self.hand
        if state is None:
            return Hand(why=self.hands.why_not(self._turn))
        unit = self._unit_in_hand(state.draft)
        return Hand(
            why="",
            unit=unit.unit_id if unit is not None else "",
            beside=self._beside(),
            candidate=self._candidate_in_hand(state.draft),
            candidates=len(state.draft.candidates),
            steps=len(state.past),
            has_begun=state.has_begun,
            picking=self.evidence_pane.picked is not None,
            is_at_it=self.focused in (self.evidence_pane, self.gate_pane)
            and (state.has_begun or unit is not None or not self.subject()),
        )

    def _beside(self) -> str:
        """The partition of the unit under the cursor."""
        if self._turn is None or self.focused is not self.evidence_pane:
            return ""
        here = self.evidence_pane.cursor_key
        return next((u.partition.value for u in self._turn.units if u.unit_id == here), "")

    def _unit_in_hand(self, draft: GateDraft) -> EvidenceUnit | None:
        """The unit under the cursor, where it still awaits a row."""
        if self.focused is self.evidence_pane:
            return draft.unit(self.evidence_pane.cursor_key)
        subject = self.gate_pane.subject(self.gate_pane.cursor_key)
        if self.focused is self.gate_pane and subject is not None:
            return draft.unit(subject.unit_id)
        return None

    def _candidate_in_hand(self, draft: GateDraft) -> str:
        """The draft's candidate under the Gate pane's cursor."""
        subject = self.gate_pane.subject(self.gate_pane.cursor_key)
        if self.focused is not self.gate_pane or subject is None or subject.unit_id:
            return ""
        return subject.candidate_id if draft.candidate(subject.candidate_id) else ""

    def note_candidate(self) -> None:
        """The candidate under the cursor is the one that words are bound to next."""
        state = self.hand
        if state is not None and self._turn is not None:
            candidate = self._candidate_in_hand(state.draft)
            if candidate and candidate != state.chosen:
                self.hands.put(self._turn, replace(state, chosen=candidate))

    def _decided(self, draft: GateDraft, *, chosen: str = "", reason: str = "") -> None:
        """Keep what was decided, and go on to the next unit that is open."""
        state = self.hand
        if state is None or self._turn is None:
            return
        unit = self._unit_in_hand(state.draft)
        self.hands.put(self._turn, state.then(draft, chosen=chosen, reason=reason))
        self.evidence_pane.drop_words()
        self.draw_turn()
        if unit is not None:
            self._go_on(draft, unit)

    def _go_on(self, draft: GateDraft, unit: EvidenceUnit) -> None:
        following = (draft.open_after(unit.unit_id) or unit).unit_id
        self.evidence_pane.move_to(following)
        self.gate_pane.move_to(f"row-{following}")
        self.refresh_bars()

    def _words(self, unit: EvidenceUnit) -> tuple[tuple[int, int] | None, str]:
        """The words at hand: those chosen in the unit, else all of it."""
        picked = self.evidence_pane.picked
        if picked is None or picked[0] != unit.unit_id:
            return None, unit.text
        start, end = picked[1]
        return picked[1], unit.text[start:end]

    # Candidates

    async def command_gate_candidate(self) -> None:
        """A candidate of these words, or other words for the one under the cursor."""
        state = self.hand
        if state is None:
            return
        candidate, unit = self._candidate_in_hand(state.draft), self._unit_in_hand(state.draft)
        if candidate:
            self._reword(candidate)
        elif unit is not None:
            self._propose(unit)

    @work(exclusive=True, group="ruling")
    async def _propose(self, unit: EvidenceUnit) -> None:
        from proofstone.tui.screens.by_hand_dialogs import CandidateDialog, CandidateForm

        span, words = self._words(unit)
        # What looks like a secret must not get into a statement, nor be drawn in the form.
        form = CandidateForm(
            memory=as_statement(without_secrets(words)),
            type="fact",
            scopes=self._likely_scopes(),
        )
        fault = ""
        while True:
            intro = Content.assemble(("Supported by: ", "$ink-dim"), safe(words, "$ink", limit=400))
            dialog = CandidateDialog("New candidate", intro, form, roles_for(unit), fault)
            entered = await self.app.push_screen_wait(dialog)
            state = self.hand
            if entered is None or state is None:
                return
            form = entered
            try:
                draft = state.draft.with_candidate(**_fields(form))
                made = draft.candidates[-1].candidate_id
                draft = draft.bind(made, unit.unit_id, span, form.role)
            except DraftError as error:
                fault = _sentence(error)
                continue
            self._decided(draft, chosen=made)
            return

    @work(exclusive=True, group="ruling")
    async def _reword(self, candidate_id: str) -> None:
        from proofstone.tui.screens.by_hand_dialogs import CandidateDialog, CandidateForm

        state = self.hand
        present = state.draft.candidate(candidate_id) if state is not None else None
        if present is None:
            return
        form = CandidateForm(
            memory=present.memory,
            type=present.type,
            scopes=present.scopes,
            update_memory_id=present.update_memory_id,
        )
        fault = ""
        while True:
            dialog = CandidateDialog(f"Candidate {candidate_id}", "", form, fault=fault)
            entered = await self.app.push_screen_wait(dialog)
            state = self.hand
            if entered is None or state is None:
                return
            form = entered
            try:
                draft = state.draft.reworded(candidate_id, **_fields(form))
            except DraftError as error:
                fault = _sentence(error)
                continue
            self._decided(draft, chosen=candidate_id)
            return

    def _likely_scopes(self) -> tuple[str, ...]:
        """The scopes given last, else the vault's project."""
        state, workspace = self.hand, self.workspace
        if state is not None and state.draft.candidates:
            return state.draft.candidates[-1].scopes
        project = workspace.settings.project if workspace is not None else ""
        return (f"project:{project}",) if project else ("global",)

    async def command_gate_bind(self) -> None:
        """These words support a candidate that is there."""
        state = self.hand
        unit = self._unit_in_hand(state.draft) if state is not None else None
        if unit is not None:
            self._support(unit)

    @work(exclusive=True, group="ruling")
    async def _support(self, unit: EvidenceUnit) -> None:
        from proofstone.tui.screens.by_hand_dialogs import BindDialog

        state = self.hand
        if state is None:
            return
        span, words = self._words(unit)
        dialog = BindDialog(
            safe(words, "$ink bold", limit=400),
            state.draft.candidates,
            roles_for(unit),
            state.target,
        )
        entered = await self.app.push_screen_wait(dialog)
        state = self.hand
        if entered is None or state is None:
            return
        candidate_id, role = entered
        self._try(lambda draft: draft.bind(candidate_id, unit.unit_id, span, role), candidate_id)

    async def command_gate_drop(self) -> None:
        """Leave the candidate under the cursor out."""
        state = self.hand
        candidate = self._candidate_in_hand(state.draft) if state is not None else ""
        if candidate:
            self._try(lambda draft: draft.without(candidate))

    # Reasons

    async def command_gate_no_change(self) -> None:
        """Nothing follows from the unit."""
        self._start_deciding(NO_CHANGE_REASONS)

    async def command_gate_defer(self) -> None:
        """It cannot be decided yet."""
        self._start_deciding(DEFERRED_REASONS)

    def _start_deciding(self, reasons: tuple[str, ...]) -> None:
        state = self.hand
        unit = self._unit_in_hand(state.draft) if state is not None else None
        if unit is not None:
            self._decide(unit, reasons)

    @work(exclusive=True, group="ruling")
    async def _decide(self, unit: EvidenceUnit, reasons: tuple[str, ...]) -> None:
        from proofstone.tui.screens.dialog import PickDialog

        state = self.hand
        if state is None:
            return
        offered = by_hand.offered_reasons(reasons, unit, state)
        intro = safe(unit.text, "$ink bold", limit=400)
        picked = await self.app.push_screen_wait(
            PickDialog(_TITLES[reasons], intro, offered, with_note=False)
        )
        if picked is not None:
            reason = picked.reason
            self._try(lambda draft: draft.decide(unit.unit_id, reason), reason=reason)

    def _try(self, step: by_hand.Step, chosen: str = "", reason: str = "") -> None:
        """Take a step, or say why it cannot be taken; the draft is as it was."""
        state = self.hand
        if state is None:
            return
        try:
            draft = step(state.draft)
        except DraftError as error:
            self.app.notify(_sentence(error), title="draft", severity="warning", markup=False)
            return
        self._decided(draft, chosen=chosen, reason=reason)

    # Words

    async def command_gate_words(self) -> None:
        """Begin to choose words of the unit."""
        if self.focused is self.gate_pane:
            state = self.hand
            unit = self._unit_in_hand(state.draft) if state is not None else None
            if unit is not None:
                self.evidence_pane.move_to(unit.unit_id)
            self.evidence_pane.focus()
        self.evidence_pane.pick_words()
        self.refresh_bars()

    async def command_words_more(self) -> None:
        """One more word at the end."""
        self.evidence_pane.move_words(end=1)

    async def command_words_fewer(self) -> None:
        """One word fewer at the end."""
        self.evidence_pane.move_words(end=-1)

    async def command_words_later(self) -> None:
        """Begin one word later."""
        self.evidence_pane.move_words(start=1)

    async def command_words_earlier(self) -> None:
        """Begin one word earlier."""
        self.evidence_pane.move_words(start=-1)

    def on_word_picking_words_picked(self, event: WordPicking.WordsPicked) -> None:
        """Words were chosen with the mouse."""
        event.stop()
        self.refresh_bars()

    def end_words(self) -> bool:
        """Choose no words any more; whether there were any."""
        if self.evidence_pane.picked is None:
            return False
        self.evidence_pane.drop_words()
        self.refresh_bars()
        return True

    # The draft as a whole

    async def command_gate_back(self) -> None:
        """Take back the last step."""
        state = self.hand
        if state is not None and state.past and self._turn is not None:
            self.hands.put(self._turn, state.back())
            self.draw_turn()

    async def command_gate_submit(self) -> None:
        """Hand the draft in; an unfinished one shows what it lacks."""
        state, workspace, turn = self.hand, self.workspace, self._turn
        if state is None or workspace is None or turn is None:
            return
        fault = by_hand.unfinished(state.draft)
        if fault is not None:
            self.hands.refuse(turn.reference, fault)
            self.draw_turn()
            for unit in state.draft.uncovered[:1]:
                self.evidence_pane.move_to(unit.unit_id)
                self.gate_pane.move_to(f"row-{unit.unit_id}")
            self.refresh_bars()
            return
        self.workbench.writing = "the answer"
        self.refresh_bars()
        self._submit(workspace, turn.reference, state.draft.to_json())

    @work(thread=True, group="write")
    def _submit(self, workspace: Workspace, reference: str, data: bytes) -> None:
        """Check and store the answer, and read what came of it."""
        from proofstone.curation import gate, gate_by_hand
        from proofstone.tui.messages import OpenVault, RulingRefusal

        author = workspace.context.author
        try:
            result = gate.submit(
                workspace, reference, data, answered_by=author, kind=gate_by_hand.KIND
            )
            self.workbench.live.wrote(workspace, result.changes)
            opened = OpenVault.prepared(workspace.reload())
        except (ProofstoneError, OSError) as error:
            self.workbench.post_message(RulingRefusal("gate_submit", str(error), stale=True))
            return
        self.post_message(AnswerGiven(result, opened))

    def on_answer_given(self, event: AnswerGiven) -> None:
        """Go on with what it proposes; of a refused one keep the draft, and say why in place."""
        event.stop()
        result = event.result
        if result.refusal is not None:
            self.hands.refuse(result.turn, by_hand.refusal(result.refusal.identifier))
        else:
            self.hands.drop(result.turn)
        self.workbench.show_written(event.opened, next(iter(result.proposals), ""))
        if result.refusal is None:
            self.app.notify(result.summary, title="your answer", markup=False)
        else:
            # Why stands above the rows, whichever of them was being read.
            self.gate_pane.scroll_home(animate=False, force=True, immediate=True)


def _fields(form: CandidateForm) -> by_hand.CandidateFields:
    return {
        "memory": form.memory,
        "type": form.type,
        "scopes": form.scopes,
        "update_memory_id": form.update_memory_id,
    }


def _sentence(error: DraftError) -> str:
    said = str(error)
    return f"{said[:1].upper()}{said[1:]}."
