"""The corpus of odd notes: read or refused as its catalogue says, and never harmed."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

from proofstone.curation.context import Context
from proofstone.curation.rulings import preview, rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Memory, Problem
from proofstone.domain.rulings import Choices
from proofstone.vault.frontmatter import parse
from proofstone.vault.note_writer import NoteEditError, edit_note
from tests.conftest import NOW, Proofstone, contents


def _catalogue() -> ModuleType:
    path = Path(__file__).parents[1] / "data/odd-notes/catalogue.py"
    spec = importlib.util.spec_from_file_location("odd_notes_catalogue", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


CATALOGUE = _catalogue()
ODD = CATALOGUE.odd_notes()
GOOD = b'---\ntitle: "Coffee"\nmemory_id: "neighbour"\n---\n\nJonas drinks coffee.\n'


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A vault with all odd notes and one ordinary one, opened once."""
    return open_vault(make_vault(tmp_path_factory.mktemp("odd")))


def make_vault(folder: Path) -> Path:
    root = folder / "vault"
    (root / "knowledge").mkdir(parents=True)
    (root / "knowledge/neighbour.md").write_bytes(GOOD)
    for odd in ODD:
        (root / "knowledge" / f"{odd.name}.md").write_bytes(odd.data)
    return root


def open_vault(root: Path) -> Workspace:
    return Workspace.open(root, Context(clock=lambda: NOW, author="Mira Tal", via="cli"))


def at(path: str, problems: Iterable[Problem]) -> list[Problem]:
    return [problem for problem in problems if problem.path == path]


def test_there_are_more_than_three_hundred_and_each_has_a_name_of_its_own() -> None:
    assert len({odd.name for odd in ODD}) == len(ODD) >= 300


def test_opening_writes_nothing_and_loses_none(tmp_path: Path) -> None:
    root = make_vault(tmp_path)
    before = contents(root)
    workspace = open_vault(root)
    assert contents(root) == before
    shown = {memory.path for memory in workspace.holdings.memories}
    shown |= {problem.path for problem in workspace.problems}
    assert shown == set(before)


def test_each_is_read_or_refused_as_the_catalogue_says(opened: Workspace) -> None:
    memories = {memory.path: memory for memory in opened.holdings.memories}
    wrong: list[str] = []
    for odd in ODD:
        path = f"knowledge/{odd.name}.md"
        wrong += faults(odd, memories.get(path), at(path, opened.problems))
    assert wrong == []


def faults(odd: object, memory: Memory | None, problems: list[Problem]) -> list[str]:
    """How a note was read otherwise than its catalogue says."""
    name, reads, lines = odd.name, odd.reads, odd.lines  # type: ignore[attr-defined]
    if reads is None:
        if memory is not None:
            return [f"{name}: it was read"]
        if [problem.line for problem in problems] != list(lines):
            return [f"{name}: {[(p.line, p.message) for p in problems]} instead of {lines}"]
        return []
    if memory is None:
        return [f"{name}: it was not read: {[(p.line, p.message) for p in problems]}"]
    wrong = [
        f"{name}: {key} is {getattr(memory, key)!r:.80}, not {wanted!r:.80}"
        for key, wanted in reads.items()
        if getattr(memory, key) != wanted
    ]
    if bool(problems) != bool(lines) or any(problem.line not in lines for problem in problems):
        wrong.append(f"{name}: {[(p.line, p.message) for p in problems]} instead of {lines}")
    return wrong


def test_every_problem_says_what_is_wrong_and_what_to_do(opened: Workspace) -> None:
    for problem in opened.problems:
        assert problem.message and problem.advice and problem.code, problem.path
        assert "Traceback" not in problem.message and "\n" not in problem.message, problem.path


def test_setting_one_key_changes_the_bytes_of_that_key_alone() -> None:
    edited = 0
    for odd in ODD:
        if not parse(odd.data).is_readable:
            with pytest.raises(NoteEditError):
                edit_note(odd.data, {"title": "New"})
            continue
        wanted = odd.data.replace(b"title: Plain", b'title: "New"', 1)
        assert wanted != odd.data
        assert edit_note(odd.data, {"title": "New"}) == wanted, odd.name
        assert edit_note(odd.data, {"title": "Plain"}) == odd.data, odd.name
        edited += 1
    assert edited >= 300


def test_adding_and_removing_a_key_gives_the_same_bytes_again() -> None:
    for odd in ODD:
        if odd.editable:
            longer = edit_note(odd.data, {"stability": "stable", "own": {"a": "b"}})
            assert edit_note(longer, {}, ("own", "stability")) == odd.data, odd.name


def test_a_new_body_leaves_the_header_as_it_is() -> None:
    for odd in ODD:
        if odd.editable:
            edited = edit_note(odd.data, {}, body="Other words.\nIn two lines.")
            header = odd.data.index(b"---", 6) + 3
            assert edited[:header] == odd.data[:header], odd.name
            assert parse(edited).body == "Other words.\nIn two lines.", odd.name


def test_a_ruling_on_a_neighbour_touches_none_of_them(tmp_path: Path) -> None:
    root = make_vault(tmp_path)
    before = contents(root)
    rule(open_vault(root), "contest", ["neighbour"], Choices(reason="is it so?"))
    after = contents(root)
    assert after.pop("knowledge/neighbour.md") != before.pop("knowledge/neighbour.md")
    assert {path: after[path] for path in before} == before


def test_rulings_on_odd_notes_change_only_their_own_keys(tmp_path: Path) -> None:
    root = make_vault(tmp_path)
    workspace = open_vault(root)
    memories = {memory.path: memory for memory in workspace.holdings.memories}
    ruled = 0
    for odd in ODD:
        memory = memories.get(f"knowledge/{odd.name}.md")
        if memory is None or len(odd.data) > 1_000_000:
            continue
        previewed = preview(workspace, "contest", [memory.memory_id], Choices(reason="is it so?"))
        (row,) = previewed.rows
        (changed,) = (change for change in row.changes if change.path == memory.path)
        assert changed.before == odd.data
        added = re.sub(rb"standing: [^\r\n]*(\r\n|\r|\n)", b"", changed.after or b"")
        assert added == re.sub(rb"standing: [^\r\n]*(\r\n|\r|\n)", b"", odd.data), odd.name
        ruled += 1
    assert ruled >= 280


def test_commands_show_them_all_without_a_traceback(tmp_path: Path, proofstone: Proofstone) -> None:
    root = make_vault(tmp_path)
    # Checking judges every statement, which takes its time with one of five megabytes.
    (root / "knowledge/body-five-megabytes.md").unlink()
    for kind in ("memories", "problems"):
        listed = proofstone("show", kind, root, "--json")
        assert listed.items and listed.err == ""
        assert len(proofstone("show", kind, root).out.splitlines()) == len(listed.items)
    found = proofstone("check", root, "--json", code=1)
    assert {item["path"] for item in found.items} >= {
        f"knowledge/{odd.name}.md" for odd in ODD if odd.reads is None
    }
    json.loads(found.out)


def test_an_unreadable_note_cannot_be_ruled_on_and_says_so(
    tmp_path: Path, proofstone: Proofstone
) -> None:
    root = make_vault(tmp_path)
    refused = proofstone("rule", "contest", root, "duplicate-key-lf", "--as", "Mira", code=2)
    assert "duplicate-key-lf" in refused.err
    assert len(refused.err.splitlines()) == 1
    with pytest.raises(ProofstoneError):
        edit_note(b"no header", {"title": "x"})
