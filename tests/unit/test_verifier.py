"""The seven checks and the report (spec page 3, The verifier)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofstone.domain import ids
from proofstone.domain.evidence_records import redacted
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Layer,
    MatchKind,
    Memory,
    Polarity,
    Proposal,
    Redaction,
    Tombstone,
    TrustClass,
)
from proofstone.domain.siblings import RewordedReturn
from proofstone.domain.verification import (
    Check,
    Eligibility,
    Finding,
    Verdict,
    VerificationStatus,
    VerifierReport,
)
from proofstone.domain.verifier import TombstoneIndex, verify

CLAIM = "Run the orion suite with pnpm before each merge."
SOUND = Proposal(
    proposal_id="prop-1",
    statement=CLAIM,
    scopes=("project:orion",),
    profile="p",
    evidence=("e1",),
    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
    durability_signal=Durability.PROJECT,
)
RECORD = EvidenceRecord(
    evidence_id="e1",
    source_kind="conversation",
    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
    source_excerpt="Please run the orion suite with pnpm before each merge.",
    source_session="codex/s1",
    profile="p",
    scopes=("project:orion",),
    created="2026-08-10T12:00:00Z",
)
NEW = MatchResult(kind=MatchKind.NEW, normalized_key="k")


def stone(deleted_id: str, **fields: object) -> Tombstone:
    return Tombstone(
        **{
            "tombstone_id": f"tomb-{deleted_id}",
            "deleted_id": deleted_id,
            "deleted_at": "2026-08-01T00:00:00Z",
            "reason": "user_requested",
            **fields,
        }
    )


def report(
    subject: Proposal | Memory = SOUND,
    *cited: EvidenceRecord,
    match: MatchResult = NEW,
    tombstones: TombstoneIndex | None = None,
    **options: object,
) -> VerifierReport:
    records = {record.evidence_id: record for record in cited or (RECORD,)}
    return verify(
        subject,
        records=records,
        match=match,
        tombstones=tombstones or TombstoneIndex.of(()),
        **options,
    )


def finding(found: VerifierReport, check: Check) -> Finding:
    return next(finding for finding in found.findings if finding.check is check)


def test_all_seven_findings_are_always_there_in_order() -> None:
    for subject in (SOUND, Proposal(proposal_id="prop-2", statement="")):
        for mode in ("strict", "compatibility"):
            found = report(subject, governance=mode)
            assert [one.check for one in found.findings] == list(Check)
            assert all(one.explanation for one in found.findings)


def test_a_sound_proposal_is_verified_and_eligible() -> None:
    found = report()
    assert found.status is VerificationStatus.VERIFIED
    assert found.failure_reasons == ()
    assert (found.eligible, found.eligibility_reasons) == (True, ())
    assert found.promotion_eligibility is Eligibility.AUTO_CANDIDATE
    assert {one.verdict for one in found.findings} == {Verdict.PASS}


def test_every_flag_and_block_says_what_lifts_it() -> None:
    worst = replace(
        SOUND,
        statement="Nothing matches anywhere in here",
        trust_class=TrustClass.GENERATED_CONTENT,
        durability_signal=Durability.TASK,
        scopes=("global",),
        evidence=("e1", "e2"),
    )
    found = report(
        worst,
        redacted(RECORD),
        match=replace(NEW, kind=MatchKind.AMBIGUOUS, matched=("mem-a", "mem-b")),
        tombstones=TombstoneIndex.of([stone("prop-1")]),
    )
    assert found.failure_reasons == (
        "tombstoned_recreation",
        "missing_evidence",
        "redacted_or_deleted_evidence",
        "source_not_supportive",
        "temporary_durability",
        "low_trust_source",
        "scope_unsupported",
        "high_poisoning_risk",
        "match_requires_review",
    )
    assert all(one.lifts for one in (*found.flags, *found.blocks))
    assert found.promotion_eligibility is Eligibility.NEVER


# Check 1


def test_support_is_measured_against_its_threshold() -> None:
    one = finding(report(), Check.SOURCE_SUPPORT)
    assert (one.measured, one.threshold) == (1.0, 0.35)
    assert one.matched == ("orion", "suite", "with", "pnpm", "before", "each", "merge")
    assert one.looked_at == ("e1",)


def test_a_word_only_inside_longer_words_is_weak() -> None:
    record = replace(RECORD, source_excerpt="The reorionated suites were merged beforehand.")
    one = finding(report(SOUND, record), Check.SOURCE_SUPPORT)
    assert one.verdict is Verdict.PASS
    assert one.matched == one.weak == ("orion", "suite", "before", "merge")
    assert "only inside longer words" in one.explanation


def test_evidence_about_something_else_is_not_supportive() -> None:
    record = replace(RECORD, source_excerpt="The billing service has a new owner.")
    found = report(SOUND, record)
    assert found.status is VerificationStatus.REVIEW_REQUIRED
    assert found.failure_reasons == ("source_not_supportive",)


def test_partly_missing_evidence_is_missing_evidence() -> None:
    found = report(replace(SOUND, evidence=("e1", "e2")))
    assert found.failure_reasons == ("missing_evidence",)
    assert finding(found, Check.SOURCE_SUPPORT).looked_at == ("e1", "e2")


def test_no_evidence_is_missing_evidence_in_strict_mode() -> None:
    bare = replace(SOUND, evidence=())
    assert report(bare).failure_reasons == ("missing_evidence",)
    assert report(bare, governance="compatibility").status is VerificationStatus.VERIFIED


def test_a_contradicting_record_flags_whatever_the_overlap() -> None:
    against = replace(RECORD, evidence_id="e2", polarity=Polarity.CONTRADICTS)
    found = report(replace(SOUND, evidence=("e1", "e2")), RECORD, against)
    one = finding(found, Check.SOURCE_SUPPORT)
    assert (one.verdict, one.measured) == (Verdict.FLAG, 1.0)
    assert found.failure_reasons == ("source_not_supportive",)
    assert "Contradicted by e2" in one.explanation


def test_a_contradicting_record_supports_nothing() -> None:
    found = report(SOUND, replace(RECORD, polarity=Polarity.CONTRADICTS))
    assert finding(found, Check.SOURCE_SUPPORT).measured == 0.0


def test_a_qualifying_record_is_shown_beside_the_statement() -> None:
    found = report(SOUND, replace(RECORD, polarity=Polarity.QUALIFIES))
    assert found.status is VerificationStatus.VERIFIED
    assert finding(found, Check.SOURCE_SUPPORT).qualified_by == ("e1",)


UNRELATED = {
    "zh": ("每次合并前必须运行全部测试", "数据库密码存放在公司的保险箱里，由管理员保管。"),
    "ja": (
        "リリース前に必ず全てのテストを実行してください",
        "会議の議事録は共有フォルダに保存してください。",
    ),
    "ko": ("배포 전에 모든 테스트를 실행해야 합니다", "회의록은 공유 폴더에 저장하고 있습니다."),
    "ru": ("Перед слиянием запускайте все тесты проекта", "Протокол собрания лежит в общей папке."),
    "ar": ("شغّل جميع الاختبارات قبل كل عملية دمج", "محضر الاجتماع محفوظ في المجلد المشترك."),
    "fr": (
        "Exécutez l’évaluation complète à l’été",
        "Le procès-verbal est dans le dossier partagé.",
    ),
    "el": ("Εκτελέστε όλες τις δοκιμές πριν τη συγχώνευση", "Τα πρακτικά είναι στον κοινό φάκελο."),
    "th": ("รันการทดสอบทั้งหมดก่อนรวมโค้ด", "รายงานการประชุมอยู่ในโฟลเดอร์ที่ใช้ร่วมกัน"),
    "hi": ("विलय से पहले सभी परीक्षण चलाएँ", "बैठक का विवरण साझा फ़ोल्डर में है।"),
    "he": ("הריצו את כל הבדיקות לפני כל מיזוג", "פרוטוקול הישיבה נמצא בתיקייה המשותפת."),
    "short": ("Use npm", "We met on Monday in a big hall."),
}


@pytest.mark.parametrize("language", UNRELATED)
def test_claims_in_every_script_are_checked_and_not_waved_through(language: str) -> None:
    claim, unrelated = UNRELATED[language]
    subject = replace(SOUND, statement=claim)
    without = report(subject, replace(RECORD, source_excerpt=unrelated))
    assert without.failure_reasons == ("source_not_supportive",), without.findings[0]
    with_own = report(subject, replace(RECORD, source_excerpt=f"… {claim} …"))
    assert with_own.status is VerificationStatus.VERIFIED
    assert finding(with_own, Check.SOURCE_SUPPORT).measured == 1.0


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Préférez le café", "Pre\u0301fe\u0301rez le cafe\u0301"),
        ("ПРОВЕРЯЙТЕ СБОРКУ", "проверяйте сборку"),
        ("ＯＲＩＯＮ ｓｕｉｔｅ", "orion suite"),
        ("运行测试", "请先运\u200b行测试"),
    ],
)
def test_case_width_accents_and_invisible_characters_make_no_difference(
    claim: str, evidence: str
) -> None:
    found = report(replace(SOUND, statement=claim), replace(RECORD, source_excerpt=evidence))
    assert finding(found, Check.SOURCE_SUPPORT).measured == 1.0


def test_a_statement_without_any_word_has_no_support_in_strict_mode() -> None:
    silent = replace(SOUND, statement="🙂 …")
    assert report(silent).failure_reasons == ("source_not_supportive",)
    assert report(silent, governance="compatibility").status is VerificationStatus.VERIFIED


# Check 2


@pytest.mark.parametrize("trust_class", TrustClass)
def test_the_five_lowest_classes_are_flagged(trust_class: TrustClass) -> None:
    found = report(replace(SOUND, trust_class=trust_class))
    flagged = "low_trust_source" in found.failure_reasons
    assert flagged is (list(TrustClass).index(trust_class) >= 6)


@pytest.mark.parametrize(
    "record",
    [
        replace(RECORD, profile="q"),
        replace(RECORD, scopes=("project:vega",)),
    ],
)
def test_evidence_of_another_profile_or_project_is_unsupported(record: EvidenceRecord) -> None:
    assert report(SOUND, record).failure_reasons == ("scope_unsupported",)


def test_one_foreign_record_among_others_is_enough() -> None:
    foreign = replace(RECORD, evidence_id="e2", scopes=("project:vega",))
    found = report(replace(SOUND, evidence=("e1", "e2")), RECORD, foreign)
    assert found.failure_reasons == ("scope_unsupported",)


def test_a_scope_wider_than_any_records_is_unsupported() -> None:
    found = report(replace(SOUND, scopes=("global",)))
    assert found.failure_reasons == ("scope_unsupported",)
    assert "for global" in finding(found, Check.TRUST_BOUNDARY).explanation


@pytest.mark.parametrize(
    "record",
    [
        replace(RECORD, scopes=("global",)),
        replace(RECORD, scopes=()),
        replace(RECORD, durability_signal=Durability.USER_GLOBAL),
    ],
)
def test_a_record_that_reaches_everywhere_supports_any_scope(record: EvidenceRecord) -> None:
    assert report(replace(SOUND, scopes=("global",)), record).failure_reasons == ()
    assert report(SOUND, record).failure_reasons == ()


def test_the_vaults_profile_and_project_stand_in() -> None:
    unplaced = replace(SOUND, profile="", scopes=())
    assert report(unplaced, profile="p", project="orion").failure_reasons == ()
    assert report(unplaced, profile="q", project="orion").failure_reasons == ("scope_unsupported",)
    assert report(unplaced, profile="p", project="vega").failure_reasons == ("scope_unsupported",)


def test_layer_l1_wants_evidence_that_was_meant_for_good() -> None:
    identity = replace(SOUND, layer=Layer.L1)
    project = replace(RECORD, durability_signal=Durability.PROJECT)
    assert report(identity, project).failure_reasons == ("scope_unsupported",)
    lasting = replace(RECORD, durability_signal=Durability.LONG_TERM)
    found = report(identity, lasting)
    assert found.failure_reasons == ()
    assert found.promotion_eligibility is Eligibility.L1_REVIEW_ONLY
    assert not found.eligible


def test_a_missing_class_is_named_in_strict_mode() -> None:
    unclassed = replace(SOUND, trust_class=None)
    assert report(unclassed).failure_reasons == ("strict_governance_missing_trust_metadata",)
    assert report(unclassed, governance="compatibility").failure_reasons == ()


# Checks 3 to 5


@pytest.mark.parametrize("signal", Durability)
def test_durability(signal: Durability) -> None:
    found = report(replace(SOUND, durability_signal=signal))
    temporary = signal in (Durability.TEMPORARY, Durability.TASK, Durability.SESSION)
    assert ("temporary_durability" in found.failure_reasons) is temporary
    assert found.eligible is not (temporary or signal is Durability.UNKNOWN)


def test_a_stated_risk_cannot_lower_what_the_class_comes_to() -> None:
    planted = replace(SOUND, trust_class=TrustClass.REPOSITORY_TEXT, poisoning_risk="low")
    found = report(planted)
    assert found.poisoning_risk == "high"
    assert "high_poisoning_risk" in found.failure_reasons


def test_a_stated_risk_can_raise_it() -> None:
    found = report(replace(SOUND, poisoning_risk="high"))
    assert found.failure_reasons == ("high_poisoning_risk",)
    assert found.poisoning_reasons == ("It came with high risk.",)


def test_medium_risk_is_shown_and_not_preselected_in_strict_mode() -> None:
    medium = replace(SOUND, poisoning_risk="medium")
    strict, lenient = report(medium), report(medium, governance="compatibility")
    assert strict.status is VerificationStatus.VERIFIED
    assert "medium" in finding(strict, Check.POISONING).explanation
    assert (strict.eligible, strict.eligibility_reasons) == (False, ("medium_poisoning_risk",))
    assert lenient.eligible


@pytest.mark.parametrize("kind", MatchKind)
def test_match_kinds_for_review(kind: MatchKind) -> None:
    found = report(match=replace(NEW, kind=kind, matched=("mem-a",)))
    flagged = kind in (
        MatchKind.POTENTIAL_CONFLICT,
        MatchKind.SUPERSEDES_EXISTING,
        MatchKind.AMBIGUOUS,
    )
    assert (found.failure_reasons == ("match_requires_review",)) is flagged


def test_a_broken_target_is_flagged_and_said() -> None:
    found = report(match=replace(NEW, targets=("mem-x",), target_problem="mem-x was deleted"))
    assert found.failure_reasons == ("match_requires_review",)
    assert "mem-x was deleted" in finding(found, Check.CONFLICT).explanation


# Checks 6 and 7


@pytest.mark.parametrize("status", [Redaction.REDACTED, Redaction.DELETED])
@pytest.mark.parametrize("mode", ["strict", "compatibility"])
def test_a_redacted_record_blocks(status: Redaction, mode: str) -> None:
    found = report(SOUND, redacted(RECORD, status), governance=mode)
    assert found.status is VerificationStatus.REJECTED
    assert [one.check for one in found.blocks] == [Check.REDACTION]


def other(**fields: object) -> MatchResult:
    return replace(NEW, **fields)


@pytest.mark.parametrize(
    ("tombstones", "match"),
    [
        ([stone("prop-1")], NEW),
        ([stone("mem-1")], NEW),
        ([stone("x", content_hash=ids.content_hash(CLAIM))], NEW),
        ([stone("x", content_hash=ids.content_hash(CLAIM)[:32])], NEW),
        ([stone("mem-a")], other(matched=("mem-a",))),
        ([stone("mem-a")], other(targets=("mem-a",))),
    ],
)
@pytest.mark.parametrize("mode", ["strict", "compatibility"])
def test_a_tombstone_blocks_by_id_content_and_target(
    tombstones: list[Tombstone], match: MatchResult, mode: str
) -> None:
    found = report(match=match, tombstones=TombstoneIndex.of(tombstones), governance=mode)
    assert found.status is VerificationStatus.REJECTED
    assert found.failure_reasons[0] == "tombstoned_recreation"
    assert finding(found, Check.TOMBSTONE).looked_at == (tombstones[0].tombstone_id,)
    assert (found.eligible, found.promotion_eligibility) == (False, Eligibility.NEVER)


def test_a_purged_content_blocks_through_its_keyed_hash() -> None:
    def purged(statement: str) -> tuple[str, ...]:
        return ("tomb-purge",) if statement == CLAIM else ()

    assert report(tombstones=TombstoneIndex.of((), purged)).status is VerificationStatus.REJECTED
    changed = replace(SOUND, statement=CLAIM + " Always.")
    assert report(changed, tombstones=TombstoneIndex.of((), purged)).blocks == ()


def test_a_tombstone_of_something_else_blocks_nothing() -> None:
    index = TombstoneIndex.of([stone("mem-2", content_hash=ids.content_hash("else"))])
    assert report(tombstones=index).status is VerificationStatus.VERIFIED


def test_a_reworded_return_is_flagged_with_its_reason() -> None:
    returned = RewordedReturn("mem-old", 0.83, "privacy_sensitive")
    found = report(returned=returned)
    assert found.failure_reasons == ("reworded_return",)
    one = finding(found, Check.TOMBSTONE)
    assert (one.verdict, one.measured, one.looked_at) == (Verdict.FLAG, 0.83, ("mem-old",))
    assert "privacy sensitive" in one.explanation


def test_an_exact_return_blocks_even_when_it_is_reworded_too() -> None:
    found = report(
        returned=RewordedReturn("mem-old", 0.99, "other"),
        tombstones=TombstoneIndex.of([stone("prop-1")]),
    )
    assert found.status is VerificationStatus.REJECTED


# Governance


BARE = Proposal(proposal_id="prop-9", statement=CLAIM)


def test_compatibility_accepts_what_predates_metadata() -> None:
    found = report(BARE, governance="compatibility")
    assert found.status is VerificationStatus.LEGACY_UNVERIFIED
    assert found.eligible


def test_strict_sends_it_to_review_with_the_reasons() -> None:
    found = report(BARE)
    assert found.status is VerificationStatus.REVIEW_REQUIRED
    assert found.eligibility_reasons[:2] == (
        "strict_governance_missing_trust_metadata",
        "strict_governance_missing_evidence",
    )


def test_a_block_comes_before_the_legacy_shortcut() -> None:
    index = TombstoneIndex.of([stone("prop-9")])
    found = report(BARE, governance="compatibility", tombstones=index)
    assert found.status is VerificationStatus.REJECTED
    assert not found.eligible


def test_a_legacy_l1_or_tainted_proposal_is_not_preselected() -> None:
    assert not report(replace(BARE, layer=Layer.L1), governance="compatibility").eligible
    assert not report(replace(BARE, tainted=True), governance="compatibility").eligible


def test_a_tainted_proposal_is_never_preselected() -> None:
    assert report(replace(SOUND, tainted=True)).eligibility_reasons == ("tainted",)


def test_corroboration_is_counted() -> None:
    preference = replace(
        SOUND, trust_class=TrustClass.REPEATED_USER_PREFERENCE, evidence=("e1", "e2")
    )
    twin = replace(RECORD, evidence_id="e2")
    same_session = report(preference, RECORD, twin)
    assert "uncorroborated_preference" in same_session.eligibility_reasons
    assert same_session.promotion_eligibility is Eligibility.REVIEW_ONLY
    elsewhere = report(preference, RECORD, replace(twin, source_session="codex/s2"))
    assert elsewhere.eligible


def test_a_memory_in_force_is_verified_like_a_proposal() -> None:
    memory = Memory(
        memory_id="mem-1",
        statement=CLAIM,
        scopes=SOUND.scopes,
        profile="p",
        evidence=("e1",),
        trust_class=SOUND.trust_class,
        durability_signal=SOUND.durability_signal,
    )
    assert report(memory).status is VerificationStatus.VERIFIED
    index = TombstoneIndex.of([stone("mem-1")])
    assert report(memory, tombstones=index).status is VerificationStatus.REJECTED
