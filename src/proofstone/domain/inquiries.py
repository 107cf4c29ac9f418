"""Inquiries: the open questions that a match raises (spec page 3, Matching).

An inquiry names ids and never quotes a statement, so that it holds nothing that a purge would have
to find.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from proofstone.domain import ids
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import Inquiry, MatchKind, Proposal

OPEN = "open"
ANSWERED = "answered"

_QUESTIONS: Mapping[MatchKind, str] = MappingProxyType(
    {
        MatchKind.POTENTIAL_CONFLICT: "{subject} may contradict {matched}: which of them holds?",
        MatchKind.SUPERSEDES_EXISTING: "Does {subject} replace {matched}, as it says?",
        MatchKind.AMBIGUOUS: "{subject} could belong to any of {matched}: which one is meant?",
    }
)
_PRIORITIES: Mapping[MatchKind, str] = MappingProxyType(
    {
        MatchKind.POTENTIAL_CONFLICT: "high",
        MatchKind.SUPERSEDES_EXISTING: "medium",
        MatchKind.AMBIGUOUS: "medium",
    }
)


def from_match(proposal: Proposal, match: MatchResult, *, opened: str) -> Inquiry | None:
    """The inquiry that a match raises at time ``opened``, or None when it raises none."""
    if match.kind not in _QUESTIONS:
        return None
    concerns = (proposal.proposal_id, *match.matched)
    question = _QUESTIONS[match.kind].format(
        subject=proposal.proposal_id, matched=", ".join(match.matched)
    )
    return Inquiry(
        inquiry_id=ids.inquiry_id(question, concerns),
        question=question,
        context="; ".join(filter(None, (*match.reasons, match.target_problem))),
        concerns=concerns,
        priority="high" if match.target_problem else _PRIORITIES[match.kind],
        status=OPEN,
        opened=opened,
    )


def concerning(inquiries: Iterable[Inquiry], subjects: Collection[str]) -> tuple[Inquiry, ...]:
    """The open inquiries that concern any of ``subjects``."""
    wanted = frozenset(subjects)
    return tuple(
        inquiry
        for inquiry in inquiries
        if inquiry.status == OPEN and not wanted.isdisjoint(inquiry.concerns)
    )
