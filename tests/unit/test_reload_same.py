"""A view that takes over the last one's indexes is the view of a vault that is opened anew."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from proofstone.curation import history, rulings
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.rulings import Choices, RulingRefused, short_id

DEMO = Path(__file__).parents[2] / "demo-vault"
CONTEXT = Context(clock=lambda: datetime(2026, 11, 27, 9, tzinfo=UTC), author="Mira Tal")


def assert_same(reloaded: Workspace, fresh: Workspace) -> None:
    assert reloaded.contents == fresh.contents
    assert reloaded.queue == fresh.queue
    assert [tuple(view.siblings) for view in reloaded.queue] == [
        tuple(view.siblings) for view in fresh.queue
    ]
    assert reloaded.memories == fresh.memories
    for memory in fresh.holdings.memories:
        own, other = (view.memory_judgement(memory.memory_id) for view in (reloaded, fresh))
        assert own == other
        assert tuple(own.siblings) == tuple(other.siblings)


def ruled(workspace: Workspace, action: str, subject: str) -> bool:
    reason = {"dismiss": "no_future_value", "tombstone": "invalid", "defer": "later"}
    choices = Choices(reason=reason.get(action, "it is so"), confirm=short_id(subject))
    try:
        rulings.rule(workspace, action, [subject], choices)
    except (RulingRefused, ProofstoneError):
        return False
    return True


@pytest.mark.parametrize(
    "actions", [("ratify", "undo"), ("supersede", "tombstone", "undo", "undo")]
)
def test_after_every_ruling_and_undo(tmp_path: Path, actions: tuple[str, ...]) -> None:
    root = tmp_path / "vault"
    shutil.copytree(DEMO, root)
    workspace = Workspace.open(root, CONTEXT)
    workspace.prepare()
    done = 0
    for proposal in [view.proposal_id for view in workspace.queue][:8]:
        for action in actions:
            if action == "undo":
                try:
                    history.undo(workspace)
                except (RulingRefused, ProofstoneError):
                    continue
            elif not ruled(workspace, action, proposal) and not ruled(
                workspace, action, workspace.holdings.memories[done % 9].memory_id
            ):
                continue
            done += 1
            workspace = workspace.reload()
            assert_same(workspace, Workspace.open(root, CONTEXT))
    assert done > len(actions)


def test_an_old_view_still_answers(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    shutil.copytree(DEMO, root)
    old = Workspace.open(root, CONTEXT)
    old.prepare()
    view = old.queue[0]
    assert ruled(old, "dismiss", old.queue[-1].proposal_id)
    new = old.reload()
    assert tuple(view.siblings) == tuple(new.proposal(view.proposal_id).siblings)


def test_notes_that_another_hand_changed(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    shutil.copytree(DEMO, root)
    workspace = Workspace.open(root, CONTEXT)
    workspace.prepare()
    notes = sorted((root / "knowledge").iterdir())
    notes[0].unlink()
    notes[3].write_bytes(notes[3].read_bytes().replace(b"active", b"deprecated"))
    shutil.copy(notes[5], root / "knowledge/mem-copy.md")
    (root / "history" / sorted((root / "history").iterdir())[0].name).unlink()
    workspace = workspace.reload()
    assert_same(workspace, Workspace.open(root, CONTEXT))
    notes[4].write_bytes(b"no note any more")
    assert_same(workspace.reload(), Workspace.open(root, CONTEXT))
