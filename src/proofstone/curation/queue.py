"""The order of the queue: what needs a person most comes first (spec page 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from proofstone.curation.views import ProposalView
from proofstone.domain.records import Layer, MatchKind, Proposal, ProposalStatus
from proofstone.domain.verification import VerificationStatus

_QUESTIONS = (
    MatchKind.POTENTIAL_CONFLICT,
    MatchKind.SUPERSEDES_EXISTING,
    MatchKind.AMBIGUOUS,
)


@dataclass(frozen=True, slots=True)
class QueueCounts:
    """How many proposals wait for a person, and how many were deferred: told apart everywhere."""

    open: int = 0
    deferred: int = 0

    @classmethod
    def of(cls, proposals: Iterable[Proposal]) -> QueueCounts:
        """Count ``proposals``; those that were ruled on count for nothing."""
        states = [proposal.status for proposal in proposals if proposal.is_waiting]
        deferred = sum(status is ProposalStatus.DEFERRED for status in states)
        return cls(len(states) - deferred, deferred)

    @property
    def words(self) -> str:
        """``18 waiting · 1 deferred``; of what is deferred nothing is said where nothing is."""
        told = f"{self.open:,} waiting"
        return f"{told} · {self.deferred:,} deferred" if self.deferred else told


def oldest(views: Iterable[ProposalView]) -> timedelta:
    """How long the longest waiting one waits that nobody deferred; nothing where there is none."""
    states = ((view.proposal.status, view.age) for view in views)
    return max((age for state, age in states if state is ProposalStatus.OPEN), default=timedelta())


def need(view: ProposalView) -> int:
    """How much this proposal needs a person, smallest first.

    0 it questions something in force; 1 it is flagged; 2 it is L1; 3 it is clean; 4 it can only be
    turned away; 5 it waits for a date that lies ahead.
    """
    if not view.is_due:
        return 5
    if view.report.status is VerificationStatus.REJECTED:
        return 4
    if view.match.kind in _QUESTIONS or view.returned:
        return 0
    if view.proposal.layer is Layer.L1:
        return 2
    if view.report.flags or view.is_tainted:
        return 1
    return 3


def in_order_of_need(views: Iterable[ProposalView]) -> tuple[ProposalView, ...]:
    """The queue: by need, open before deferred, then the longest waiting first."""
    return tuple(
        sorted(
            views,
            key=lambda view: (
                need(view),
                view.proposal.status is ProposalStatus.DEFERRED,
                -view.age,
                view.proposal_id,
            ),
        )
    )
