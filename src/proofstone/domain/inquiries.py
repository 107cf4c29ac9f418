"""Inquiries: the open questions that a match or a doubt raises (spec pages 3 and 6).

An inquiry names ids and never quotes a statement, so that it holds nothing that a purge would have
to find.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from proofstone.domain import ids
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import Inquiry, MatchKind, Memory, Proposal

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
    return _opened(
        question,
        context="; ".join(filter(None, (*match.reasons, match.target_problem))),
        concerns=concerns,
        priority="high" if match.target_problem else _PRIORITIES[match.kind],
        opened=opened,
    )


def from_contest(memory: Memory, reason: str, *, opened: str) -> Inquiry:
    """The inquiry that contesting a memory opens; ``reason`` is the person's."""
    return _opened(
        f"{memory.memory_id} is contested: does it still hold?",
        context=reason,
        concerns=(memory.memory_id,),
        priority="high",
        opened=opened,
    )


def answered_by(
    inquiries: Iterable[Inquiry], subject: str, *, answer: str, time: str
) -> tuple[Inquiry, ...]:
    """The open inquiries that a ruling on ``subject`` answers, as they are afterwards."""
    return tuple(
        replace(inquiry, status=ANSWERED, answered=time, answer=answer)
        for inquiry in inquiries
        if inquiry.status == OPEN and subject in inquiry.concerns
    )


def concerning(inquiries: Iterable[Inquiry], subjects: Collection[str]) -> tuple[Inquiry, ...]:
    """The open inquiries that concern any of ``subjects``."""
    wanted = frozenset(subjects)
    return tuple(
        inquiry
        for inquiry in inquiries
        if inquiry.status == OPEN and not wanted.isdisjoint(inquiry.concerns)
    )


def _opened(
    question: str, *, context: str, concerns: tuple[str, ...], priority: str, opened: str
) -> Inquiry:
    return Inquiry(
        inquiry_id=ids.inquiry_id(question, concerns),
        question=question,
        context=context,
        concerns=concerns,
        priority=priority,
        status=OPEN,
        opened=opened,
    )
