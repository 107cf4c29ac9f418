"""What others write appears by itself, and nothing is ruled on unseen (spec page 7, Live)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
from textual.message import Message
from tui_bench import Bench, settled, story_context

from proofstone.curation import rulings
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import Choices
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.live import FilesChanged, VaultReadAgain, matters
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.main import MainScreen

PATIENCE = 30.0
"""Seconds after which a change will not be told any more."""


class Heard:
    """Every message that the application was given, and waiting for the next of a kind."""

    def __init__(self) -> None:
        self._waiting: list[tuple[type[Message], asyncio.Future[Message]]] = []

    def __call__(self, message: Message) -> None:
        for kind, future in self._waiting:
            if isinstance(message, kind) and not future.done():
                future.set_result(message)

    def next(self, kind: type[Message]) -> asyncio.Future[Message]:
        """The next message of this kind; ask before what brings it about."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.append((kind, future))
        return future


@asynccontextmanager
async def living(vault: Path) -> AsyncIterator[tuple[Bench, Heard]]:
    """A workbench on a vault that it watches."""
    heard = Heard()
    opener = partial(Workspace.open, vault, story_context())
    app = ProofstoneApp(opener, story_context(), vault_name=vault.name, watch=vault)
    async with app.run_test(size=(120, 40), message_hook=heard) as pilot:
        await settled(pilot)
        yield Bench(pilot, vault), heard


async def told(b: Bench, heard: Heard, write: Callable[[], object]) -> None:
    """Write, and wait until the workbench has read it and come to rest."""
    again = heard.next(VaultReadAgain)
    write()
    await asyncio.wait_for(again, PATIENCE)
    await settled(b.pilot)


def _path(b: Bench, proposal_id: str) -> Path:
    return b.vault / b.workspace.proposal(proposal_id).proposal.path


def _reworded(path: Path, old: str, new: str) -> Callable[[], object]:
    text = path.read_text(encoding="utf-8")
    assert old in text
    return lambda: path.write_text(text.replace(old, new), encoding="utf-8")


def _copied(b: Bench, proposal_id: str, new_id: str) -> Callable[[], object]:
    """Write the proposal once more under another id, as a capture would."""
    text = _path(b, proposal_id).read_text(encoding="utf-8").replace(proposal_id, new_id)
    return lambda: (b.vault / "proposals" / f"{new_id}.md").write_text(text, encoding="utf-8")


async def test_a_captured_proposal_arrives_with_place_and_marks_kept(demo_vault: Path) -> None:
    async with living(demo_vault) as (b, heard):
        await b.press("2", "g", "space", "j")
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        subject, marked = b.subject, screen.marked
        assert marked
        await told(b, heard, _copied(b, subject, "prop-00000000000000000000000000000001"))
        assert "prop-00000000000000000000000000000001" in b.workspace.proposals
        assert "1 proposal arrived" in b.toasts
        assert b.subject == subject
        assert screen.marked == marked
        assert screen.queue_pane.cursor_key == subject


async def test_what_is_looked_at_stays_in_its_place(demo_vault: Path) -> None:
    """A person who has scrolled away from the cursor, to read, is not taken back to it."""
    async with living(demo_vault) as (b, heard):
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        await b.press("2", "g", "space")
        queue, subject = screen.queue_pane, b.subject
        queue.scroll_to(y=8, animate=False, immediate=True)
        await b.pilot.pause()
        read = b.shown("#queue").splitlines()[0]
        last = b.workspace.queue[-1].proposal_id
        await told(b, heard, _copied(b, last, "prop-00000000000000000000000000000001"))
        assert "1 proposal arrived" in b.toasts
        assert b.shown("#queue").splitlines()[0] == read
        assert b.subject == subject and screen.marked
        above = next(v.proposal_id for v in b.workspace.queue if v.proposal_id != subject)
        await told(b, heard, _path(b, above).unlink)
        assert b.shown("#queue").splitlines()[0] == read, "a row above it went away"


async def test_a_changed_card_is_stale_until_it_is_drawn_again(demo_vault: Path) -> None:
    async with living(demo_vault) as (b, heard):
        subject = b.subject
        path = _path(b, subject)
        words = b.workspace.proposal(subject).proposal.statement
        before = path.read_bytes()
        b.app.live.changed = frozenset({path.relative_to(b.vault).as_posix()})
        b.app.files_changed()
        assert "changed on disk" in b.title("#proposal")
        await b.pilot.press("x")
        assert b.app.screen is not None and isinstance(b.app.screen, WorkbenchScreen)
        assert any("changed on disk" in toast for toast in b.toasts)
        assert path.read_bytes() == before
        b.app.live.changed = frozenset()
        await told(b, heard, _reworded(path, words, words + " Indeed."))
        assert b.workspace.proposal(subject).proposal.statement == words + " Indeed."
        assert "Indeed." in b.shown("#proposal")
        assert "changed on disk" not in b.title("#proposal")
        assert any("Look at it again" in toast for toast in b.toasts)


async def test_files_that_nobody_reads_are_not_told(demo_vault: Path) -> None:
    async with living(demo_vault) as (b, heard):
        changed = heard.next(FilesChanged)
        (b.vault / "proposals" / ".prop.md.tmp").write_text("half", encoding="utf-8")
        (b.vault / "_index").mkdir(exist_ok=True)
        (b.vault / "_index" / "x.json").write_text("{}", encoding="utf-8")
        note = b.vault / "proposals" / "new.md"
        note.write_text("---\n", encoding="utf-8")
        message = await asyncio.wait_for(changed, PATIENCE)
        assert isinstance(message, FilesChanged)
        assert message.paths == {"proposals/new.md"}
        await settled(b.pilot)


async def test_a_ruling_by_another_program_is_seen_in_the_log(demo_vault: Path) -> None:
    async with living(demo_vault) as (b, heard):
        subject, rows = b.subject, len(b.app.journal)

        def rule() -> None:
            other = Workspace.open(demo_vault, story_context())
            choices = Choices(reason="no_future_value")
            rulings.apply(other, rulings.preview(other, "dismiss", [subject], choices))

        await told(b, heard, rule)
        assert len(b.app.journal) == rows + 1
        assert subject not in {view.proposal_id for view in b.workspace.queue}
        assert b.subject != subject


async def test_what_the_workbench_wrote_itself_is_not_read_twice(demo_vault: Path) -> None:
    async with living(demo_vault) as (b, heard):
        changed = heard.next(FilesChanged)
        await b.press("x", "enter")
        assert any("takes it back" in toast for toast in b.toasts)
        workspace = b.workspace
        await asyncio.wait_for(changed, PATIENCE)
        await settled(b.pilot)
        assert b.workspace is workspace
        assert not any("changed" in toast or "arrived" in toast for toast in b.toasts)


async def test_a_chosen_turn_stays_chosen(demo_vault: Path) -> None:
    async with living(demo_vault) as (b, heard):
        queued = b.subject
        await b.press("1", "G")
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        turn = screen.turns_pane.cursor_key
        await told(b, heard, _copied(b, queued, "prop-00000000000000000000000000000002"))
        assert screen.turns_pane.cursor_key == turn
        assert screen.turn_shown is not None and screen.turn_shown.reference == turn


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        ("knowledge/mem-1.md", True),
        ("inbox/a/b.jsonl", True),
        ("proofstone.yaml", True),
        ("_state/processed.json", True),
        ("_state/proofstone/journal.jsonl", True),
        ("_state/proofstone/objects/ab/cd", False),
        ("_state/vault.lock", False),
        ("_index/proofstone/x", False),
        (".git/index", False),
        ("knowledge/.mem-1.md.swp", False),
        ("knowledge/mem-1.md~", False),
        ("knowledge/#mem-1.md#", False),
    ],
)
def test_which_files_matter(path: str, counts: bool) -> None:
    assert matters(path) is counts
