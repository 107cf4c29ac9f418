"""Listings, filters, check, and errors in one line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from proofstone.curation.show import KINDS
from proofstone.resources import resource_dir
from tests.conftest import Proofstone

MISSING_EVIDENCE = next(
    path.stem
    for path in (resource_dir("demo-vault") / "proposals").glob("*.md")
    if "the smoke tests may be skipped" in path.read_text(encoding="utf-8")
)
FAULTS = {
    ("inbox/hermes/desk.md", "unreadable_event"),
    ("knowledge/mem-20261014160725-46c8ef03.md", "drifted_anchor"),
    ("knowledge/mem-20261108090541-f3a1620b.md", "unreadable_key"),
    ("knowledge/mem-20261110142233-57d0c9ae.md", "unreadable_note"),
    (f"proposals/{MISSING_EVIDENCE}.md", "broken_link"),
}
UNIT_KEYS = {
    "unit_id",
    "turn",
    "event_key",
    "source_role",
    "origin",
    "partition",
    "text",
    "start",
    "end",
    "section_path",
}


def test_check_lists_exactly_the_faults_planted(demo_vault: Path, proofstone: Proofstone) -> None:
    found = proofstone("check", demo_vault, "--json", code=1)
    assert found.json["schema"] == "proofstone/problems/1"
    assert {(item["path"], item["code"]) for item in found.items} == FAULTS
    assert len(found.items) == len(FAULTS)
    plain = proofstone("check", demo_vault, code=1).out
    assert plain.splitlines()[-1] == "5 findings"


def test_check_of_what_cannot_be_read_is_exit_2(tmp_path: Path, proofstone: Proofstone) -> None:
    assert "init" in proofstone("check", tmp_path / "nowhere", code=2).err


def test_a_new_vault_is_clean_and_empty(tmp_path: Path, proofstone: Proofstone) -> None:
    vault = tmp_path / "new"
    proofstone("init", vault, "--profile", "mira", "--project", "orion")
    assert proofstone("check", vault).out == "clean\n"
    for kind in KINDS:
        assert proofstone("show", kind, vault, "--json").items == []
        assert proofstone("show", kind, vault).out == f"no {kind}\n"
    assert "already" in proofstone("init", vault, code=2).err
    assert "Nothing waits" in proofstone("open", vault).out


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_schema_and_items_in_both_forms(
    kind: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    listed = proofstone("show", kind, demo_vault, "--json")
    assert listed.json["schema"] == f"proofstone/{kind}/1"
    assert listed.items
    assert listed.err == ""
    plain = proofstone("show", kind, demo_vault).out.splitlines()
    assert len(plain) == len(listed.items)


def test_a_unit_has_the_fields_of_the_spec(demo_vault: Path, proofstone: Proofstone) -> None:
    for unit in proofstone("show", "units", demo_vault, "--json").items:
        assert set(unit) - {"tool_name", "call_id", "record_id"} == UNIT_KEYS
        assert (unit["source_role"] == "external") == ("call_id" in unit or "tool_name" in unit)


def test_a_proposal_has_the_fields_of_the_spec(demo_vault: Path, proofstone: Proofstone) -> None:
    wanted = {
        *("proposal_id", "status", "layer", "statement", "origin", "turn", "bindings", "evidence"),
        *("match_kind", "matched", "verifier", "siblings", "tainted"),
    }
    for proposal in proofstone("show", "proposals", demo_vault, "--json").items:
        assert wanted <= set(proposal)
        assert len(proposal["verifier"]["findings"]) == 7


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("match:conflict state:open", {"From December"}),
        ("state:open verdict:rejected", {"Skip the smoke", "The Atlas on-ca"}),
        ("state:open match:duplicate eligible:yes", {"Use pnpm for Or"}),
        ("taint:yes state:open docker", set()),
        ("layer:L1 state:open", {"Mira wants chan"}),
        ("state:deferred", {"Orion session t"}),
        ("周报", {"林俏的周报用中文写。"}),
    ],
)
def test_filters_choose(
    expression: str, expected: set[str], demo_vault: Path, proofstone: Proofstone
) -> None:
    found = proofstone("show", "proposals", demo_vault, "--filter", expression, "--json").items
    starts = {item["statement"] for item in found}
    assert len(starts) == len(expected)
    assert all(any(start.startswith(want) for start in starts) for want in expected)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("show", "turns", "nowhere"), "nowhere"),
        (("show", "everything", "."), "turns"),
        (("show", "units", "VAULT", "u-nothing"), "u-nothing"),
        (("show", "units", "VAULT", "--filter", "laier:L1"), "layer"),
        (("gate", "prompt", "VAULT", "codex/none#1"), "no such turn"),
        (("gate", "prompt", "VAULT", "codex/orion-release#4"), "incomplete"),
        (("undo", "VAULT", "rul-none"), "no such ruling"),
        (("redo", "VAULT"), "nothing was undone"),
        (("frobnicate",), "frobnicate"),
        (("rule", "ratify"), "PATH"),
    ],
)
def test_every_mistake_is_one_line_on_stderr(
    arguments: tuple[str, ...], says: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    given = [str(demo_vault) if word == "VAULT" else word for word in arguments]
    wrong = proofstone(*given, code=2)
    assert wrong.out == ""
    assert says in wrong.err
    assert len(wrong.err.strip().splitlines()) == 1


def test_no_listing_lets_text_move_the_cursor(demo_vault: Path, proofstone: Proofstone) -> None:
    for kind in KINDS:
        out = proofstone("show", kind, demo_vault).out
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", out)


def test_without_a_terminal_the_workbench_is_a_summary(
    demo_vault: Path, proofstone: Proofstone
) -> None:
    opened = proofstone("open", demo_vault).out
    assert "18 waiting · 1 deferred" in opened
    assert "From December Orion ships on Thursdays" in opened
    assert "1 turn has no Gate answer" in opened
    demo = proofstone("demo").out
    assert "18 waiting · 1 deferred" in demo
    assert demo.endswith("`proofstone demo --keep DIR` makes one that stays\n")


@pytest.mark.parametrize("more", [(), ("--plain",)])
def test_a_theme_that_is_not_there_is_told_without_a_terminal_too(
    demo_vault: Path, proofstone: Proofstone, more: tuple[str, ...]
) -> None:
    wrong = proofstone("open", demo_vault, "--theme", "nosuch", *more, code=2)
    assert wrong.err.startswith("proofstone: there is no theme “nosuch”; there are dark, ")
    assert not wrong.out and len(wrong.err.splitlines()) == 1
    if not more:
        assert "18 waiting" in proofstone("open", demo_vault, "--theme", "light").out


def test_a_summary_says_what_to_do_where_nothing_waits(
    tmp_path: Path, proofstone: Proofstone
) -> None:
    vault = tmp_path / "vault"
    proofstone("init", vault)
    assert proofstone("open", vault).out.endswith("Nothing waits for a ruling.\n")
    talk = tmp_path / "talk.md"
    talk.write_text("## User\nUse pnpm.\n\n## Assistant\nYes.\n", encoding="utf-8")
    proofstone("sessions", vault, talk)
    said = proofstone("open", vault).out
    assert "1 turn has no Gate answer" in said
    assert "proofstone gate run" in said


def test_the_vault_is_found_by_variable_folder_and_home(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = tmp_path / "elsewhere"
    empty.mkdir()
    monkeypatch.setenv("HOME", str(empty))
    monkeypatch.chdir(empty)
    assert "proofstone demo" in proofstone(code=2).err
    (empty / ".memleaf").symlink_to(demo_vault)
    assert "18 waiting · 1 deferred" in proofstone().out
    (empty / ".memleaf").unlink()
    monkeypatch.chdir(demo_vault / "knowledge")
    assert "18 waiting · 1 deferred" in proofstone().out
    monkeypatch.chdir(empty)
    monkeypatch.setenv("PROOFSTONE_VAULT", str(demo_vault))
    assert "18 waiting · 1 deferred" in proofstone().out


def test_help_of_every_command_has_words(proofstone: Proofstone) -> None:
    listed = proofstone("--help").out
    for command in (
        *("open", "demo", "snapshot", "init", "check", "show"),
        *("gate", "rule", "undo", "redo", "log"),
    ):
        assert re.search(rf"^  {command}\s+\S", listed, re.M)
        assert "Usage: proofstone" in proofstone(command, "--help").out
    assert proofstone("--version").out.startswith("proofstone, version ")


def test_a_persons_answer_by_file_is_kept_as_a_persons(
    demo_vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    turn = "claude-code/atlas-load#4"
    file = tmp_path / "answer.json"
    file.write_text('{"candidates": [], "coverage": [], "evidence_bindings": []}')
    proofstone("gate", "submit", demo_vault, turn, file, "--person", "--as", "Lin Qiao")
    (kept,) = proofstone("show", "gate", demo_vault, turn, "--json").items
    assert (kept["answered_by"], kept["answered_by_kind"]) == ("Lin Qiao", "person")


@pytest.mark.parametrize("command", [("check",), ("show", "memories"), ("open",), ("log",)])
def test_a_wrong_folder_does_not_pass_for_an_empty_vault(
    proofstone: Proofstone, tmp_path: Path, command: tuple[str, ...]
) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/list.txt").write_text("milk")
    for place, said in (("notes", "there is no vault here"), ("nowhere", "there is nothing here")):
        told = proofstone(*command, tmp_path / place, code=2)
        assert told.out == ""
        assert told.err == (
            f"proofstone: {tmp_path / place}: {said}; check the path, or make a vault with "
            "`proofstone init`\n"
        )


def test_a_vault_of_one_room_without_settings_opens(proofstone: Proofstone, tmp_path: Path) -> None:
    (tmp_path / "history").mkdir()
    assert proofstone("check", tmp_path).out == "clean\n"
