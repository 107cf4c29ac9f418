"""The main screen: seven linked panes (spec page 7, Main screen)."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.events import DescendantFocus, Key, Resize
from textual.widgets import Input, Static

from proofstone.curation.views import ProposalView, TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain import filters
from proofstone.domain.records import MatchKind, Memory
from proofstone.tui import ties
from proofstone.tui.commands import MAIN, Situation, bindings_for
from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.boundary import BoundaryView
from proofstone.tui.panes.evidence import EvidencePane
from proofstone.tui.panes.gate import GatePane
from proofstone.tui.panes.proposal import ProposalPane, card
from proofstone.tui.panes.queue import QueuePane
from proofstone.tui.panes.siblings import SiblingsPane
from proofstone.tui.panes.turns import TurnsPane
from proofstone.tui.panes.verifier import VerifierPane
from proofstone.tui.rows import Rows
from proofstone.tui.scene import Scene
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.ties import NOTHING, TieIndex, Ties
from proofstone.tui.widgets.bars import TabStrip
from proofstone.tui.widgets.line_list import LineList

WIDE = 100
TALL = 22
"""Below these the panes become tabs."""
SMALLEST = (44, 12)
PANES: tuple[type[Pane], ...] = (
    TurnsPane,
    QueuePane,
    EvidencePane,
    GatePane,
    ProposalPane,
    VerifierPane,
    SiblingsPane,
)


class MainScreen(WorkbenchScreen):
    """Turns and queue, evidence and Gate, proposal with verifier and siblings."""

    name_in_registry: ClassVar[str] = MAIN
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(MAIN)
    DEFAULT_CSS = """
    MainScreen {
        #body { height: 1fr; }
        #left { width: 27%; }
        #middle { width: 1fr; }
        #right { width: 33%; }
        #turns { height: 2fr; }
        #queue { height: 3fr; }
        #evidence { height: 1fr; }
        #gate { height: 1fr; }
        #proposal { height: 5fr; }
        #verifier { height: 5fr; }
        #siblings { height: 4fr; }
        #card { height: 2; display: none; padding: 0 1; background: $ground; color: $ink; }
        #small { display: none; height: 1fr; content-align: center middle; color: $ink; }
        #filter {
            height: 1; display: none; border: none; padding: 0 1;
            background: $ground-raised; color: $ink;
            &:focus { border: none; }
        }
        BoundaryView { display: none; width: 1fr; }
    }
    MainScreen.-filtering #filter { display: block; }
    MainScreen.-boundary {
        #middle, #right { display: none; }
        BoundaryView { display: block; }
    }
    MainScreen.-tabs {
        TabStrip { display: block; }
        #left, #middle, #right { display: none; width: 1fr; }
        Pane { display: none; }
        #left.-active, #middle.-active, #right.-active { display: block; }
        Pane.-active { display: block; height: 1fr; }
    }
    MainScreen.-tabs.-small.-card #card { display: block; }
    MainScreen.-tabs.-boundary {
        #left, #middle, #right, #left.-active, #middle.-active, #right.-active { display: none; }
        BoundaryView { display: block; }
    }
    MainScreen.-tiny {
        TabStrip, #body, #card, KeyBar { display: none; }
        #small { display: block; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._panes = {pane_type: pane_type() for pane_type in PANES}
        self._index = TieIndex()
        self._filter = filters.parse("")
        self._turn: TurnView | None = None
        self._proposal: ProposalView | None = None
        self._ties: Ties = NOTHING
        self._lead = ""
        self._drawn = ""
        self._zoomed = False
        self._marked: frozenset[str] = frozenset()

    # Composition and layout

    def compose_body(self) -> ComposeResult:
        """Three columns, the boundary view that takes the place of two, and the small extras."""
        yield TabStrip([(pane.number, pane.title) for pane in PANES])
        yield Static("", id="card", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self._panes[TurnsPane]
                yield self._panes[QueuePane]
            with Vertical(id="middle"):
                yield self._panes[EvidencePane]
                yield self._panes[GatePane]
            with Vertical(id="right"):
                yield self._panes[ProposalPane]
                yield self._panes[VerifierPane]
                yield self._panes[SiblingsPane]
            yield BoundaryView()
        yield Static(
            f"The window is too small.\nProofstone needs {SMALLEST[0]}×{SMALLEST[1]}.",
            id="small",
            markup=False,
        )
        yield Input(
            id="filter",
            placeholder="words, or layer:L1 risk:high match:conflict taint:yes age:>7d …",
        )

    def on_mount(self) -> None:
        """Start in the queue: that is where the work is."""
        self.query_one("#filter", Input).cursor_blink = False
        self._panes[QueuePane].focus()
        if self.workspace is not None:
            self.show_workspace(self.workspace)
        self.refresh_bars()

    def on_resize(self, event: Resize) -> None:
        """Columns where there is room, else tabs."""
        width, height = event.size.width, event.size.height
        small = width < WIDE or height < TALL
        self.set_class(width < SMALLEST[0] or height < SMALLEST[1], "-tiny")
        self.set_class(small, "-small")
        self.set_class(small or self._zoomed, "-tabs")
        active = self._focused_pane()
        self._mark_active(active)
        if self.focused is None:
            # A window that was too small hid the pane that had the focus.
            self.call_after_refresh(active.focus)

    def _focused_pane(self) -> Pane:
        focused = self.focused
        if isinstance(focused, Pane):
            return focused
        return next(
            (pane for pane in self._panes.values() if pane.has_class("-active")),
            self._panes[QueuePane],
        )

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """The pane with the focus is the one that tabs show."""
        if isinstance(event.widget, Pane):
            self._mark_active(event.widget)

    def _mark_active(self, active: Pane) -> None:
        for pane in self._panes.values():
            pane.set_class(pane is active, "-active")
        for column in self.query("#left, #middle, #right"):
            column.set_class(active in column.children, "-active")
        self.query_one(TabStrip).show(active.number)
        self.set_class(not isinstance(active, ProposalPane), "-card")

    def about_focus(self) -> tuple[str, str]:
        """The focused pane and what it shows."""
        if self.has_class("-boundary"):
            return "Boundary", BoundaryView.about
        pane = self._focused_pane()
        return pane.title, pane.about

    # What is shown

    def subject(self) -> str:
        """The selected proposal."""
        return self._proposal.proposal_id if self._proposal else ""

    @property
    def proposal(self) -> ProposalView | None:
        """The selected proposal's view."""
        return self._proposal

    def situation(self) -> Situation:
        """As every screen, and whether the proposal has been drawn since it was selected."""
        from dataclasses import replace

        nothing = "no proposal is selected"
        if self._turn is not None and self.workspace and self.workspace.queue:
            nothing = "no proposal from this turn waits; choose one in the Queue"
        return replace(
            super().situation(),
            seen=self._drawn == self.subject(),
            nothing=nothing,
            marked=len(self._marked),
        )

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw the vault, keeping the place: the same proposal, else the one now in its place."""
        self._index = TieIndex(workspace.queue)
        self._panes[TurnsPane].set_turns(workspace.turns)
        self._fill_queue(workspace)
        queue = self._panes[QueuePane]
        self._mark(self._marked & {view.proposal_id for view in workspace.queue})
        if prefer:
            queue.move_to(prefer)
        if queue.cursor_key:
            self._choose_proposal(queue.cursor_key)
        elif self._panes[TurnsPane].cursor_key:
            self._choose_turn(self._panes[TurnsPane].cursor_key)
        else:
            self._turn = self._proposal = None
            self._ties = NOTHING
            self._draw()

    def show_failure(self, why: str) -> None:
        """Say why there is nothing to show, and what to do."""
        for pane in self._panes.values():
            pane.set_rows(Rows(), placeholder="")
        told = f"{why}\n\nctrl+r tries again, q leaves."
        self._panes[QueuePane].set_rows(Rows(), placeholder=told)

    def _fill_queue(self, workspace: Workspace) -> None:
        shown = [v for v in workspace.queue if self._filter.matches(v.filterable)]
        self._panes[QueuePane].set_queue(
            shown,
            total=len(workspace.queue),
            filter_text=self._filter.text,
            vault_is_empty=not (workspace.turns or workspace.proposals or workspace.memories),
        )

    def _choose_proposal(self, proposal_id: str) -> None:
        workspace = self.workspace
        if workspace is None or proposal_id not in workspace.proposals:
            return
        self._proposal = workspace.proposal(proposal_id)
        self._turn = self._turn_of(workspace, self._proposal)
        self._ties = ties.of_proposal(self._proposal, self._turn)
        self._draw()

    def _choose_turn(self, reference: str) -> None:
        workspace = self.workspace
        if workspace is None:
            return
        self._turn = workspace.turn(reference)
        waiting = self._index.of_turn(reference)
        current = self._proposal.proposal_id if self._proposal else ""
        chosen = current if current in waiting else next(iter(waiting), "")
        self._proposal = workspace.proposal(chosen) if chosen else None
        self._ties = ties.of_turn(self._turn, self._index)
        self._draw()

    @staticmethod
    def _turn_of(workspace: Workspace, view: ProposalView) -> TurnView | None:
        if not view.proposal.turn:
            return None
        try:
            return workspace.turn(view.proposal.turn)
        except KeyError:
            return None

    def _draw(self) -> None:
        """Give every pane the scene, and let ruling keys wait until it has been painted."""
        scene = Scene(
            turn=self._turn,
            proposal=self._proposal,
            ties=self._ties,
            target=self._target(),
            matched=self._matched(),
        )
        for pane in self._panes.values():
            pane.show(scene)
        self._follow()
        self.query_one(BoundaryView).show(scene)
        self.query_one("#card", Static).update(card(self._proposal), layout=False)
        subject = self.subject()
        if subject != self._drawn:
            self.call_after_refresh(self._painted, subject)
        self.refresh_bars()

    def _painted(self, subject: str) -> None:
        if subject == self.subject():
            self._drawn = subject
            self.refresh_bars()

    def _follow(self) -> None:
        """Bring what the selected proposal rests on into view, once for each proposal."""
        lead = self.subject()
        if lead == self._lead or self._proposal is None:
            self._lead = lead
            return
        self._lead = lead
        for unit_id in self._ties.quotes:
            if self._panes[EvidencePane].move_to(unit_id):
                break
        self._panes[GatePane].move_to(f"candidate-{self._proposal.proposal.candidate_id}")

    def _target(self) -> Memory | None:
        """The memory that ratifying would change."""
        view, workspace = self._proposal, self.workspace
        if view is None or workspace is None:
            return None
        target = view.proposal.update_memory_id
        offered = (MatchKind.UPDATES_EXISTING, MatchKind.DUPLICATE)
        if not target and view.match.kind in offered and len(view.match.matched) == 1:
            target = view.match.matched[0]
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
        if isinstance(pane, QueuePane):
            self._choose_proposal(event.key)
        elif isinstance(pane, TurnsPane):
            self._choose_turn(event.key)
        else:
            found = self._ties_of(pane, event.key)
            if found is not None:
                self._ties = found
                self._draw()
                self._reveal(pane, event.key)

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter goes on to where the row is explained."""
        event.stop()
        onward: dict[type[LineList], type[Pane]] = {
            TurnsPane: EvidencePane,
            QueuePane: ProposalPane,
        }
        pane = onward.get(type(event.line_list))
        if pane is None:
            self.on_line_list_highlighted(event)
        else:
            self._go_to(self._panes[pane])

    def _ties_of(self, pane: LineList, key: str) -> Ties | None:
        turn, view, index = self._turn, self._proposal, self._index
        if isinstance(pane, EvidencePane):
            if turn is not None and key in turn.dispositions:
                return ties.of_unit(key, turn, index)
            return ties.of_record(key, view) if view is not None else None
        if isinstance(pane, GatePane) and turn is not None:
            subject = pane.subject(key)
            if subject is None:
                return None
            if subject.claim is not None:
                return ties.of_claim(subject.claim, subject.candidate_id, turn, index)
            if subject.candidate_id:
                return ties.of_candidate(subject.candidate_id, turn, index)
            return ties.of_unit(subject.unit_id, turn, index)
        if isinstance(pane, VerifierPane) and view is not None:
            found = pane.finding(key)
            return ties.of_finding(found.looked_at, found.check.value, view) if found else None
        if isinstance(pane, SiblingsPane):
            return ties.of_memory(key, view, index)
        return None

    def _reveal(self, origin: LineList, key: str) -> None:
        """Scroll the counterpart of a chosen row into view, in the pane beside."""
        evidence, gate = self._panes[EvidencePane], self._panes[GatePane]
        if origin is evidence:
            gate.move_to(f"row-{key}")
        elif origin is gate:
            subject = gate.subject(key)
            if subject is not None and subject.unit_id:
                evidence.move_to(subject.unit_id)
            elif self._ties.quotes:
                evidence.move_to(next(iter(self._ties.quotes)))
        elif self._ties.quotes:
            evidence.move_to(next(iter(self._ties.quotes)))

    # Commands

    def _go_to(self, pane: Pane) -> None:
        self.remove_class("-boundary")
        self._mark_active(pane)
        pane.focus()

    def _step(self, by: int) -> None:
        if self.has_class("-boundary"):
            if by > 0:
                self.focus_next()
            else:
                self.focus_previous()
            return
        order = list(self._panes.values())
        place = order.index(self._focused_pane())
        self._go_to(order[(place + by) % len(order)])

    async def command_pane_next(self) -> None:
        """The next pane, in the order of their numbers."""
        self._step(1)

    async def command_pane_previous(self) -> None:
        """The pane before."""
        self._step(-1)

    def on_tab_strip_pressed(self, event: TabStrip.Pressed) -> None:
        """A click on a tab."""
        event.stop()
        self._go_to(self._panes[PANES[event.number - 1]])

    async def command_pane_1(self) -> None:
        """Go to Turns."""
        self._go_to(self._panes[TurnsPane])

    async def command_pane_2(self) -> None:
        """Go to Queue."""
        self._go_to(self._panes[QueuePane])

    async def command_pane_3(self) -> None:
        """Go to Evidence."""
        self._go_to(self._panes[EvidencePane])

    async def command_pane_4(self) -> None:
        """Go to Gate."""
        self._go_to(self._panes[GatePane])

    async def command_pane_5(self) -> None:
        """Go to Proposal."""
        self._go_to(self._panes[ProposalPane])

    async def command_pane_6(self) -> None:
        """Go to Verifier."""
        self._go_to(self._panes[VerifierPane])

    async def command_pane_7(self) -> None:
        """Go to Siblings."""
        self._go_to(self._panes[SiblingsPane])

    async def command_zoom(self) -> None:
        """Give the focused pane the whole screen, or put it back."""
        self._zoomed = not self._zoomed
        self.set_class(self._zoomed or self.has_class("-small"), "-tabs")
        self._mark_active(self._focused_pane())

    async def command_boundary(self) -> None:
        """Model's view beside host's view, or back to the panes."""
        pane = self._focused_pane()
        self.toggle_class("-boundary")
        if self.has_class("-boundary"):
            self.query_one(BoundaryView).focus_first()
        else:
            pane.focus()

    async def command_filter(self) -> None:
        """Open the filter line."""
        self.add_class("-filtering")
        self.query_one("#filter", Input).focus()

    async def command_back(self) -> None:
        """Close the innermost thing that is open: boundary view, zoom, filter."""
        if self.has_class("-boundary"):
            await self.command_boundary()
        elif self._zoomed:
            await self.command_zoom()
        elif self._marked:
            self._mark(frozenset())
        elif self.has_class("-filtering") or self._filter.text:
            self._end_filter(clear=True)

    def _end_filter(self, *, clear: bool) -> None:
        line = self.query_one("#filter", Input)
        if clear:
            line.value = ""
            self._apply_filter("")
        self.remove_class("-filtering")
        self._go_to(self._panes[QueuePane])

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter as it is typed; a filter that is not finished yet leaves the list alone."""
        event.stop()
        self._apply_filter(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Keep the filter and go on in the queue; a faulty one says what is wrong."""
        event.stop()
        try:
            filters.parse(event.value)
        except filters.FilterError as error:
            self.app.notify(str(error), title="filter", severity="warning", markup=False)
            return
        self._end_filter(clear=False)

    def on_key(self, event: Key) -> None:
        """In the filter line, escape clears and leaves."""
        if event.key == "escape" and isinstance(self.focused, Input):
            event.stop()
            self._end_filter(clear=True)

    def _apply_filter(self, text: str) -> None:
        try:
            wanted = filters.parse(text)
        except filters.FilterError:
            return
        if self.workspace is None or wanted.text == self._filter.text:
            return
        self._filter = wanted
        self._fill_queue(self.workspace)
        key = self._panes[QueuePane].cursor_key
        if key:
            self._choose_proposal(key)
        else:
            self._proposal = None
            self._ties = NOTHING
            self._draw()

    def _subjects(self) -> tuple[str, ...]:
        """What ruling keys are on: the marked proposals in the queue's order, else the selected."""
        if not self._marked or self.workspace is None:
            return (self.subject(),)
        order = (view.proposal_id for view in self.workspace.queue)
        return tuple(proposal_id for proposal_id in order if proposal_id in self._marked)

    def _mark(self, marked: frozenset[str]) -> None:
        self._marked = marked
        queue = self._panes[QueuePane]
        queue.set_marked(marked)
        told = f"{len(marked)} marked" if marked else ""
        queue.border_subtitle = Content(
            told or (f"/{self._filter.text}" if self._filter.text else "")
        )
        self.refresh_bars()

    async def command_mark(self) -> None:
        """Mark or unmark the selected proposal, and go on to the next."""
        self._mark(self._marked ^ {self.subject()})
        self._panes[QueuePane].action_move(1)

    async def command_mark_eligible(self) -> None:
        """Mark what may be preselected."""
        if self.workspace is None:
            return
        shown = (v for v in self.workspace.queue if self._filter.matches(v.filterable))
        self._mark(frozenset(view.proposal_id for view in shown if view.is_preselected))
        if not self._marked:
            self.app.notify("Nothing in the queue may be preselected.", markup=False)

    async def command_ratify(self) -> None:
        """Ratify the proposal, or those marked."""
        self.workbench.start_ruling("ratify", *self._subjects())

    async def command_defer(self) -> None:
        """Defer the proposal, or those marked."""
        self.workbench.start_ruling("defer", *self._subjects())

    async def command_supersede(self) -> None:
        """Ratify the proposal in place of memories."""
        self.workbench.start_ruling("supersede", *self._subjects())

    async def command_tombstone(self) -> None:
        """Refuse the proposal for good, or those marked."""
        self.workbench.start_ruling("tombstone", *self._subjects())

    async def command_dismiss(self) -> None:
        """Close the proposal as no change, or those marked."""
        self.workbench.start_ruling("dismiss", *self._subjects())

    async def command_edit(self) -> None:
        """Edit the proposal."""
        self.workbench.start_ruling("edit", *self._subjects())

    async def command_preview(self) -> None:
        """Show what ratifying would write."""
        self.workbench.start_preview("ratify", self.subject())
