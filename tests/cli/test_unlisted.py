"""What nobody can read is never counted as absent: not by a list, a check, a ruling or a purge."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Proofstone, contents

CLEAN = "prop-6521b5"
RULED = "mem-424c0102c66a250e0e7c15c8"


@pytest.fixture
def forbidden(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The folders that may not be listed and files that may not be opened, for nobody at all."""
    forbidden: list[Path] = []

    def guarded(call: Callable[..., Any]) -> Callable[..., Any]:
        def guard(path: Any = ".", *more: Any, **named: Any) -> Any:
            if isinstance(path, str | Path) and Path(path) in forbidden:
                raise PermissionError(13, "Permission denied", str(path))
            return call(path, *more, **named)

        return guard

    monkeypatch.setattr(os, "scandir", guarded(os.scandir))
    monkeypatch.setattr(os, "open", guarded(os.open))
    return forbidden


def found(proofstone: Proofstone, vault: Path) -> set[tuple[str, str]]:
    """The paths and codes of all findings."""
    items = proofstone("check", vault, "--json", code=1).items
    return {(item["path"], item["code"]) for item in items}


def codes(found: str) -> set[str]:
    return {line.split(": ")[1] for line in found.splitlines()[:-1]}


@pytest.mark.parametrize("room", ["knowledge", "evidence", "inbox/codex"])
def test_an_unlisted_folder_is_the_finding_and_nothing_in_it_is_missed(
    demo_vault: Path, proofstone: Proofstone, forbidden: list[Path], room: str
) -> None:
    before = {
        (p["path"], p["code"]) for p in proofstone("check", demo_vault, "--json", code=1).items
    }
    forbidden.append(demo_vault / room)
    after = {
        (p["path"], p["code"]) for p in proofstone("check", demo_vault, "--json", code=1).items
    }
    assert after - before == {(room, "unreadable_folder")}


def test_an_unread_note_is_the_finding_and_no_link_to_it_is_broken(
    demo_vault: Path, proofstone: Proofstone, forbidden: list[Path]
) -> None:
    note = f"knowledge/{RULED}.md"
    before = codes(proofstone("check", demo_vault, code=1).out)
    forbidden.append(demo_vault / note)
    found = proofstone("check", demo_vault, code=1).out
    assert codes(found) == before
    (line,) = (line for line in found.splitlines() if RULED in line)
    assert line.startswith(f"{note}: unreadable_note: ")
    assert "Make it readable for you" in line


@pytest.mark.parametrize("room", ["knowledge", "tombstones", "history"])
def test_nothing_is_decided_or_given_away_while_a_folder_cannot_be_listed(
    demo_vault: Path, proofstone: Proofstone, forbidden: list[Path], tmp_path: Path, room: str
) -> None:
    item = tmp_path / "item.json"
    item.write_text(
        json.dumps(
            {"content": "Orion logs in UTC", "source": "x", "anchor": "", "authority_class": "x"}
        )
    )
    target = tmp_path / "CLAUDE.md"
    proofstone("render", demo_vault, "--into", target)
    rendered, before = target.read_bytes(), contents(demo_vault, ["_state/vault.lock"])
    forbidden.append(demo_vault / room)
    refused = [
        proofstone("rule", "ratify", demo_vault, CLEAN, "--as", "Mira Tal", code=None),
        proofstone("capture", demo_vault, item, code=None),
        proofstone("render", demo_vault, "--into", target, code=None),
        proofstone("consolidate", demo_vault, code=None),
        proofstone("import", demo_vault, target, code=None),
        proofstone("rule", "tombstone", demo_vault, CLEAN, "--purge", "--dry-run", code=None),
    ]
    for outcome in refused:
        assert outcome.code in (1, 2)
        assert f"the folder {room} cannot be listed" in outcome.err
        assert len(outcome.err.splitlines()) == 1
    forbidden.clear()
    assert target.read_bytes() == rendered
    assert contents(demo_vault, ["_state/vault.lock"]) == before


def test_a_list_says_that_it_is_not_whole(
    demo_vault: Path, proofstone: Proofstone, forbidden: list[Path]
) -> None:
    forbidden.append(demo_vault / "knowledge")
    shown = proofstone("show", "memories", demo_vault)
    assert "the folder knowledge cannot be listed" in shown.err


def test_a_purge_names_the_folder_that_it_cannot_look_through(
    demo_vault: Path, proofstone: Proofstone, forbidden: list[Path]
) -> None:
    (demo_vault / "drafts").mkdir()
    forbidden.append(demo_vault / "drafts")
    told = proofstone("rule", "tombstone", demo_vault, RULED, "--purge", "--dry-run")
    assert "left alone: drafts: it cannot be looked through" in told.out


@pytest.mark.parametrize("room", ["knowledge", "evidence", "tombstones", "inbox", "gate"])
def test_a_room_that_is_a_link_is_a_finding_and_never_counts_as_empty(
    demo_vault: Path, proofstone: Proofstone, tmp_path: Path, room: str
) -> None:
    before = {
        (p["path"], p["code"]) for p in proofstone("check", demo_vault, "--json", code=1).items
    }
    elsewhere = tmp_path / "elsewhere"
    (demo_vault / room).rename(elsewhere)
    (demo_vault / room).symlink_to(elsewhere, target_is_directory=True)
    after = {
        (p["path"], p["code"]) for p in proofstone("check", demo_vault, "--json", code=1).items
    }
    assert after - before == {(room, "unreadable_folder")}
    refused = proofstone("rule", "ratify", demo_vault, CLEAN, "--as", "Mira Tal", code=1)
    assert f"the folder {room} cannot be listed: it is a link" in refused.err
    assert "put the folder itself in the link's place" in refused.err


def test_a_capture_is_not_compared_with_a_room_that_is_a_link(
    demo_vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    (demo_vault / "tombstones").rename(tmp_path / "tombstones")
    (demo_vault / "tombstones").symlink_to(tmp_path / "tombstones")
    item = tmp_path / "item.json"
    item.write_text('{"content": "Orion logs in UTC", "source": "x", "authority_class": "x"}')
    refused = proofstone("capture", demo_vault, item, code=2)
    assert "the folder tombstones cannot be listed: it is a link" in refused.err
    assert len(refused.err.splitlines()) == 1
