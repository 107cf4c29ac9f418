"""The queue's rows: clusters with their head first, folded or not (spec page 7)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from proofstone.domain.clusters import Cluster, among
from proofstone.domain.worddiff import Change, DiffPart, word_diff
from proofstone.tui.words import difference_of, displayed, without_secrets

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView

_KEPT_BEFORE = 8
"""Characters that stand before the first difference, to say where it is."""


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the queue: a proposal alone, the head of a cluster, or one below its head."""

    view: ProposalView
    cluster: Cluster
    place: int
    head: ProposalView | None = None
    is_folded: bool = False
    opposed: str = ""
    """Where a cluster stands that contradicts this one: ``above``, ``below`` or ``elsewhere``."""


class Clustered:
    """The proposals that are shown, in the order of their clusters."""

    def __init__(
        self,
        views: Sequence[ProposalView] = (),
        clusters: Sequence[Cluster] = (),
        folded: Collection[str] = (),
    ) -> None:
        self._views: Mapping[str, ProposalView] = {view.proposal_id: view for view in views}
        self._clusters = among(clusters, self._views.keys())
        self._folded = frozenset(folded)
        self._number = {id: n for n, cluster in enumerate(self._clusters) for id in cluster.ids}
        self.ids: list[str] = []
        for cluster in self._clusters:
            ids = cluster.ids
            self.ids += ids if len(ids) == 1 or not self.is_folded(cluster) else ids[:1]

    def is_folded(self, cluster: Cluster) -> bool:
        """Whether only the head of a cluster is shown; one that lost its head stays folded."""
        return len(cluster.ids) > 1 and cluster.head in self._folded

    def cluster_of(self, proposal_id: str) -> Cluster | None:
        """The cluster of a proposal that is shown, or hidden in a fold."""
        number = self._number.get(proposal_id)
        return self._clusters[number] if number is not None else None

    def place(self, index: int) -> Place:
        """What stands at an index of the list."""
        proposal_id = self.ids[index]
        number = self._number[proposal_id]
        cluster = self._clusters[number]
        is_head = cluster.head == proposal_id
        return Place(
            view=self._views[proposal_id],
            cluster=cluster,
            place=cluster.ids.index(proposal_id),
            head=None if is_head else self._views[cluster.head],
            is_folded=self.is_folded(cluster),
            opposed=self._opposed(number) if is_head else "",
        )

    def _opposed(self, number: int) -> str:
        opposed = self._clusters[number].opposed
        if not opposed:
            return ""
        if number and self._clusters[number - 1].head in opposed:
            return "above"
        following = self._clusters[number + 1 : number + 2]
        return "below" if following and following[0].head in opposed else "elsewhere"


def cluster_badges(place: Place) -> list[tuple[str, str]]:
    """What a row says of its cluster."""
    told = []
    more = len(place.cluster.ids) - 1
    if more and place.head is None:
        told.append((f"{'▸' if place.is_folded else '▾'} {more} alike", "$match bold"))
    if place.opposed:
        told.append((f"≠ contradicts {place.opposed}", "$verdict-flag bold"))
    return told


def branch(place: Place) -> tuple[str, str]:
    """What stands before the first line and the second one of a row."""
    if place.head is None:
        return "", ""
    is_last = place.place == len(place.cluster.ids) - 1
    return ("└ ", "  ") if is_last else ("├ ", "│ ")


def member_words(place: Place) -> Content:
    """A proposal below its head: only how it differs."""
    head = place.head.proposal.statement if place.head is not None else ""
    own = place.view.proposal.statement
    # Covered before they are compared: a difference could cut a secret into harmless words.
    parts = word_diff(without_secrets(head), without_secrets(own))
    if all(part.change is Change.SAME for part in parts):
        return Content.styled("the same words", "$ink-dim")
    return difference_of(_from_first_difference(parts), limit=300)


def _from_first_difference(parts: Sequence[DiffPart]) -> Sequence[DiffPart]:
    """The parts with little before the first difference: a row has no room for more."""
    first = parts[0]
    text = displayed(first.text).text
    if first.change is not Change.SAME or len(text) <= _KEPT_BEFORE:
        return parts
    start = text.find(" ", len(text) - _KEPT_BEFORE)
    kept = text[start if start >= 0 else len(text) - _KEPT_BEFORE :]
    return (DiffPart(Change.SAME, f"…{kept}"), *parts[1:])
