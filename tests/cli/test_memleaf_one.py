"""A vault that memleaf 1.0.4 wrote opens, keeps its new keys, and gives out nothing retracted."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proofstone.vault.frontmatter import parse
from tests.conftest import Proofstone, contents

SAMPLE = Path(__file__).parents[1] / "data" / "stores" / "memleaf-1"
NEW_KEYS = {
    "actionable",
    "assignee",
    "due_text",
    "explicit_operation_id",
    "explicit_result_digest",
    "field_basis",
    "retracted_at",
    "retraction_operation_id",
    "retraction_reason",
    "retraction_result_digest",
    "validity",
    "waiting_on",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLE, tmp_path / "vault"))


def notes(vault: Path) -> dict[str, dict[str, object]]:
    """The keys of the memories in force, by title."""
    found = [parse(path.read_bytes()).fields for path in (vault / "knowledge").glob("*.md")]
    return {str(fields["title"]): dict(fields) for fields in found}


def test_it_opens_whole_and_untouched(vault: Path, proofstone: Proofstone) -> None:
    before = contents(vault)
    assert proofstone("check", vault).out == "clean\n"
    assert len(proofstone("show", "memories", vault, "--json").items) == 3
    turns = proofstone("show", "turns", vault, "--json").items
    assert [turn["turn"] for turn in turns] == ["codex/s-1#1", "codex/s-1#2", "codex/s-2#1"]
    assert all(turn["state"] != "incomplete" for turn in turns)
    assert proofstone("show", "problems", vault, "--json").items == []
    assert contents(vault) == before


def test_rulings_keep_every_key_that_it_brought(vault: Path, proofstone: Proofstone) -> None:
    before = notes(vault)
    assert {key for fields in before.values() for key in fields} >= NEW_KEYS
    for row in proofstone("show", "memories", vault, "--json").items:
        if row["statement"]:
            proofstone(
                "rule", "ratify", vault, row["memory_id"], "--as", "Mira Tal", "--reason", "checked"
            )
    after = notes(vault)
    for title, fields in before.items():
        assert fields.items() <= after[title].items()
    assert {title for title, fields in after.items() if "ratified" in fields} == {
        "Podman",
        "Paint the mast",
    }


def test_what_was_retracted_is_not_given_to_agents(
    vault: Path, tmp_path: Path, proofstone: Proofstone
) -> None:
    for row in proofstone("show", "memories", vault, "--json").items:
        proofstone(
            "rule",
            "ratify",
            vault,
            row["memory_id"],
            "--as",
            "Mira Tal",
            "--reason",
            "ok",
            code=None,
        )
    proofstone("render", vault, "--into", tmp_path / "CLAUDE.md")
    text = (tmp_path / "CLAUDE.md").read_text(encoding="utf-8")
    assert "Use podman, never docker." in text
    assert "Old tide rule" not in text
    assert "six hours" not in text
