"""Two people on one vault: who comes second is told, whatever the first one did."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.curation.check import check, is_note
from proofstone.curation.context import Context
from proofstone.curation.gate import submit
from proofstone.curation.rulings import apply, preview, rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import Choices, RulingRefused
from proofstone.vault.errors import StaleError, VaultLockedError
from proofstone.vault.lock import VaultLock
from proofstone.vault.note_writer import new_note
from tests.conftest import contents

WORDS = "Orion deploys on Tuesdays, after the smoke tests."


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A proposal, and a memory that says the same."""
    vault = tmp_path / "vault"
    for room, keys in (
        ("proposals", {"proposal_id": "prop-1", "status": "open", "origin": "person"}),
        ("knowledge", {"memory_id": "mem-old", "title": "Deploys"}),
    ):
        (vault / room).mkdir(parents=True)
        (vault / room / f"{next(iter(keys.values()))}.md").write_bytes(new_note(keys, WORDS))
    return vault


def test_a_tombstone_of_the_same_words_placed_meanwhile_stops_a_ratification(
    root: Path, context: Context
) -> None:
    mine = Workspace.open(root, context)
    previewed = preview(mine, "ratify", ["prop-1"], Choices(reason="so", target=("new",)))
    assert previewed.allowed
    rule(Workspace.open(root, context), "tombstone", ["mem-old"], Choices(reason="invalid"))
    before = contents(root)
    with pytest.raises(RulingRefused, match="tombstoned since it was read"):
        apply(mine, previewed)
    assert contents(root) == before
    found = check(Workspace.open(root, context))
    assert [problem.code for problem in found if not is_note(problem)] == []


def test_a_tombstone_of_other_words_stops_nothing(root: Path, context: Context) -> None:
    (root / "knowledge/mem-2.md").write_bytes(
        new_note({"memory_id": "mem-2", "title": "Tea"}, "Mira drinks tea.")
    )
    mine = Workspace.open(root, context)
    previewed = preview(mine, "ratify", ["prop-1"], Choices(reason="so", target=("new",)))
    rule(Workspace.open(root, context), "tombstone", ["mem-2"], Choices(reason="invalid"))
    assert apply(mine, previewed).rulings


def test_who_rules_second_on_a_note_is_told_which(root: Path, context: Context) -> None:
    mine, theirs = Workspace.open(root, context), Workspace.open(root, context)
    previewed = preview(mine, "contest", ["mem-old"], Choices(reason="why?"))
    rule(theirs, "contest", ["mem-old"], Choices(reason="because"))
    before = contents(root)
    with pytest.raises(StaleError) as refused:
        apply(mine, previewed)
    assert refused.value.path == "knowledge/mem-old.md"
    assert refused.value.path in str(refused.value)
    assert refused.value.present == before["knowledge/mem-old.md"]
    assert contents(root) == before


def test_an_answer_stored_meanwhile_is_not_written_over(demo_vault: Path, context: Context) -> None:
    mine, theirs = Workspace.open(demo_vault, context), Workspace.open(demo_vault, context)
    turn = "claude-code/atlas-load#4"
    assert submit(theirs, turn, b"{}", answered_by="theirs", kind="model").refusal
    before = contents(demo_vault)
    with pytest.raises(StaleError, match="gate/claude-code/atlas-load"):
        submit(mine, turn, b"{}", answered_by="mine", kind="model")
    assert contents(demo_vault) == before


def test_an_unreadable_answer_is_not_written_over(demo_vault: Path, context: Context) -> None:
    (answer,) = (demo_vault / "gate/claude-code/atlas-load").glob("0002-*.json")
    answer.write_bytes(b"{broken")
    workspace = Workspace.open(demo_vault, context)
    with pytest.raises(StaleError):
        submit(workspace, "claude-code/atlas-load#2", b"{}", answered_by="x", kind="model")
    assert answer.read_bytes() == b"{broken"


def test_a_held_lock_is_a_clear_refusal_and_a_dead_holders_is_none(root: Path) -> None:
    with VaultLock(root), pytest.raises(VaultLockedError, match="try again") as refused:
        VaultLock(root, timeout=0).__enter__()
    assert "\n" not in str(refused.value)
    # What a dead process leaves is the file; the lock itself went with it.
    (root / "_state/vault.lock").write_bytes(b"4242\n")
    with VaultLock(root, timeout=0):
        pass
