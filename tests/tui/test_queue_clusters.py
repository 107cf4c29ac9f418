"""Clusters in the queue, a sibling made the target by one key, and the backlog's warning."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from tui_bench import Bench, Opening, story_context

from proofstone.curation.capture import capture
from proofstone.curation.queue import QueueCounts
from proofstone.domain import backlog
from proofstone.domain.records import ProposalStatus
from proofstone.tui.screens.dialog import WordsDialog
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.target import TargetDialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.vault.create import create_vault

HEAD = "Use pnpm for the Lyra web client and its build scripts"
ALIKE = "Use pnpm for the Lyra web client and its release scripts"
AGAINST = "Never use pnpm for the Lyra web client and its build scripts"
OTHER = "The Atlas nightly load starts at half past two in the morning"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A vault in which four statements wait, two of them alike and one against them."""
    root = tmp_path / "clusters"
    create_vault(root)
    items = [
        {"content": text, "source": "chat with Mira", "anchor": "doc-7"}
        for text in (HEAD, OTHER, ALIKE, AGAINST)
    ]
    capture(root, {"items": items}, story_context())
    return root


def order(b: Bench) -> list[str]:
    """The statements of the queue, as they stand."""
    source = b.app.screen.query_one("#queue", LineList).source
    return [b.workspace.proposals[source.key(n)].statement for n in range(len(source))]


async def go_to(b: Bench, statement: str) -> None:
    await b.press("2", "g", *["j"] * order(b).index(statement))
    assert b.workspace.proposals[b.subject].statement == statement


async def test_clusters_stand_together_and_contradictions_next_to_them(
    vault: Path, bench: Opening
) -> None:
    async with bench(vault, (200, 60)) as b:
        shown = order(b)
        alike = sorted((shown.index(HEAD), shown.index(ALIKE)))
        assert alike[1] == alike[0] + 1
        assert abs(shown.index(AGAINST) - alike[0]) in (1, 2)
        text = b.shown("#queue")
        assert "▾ 1 alike" in text
        assert "└" in text
        assert text.count("≠ contradicts") == 2, "both sides say so"


async def test_a_cluster_is_folded_and_unfolded(vault: Path, bench: Opening) -> None:
    async with bench(vault) as b:
        await go_to(b, ALIKE)
        await b.press("o")
        assert len(order(b)) == 3
        assert "▸ 1 alike" in b.shown("#queue")
        assert b.workspace.proposals[b.subject].statement in order(b), "the head is selected"
        await b.press("o")
        assert len(order(b)) == 4
        await go_to(b, OTHER)
        await b.press("o")
        assert any("Nothing else that waits is like it" in toast for toast in b.toasts)


async def test_what_is_hidden_in_a_fold_unfolds_when_it_is_selected(
    vault: Path, bench: Opening
) -> None:
    async with bench(vault) as b:
        await go_to(b, HEAD)
        member = next(p for p, v in b.workspace.proposals.items() if v.statement == ALIKE)
        await b.press("o")
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        screen.show_workspace(b.workspace, b.subject)
        hidden = member if len(order(b)) == 3 and ALIKE not in order(b) else None
        head = next(p for p, v in b.workspace.proposals.items() if v.statement == HEAD)
        screen._choose_proposal(hidden or head)
        await b.pilot.pause()
        assert len(order(b)) == 4
        assert screen.queue_pane.cursor_key == b.subject


async def test_one_decision_for_a_whole_cluster(vault: Path, bench: Opening) -> None:
    async with bench(vault) as b:
        await go_to(b, HEAD)
        await b.press("asterisk")
        assert "2 marked" in b.title("#queue")
        await b.press("x", "enter", "enter")
        states = {p.statement: p.status for p in b.workspace.proposals.values()}
        assert states[HEAD] is states[ALIKE] is ProposalStatus.DISMISSED
        assert states[AGAINST] is states[OTHER] is ProposalStatus.OPEN
        await b.press("u")
        assert len(order(b)) == 4, "one undo takes it all back"


async def test_a_cluster_is_unmarked_by_the_same_key(vault: Path, bench: Opening) -> None:
    async with bench(vault) as b:
        await go_to(b, ALIKE)
        await b.press("asterisk", "asterisk")
        assert "marked" not in b.title("#queue")


async def test_a_sibling_becomes_the_target_by_one_key(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(lambda view: len(view.siblings) + len(view.match.matched) > 1)
        await b.press("7", "j")
        chosen = b.app.screen.query_one("#siblings", LineList).cursor_key
        await b.press("equals_sign")
        dialog = b.app.screen
        assert isinstance(dialog, TargetDialog)
        assert dialog.query_one(LineList).cursor_key == chosen
        await b.press("enter")
        assert isinstance(b.app.screen, WordsDialog), "it is flagged"
        await b.write("It changed")
        await b.press("enter", "enter")
        ruled = b.workspace.proposals[view.proposal_id]
        made = b.workspace.held.memory(ruled.memory_id)
        assert made is not None
        assert made.supersedes == (chosen,)


async def test_the_header_warns_of_what_waits_too_long(
    vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "MANY", 3)
    async with bench(vault) as b:
        assert b.app.counts.backlog == "over 3 wait"
        header = b.app.screen.query_one("VaultHeader")
        assert "! over 3 wait" in str(header.render())


@pytest.mark.parametrize(
    ("waiting", "days", "told"),
    [
        (0, 0, ""),
        (50, 14, ""),
        (50, 15, "oldest 15 days"),
        (51, 1, "over 50 wait"),
        (80, 30, "oldest 30 days, over 50 wait"),
    ],
)
def test_when_a_backlog_is_one(waiting: int, days: int, told: str) -> None:
    assert backlog.warning(waiting, timedelta(days=days)) == told


async def test_the_queue_is_sorted_and_the_same_proposal_stays(
    demo_vault: Path, bench: Opening
) -> None:
    async with bench(demo_vault) as b:
        told = str(b.app.screen.query_one("VaultHeader").render())
        counted = QueueCounts.of(b.workspace.holdings.proposals).words
        assert counted == "18 waiting · 1 deferred" and counted in told, "as a summary says"
        await b.press("j", "j")
        subject, needed = b.subject, order(b)
        views = {view.proposal.statement: view for view in b.workspace.queue}
        await b.press("O")
        assert b.subject == subject and "longest waiting first" in b.title("#queue")
        created = [views[words].proposal.created for words in order(b)]
        assert created == sorted(created) and order(b) != needed
        await b.press("O")
        newest = [views[words].proposal.created for words in order(b)]
        assert newest == sorted(created, reverse=True) and "newest first" in b.title("#queue")
        await b.press("O")
        assert order(b) == needed and "first" not in b.title("#queue")
        assert b.subject == subject
