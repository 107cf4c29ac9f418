"""Other programs' stores in the workbench: the same screens and keys, and what is dimmed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tui_bench import Opening

from proofstone.curation.context import Context
from proofstone.curation.importing import import_stores
from proofstone.domain.records import ProposalStatus
from proofstone.domain.rulings import short_id
from proofstone.tui.screens.dialog import PickDialog, WordsDialog
from proofstone.tui.screens.purge import PurgeDialog
from proofstone.tui.widgets.line_list import LineList
from tests.conftest import NOW, contents

SAMPLES = Path(__file__).parent.parent / "data" / "stores"
KNOT = "cap_20261010_knot"


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PROOFSTONE_STATE", str(tmp_path / "state"))


async def test_a_candidate_of_pi_is_ratified_and_taken_back(tmp_path: Path, bench: Opening) -> None:
    root = Path(shutil.copytree(SAMPLES / "pi", tmp_path / "pi"))
    before = contents(root)
    async with bench(root) as b:
        await b.select(lambda view: view.proposal_id == KNOT)
        await b.press("r")
        assert isinstance(b.app.screen, WordsDialog)
        await b.write("seen")
        await b.press("enter")
        assert b.workspace.proposals[KNOT].status is ProposalStatus.RATIFIED
        assert contents(root) != before
        await b.press("u")
        assert contents(root) == before
        assert b.workspace.proposals[KNOT].is_waiting


async def test_a_candidate_of_pi_is_dismissed_and_its_edit_is_refused(
    tmp_path: Path, bench: Opening
) -> None:
    root = Path(shutil.copytree(SAMPLES / "pi", tmp_path / "pi"))
    before = contents(root)
    async with bench(root) as b:
        await b.select(lambda view: view.proposal_id == KNOT)
        await b.press("e")
        assert contents(root) == before
        assert any("no place for a changed candidate" in toast for toast in b.toasts)
        await b.press("x")
        assert isinstance(b.app.screen, PickDialog)
        await b.press("enter")
        assert b.workspace.proposals[KNOT].status is ProposalStatus.DISMISSED


async def test_a_store_that_is_only_read_opens_and_refuses(tmp_path: Path, bench: Opening) -> None:
    root = Path(shutil.copytree(SAMPLES / "hermes", tmp_path / "hermes"))
    before = contents(root)
    async with bench(root) as b:
        assert b.workspace.memories
        await b.press("M", "r")
        assert contents(root) == before


async def test_a_candidate_of_pi_is_purged_by_the_typed_short_id(
    tmp_path: Path, bench: Opening
) -> None:
    root = Path(shutil.copytree(SAMPLES / "pi", tmp_path / "pi"))
    words = b"Run the linter before every push."
    assert any(words in data for data in contents(root).values())
    async with bench(root) as b:
        await b.select(lambda view: view.proposal_id == KNOT)
        await b.press("X")
        dialog = b.app.screen
        assert isinstance(dialog, PurgeDialog)
        files = dialog.query_one("#files", LineList)
        told = "\n".join(str(files.source.row(n).body) for n in range(len(files.source)))
        assert "inbox/captured.jsonl" in told
        assert "memory/tombstones.jsonl" in told
        await b.press("enter", *short_id(KNOT), "enter")
        assert b.workspace.proposals[KNOT].status is ProposalStatus.TOMBSTONED
    for folder in (root, tmp_path / "state"):
        assert not any(words in data for data in contents(folder).values())


async def test_what_was_imported_into_a_claude_folder_becomes_a_topic_by_one_key(
    tmp_path: Path, bench: Opening
) -> None:
    folder = Path(shutil.copytree(SAMPLES / "claude-memory", tmp_path / "memory"))
    source = tmp_path / "AGENTS.md"
    source.write_text("- Use pnpm in this repository.\n", encoding="utf-8")
    before = contents(folder)
    context = Context(clock=lambda: NOW, author="Mira Tal", via="cli")
    (row, *_) = import_stores(folder, [source], context).rows
    async with bench(folder) as b:
        await b.select(lambda view: view.proposal_id == row.id)
        await b.press("r")
        assert isinstance(b.app.screen, WordsDialog), "what is tainted needs a reason"
        await b.write("seen")
        await b.press("enter")
        (added,) = contents(folder).keys() - before.keys()
        assert f"({added})".encode() in (folder / "MEMORY.md").read_bytes()
        assert b.workspace.held.memory(row.id.replace("prop-", "mem-")) is not None
        await b.press("u")
        assert contents(folder) == before
