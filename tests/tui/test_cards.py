"""What cards say of taint, at the exact words, and of anchors, as the files are now."""

from __future__ import annotations

from pathlib import Path

import pytest
from tui_bench import Opening, story_context

from proofstone.curation.anchored import AnchorState, anchor_state
from proofstone.curation.capture import capture
from proofstone.curation.workspace import Workspace
from proofstone.tui.panes.tainted import TAINT_STYLE, statement_words
from proofstone.tui.words import spoken
from proofstone.vault.create import create_vault

WORDS = "The Lyra importer retries a failed batch three times before it gives up"


@pytest.fixture
def anchored(tmp_path: Path) -> Path:
    """A vault in which a proposal waits that is anchored to a line of a file beside the vault."""
    root = tmp_path / "vault"
    create_vault(root)
    (tmp_path / "importer.py").write_text("RETRIES = 3\n", encoding="utf-8")
    item = {"content": WORDS, "source": "chat with Mira", "anchor": "importer.py:1"}
    capture(root, item, story_context())
    return root


def test_anchors_hold_drift_and_go(anchored: Path) -> None:
    proposal = Workspace.open(anchored, story_context()).queue[0].proposal
    assert proposal.anchor_hash
    root, file = anchored.parent, anchored.parent / "importer.py"
    assert anchor_state(proposal, root) is AnchorState.HOLDS
    file.write_text("RETRIES = 5\n", encoding="utf-8")
    assert anchor_state(proposal, root) is AnchorState.DRIFTED
    file.unlink()
    assert anchor_state(proposal, root) is AnchorState.GONE


async def test_the_card_follows_the_anchored_file(anchored: Path, bench: Opening) -> None:
    file = anchored.parent / "importer.py"
    async with bench(anchored, (200, 60)) as b:
        assert "importer.py:1 ✓ holds" in " ".join(b.shown("#proposal").split())
        file.write_text("RETRIES = 5\n", encoding="utf-8")
        await b.press("ctrl+r")
        assert "! drifted" in b.shown("#proposal")
        file.unlink()
        await b.press("ctrl+r")
        assert "✗ gone" in b.shown("#proposal")


async def test_an_anchor_that_holds_no_more_is_above_the_facts(
    anchored: Path, bench: Opening
) -> None:
    (anchored.parent / "importer.py").write_text("RETRIES = 5\n", encoding="utf-8")
    async with bench(anchored, (120, 40)) as b:
        assert "ANCHOR importer.py:1 ! drifted" in " ".join(b.shown("#proposal").split())


async def test_a_memory_says_whether_its_anchor_holds(anchored: Path, bench: Opening) -> None:
    async with bench(anchored) as b:
        await b.press("r")
        await b.write("Seen in the code")
        await b.press("enter", "M")
        assert "✓ holds" in b.shown("#detail")


async def test_taint_is_marked_where_it_stands_with_its_rule(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault, (200, 60)) as b:
        view = await b.select(lambda view: bool(view.taint))
        shown = " ".join(b.shown("#proposal").split())
        for found in view.taint:
            assert spoken(found.rule) in shown
            assert f"{found.start}–{found.end}" in shown
        statement = view.proposal.statement
        content = statement_words(statement, view.taint)
        marked = [s for s in content.spans if s.style == TAINT_STYLE]
        assert len(marked) == len(view.taint)
        plain = [f for f in view.taint if statement[f.start : f.end].isascii()]
        assert plain
        for found in plain:
            words = statement[found.start : found.end]
            assert any(content.plain[s.start : s.end] == words for s in marked)
