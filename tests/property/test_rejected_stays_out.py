"""A proposal that the verifier rejects never becomes a memory, and no L1 ever enters a batch."""

from __future__ import annotations

import shutil
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofstone.curation import history
from proofstone.curation.context import Context
from proofstone.curation.rulings import preview, rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Layer
from proofstone.domain.rulings import ACTIONS, Choices, RulingRefused, short_id
from proofstone.domain.rulings.terms import DEFER_REASONS, DISMISS_REASONS, TOMBSTONE_REASONS
from proofstone.domain.verification import VerificationStatus
from proofstone.resources import resource_dir

CONTEXT = Context(clock=lambda: datetime(2026, 11, 27, 9, tzinfo=UTC), author="Mira Tal")
DEMO = Workspace.open(resource_dir("demo-vault"), CONTEXT)
REJECTED = [v for v in DEMO.queue if v.report.status is VerificationStatus.REJECTED]
WAITING = [view.proposal_id for view in DEMO.queue]
MEMORIES = [memory.memory_id for memory in DEMO.holdings.memories]
L1 = next(view.proposal_id for view in DEMO.queue if view.proposal.layer is Layer.L1)

choices = st.builds(
    Choices,
    reason=st.sampled_from(["", "I insist", *DEFER_REASONS, *DISMISS_REASONS, *TOMBSTONE_REASONS]),
    target=st.lists(st.sampled_from([*MEMORIES, "new"]), max_size=2).map(tuple),
    confirm=st.sampled_from(["", *WAITING, *map(short_id, WAITING)]),
    edits=st.dictionaries(
        st.sampled_from(["layer", "trust_class", "durability_signal", "scopes", "tags", "title"]),
        st.sampled_from(["L1", "L2", "user_correction", "long_term", "global"]),
        max_size=2,
    ),
)
subjects = st.lists(st.sampled_from(WAITING), min_size=1, max_size=4, unique=True)
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(ACTIONS), subjects, choices),
        st.tuples(st.sampled_from(["undo", "redo"]), st.just([]), st.just(Choices())),
    ),
    min_size=1,
    max_size=8,
)


def carry_out(workspace: Workspace, action: str, names: list[str], chosen: Choices) -> None:
    """Do one step; what may not be done is refused, and that is all right."""
    try:
        if action == "undo":
            history.undo(workspace)
        elif action == "redo":
            history.redo(workspace)
        else:
            rule(workspace, action, names, chosen)
    except (RulingRefused, ProofstoneError):
        return


@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(steps)
def test_no_sequence_of_rulings_puts_a_rejected_proposal_in_force(
    script: list[tuple[str, list[str], Choices]],
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(resource_dir("demo-vault"), Path(folder) / "vault"))
        workspace = Workspace.open(root, CONTEXT)
        rejected = set()
        for action, names, chosen in script:
            rejected = {
                view.proposal_id
                for view in workspace.queue
                if view.report.status is VerificationStatus.REJECTED
            }
            carry_out(workspace, action, names, chosen)
            workspace = workspace.reload()
            for proposal_id in rejected:
                proposal = workspace.proposals[proposal_id]
                assert proposal.status.value not in ("ratified", "superseding")
                assert proposal.memory_id == ""


@pytest.mark.parametrize("action", ["ratify", "supersede"])
def test_no_batch_holds_an_l1_or_a_rejected_or_a_tainted_proposal(action: str) -> None:
    chosen = Choices(reason="all of them", confirm=L1, target=(MEMORIES[0],))
    shown = preview(DEMO, action, WAITING, chosen)
    for row in shown.rows:
        view = DEMO.proposal(row.subject)
        if view.proposal.layer is Layer.L1 or view.is_tainted or view in REJECTED:
            assert not row.allowed
            assert row.why
            assert row.changes == ()


def test_redo_cannot_bring_back_what_was_tombstoned_in_between(tmp_path: Path) -> None:
    root = Path(shutil.copytree(resource_dir("demo-vault"), tmp_path / "vault"))
    workspace = Workspace.open(root, CONTEXT)
    clean = next(view.proposal_id for view in workspace.queue if view.is_preselected)
    rule(workspace, "ratify", [clean], Choices(target=("new",)))
    history.undo(workspace.reload())
    rule(workspace.reload(), "tombstone", [clean], Choices(reason="invalid"))
    with pytest.raises(ProofstoneError):
        history.redo(workspace.reload())
    after = workspace.reload()
    assert after.proposals[clean].status.value == "tombstoned"
    assert after.held.memory(clean.replace("prop-", "mem-")) is None


def test_nothing_rejected_tainted_or_l1_is_preselected() -> None:
    for view in DEMO.queue:
        if view.is_preselected:
            assert view.report.status is VerificationStatus.VERIFIED
            assert view.proposal.layer is Layer.L2
            assert not view.is_tainted
            assert view.report.poisoning_risk == "low"
