"""Submitting an answer: what is stored, proposed, withheld, refused, and never done twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from proofstone.curation import gate
from proofstone.curation.context import Context
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_contract import projection
from proofstone.domain.gate_types import EvidenceCheck
from proofstone.domain.rulings import Choices
from tests.conftest import contents

TURN = "claude-code/atlas-load#4"


def answer(workspace: Workspace, statement: str, rows: int | None = None) -> dict[str, Any]:
    """An answer with one candidate from the first unit, and rows for the first so many units."""
    units = projection(workspace.turn(TURN).units)
    first = units[0]
    coverage: list[dict[str, Any]] = [
        {"unit_id": first.unit_id, "decision": "CANDIDATE", "candidate_ids": ["c1"]}
    ]
    coverage += [
        {"unit_id": unit.unit_id, "decision": "NO_CHANGE", "reason": "no_future_value"}
        for unit in units[1:]
    ]
    return {
        "candidates": [
            {
                "candidate_id": "c1",
                "memory": statement,
                "evidence_event_ids": [first.event_key],
                "worth": True,
                "duplicate": False,
                "type": "fact",
                "scopes": ["project:atlas"],
                "scope_source": "user",
            }
        ],
        "coverage": coverage[:rows],
        "evidence_bindings": [
            {
                "candidate_id": "c1",
                "claims": [{"unit_id": first.unit_id, "quote": first.text, "role": "assertion"}],
            }
        ],
    }


def submit(workspace: Workspace, value: object) -> gate.GateResult:
    data = json.dumps(value, ensure_ascii=False).encode()
    return gate.submit(workspace, TURN, data, answered_by="a-model", kind="model")


@pytest.fixture
def workspace(demo_vault: Path, context: Context) -> Workspace:
    return Workspace.open(demo_vault, context)


def test_an_accepted_answer_proposes_with_evidence_and_settles_after_rulings(
    workspace: Workspace,
) -> None:
    result = submit(workspace, answer(workspace, "Atlas amounts are decimals."))
    assert result.refusal is None
    (proposal_id,) = result.proposals
    after = workspace.reload()
    view = after.proposal(proposal_id)
    assert view.missing_evidence == ()
    (record,) = view.records
    assert record.trust_class.value == "direct_user_instruction"
    assert record.unit_id == projection(workspace.turn(TURN).units)[0].unit_id
    assert after.turn(TURN).state.value == "open"
    rule(after, "dismiss", [proposal_id], Choices(reason="negated"))
    assert after.reload().turn(TURN).state.value == "settled"


def test_the_same_answer_twice_changes_nothing(workspace: Workspace) -> None:
    value = answer(workspace, "Atlas amounts are decimals.")
    submit(workspace, value)
    before = contents(workspace.root)
    again = submit(workspace.reload(), value)
    assert not again.changed
    assert contents(workspace.root) == before


def test_another_answer_to_an_answered_turn_is_an_error(workspace: Workspace) -> None:
    submit(workspace, answer(workspace, "Atlas amounts are decimals."))
    with pytest.raises(ProofstoneError, match="another accepted answer"):
        submit(workspace.reload(), answer(workspace, "Something else entirely."))


def test_units_left_over_go_to_one_correction(workspace: Workspace) -> None:
    whole = answer(workspace, "Atlas amounts are decimals.")
    first = submit(workspace, {**whole, "coverage": whole["coverage"][:1]})
    assert first.missing_unit_ids
    assert all(unit_id in first.correction for unit_id in first.missing_unit_ids)
    assert workspace.reload().turn(TURN).counts.covered == 1
    rows = [row for row in whole["coverage"] if row["unit_id"] in first.missing_unit_ids]
    correction = {"candidates": [], "coverage": rows, "evidence_bindings": []}
    second = submit(workspace.reload(), correction)
    assert second.refusal is None
    assert second.missing_unit_ids == ()
    counts = workspace.reload().turn(TURN).counts
    assert counts.covered == counts.physical


def test_a_refused_answer_leaves_the_identifier_the_stage_and_the_time(
    workspace: Workspace,
) -> None:
    value = answer(workspace, "Unmistakable words of the answer.")
    value["evidence_bindings"][0]["claims"][0]["quote"] = "words that are nowhere"
    before = contents(workspace.root)
    result = submit(workspace, value)
    assert result.refusal is not None
    assert result.refusal.evidence_check == EvidenceCheck.INVALID_SPAN
    written = {
        path: data for path, data in contents(workspace.root).items() if before.get(path) != data
    }
    assert not any(b"nowhere" in data or b"Unmistakable" in data for data in written.values())
    view = workspace.reload().turn(TURN)
    assert view.state.value == "refused"
    assert view.gate is not None
    ((at, kept),) = view.gate.refusals
    assert at == "2026-11-27T09:00:00Z"
    assert kept == result.refusal


def test_an_answer_after_a_refusal_is_accepted(workspace: Workspace) -> None:
    gate.submit(workspace, TURN, b"no JSON at all", answered_by="m", kind="model")
    submit(workspace.reload(), answer(workspace, "Atlas amounts are decimals."))
    view = workspace.reload().turn(TURN)
    assert view.state.value == "open"
    assert view.gate is not None and len(view.gate.refusals) == 1


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00", b"[" * 100_000, b'{"candidates": NaN}'])
def test_no_bytes_raise(workspace: Workspace, data: bytes) -> None:
    result = gate.submit(workspace, TURN, data, answered_by="m", kind="model")
    assert result.refusal is not None


def test_what_was_tombstoned_is_withheld_with_a_reason(workspace: Workspace) -> None:
    (buried,) = (
        version.statement
        for version in workspace.holdings.history
        if version.standing.value == "deleted"
    )
    result = submit(workspace, answer(workspace, buried))
    assert result.proposals == ()
    assert any("tombstoned" in why for why in result.withheld)


def test_a_statement_with_a_secret_is_withheld_without_its_value(workspace: Workspace) -> None:
    value = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    result = submit(workspace, answer(workspace, f"The token of Atlas is {value}."))
    assert result.proposals == ()
    assert result.withheld
    assert value not in result.summary
    notes = contents(workspace.root, ("gate/", "_state/"))
    assert not any(value.encode() in data for data in notes.values())


def test_a_conflict_opens_an_inquiry(workspace: Workspace) -> None:
    memory = next(m for m in workspace.holdings.memories if m.project == "atlas" and m.tags)
    value = answer(workspace, f"{memory.statement.rstrip('.')} no longer.")
    result = submit(workspace, value)
    (proposal_id,) = result.proposals
    after = workspace.reload()
    match = after.proposal(proposal_id).match
    raised = [i for i in after.holdings.inquiries if proposal_id in i.concerns]
    assert bool(raised) == (match.kind.value in ("potential_conflict", "ambiguous"))


def test_incomplete_and_unknown_turns_are_errors(workspace: Workspace) -> None:
    for reference in ("codex/orion-release#4", "codex/none#9"):
        with pytest.raises(ProofstoneError):
            gate.prompt(workspace, reference)
        with pytest.raises(ProofstoneError):
            gate.submit(workspace, reference, b"{}", answered_by="m", kind="model")


def test_a_stored_answer_that_the_text_no_longer_bears_out_is_told(
    workspace: Workspace, context: Context
) -> None:
    submit(workspace, answer(workspace, "Atlas amounts are decimals."))
    inbox = workspace.root / "inbox" / "claude-code" / "atlas-load.md"
    text = inbox.read_text(encoding="utf-8")
    first = projection(workspace.turn(TURN).units)[0].text
    assert text.count(first) >= 1
    inbox.write_text(text.replace(first, first.upper()), encoding="utf-8")
    changed = Workspace.open(workspace.root, replace(context))
    with pytest.raises(ProofstoneError, match="changed since it was answered"):
        submit(changed, answer(workspace, "Atlas amounts are decimals."))


def test_what_was_dismissed_may_be_proposed_again_by_another_turn(workspace: Workspace) -> None:
    clean = next(view.proposal for view in workspace.queue if view.is_preselected)
    rule(workspace, "dismiss", [clean.proposal_id], Choices(reason="negated"))
    after = workspace.reload()
    value = answer(after, clean.statement)
    value["candidates"][0]["scopes"] = list(clean.scopes)
    result = submit(after, value)
    assert result.proposals == (clean.proposal_id,)
    again = workspace.reload().proposals[clean.proposal_id]
    assert again.status.value == "open"
    assert (again.ruling, again.ruled_by) == ("", "")
    assert set(again.evidence) > set(clean.evidence)
    assert again.turn == TURN


def test_a_correction_does_not_reopen_what_was_dismissed(workspace: Workspace) -> None:
    whole = answer(workspace, "Atlas amounts are decimals.")
    first = submit(workspace, {**whole, "coverage": whole["coverage"][:1]})
    rule(workspace.reload(), "dismiss", list(first.proposals), Choices(reason="negated"))
    rows = [row for row in whole["coverage"] if row["unit_id"] in first.missing_unit_ids]
    second = submit(
        workspace.reload(), {"candidates": [], "coverage": rows, "evidence_bindings": []}
    )
    assert second.proposals == ()
    assert workspace.reload().proposals[first.proposals[0]].status.value == "dismissed"
