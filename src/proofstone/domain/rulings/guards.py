"""When a ruling may not be made, or not yet (spec page 6, Refusals)."""

from __future__ import annotations

from proofstone.domain.records import Layer, Proposal, ProposalStatus
from proofstone.domain.rulings.terms import Assessment, Choices, Need, RulingRefused, short_id

_RULED = {
    ProposalStatus.RATIFIED: "ratified",
    ProposalStatus.SUPERSEDING: "ratified in place of another memory",
    ProposalStatus.DISMISSED: "dismissed",
    ProposalStatus.TOMBSTONED: "tombstoned",
}


def require_waiting(proposal: Proposal) -> None:
    """Refuse a proposal that has been ruled on.

    Raises:
        RulingRefused: it no longer waits.
    """
    if not proposal.is_waiting:
        by = f" by {proposal.ruled_by}" if proposal.ruled_by else ""
        raise RulingRefused(f"already {_RULED[proposal.status]}{by}; undo that ruling first")


def require_admissible(proposal: Proposal, assessment: Assessment, choices: Choices) -> None:
    """Refuse what may not become a memory, or not without a reason or a confirmation.

    Raises:
        RulingRefused: the verifier rejects it; or a reason or a typed confirmation is missing.
    """
    for finding in assessment.report.blocks:
        lifts = f" {finding.lifts}" if finding.lifts else ""
        raise RulingRefused(
            f"the verifier rejects it ({', '.join(finding.failure_reasons)}): "
            f"{finding.explanation}{lifts}"
        )
    if proposal.layer is Layer.L1:
        require_deliberation(proposal.proposal_id, choices)
    elif not choices.reason.strip():
        caution = cautions(assessment)
        if caution:
            raise RulingRefused(f"needs a reason in words: {caution}", Need.REASON)


def cautions(assessment: Assessment) -> str:
    """What makes a reason in words necessary; empty for a clean proposal."""
    reasons = [reason for finding in assessment.report.flags for reason in finding.failure_reasons]
    if assessment.tainted:
        reasons.append("tainted_text")
    if assessment.returned:
        reasons.append(f"tombstoned before in other words ({assessment.returned})")
    return ", ".join(reasons)


def require_one_of(reason: str, allowed: tuple[str, ...], action: str) -> None:
    """Refuse a reason that is not on the action's closed list.

    Raises:
        RulingRefused: naming the reasons that may be given.
    """
    if reason not in allowed:
        said = f"“{reason}” is none of its reasons" if reason else "it needs a reason"
        raise RulingRefused(f"{action}: {said}: {', '.join(allowed)}", Need.REASON)


def require_deliberation(subject: str, choices: Choices) -> None:
    """Refuse an L1 ruling that is not deliberate: a reason in words and the typed short id.

    Raises:
        RulingRefused: one of the two is missing.
    """
    if not choices.reason.strip():
        raise RulingRefused("L1 needs a reason in words", Need.REASON)
    expected = short_id(subject)
    if choices.confirm not in (expected, subject):
        raise RulingRefused(f"L1 needs its short id typed: {expected}", Need.CONFIRM)
