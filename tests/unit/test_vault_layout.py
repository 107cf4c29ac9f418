"""Names and places: ids never leave the vault, and every name has one place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.plan import NoteKind, NoteRef
from proofstone.vault.layout import (
    UnsafeNameError,
    find_root,
    gate_path,
    name_fault,
    note_path,
    room_of,
    safe_id,
)


@pytest.mark.parametrize(
    "bad",
    [
        "", ".", "..", "../x", "a/b", "a\\b", "/etc/passwd", "C:x", "a\0b", "a\nb", "a\x1b[31m",
        ".hidden", "x.", "x ", " x", "con", "NUL.md", "Com1", "lpt9.txt", "a<b", "a?b", "a*b",
        "a|b", 'a"b', "\u202egpj", "a\u200bb", "a\ufeff", "a\U000e0041", "\ud800", "x" * 201,
        "中" * 67, "a\u2028b",
    ],
)  # fmt: skip
def test_an_unsafe_id_is_refused_and_shown_escaped(bad: str) -> None:
    with pytest.raises(UnsafeNameError) as refusal:
        safe_id(bad)
    assert str(refusal.value).isascii()
    assert "\n" not in str(refusal.value)
    with pytest.raises(UnsafeNameError):
        note_path(NoteRef(NoteKind.MEMORY, bad))


@pytest.mark.parametrize(
    "good", ["mem-1a2b", "two words", "记忆", "שלום", "👩\u200d💻", "a.b", "console"]
)
def test_ordinary_ids_in_any_script_are_file_names(good: str) -> None:
    assert safe_id(good) == good
    assert note_path(NoteRef(NoteKind.RULED, good)) == f"proposals/ruled/{good}.md"


def test_a_path_tells_its_room() -> None:
    for kind in NoteKind:
        assert room_of(note_path(NoteRef(kind, "x"))) is kind
    assert room_of("gate/a/b/0001.json") is None
    assert room_of("elsewhere/x.md") is None


@given(st.text(min_size=1, max_size=80), st.text(min_size=1, max_size=80))
def test_gate_paths_are_safe_for_any_source_and_session(source: str, session: str) -> None:
    parts = gate_path(source, session, 3, "ab" * 32).split("/")
    assert parts[0] == "gate"
    assert len(parts) == 4
    assert all(not name_fault(part) for part in parts)


@given(st.text(max_size=40), st.text(max_size=40))
def test_two_sessions_never_share_a_gate_path(left: str, right: str) -> None:
    same = gate_path("s", left, 1, "k") == gate_path("s", right, 1, "k")
    assert same == (left == right)


def test_ordinary_names_are_kept_in_gate_paths() -> None:
    key = "638d37ee8bd9" + "0" * 52
    assert (
        gate_path("codex", "atlas-load", 2, key) == "gate/codex/atlas-load/0002-638d37ee8bd9.json"
    )


def test_the_vault_is_found_from_any_folder_in_it(tmp_path: Path) -> None:
    assert find_root(tmp_path) is None
    (tmp_path / "v/knowledge/deep").mkdir(parents=True)
    assert find_root(tmp_path / "v/knowledge/deep") is None
    (tmp_path / "v/config.yaml").write_text("")
    assert find_root(tmp_path / "v/knowledge/deep") == tmp_path / "v"
    (tmp_path / "w").mkdir()
    (tmp_path / "w/proofstone.yaml").write_text("")
    assert find_root(tmp_path / "w/proofstone.yaml") == tmp_path / "w"
