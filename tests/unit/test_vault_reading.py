"""A vault is read whole, writes nothing, and nothing unreadable hides or stops the rest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import EvidenceCheck, GateAnswer, GateRecord, GateRefusal
from proofstone.domain.plan import NoteKind, NoteRef
from proofstone.vault.create import create_vault
from proofstone.vault.gate_store import GateRecordError, read_gate, write_gate
from proofstone.vault.processed import read_processed
from proofstone.vault.settings import Settings, SettingsError, read_settings
from proofstone.vault.tool_evidence import CapturePolicy, read_policy
from proofstone.vault.vault import Vault, VaultContents

GOOD = b'---\ntitle: "Tea"\nmemory_id: "good"\n---\n\nMira drinks tea.\n'


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "vault/knowledge").mkdir(parents=True)
    (tmp_path / "vault/knowledge/good.md").write_bytes(GOOD)
    return tmp_path / "vault"


def read(root: Path) -> VaultContents:
    contents = Vault(root).read()
    assert "good" in [memory.memory_id for memory in contents.holdings.memories]
    return contents


def only_problem(root: Path) -> str:
    (problem,) = read(root).problems
    return f"{problem.path}: {problem.message}"


def tree(root: Path) -> dict[str, tuple[int, int]]:
    return {str(path): (path.lstat().st_mtime_ns, path.lstat().st_mode) for path in root.rglob("*")}


def test_opening_writes_nothing(root: Path) -> None:
    (root / "knowledge/bad.md").write_bytes(b"no header")
    (root / "_state").mkdir()
    (root / "_state/processed.json").write_bytes(b"{broken")
    before = tree(root.parent)
    read(root)
    assert tree(root.parent) == before


def test_unreadable_notes_are_named_and_the_rest_is_read(root: Path) -> None:
    notes = {
        "latin.md": b"---\na: caf\xe9\n---\n",
        "nul.md": b"---\na: 1\n---\n\0",
        "words.md": b"no header at all\n",
        "empty.md": b"",
        "conflict.md": b"---\n<<<<<<< a\nt: 1\n=======\nt: 2\n>>>>>>> b\n---\n",
    }
    for name, data in notes.items():
        (root / "knowledge" / name).write_bytes(data)
    problems = read(root).problems
    assert {problem.path for problem in problems} == {f"knowledge/{name}" for name in notes}
    assert {problem.code for problem in problems} == {"unreadable_note"}
    assert all(problem.line and problem.advice for problem in problems)


def test_a_forbidden_file_is_a_problem(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (root / "knowledge/secret.md").write_bytes(GOOD)
    real = os.open

    def refuse(path: object, *rest: object, **more: object) -> int:
        if str(path).endswith("secret.md"):
            raise PermissionError(13, "Permission denied")
        return real(path, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", refuse)
    assert "secret.md" in only_problem(root)
    assert "Permission denied" in only_problem(root)


def test_a_file_that_vanishes_while_reading_is_simply_gone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "knowledge/gone.md").write_bytes(GOOD)
    real = os.open

    def vanish(path: object, *rest: object, **more: object) -> int:
        if str(path).endswith("gone.md"):
            raise FileNotFoundError(2, "No such file or directory")
        return real(path, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("os.open", vanish)
    assert read(root).problems == ()


def test_a_folder_that_cannot_be_listed_is_a_problem(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "evidence").mkdir()
    real = os.scandir

    def refuse(path: object) -> object:
        if str(path).endswith("evidence"):
            raise PermissionError(13, "Permission denied")
        return real(path)  # type: ignore[call-overload]

    monkeypatch.setattr("os.scandir", refuse)
    assert "evidence: " in only_problem(root)


def test_links_are_never_followed(root: Path) -> None:
    outside = root.parent / "outside"
    outside.mkdir()
    (outside / "note.md").write_bytes(GOOD)
    (root / "knowledge/out.md").symlink_to(outside / "note.md")
    (root / "knowledge/in.md").symlink_to(root / "knowledge/good.md")
    (root / "knowledge/loop.md").symlink_to(root / "knowledge/loop.md")
    (root / "knowledge/dangling.md").symlink_to(root / "nowhere.md")
    (root / "evidence").symlink_to(outside)
    (root / "proofstone.yaml").symlink_to(outside / "note.md")
    contents = read(root)
    assert len(contents.holdings.memories) == 1
    assert contents.holdings.evidence == ()
    assert {problem.path for problem in contents.problems} == {
        "knowledge/out.md", "knowledge/in.md", "knowledge/loop.md", "knowledge/dangling.md",
        "evidence", "proofstone.yaml",
    }  # fmt: skip


def test_a_pipe_in_a_notes_place_does_not_block(root: Path) -> None:
    os.mkfifo(root / "knowledge/pipe.md")
    assert "no ordinary file" in only_problem(root)


def test_odd_names_and_deep_folders_are_read(root: Path) -> None:
    names = ["two words", "🍵 tea", "שלום", "ünïcode"]
    folder = root / "knowledge/a/b/c"
    folder.mkdir(parents=True)
    for name in names:
        (folder / f"{name}.md").write_bytes(b'---\ntitle: "x"\n---\n\nx\n')
    contents = read(root)
    assert contents.problems == ()
    found = {memory.memory_id for memory in contents.holdings.memories}
    assert found == {"good", *names}
    assert contents.paths[NoteRef(NoteKind.MEMORY, "שלום")] == "knowledge/a/b/c/שלום.md"
    deep = root / "history" / "/".join("d" * 40)
    deep.mkdir(parents=True)
    (deep / "x.md").write_bytes(GOOD)
    assert "too deep" in only_problem(root)


def test_a_file_name_that_is_not_utf_8_is_a_problem(root: Path) -> None:
    try:
        Path(os.fsdecode(bytes(root / "knowledge") + b"/caf\xe9.md")).write_bytes(GOOD)
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert only_problem(root) == (
        "knowledge/caf\\udce9.md: this note cannot be read: its file name is not UTF-8"
    )


def test_two_notes_with_one_id_are_a_problem_and_the_first_counts(root: Path) -> None:
    (root / "knowledge/good copy.md").write_bytes(GOOD.replace(b"tea.", b"coffee."))
    (memory,) = read(root).holdings.memories
    codes = {problem.code for problem in read(root).problems}
    assert "same_id" in codes
    assert memory.path == "knowledge/good copy.md"


def test_ruled_proposals_are_read_from_their_own_room(root: Path) -> None:
    (root / "proposals/ruled").mkdir(parents=True)
    (root / "proposals/p1.md").write_bytes(b'---\nproposal_id: "p1"\n---\n\nx\n')
    (root / "proposals/ruled/p2.md").write_bytes(
        b'---\nproposal_id: "p2"\nstatus: "dismissed"\n---\n\ny\n'
    )
    proposals = read(root).holdings.proposals
    assert [(p.proposal_id, p.is_waiting) for p in proposals] == [("p1", True), ("p2", False)]


def test_unknown_and_hidden_files_are_left_alone(root: Path) -> None:
    (root / "knowledge/.proofstone-1.tmp").write_bytes(b"x")
    (root / "knowledge/.trash.md").write_bytes(b"x")
    (root / "knowledge/picture.png").write_bytes(b"x")
    (root / "notes").mkdir()
    assert read(root).problems == ()


def test_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(NotADirectoryError):
        Vault(tmp_path / "nowhere").read()


def test_progress_is_told(root: Path) -> None:
    counts: list[int] = []
    Vault(root).read(counts.append)
    assert counts == [1]


def test_a_new_vault_is_made_once_and_privately(tmp_path: Path) -> None:
    root = tmp_path / "new"
    create_vault(root, profile="Mira", project="orion")
    contents = Vault(root).read()
    assert contents.problems == ()
    assert contents.settings == Settings(profile="Mira", project="orion")
    assert (root / "proofstone.yaml").stat().st_mode & 0o777 == 0o600
    assert (root / "proposals/ruled").stat().st_mode & 0o777 == 0o700
    with pytest.raises(ProofstoneError, match="a vault already"):
        create_vault(root)
    (tmp_path / "full").mkdir()
    (tmp_path / "full/file").write_text("x")
    with pytest.raises(ProofstoneError, match="not empty"):
        create_vault(tmp_path / "full")


def test_settings_are_read_with_defaults_and_clear_errors() -> None:
    assert read_settings(b"") == Settings()
    full = read_settings(
        b"format: 1\nprofile: 1.10\nretention_hours: 48\nkeymap:\n  ratify: a\nother: [1]\n"
    )
    assert (full.profile, full.retention_hours, full.keymap) == ("1.10", 48, {"ratify": "a"})
    cases: dict[bytes, tuple[str, int | None]] = {
        b"\nformat: 2\n": ("format must be", 2),
        b"governance_mode: lax\n": ("governance_mode must be one of", 1),
        b"retention_hours: -1\n": ("retention_hours must be", 1),
        b"theme: [x]\n": ("theme must be text", 1),
        b"keymap: x\n": ("keymap must be a map", 1),
        b"a: 1\nprofile: {{ x }}\n": ("profile: ", 2),
        b"\xff": ("UTF-8", None),
    }
    for data, (word, line) in cases.items():
        with pytest.raises(SettingsError, match=word) as refusal:
            read_settings(data)
        assert refusal.value.line == line


def test_unreadable_settings_are_a_problem_and_the_defaults_hold(root: Path) -> None:
    (root / "proofstone.yaml").write_bytes(b"format: 9\n")
    assert "format must be" in only_problem(root)
    assert read(root).settings == Settings()


def test_the_capture_policy_is_read_as_memleaf_reads_it() -> None:
    assert read_policy(b"llm:\n  mode: auto\n") == CapturePolicy(mode="metadata")
    assert read_policy(b"capture:\n  include_tool_output: true\n").mode == "bounded"
    assert read_policy(
        b"capture:\n  tool_evidence_mode: off\n  include_attachments: true\n"
    ) == CapturePolicy("off", True)
    for bad in (b"capture: 1\n", b"capture:\n  tool_evidence_mode: x\n", b"\xff", b"capture: {{\n"):
        with pytest.raises(ValueError, match=r"."):
            read_policy(bad)


def test_a_gate_record_is_read_back_and_keeps_nothing_of_a_refusal() -> None:
    record = GateRecord(
        turn="codex/s#1",
        answer=GateAnswer(),
        answered_by="Mira",
        answered_by_kind="person",
        answered_at="2026-11-30T09:00:00Z",
        inventory_digest="d",
        refusals=(
            (
                "2026-11-30T08:00:00Z",
                GateRefusal(stage="check", evidence_check=EvidenceCheck.UNKNOWN_UNIT),
            ),
        ),
        path="gate/x.json",
    )  # fmt: skip
    data = write_gate(record, "ab" * 32)
    got = read_gate(data, "gate/x.json")
    assert got.revision
    assert write_gate(got, "ab" * 32) == data
    assert got.refusals[0][1].identifier == "unknown_unit"


@pytest.mark.parametrize(
    "data",
    [
        b"", b"[]", b"{}", b"\xff", b"[" * 100_000,
        b'{"schema": "proofstone/gate-record/1"}',
        b'{"schema": "proofstone/gate-record/1", "turn": 7}',
        b'{"schema": "proofstone/gate-record/1", "turn": "t", "answer": {"candidates": 1}}',
        b'{"schema": "proofstone/gate-record/1", "turn": "t", "answered_by_kind": "cat"}',
        b'{"schema": "proofstone/gate-record/1", "turn": "t", "refusals": [1]}',
        b'{"schema": "proofstone/gate-record/1", "turn": "t", "refusals": [{"evidence_check": ""'
        b', "at": 1}]}',
    ],
)  # fmt: skip
def test_a_gate_record_that_cannot_be_read_says_why(data: bytes) -> None:
    with pytest.raises(GateRecordError, match=r"."):
        read_gate(data, "gate/x.json")


def test_an_unreadable_gate_answer_is_a_problem(root: Path) -> None:
    (root / "gate/s/x").mkdir(parents=True)
    (root / "gate/s/x/0001.json").write_bytes(b"{}")
    assert "gate/s/x/0001.json: this Gate answer cannot be read" in only_problem(root)


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b"{}", b"\xff", b'{"sessions": 3}', b"[" * 100_000]
)
def test_an_unreadable_memleaf_state_is_a_problem(data: bytes) -> None:
    outcomes, problems = read_processed(data)
    assert outcomes == {}
    assert problems[0].path == "_state/processed.json"
