"""The order of the queue: what needs a person most comes first (spec page 7)."""

from __future__ import annotations

from collections.abc import Iterable

from proofstone.curation.views import ProposalView
from proofstone.domain.records import Layer, MatchKind, ProposalStatus
from proofstone.domain.verification import VerificationStatus

_QUESTIONS = (
    MatchKind.POTENTIAL_CONFLICT,
    MatchKind.SUPERSEDES_EXISTING,
    MatchKind.AMBIGUOUS,
)


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
