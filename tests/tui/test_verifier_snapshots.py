"""Pictures of the Verifier pane: each status, failure reason, match kind and eligibility.

Over the demo vault, with the pane zoomed; ``--snapshot-update`` after looking at each.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from test_snapshots import SIZES, Compare, after, at_proposal
from tui_bench import app_on

from proofstone.curation.views import ProposalView
from proofstone.domain.records import MatchKind
from proofstone.domain.verification import Eligibility, VerificationStatus
from proofstone.domain.verifier import REASON_ORDER

Wanted = Callable[[ProposalView], bool]


def _of_status(status: VerificationStatus) -> Wanted:
    return lambda view: view.report.status is status


def _of_reason(reason: str) -> Wanted:
    return lambda view: reason in view.report.failure_reasons


def _of_match(kind: MatchKind) -> Wanted:
    return lambda view: view.match.kind is kind


def _of_eligibility(may: Eligibility) -> Wanted:
    return lambda view: view.report.promotion_eligibility is may


WANTED: dict[str, Wanted] = {
    **{f"status-{status}": _of_status(status) for status in VerificationStatus},
    **{f"reason-{reason}": _of_reason(reason) for reason in REASON_ORDER},
    **{f"match-{kind}": _of_match(kind) for kind in MatchKind},
    **{f"eligibility-{may}": _of_eligibility(may) for may in Eligibility},
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", WANTED)
def test_verifier(snap_compare: Compare, demo_vault: Path, state: str, size: str) -> None:
    if state == f"status-{VerificationStatus.LEGACY_UNVERIFIED}":
        settings = demo_vault / "proofstone.yaml"
        told = settings.read_text(encoding="utf-8").replace('"strict"', '"compatibility"')
        settings.write_text(told, encoding="utf-8")
    run = after("6", "z", goal=at_proposal(WANTED[state]))
    assert snap_compare(app_on(demo_vault), terminal_size=SIZES[size], run_before=run)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("key", ["C", "D"])
def test_class_picker(snap_compare: Compare, demo_vault: Path, key: str, size: str) -> None:
    run = after("6", key)
    assert snap_compare(app_on(demo_vault), terminal_size=SIZES[size], run_before=run)
