"""Evidence records: ids, bounds, default classes, redaction (spec page 3)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofstone.domain import evidence_records as records
from proofstone.domain.conversation import Observation
from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_types import Claim, ClaimRole
from proofstone.domain.records import EvidenceRecord, Polarity, Redaction, TrustClass

USER_UNIT = EvidenceUnit(
    unit_id="u-1",
    event_key="e" * 64,
    source_role="user",
    origin=Origin.USER_ASSERTION,
    start=40,
    end=60,
    text="Run tests with pnpm.",
    section_path=("Testing",),
)
TOOL_UNIT = USER_UNIT._replace(
    source_role="external",
    origin=Origin.EXTERNAL_OBSERVATION,
    tool_name="search_tickets",
    call_id="c-1",
)
CLAIM = Claim(unit_id="u-1", quote="Run tests", role=ClaimRole.ASSERTION, start=0, end=9)


def made(claim: Claim = CLAIM, unit: EvidenceUnit = USER_UNIT, **fields: object) -> EvidenceRecord:
    given: dict[str, object] = {
        "profile": "p",
        "session": "codex/s1",
        "source_ref": "codex/s1#0",
        "scopes": ("project:orion",),
        "created": "2026-08-10T12:00:00Z",
        **fields,
    }
    return records.record_from_claim(claim, unit, **given)


@pytest.mark.parametrize(
    ("role", "corrects", "expected"),
    [
        (ClaimRole.ASSERTION, False, TrustClass.DIRECT_USER_INSTRUCTION),
        (ClaimRole.ASSERTION, True, TrustClass.USER_CORRECTION),
        (ClaimRole.USER_CONFIRMATION, False, TrustClass.USER_CORRECTION),
        (ClaimRole.SOURCE_EXCERPT, False, TrustClass.THIRD_PARTY_DOCUMENTATION),
        (ClaimRole.SOURCE_EXCERPT, True, TrustClass.THIRD_PARTY_DOCUMENTATION),
    ],
)
def test_default_class_of_user_text(role: ClaimRole, corrects: bool, expected: TrustClass) -> None:
    assert made(replace(CLAIM, role=role), corrects=corrects).trust_class is expected


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("pytest", TrustClass.PASSING_TOOL_OR_TEST_OUTCOME),
        ("Bash", TrustClass.PASSING_TOOL_OR_TEST_OUTCOME),
        ("run_build", TrustClass.PASSING_TOOL_OR_TEST_OUTCOME),
        ("execCommand", TrustClass.PASSING_TOOL_OR_TEST_OUTCOME),
        ("read_file", TrustClass.REPOSITORY_TEXT),
        ("ReadFile", TrustClass.REPOSITORY_TEXT),
        ("Grep", TrustClass.REPOSITORY_TEXT),
        ("search_tickets", TrustClass.SINGLE_SESSION_OBSERVATION),
        ("latest_news", TrustClass.SINGLE_SESSION_OBSERVATION),
        ("", TrustClass.SINGLE_SESSION_OBSERVATION),
    ],
)
def test_default_class_of_an_observation(tool: str, expected: TrustClass) -> None:
    assert made(unit=TOOL_UNIT._replace(tool_name=tool)).trust_class is expected
    observation = Observation(tool_name=tool)
    assert made(unit=TOOL_UNIT._replace(tool_name=None), observation=observation).trust_class is (
        expected
    )


def test_a_correction_makes_no_user_of_a_tool() -> None:
    assert made(unit=TOOL_UNIT, corrects=True).trust_class is TrustClass.SINGLE_SESSION_OBSERVATION


def test_the_same_claim_is_one_record() -> None:
    again = replace(CLAIM, quote=" Run \n tests ")
    assert made().evidence_id == made(again).evidence_id
    assert made().evidence_id != made(session="codex/s2").evidence_id
    assert len(made().evidence_id) == 32


def test_a_record_keeps_the_quote_its_span_and_its_place() -> None:
    record = made()
    assert (record.source_excerpt, record.start, record.end) == ("Run tests", 0, 9)
    assert (record.unit_id, record.source_summary) == ("u-1", "Testing")
    assert (record.source_kind, record.scopes) == ("conversation", ("project:orion",))


def test_what_is_stored_is_bounded() -> None:
    record = made(replace(CLAIM, quote="x" * 2000), USER_UNIT._replace(section_path=("y" * 999,)))
    assert len(record.source_excerpt) == records.EXCERPT_LIMIT
    assert len(record.source_summary) == records.SUMMARY_LIMIT


def test_a_bound_never_splits_a_character() -> None:
    assert records.bounded("🙂" * 600, 1000) == "🙂" * 500
    assert records.bounded("x" + "🙂" * 600, 1000) == "x" + "🙂" * 499
    assert records.bounded("短い", 1000) == "短い"


def test_redaction_leaves_no_word_and_no_hash() -> None:
    record = made()
    gone = records.redacted(record)
    assert gone.redaction_status is Redaction.REDACTED
    assert not (gone.source_excerpt or gone.source_summary or gone.excerpt_hash)
    assert gone.evidence_id == record.evidence_id


def test_redaction_never_brings_a_deleted_record_back() -> None:
    deleted = records.redacted(made(), Redaction.DELETED)
    assert records.redacted(deleted).redaction_status is Redaction.DELETED


@pytest.mark.parametrize("order", [1, -1])
def test_of_two_rows_with_one_id_the_more_redacted_counts(order: int) -> None:
    rows = [made(), replace(made(), redaction_status=Redaction.DELETED)][::order]
    found = records.by_id(rows)
    assert found[made().evidence_id].redaction_status is Redaction.DELETED


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        ([], 0),
        ([("", "")], 1),
        ([("", ""), ("", "")], 1),
        ([("s1", "2026-08-10"), ("s1", "2026-08-10")], 1),
        ([("s1", "2026-08-10"), ("s2", "2026-08-10")], 2),
        ([("s1", "2026-08-10"), ("s1", "2026-08-11")], 2),
    ],
)
def test_independent_records_are_of_different_sessions_or_days(
    places: list[tuple[str, str]], expected: int
) -> None:
    cited = [
        replace(made(), source_session=s, created=f"{d}T12:00:00Z" if d else "") for s, d in places
    ]
    assert records.independent(cited) == expected


def test_what_contradicts_or_is_redacted_corroborates_nothing() -> None:
    other = replace(made(), source_session="codex/s2")
    assert records.independent([made(), replace(other, polarity=Polarity.CONTRADICTS)]) == 1
    assert records.independent([made(), records.redacted(other)]) == 1


def test_the_primary_class_is_of_a_record_that_supports_by_itself() -> None:
    document = replace(
        made(),
        source_excerpt="Deploy the billing service from the release branch.",
        trust_class=TrustClass.THIRD_PARTY_DOCUMENTATION,
    )
    agreed = replace(made(), source_excerpt="Yes, thanks.", trust_class=TrustClass.USER_CORRECTION)
    said = replace(document, trust_class=TrustClass.DIRECT_USER_INSTRUCTION)
    claim = "Deploy the billing service from the release branch."
    primary = records.primary_trust_class
    assert primary(claim, [document, agreed]) is TrustClass.THIRD_PARTY_DOCUMENTATION
    assert primary(claim, [document, said]) is TrustClass.DIRECT_USER_INSTRUCTION
    assert primary(claim, [agreed]) is TrustClass.USER_CORRECTION
    assert primary(claim, []) is None
    assert primary(claim, [replace(said, polarity=Polarity.CONTRADICTS)]) is None


@pytest.mark.parametrize(
    ("quote", "expected"),
    [
        ("ORION_API_KEY=abcdefghijklmnop", True),
        ("export DB_PASSWORD = correct-horse-battery", True),
        ("Set ORION_API_KEY before you run the suite.", False),
        ("TOKEN=short", False),
        ("SECRET=[redacted_secret:env]", False),
        ("Run the orion suite with pnpm.", False),
    ],
)
def test_a_record_with_a_secret_is_told(quote: str, expected: bool) -> None:
    assert records.holds_secret(made(replace(CLAIM, quote=quote))) is expected
