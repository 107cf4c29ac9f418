"""The Verifier pane explains whatever the verifier says, and changes classes in place."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui_bench import Bench, files_of, opened

from proofstone.curation.views import ProposalView
from proofstone.domain.governance import REVIEW_REASONS
from proofstone.domain.records import MatchKind, TrustClass
from proofstone.domain.trust import TRUST
from proofstone.domain.verification import Eligibility, VerificationStatus
from proofstone.domain.verifier import REASON_ORDER
from proofstone.tui.explaining import (
    ELIGIBILITY_MEANING,
    FAILURE_MEANING,
    MATCH_MEANING,
    POLARITY_LOOK,
    STATUS_MEANING,
)
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import STATUS_LOOK, spoken


def whole(bench: Bench, selector: str = "#verifier") -> str:
    """Every row of a list, as one line of words: what scrolling would show."""
    found = bench.app.screen.query_one(selector, LineList)
    rows = (found.source.row(index) for index in range(len(found.source)))
    return " ".join(" ".join(f"{row.gutter.plain} {row.body.plain}".split()) for row in rows)


def test_every_identifier_has_its_words() -> None:
    assert set(STATUS_MEANING) == set(VerificationStatus)
    assert set(FAILURE_MEANING) == set(REASON_ORDER)
    assert set(MATCH_MEANING) == set(MatchKind)
    assert set(ELIGIBILITY_MEANING) == set(Eligibility)


async def test_whatever_the_demo_vault_produces_is_explained(demo_vault: Path) -> None:
    produced: dict[str, set[str]] = {"status": set(), "reason": set(), "match": set(), "may": set()}
    async with opened(demo_vault, (200, 60)) as bench:
        for _ in bench.workspace.queue:
            report = bench.workspace.proposal(bench.subject).report
            match = bench.workspace.proposal(bench.subject).match
            said = whole(bench)
            assert STATUS_LOOK[report.status][1] in said
            assert STATUS_MEANING[report.status] in said
            for reason in report.failure_reasons:
                assert f"{spoken(reason)}: {FAILURE_MEANING[reason]}" in said
            assert spoken(match.kind.value) in said
            assert MATCH_MEANING[match.kind] in said
            may = report.promotion_eligibility
            assert f"{spoken(may.value)}: {ELIGIBILITY_MEANING[may]}" in said
            for reason in report.eligibility_reasons:
                assert REVIEW_REASONS[reason] in said or reason == may.value
            for finding in (*report.flags, *report.blocks):
                assert not finding.lifts or f"lifts: {finding.lifts}" in said
            produced["status"].add(report.status)
            produced["reason"].update(report.failure_reasons)
            produced["match"].add(match.kind)
            produced["may"].add(may)
            await bench.press("j")
    assert produced["status"] >= set(VerificationStatus) - {VerificationStatus.LEGACY_UNVERIFIED}
    assert produced["reason"] == set(REASON_ORDER)
    assert produced["match"] == set(MatchKind)
    assert produced["may"] == set(Eligibility)


async def test_legacy_unverified_is_explained(demo_vault: Path) -> None:
    settings = demo_vault / "proofstone.yaml"
    told = settings.read_text(encoding="utf-8").replace('"strict"', '"compatibility"')
    settings.write_text(told, encoding="utf-8")

    def wanted(view: ProposalView) -> bool:
        return view.report.status is VerificationStatus.LEGACY_UNVERIFIED

    async with opened(demo_vault, (200, 60)) as bench:
        await bench.select(wanted)
        said = whole(bench)
        assert "legacy, unverified" in said
        assert STATUS_MEANING[VerificationStatus.LEGACY_UNVERIFIED] in said


async def test_a_measure_has_a_bar_against_its_threshold(demo_vault: Path) -> None:
    async with opened(demo_vault, (200, 60)) as bench:
        for _ in bench.workspace.queue:
            found = bench.app.screen.query_one("#verifier", LineList)
            for finding in bench.workspace.proposal(bench.subject).report.findings:
                row = next(
                    found.source.row(index)
                    for index in range(len(found.source))
                    if found.source.key(index) == f"finding-{finding.check.value}"
                )
                bar = "".join(c for c in row.body.plain.split("\n")[0] if c in "█░┃")
                if isinstance(finding.measured, float) and isinstance(finding.threshold, float):
                    assert len(bar) == 11
                    assert bar.count("┃") == 1
                    assert bar.count("█") == round(finding.measured * 10)
                else:
                    assert not bar
            await bench.press("j")


async def test_records_are_listed_with_polarity_and_redaction(demo_vault: Path) -> None:
    seen = ""
    async with opened(demo_vault, (200, 60)) as bench:
        for _ in bench.workspace.queue:
            view = bench.workspace.proposal(bench.subject)
            said = whole(bench)
            for record in view.records:
                sign, _ = POLARITY_LOOK[record.polarity]
                assert (
                    f"{sign} {record.polarity.value} · {spoken(record.trust_class.value)}" in said
                )
            for evidence_id in view.missing_evidence:
                assert f"missing: it is not in the vault {evidence_id}" in said
            seen += said
            await bench.press("j")
    assert "‹redacted: its words were removed›" in seen
    assert "It rests on" in seen


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_trust_class_is_changed_in_place(demo_vault: Path, size: tuple[int, int]) -> None:
    async with opened(demo_vault, size) as bench:
        view = await bench.select(
            lambda v: v.proposal.trust_class is TrustClass.REPOSITORY_TEXT and not v.report.blocks
        )
        await bench.press("6", "C")
        shown = whole(bench, "#classes")
        for trust_class, rule in TRUST.items():
            assert spoken(trust_class.value) in shown
            assert rule.meaning in shown
        assert "repository text · as it is now" in shown
        await bench.press("g", "enter")
        now = bench.workspace.proposal(view.proposal_id)
        assert now.proposal.trust_class is TrustClass.DIRECT_USER_INSTRUCTION
        assert "low_trust_source" not in now.report.failure_reasons
        note = (demo_vault / f"proposals/{view.proposal_id}.md").read_text(encoding="utf-8")
        assert 'trust_class: "direct_user_instruction"' in note
        assert bench.subject == view.proposal_id
        await bench.press("u")
        assert bench.workspace.proposal(view.proposal_id).proposal == view.proposal


async def test_the_durability_is_changed_in_place(demo_vault: Path) -> None:
    async with opened(demo_vault) as bench:
        view = await bench.select(lambda v: "temporary_durability" in v.report.failure_reasons)
        before = files_of(demo_vault)
        await bench.press("D", "enter")
        assert files_of(demo_vault) == before, "the one that it has changes nothing"
        await bench.press("D", "escape")
        assert files_of(demo_vault) == before
        await bench.press("D", "G", "k", "enter")
        now = bench.workspace.proposal(view.proposal_id)
        assert now.proposal.durability_signal == "long_term"
        assert "temporary_durability" not in now.report.failure_reasons
