"""Keys of one's own: they rule, and every text that names a key names them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tui_bench import Bench, app_on, files_of, settled
from walking import screen_lines

import proofstone.tui
from proofstone.tui.command import EVERYWHERE, Situation, label
from proofstone.tui.commands import BY_ID, COMMANDS
from proofstone.tui.keymap import DEFAULT, Keymap
from proofstone.tui.palette import entries
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.dialog import PickDialog
from proofstone.tui.screens.help import HelpSheet
from proofstone.tui.widgets.line_list import LineList

OWN = """\
ratify: f2
defer: f3
undo: f4
help: f5
row_next: f6
row_previous: f7
back: f8
fold: f9
boundary: alt+b
edit: alt+e
trust_class: alt+c
memories: alt+m
log: alt+l
reload: alt+r
pane_2: alt+2
pane_3: alt+3
"""


async def test_a_remapped_workbench_rules_and_tells_its_own_keys(
    demo_vault: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "config"
    folder.mkdir()
    (folder / "keymap.yaml").write_text(OWN, encoding="utf-8")
    before = files_of(demo_vault)
    app = app_on(demo_vault, personal=folder)
    async with app.run_test(size=(200, 60)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        assert app.faults == ()
        first, footer = b.subject, " ".join(screen_lines(b)[-2:])
        assert "f2 ratify  f3 defer" in footer and "alt+b boundary" in footer
        assert "f2" in b.shown("#proposal"), "the card names the key that ratifies"
        await b.press("r", "d", "j")
        assert files_of(demo_vault) == before and b.subject == first, "the old keys are nobody's"
        await b.press("f6", "f7", "f3")
        assert isinstance(app.screen, PickDialog)
        assert "↑↓ or f6 f7 choose" in "".join(screen_lines(b))
        await b.press("f6", "enter")
        assert "f4 takes it back" in b.toasts[-1]
        assert files_of(demo_vault) != before
        await b.press("f4")
        assert files_of(demo_vault) == before

        assert await _help(b) == "f9 folds a cluster, * marks all of it."
        await b.press("alt+3")
        assert "alt+b shows what the model was given" in await _help(b)
        await b.press("6")
        assert "alt+c changes the trust class" in await _help(b)
        await b.press("slash")
        await b.write("zzzz")
        await b.press("enter")
        assert "f8 shows everything again." in b.shown("#queue")
        await b.press("f8")
        await b.press("alt+m")
        assert isinstance(app.screen, WorkbenchScreen)
        titles = [entry.title for entry in entries(app.screen)]
        assert "ratify (f2)" in titles and "back (f8)" in titles
        assert "f2 confirms it, alt+e corrects it" in await _help(b)


async def _help(b: Bench) -> str:
    """The last sentence that the help sheet says of the focused pane."""
    await b.press("f5")
    assert isinstance(b.app.screen, HelpSheet)
    assert "esc or f5 closes" in "".join(screen_lines(b))
    source = b.app.screen.query_one(LineList).source
    about = next(source.row(n).body.plain for n in range(len(source)) if source.key(n) == "about")
    await b.press("f5")
    assert isinstance(b.app.screen, WorkbenchScreen)
    return about if "folds a cluster" not in about else about[about.index("f9") :]


async def test_keys_that_are_saved_meanwhile_are_told_at_once(
    demo_vault: Path, tmp_path: Path
) -> None:
    from proofstone.tui.personal import read_personal

    folder = tmp_path / "config"
    folder.mkdir()
    app = app_on(demo_vault, personal=folder)
    async with app.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        b = Bench(pilot, demo_vault)
        await b.press("j", "space")
        subject = b.subject
        assert " r  asks" in b.shown("#proposal") or " r " in b.shown("#proposal")
        (folder / "keymap.yaml").write_text("ratify: f2\n", encoding="utf-8")
        app.follow_personal(read_personal(folder))
        await settled(pilot)
        assert " f2 " in b.shown("#proposal")
        assert b.subject == subject and "1 marked" in b.title("#queue")


FULL = Keymap({command.id: (f"f{n}",) for n, command in enumerate(COMMANDS, 30)})
"""A key for every command that no text could have by chance."""


@pytest.mark.parametrize("screen", EVERYWHERE)
def test_no_reason_names_a_key_that_is_not_asked_for(screen: str) -> None:
    """Why a command cannot run is told with the keys of now, whatever is missing."""
    told = []
    for loaded, subject, marked in ((True, "", 0), (True, "x", 3), (True, "x", 0)):
        now = Situation(
            screen=screen, loaded=loaded, subject=subject, marked=marked, key=FULL.label
        )
        told += [command.why_not(now) for command in COMMANDS]
    assert [why for why in told if re.search(r"\besc\b|\([1-7]\)|\bctrl\+", why)] == []


TUI = Path(proofstone.tui.__file__).parent
NAMES_KEYS = {"keymap.py", "pages.py", "command.py", "commands.py", "snapshot.py", "opening.py"}
"""Modules that speak of keys as such."""
FIXED = re.compile(
    r"^[^.]*(· |^)(esc|ctrl\+s)\b|^esc closes$|; esc leaves all as it is\.$|^ctrl\+c "
)
"""Keys that are nobody's to change: those of dialogs, told below them, and the terminal's own."""
A_KEY = re.compile(r"(?<![{\w])(ctrl\+[a-z]|esc)(?![}\w])")


def _texts(path: Path) -> Iterator[str]:
    """The texts of a module that are neither documentation nor keys of a binding or command."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr):
            left_out.add(node.value)
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Binding":
            left_out.update(ast.walk(node))
        if isinstance(node, ast.keyword) and node.arg in ("keys", "key"):
            left_out.update(ast.walk(node))
        if isinstance(node, ast.Dict):
            left_out.update(key for key in node.keys if key is not None)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
            yield node.value


def test_no_text_has_a_key_written_into_it() -> None:
    found = {
        f"{path.relative_to(TUI)}: {text}"
        for path in TUI.rglob("*.py")
        if path.name not in NAMES_KEYS
        for text in _texts(path)
        if A_KEY.search(text) and not FIXED.search(text)
    }
    assert found == set()


def test_every_text_with_keys_can_be_told() -> None:
    from proofstone.tui.panes import (
        boundary,
        evidence,
        gate,
        proposal,
        queue,
        siblings,
        turns,
        verifier,
    )
    from proofstone.tui.screens import duplicates, inquiries, log, memories, problems, settings

    abouts = [
        value.about
        for module in (
            *(boundary, evidence, gate, proposal, queue, siblings, turns, verifier),
            *(duplicates, inquiries, log, memories, problems, settings),
        )
        for value in vars(module).values()
        if isinstance(getattr(value, "about", None), str) and value.about
    ]
    assert len(abouts) >= 13
    for about in abouts:
        told = DEFAULT.told(about)
        assert "{" not in told
    assert DEFAULT.told("{fold} {back}") == f"{label(BY_ID['fold'].keys[0])} esc"
    with pytest.raises(KeyError):
        DEFAULT.told("{no_such_command}")
