"""The ruling keys of the main screen, and marks for batches (spec page 6)."""

from __future__ import annotations

from proofstone.tui.panes.queue import QueuePane
from proofstone.tui.screens.filtering import FilteringScreen


class RulingKeysScreen(FilteringScreen):
    """A screen on whose queue one rules: on the selected proposal, or on the marked ones."""

    def __init__(self) -> None:
        super().__init__()
        self.queue_pane = QueuePane()
        self.marked: frozenset[str] = frozenset()

    def subjects(self) -> tuple[str, ...]:
        """What ruling keys are on: the marked proposals in the queue's order, else the selected."""
        if not self.marked or self.workspace is None:
            return (self.subject(),)
        order = (view.proposal_id for view in self.workspace.queue)
        return tuple(proposal_id for proposal_id in order if proposal_id in self.marked)

    def mark(self, marked: frozenset[str]) -> None:
        """Mark these proposals and no others."""
        self.marked = marked
        self.queue_pane.set_marks(marked)
        self.refresh_bars()

    async def command_mark(self) -> None:
        """Mark or unmark the selected proposal, and go on to the next."""
        self.mark(self.marked ^ {self.subject()})
        self.queue_pane.action_move(1)

    async def command_mark_cluster(self) -> None:
        """Mark or unmark the whole cluster of the selected proposal."""
        cluster = frozenset(self.queue_pane.cluster_of(self.subject()))
        self.mark(self.marked - cluster if cluster <= self.marked else self.marked | cluster)

    async def command_mark_eligible(self) -> None:
        """Mark what may be preselected."""
        if self.workspace is None:
            return
        shown = self.let_through(self.workspace.queue)
        self.mark(frozenset(view.proposal_id for view in shown if view.is_preselected))
        if not self.marked:
            self.app.notify("Nothing in the queue may be preselected.", markup=False)

    async def command_ratify(self) -> None:
        """Put in force."""
        self.workbench.start_ruling("ratify", *self.subjects())

    async def command_defer(self) -> None:
        """Let it wait."""
        self.workbench.start_ruling("defer", *self.subjects())

    async def command_supersede(self) -> None:
        """Put in force in place of memories."""
        self.workbench.start_ruling("supersede", self.subject())

    async def command_replace_sibling(self) -> None:
        """Put in force in place of the sibling under the cursor."""
        sibling = self.situation().sibling
        self.workbench.start_ruling("supersede", self.subject(), target=sibling)

    async def command_fold(self) -> None:
        """Show only the head of the cluster, or all of it; the cursor goes to the head."""
        queue = self.queue_pane
        queue.fold(self.subject())
        queue.post_message(queue.Highlighted(queue, queue.cursor, queue.cursor_key))

    async def command_sort(self) -> None:
        """Sort by the next order, the same proposal staying selected."""
        told = self.queue_pane.sort_next()
        self.app.clear_notifications()
        self.app.notify(told.capitalize(), title="sorted")

    async def command_tombstone(self) -> None:
        """Refuse for good."""
        self.workbench.start_ruling("tombstone", *self.subjects())

    async def command_dismiss(self) -> None:
        """Close as no change."""
        self.workbench.start_ruling("dismiss", *self.subjects())

    async def command_edit(self) -> None:
        """Change words, layer, scope and the rest."""
        self.workbench.start_ruling("edit", self.subject())

    async def command_trust_class(self) -> None:
        """Choose another trust class."""
        self._choose_class("trust_class")

    async def command_durability(self) -> None:
        """Choose another durability."""
        self._choose_class("durability_signal")

    def _choose_class(self, key: str) -> None:
        """Ask for another value of ``key``, and write it as an edit."""
        from proofstone.tui.screens.classes import ClassDialog

        subject = self.subject()
        if self.workspace is None or subject not in self.workspace.proposals:
            return

        def edit(chosen: str | None) -> None:
            if chosen:
                self.workbench.start_ruling("edit", subject, edits={key: chosen})

        proposal = self.workspace.proposals[subject]
        self.app.push_screen(ClassDialog(key, proposal), edit)

    async def command_preview(self) -> None:
        """Show what ratifying would write."""
        self.workbench.start_preview("ratify", self.subject())
