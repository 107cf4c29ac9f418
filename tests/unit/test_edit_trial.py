"""An edit judged before it is written: the same as after it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.curation import rulings
from proofstone.curation.context import Context
from proofstone.curation.edit_trial import judge
from proofstone.curation.workspace import Workspace
from proofstone.domain.plan import Value
from proofstone.domain.records import Layer, TrustClass
from proofstone.domain.rulings import Choices, RulingRefused
from proofstone.domain.rulings.trial import edited

EDITS: list[dict[str, Value]] = [
    {"statement": "Orion's tests need no Docker any more."},
    {"trust_class": "third_party_documentation"},
    {"durability_signal": "temporary"},
    {"scopes": ("global",), "tags": ("docker",)},
    {"layer": "L1"},
    {"known_exceptions": ("on Windows",)},
]


@pytest.mark.parametrize("edits", EDITS, ids=lambda edits: ",".join(edits))
def test_the_verdict_beforehand_is_the_verdict_afterwards(
    demo_vault: Path, context: Context, edits: dict[str, Value]
) -> None:
    workspace = Workspace.open(demo_vault, context)
    subjects = [v for v in workspace.queue if v.proposal.layer is Layer.L2]
    trials = {v.proposal_id: judge(workspace, v.proposal, edits) for v in subjects}
    for view in subjects:
        trial = trials[view.proposal_id]
        before = Workspace.open(demo_vault, context)
        planned = rulings.preview(before, "edit", [view.proposal_id], Choices(edits=edits))
        if not planned.allowed:
            continue
        after = before.after(planned.rows[0].changes).proposal(view.proposal_id)
        assert trial.report == after.report
        assert trial.match == after.match
        assert trial.siblings == after.siblings
        assert trial.taint == after.taint
        assert trial.statement == after.proposal.statement


def test_no_edit_gives_the_verdict_as_it_stands(demo_vault: Path, context: Context) -> None:
    workspace = Workspace.open(demo_vault, context)
    view = workspace.queue[0]
    trial = judge(workspace, view.proposal, {})
    assert (trial.report, trial.match, trial.siblings) == (view.report, view.match, view.siblings)


def test_a_memory_is_judged_too(demo_vault: Path, context: Context) -> None:
    workspace = Workspace.open(demo_vault, context)
    memory = workspace.memories[0].memory
    trial = judge(workspace, memory, {"trust_class": "repository_text"})
    assert trial.report is not None
    assert "low_trust_source" in trial.report.failure_reasons


def test_what_cannot_be_kept_is_said_in_words(demo_vault: Path, context: Context) -> None:
    workspace = Workspace.open(demo_vault, context)
    proposal = workspace.queue[0].proposal
    assert "layer must be one of" in judge(workspace, proposal, {"layer": "L9"}).fault
    with pytest.raises(RulingRefused):
        edited(proposal, {"created": "2026-01-01"})


def test_values_have_their_own_types(demo_vault: Path, context: Context) -> None:
    proposal = Workspace.open(demo_vault, context).queue[0].proposal
    changed = edited(proposal, {"layer": "L1", "trust_class": "user_correction"})
    assert changed.layer is Layer.L1
    assert changed.trust_class is TrustClass.USER_CORRECTION
    assert changed.poisoning_risk == ""
