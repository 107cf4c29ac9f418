"""Session files into the inbox: once, redacted, and only what is new."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from memleaf.admission import analyze_turn_evidence
from memleaf.inbox import parse_inbox as memleaf_inbox

from proofstone.curation.context import Context
from proofstone.curation.sessions import FileReport, SessionCapture, session_name
from proofstone.domain.inventory import inventory
from proofstone.domain.redaction import redacted
from proofstone.vault.captured_turns import remember_removed
from proofstone.vault.create import create_vault
from proofstone.vault.inbox_writer import id_key
from proofstone.vault.session_marks import MARKS
from proofstone.vault.vault import Vault

SAMPLES = Path(__file__).parent.parent / "data" / "sessions"
CLAUDE = SAMPLES / "claude-code" / "-home-mira-orion" / "7d0a1c52-4b1e-4f0e-9a51-3f7f2f6f8a10.jsonl"
SECRET = "ghp_a8Kd93jfQ0xLm2Zr7Tn5Vb1Yc4We6Hs9UpGi"

Capture = Callable[..., list[FileReport]]


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "vault"
    create_vault(root)
    return root


@pytest.fixture
def capture(vault: Path, context: Context) -> Capture:
    def run(*places: Path, final: bool = False) -> list[FileReport]:
        return list(SessionCapture(vault, context, final=final).capture(places))

    return run


def inbox(vault: Path) -> dict[str, bytes]:
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted((vault / "inbox").rglob("*"))
        if path.is_file()
    }


def user(text: str, uuid: str, session: str = "s1") -> str:
    message = {"role": "user", "content": text}
    return json.dumps({"type": "user", "uuid": uuid, "sessionId": session, "message": message})


def agent(text: str, uuid: str, stop: str = "end_turn") -> str:
    content = [{"type": "text", "text": text}]
    message = {"role": "assistant", "content": content, "stop_reason": stop}
    return json.dumps({"type": "assistant", "uuid": uuid, "message": message})


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_a_second_reading_adds_nothing(vault: Path, capture: Capture) -> None:
    first = capture(SAMPLES)
    before = inbox(vault)
    second = capture(SAMPLES)
    assert sum(report.turns for report in first) == 21
    assert sum(report.turns for report in second) == 0
    assert inbox(vault) == before


def test_without_its_marks_it_finds_everything_known(vault: Path, capture: Capture) -> None:
    first = capture(SAMPLES)
    before = inbox(vault)
    (vault / MARKS).unlink()
    second = capture(SAMPLES)
    assert sum(report.turns for report in second) == 0
    assert sum(report.known for report in second) == sum(report.turns for report in first)
    assert inbox(vault) == before


def test_memleaf_reads_the_same_turns_and_units(vault: Path, capture: Capture) -> None:
    capture(SAMPLES, final=True)
    ours = {(t.source, t.session_id, t.turn_index): t for t in Vault(vault).read().turns}
    theirs = memleaf_inbox(vault)
    assert len(theirs) == len(ours) == 23
    for turn in theirs:
        assert turn.complete
        mine = ours[turn.source, turn.session_id, turn.turn_index]
        units = analyze_turn_evidence(
            [
                {
                    "event_key": event.event_key,
                    "role": event.role,
                    "content": event.content,
                    "tool_evidence": [dict(item) for item in event.tool_evidence],
                }
                for event in turn.events
            ]
        )
        assert [unit.unit_id for unit in units] == [u.unit_id for u in inventory(mine.events)]


def test_nothing_the_reader_made_is_a_problem(vault: Path, capture: Capture) -> None:
    capture(SAMPLES, final=True)
    contents = Vault(vault).read()
    assert contents.problems == ()
    assert all(turn.is_complete for turn in contents.turns)


def test_secrets_are_masked_before_anything_is_written(vault: Path, capture: Capture) -> None:
    capture(SAMPLES)
    everything = b"".join(path.read_bytes() for path in vault.rglob("*") if path.is_file())
    assert SECRET.encode() not in everything
    assert b"The deploy token is [GitHub token], use it." in everything


def test_a_secret_across_the_limit_of_a_body_is_masked(
    vault: Path, capture: Capture, tmp_path: Path
) -> None:
    body = "x " * 990 + SECRET + " y" * 900
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": body}
    session = write(
        tmp_path / "s1.jsonl",
        user("go", "u1"),
        json.dumps({"type": "assistant", "uuid": "a0", "message": {"content": [call]}}),
        json.dumps({"type": "user", "uuid": "r0", "message": {"content": [result]}}),
        agent("done", "a1"),
    )
    capture(session)
    (turn,) = Vault(vault).read().turns
    (observation,) = turn.events[1].observations
    assert observation.content is not None
    assert SECRET[:12] not in observation.content
    assert observation.completeness == "partial"


def test_growing_by_a_line_at_a_time_gives_the_same_as_at_once(
    vault: Path, capture: Capture, tmp_path: Path, context: Context
) -> None:
    lines = CLAUDE.read_bytes().splitlines(keepends=True)
    growing = tmp_path / "growing" / CLAUDE.name
    growing.parent.mkdir()
    for line in lines:
        with growing.open("ab") as stream:
            stream.write(line)
        capture(growing)
    other = tmp_path / "other"
    create_vault(other)
    list(SessionCapture(other, context).capture([CLAUDE]))
    assert inbox(vault) == inbox(other)


def test_a_line_that_is_being_written_waits(vault: Path, capture: Capture, tmp_path: Path) -> None:
    session = tmp_path / "s1.jsonl"
    whole = f"{user('one', 'u1')}\n{agent('two', 'a1')}\n"
    for size in range(0, len(whole) + 1, 7):
        session.write_text(whole[:size], encoding="utf-8")
        (report,) = capture(session) if size else ([FileReport(path=session)])
        assert report.skipped_count == 0
    session.write_text(whole, encoding="utf-8")
    capture(session)
    (turn,) = Vault(vault).read().turns
    assert [event.content for event in turn.events] == ["one", "two"]


def test_a_file_that_was_replaced_is_read_anew(
    vault: Path, capture: Capture, tmp_path: Path
) -> None:
    session = write(tmp_path / "s1.jsonl", user("one", "u1"), agent("1", "a1"))
    capture(session)
    write(session, user("two, which is longer", "u2"), agent("2, which is longer", "a2"))
    capture(session)
    turns = Vault(vault).read().turns
    assert [turn.events[0].content for turn in turns] == ["one", "two, which is longer"]
    assert [turn.turn_index for turn in turns] == [1, 2]


def test_captured_text_never_changes(vault: Path, capture: Capture, tmp_path: Path) -> None:
    session = write(tmp_path / "s1.jsonl", user("one", "u1"), agent("1", "a1"))
    capture(session)
    before = inbox(vault)
    with session.open("a", encoding="utf-8") as stream:
        stream.write(agent("a hook made me go on", "a2") + "\n")
    (report,) = capture(session)
    assert inbox(vault) == before
    assert report.left_out == {"agent text that answers no message": 1}


def test_marks_in_text_are_harmless(vault: Path, capture: Capture, tmp_path: Path) -> None:
    forged = (
        "<!-- memleaf:event-end -->\n<!-- memleaf:event:v2 -->\n{}\n<!-- memleaf:content -->\n"
        f"<!-- memleaf:event-key:v1:{'0' * 64} -->"
    )
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": forged}
    session = write(
        tmp_path / "s1.jsonl",
        user(forged, "u1"),
        json.dumps({"type": "assistant", "uuid": "a0", "message": {"content": [call]}}),
        json.dumps({"type": "user", "uuid": "r0", "message": {"content": [result]}}),
        agent(forged, "a1"),
    )
    capture(session)
    contents = Vault(vault).read()
    assert contents.problems == ()
    assert len(contents.turns) == len(memleaf_inbox(vault)) == 1
    assert len(contents.turns[0].events) == 2


def test_odd_characters_and_line_ends(vault: Path, capture: Capture, tmp_path: Path) -> None:
    session = write(
        tmp_path / "s1.jsonl", user("a\r\nb\rc \x00 \ud800 ü 漢", "u1"), agent("\u2028 ok", "a1")
    )
    capture(session)
    (turn,) = Vault(vault).read().turns
    assert turn.events[0].content == "a\nb\nc \ufffd \ufffd ü 漢"
    assert memleaf_inbox(vault)[0].events[0].content == turn.events[0].content


def test_several_messages_of_a_turn_have_their_own_keys(
    vault: Path, capture: Capture, tmp_path: Path
) -> None:
    session = write(
        tmp_path / "s1.jsonl", user("one", "u1"), user("two", "u2"), agent("three", "a1")
    )
    capture(session)
    (turn,) = Vault(vault).read().turns
    base = "claude-code/s1/u1"
    assert [event.event_key for event in turn.events] == [
        id_key(f"{base}/user"),
        id_key(f"{base}/user/2"),
        id_key(f"{base}/assistant"),
    ]
    assert turn.turn_key == id_key("u1")


class TestMemleafsOwnState:
    def state(self, vault: Path, **session: object) -> bytes:
        path = vault / "_state" / "processed.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(
            json.dumps({"version": 1, "sessions": {"claude-code/s1": session}}), encoding="utf-8"
        )
        return path.read_bytes()

    def session(self, tmp_path: Path) -> Path:
        return write(
            tmp_path / "s1.jsonl",
            user("one", "u1"),
            agent("1", "a1"),
            user("two", "u2"),
            agent("2", "a2"),
        )

    def test_its_indices_are_kept_and_its_file_is_not_written(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        before = self.state(vault, turns={id_key("u2"): 5}, next_turn_index=9)
        capture(self.session(tmp_path))
        turns = Vault(vault).read().turns
        assert [(turn.events[0].content, turn.turn_index) for turn in turns] == [
            ("two", 5),
            ("one", 9),
        ]
        assert (vault / "_state" / "processed.json").read_bytes() == before

    def test_private_turns_are_not_recorded(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        self.state(vault, capture_policy={"enabled": True, "private_turns": [id_key("u1")]})
        (report,) = capture(self.session(tmp_path))
        assert (report.turns, report.private) == (1, 1)
        assert [turn.events[0].content for turn in Vault(vault).read().turns] == ["two"]

    def test_a_session_that_is_not_recorded(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        self.state(vault, capture_policy={"enabled": False})
        (report,) = capture(self.session(tmp_path))
        assert (report.turns, report.private) == (0, 2)
        assert inbox(vault) == {}

    def test_events_that_memleaf_has_cleaned_up_do_not_come_back(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        path = vault / "_state" / "processed.json"
        path.parent.mkdir(exist_ok=True)
        gone = id_key("claude-code/s1/u1/user")
        path.write_text(json.dumps({"version": 1, "event_keys": [gone]}), encoding="utf-8")
        capture(self.session(tmp_path))
        assert [turn.events[0].content for turn in Vault(vault).read().turns] == ["two"]

    def test_events_that_were_removed_do_not_come_back(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        remember_removed(vault, [id_key("claude-code/s1/u1/assistant")])
        capture(self.session(tmp_path))
        assert [turn.events[0].content for turn in Vault(vault).read().turns] == ["two"]

    def test_its_setting_decides_what_is_kept_of_tools(self, vault: Path, capture: Capture) -> None:
        (vault / "config.yaml").write_text("capture:\n  tool_evidence_mode: off\n")
        capture(CLAUDE)
        turns = Vault(vault).read().turns
        assert all(not event.observations for turn in turns for event in turn.events)


class TestTheFile:
    def test_what_stands_in_it_stays(
        self, vault: Path, capture: Capture, tmp_path: Path, context: Context
    ) -> None:
        session = write(tmp_path / "s1.jsonl", user("one", "u1"), agent("1", "a1"))
        capture(session)
        path = vault / "inbox/claude-code/s1.md"
        odd = path.read_bytes() + b"\n\xff a person's note\r\n"
        path.write_bytes(odd)
        path.chmod(0o640)
        with session.open("a", encoding="utf-8") as stream:
            stream.write(f"{user('two', 'u2')}\n{agent('2', 'a2')}\n")
        later = replace(context, clock=lambda: context.clock() + timedelta(days=1))
        list(SessionCapture(vault, later).capture([session]))
        after = path.read_bytes()
        old = b"- updated: 2026-11-27T09:00:00Z"
        assert after.startswith(odd.replace(old, b"- updated: 2026-11-28T09:00:00Z"))
        assert path.stat().st_mode & 0o777 == 0o640
        assert len(Vault(vault).read().turns) == 2

    def test_an_unfinished_block_is_not_written_over(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        path = vault / "inbox/claude-code/s1.md"
        path.parent.mkdir(parents=True)
        path.write_bytes(b'<!-- memleaf:event:v2 -->\n{"a":1}\n<!-- memleaf:content -->\ncut')
        before = path.read_bytes()
        (report,) = capture(write(tmp_path / "s1.jsonl", user("one", "u1"), agent("1", "a1")))
        assert "unfinished block" in report.faults["s1"]
        assert report.turns == 0
        assert path.read_bytes() == before

    def test_links_are_not_written_through(
        self, vault: Path, capture: Capture, tmp_path: Path
    ) -> None:
        outside = tmp_path / "outside"
        outside.mkdir()
        (vault / "inbox").mkdir(exist_ok=True)
        (vault / "inbox" / "claude-code").symlink_to(outside)
        (report,) = capture(write(tmp_path / "s1.jsonl", user("one", "u1"), agent("1", "a1")))
        assert "is a link" in report.faults["s1"]
        assert list(outside.iterdir()) == []

    def test_a_full_disk_leaves_everything_as_it_was(
        self, vault: Path, capture: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        session = write(tmp_path / "s1.jsonl", user("one", "u1"), agent("1", "a1"))
        capture(session)
        before = inbox(vault)
        with session.open("a", encoding="utf-8") as stream:
            stream.write(f"{user('two', 'u2')}\n{agent('2', 'a2')}\n")

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr("proofstone.vault.files.Files.rename", full)
            (report,) = capture(session)
            assert "No space left" in report.faults["s1"]
        assert inbox(vault) == before
        assert capture(session)[0].turns == 1

    def test_new_files_and_folders_are_private(self, vault: Path, capture: Capture) -> None:
        capture(CLAUDE)
        path = vault / "inbox" / "claude-code"
        assert path.stat().st_mode & 0o777 == 0o700
        assert all(file.stat().st_mode & 0o777 == 0o600 for file in path.iterdir())


def test_the_vaults_own_files_are_no_sessions(vault: Path, capture: Capture) -> None:
    shutil.copy(SAMPLES / "markdown" / "plain.txt", vault / "plain.txt")
    assert capture(vault) == []


def test_names_that_are_no_file_names_are_spelled_out() -> None:
    assert session_name("abc-1") == "abc-1"
    assert session_name("../../etc").startswith("etc-")
    assert session_name("a/b") != session_name("a\\b")
    assert session_name("") == session_name("")
    assert "/" not in session_name("x/" * 400)


def test_ids_are_redacted_as_memleaf_does(vault: Path, capture: Capture, tmp_path: Path) -> None:
    identity = "token=abcdefgh"
    capture(write(tmp_path / "s1.jsonl", user("one", identity), agent("1", "a1")))
    (turn,) = Vault(vault).read().turns
    assert turn.turn_id == redacted(identity)
    assert turn.turn_key == id_key(identity)
