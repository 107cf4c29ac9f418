"""``proofstone clean``: shows, asks, removes once, and prints JSON for programs."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.clean_story import INBOX, PLAIN, PROPOSED, tell
from tests.conftest import Proofstone, contents

TURN = "codex/orion-release#1"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PROOFSTONE_NOW", "2026-11-22T10:00:00Z")
    return tell(tmp_path / "vault")


def test_a_dry_run_says_what_would_go_and_removes_nothing(
    root: Path, proofstone: Proofstone
) -> None:
    before = contents(root)
    out = proofstone("clean", root, "--dry-run").out
    assert f"{PROPOSED}  settled 2026-11-21T10:00:00Z  2 events in {INBOX}\n" in out
    assert f"{PLAIN}  settled 2026-11-20T10:00:00Z" in out
    assert "cannot be undone" in out
    assert contents(root) == before


def test_without_a_terminal_it_needs_yes(root: Path, proofstone: Proofstone) -> None:
    before = contents(root)
    refused = proofstone("clean", root, code=2)
    assert "2 turns would lose the captured text" in refused.err
    assert "--yes" in refused.err
    assert refused.err.count("\n") == 1
    assert contents(root) == before


@pytest.mark.parametrize("agreed", [True, False])
def test_on_a_terminal_it_asks(
    root: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch, agreed: bool
) -> None:
    asked: list[str] = []

    def confirm(question: str, default: bool) -> bool:
        asked.append(question)
        return agreed

    monkeypatch.setattr("proofstone.cli.cleaning.is_terminal", lambda: True)
    monkeypatch.setattr("click.confirm", confirm)
    before = contents(root)
    out = proofstone("clean", root, code=0 if agreed else 1).out
    assert asked == ["Remove the text of 2 turns for good?"]
    assert ("removed: the text of 2 turns" if agreed else "nothing was removed") in out
    assert (contents(root) == before) is not agreed


def test_yes_removes_once_and_a_second_run_changes_nothing(
    root: Path, proofstone: Proofstone
) -> None:
    proofstone("clean", root, "--yes")
    before = contents(root)
    assert "no settled turn is due" in proofstone("clean", root, "--yes").out
    assert "no settled turn is due" in proofstone("clean", root).out
    assert contents(root) == before
    assert proofstone("check", root).out == "clean\n"


def test_json_names_what_went_and_what_was_kept(
    root: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert proofstone("clean", root, "--json", code=2).out == ""
    shown = proofstone("clean", root, "--json", "--dry-run").json
    assert (shown["cleaned"], shown["ruling"], shown["changed"]) == ([], "", [])
    monkeypatch.setenv("PROOFSTONE_NOW", "2026-11-22T09:59:59Z")
    done = proofstone("clean", root, "--json", "--yes", "--as", "Lin Qiao").json
    assert done["schema"] == "proofstone/clean/1"
    assert [turn["turn"] for turn in done["due"]] == [PLAIN]
    assert done["due"][0]["files"] == [INBOX]
    assert len(done["due"][0]["event_keys"]) == 2
    assert done["held"] == [
        {
            "turn": PROPOSED,
            "settled_at": "2026-11-21T10:00:00Z",
            "why": "its text is kept until 2026-11-22T10:00:00Z",
        }
    ]
    assert done["cleaned"] == [PLAIN]
    assert INBOX in done["changed"]
    (logged,) = (i for i in proofstone("log", root, "--json").items if i["action"] == "clean")
    assert (logged["subject"], logged["author"], logged["ruling_id"]) == (
        PLAIN,
        "Lin Qiao",
        done["ruling"],
    )


def test_the_turn_is_listed_as_settled_without_its_text(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    found = proofstone("check", demo_vault, "--json", code=1).items
    done = proofstone("clean", demo_vault, "--yes", "--json").json
    assert done["cleaned"] == [TURN]
    (turn,) = proofstone("show", "turns", demo_vault, TURN, "--json").items
    assert (turn["state"], turn["cleaned_at"]) == ("settled", "2026-11-27T09:00:00Z")
    assert turn["counts"]["units"] == 12
    assert "settled, its text removed" in proofstone("show", "turns", demo_vault, TURN).out
    (accounted,) = proofstone("show", "gate", demo_vault, TURN, "--json").items
    assert len(accounted["dispositions"]) == 12
    assert proofstone("check", demo_vault, "--json", code=1).items == found
    assert "text was removed at" in proofstone("gate", "view", demo_vault, TURN).out
    assert "1 of turns whose text was removed" in proofstone("gate", "verify", demo_vault).out


def test_a_folder_that_is_no_vault_is_one_clear_line(
    tmp_path: Path, proofstone: Proofstone
) -> None:
    err = proofstone("clean", tmp_path / "nowhere", code=2).err
    assert err.startswith("proofstone: ")
    assert err.count("\n") == 1
