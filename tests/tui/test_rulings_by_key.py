"""Every ruling by its key, read back from the files, and undone to the byte."""

from __future__ import annotations

import re
from pathlib import Path

import frontmatter
import pytest
from tui_bench import Bench, Opening, files_of

from proofstone.curation.views import ProposalView
from proofstone.domain.records import Layer, MatchKind
from proofstone.domain.rulings import short_id
from proofstone.domain.verification import VerificationStatus
from proofstone.tui.offering import offers_for
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.dialog import PickDialog, WordsDialog
from proofstone.tui.screens.edit import EditDialog
from proofstone.tui.screens.identity import IdentityDialog
from proofstone.tui.screens.preview import PreviewDialog
from proofstone.tui.screens.target import TargetDialog
from proofstone.tui.widgets.line_list import LineList


def is_clean(view: ProposalView) -> bool:
    """Verified, untainted, new: ratified by one key."""
    return (
        view.report.status is VerificationStatus.VERIFIED
        and view.match.kind is MatchKind.NEW
        and not view.is_tainted
        and not view.returned
        and view.proposal.layer is Layer.L2
        and not view.proposal.update_memory_id
    )


def is_flagged(view: ProposalView) -> bool:
    return (
        view.report.status is VerificationStatus.REVIEW_REQUIRED and view.proposal.layer is Layer.L2
    )


def in_conflict(view: ProposalView) -> bool:
    return is_flagged(view) and view.match.kind is MatchKind.POTENTIAL_CONFLICT


def note(vault: Path, folder: str, name: str) -> frontmatter.Post:
    return frontmatter.loads((vault / folder / f"{name}.md").read_text(encoding="utf-8"))


async def undone(bench: Bench, before: object) -> None:
    """One key takes it back, and every file is as it was."""
    assert files_of(bench.vault) != before
    await bench.press("u")
    assert files_of(bench.vault) == before


async def test_a_clean_proposal_is_ratified_by_one_key(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_clean)
        queue = [waiting.proposal_id for waiting in b.workspace.queue]
        following = queue[queue.index(view.proposal_id) + 1]
        await b.press("r")
        ruled = note(demo_vault, "proposals/ruled", view.proposal_id)
        memory = note(demo_vault, "knowledge", str(ruled["memory_id"]))
        assert memory.content == view.proposal.statement
        assert memory["ratified"]["by"] == "Mira Tal"
        assert b.subject == following
        assert "u takes it back" in b.toasts[-1]
        assert b.toasts[-1].startswith(f"ratified as “{view.proposal.statement[:40]}")
        await undone(b, before)
        assert b.subject == view.proposal_id


async def test_a_flagged_proposal_asks_for_a_reason(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_flagged)
        await b.press("r")
        assert isinstance(b.app.screen, WordsDialog)
        await b.press("enter")
        assert isinstance(b.app.screen, WordsDialog)
        assert files_of(demo_vault) == before
        await b.write("Checked with the team")
        await b.press("enter")
        ruled = note(demo_vault, "proposals/ruled", view.proposal_id)
        assert ruled["status"] == "ratified"
        assert ruled["ruled"]["reason"] == "Checked with the team"
        await undone(b, before)


async def test_defer_with_reason_note_and_date(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_clean)
        await b.press("d")
        assert isinstance(b.app.screen, PickDialog)
        await b.press("G", "tab")
        await b.write("after the release")
        await b.press("tab")
        await b.write("2027-02-30")
        await b.press("enter")
        assert isinstance(b.app.screen, PickDialog), "there is no such date"
        await b.press("backspace", "backspace")
        await b.write("01")
        queue = b.app.screen_stack[-2].query_one("#queue", LineList)
        following = queue.source.key(queue.cursor + 1)
        await b.press("enter")
        assert b.subject == following, "it went down in the queue, the cursor did not"
        deferred = note(demo_vault, "proposals", view.proposal_id)
        assert deferred["status"] == "deferred"
        assert deferred["deferred"] == {
            "reason": "later",
            "note": "after the release",
            "until": "2027-02-01",
        }
        await undone(b, before)
        assert b.subject == view.proposal_id
        assert f"defer of “{view.proposal.statement[:40]}" in b.toasts[-1]


async def test_supersede_offers_the_matched_memory_first(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(in_conflict)
        target = view.match.matched[0]
        await b.press("s")
        assert isinstance(b.app.screen, TargetDialog)
        first, *others = (o.title for o in offers_for(b.workspace, view.proposal_id))
        assert first == "Orion ships on Tuesdays, after the smoke tests pass"
        about = [place for place, title in enumerate(others) if "Orion" in title]
        assert about == list(range(len(about))), "then those that share telling words with it"
        await b.press("enter")
        assert isinstance(b.app.screen, WordsDialog)
        await b.write("It changed")
        await b.press("enter")
        assert isinstance(b.app.screen, PreviewDialog)
        assert files_of(demo_vault) == before
        await b.press("enter")
        ruled = note(demo_vault, "proposals/ruled", view.proposal_id)
        assert ruled["status"] == "superseding"
        assert note(demo_vault, "knowledge", str(ruled["memory_id"]))["supersedes"] == [target]
        assert b.toasts[-1].startswith("“From December Orion ships")
        assert "” replaces “Orion ships on Tuesdays" in b.toasts[-1]
        assert target not in b.toasts[-1]
        assert not (demo_vault / "knowledge" / f"{target}.md").exists()
        await undone(b, before)


async def test_tombstone_takes_a_reason_from_the_list(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_clean)
        await b.press("t")
        assert isinstance(b.app.screen, PickDialog)
        await b.press("j", "j", "enter")
        stones = [frontmatter.load(str(path)) for path in (demo_vault / "tombstones").glob("*.md")]
        stone = next(stone for stone in stones if stone["deleted_id"] == view.proposal_id)
        assert stone["reason"] == "poisoned"
        await undone(b, before)


async def test_dismiss_closes_as_no_change(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_flagged)
        await b.press("x", "enter")
        ruled = note(demo_vault, "proposals/ruled", view.proposal_id)
        assert (ruled["status"], ruled["ruled"]["reason"]) == ("dismissed", "query_only")
        await undone(b, before)


async def test_edit_keeps_the_words_as_first_proposed(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_clean)
        await b.press("e")
        assert isinstance(b.app.screen, EditDialog)
        await b.press("ctrl+s")
        assert isinstance(b.app.screen, EditDialog), "nothing was changed yet"
        await b.write(" Always.")
        await b.press("tab", "tab", "3", "ctrl+s")
        assert isinstance(b.app.screen, EditDialog), "there is no layer L23"
        assert "layer must be one of" in str(b.app.screen.query_one(".fault").render())
        await b.press("tab", "tab", "end", "backspace", "ctrl+s")
        edited = note(demo_vault, "proposals", view.proposal_id)
        assert edited.content == f"{view.proposal.statement} Always."
        assert b.subject == view.proposal_id
        await undone(b, before)


async def test_l1_is_deliberate(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(
            lambda v: (
                v.proposal.layer is Layer.L1 and v.report.status is not VerificationStatus.REJECTED
            )
        )
        await b.press("r")
        assert isinstance(b.app.screen, IdentityDialog)
        await b.write("It is how I work")
        await b.press("enter")
        await b.write("wrong!")
        await b.press("enter")
        assert isinstance(b.app.screen, IdentityDialog)
        assert files_of(demo_vault) == before
        await b.press(*["backspace"] * 6)
        await b.write(short_id(view.proposal_id))
        await b.press("enter")
        ruled = note(demo_vault, "proposals/ruled", view.proposal_id)
        assert ruled["status"] == "ratified"
        await undone(b, before)


async def test_a_rejected_proposal_says_why_it_cannot_be_ratified(
    demo_vault: Path, bench: Opening
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        await b.select(lambda v: v.report.status is VerificationStatus.REJECTED)
        await b.press("r")
        assert isinstance(b.app.screen, WorkbenchScreen)
        assert "verifier rejects it" in b.toasts[-1]
        assert files_of(demo_vault) == before


async def test_redo_puts_back_what_was_undone(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.select(is_clean)
        await b.press("r")
        after = files_of(demo_vault)
        await b.press("u", "U")
        assert files_of(demo_vault) == after


@pytest.mark.parametrize("action", ["r", "d", "s", "t", "x", "e"])
async def test_escape_leaves_everything_as_it_was(
    demo_vault: Path, bench: Opening, action: str
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(in_conflict)
        await b.press(action)
        assert not isinstance(b.app.screen, WorkbenchScreen)
        await b.press("escape")
        assert isinstance(b.app.screen, WorkbenchScreen)
        assert b.subject == view.proposal_id
    assert files_of(demo_vault) == before


async def test_preview_writes_nothing(demo_vault: Path, bench: Opening) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        view = await b.select(is_clean)
        await b.press("p")
        assert isinstance(b.app.screen, PreviewDialog)
        assert f"proposals/{view.proposal_id}.md" in b.shown("#changes") or "knowledge/" in b.shown(
            "#changes"
        )
        await b.press("enter")
        assert isinstance(b.app.screen, WorkbenchScreen)
    assert files_of(demo_vault) == before


async def test_opening_and_looking_around_writes_nothing(demo_vault: Path, bench: Opening) -> None:
    def everything() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in demo_vault.rglob("*") if p.is_file()}

    before = everything()
    async with bench(demo_vault) as b:
        await b.press("1", "j", "3", "j", "4", "j", "5", "6", "j", "7", "b", "b", "question_mark")
        await b.press("escape", "M", "j", "L", "j", "P", "escape")
    assert everything() == before


async def test_a_batch_is_one_list_one_ruling_group_and_one_undo(
    demo_vault: Path, bench: Opening
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        eligible = {v.proposal_id for v in b.workspace.queue if v.is_preselected}
        assert len(eligible) > 1
        await b.select(lambda v: v.proposal.layer is Layer.L1)
        await b.press("A", "space", "r")
        assert isinstance(b.app.screen, PreviewDialog)
        shown = " ".join(b.shown("#changes").split())
        assert "left out: L1 is ruled on by itself" in shown
        assert files_of(demo_vault) == before
        await b.press("enter")
        waiting = {view.proposal_id for view in b.workspace.queue}
        assert not waiting & eligible
        await undone(b, before)


async def test_marks_go_with_escape(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("space", "space")
        assert "2 marked" in b.title("#queue")
        await b.press("e")
        assert "one at a time" in b.toasts[-1]
        await b.press("escape")
        assert "marked" not in b.title("#queue")


async def test_an_unreviewed_l1_memory_is_confirmed_with_its_short_id(
    demo_vault: Path, bench: Opening
) -> None:
    path = next(
        path
        for path in (demo_vault / "knowledge").glob("*.md")
        if 'layer: "L1"' in path.read_text()
    )
    text = path.read_text(encoding="utf-8")
    path.write_text(re.sub(r"^ratified:\n(  .*\n)+", "", text, flags=re.M), encoding="utf-8")
    async with bench(demo_vault) as b:
        await b.press("M", "slash")
        await b.write("layer:L1")
        await b.press("enter")
        memory_id = b.subject
        unreviewed = b.workspace.held.memory(memory_id)
        assert unreviewed is not None and unreviewed.ratified is None
        await b.press("r")
        assert isinstance(b.app.screen, WordsDialog)
        await b.write("Still how I work")
        await b.press("enter")
        assert isinstance(b.app.screen, WordsDialog)
        await b.write(short_id(memory_id))
        await b.press("enter")
        confirmed = b.workspace.held.memory(memory_id)
        assert confirmed is not None and confirmed.ratified is not None
