"""The Duplicates screen: memories in force that say nearly the same, to be cleaned up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import BindingType
from textual.content import Content
from textual.worker import Worker, get_current_worker

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.keeping import first_to_keep
from proofstone.domain.records import Memory
from proofstone.tui.command import DUPLICATES, Situation
from proofstone.tui.commands import bindings_for
from proofstone.tui.near_duplicates import DuplicatesFound, LookFailed, LookGoesOn, NearDuplicates
from proofstone.tui.panes.alike import cluster_row, member_rows
from proofstone.tui.rows import LazyRows, Row, Rows
from proofstone.tui.screens.memory_rulings import MemoryRulings
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import count, safe

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.duplicates import Cluster

STEP = 500
"""Memories after which it is said again how far the search has come."""

_RULE = (
    "Two do when they share at least half of the different words of the longer one, and each has "
    "four or more words of three letters or more."
)
_EMPTY = f"No two memories in force say nearly the same.\n\n{_RULE}"
_LOOKING = "Comparing every memory with every other…"
_FAILED = "The memories could not be compared: {why}\n\n{{reload}} reads the vault again."


class _LeftError(Exception):
    """Nobody waits for what is being looked for any more."""


class DuplicatesScreen(MemoryRulings):
    """Clusters at the left, and the memories of the one under the cursor at the right."""

    name_in_registry: ClassVar[str] = DUPLICATES
    title_of_detail: ClassVar[str] = "Cluster"
    title_in_header: ClassVar[str] = "Duplicates"
    about: ClassVar[str] = (
        f"Memories in force that say nearly the same, in any project. {_RULE} At the left the "
        "clusters that hang together by such pairs, the closest first. At the right the memories "
        "of one: first the yardstick, which the others are compared with; then the way from the "
        "words of each to the yardstick's, struck through what only it has, underlined what only "
        "the yardstick has. Enter makes another one the yardstick. {supersede} lets another "
        "replace the one under the cursor, {tombstone} deletes it, {edit} corrects it; {memories} "
        "shows it with its history."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(DUPLICATES)

    def __init__(self, near: NearDuplicates) -> None:
        super().__init__()
        self._near = near
        self._looked_at: Workspace | None = None
        self._view: Workspace | None = None
        self._clusters: dict[str, Cluster] = {}
        self._order: list[str] = []
        self._members: dict[str, tuple[Memory, ...]] = {}
        self._first = ""
        self._shown_ids: frozenset[str] = frozenset()

    # Looking

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Look what is held twice in this view; until it is known, what was known stays."""
        if workspace is self._view:
            self._draw()
        elif workspace is not self._looked_at:
            self._looked_at = workspace
            self._tell(_LOOKING)
            self._look(workspace)

    @work(thread=True, exclusive=True, group="find")
    def _look(self, workspace: Workspace) -> None:
        worker = get_current_worker()
        try:
            clusters = self._near.look(workspace, self._progress(worker))
        except _LeftError:
            return
        except (ProofstoneError, OSError) as error:
            self.post_message(LookFailed(str(error)))
            return
        if not worker.is_cancelled:
            self.post_message(DuplicatesFound(workspace, clusters))

    def _progress(self, worker: Worker[object]) -> Callable[[int, int], None]:
        told = 0

        def progress(done: int, of: int) -> None:
            nonlocal told
            if worker.is_cancelled:
                raise _LeftError
            if done - told >= STEP:
                told = done
                self.post_message(LookGoesOn(done, of))

        return progress

    def on_look_goes_on(self, event: LookGoesOn) -> None:
        """Say how far the search has come."""
        event.stop()
        self._tell(f"{_LOOKING}\n\n{event.done:,} of {event.of:,} · {{back}} leaves")

    def on_look_failed(self, event: LookFailed) -> None:
        """Say why nothing can be shown, and what to do."""
        event.stop()
        self._looked_at = self._view = None
        self._clusters, self._order = {}, []
        why = event.why.replace("{", "{{").replace("}", "}}")
        self.fill(Rows([]), placeholder=_FAILED.format(why=why))

    def on_duplicates_found(self, event: DuplicatesFound) -> None:
        """Show the clusters, and the one that was chosen if anything is left of it."""
        event.stop()
        chosen, before = self.chosen, self._shown_ids
        self._view = event.workspace
        self._members = {}
        self._clusters = {cluster.ids[0]: cluster for cluster in event.clusters}
        self._order = list(self._clusters)
        left = (key for key, cluster in self._clusters.items() if before.intersection(cluster.ids))
        wanted = next((k for k, c in self._clusters.items() if chosen in c.ids), next(left, ""))
        self._draw(wanted)
        if before and not wanted:
            # The next cluster is at hand now, and nobody has chosen any memory of that.
            self._items.focus()

    def _tell(self, told: str) -> None:
        """Say what is being done: in the list's place, or below it where there is one already."""
        if self._view is None:
            self.fill(Rows([]), placeholder=told)
        else:
            self._items.put_below(safe("comparing what changed…"))

    # Drawing

    def _draw(self, prefer: str = "") -> None:
        clusters = self._clusters.values()
        held = sum(len(cluster.ids) for cluster in clusters)
        self.fill(
            LazyRows(self._order, self._build, fixed_height=2),
            detail=f"{count(len(clusters), 'cluster')}, {held:,} memories" if held else "",
            placeholder=_EMPTY,
            prefer=prefer,
        )

    def _of(self, cluster: Cluster) -> tuple[Memory, ...]:
        """The memories of a cluster, what is best kept first."""
        key = cluster.ids[0]
        if key not in self._members and self._view is not None:
            found = (self._view.held.memory(id) for id in cluster.ids)
            self._members[key] = first_to_keep(memory for memory in found if memory is not None)
        return self._members.get(key, ())

    def _build(self, index: int) -> Row:
        cluster = self._clusters[self._order[index]]
        return cluster_row(cluster, self._of(cluster))

    def _show_detail(self) -> None:
        cluster = self._clusters.get(self._items.cursor_key)
        members = self._of(cluster) if cluster is not None else ()
        ids = frozenset(memory.memory_id for memory in members)
        if self._first not in ids:
            self._first = members[0].memory_id if members else ""
        # The same one: what was compared with may have become another memory of it.
        anew = not self._shown_ids.intersection(ids)
        self._shown_ids = ids
        self._detail.set_rows(
            member_rows(members, self._first), anew=anew, placeholder="Nothing is selected."
        )
        title = f"{self.title_of_detail} · {len(members):,} memories" if members else ""
        self._detail.put_above(Content(title or self.title_of_detail))
        self.refresh_bars()

    # Choosing and ruling

    @property
    def chosen(self) -> str:
        """The memory under the cursor at the right."""
        return self._detail.cursor_key

    def subject(self) -> str:
        """The chosen memory, while the cursor is among them: a cluster is not ruled on."""
        workspace, chosen = self.workspace, self.chosen
        if not self._detail.has_focus or workspace is None or not chosen:
            return ""
        return chosen if workspace.held.memory(chosen) is not None else ""

    def situation(self) -> Situation:
        """As every screen, and where a memory is chosen."""
        key = self.workbench.keymap.label("pane_next")
        nothing = f"choose a memory of the cluster first: {key} goes there"
        if not self._clusters:
            nothing = "no two memories say nearly the same"
        return replace(super().situation(), nothing=nothing)

    def on_descendant_focus(self) -> None:
        """What can be ruled on follows the focus."""
        self.refresh_bars()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """What can be done follows the cursor at the right; the listing follows the other."""
        event.stop()
        self.refresh_bars()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """At the right, enter compares the others with the memory; the listing answers the rest."""
        event.stop()
        if event.line_list is self._detail:
            self._first = event.key
            self._show_detail()

    async def command_supersede(self) -> None:
        """Let another memory of the cluster, or any other, replace it."""
        chosen = self.subject()
        self.workbench.start_ruling("supersede", chosen, target=self._like(chosen))

    def _like(self, memory_id: str) -> str:
        """What it is compared with; the nearest one where the others are compared with it."""
        cluster = self._clusters.get(self._items.cursor_key)
        if cluster is None or memory_id != self._first:
            return self._first
        return cluster.nearest[cluster.ids.index(memory_id)][0].id

    async def command_memories(self) -> None:
        """The Memories screen, at the memory that is chosen here."""
        chosen = self.subject()
        if chosen:
            self.workbench.go_to(chosen)
        else:
            await self.workbench.command_memories()
