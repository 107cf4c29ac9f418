"""What holds of the verifier for any input (spec page 3)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain import ids, support
from proofstone.domain.evidence_records import redacted
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Layer,
    MatchKind,
    Polarity,
    Proposal,
    Redaction,
    Tombstone,
    TrustClass,
)
from proofstone.domain.verification import Check, VerificationStatus
from proofstone.domain.verifier import TombstoneIndex, verify

WORDS = st.sampled_from(
    [
        *("run", "never", "orion", "suite", "pnpm", "npm", "before", "merge"),
        *("café", "Größe", "测试", "发布", "合并", "リリース", "테스트", "сборка"),
        *("اختبار", "🙂", "v2", "8080", "été", "ไทย"),
    ]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=30)
SCOPES = st.sampled_from([(), ("global",), ("project:orion",), ("project:vega", "global")])
MODES = st.sampled_from(["strict", "compatibility"])
RECORD_IDS = ("e1", "e2", "e3")


@st.composite
def records(draw: st.DrawFn) -> dict[str, EvidenceRecord]:
    cited = draw(st.lists(st.sampled_from(RECORD_IDS), unique=True))
    return {
        evidence_id: EvidenceRecord(
            evidence_id=evidence_id,
            source_kind="conversation",
            trust_class=draw(st.sampled_from(TrustClass)),
            source_excerpt=draw(TEXTS),
            source_summary=draw(TEXTS),
            source_session=draw(st.sampled_from(["", "s1", "s2"])),
            created=draw(st.sampled_from(["", "2026-08-10T12:00:00Z", "2026-08-11T12:00:00Z"])),
            durability_signal=draw(st.sampled_from(Durability)),
            polarity=draw(st.sampled_from(Polarity)),
            redaction_status=draw(st.sampled_from(Redaction)),
            profile=draw(st.sampled_from(["", "p", "q"])),
            scopes=draw(SCOPES),
        )
        for evidence_id in cited
    }


PROPOSALS = st.builds(
    Proposal,
    proposal_id=st.just("prop-1"),
    statement=TEXTS,
    layer=st.sampled_from(Layer),
    scopes=SCOPES,
    profile=st.sampled_from(["", "p", "q"]),
    evidence=st.lists(st.sampled_from(RECORD_IDS), unique=True).map(tuple),
    trust_class=st.none() | st.sampled_from(TrustClass),
    durability_signal=st.none() | st.sampled_from(Durability),
    poisoning_risk=st.sampled_from(["", "low", "medium", "high", "strange"]),
    match_kind=st.none() | st.sampled_from(MatchKind),
    tainted=st.booleans(),
)
MATCHES = st.builds(
    MatchResult,
    kind=st.sampled_from(MatchKind),
    normalized_key=st.just("k"),
    matched=st.sampled_from([(), ("mem-a",), ("mem-a", "mem-b")]),
    targets=st.sampled_from([(), ("mem-c",)]),
    target_problem=st.sampled_from(["", "mem-c was deleted"]),
)
RANK = {
    VerificationStatus.REJECTED: 0,
    VerificationStatus.REVIEW_REQUIRED: 1,
    VerificationStatus.LEGACY_UNVERIFIED: 2,
    VerificationStatus.VERIFIED: 3,
}
NO_TOMBSTONES = TombstoneIndex.of(())


@given(PROPOSALS, records(), MATCHES, MODES)
def test_a_report_is_complete_and_repeatable(proposal, held, match, mode) -> None:
    def run():
        return verify(
            proposal, records=held, match=match, tombstones=NO_TOMBSTONES, governance=mode
        )

    report = run()
    assert repr(report) == repr(run())
    assert [finding.check for finding in report.findings] == list(Check)
    assert report.eligible is (not report.eligibility_reasons)
    assert all(finding.lifts for finding in (*report.flags, *report.blocks))
    named = {reason for finding in report.findings for reason in finding.failure_reasons}
    assert set(report.failure_reasons) == named


@given(PROPOSALS, records(), MATCHES, MODES, st.sampled_from(["id", "memory", "content", "purge"]))
def test_a_tombstoned_input_is_rejected_whatever_else(proposal, held, match, mode, by) -> None:
    deleted = {"id": "prop-1", "memory": "mem-1"}.get(by, "other")
    stone = Tombstone(
        tombstone_id="tomb-1",
        deleted_id=deleted,
        deleted_at="2026-08-01T00:00:00Z",
        content_hash=ids.content_hash(proposal.statement) if by == "content" else "",
    )
    index = TombstoneIndex.of([stone], lambda _: ("tomb-1",) if by == "purge" else ())
    report = verify(proposal, records=held, match=match, tombstones=index, governance=mode)
    assert report.status is VerificationStatus.REJECTED
    assert report.failure_reasons[0] == "tombstoned_recreation"
    assert not report.eligible


@given(PROPOSALS, records(), MATCHES, MODES, st.sampled_from(RECORD_IDS))
def test_redacting_a_record_never_raises_the_status(proposal, held, match, mode, which) -> None:
    def status(records):
        return verify(
            proposal, records=records, match=match, tombstones=NO_TOMBSTONES, governance=mode
        ).status

    after = {id: redacted(record) if id == which else record for id, record in held.items()}
    assert RANK[status(after)] <= RANK[status(held)]


@given(TEXTS, st.lists(TEXTS, max_size=4), TEXTS)
def test_adding_supporting_evidence_never_lowers_measured_support(statement, held, more) -> None:
    for short_words in (False, True):
        before = support.measure(statement, held, short_words=short_words)
        after = support.measure(statement, [*held, more], short_words=short_words)
        assert after.counted == before.counted
        assert after.found >= before.found


@given(TEXTS)
def test_a_statement_is_wholly_supported_by_itself(statement) -> None:
    measured = support.measure(statement, [statement], short_words=True)
    assert measured.found == measured.counted


@given(PROPOSALS, records(), MATCHES)
def test_an_l1_rejected_or_tainted_proposal_is_never_preselected(proposal, held, match) -> None:
    for mode in ("strict", "compatibility"):
        report = verify(
            proposal, records=held, match=match, tombstones=NO_TOMBSTONES, governance=mode
        )
        if report.eligible:
            assert proposal.layer is Layer.L2
            assert not proposal.tainted
            assert report.status is not VerificationStatus.REJECTED
            assert report.poisoning_risk != "high"


@settings(max_examples=50)
@given(PROPOSALS, records(), MATCHES, MODES)
def test_records_that_are_not_cited_make_no_difference(proposal, held, match, mode) -> None:
    def run(records):
        return verify(
            proposal, records=records, match=match, tombstones=NO_TOMBSTONES, governance=mode
        )

    stranger = EvidenceRecord(
        evidence_id="stranger",
        source_kind="file",
        trust_class=TrustClass.REPOSITORY_TEXT,
        source_excerpt=proposal.statement,
        redaction_status=Redaction.DELETED,
    )
    assert run({**held, "stranger": stranger}) == run(held)
    assert run({id: r for id, r in held.items() if id in proposal.evidence}) == run(held)
    assert run(dict(reversed(held.items()))) == run(held)
    assert replace(proposal, evidence=proposal.evidence) == proposal
