"""``check`` tells notes from findings: a person may change a note of theirs by hand."""

from __future__ import annotations

from pathlib import Path

from tests.conftest import Proofstone


def test_a_file_changed_by_hand_is_a_note_and_the_vault_is_clean(
    tmp_path: Path, proofstone: Proofstone
) -> None:
    vault = tmp_path / "vault"
    proofstone("init", vault)
    memory = vault / "knowledge/mem-1.md"
    memory.write_text("---\nmemory_id: mem-1\ntitle: Tea\n---\n\nMira drinks tea.\n")
    ruling = ("rule", "contest", vault, "mem-1", "--reason", "does she?", "--as", "Mira Tal")
    proofstone(*ruling)
    assert proofstone("check", vault).out == "clean\n"
    memory.write_text(memory.read_text(encoding="utf-8").replace("tea", "green tea"))
    checked = proofstone("check", vault)
    assert checked.out.splitlines()[-1] == "clean, 1 note"
    assert checked.out.startswith("knowledge/mem-1.md: changed_by_another_hand: ")
    (item,) = proofstone("check", vault, "--json").items
    assert item["severity"] == "info"
    (vault / "knowledge/bad.md").write_text("no header")
    found = proofstone("check", vault, code=1).out.splitlines()
    assert found[-1] == "1 finding, 1 note"
    assert found[0].startswith("knowledge/bad.md:1: unreadable_note: ")
    assert found[1].startswith("knowledge/mem-1.md: changed_by_another_hand: ")
