"""How a proposal or a memory would be judged as a person is just writing it (spec page 6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from proofstone.curation.views import SiblingView
from proofstone.curation.workspace import Workspace
from proofstone.domain.matching import MatchResult
from proofstone.domain.plan import Value
from proofstone.domain.records import Memory, Proposal
from proofstone.domain.rulings import RulingRefused
from proofstone.domain.rulings.trial import edited
from proofstone.domain.taint import TaintFinding
from proofstone.domain.verification import VerifierReport


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """The verdict on an edit that is not written; ``fault`` says why there is none."""

    statement: str
    report: VerifierReport | None = None
    match: MatchResult | None = None
    matched: tuple[str, ...] = ()
    """The titles of the memories that it matches; the id of one without a title."""
    siblings: tuple[SiblingView, ...] = ()
    taint: tuple[TaintFinding, ...] = ()
    fault: str = ""


def judge(workspace: Workspace, subject: Proposal | Memory, edits: Mapping[str, Value]) -> Trial:
    """Judge ``subject`` with ``edits`` against everything held. Writes nothing."""
    try:
        if isinstance(subject, Proposal):
            proposal = edited(subject, edits)
            view = workspace.judged(proposal)
            return Trial(
                statement=proposal.statement,
                report=view.report,
                match=view.match,
                matched=_titles(workspace, view.match),
                siblings=view.siblings,
                taint=view.taint,
            )
        memory = edited(subject, edits)
    except RulingRefused as refused:
        return Trial(statement=subject.statement, fault=refused.why)
    judged = workspace.assessor.memory_judgement(memory)
    return Trial(
        statement=memory.statement,
        report=judged.report,
        match=judged.match,
        matched=_titles(workspace, judged.match),
        siblings=judged.siblings,
        taint=judged.taint,
    )


def _titles(workspace: Workspace, match: MatchResult) -> tuple[str, ...]:
    found = ((name, workspace.held.memory(name)) for name in match.matched)
    return tuple((memory.title if memory is not None else "") or name for name, memory in found)
