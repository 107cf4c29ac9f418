"""The Queue pane: what waits for a ruling, what needs a person most first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from proofstone.curation.ages import in_words
from proofstone.domain.clusters import Cluster
from proofstone.domain.records import Layer, MatchKind, ProposalStatus
from proofstone.domain.verification import VerificationStatus
from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.clustered import Clustered, branch, cluster_badges, member_words
from proofstone.tui.rows import LazyRows, Row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import proposal_link
from proofstone.tui.words import (
    MATCH_SHORT,
    RISK_STYLE,
    STATUS_LOOK,
    STATUS_SHORT,
    displayed,
    safe,
    spoken,
)

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView

LONGEST = "longest waiting first"
ORDERS = ("what needs a person most first", LONGEST, "newest first")
"""Orders of the queue, the usual one first."""

_SAID_OTHERWISE = frozenset({"match_requires_review", "high_poisoning_risk", "reworded_return"})
"""Failure reasons that the match, the risk or the return already tell."""

_REASON_SHORT = {
    "low_trust_source": "low trust",
    "source_not_supportive": "weak support",
    "missing_evidence": "no evidence",
    "temporary_durability": "temporary",
    "scope_unsupported": "scope",
    "redacted_or_deleted_evidence": "redacted",
    "tombstoned_recreation": "tombstoned",
    "strict_governance_missing_trust_metadata": "no trust data",
}

_EMPTY = (
    "Nothing waits for a ruling.{turns}\n\n{memories} shows what is in force, {log} what was ruled "
    "before."
)
_TURNS_WAIT = (
    "\n\n{number} for the Gate: {pane_1} goes to the turns, {ask} asks a model about one, "
    "{ask_all} about all."
)
_TURNS_WAIT_FOR_YOU = (
    "\n\n{number} for the Gate: {pane_1} goes to the turns, and {pane_3} to a turn's evidence, "
    "where you can answer for it. Settings ({settings}) says how to name a model to ask."
)
_EMPTY_VAULT = (
    "This vault is empty.\n\n"
    "Turns come from memleaf, or from agents' session files by “proofstone sessions”. "
    "“proofstone capture” puts a statement straight into this queue.\n\n"
    "{reload} reads the vault again."
)
_NO_MATCH = "Nothing in the queue matches the filter.\n\n{back} shows everything again."


class QueuePane(Pane):
    """Proposals that wait."""

    number: ClassVar[int] = 2
    title: ClassVar[str] = "Queue"
    about: ClassVar[str] = (
        "Proposals that wait for a ruling, those that need a person most first. Below each: what "
        "the verifier says, how it stands to what is held, its risk, and how long it waits; +2 "
        "stands for two more such words than there is room for, all of which Verifier explains. "
        "✓ clean, one key ratifies it · ! flagged, a reason is asked for · ✗ rejected, it cannot "
        "be ratified · TAINT, the text tries to steer an agent. Near-identical proposals are in "
        "clusters: ▾ a head, and below it how each of the others differs from it · ≠ stands next "
        "to what it contradicts. {fold} folds a cluster, {mark_cluster} marks all of it."
    )

    def __init__(self) -> None:
        super().__init__()
        self._queue: Sequence[ProposalView] = ()
        self._clusters: Sequence[Cluster] = ()
        self._folded: frozenset[str] = frozenset()
        self._clustered = Clustered()
        self._empty = ""
        self._told = self._filter_text = ""
        self._marks = 0
        self._order = 0

    def set_queue(
        self,
        queue: Sequence[ProposalView],
        clusters: Sequence[Cluster],
        *,
        total: int,
        filter_text: str,
        vault_is_empty: bool,
        turns_waiting: int,
        can_ask: bool,
    ) -> None:
        """Show these proposals; ``total`` counts those that a filter may have hidden.

        ``turns_waiting`` counts turns without an answer of the Gate: who has ruled on everything
        goes on there, and asks a model only where one is named.
        """
        self._queue, self._clusters = queue, clusters
        if filter_text and total:
            told = _NO_MATCH
        elif vault_is_empty:
            told = _EMPTY_VAULT
        else:
            told = _EMPTY.replace("{turns}", _turns_wait(turns_waiting, can_ask=can_ask))
        self._empty = self.told(told)
        self._arrange()
        self._filter_text = filter_text
        shown = f"{len(queue):,}" if len(queue) == total else f"{len(queue):,} of {total:,}"
        oldest = max((view.age for view in queue), default=None)
        self._told = f"{shown} · oldest {in_words(oldest)}" if oldest is not None else shown
        if not total:
            self._told = ""
        self._set_frame()

    def sort_next(self) -> str:
        """Sort by the next of the orders, round and round; the words for it."""
        self._order = (self._order + 1) % len(ORDERS)
        kept = self.cursor_key
        self._arrange()
        self._set_frame()
        self.move_to(kept)
        return ORDERS[self._order]

    def _sorted(self) -> Sequence[Cluster]:
        """The clusters in the order of now; each stays together, its oldest or newest counting."""
        if not self._order:
            return self._clusters
        made = {view.proposal_id: view.proposal.created for view in self._queue}
        first = ORDERS[self._order] == LONGEST
        edge = min if first else max

        def place(cluster: Cluster) -> str:
            return edge(made.get(proposal_id, "") for proposal_id in cluster.ids)

        return sorted(self._clusters, key=place, reverse=not first)

    def _arrange(self) -> None:
        self._clustered = Clustered(self._queue, self._sorted(), self._folded)
        rows = LazyRows(self._clustered.ids, self._build, fixed_height=2)
        self.set_rows(rows, placeholder=self._empty)

    def cluster_of(self, proposal_id: str) -> tuple[str, ...]:
        """The proposals that are in one cluster with this one, itself among them, head first."""
        cluster = self._clustered.cluster_of(proposal_id)
        return cluster.ids if cluster is not None else ()

    def fold(self, proposal_id: str) -> None:
        """Show only the head of a proposal's cluster, or all of it again."""
        cluster = self._clustered.cluster_of(proposal_id)
        if cluster is None or len(cluster.ids) == 1:
            return
        # All its ids are kept, so that it stays folded when its head was ruled on.
        if self._clustered.is_folded(cluster):
            self._folded -= set(cluster.ids)
        else:
            self._folded |= set(cluster.ids)
        self._arrange()
        self.move_to(cluster.head)

    def set_marks(self, marked: frozenset[str]) -> None:
        """Mark these proposals, and say how many."""
        self._marks = len(marked)
        self.set_marked(marked)
        self._set_frame()

    def _set_frame(self) -> None:
        subtitle = (
            f"{self._marks} marked" if self._marks else "",
            ORDERS[self._order] if self._order else "",
            f"/{self._filter_text}" if self._filter_text else "",
        )
        self.set_titles(self._told, " · ".join(filter(None, subtitle)))

    def show(self, scene: Scene) -> None:
        """Follow the scene's proposal."""
        if scene.proposal is not None:
            wanted = scene.proposal.proposal_id
            # Where the cursor is there already, it may have been scrolled away from, to read.
            moved = self.cursor_key == wanted or self.move_to(wanted)
            if not moved and self.cluster_of(wanted):
                self.fold(wanted)
                self.move_to(wanted)
        self.set_linked(scene.ties.links)

    def _build(self, index: int) -> Row:
        place = self._clustered.place(index)
        view = place.view
        glyph, _, style = STATUS_LOOK[view.report.status]
        first, second = branch(place)
        words = (
            safe(view.proposal.statement, "$ink", limit=300)
            if place.head is None
            else member_words(place)
        )
        return Row(
            key=view.proposal_id,
            link=proposal_link(view.proposal_id),
            gutter=Content.assemble((first, "$ink-dim"), (glyph, f"{style} bold"), " "),
            continuation=Content.assemble((second, "$ink-dim"), "  "),
            body=Content.assemble(words, "\n", badges(view, cluster_badges(place))),
            trailing=Content.assemble((in_words(view.age), "$ink-dim")),
            parted=True,
        )


def _turns_wait(number: int, *, can_ask: bool) -> str:
    if not number:
        return ""
    waits = "One turn waits" if number == 1 else f"{number:,} turns wait"
    return (_TURNS_WAIT if can_ask else _TURNS_WAIT_FOR_YOU).replace("{number}", waits)


def badges(view: ProposalView, first: Sequence[tuple[str, str]] = ()) -> Content:
    """What matters of a proposal, in a few words, after what stands ``first``."""
    _, _, style = STATUS_LOOK[view.report.status]
    parts: list[tuple[str, str]] = []
    if view.is_tainted:
        parts.append(("TAINT", "$taint bold"))
    if view.proposal.layer is Layer.L1:
        parts.append(("L1", "$mark bold"))
    if view.proposal.status is ProposalStatus.DEFERRED:
        until = view.proposal.deferred.until if view.proposal.deferred else ""
        parts.append(
            (displayed(f"deferred {until[5:]}".rstrip(), limit=30).text, "$decision-deferred")
        )
    report = view.report
    if report.status is VerificationStatus.REJECTED:
        parts.append(("rejected", "$verdict-block bold"))
    if view.returned:
        parts.append(("returned", "$verdict-block"))
    if view.match.kind is not MatchKind.NEW:
        parts.append((MATCH_SHORT[view.match.kind], "$match"))
    if report.poisoning_risk != "low":
        risk = report.poisoning_risk
        parts.append((f"risk {risk}", RISK_STYLE.get(risk, "$ink-dim")))
    reasons = (r for r in report.failure_reasons if r not in _SAID_OTHERWISE)
    parts += [(_REASON_SHORT.get(reason, spoken(reason)), style) for reason in reasons]
    if not parts:
        parts.append((STATUS_SHORT[report.status], style))
    parts[:0] = first
    return Content(" · ").stylize("$ink-dim").join(Content.styled(*part) for part in parts)
