"""One registry: every command has a key, words, and something that answers it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from proofstone.tui.app import ProofstoneApp
from proofstone.tui.command import (
    DUPLICATES,
    EVERYWHERE,
    INQUIRIES,
    LOG,
    MAIN,
    MEMORIES,
    PROBLEMS,
    SETTINGS,
    Command,
    Group,
    Situation,
)
from proofstone.tui.commands import COMMANDS, commands_for, keys_markdown
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.screens.duplicates import DuplicatesScreen
from proofstone.tui.screens.help import GROUP_TITLE
from proofstone.tui.screens.inquiries import InquiriesScreen
from proofstone.tui.screens.log import LogScreen
from proofstone.tui.screens.main import MainScreen
from proofstone.tui.screens.memories import MemoriesScreen
from proofstone.tui.screens.problems import ProblemsScreen
from proofstone.tui.screens.settings import SettingsScreen

SCREENS: dict[str, type[WorkbenchScreen]] = {
    MAIN: MainScreen,
    MEMORIES: MemoriesScreen,
    LOG: LogScreen,
    INQUIRIES: InquiriesScreen,
    DUPLICATES: DuplicatesScreen,
    PROBLEMS: ProblemsScreen,
    SETTINGS: SettingsScreen,
}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_key_has_one_meaning_on_a_screen(name: str) -> None:
    keys = Counter(key for command in commands_for(name) for key in command.keys)
    assert {key: number for key, number in keys.items() if number > 1} == {}


@pytest.mark.parametrize("name", EVERYWHERE)
def test_a_key_has_one_meaning_everywhere(name: str) -> None:
    meanings = {key: command.id for command in COMMANDS for key in command.keys}
    for command in commands_for(name):
        assert all(meanings[key] == command.id for key in command.keys)


@pytest.mark.parametrize("name", EVERYWHERE)
def test_every_command_is_answered(name: str) -> None:
    screen = SCREENS[name]
    silent = [
        command.id
        for command in commands_for(name)
        if not hasattr(screen, f"command_{command.id}")
        and not hasattr(ProofstoneApp, f"command_{command.id}")
    ]
    assert silent == []


RULINGS = [c for c in COMMANDS if c.group == "Rule" and not c.id.startswith("mark")]


def test_the_help_sheet_has_a_heading_for_every_group() -> None:
    assert set(GROUP_TITLE) == set(Group)


def test_every_command_explains_itself() -> None:
    assert all(command.help.endswith(".") and command.title for command in COMMANDS)


@pytest.mark.parametrize("command", RULINGS, ids=lambda c: c.id)
def test_rulings_wait_for_the_vault_and_for_one_another(command: Command) -> None:
    assert command.why_not(Situation()) == "the vault is still being read"
    writing = Situation(loaded=True, subject="x", busy="ratify")
    assert command.why_not(writing) == "ratify is still being written"


def test_nothing_is_ruled_on_unseen() -> None:
    unseen = Situation(loaded=True, subject="x", seen=False)
    rulings = ("ratify", "defer", "supersede", "tombstone", "dismiss", "edit")
    for command in COMMANDS:
        if command.id in rulings:
            assert "not been drawn" in command.why_not(unseen)


def test_the_page_of_keys_is_up_to_date() -> None:
    page = Path(__file__).parents[2] / "docs" / "keys.md"
    assert page.read_text(encoding="utf-8") == keys_markdown(), (
        "run python -m proofstone.tui.keys_page > docs/keys.md"
    )
