"""Undo and redo of every ruling of the script, across restarts, singly and in groups."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proofstone.curation import history
from proofstone.domain.errors import ProofstoneError
from proofstone.resources import resource_dir
from proofstone.vault.journal_check import verify_journal
from tests.conftest import Proofstone
from tests.torture.crash import Tree, notes, read_tree, write_tree
from tests.torture.script import SCRIPT, workspace_at

LATER = len(SCRIPT)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Tree, Tree]:
    """A vault in which the script was played: its folder, and its files before and after."""
    root = tmp_path_factory.mktemp("undo") / "vault"
    shutil.copytree(resource_dir("demo-vault"), root)
    before = read_tree(root)
    for place, step in enumerate(SCRIPT):
        step.make(workspace_at(root, place))
    return root, before, read_tree(root)


def in_force(root: Path) -> list[str]:
    """The groups of this script that are in force, newest first; undo and redo are none."""
    demo = {
        entry.ruling.group for entry in history.entries(workspace_at(resource_dir("demo-vault"), 0))
    }
    found = (
        entry.ruling.group
        for entry in history.entries(workspace_at(root, LATER))
        if entry.state == history.IN_FORCE and not entry.ruling.undoes and not entry.ruling.redoes
    )
    return [group for group in dict.fromkeys(found) if group not in demo]


def test_all_are_taken_back_one_after_another_and_made_again(
    played: tuple[Path, Tree, Tree],
) -> None:
    root, before, after = played
    write_tree(root, after)
    groups = in_force(root)
    assert len(groups) >= 40
    for number, group in enumerate(groups):
        history.undo(workspace_at(root, LATER + number), group)
    assert notes(read_tree(root)) == notes(before)
    for number in range(len(groups)):
        history.redo(workspace_at(root, LATER + 100 + number))
    assert notes(read_tree(root)) == notes(after)
    assert verify_journal(root) == ()


def test_any_one_is_taken_back_alone_or_refused_with_the_difference(
    played: tuple[Path, Tree, Tree],
) -> None:
    root, _, after = played
    undone = refused = 0
    for group in in_force(root):
        write_tree(root, after)
        workspace = workspace_at(root, LATER)
        rulings = [e.ruling for e in history.entries(workspace) if e.ruling.group == group]
        try:
            applied = history.undo(workspace, group)
        except history.ChangedSinceError as error:
            refused += 1
            assert read_tree(root) == after
            assert all(found.path in str(error) for found in error.differences[:1])
            for found in error.differences:
                assert (root / found.path).exists() == (found.present is not None)
                assert found.expected != found.present
                assert found.lines
            continue
        undone += 1
        first = {c.path: c for ruling in reversed(rulings) for c in reversed(ruling.changes)}
        now = notes(read_tree(root))
        changed = {path for path in now.keys() | after.keys() if now.get(path) != after.get(path)}
        changed = {path for path in changed if not path.startswith("_state/proofstone/")}
        assert changed == {change.path for change in applied.changes} <= first.keys()
    assert undone >= 15
    assert refused >= 10


def test_a_refusal_names_the_file_and_shows_the_difference(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    memory = next((demo_vault / "knowledge").glob("mem-20261006084512*.md"))
    ruling = ("rule", "contest", demo_vault, memory.stem, "--reason", "x", "--as", "Mira Tal")
    proofstone(*ruling)
    ruled = memory.read_bytes()
    memory.write_bytes(ruled.replace(b"under a minute", b"in \x1b[31m\xe2\x80\xaeseconds"))
    refused = proofstone("undo", demo_vault, code=2)
    assert memory.name in refused.err
    assert "another hand" in refused.err
    assert "--show" in refused.err
    assert len(refused.err.splitlines()) == 1
    shown = proofstone("undo", demo_vault, "--show", code=2)
    lines = shown.err.splitlines()
    assert "-The Orion suite runs in under a minute." in lines
    assert "+The Orion suite runs in in ␛[31m‹RLO›seconds." in lines
    assert memory.name in lines[0]
    memory.write_bytes(ruled)
    assert proofstone("undo", demo_vault, "--show").err == ""
    memory.unlink()
    gone = proofstone("redo", demo_vault, "--show", code=2)
    assert f"knowledge/{memory.name}: the file is gone" in gone.err.splitlines()


def test_what_stands_in_the_way_is_named_when_it_is_a_ruling(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    memory = next((demo_vault / "knowledge").glob("mem-20261006084512*.md")).stem
    ruling = ("rule", "contest", demo_vault, memory, "--reason", "x", "--as", "Mira Tal", "--json")
    (first,) = proofstone(*ruling).json["rulings"]
    (second,) = proofstone(*ruling).json["rulings"]
    refused = proofstone("undo", demo_vault, first, code=2)
    assert f"contest {second}; undo that first" in refused.err


def test_there_is_an_end_to_undo_and_redo(played: tuple[Path, Tree, Tree]) -> None:
    root, before, _ = played
    write_tree(root, before)
    with pytest.raises(ProofstoneError, match="nothing was undone"):
        history.redo(workspace_at(root, 0))
