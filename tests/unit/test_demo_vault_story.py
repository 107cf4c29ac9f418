"""The demo vault as the workbench sees it: one of every match, verdict, state and fault."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from proofstone.curation import history
from proofstone.curation.check import check
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain import consolidation, inquiries
from proofstone.domain.proposing import propose
from proofstone.domain.records import Holdings, Layer, MatchKind, Proposal
from proofstone.domain.verification import Check, Eligibility, VerificationStatus

DEMO = Path(__file__).parents[2] / "demo-vault"
PAGE = Path(__file__).parents[2] / "docs" / "demo-vault.md"
UNREADABLE = "knowledge/mem-20261110142233-57d0c9ae.md"
PARTLY_READABLE = "knowledge/mem-20261108090541-f3a1620b.md"
NOW = datetime(2026, 11, 27, 9, tzinfo=UTC)


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    """The vault as the workbench opens it, on the story's last morning. Opening writes nothing."""
    return Workspace.open(DEMO, Context(clock=lambda: NOW, author="Mira Tal"))


def waiting(workspace: Workspace, beginning: str) -> str:
    """The id of the waiting proposal whose statement begins like this."""
    (found,) = [
        view.proposal_id
        for view in workspace.queue
        if view.proposal.statement.startswith(beginning)
    ]
    return found


class TestQueue:
    def test_its_size_is_that_of_a_morning(self, workspace: Workspace) -> None:
        assert len(workspace.queue) == 19
        assert sum(not view.is_due for view in workspace.queue) == 1

    @pytest.mark.parametrize(
        ("beginning", "kind"),
        [
            ("The Atlas nightly load", MatchKind.NEW),
            ("Use pnpm for Orion, and", MatchKind.DUPLICATE),
            ("From December Orion", MatchKind.POTENTIAL_CONFLICT),
            ("Atlas now keeps", MatchKind.UPDATES_EXISTING),
            ("The Orion suite runs 214", MatchKind.STRENGTHENS_EXISTING),
            ("Orion sends its logs", MatchKind.SUPERSEDES_EXISTING),
            ("Every pull request", MatchKind.AMBIGUOUS),
        ],
    )
    def test_every_match_kind_occurs(
        self, workspace: Workspace, beginning: str, kind: MatchKind
    ) -> None:
        assert workspace.proposal(waiting(workspace, beginning)).match.kind is kind

    def test_no_match_kind_is_forgotten(self, workspace: Workspace) -> None:
        assert {view.match.kind for view in workspace.queue} == set(MatchKind)

    @pytest.mark.parametrize(
        ("beginning", "reasons"),
        [
            ("The Atlas nightly load", ()),
            ("Atlas 的日期字段", ()),
            ("From December Orion", ("match_requires_review",)),
            ("The vendor allows", ("low_trust_source",)),
            ("Orion's end-to-end", ("low_trust_source", "high_poisoning_risk")),
            ("Hold Orion deploys", ("temporary_durability",)),
            ("No release goes out", ("scope_unsupported",)),
            ("Orion session tokens", ("source_not_supportive",)),
            (
                "Orion error pages",
                ("missing_evidence", "strict_governance_missing_trust_metadata"),
            ),
            (
                "When an Orion release",
                ("missing_evidence", "low_trust_source", "reworded_return"),
            ),
            (
                "The Atlas on-call",
                ("redacted_or_deleted_evidence", "source_not_supportive"),
            ),
            (
                "Skip the smoke tests",
                ("tombstoned_recreation", "low_trust_source", "high_poisoning_risk"),
            ),
        ],
    )
    def test_every_failure_reason_occurs(
        self, workspace: Workspace, beginning: str, reasons: tuple[str, ...]
    ) -> None:
        report = workspace.proposal(waiting(workspace, beginning)).report
        assert report.failure_reasons == reasons
        assert [finding.check for finding in report.findings] == list(Check)

    def test_every_status_and_eligibility_occurs(self, workspace: Workspace) -> None:
        reports = [view.report for view in workspace.queue]
        assert {report.status for report in reports} == {
            VerificationStatus.VERIFIED,
            VerificationStatus.REVIEW_REQUIRED,
            VerificationStatus.REJECTED,
        }
        assert {report.promotion_eligibility for report in reports} == set(Eligibility)
        assert {report.poisoning_risk for report in reports} == {"low", "medium", "high"}

    def test_legacy_unverified_occurs_in_compatibility_mode(self, tmp_path: Path) -> None:
        vault = tmp_path / "vault"
        shutil.copytree(DEMO, vault)
        settings = vault / "proofstone.yaml"
        strict = settings.read_text(encoding="utf-8")
        assert 'governance_mode: "strict"' in strict
        settings.write_text(strict.replace('"strict"', '"compatibility"'), encoding="utf-8")
        lenient = Workspace.open(vault, Context(clock=lambda: NOW, author="Mira Tal"))
        legacy = [
            view.proposal.statement
            for view in lenient.queue
            if view.report.status is VerificationStatus.LEGACY_UNVERIFIED
        ]
        assert legacy == ["Orion error pages link to the status page."]

    def test_what_may_be_preselected(self, workspace: Workspace) -> None:
        assert {view.proposal.statement for view in workspace.queue if view.is_preselected} == {
            "The Atlas nightly load starts at 02:30 UTC and must finish before 06:00 UTC.",
            "Use pnpm for Orion, and never npm.",
            "Atlas now keeps snapshots for 45 days.",
            "Atlas 的日期字段一律用 UTC，不用本地时间。",
        }

    def test_siblings_in_two_languages(self, workspace: Workspace) -> None:
        for beginning, title, score in (
            ("The Atlas nightly load", "The Atlas weekly load", 0.8),
            ("Atlas 的日期字段", "Atlas 的时间字段", 0.79),
        ):
            sibling = workspace.proposal(waiting(workspace, beginning)).siblings[0]
            assert sibling.title.startswith(title)
            assert sibling.score == score

    def test_the_tainted_proposal_hides_text_and_gives_orders(self, workspace: Workspace) -> None:
        view = workspace.proposal(waiting(workspace, "Orion deploys need no review."))
        assert {finding.rule for finding in view.taint} == {
            "hidden_zero_width",
            "drop_instructions",
        }

    def test_gate_proposals_are_what_their_answers_propose(self, workspace: Workspace) -> None:
        """Up to what a person adds later: tags, kind, rule type, edits and rulings."""
        held = {record.evidence_id for record in workspace.holdings.evidence}
        for view in workspace.turns:
            if view.gate is None or view.gate.answer is None:
                continue
            proposed = propose(
                view.turn,
                view.units,
                view.gate.answer,
                profile=workspace.settings.profile,
                now=view.gate.answered_at,
            )
            assert {record.evidence_id for record in proposed.records} <= held
            for fresh in proposed.proposals:
                assert essence(workspace.proposals[fresh.proposal_id]) == essence(fresh)

    def test_the_l1_proposal_is_what_consolidation_offers(self, workspace: Workspace) -> None:
        (l1,) = [p for p in workspace.proposals.values() if p.layer is Layer.L1]
        held = workspace.holdings
        (offered,) = consolidation.consolidate(
            Holdings(memories=held.memories, evidence=held.evidence)
        )
        assert l1.proposal_id == offered.proposal_id
        assert l1.original_statement == offered.statement
        assert l1.l1_sources == offered.l1_sources
        assert consolidation.consolidate(held) == ()

    def test_matches_that_need_a_person_have_open_inquiries(self, workspace: Workspace) -> None:
        held = {inquiry.inquiry_id: inquiry for inquiry in workspace.holdings.inquiries}
        for beginning in ("From December", "Orion sends its logs", "Every pull request"):
            view = workspace.proposal(waiting(workspace, beginning))
            raised = inquiries.from_match(view.proposal, view.match, opened="")
            assert raised is not None
            assert held[raised.inquiry_id].status == inquiries.OPEN
            assert held[raised.inquiry_id].question == raised.question


def essence(proposal: Proposal) -> tuple[object, ...]:
    return (
        proposal.original_statement or proposal.statement,
        proposal.turn,
        proposal.candidate_id,
        proposal.bindings,
        proposal.evidence,
        proposal.trust_class,
        proposal.durability_signal,
        proposal.update_memory_id,
        proposal.sources,
        proposal.created,
    )


class TestTurnStates:
    @pytest.mark.parametrize(
        ("reference", "state"),
        [
            ("codex/orion-release#1", "settled"),
            ("codex/orion-release#3", "open"),
            ("codex/orion-release#4", "incomplete"),
            ("claude-code/atlas-load#2", "refused"),
            ("claude-code/atlas-load#3", "open"),
            ("claude-code/atlas-load#4", "waiting"),
            ("hermes/lin-qiao#2", "open"),
        ],
    )
    def test_every_state_occurs(self, workspace: Workspace, reference: str, state: str) -> None:
        assert workspace.turn(reference).state.value == state

    def test_deferred_units_and_unresolved_ones_keep_turns_open(self, workspace: Workspace) -> None:
        assert workspace.turn("claude-code/atlas-load#3").counts.deferred == 5
        for reference in ("codex/orion-ci#2", "hermes/lin-qiao#2"):
            assert workspace.turn(reference).counts.unresolved == 1


class TestCheck:
    def test_it_lists_exactly_what_is_planted(self, workspace: Workspace) -> None:
        drifted = in_force(workspace, "The Atlas weekly load")
        broken = waiting(workspace, "When an Orion release")
        assert [(problem.code, problem.path, problem.line) for problem in check(workspace)] == [
            ("unreadable_event", "inbox/hermes/desk.md", 21),
            ("drifted_anchor", f"knowledge/{drifted}.md", None),
            ("unreadable_key", PARTLY_READABLE, 11),
            ("unreadable_note", UNREADABLE, 6),
            ("broken_link", f"proposals/{broken}.md", None),
        ]

    def test_the_page_lists_the_same_faults(self, workspace: Workspace) -> None:
        page = PAGE.read_text(encoding="utf-8")
        for problem in check(workspace):
            assert f"`{problem.code}`" in page
            assert problem.path in page


def in_force(workspace: Workspace, beginning: str) -> str:
    (found,) = [
        view.memory_id for view in workspace.memories if view.memory.statement.startswith(beginning)
    ]
    return found


class TestJournal:
    def test_it_tells_every_ruling_of_the_notes(self, workspace: Workspace) -> None:
        told = {entry.ruling.ruling_id for entry in history.entries(workspace)}
        held = workspace.holdings
        named = {
            *(m.ratified.ruling for m in (*held.memories, *held.history) if m.ratified),
            *(p.ruling for p in held.proposals if p.ruling),
        }
        assert named
        assert named <= told

    def test_it_holds_every_action(self, workspace: Workspace) -> None:
        actions = {entry.ruling.action for entry in history.entries(workspace)}
        assert actions == {
            "ratify",
            "defer",
            "supersede",
            "tombstone",
            "dismiss",
            "edit",
            "contest",
        }

    def test_every_ruling_can_be_shown_whole(self, workspace: Workspace) -> None:
        for entry in history.entries(workspace):
            assert workspace.journal.changes(entry.ruling)

    def test_the_last_ruling_can_be_undone(self, tmp_path: Path) -> None:
        shutil.copytree(DEMO, tmp_path / "vault")
        copy = Workspace.open(tmp_path / "vault", Context(clock=lambda: NOW, author="Mira Tal"))
        history.undo(copy)
        after = copy.reload()
        memory = in_force(after, "Atlas stores amounts")
        (view,) = [view for view in after.memories if view.memory_id == memory]
        assert view.memory.standing.value == "active"
