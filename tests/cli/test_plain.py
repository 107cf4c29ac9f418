"""``--plain``: every screen as text in reading order."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofstone.tui.snapshot import SCREENS

Proofstone = Callable[..., Any]

_DRAWN = re.compile("[\u2500-\u259f\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]")


@pytest.fixture
def text_of(proofstone: Proofstone, demo_vault: Path) -> Callable[..., str]:
    """What ``open --plain`` prints of the demo vault."""

    def call(screen: str, vault: Path = demo_vault) -> str:
        printed = proofstone("open", vault, "--plain", "--screen", screen).out
        assert isinstance(printed, str)
        return printed

    return call


@pytest.mark.parametrize("screen", SCREENS)
def test_a_screen_has_no_drawing_and_nothing_that_acts(
    text_of: Callable[..., str], screen: str
) -> None:
    printed = text_of(screen)
    assert _DRAWN.findall(printed) == []
    assert len(printed.splitlines()) > 5
    assert not any(line.endswith(" ") for line in printed.splitlines())


def test_the_main_screen_is_read_pane_after_pane(text_of: Callable[..., str]) -> None:
    lines = text_of("main").splitlines()
    panes = [line.split()[1] for line in lines if re.match(r"\d [A-Z]", line)]
    assert panes == ["Turns", "Queue", "Evidence", "Gate", "Proposal", "Verifier", "Siblings"]
    assert "18 waiting" in lines[0] and "as Mira Tal" in lines[0]
    assert any(line.startswith("  selected: flagged: From December Orion") for line in lines)
    assert "  selected: P user: «From December Orion ships on Thursdays» (→c2)" in lines
    assert "  C asst: Understood." in lines
    assert any(line.startswith("  selected: pass: source support") for line in lines)
    assert any(line.startswith("  flag: conflict") for line in lines)
    assert any("Orion ships on [-Tuesdays-] {+Thursdays+}" in line for line in lines)


def test_every_row_is_there_and_none_is_cut(text_of: Callable[..., str]) -> None:
    lines = [line.removeprefix("  selected:").strip() for line in text_of("memories").splitlines()]
    rows = [line for line in lines if re.match("(un)?reviewed: ", line)]
    assert f"Memories · {len(rows)}" in lines
    assert "unreviewed: Orion staging address (37h)" in rows
    own = "Mira decides what is released; agents prepare, and never publish"
    assert f"reviewed: {own} (60d)" in rows


def test_hidden_characters_are_seen(text_of: Callable[..., str]) -> None:
    assert "Orion deploys need no review.‹ZWSP›" in text_of("main")


def test_a_vault_with_keys_of_its_own_prints_the_same_screens(
    text_of: Callable[..., str], demo_vault: Path
) -> None:
    before = text_of("log")
    settings = demo_vault / "proofstone.yaml"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(f'{text}\nkeymap:\n  log: "f9"\n', encoding="utf-8")
    assert text_of("log") == before


def test_an_empty_vault_says_how_to_start(
    text_of: Callable[..., str],
    proofstone: Proofstone,
    tmp_path: Path,
) -> None:
    proofstone("init", tmp_path / "empty")
    assert "  This vault is empty." in text_of("main", tmp_path / "empty")


def test_the_demo_is_printed_too(proofstone: Proofstone) -> None:
    assert "Problems · 3" in proofstone("demo", "--plain", "--screen", "problems").out


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--plain", "--screen", "attic"), "--screen attic: there are main, boundary, "),
        (("--screen", "log"), "--screen log: goes with --plain alone"),
    ],
)
def test_a_wrong_screen_is_one_line(
    proofstone: Proofstone,
    demo_vault: Path,
    arguments: tuple[str, ...],
    told: str,
) -> None:
    outcome = proofstone("open", demo_vault, *arguments, code=2)
    assert told in outcome.err and outcome.err.count("\n") == 1


def test_without_a_terminal_the_summary_stays(proofstone: Proofstone, demo_vault: Path) -> None:
    assert "What needs a person most:" in proofstone("open", demo_vault).out
