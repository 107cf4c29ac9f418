"""Session files as programs, editors and crashes leave them: the same turns, all faults told."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from proofstone.curation.context import Context
from proofstone.curation.sessions import SessionCapture
from proofstone.sessions import lines
from proofstone.sessions.formats import FORMATS
from proofstone.sessions.reader import Reading
from proofstone.sessions.values import SessionTurn
from proofstone.vault.create import create_vault
from proofstone.vault.vault import Vault
from tests.conftest import NOW

SAMPLES = Path(__file__).parent.parent / "data" / "sessions"
FILES = {
    "claude-code": SAMPLES
    / "claude-code/-home-mira-orion/7d0a1c52-4b1e-4f0e-9a51-3f7f2f6f8a10.jsonl",
    "codex": SAMPLES
    / "codex/2026/11/20"
    / "rollout-2026-11-20T10-00-00-019b64e5-57fa-7463-b644-fba7e456f905.jsonl",
}


def read(name: str, path: Path) -> tuple[list[SessionTurn], Reading]:
    reading = Reading(path, FORMATS[name])
    return list(reading.turns()), reading


def words(turns: list[SessionTurn]) -> list[tuple[object, ...]]:
    return [(turn.turn_id, turn.users, turn.answer, turn.records) for turn in turns]


@pytest.fixture(params=FILES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def unescaped(data: bytes) -> bytes:
    """The same records with every character as it is, separators of lines among them."""
    found = []
    for line in data.split(b"\n"):
        try:
            written = json.dumps(json.loads(line), ensure_ascii=False).encode()
        except ValueError:
            written = line
        found.append(written)
    return b"\n".join(found)


SAME: dict[str, Callable[[bytes], bytes]] = {
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "blank lines": lambda data: data.replace(b"\n", b"\n\n  \r\n"),
    "no end of the last line": lambda data: data.rstrip(b"\n"),
    "nothing escaped": unescaped,
}


@pytest.mark.parametrize("how", SAME)
def test_the_form_of_lines_changes_no_turn(how: str, name: str, tmp_path: Path) -> None:
    plain, before = read(name, FILES[name])
    path = tmp_path / FILES[name].name
    path.write_bytes(SAME[how](FILES[name].read_bytes()))
    turns, reading = read(name, path)
    assert words(turns) == words(plain)
    assert reading.skipped_count == before.skipped_count


def test_separators_that_are_no_line_ends_stay_inside_a_text(name: str, tmp_path: Path) -> None:
    odd = "one\u2028two\u2029three\x85four\x0b\x0cfive"
    plain, _ = read(name, FILES[name])
    said = plain[0].users[0]
    raw = json.dumps(said, ensure_ascii=False)[1:-1].encode()
    data = unescaped(FILES[name].read_bytes())
    assert raw in data
    for escaped in (False, True):
        # Control characters are escaped in JSON always, the others only by some programs.
        put = json.dumps(odd, ensure_ascii=escaped)[1:-1].encode()
        path = tmp_path / FILES[name].name
        path.write_bytes(data.replace(raw, put))
        turns, reading = read(name, path)
        assert turns[0].users[0] == odd
        assert len(turns) == len(plain)
        assert reading.skipped_count == read(name, FILES[name])[1].skipped_count


BROKEN: dict[str, tuple[bytes, str]] = {
    "cut short": (b'{"type":"user","message":{"role":"us', "not JSON"),
    "NUL bytes": (b"\0" * 4096, "NUL"),
    "not UTF-8": (b'{"type":"user","text":"\xff\xfe"}', "not UTF-8"),
    "two records on one line": (b'{"a":1}{"b":2}', "not JSON"),
    "too long": (b'{"type":"x","text":"' + b"y" * 70_000 + b'"}', "longer than"),
    "too deep": (b"[" * 60_000, "nested too deeply"),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_line_is_told_by_number_and_changes_no_turn(
    how: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, before = read(name, FILES[name])
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 65_000)
    broken, reason = BROKEN[how]
    rows = FILES[name].read_bytes().splitlines(keepends=True)
    path = tmp_path / FILES[name].name
    path.write_bytes(b"".join([*rows[:6], broken + b"\n", *rows[6:]]))
    turns, reading = read(name, path)
    assert words(turns) == words(plain)
    assert reading.skipped_count == before.skipped_count + 1
    (told,) = (skipped for skipped in reading.skipped if skipped.line == 7)
    assert reason in told.reason


def test_a_last_line_that_is_being_written_is_waited_for(name: str, tmp_path: Path) -> None:
    whole = FILES[name].read_bytes()
    at_once = tmp_path / "at-once"
    create_vault(at_once)
    growing = tmp_path / "growing"
    create_vault(growing)
    context = Context(clock=lambda: NOW, author="Mira", via="cli")
    list(SessionCapture(at_once, context, final=True).capture([FILES[name]]))
    path = tmp_path / FILES[name].name
    told = 0
    for end in (*range(900, len(whole), 1_301), len(whole)):
        path.write_bytes(whole[:end])
        (report,) = SessionCapture(growing, context).capture([path], FORMATS[name])
        told = report.skipped_count
        assert report.skipped_count <= 1, "a line that is not whole yet is no broken line"
    assert told <= 1
    list(SessionCapture(growing, context, final=True).capture([path]))

    def turns(vault: Path) -> list[tuple[object, ...]]:
        found = Vault(vault).read().turns
        return [(t.turn_key, t.turn_index, [e.content for e in t.events]) for t in found]

    assert turns(growing) == turns(at_once)
