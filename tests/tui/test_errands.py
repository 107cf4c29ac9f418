"""Copying, jumping, and a note in the person's own editor (spec page 7, Behaviour)."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from tui_bench import Bench, Opening, files_of

from proofstone.curation.views import ProposalView
from proofstone.domain.rulings import RulingRefused
from proofstone.tui import editing
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.copying import MOST_BYTES, osc52
from proofstone.tui.editing import editor_command
from proofstone.tui.screens.jump import LETTERS, JumpOverlay
from proofstone.tui.screens.main import MainScreen

# Copying


def test_the_clipboard_sequence_is_the_terminal_s() -> None:
    encoded = base64.b64encode("naïve 記憶".encode()).decode()
    assert osc52("naïve 記憶", in_tmux=False) == f"\x1b]52;c;{encoded}\a"


def test_within_tmux_it_is_wrapped_with_doubled_escapes() -> None:
    wrapped = osc52("x", in_tmux=True)
    assert wrapped == "\x1bPtmux;\x1b\x1b]52;c;eA==\a\x1b\\"


@pytest.mark.parametrize("in_tmux", [False, True])
async def test_y_copies_the_statement_and_says_so(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch, in_tmux: bool
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    if in_tmux:
        monkeypatch.setenv("TMUX", "/tmp/tmux-0/default,1,0")
    async with bench(demo_vault) as b:
        driver = b.app._driver
        assert driver is not None
        written: list[str] = []
        monkeypatch.setattr(driver, "write", written.append)
        statement = b.workspace.proposal(b.subject).proposal.statement
        await b.press("y")
        assert b.app.clipboard == statement
        assert osc52(statement, in_tmux=in_tmux) in written
        assert any(toast.startswith(statement[:20]) for toast in b.toasts)


async def test_ctrl_c_says_which_key_leaves(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("ctrl+c")
        (told,) = b.toasts
        assert told == "q leaves. Every ruling is on disk already."


async def test_y_copies_what_the_focused_pane_is_about(demo_vault: Path, bench: Opening) -> None:
    def is_quoted(view: ProposalView) -> bool:
        return bool(view.proposal.bindings)

    async with bench(demo_vault) as b:
        view = await b.select(is_quoted)
        claim = view.proposal.bindings[0]
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        await b.press("3")
        screen.evidence_pane.move_to(claim.unit_id)
        await b.press("y")
        assert claim.quote in b.app.clipboard
        await b.press("1", "y")
        assert b.app.clipboard == screen.turns_pane.cursor_key
        await b.press("M", "y")
        memory = b.workspace.held.memory(b.subject)
        assert memory is not None and b.app.clipboard == memory.statement
        await b.press("I", "y")
        asked = next(i for i in b.workspace.holdings.inquiries if i.inquiry_id == b.subject)
        assert b.app.clipboard == asked.question


async def test_what_is_copied_cannot_act_on_a_shell(demo_vault: Path, bench: Opening) -> None:
    path = next((demo_vault / "proposals").glob("*.md"))
    text = path.read_text(encoding="utf-8")
    path.write_text(text.rstrip() + " \x1b[31mred\u202e\n", encoding="utf-8")
    async with bench(demo_vault) as b:
        await b.select(lambda view: view.proposal.path.endswith(path.name))
        await b.press("y")
        assert "red" in b.app.clipboard
        assert "\x1b" not in b.app.clipboard
        assert "\u202e" not in b.app.clipboard


async def test_too_much_for_a_terminal_is_not_cut(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "proofstone.tui.copying.copyable", lambda _: ("row", "x" * MOST_BYTES + "y")
    )
    async with bench(demo_vault) as b:
        await b.press("y")
        assert b.app.clipboard == ""
        assert any("bytes at most" in toast for toast in b.toasts)


# Jumping


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_letter_over_each_pane_goes_there(
    demo_vault: Path, bench: Opening, size: tuple[int, int]
) -> None:
    async with bench(demo_vault, size) as b:
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        for letter, pane in zip(LETTERS, screen.panes, strict=False):
            await b.press("ctrl+o")
            assert isinstance(b.app.screen, JumpOverlay)
            labels = list(b.app.screen.children)
            assert len(labels) == len(screen.panes)
            assert len({label.region.offset for label in labels}) == len(labels)
            await b.press(letter)
            assert b.app.screen is screen
            assert pane.has_focus


async def test_any_other_key_closes_the_letters(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        screen, before = b.app.screen, files_of(demo_vault)
        for key in ("escape", "x", "ctrl+o"):
            await b.press("ctrl+o", key)
            assert b.app.screen is screen
        assert files_of(demo_vault) == before


async def test_a_click_on_a_letter_goes_there(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        screen = b.app.screen
        assert isinstance(screen, MainScreen)
        await b.press("ctrl+o")
        at = screen.verifier_pane.region
        await b.pilot.click(offset=(at.x + 2, at.y))
        await b.press()
        await b.pilot.pause()
        assert screen.verifier_pane.has_focus


async def test_other_screens_have_letters_too(demo_vault: Path, bench: Opening) -> None:
    async with bench(demo_vault) as b:
        await b.press("M", "ctrl+o", "s")
        assert b.app.focused is not None and b.app.focused.id == "detail"


# The editor


def _editor(
    monkeypatch: pytest.MonkeyPatch, change: Callable[[str], str], code: int = 0
) -> list[Path]:
    """An editor that makes one change; gives the files that it was handed."""
    handed: list[Path] = []

    def hand_over(app: ProofstoneApp, command: list[str]) -> int:
        assert command[:2] == ["my-editor", "--wait"]
        path = Path(command[2])
        handed.append(path)
        path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
        return code

    monkeypatch.setenv("VISUAL", "my-editor --wait")
    monkeypatch.setattr(editing, "hand_over", hand_over)
    monkeypatch.setattr(ProofstoneApp, "is_headless", property(lambda _: False))
    return handed


def _clean(b: Bench) -> Callable[[ProposalView], bool]:
    return lambda view: bool(view.proposal.statement.isascii() and view.proposal.title)


async def test_a_change_in_the_editor_is_an_edit(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with bench(demo_vault) as b:
        view = await b.select(_clean(b))
        words = view.proposal.statement
        handed = _editor(
            monkeypatch,
            lambda text: text.replace(f"\n{words}", f"\n{words} Always.").replace(
                "\ntags: [", '\ntags: ["by-hand", '
            ),
        )
        await b.press("E")
        now = b.workspace.proposal(view.proposal_id).proposal
        assert now.statement == f"{words} Always."
        assert now.original_statement == words
        assert now.tags[0] == "by-hand"
        assert b.app.journal[0].ruling.action == "edit"
        assert not handed[0].parent.exists()
        await b.press("u")
        assert b.workspace.proposal(view.proposal_id).proposal.statement == words


async def test_nothing_changed_writes_nothing(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        handed = _editor(monkeypatch, lambda text: text)
        rows = len(b.app.journal)
        await b.press("E")
        assert any("Nothing was changed" in toast for toast in b.toasts)
        assert len(b.app.journal) == rows
        assert not handed[0].parent.exists()
    assert files_of(demo_vault) == before


async def test_what_is_not_a_person_s_to_change_is_refused_and_the_text_kept(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        handed = _editor(
            monkeypatch, lambda text: text.replace("profile:", "ratified: yes\nprofile:")
        )
        await b.press("E")
        assert any("Ratified: not a person's to change" in toast for toast in b.toasts), b.toasts
        assert "ratified: yes" in handed[0].read_text(encoding="utf-8")
        assert any(str(handed[0]) in toast.replace("\n", "") for toast in b.toasts)
    assert files_of(demo_vault) == before


async def test_a_note_that_cannot_be_read_any_more_is_refused(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        _editor(monkeypatch, lambda text: text.replace("\n---\n", "\n", 1))
        await b.press("E")
        assert any("cannot be read" in toast for toast in b.toasts)
    assert files_of(demo_vault) == before


async def test_an_editor_that_gave_up_changes_nothing(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files_of(demo_vault)
    async with bench(demo_vault) as b:
        _editor(monkeypatch, lambda text: text + "more", code=1)
        await b.press("E")
        assert any("ended with 1" in toast for toast in b.toasts)
    assert files_of(demo_vault) == before


async def test_without_a_terminal_it_says_why(
    demo_vault: Path, bench: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "vi")
    async with bench(demo_vault) as b:
        await b.press("E")
        assert any("no terminal here" in toast for toast in b.toasts)


def test_the_editor_is_visual_then_editor() -> None:
    assert editor_command({"VISUAL": "code --wait", "EDITOR": "vi"}) == ["code", "--wait"]
    assert editor_command({"VISUAL": " ", "EDITOR": "vi"}) == ["vi"]
    with pytest.raises(RulingRefused, match="no editor is named"):
        editor_command({})
    with pytest.raises(RulingRefused, match="cannot be read as a command"):
        editor_command({"EDITOR": "vi 'unclosed"})
