"""Trust classes, durability, poisoning risk and promotion eligibility (spec page 3).

The table is data: what a class is worth, whether it may be preselected, how risky it is, and what
it means in words. Nothing here applies anything; "eligible" only ever means preselected in the
batch review, where a person still confirms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

from proofstone.domain.records import Durability, Layer, TrustClass
from proofstone.domain.verification import Eligibility

Automatic = Literal["durable_verified", "corroborated", "review_preferred", "review_only", "never"]
Risk = Literal["low", "medium", "high"]

RISKS: tuple[Risk, ...] = ("low", "medium", "high")
"""Lowest first."""


@dataclass(frozen=True, slots=True)
class TrustRule:
    """One row of the table: weight from 0 to 1, when it may be preselected, its poisoning risk."""

    weight: float
    automatic: Automatic
    risk: Risk
    meaning: str


TRUST: Mapping[TrustClass, TrustRule] = MappingProxyType(
    {
        TrustClass.DIRECT_USER_INSTRUCTION: TrustRule(
            1.0, "durable_verified", "low", "the user said so"
        ),
        TrustClass.USER_CORRECTION: TrustRule(
            1.0, "durable_verified", "low", "the user corrected or confirmed it"
        ),
        TrustClass.REPEATED_USER_PREFERENCE: TrustRule(
            0.9, "corroborated", "low", "the user has shown this preference more than once"
        ),
        TrustClass.ACCEPTED_CODE_REVIEW_OUTCOME: TrustRule(
            0.8, "review_preferred", "low", "a code review settled it"
        ),
        TrustClass.EXISTING_PROJECT_CONVENTION: TrustRule(
            0.65, "review_preferred", "low", "the project already does it this way"
        ),
        TrustClass.PASSING_TOOL_OR_TEST_OUTCOME: TrustRule(
            0.55, "review_only", "low", "a test, build or command showed it"
        ),
        TrustClass.AGENT_INFERENCE: TrustRule(
            0.35, "review_only", "medium", "an agent concluded it; nobody said it"
        ),
        TrustClass.SINGLE_SESSION_OBSERVATION: TrustRule(
            0.3, "review_only", "medium", "it was seen in one session only"
        ),
        TrustClass.REPOSITORY_TEXT: TrustRule(
            0.25, "review_only", "high", "it stands in a file that others can write"
        ),
        TrustClass.GENERATED_CONTENT: TrustRule(0.2, "review_only", "high", "a model wrote it"),
        TrustClass.THIRD_PARTY_DOCUMENTATION: TrustRule(
            0.2, "never", "high", "it comes from a document of a third party"
        ),
    }
)

UNCLASSIFIED = TrustRule(0.1, "review_only", "low", "nothing says where it comes from")
"""What holds where no class is given: older stores' rows, and memories that nobody reviewed."""

LOW_TRUST: frozenset[TrustClass] = frozenset(
    {
        TrustClass.AGENT_INFERENCE,
        TrustClass.SINGLE_SESSION_OBSERVATION,
        TrustClass.REPOSITORY_TEXT,
        TrustClass.GENERATED_CONTENT,
        TrustClass.THIRD_PARTY_DOCUMENTATION,
    }
)
"""The five lowest: they always need a person (check 2)."""

NOT_DURABLE: frozenset[Durability] = frozenset(
    {Durability.TEMPORARY, Durability.TASK, Durability.SESSION}
)
"""Signals that cannot become L2 by themselves (check 3)."""

_RISK_REASONS: Mapping[Risk, str] = MappingProxyType(
    {
        "medium": "requires corroboration before durable promotion.",
        "high": "cannot auto-promote operational memory.",
    }
)


def rule_for(trust_class: TrustClass | None) -> TrustRule:
    """The row of a class, or what holds where none is given."""
    return UNCLASSIFIED if trust_class is None else TRUST[trust_class]


def is_durable(durability: Durability | None) -> bool:
    """Whether the signal says that a claim is meant to last. Unknown does not say so."""
    return durability not in (None, Durability.UNKNOWN) and durability not in NOT_DURABLE


def higher_risk(one: Risk, other: Risk) -> Risk:
    """The graver of two risks."""
    return max(one, other, key=RISKS.index)


def poisoning(
    trust_class: TrustClass | None, durability: Durability | None
) -> tuple[Risk, tuple[str, ...]]:
    """The poisoning risk of a claim and its reasons; a signal that is not durable is medium."""
    risk = rule_for(trust_class).risk
    reasons: list[str] = []
    if trust_class is not None and risk in _RISK_REASONS:
        reasons.append(f"{trust_class.value} {_RISK_REASONS[risk]}")
    if durability in NOT_DURABLE:
        reasons.append(f"{durability.value} durability cannot auto-promote as durable L2.")
        risk = higher_risk(risk, "medium")
    return risk, tuple(reasons)


def promotion_eligibility(
    layer: Layer,
    trust_class: TrustClass | None,
    durability: Durability | None,
    rejected: bool = False,
    corroborated: bool = True,
) -> Eligibility:
    """Whether a claim may be preselected at all.

    ``corroborated`` says whether two or more independent records stand behind a class that needs
    them; it makes no difference to the others.
    """
    if rejected:
        return Eligibility.NEVER
    if layer is Layer.L1:
        return Eligibility.L1_REVIEW_ONLY
    if not is_durable(durability):
        return Eligibility.REVIEW_ONLY
    automatic = rule_for(trust_class).automatic
    if automatic == "durable_verified" or (automatic == "corroborated" and corroborated):
        return Eligibility.AUTO_CANDIDATE
    return Eligibility.REVIEW_ONLY
