"""The seven panes of the main screen: where they stand, and which has the focus (spec page 7)."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.events import DescendantFocus, Resize
from textual.widgets import Static

from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.boundary import BoundaryView
from proofstone.tui.panes.evidence import EvidencePane
from proofstone.tui.panes.gate import GatePane
from proofstone.tui.panes.proposal import ProposalPane
from proofstone.tui.panes.siblings import SiblingsPane
from proofstone.tui.panes.turns import TurnsPane
from proofstone.tui.panes.verifier import VerifierPane
from proofstone.tui.screens.gate_keys import GateKeysScreen
from proofstone.tui.screens.jump import JumpTarget
from proofstone.tui.screens.main_css import MAIN_CSS
from proofstone.tui.widgets.bars import TabStrip

WIDE = 100
TALL = 22
"""Below these the panes become tabs."""
SMALLEST = (44, 12)


class PanesScreen(GateKeysScreen):
    """Turns and queue, evidence and Gate, proposal with verifier and siblings.

    The subclass draws in them what is chosen.
    """

    DEFAULT_CSS = MAIN_CSS

    def __init__(self) -> None:
        super().__init__()
        self.turns_pane = TurnsPane()
        self.evidence_pane = EvidencePane()
        self.gate_pane = GatePane()
        self.proposal_pane = ProposalPane()
        self.verifier_pane = VerifierPane()
        self.siblings_pane = SiblingsPane()
        self.panes: tuple[Pane, ...] = (
            self.turns_pane,
            self.queue_pane,
            self.evidence_pane,
            self.gate_pane,
            self.proposal_pane,
            self.verifier_pane,
            self.siblings_pane,
        )
        self._zoomed = False

    def draw_scene(self) -> None:
        """Draw what is chosen in every pane."""
        raise NotImplementedError

    def compose_body(self) -> ComposeResult:
        """Three columns, the boundary view that takes the place of two, and the small extras."""
        yield TabStrip([(pane.number, pane.title) for pane in self.panes])
        yield Static("", id="card", markup=False)
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield self.turns_pane
                yield self.queue_pane
            with Vertical(id="middle"):
                yield self.evidence_pane
                yield self.gate_pane
            with Vertical(id="right"):
                yield self.proposal_pane
                yield self.verifier_pane
                yield self.siblings_pane
            yield BoundaryView()
        yield Static(
            f"The window is too small.\nProofstone needs {SMALLEST[0]}×{SMALLEST[1]}.",
            id="small",
            markup=False,
        )
        yield from self.filter_line("layer:L1 risk:high match:conflict taint:yes age:>7d …")

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
            self.call_after_refresh(self._take_focus)

    def _take_focus(self) -> None:
        """Give the focus to the pane that is shown, unless another has taken it meanwhile."""
        if self.focused is None:
            self._focused_pane().focus()

    def _focused_pane(self) -> Pane:
        focused = self.focused
        if isinstance(focused, Pane):
            return focused
        return next(
            (pane for pane in self.panes if pane.has_class("-active")),
            self.queue_pane,
        )

    def on_descendant_focus(self, event: DescendantFocus) -> None:
        """The pane with the focus is the one that tabs show; it may have moved on meanwhile."""
        if isinstance(event.widget, Pane) and event.widget is self.focused:
            self._mark_active(event.widget)
            self.refresh_bars()

    def _mark_active(self, active: Pane) -> None:
        for pane in self.panes:
            pane.set_class(pane is active, "-active")
        for column in self.query("#left, #middle, #right"):
            column.set_class(active in column.children, "-active")
        self.query_one(TabStrip).show(active.number)
        self.set_class(active is not self.proposal_pane, "-card")

    def about_focus(self) -> tuple[str, str]:
        """The focused pane and what it shows."""
        if self.has_class("-boundary"):
            return "Boundary", BoundaryView.about
        pane = self._focused_pane()
        return pane.title, pane.about

    # Going from pane to pane

    def jump_targets(self) -> list[JumpTarget]:
        """The seven panes, on their tabs where there are tabs; in the boundary view, its two
        lists."""
        if self.has_class("-boundary"):
            return super().jump_targets()
        tabs = self.query_one(TabStrip).places() if self.has_class("-tabs") else {}
        return [
            JumpTarget(
                f"{pane.id}",
                pane.title,
                tabs.get(pane.number, pane.region),
                is_tab=bool(tabs),
            )
            for pane in self.panes
        ]

    def jump_to(self, key: str) -> None:
        """Go to a pane, or to a list of the boundary view."""
        pane = next((pane for pane in self.panes if pane.id == key), None)
        if pane is not None and not self.has_class("-boundary"):
            self._go_to(pane)
        else:
            super().jump_to(key)

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
        place = self.panes.index(self._focused_pane())
        self._go_to(self.panes[(place + by) % len(self.panes)])

    async def command_pane_next(self) -> None:
        """The next pane, in the order of their numbers."""
        self._step(1)

    async def command_pane_previous(self) -> None:
        """The pane before."""
        self._step(-1)

    def on_tab_strip_pressed(self, event: TabStrip.Pressed) -> None:
        """A click on a tab."""
        event.stop()
        self._go_to(self.panes[event.number - 1])

    async def command_pane_1(self) -> None:
        """Go to Turns."""
        self._go_to(self.turns_pane)

    async def command_pane_2(self) -> None:
        """Go to Queue."""
        self._go_to(self.queue_pane)

    async def command_pane_3(self) -> None:
        """Go to Evidence."""
        self._go_to(self.evidence_pane)

    async def command_pane_4(self) -> None:
        """Go to Gate."""
        self._go_to(self.gate_pane)

    async def command_pane_5(self) -> None:
        """Go to Proposal."""
        self._go_to(self.proposal_pane)

    async def command_pane_6(self) -> None:
        """Go to Verifier."""
        self._go_to(self.verifier_pane)

    async def command_pane_7(self) -> None:
        """Go to Siblings."""
        self._go_to(self.siblings_pane)

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
            self.draw_scene()
            self.query_one(BoundaryView).focus_first()
        else:
            pane.focus()
