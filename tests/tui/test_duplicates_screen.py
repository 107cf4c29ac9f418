"""The Duplicates screen: what is held twice is seen, and cleaned up by keys (spec page 7)."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from threading import Event
from typing import Any

import frontmatter
import pytest
from tui_bench import Bench, Opening, files_of, settled

from proofstone.domain.duplicates import Cluster
from proofstone.domain.records import Memory
from proofstone.domain.sibling_index import SiblingIndex
from proofstone.tui.near_duplicates import LookGoesOn, NearDuplicates
from proofstone.tui.panes import alike
from proofstone.tui.screens.duplicates import DuplicatesScreen
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen
from proofstone.tui.screens.preview import PreviewDialog
from proofstone.tui.screens.target import TargetDialog
from proofstone.tui.widgets.line_list import LineList

KEPT, TWICE, THRICE = "mem-20260101000000-aaaaaaaa", "mem-b", "mem-c"
"""Said twice nearly in the same words, and once in the very same."""
TABS, TABS_TOO = "mem-tabs", "mem-tabs-too"
ALONE = "mem-alone"
HOSTILE = "[red]x[/red] \x1b[31m \u202egnp.exe"
STATEMENTS = {
    KEPT: "Atlas keeps nightly snapshots for thirty days in Frankfurt.",
    TWICE: "Atlas keeps nightly snapshots for thirty days in Frankfurt.",
    THRICE: "Atlas keeps weekly snapshots for thirty days in Dublin.",
    TABS: "Orion sources are indented with tabs everywhere.",
    TABS_TOO: "Orion sources are indented with spaces everywhere.",
    ALONE: "The smoke tests run before every release.",
}


def write_note(root: Path, name: str, statement: str, title: str = "") -> None:
    """A memory in force; only the one to be kept was reviewed."""
    keys: dict[str, Any] = {
        "title": title or f"About {name}",
        "memory_id": name,
        "type": "decision",
        "scopes": ["project:atlas" if "Atlas" in statement else "global"],
        "created": "2026-10-01T08:00:00Z",
        "layer": "L2",
        "standing": "active",
    }
    if name == KEPT:
        keys["ratified"] = {"by": "Mira Tal", "at": "2026-10-02T08:00:00Z", "ruling": "rul-0"}
    front = "\n".join(f"{key}: {json.dumps(value)}" for key, value in keys.items())
    (root / "knowledge" / f"{name}.md").write_text(
        f"---\n{front}\n---\n\n{statement}\n", encoding="utf-8"
    )


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    (root / "knowledge").mkdir(parents=True)
    for name, statement in STATEMENTS.items():
        write_note(root, name, statement, HOSTILE if name == TABS else "")
    return root


def _order(b: Bench) -> list[str]:
    return list(b.app.screen.query_one("#detail", LineList).source.all_keys())


async def test_clusters_are_shown_closest_first_with_what_differs(
    vault: Path, bench: Opening
) -> None:
    async with bench(vault, (80, 24)) as b:
        await b.press("N")
        assert isinstance(b.app.screen, DuplicatesScreen)
        assert "2 clusters, 5 memories" in b.title("#items")
        first, second = b.shown("#items").splitlines()[:3:2]
        assert "0.99" in first and f"About {KEPT}" in first, "the reviewed one is best kept"
        assert "0.86" in second
        assert "3 memories · 2 unreviewed · project:atlas" in b.shown("#items")
        assert "3 memories" in b.title("#detail")
        shown = b.shown("#detail")
        assert "the yardstick" in shown and "L2 · active · reviewed · project:atlas" in shown
        assert _order(b) == [KEPT, TWICE, THRICE]
        await b.press("tab", "G")
        assert b.subject == THRICE
        assert "weeklynightly" in b.shown("#detail").replace(" ", "")
        await b.press("y")
        assert b.app.clipboard == STATEMENTS[THRICE]
        await b.press("enter")
        assert _order(b) == [THRICE, KEPT, TWICE], "the others are compared with the chosen one"
        assert b.subject == THRICE
        await b.press("shift+tab", "j")
        for selector in ("#items", "#detail"):
            shown = b.shown(selector)
            assert "[red]x[/red]" in shown, "a title is data"
            assert "\x1b" not in shown and "\u202e" not in shown
        await b.press("k", "tab", "G", "M")
        assert isinstance(b.app.screen, MemoriesScreen) and b.subject == THRICE


async def test_one_replaces_another_by_keys_and_undo_brings_it_back(
    vault: Path, bench: Opening
) -> None:
    before = files_of(vault)
    async with bench(vault) as b:
        await b.press("N", "s")
        assert "Choose a memory of the cluster first: tab goes there" in b.toasts[-1]
        assert files_of(vault) == before
        await b.press("tab", "j")
        assert b.subject == TWICE
        await b.press("s")
        assert isinstance(b.app.screen, TargetDialog)
        targets = b.app.screen.query_one("#targets", LineList)
        assert targets.cursor_key == KEPT == targets.source.key(0)
        await b.press("enter")
        assert isinstance(b.app.screen, PreviewDialog)
        await b.press("enter")
        assert not (vault / "knowledge" / f"{TWICE}.md").exists()
        kept = frontmatter.loads((vault / "knowledge" / f"{KEPT}.md").read_text(encoding="utf-8"))
        assert kept["supersedes"] == [TWICE]
        assert b.subject == THRICE, "the one now in its place"
        assert "2 clusters, 4 memories" in b.title("#items")
        await b.press("u")
        assert files_of(vault) == before
        assert _order(b) == [KEPT, TWICE, THRICE]
        await b.press("g", "s")
        assert b.app.screen.query_one("#targets", LineList).cursor_key == TWICE, "its nearest"


async def test_a_cluster_that_is_cleaned_up_goes_and_no_other_is_ruled_on(
    vault: Path, bench: Opening
) -> None:
    async with bench(vault) as b:
        await b.press("N", "j", "tab", "G", "c")
        assert b.subject == TABS_TOO
        note = (vault / "knowledge" / f"{TABS_TOO}.md").read_text(encoding="utf-8")
        assert frontmatter.loads(note)["standing"] == "contested"
        assert "contested" in b.shown("#detail")
        await b.press("t", "enter")
        assert not (vault / "knowledge" / f"{TABS_TOO}.md").exists()
        assert "1 cluster, 3 memories" in b.title("#items")
        assert b.subject == "" and b.app.screen.focused is b.app.screen.query_one("#items")
        await b.press("escape")
        assert isinstance(b.app.screen, MainScreen)


async def test_what_others_change_is_followed_for_the_price_of_the_change(
    vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(vault) as b:
        await b.press("N", "j", "tab")
        assert b.subject == TABS
        probed: list[str] = []
        probe = SiblingIndex.question

        def counted(index: SiblingIndex, text: str, *arguments: Any) -> Any:
            probed.append(text)
            return probe(index, text, *arguments)

        monkeypatch.setattr(SiblingIndex, "question", counted)
        # A third one joins the cluster, and comes before the others by its id.
        write_note(vault, ALONE, STATEMENTS[TABS])
        b.app.read_again(b.workspace)
        await settled(b.pilot)
        assert probed == [STATEMENTS[TABS]]
        assert b.subject == TABS, "the memory stays chosen"
        assert set(_order(b)) == {ALONE, TABS, TABS_TOO}
        await b.press("escape", "N")
        assert len(probed) == 1, "coming back looks for nothing anew"
        assert "2 clusters, 6 memories" in b.title("#items")


def test_a_large_cluster_is_made_as_it_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[str] = []
    difference = alike.difference

    def counted(before: str, after: str) -> Any:
        compared.append(before)
        return difference(before, after)

    monkeypatch.setattr(alike, "difference", counted)
    copies = [
        Memory(memory_id=f"mem-{number:04}", statement=f"Keep this notice on top of file {number}.")
        for number in range(3_000)
    ]
    source = alike.member_rows(copies, "mem-2000")
    assert len(source) == 3_000 and source.fixed_height == 3
    assert source.key(0) == "mem-2000" and "the yardstick" in source.row(0).body.plain
    assert compared == []
    assert len(source.row(2_999).body.plain.splitlines()) == 3
    assert compared == [copies[-1].statement]


async def test_a_search_is_left_finds_nothing_fails_and_is_begun_anew(
    tmp_path: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "vault"
    (root / "knowledge").mkdir(parents=True)
    write_note(root, ALONE, STATEMENTS[ALONE])
    begun, left, over = Event(), Event(), Event()
    ended: list[str] = []
    look = NearDuplicates.look

    def slow(near: NearDuplicates, *arguments: Any) -> tuple[Cluster, ...]:
        begun.set()
        left.wait(30)
        try:
            return look(near, *arguments)
        except Exception as error:
            ended.append(type(error).__name__)
            raise
        finally:
            over.set()

    def fails(*_: object) -> tuple[Cluster, ...]:
        raise OSError("disk {gone}")

    async with bench(root) as b:
        monkeypatch.setattr(NearDuplicates, "look", slow)
        await b.pilot.press("N")
        assert await asyncio.to_thread(begun.wait, 30)
        assert "Comparing every memory with every other…" in b.shown("#items")
        b.app.screen.post_message(LookGoesOn(500, 1_500))
        await b.pilot.pause()
        assert "500 of 1,500 · esc leaves" in b.shown("#items")
        await b.pilot.press("escape")
        assert isinstance(b.app.screen, MainScreen)
        left.set()
        assert await asyncio.to_thread(over.wait, 30)
        assert ended == ["_LeftError"]

        monkeypatch.setattr(NearDuplicates, "look", fails)
        await b.press("N")
        told = " ".join(b.shown("#items").split())
        assert "could not be compared: disk {gone} ctrl+r reads the vault again" in told

        monkeypatch.setattr(NearDuplicates, "look", look)
        await b.press("ctrl+r")
        assert "No two memories in force say nearly the same." in b.shown("#items")
        await b.press("t")
        assert "No two memories say nearly the same" in b.toasts[-1]
