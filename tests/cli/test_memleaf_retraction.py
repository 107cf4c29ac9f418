"""A memory that memleaf 1.x has retracted: shown as what it is, and never confirmed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from tests.conftest import NOW, Proofstone

SAMPLE = Path(__file__).parents[1] / "data" / "stores" / "memleaf-1"
RETRACTED = "mem-20261130121843-3dc213db"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    """A copy of a vault that memleaf 1.0.4 wrote."""
    return Path(shutil.copytree(SAMPLE, tmp_path / "vault"))


def test_it_is_deprecated_and_waits_for_nobody(vault: Path, proofstone: Proofstone) -> None:
    (memory,) = proofstone("show", "memories", vault, RETRACTED, "--json").items
    assert memory["standing"] == "deprecated"
    assert memory["invalidated_reason"] == "It was wrong."
    assert memory["reviewed"]
    refused = proofstone("rule", "ratify", vault, RETRACTED, "--as", "Mira Tal", code=1)
    assert "nothing to confirm" in refused.err


def test_every_count_of_what_is_unreviewed_agrees(vault: Path) -> None:
    """That of the header comes from the notes' bytes, the others from their records."""
    note = vault / "knowledge" / f"{RETRACTED}.md"
    assert "ratified:" not in note.read_text(encoding="utf-8")
    view = Workspace.open(vault, Context(clock=lambda: NOW, author="Mira Tal"))
    assert view.unreviewed == sum(not memory.is_reviewed for memory in view.memories)
    assert view.unreviewed < len(view.memories)


def test_new_words_bring_it_back_without_the_retraction(
    vault: Path, proofstone: Proofstone
) -> None:
    note = vault / "knowledge" / f"{RETRACTED}.md"
    before = note.read_bytes()
    words = "statement=The tide table is in the harbour office."
    proofstone("rule", "edit", vault, RETRACTED, "--as", "Mira Tal", "--set", words)
    text = note.read_text(encoding="utf-8")
    assert "validity:" not in text.partition("field_basis")[0]
    assert "harbour office" in text
    (memory,) = proofstone("show", "memories", vault, RETRACTED, "--json").items
    assert memory["standing"] == "active"
    proofstone("undo", vault)
    assert note.read_bytes() == before
