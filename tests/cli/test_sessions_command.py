"""``proofstone sessions``: from agents' session files to captured turns."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from proofstone.cli import sessions as command

Proofstone = Callable[..., Any]

SAMPLES = Path(__file__).parent.parent / "data" / "sessions"


@pytest.fixture
def vault(tmp_path: Path, proofstone: Proofstone) -> Path:
    proofstone("init", tmp_path / "vault")
    return tmp_path / "vault"


def test_auto_finds_what_it_can_and_tells_the_rest(vault: Path, proofstone: Proofstone) -> None:
    out = proofstone("sessions", vault, "--from", "auto", SAMPLES).out
    assert "21 turns captured from 13 files" in out
    assert "skipped line 19: not JSON (character 89)" in out
    assert "not read: " in out
    assert "no session of a known format" in out
    assert "left out by rule: " in out
    assert "3 files with a turn that is not finished" in out


def test_the_turns_are_there_for_other_commands(vault: Path, proofstone: Proofstone) -> None:
    proofstone("sessions", vault, SAMPLES / "claude-code")
    turns = proofstone("show", "turns", vault, "--json").items
    assert [turn["turn_index"] for turn in turns] == [1, 2, 3, 4]
    assert {turn["source"] for turn in turns} == {"claude-code"}


def test_json_has_every_line_and_reason(vault: Path, proofstone: Proofstone) -> None:
    outcome = proofstone("sessions", vault, SAMPLES / "openai", "--json")
    assert outcome.json["schema"] == "proofstone/sessions/1"
    rows = {Path(row["file"]).name: row for row in outcome.items}
    assert rows["messages.jsonl"]["skipped"] == [
        {"line": 3, "reason": "not JSON (character 2)"},
        {"line": 8, "reason": "neither a message nor an item: it has no known role or type"},
    ]
    assert rows["package.json"]["reason"] == "no session of a known format"
    assert (rows["chat.json"]["turns"], rows["chat.json"]["events"]) == (2, 4)


def test_again_adds_nothing_and_final_takes_the_rest(vault: Path, proofstone: Proofstone) -> None:
    proofstone("sessions", vault, SAMPLES)
    again = proofstone("sessions", vault, SAMPLES).out
    assert "0 turns captured from 13 files, 13 unchanged" in again
    final = proofstone("sessions", vault, SAMPLES, "--final").out
    assert "2 turns captured" in final


def test_a_named_format_is_taken_at_its_word(
    vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    copy = tmp_path / "talk.log"
    shutil.copy(SAMPLES / "openai" / "messages.jsonl", copy)
    assert "2 turns captured" in proofstone("sessions", vault, "--from", "openai", copy).out


def test_what_cannot_be_read_is_one_line(
    vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    missing = proofstone("sessions", vault, tmp_path / "no.jsonl", code=2)
    assert missing.err == f"proofstone: {tmp_path / 'no.jsonl'}: no such file\n"
    unknown = proofstone("sessions", vault, "--from", "teletype", SAMPLES, code=2)
    assert "use one of auto, claude-code, codex, openai, markdown" in unknown.err
    no_vault = proofstone("sessions", tmp_path / "nowhere", SAMPLES, code=2)
    assert "is no vault" in no_vault.err
    both = proofstone("sessions", vault, SAMPLES, "--final", "--watch", code=2)
    assert len(both.err.splitlines()) == 1


def test_a_name_cannot_move_the_cursor(vault: Path, proofstone: Proofstone, tmp_path: Path) -> None:
    odd = tmp_path / "odd\x1b[2J.jsonl"
    odd.write_text("{'not json'}\n")
    outcome = proofstone("sessions", vault, "--from", "openai", odd)
    assert "\x1b" not in outcome.out + outcome.err


def test_watch_captures_what_is_added(
    vault: Path, proofstone: Proofstone, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = tmp_path / "growing" / "talk.jsonl"
    session.parent.mkdir()
    session.write_text('{"role":"user","content":"one"}\n{"role":"assistant","content":"1"}\n')

    def changes(_: object) -> object:
        yield None
        with session.open("a") as stream:
            stream.write('{"role":"user","content":"two"}\n{"role":"assistant","content":"2"}\n')
        yield None
        yield None

    monkeypatch.setattr(command, "changes", changes)
    out = proofstone("sessions", vault, session.parent, "--watch").out
    assert out.count("1 turn captured from 1 file") == 2
    assert len(proofstone("show", "turns", vault, "--json").items) == 2


def test_watching_looks_again_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_RECHECK_MS", 50)
    seen = command.changes([tmp_path, tmp_path / "missing"])
    assert next(iter(seen)) == set()


def test_one_session_that_cannot_be_written_stops_no_other(
    vault: Path, proofstone: Proofstone, tmp_path: Path
) -> None:
    said = '{"role":"user","content":"one"}\n{"role":"assistant","content":"1"}\n'
    for name in ("a", "b", "c"):
        (tmp_path / "talks").mkdir(exist_ok=True)
        (tmp_path / "talks" / f"{name}.jsonl").write_text(said)
    proofstone("sessions", vault, tmp_path / "talks" / "b.jsonl")
    (written,) = (vault / "inbox" / "openai").iterdir()
    whole = written.read_bytes()
    shutil.rmtree(vault / "_index")
    # An event that is cut short: what follows it would be taken for its words.
    cut = whole + b'<!-- memleaf:event:v2 -->\n{"a":1}\n<!-- memleaf:content -->\ncut'
    written.write_bytes(cut)
    with (tmp_path / "talks" / "b.jsonl").open("a") as stream:
        stream.write(said.replace("one", "two"))
    outcome = proofstone("sessions", vault, tmp_path / "talks", code=2)
    assert outcome.err.count("\n") == 1
    assert "not captured" in outcome.err
    assert "unfinished block" in outcome.err
    assert "2 turns captured from 3 files" in outcome.out
    assert written.read_bytes() == cut
    written.write_bytes(whole)
    again = proofstone("sessions", vault, tmp_path / "talks", "--json")
    assert [(row["turns"], "faults" in row) for row in again.items] == [
        (0, False),
        (1, False),
        (0, False),
    ]
