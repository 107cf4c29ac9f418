"""The main screen: seven linked panes (spec page 7, Main screen)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.widgets import Static

from proofstone.curation.first_look import FirstLook
from proofstone.domain.gate_types import TurnState
from proofstone.domain.records import Memory
from proofstone.domain.rulings.on_proposal import offered_target
from proofstone.tui import linking, ties
from proofstone.tui.anchor_checks import AnchorChecks
from proofstone.tui.command import MAIN, Situation
from proofstone.tui.commands import bindings_for
from proofstone.tui.live import looks_other
from proofstone.tui.opening import show_unjudged
from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.boundary import BoundaryView
from proofstone.tui.panes.proposal import card
from proofstone.tui.rows import Rows
from proofstone.tui.scene import Scene
from proofstone.tui.screens.panes import PanesScreen
from proofstone.tui.ties import NOTHING, Ties
from proofstone.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, TurnView
    from proofstone.curation.workspace import Workspace


class MainScreen(PanesScreen):
    """Everything that is tied to one proposal or turn, drawn in the seven panes."""

    name_in_registry: ClassVar[str] = MAIN
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(MAIN)

    def __init__(self) -> None:
        super().__init__()
        self._proposal: ProposalView | None = None
        self._ties: Ties = NOTHING
        self._lead = ""
        self._drawn = ""
        self._is_first_look = False
        self._anchors = AnchorChecks(self, self.draw_scene)

    def on_mount(self) -> None:
        """Start in the queue: that is where the work is."""
        self.queue_pane.focus()
        if self.workspace is not None:
            self.show_workspace(self.workspace)
        self.refresh_bars()

    # What is shown

    def subject(self) -> str:
        """The selected proposal."""
        return self._proposal.proposal_id if self._proposal else ""

    def after_subject(self) -> str:
        """The proposal below the selected one that is not marked with it; empty at the end."""
        source = self.queue_pane.source
        below = map(source.key, range(self.queue_pane.cursor + 1, len(source)))
        return next((key for key in below if key not in self.marked), "")

    @property
    def turn(self) -> TurnView | None:
        """The selected turn's view."""
        return self._turn

    @property
    def proposal(self) -> ProposalView | None:
        """The selected proposal's view."""
        return self._proposal

    def situation(self) -> Situation:
        """As every screen, and whether the proposal has been drawn since it was selected."""
        nothing = "no proposal is selected"
        if self._turn is not None and self.workspace and self.workspace.queue:
            nothing = "no proposal from this turn waits; choose one in the Queue"
        return replace(
            super().situation(),
            seen=self._drawn == self.subject(),
            nothing=nothing,
            marked=len(self.marked),
            alike=len(self.queue_pane.cluster_of(self.subject())) - 1,
            sibling=self.siblings_pane.cursor_key if self._proposal else "",
        )

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw the vault, keeping the place: the same proposal, else the one now in its place."""
        if self._is_first_look and workspace.is_whole:
            prefer = prefer or self._chosen_meanwhile(workspace)
        self._is_first_look = not workspace.is_whole
        self.turns_pane.set_turns(workspace.turns)
        self._fill_queue(workspace, prefer)
        if self._is_first_look:
            if prefer and self.queue_pane.move_to(prefer):
                self._go_to(self.queue_pane)
            self._choose_turn(self.turns_pane.cursor_key)
            if self._turn is None:
                self.draw_scene()  # Each pane says what it waits for.
            return
        queue, before = self.queue_pane, self._proposal
        self.hands.read_again(workspace.turn)
        self.mark(self.marked & {view.proposal_id for view in workspace.queue})
        if prefer:
            queue.move_to(prefer)
        if self._stays_at_turn(workspace, prefer):
            self._choose_turn(self.turns_pane.cursor_key)
        elif queue.cursor_key:
            self._choose_proposal(queue.cursor_key)
        elif self.turns_pane.cursor_key:
            self._choose_turn(self.turns_pane.cursor_key)
        else:
            self._turn = self._proposal = None
            self._ties = NOTHING
            self.draw_scene()
        self._wait_for_another_look(before)

    def _chosen_meanwhile(self, workspace: Workspace) -> str:
        """The proposal that a person has gone to during a first look, else the first one."""
        queue = self.queue_pane
        if not queue.has_focus:
            return ""
        if queue.cursor > 0:
            return queue.cursor_key
        return workspace.queue[0].proposal_id if workspace.queue else ""

    def _wait_for_another_look(self, before: ProposalView | None) -> None:
        """Let ruling keys wait where the card under them says something else now."""
        now = self._proposal
        if before is None or now is None or before.proposal_id != now.proposal_id:
            return
        if looks_other(before, now):
            self._drawn = ""
            self.call_after_refresh(self._painted, now.proposal_id)

    def keys_changed(self) -> None:
        """Name other keys, wherever a pane names one."""
        for pane in self.panes:
            pane.forget_drawn()
        if self.workspace is not None:
            self.show_workspace(self.workspace)
        super().keys_changed()

    def files_changed(self) -> None:
        """Say on the card that it is not what is on disk any more, or is again."""
        stale = bool(self.workbench.live.why_stale(self.subject()))
        self.proposal_pane.mark_stale(stale)
        told = card(self._proposal, is_stale=stale)
        self.query_one("#card", Static).update(told, layout=False)
        super().files_changed()

    def show_proposal(self, proposal_id: str) -> None:
        """Go to a proposal that waits, out of whatever hides it."""
        if self.workspace is None:
            return
        if self.filter.text and proposal_id not in self._let_through_ids():
            self.end_filter(clear=True)
        self._go_to(self.queue_pane)
        self.show_workspace(self.workspace, proposal_id)

    def _let_through_ids(self) -> set[str]:
        queue = self.workspace.queue if self.workspace is not None else ()
        return {view.proposal_id for view in self.let_through(queue)}

    def _stays_at_turn(self, workspace: Workspace, prefer: str) -> bool:
        """Whether a turn was chosen of which nothing waits: its place is in Turns, not Queue."""
        if prefer or self._turn is None or self._proposal is not None:
            return False
        return self.turns_pane.cursor_key == self._turn.reference

    def show_failure(self, why: str) -> None:
        """Say why there is nothing to show, and what to do."""
        for pane in self.panes:
            pane.set_rows(Rows(), placeholder="")
        keys = self.workbench.keymap.told("{reload} tries again, {quit} leaves.")
        told = f"{why}\n\n{keys}"
        self.queue_pane.set_rows(Rows(), placeholder=told)

    def _fill_queue(self, workspace: Workspace, prefer: str = "") -> None:
        if isinstance(workspace, FirstLook):
            show_unjudged(workspace, self.queue_pane)
            return
        shown = self.let_through(workspace.queue, prefer)
        self.queue_pane.set_queue(
            shown,
            self.workbench.index.clusters,
            total=len(workspace.queue),
            filter_text=self.filter.text,
            vault_is_empty=not (
                workspace.turns or workspace.proposals or workspace.holdings.memories
            ),
            turns_waiting=sum(turn.state is TurnState.WAITING for turn in workspace.turns),
            can_ask=not self.workbench.why_nobody(),
        )

    def _choose_proposal(self, proposal_id: str) -> None:
        workspace = self.workspace
        if isinstance(workspace, FirstLook):
            self._choose_turn_of_unjudged(workspace, proposal_id)
        if workspace is None or proposal_id not in workspace.proposals:
            return
        self._proposal = workspace.proposal(proposal_id)
        self._turn = self._turn_of(workspace, self._proposal)
        self._ties = ties.of_proposal(self._proposal, self.turn_shown)
        self.draw_scene()

    def _choose_turn_of_unjudged(self, look: FirstLook, proposal_id: str) -> None:
        """Show where a proposal comes from, though it cannot be shown itself yet."""
        turns = {view.reference for view in look.turns}
        for proposal in look.unjudged:
            if proposal.proposal_id == proposal_id and proposal.turn in turns:
                self._choose_turn(proposal.turn)

    def _choose_turn(self, reference: str) -> None:
        workspace = self.workspace
        if workspace is None or not reference:
            return
        self._turn = workspace.turn(reference)
        waiting = self.workbench.index.of_turn(reference)
        current = self._proposal.proposal_id if self._proposal else ""
        chosen = current if current in waiting else next(iter(waiting), "")
        self._proposal = workspace.proposal(chosen) if chosen else None
        self._ties = ties.of_turn(self._turn, self.workbench.index)
        self.draw_scene()

    @staticmethod
    def _turn_of(workspace: Workspace, view: ProposalView) -> TurnView | None:
        if not view.proposal.turn:
            return None
        try:
            return workspace.turn(view.proposal.turn)
        except KeyError:
            return None

    def draw_turn(self) -> None:
        """Draw the turn as it is accounted for now, with what the unit at hand is tied to."""
        found = linking.ties_of(
            self.evidence_pane,
            self.evidence_pane.cursor_key,
            self.turn_shown,
            self._proposal,
            self.workbench.index,
        )
        self._ties = found or self._ties
        self.draw_scene()

    def draw_scene(self) -> None:
        """Give every pane the scene, and let ruling keys wait until it has been painted."""
        scene = Scene(
            turn=self.turn_shown,
            is_unread=self._is_first_look,
            by_hand=self.hand,
            can_ask=not self.workbench.why_nobody(),
            anchor=self._anchors.state(self._proposal.proposal if self._proposal else None),
            proposal=self._proposal,
            ties=self._ties,
            target=self._target(),
            matched=self._matched(),
        )
        self.turns_pane.set_drafts(self.hands.drafts())
        with ExitStack() as stack:
            for pane in self.panes:
                stack.enter_context(pane.painted_once())
                pane.show(scene)
            self._follow()
        self.query_one(BoundaryView).show(scene)
        self.query_one("#card", Static).update(
            card(self._proposal, is_unread=self._is_first_look), layout=False
        )
        subject = self.subject()
        if subject != self._drawn:
            self.call_after_refresh(self._painted, subject)
        self.refresh_bars()

    def _painted(self, subject: str) -> None:
        if subject == self.subject():
            self._drawn = subject

    def _follow(self) -> None:
        """Bring what the selected proposal rests on into view, once for each proposal."""
        lead = self.subject()
        if lead == self._lead or self._proposal is None:
            self._lead = lead
            return
        self._lead = lead
        for unit_id in self._ties.quotes:
            if self.evidence_pane.move_to(unit_id):
                break
        if not self._proposal.answer_is_replaced:
            self.gate_pane.move_to(f"candidate-{self._proposal.proposal.candidate_id}")

    def _target(self) -> Memory | None:
        """The memory that ratifying would change."""
        view, workspace = self._proposal, self.workspace
        if view is None or workspace is None:
            return None
        target = offered_target(view.proposal, view.match.kind, view.match.matched)
        return workspace.held.memory(target) if target else None

    def _matched(self) -> tuple[Memory, ...]:
        view, workspace = self._proposal, self.workspace
        if view is None or workspace is None:
            return ()
        found = (workspace.held.memory(memory_id) for memory_id in view.match.matched)
        return tuple(memory for memory in found if memory is not None)

    # Choices in the panes

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """The cursor moved by hand: everything tied to the new row is highlighted."""
        event.stop()
        pane = event.line_list
        if pane is self.queue_pane:
            self._choose_proposal(event.key)
        elif pane is self.turns_pane:
            self._choose_turn(event.key)
        else:
            found = linking.ties_of(
                pane, event.key, self.turn_shown, self._proposal, self.workbench.index
            )
            self.note_candidate()
            if found is not None:
                self._ties = found
                self.draw_scene()
                linking.reveal(pane, event.key, found, self.evidence_pane, self.gate_pane)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter goes on to where the row is explained."""
        event.stop()
        if event.line_list is self.turns_pane:
            self._go_to(self.evidence_pane)
        elif event.line_list is self.queue_pane:
            self._go_to(self.proposal_pane)
        else:
            self.on_line_list_highlighted(event)

    # Commands

    async def command_back(self) -> None:
        """Close the innermost thing that is open: boundary view, zoom, filter."""
        if self.end_words():
            return
        if self.has_class("-boundary"):
            await self.command_boundary()
        elif self._zoomed:
            await self.command_zoom()
        elif self.marked:
            self.mark(frozenset())
        elif self.is_filtering:
            self.end_filter(clear=True)
        else:
            self.workbench.stop_asking()

    def unfiltered(self) -> Sequence[ProposalView]:
        """The queue."""
        return self.workspace.queue if self.workspace is not None else ()

    def filter_home(self) -> Pane:
        """The queue."""
        return self.queue_pane

    async def command_filter(self) -> None:
        """Open the line, and where tabs hide the queue, show what is narrowed."""
        self._mark_active(self.queue_pane)
        await super().command_filter()

    def select(self, subject: str) -> None:
        """Go back to a proposal."""
        if self.queue_pane.move_to(subject):
            self._choose_proposal(subject)

    def filter_changed(self) -> None:
        """Show what the filter lets through, and select in it."""
        if self.workspace is None:
            return
        self._fill_queue(self.workspace)
        key = self.queue_pane.cursor_key
        if key:
            self._choose_proposal(key)
        else:
            self._proposal = None
            self._ties = NOTHING
            self.draw_scene()
