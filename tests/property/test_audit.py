"""Tampering with the journal or the objects, anywhere and anyhow, is found by a check."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofstone.curation.check import check
from proofstone.curation.workspace import Workspace
from proofstone.resources import resource_dir
from proofstone.vault.journal import Journal, seal
from proofstone.vault.journal_check import verify_journal
from proofstone.vault.layout import JOURNAL, OBJECTS
from tests.conftest import contents
from tests.torture.script import SCRIPT, workspace_at

CAREFUL = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
FOUND = {
    "journal_row_changed", "journal_chain_broken", "journal_row_forged", "journal_torn",
    "journal_unfinished", "journal_rows_missing", "object_damaged", "unfinished_ruling",
    "recovered_ruling",
}  # fmt: skip


@pytest.fixture(scope="module")
def ruled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo vault after sixty rulings of the script."""
    root = tmp_path_factory.mktemp("audit") / "vault"
    shutil.copytree(resource_dir("demo-vault"), root)
    for place, step in enumerate(SCRIPT[:60]):
        step.make(workspace_at(root, place))
    assert len(Journal(root).read()) >= 60 + 20
    assert verify_journal(root) == ()
    return root


@pytest.fixture
def vault(ruled: Path) -> Iterator[Path]:
    """The vault, put back as it was after each test."""
    before = contents(ruled)
    yield ruled
    restore(ruled, before)


def restore(root: Path, before: dict[str, bytes]) -> None:
    present = contents(root)
    for path in present.keys() - before.keys():
        (root / path).unlink()
    for path, data in before.items():
        if present.get(path) != data:
            (root / path).write_bytes(data)


def lines_of(root: Path) -> list[bytes]:
    return (root / JOURNAL).read_bytes().splitlines(keepends=True)


def assert_found(root: Path, tampered: Callable[[list[bytes]], list[bytes] | bytes]) -> None:
    """What ``tampered`` makes of the journal is found, before and when the vault is opened."""
    before = {JOURNAL: (root / JOURNAL).read_bytes()}
    lines = lines_of(root)
    made = tampered(list(lines))
    data = made if isinstance(made, bytes) else b"".join(made)
    assert data != before[JOURNAL]
    (root / JOURNAL).write_bytes(data)
    try:
        plainly = {problem.code for problem in verify_journal(root)}
        opened = {problem.code for problem in workspace_at(root, 60).problems}
        afterwards = {problem.code for problem in verify_journal(root)}
        assert plainly & FOUND
        assert (opened | afterwards) & FOUND
    finally:
        (root / JOURNAL).write_bytes(before[JOURNAL])


def resealed(line: bytes, **changed: Any) -> bytes:
    row = json.loads(line)
    row.update(changed)
    row.pop("hash", None)
    return seal(row)[0]


@CAREFUL
@given(data=st.data())
def test_a_changed_byte_of_any_row_is_found(vault: Path, data: st.DataObject) -> None:
    def change(lines: list[bytes]) -> list[bytes]:
        row = data.draw(st.integers(0, len(lines) - 1))
        at = data.draw(st.integers(0, len(lines[row]) - 2))
        byte = data.draw(st.integers(0, 255).filter(lambda value: value != lines[row][at]))
        lines[row] = lines[row][:at] + bytes([byte]) + lines[row][at + 1 :]
        return lines

    assert_found(vault, change)


@CAREFUL
@given(data=st.data())
def test_a_changed_field_of_any_row_is_found_even_with_a_new_hash(
    vault: Path, data: st.DataObject
) -> None:
    def change(lines: list[bytes]) -> list[bytes]:
        # The last ruling has no row after it that would name its hash: see docs/durability.md.
        row = data.draw(st.integers(0, len(lines) - 3))
        fields = json.loads(lines[row])
        key = data.draw(st.sampled_from(sorted(fields.keys() - {"hash"})))
        other = {"seq": 7777, "changes": [], "choices": {"x": "y"}, "recovered": False}
        value = other.get(key, f"{fields[key]}x")
        if data.draw(st.booleans()):
            lines[row] = resealed(lines[row], **{key: value})
        else:
            lines[row] = json.dumps({**fields, key: value}).encode() + b"\n"
        return lines

    assert_found(vault, change)


@CAREFUL
@given(data=st.data())
def test_dropped_moved_and_doubled_rows_are_found(vault: Path, data: st.DataObject) -> None:
    def change(lines: list[bytes]) -> list[bytes]:
        first = data.draw(st.integers(0, len(lines) - 1))
        match data.draw(st.sampled_from(["drop", "drop several", "move", "double", "swap"])):
            case "drop":
                del lines[first]
            case "drop several":
                del lines[first : first + data.draw(st.integers(1, len(lines)))]
            case "move":
                others = st.integers(0, len(lines) - 1).filter(lambda place: place != first)
                lines.insert(data.draw(others), lines.pop(first))
            case "double":
                lines.insert(data.draw(st.integers(0, len(lines))), lines[first])
            case "swap":
                second = data.draw(st.integers(0, len(lines) - 1).filter(lambda at: at != first))
                lines[first], lines[second] = lines[second], lines[first]
        return lines

    assert_found(vault, change)


@CAREFUL
@given(data=st.data())
def test_a_forged_row_is_found_wherever_it_is_put(vault: Path, data: st.DataObject) -> None:
    def change(lines: list[bytes]) -> list[bytes]:
        place = data.draw(st.integers(1, len(lines)))
        before = json.loads(lines[place - 1])
        model = data.draw(st.sampled_from(lines))
        forged = resealed(
            model,
            ruling="rul-forged",
            group="grp-forged",
            author="Mira Tal",
            seq=before["seq"] + 1,
            previous=before["hash"],
        )
        lines.insert(place, forged)
        return lines

    assert_found(vault, change)


@CAREFUL
@given(data=st.data())
def test_a_journal_cut_anywhere_is_found(vault: Path, data: st.DataObject) -> None:
    def change(lines: list[bytes]) -> bytes:
        whole = b"".join(lines)
        return whole[: data.draw(st.integers(0, len(whole) - 1))]

    assert_found(vault, change)


@CAREFUL
@given(data=st.data())
def test_an_object_changed_or_removed_is_found(vault: Path, data: st.DataObject) -> None:
    paths = sorted((vault / OBJECTS).iterdir())
    path = data.draw(st.sampled_from(paths))
    before = path.read_bytes()
    try:
        match data.draw(st.sampled_from(["change", "cut", "extend", "remove", "exchange", "copy"])):
            case "change":
                at = data.draw(st.integers(0, len(before) - 1))
                path.write_bytes(before[:at] + bytes([before[at] ^ 1]) + before[at + 1 :])
            case "cut":
                path.write_bytes(before[: data.draw(st.integers(0, len(before) - 1))])
            case "extend":
                path.write_bytes(before + b"\n")
            case "remove":
                path.unlink()
            case "exchange":
                other = data.draw(st.sampled_from([found for found in paths if found != path]))
                path.write_bytes(other.read_bytes())
            case "copy":
                (vault / OBJECTS / ("0" * 64)).write_bytes(before)
        assert {problem.code for problem in verify_journal(vault)} & FOUND
    finally:
        path.write_bytes(before)
        (vault / OBJECTS / ("0" * 64)).unlink(missing_ok=True)


def test_a_ruling_made_to_look_rolled_back_is_found(vault: Path) -> None:
    assert_found(vault, lambda lines: [*lines[:-1], resealed(lines[-1], state="rolled_back")])


def test_a_note_that_claims_a_ruling_which_nobody_made_is_found(vault: Path) -> None:
    by_hand = (
        '---\ntitle: "x"\nmemory_id: "mem-forged"\nlayer: "L2"\n'
        'ratified:\n  by: "Mira Tal"\n  at: "2026-11-27T09:00:00Z"\n  ruling: "rul-forged"\n'
        "---\n\nOrion needs no review.\n"
    )
    (vault / "knowledge/mem-forged.md").write_text(by_hand, encoding="utf-8")
    real = next(
        entry.ruling_id for entry in reversed(Journal(vault).read()) if entry.action == "ratify"
    )
    (vault / "knowledge/mem-other.md").write_text(
        by_hand.replace("mem-forged", "mem-other")
        .replace("rul-forged", real)
        .replace("Mira Tal", "An Agent"),
        encoding="utf-8",
    )
    found = {(problem.code, problem.subject) for problem in check(workspace_at(vault, 60))}
    assert ("unknown_ruling", "mem-forged") in found
    assert ("other_author", "mem-other") in found


def test_the_untouched_vault_has_nothing_of_the_kind(vault: Path) -> None:
    workspace = workspace_at(vault, 60)
    assert isinstance(workspace, Workspace)
    codes = {problem.code for problem in check(workspace)}
    assert codes.isdisjoint(FOUND | {"unknown_ruling", "other_author"})
