"""Governance modes: may a proposal be preselected in the batch review? (spec page 3)

The answer is a list of reasons against it, as identifiers with words; an empty list is a yes. A
person confirms either way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from proofstone.domain.records import Durability, MatchKind, TrustClass
from proofstone.domain.trust import NOT_DURABLE, TRUST, Risk
from proofstone.domain.verification import Eligibility, VerificationStatus

Governance = Literal["strict", "compatibility"]
"""``strict`` is the default. ``compatibility`` lets through what predates trust metadata."""

CORROBORATION = 2
"""Independent records that a repeated preference needs."""

MATCHES_FOR_REVIEW: frozenset[MatchKind] = frozenset(
    {MatchKind.POTENTIAL_CONFLICT, MatchKind.SUPERSEDES_EXISTING, MatchKind.AMBIGUOUS}
)
"""Match kinds that a person decides (check 5); each opens an inquiry."""

REVIEW_REASONS: Mapping[str, str] = MappingProxyType(
    {
        "strict_governance_missing_trust_metadata": "nothing says where it comes from",
        "strict_governance_missing_verification": "it has not been verified",
        "strict_governance_missing_evidence": "it cites no evidence",
        "verification_rejected": "the verifier rejects it",
        "verification_review_required": "a check is flagged",
        "tainted": "its text reads like an attempt to instruct",
        "high_poisoning_risk": "its poisoning risk is high",
        "medium_poisoning_risk": "its poisoning risk is medium",
        "match_requires_review": "what is already held has to be decided on first",
        "temporary_durability": "it is not meant to last",
        "uncorroborated_preference": "fewer than two independent records show the preference",
        "l1_review_only": "identity-level: ratified one at a time, never in a batch",
        "review_only": "its trust class or durability asks for a person's review",
        "never": "it may not be ratified",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is known of a proposal when the question is asked.

    ``has_metadata`` is whether it carries any trust metadata; ``status`` is None when nothing
    verified it; ``evidence`` and ``independent`` count the records it cites and those of them that
    come from different sessions or days.
    """

    has_metadata: bool
    trust_class: TrustClass | None = None
    durability: Durability | None = None
    eligibility: Eligibility | None = None
    risk: Risk = "low"
    status: VerificationStatus | None = None
    match_kind: MatchKind | None = None
    evidence: int = 0
    independent: int = 0
    tainted: bool = False


def reasons_for_review(facts: Facts, governance: Governance) -> tuple[str, ...]:
    """Every reason, as an identifier of REVIEW_REASONS, against preselecting; none means eligible.

    A block, taint and layer L1 come before the shortcut for proposals without metadata.
    """
    reasons: list[str] = []
    if facts.status is VerificationStatus.REJECTED:
        reasons.append("verification_rejected")
    if facts.tainted:
        reasons.append("tainted")
    if governance == "strict":
        reasons += _strict_reasons(facts)
    if facts.has_metadata:
        reasons += _reasons_from_metadata(facts)
    if facts.eligibility in (Eligibility.NEVER, Eligibility.L1_REVIEW_ONLY):
        reasons.append(facts.eligibility.value)
    elif facts.has_metadata and facts.eligibility is not Eligibility.AUTO_CANDIDATE:
        reasons.append(Eligibility.REVIEW_ONLY.value)
    return tuple(dict.fromkeys(reasons))


def _strict_reasons(facts: Facts) -> list[str]:
    reasons: list[str] = []
    if not facts.has_metadata:
        reasons.append("strict_governance_missing_trust_metadata")
    if facts.status in (None, VerificationStatus.LEGACY_UNVERIFIED):
        reasons.append("strict_governance_missing_verification")
    # The instruction itself is the evidence here. Where the verifier looks, check 1 still asks
    # for the record.
    if not facts.evidence and facts.trust_class is not TrustClass.DIRECT_USER_INSTRUCTION:
        reasons.append("strict_governance_missing_evidence")
    if facts.risk == "medium":
        reasons.append("medium_poisoning_risk")
    return reasons


def _reasons_from_metadata(facts: Facts) -> list[str]:
    reasons: list[str] = []
    if facts.status is VerificationStatus.REVIEW_REQUIRED:
        reasons.append("verification_review_required")
    if facts.risk == "high":
        reasons.append("high_poisoning_risk")
    if facts.match_kind in MATCHES_FOR_REVIEW:
        reasons.append("match_requires_review")
    if facts.durability in NOT_DURABLE:
        reasons.append("temporary_durability")
    rule = TRUST.get(facts.trust_class) if facts.trust_class is not None else None
    if rule and rule.automatic == "corroborated" and facts.independent < CORROBORATION:
        reasons.append("uncorroborated_preference")
    return reasons
