"""The verifier's report (spec page 3, The verifier)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Check(StrEnum):
    """The seven checks, in the order in which they are always reported."""

    SOURCE_SUPPORT = "source_support"
    TRUST_BOUNDARY = "trust_boundary"
    DURABILITY = "durability"
    POISONING = "poisoning"
    CONFLICT = "conflict"
    REDACTION = "redaction"
    TOMBSTONE = "tombstone"


class Verdict(StrEnum):
    """What one check found."""

    PASS = "pass"
    FLAG = "flag"
    BLOCK = "block"
    NOT_APPLICABLE = "not_applicable"


class VerificationStatus(StrEnum):
    """The report as a whole."""

    VERIFIED = "verified"
    REVIEW_REQUIRED = "review_required"
    REJECTED = "rejected"
    LEGACY_UNVERIFIED = "legacy_unverified"


class Eligibility(StrEnum):
    """Whether a proposal may be preselected in the batch review. A person still confirms."""

    AUTO_CANDIDATE = "auto_candidate"
    REVIEW_ONLY = "review_only"
    L1_REVIEW_ONLY = "l1_review_only"
    NEVER = "never"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One check's result.

    ``measured`` and ``threshold`` are the values compared, as numbers or words; ``looked_at`` the
    ids of the records, memories or tombstones examined; ``matched`` the words that were found,
    ``weak`` those of them that stand only inside longer words; ``qualified_by`` the ids of the
    records to show beside the statement because they qualify it; ``explanation`` is for people;
    ``lifts`` what would lift a flag or a block.
    """

    check: Check
    verdict: Verdict
    failure_reasons: tuple[str, ...] = ()
    measured: str | float | None = None
    threshold: str | float | None = None
    looked_at: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    qualified_by: tuple[str, ...] = ()
    explanation: str = ""
    lifts: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifierReport:
    """Seven findings in fixed order, and what follows from them."""

    status: VerificationStatus
    findings: tuple[Finding, ...]
    failure_reasons: tuple[str, ...] = ()
    poisoning_risk: str = "low"
    poisoning_reasons: tuple[str, ...] = ()
    promotion_eligibility: Eligibility = Eligibility.REVIEW_ONLY
    eligible: bool = False
    eligibility_reasons: tuple[str, ...] = ()

    @property
    def blocks(self) -> tuple[Finding, ...]:
        """The findings that no reason in words can override."""
        return tuple(f for f in self.findings if f.verdict is Verdict.BLOCK)

    @property
    def flags(self) -> tuple[Finding, ...]:
        """The findings that need a reason in words before ratifying."""
        return tuple(f for f in self.findings if f.verdict is Verdict.FLAG)
