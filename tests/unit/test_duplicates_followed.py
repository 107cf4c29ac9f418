"""The near-duplicates of an open vault follow its rulings, and give what looking anew gives."""

from __future__ import annotations

import shutil
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from bench import data
from proofstone.curation import history, rulings
from proofstone.curation.context import Context
from proofstone.curation.duplicates import DuplicatesFollowed, duplicates
from proofstone.curation.workspace import Workspace
from proofstone.domain import duplicates_kept
from proofstone.domain.rulings import Choices
from proofstone.domain.sibling_index import SiblingIndex

DEMO = Path(__file__).parents[2] / "demo-vault"
CONTEXT = Context(clock=lambda: datetime(2026, 11, 27, 9, tzinfo=UTC), author="Mira Tal")


def test_every_newer_view_has_the_duplicates_of_a_vault_opened_anew(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    shutil.copytree(DEMO, root)
    workspace = Workspace.open(root, CONTEXT)
    followed = DuplicatesFollowed(workspace)
    clusters = list(followed.found)
    assert clusters == list(duplicates(workspace))
    in_clusters = [
        member.proposal_id
        for found in clusters
        for member in found.members
        if hasattr(member, "proposal_id")
    ]
    assert len(in_clusters) > 2
    for proposal in in_clusters[:3]:
        rulings.rule(workspace, "dismiss", [proposal], Choices(reason="no_future_value"))
        workspace = workspace.reload()
        followed.follow(workspace)
        assert list(followed.found) == list(duplicates(Workspace.open(root, CONTEXT)))
    assert list(followed.found) != clusters
    for _ in in_clusters[:3]:
        history.undo(workspace)
        workspace = workspace.reload()
    followed.follow(workspace)
    assert list(followed.found) == clusters


def test_an_edited_note_is_the_only_one_that_is_probed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "vault"
    data.write_vault(root, 300)
    workspace = Workspace.open(root, CONTEXT)
    followed = DuplicatesFollowed(workspace)
    probed: list[str] = []
    compared: list[int] = []
    probe, search = SiblingIndex.question, duplicates_kept.find

    def counted_probe(index: SiblingIndex, text: str, *arguments: Any) -> Any:
        probed.append(text)
        return probe(index, text, *arguments)

    def counted_search(ids: Any, *arguments: Any) -> Any:
        compared.append(len(ids))
        return search(ids, *arguments)

    monkeypatch.setattr(SiblingIndex, "question", counted_probe)
    monkeypatch.setattr(duplicates_kept, "find", counted_search)
    one, other = workspace.holdings.memories[:2]
    file = root / one.path
    file.write_text(
        file.read_text(encoding="utf-8").replace(one.statement, other.statement), encoding="utf-8"
    )
    workspace = workspace.reload()
    followed.follow(workspace)
    assert probed == [other.statement]
    assert len(compared) == 1
    assert compared[0] < 10
    (pair,) = (found for found in followed.found if one.memory_id in found.cluster.ids)
    assert other.memory_id in pair.cluster.ids
    followed.follow(workspace.reload())
    assert len(probed) == 1


def test_memories_alone_are_followed_and_every_step_is_told(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    shutil.copytree(DEMO, root)
    workspace = Workspace.open(root, CONTEXT)
    memories = {memory.memory_id: memory for memory in workspace.holdings.memories}
    told: list[tuple[int, int]] = []
    followed = DuplicatesFollowed(workspace, lambda *step: told.append(step), proposals=False)
    assert followed.clusters == [], "only proposals are like memories of the demo vault"
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert told[0] == (0, len(memories)) and told[-1] == (len(memories), len(memories))
    one, other = list(memories.values())[:2]
    file = root / one.path
    file.write_text(
        file.read_text(encoding="utf-8").replace(one.statement, other.statement), encoding="utf-8"
    )
    followed.follow(workspace.reload())
    assert [set(cluster.ids) for cluster in followed.clusters] == [{one.memory_id, other.memory_id}]
