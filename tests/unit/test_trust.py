"""Trust classes, poisoning, eligibility and governance modes (spec page 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofstone.domain import trust
from proofstone.domain.governance import REVIEW_REASONS, Facts, reasons_for_review
from proofstone.domain.records import Durability, Layer, MatchKind, TrustClass
from proofstone.domain.verification import Eligibility, VerificationStatus

SOUND = Facts(
    has_metadata=True,
    trust_class=TrustClass.USER_CORRECTION,
    durability=Durability.PROJECT,
    eligibility=Eligibility.AUTO_CANDIDATE,
    status=VerificationStatus.VERIFIED,
    evidence=1,
    independent=1,
)


def test_every_class_has_a_row_strongest_first() -> None:
    assert list(trust.TRUST) == list(TrustClass)
    weights = [rule.weight for rule in trust.TRUST.values()]
    assert weights == sorted(weights, reverse=True)


def test_the_five_lowest_are_those_below_a_passing_test() -> None:
    below = {
        trust_class
        for trust_class, rule in trust.TRUST.items()
        if rule.weight < trust.TRUST[TrustClass.PASSING_TOOL_OR_TEST_OUTCOME].weight
    }
    assert below == trust.LOW_TRUST


@pytest.mark.parametrize("trust_class", TrustClass)
@pytest.mark.parametrize("durability", Durability)
def test_a_signal_that_does_not_last_raises_low_risk_to_medium(
    trust_class: TrustClass, durability: Durability
) -> None:
    risk, reasons = trust.poisoning(trust_class, durability)
    own = trust.TRUST[trust_class].risk
    if durability in trust.NOT_DURABLE and own == "low":
        assert risk == "medium"
    else:
        assert risk == own
    assert bool(reasons) is (risk != "low")


@pytest.mark.parametrize("trust_class", TrustClass)
def test_an_l1_proposal_is_for_review_whatever_its_evidence(trust_class: TrustClass) -> None:
    found = trust.promotion_eligibility(Layer.L1, trust_class, Durability.LONG_TERM)
    assert found is Eligibility.L1_REVIEW_ONLY


@pytest.mark.parametrize("layer", Layer)
def test_a_rejected_proposal_is_never_eligible(layer: Layer) -> None:
    found = trust.promotion_eligibility(
        layer, TrustClass.DIRECT_USER_INSTRUCTION, Durability.PROJECT, rejected=True
    )
    assert found is Eligibility.NEVER


def test_a_repeated_preference_needs_corroboration() -> None:
    repeated = TrustClass.REPEATED_USER_PREFERENCE
    alone = trust.promotion_eligibility(Layer.L2, repeated, Durability.PROJECT, corroborated=False)
    together = trust.promotion_eligibility(Layer.L2, repeated, Durability.PROJECT)
    assert (alone, together) == (Eligibility.REVIEW_ONLY, Eligibility.AUTO_CANDIDATE)


@pytest.mark.parametrize("trust_class", [None, *TrustClass])
@pytest.mark.parametrize("durability", [None, Durability.UNKNOWN, *sorted(trust.NOT_DURABLE)])
def test_what_is_not_known_to_last_goes_to_review(
    trust_class: TrustClass | None, durability: Durability | None
) -> None:
    found = trust.promotion_eligibility(Layer.L2, trust_class, durability)
    assert found is Eligibility.REVIEW_ONLY


def test_a_sound_proposal_is_eligible_in_both_modes() -> None:
    assert reasons_for_review(SOUND, "strict") == ()
    assert reasons_for_review(SOUND, "compatibility") == ()


def test_strict_governance_names_all_that_is_missing() -> None:
    assert reasons_for_review(Facts(has_metadata=False), "strict") == (
        "strict_governance_missing_trust_metadata",
        "strict_governance_missing_verification",
        "strict_governance_missing_evidence",
    )


def test_compatibility_lets_through_what_predates_metadata() -> None:
    assert reasons_for_review(Facts(has_metadata=False), "compatibility") == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"status": VerificationStatus.REJECTED}, "verification_rejected"),
        ({"eligibility": Eligibility.L1_REVIEW_ONLY}, "l1_review_only"),
        ({"tainted": True}, "tainted"),
    ],
)
def test_the_legacy_shortcut_comes_after(change: dict[str, object], reason: str) -> None:
    facts = replace(Facts(has_metadata=False), **change)
    assert reasons_for_review(facts, "compatibility") == (reason,)


@pytest.mark.parametrize("mode", ["strict", "compatibility"])
@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"risk": "high"}, "high_poisoning_risk"),
        ({"match_kind": MatchKind.AMBIGUOUS}, "match_requires_review"),
        ({"match_kind": MatchKind.POTENTIAL_CONFLICT}, "match_requires_review"),
        ({"match_kind": MatchKind.SUPERSEDES_EXISTING}, "match_requires_review"),
        ({"durability": Durability.TASK}, "temporary_durability"),
        ({"status": VerificationStatus.REVIEW_REQUIRED}, "verification_review_required"),
        ({"eligibility": Eligibility.REVIEW_ONLY}, "review_only"),
        ({"eligibility": None}, "review_only"),
        ({"eligibility": Eligibility.NEVER}, "never"),
        (
            {"trust_class": TrustClass.REPEATED_USER_PREFERENCE},
            "uncorroborated_preference",
        ),
    ],
)
def test_one_reason_is_enough(mode: str, change: dict[str, object], reason: str) -> None:
    found = reasons_for_review(replace(SOUND, **change), mode)
    assert reason in found
    assert reason in REVIEW_REASONS


def test_medium_risk_keeps_from_preselection_in_strict_mode_alone() -> None:
    medium = replace(SOUND, risk="medium")
    assert reasons_for_review(medium, "strict") == ("medium_poisoning_risk",)
    assert reasons_for_review(medium, "compatibility") == ()
