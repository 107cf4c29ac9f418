"""What the verifier's identifiers mean, in words for people (spec page 3)."""

from __future__ import annotations

from collections.abc import Mapping

from proofstone.domain.records import MatchKind, Polarity, Redaction
from proofstone.domain.trust import Automatic
from proofstone.domain.verification import Eligibility, VerificationStatus, VerifierReport
from proofstone.tui.words import ELIGIBILITY_WORD

STATUS_MEANING: Mapping[VerificationStatus, str] = {
    VerificationStatus.VERIFIED: "no check speaks against it",
    VerificationStatus.REVIEW_REQUIRED: "a check is flagged; ratifying asks for a reason in words",
    VerificationStatus.REJECTED: "a check blocks; it cannot be ratified while that stands",
    VerificationStatus.LEGACY_UNVERIFIED: (
        "it is older than trust metadata, and compatibility mode lets it through unverified"
    ),
}

FAILURE_MEANING: Mapping[str, str] = {
    "missing_evidence": "evidence that it cites, or any at all, is not in the vault",
    "source_not_supportive": "its evidence does not say what it says, or contradicts it",
    "low_trust_source": "its source is of one of the five lowest classes",
    "scope_unsupported": "it asks for a wider scope or layer than its evidence carries",
    "strict_governance_missing_trust_metadata": "nothing says where it comes from",
    "temporary_durability": "it was meant for now, not to last",
    "high_poisoning_risk": "others could have planted it",
    "match_requires_review": "what is already held has to be decided on first",
    "redacted_or_deleted_evidence": "it leans on words that were removed",
    "tombstoned_recreation": "it, or what it points at, was tombstoned",
    "reworded_return": "it says again, in other words, what was tombstoned",
}

MATCH_MEANING: Mapping[MatchKind, str] = {
    MatchKind.NEW: "nothing in force is about the same",
    MatchKind.DUPLICATE: "one memory says the same; its evidence can be added to that",
    MatchKind.POTENTIAL_CONFLICT: "one memory in force says the opposite",
    MatchKind.UPDATES_EXISTING: "one memory is about the same, and this changes it",
    MatchKind.STRENGTHENS_EXISTING: "one memory is about the same, and this agrees with it",
    MatchKind.SUPERSEDES_EXISTING: "it names a memory that it replaces",
    MatchKind.AMBIGUOUS: "several memories are about the same",
}

ELIGIBILITY_MEANING: Mapping[Eligibility, str] = {
    Eligibility.AUTO_CANDIDATE: "its class and durability allow it to be preselected in a batch",
    Eligibility.REVIEW_ONLY: "a person looks at it by itself; it is never preselected",
    Eligibility.L1_REVIEW_ONLY: "identity has a review of its own, one at a time",
    Eligibility.NEVER: "not while the verifier rejects it",
}

POLARITY_LOOK: Mapping[Polarity, tuple[str, str]] = {
    Polarity.SUPPORTS: ("+", "$verdict-pass"),
    Polarity.CONTRADICTS: ("−", "$verdict-block"),
    Polarity.QUALIFIES: ("~", "$verdict-flag"),
}

REDACTION_MEANING: Mapping[Redaction, str] = {
    Redaction.NONE: "",
    Redaction.REDACTED: "redacted: its words were removed",
    Redaction.DELETED: "deleted: its words were purged",
}

AUTOMATIC_MEANING: Mapping[Automatic, str] = {
    "durable_verified": "preselected if durable and verified",
    "corroborated": "preselected with two independent records",
    "review_preferred": "review preferred",
    "review_only": "review only",
    "never": "never preselected",
}


def eligibility_word(report: VerifierReport) -> str:
    """Whether it may be preselected in a batch, in a word or two."""
    promotion = report.promotion_eligibility
    if promotion is Eligibility.AUTO_CANDIDATE and not report.eligible:
        return "not preselected"  # Its class would allow it, a check does not.
    return ELIGIBILITY_WORD[promotion]
