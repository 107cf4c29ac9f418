"""The verifier: seven checks on a proposal, always all of them, always in order (spec page 3).

Pure and deterministic. It shows that words stand in the evidence, never that they are true. A
block (checks 6 and 7) cannot be overridden; a flag needs a reason in words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from proofstone.domain import trust
from proofstone.domain.evidence_records import independent
from proofstone.domain.governance import CORROBORATION, Facts, Governance, reasons_for_review
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import EvidenceRecord, Memory, Proposal, Redaction
from proofstone.domain.siblings import RewordedReturn
from proofstone.domain.tombstone_index import TombstoneIndex
from proofstone.domain.trust import RISKS, Risk
from proofstone.domain.verification import (
    Check,
    Finding,
    Verdict,
    VerificationStatus,
    VerifierReport,
)
from proofstone.domain.verifier_checks import CHECKS, Case

__all__ = ["REASON_ORDER", "TombstoneIndex", "verify"]

REASON_ORDER: tuple[str, ...] = (
    "tombstoned_recreation",
    "missing_evidence",
    "redacted_or_deleted_evidence",
    "source_not_supportive",
    "temporary_durability",
    "strict_governance_missing_trust_metadata",
    "low_trust_source",
    "scope_unsupported",
    "high_poisoning_risk",
    "match_requires_review",
    "reworded_return",
)
"""The order of a report's failure reasons; the order of the findings is that of the checks."""

_BLOCKING: frozenset[Check] = frozenset({Check.REDACTION, Check.TOMBSTONE})


def verify(
    subject: Proposal | Memory,
    *,
    records: Mapping[str, EvidenceRecord],
    match: MatchResult,
    tombstones: TombstoneIndex,
    governance: Governance = "strict",
    profile: str = "",
    project: str = "",
    returned: RewordedReturn | None = None,
    predates_metadata: bool | None = None,
) -> VerifierReport:
    """Verify a proposal, or a memory in force as if it were proposed today.

    ``records`` holds the cited records that were found, by id; more do no harm. ``profile`` and
    ``project`` are the vault's. ``returned`` is the tombstoned text that the statement is most
    like. ``predates_metadata`` says that the proposal comes from a store that had no trust
    metadata; None lets the proposal's own fields tell.
    """
    risk, risk_reasons = _risk(subject, governance)
    case = Case(
        subject=subject,
        found=tuple(records[id] for id in dict.fromkeys(subject.evidence) if id in records),
        missing=tuple(id for id in dict.fromkeys(subject.evidence) if id not in records),
        match=match,
        tombstones=tombstones,
        returned=returned,
        governance=governance,
        profile=profile,
        project=project,
        risk=risk,
        risk_reasons=risk_reasons,
    )
    findings = tuple(check(case) for check in CHECKS)
    if predates_metadata is None:
        predates_metadata = not _has_any_metadata(subject)
    legacy = predates_metadata and governance == "compatibility"
    if legacy:
        findings = tuple(map(_as_legacy, findings))
    return _report(case, findings, legacy)


def _report(case: Case, findings: tuple[Finding, ...], legacy: bool) -> VerifierReport:
    status = _status(findings, legacy)
    subject = case.subject
    corroborating = independent(case.found)
    eligibility = trust.promotion_eligibility(
        subject.layer,
        subject.trust_class,
        subject.durability_signal,
        rejected=status is VerificationStatus.REJECTED,
        corroborated=corroborating >= CORROBORATION,
    )
    against = reasons_for_review(
        Facts(
            has_metadata=_has_trust_metadata(subject),
            trust_class=subject.trust_class,
            durability=subject.durability_signal,
            eligibility=eligibility,
            risk=case.risk,
            status=status,
            match_kind=case.match.kind,
            evidence=sum(r.redaction_status is Redaction.NONE for r in case.found),
            independent=corroborating,
            tainted=subject.tainted,
        ),
        case.governance,
    )
    failed = {reason for finding in findings for reason in finding.failure_reasons}
    return VerifierReport(
        status=status,
        findings=findings,
        failure_reasons=tuple(reason for reason in REASON_ORDER if reason in failed),
        poisoning_risk=case.risk,
        poisoning_reasons=case.risk_reasons,
        promotion_eligibility=eligibility,
        eligible=not against,
        eligibility_reasons=against,
    )


def _status(findings: tuple[Finding, ...], legacy: bool) -> VerificationStatus:
    verdicts = [finding.verdict for finding in findings]
    if Verdict.BLOCK in verdicts:
        return VerificationStatus.REJECTED
    if Verdict.FLAG in verdicts:
        return VerificationStatus.REVIEW_REQUIRED
    return VerificationStatus.LEGACY_UNVERIFIED if legacy else VerificationStatus.VERIFIED


def _as_legacy(finding: Finding) -> Finding:
    """In compatibility mode only the blocking checks are asked of what predates trust metadata."""
    if finding.check in _BLOCKING:
        return finding
    return replace(
        finding,
        verdict=Verdict.NOT_APPLICABLE,
        failure_reasons=(),
        explanation="Not asked: the proposal is older than trust metadata.",
        lifts="",
    )


def _risk(subject: Proposal | Memory, governance: Governance) -> tuple[Risk, tuple[str, ...]]:
    """The poisoning risk that holds.

    Strict: the graver of what the proposal states and what its class and durability come to, so
    that a stale or forged statement cannot lower it. Compatibility: what it states.
    """
    inferred, reasons = trust.poisoning(subject.trust_class, subject.durability_signal)
    stated: Risk = next((risk for risk in RISKS if risk == subject.poisoning_risk), "low")
    if governance == "compatibility":
        return stated, reasons if stated == inferred else ()
    if RISKS.index(stated) > RISKS.index(inferred):
        return stated, (*reasons, f"It came with {stated} risk.")
    return inferred, reasons


def _has_trust_metadata(subject: Proposal | Memory) -> bool:
    return bool(subject.trust_class or subject.durability_signal or subject.poisoning_risk)


def _has_any_metadata(subject: Proposal | Memory) -> bool:
    stored_match = subject.match_kind if isinstance(subject, Proposal) else None
    return _has_trust_metadata(subject) or bool(subject.evidence or stored_match)
