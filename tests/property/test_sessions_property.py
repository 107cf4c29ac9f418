"""What holds for every session file: no failure, no loss, the same in pieces as at once."""

from __future__ import annotations

import io
import json
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from memleaf.index import escape_event_markers

from proofstone.curation import secrets
from proofstone.curation.masking import mask_secrets
from proofstone.sessions.formats import FORMATS
from proofstone.sessions.lines import json_document, json_lines
from proofstone.sessions.reader import START, Reading, read_lines
from proofstone.sessions.values import SessionTurn
from proofstone.vault.inbox_writer import escape_marks

KEYS = (
    *("type", "message", "content", "role", "payload", "text", "id", "uuid", "isSidechain"),
    *("call_id", "tool_use_id", "name", "input", "output", "arguments", "timestamp", "origin"),
    *("tool_calls", "function", "messages", "attachment", "prompt", "toolUseResult", "is_error"),
)
WORDS = (
    *("user", "assistant", "text", "tool_use", "tool_result", "message", "response_item"),
    *("event_msg", "user_message", "agent_message", "function_call", "function_call_output"),
    *("task_complete", "session_meta", "thinking", "system", "attachment", "queued_command"),
    *("end_turn", "c1", "c2", "hello", "", "\ud800", "<system-reminder>", "## User"),
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(WORDS) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(st.sampled_from(sorted(FORMATS)), st.lists(json_values, max_size=12))
def test_no_value_is_too_odd(name: str, values: list[object]) -> None:
    turns, left_out = read_lines(FORMATS[name], values)
    for turn in turns:
        assert turn.users and turn.answer and turn.turn_id and turn.session_id
        assert all(isinstance(v, str) for record in turn.records for v in record.values())
        assert len(turn.records) <= 9
    assert all(count > 0 for count in left_out.values())


steps = st.lists(
    st.sampled_from(("user", "agent", "end", "call", "result", "thinking", "meta")), max_size=30
)


def claude(kinds: list[str]) -> list[bytes]:
    """A session file of these steps; every text says which line it is from."""
    lines = []
    for number, kind in enumerate(kinds):
        record: dict[str, Any] = {"uuid": f"u{number}", "sessionId": "s"}
        text = {"type": "text", "text": f"{kind} {number}"}
        if kind in ("user", "meta"):
            record |= {"type": "user", "message": {"content": [text]}, "isMeta": kind == "meta"}
        elif kind == "result":
            part = {"type": "tool_result", "tool_use_id": "c", "content": f"result {number}"}
            record |= {"type": "user", "message": {"content": [part]}}
        else:
            part = {
                "call": {"type": "tool_use", "id": "c", "name": "Bash", "input": {}},
                "thinking": {"type": "thinking", "thinking": f"thinking {number}"},
            }.get(kind, text)
            stop = "end_turn" if kind == "end" else None
            record |= {"type": "assistant", "message": {"content": [part], "stop_reason": stop}}
        lines.append(json.dumps(record).encode() + b"\n")
    return lines


@given(steps)
def test_every_visible_text_between_the_first_message_and_the_last_answer_is_kept_once(
    kinds: list[str],
) -> None:
    turns, _ = read_lines(FORMATS["claude-code"], [json.loads(line) for line in claude(kinds)])
    found = [text for turn in turns for text in (*turn.users, *turn.answer.split("\n\n"))]
    first = next((n for n, kind in enumerate(kinds) if kind == "user"), len(kinds))
    last = max((n for n, kind in enumerate(kinds) if kind in ("agent", "end")), default=-1)
    assert found == [
        f"{kind} {number}"
        for number, kind in enumerate(kinds)
        if kind in ("user", "agent", "end") and first <= number <= last
    ]


@settings(max_examples=60, deadline=None)
@given(steps.filter(lambda kinds: "end" not in kinds), st.lists(st.integers(0, 6_000), max_size=6))
def test_reading_in_pieces_gives_what_reading_at_once_gives(
    kinds: list[str], cuts: list[int]
) -> None:
    data = b"".join(claude(kinds))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "s.jsonl"
        pieces: list[SessionTurn] = []
        mark = START
        for cut in [*sorted(min(cut, len(data)) for cut in cuts), len(data)]:
            path.write_bytes(data[:cut])
            reading = Reading(path, FORMATS["claude-code"], since=mark)
            pieces += reading.turns()
            assert reading.skipped_count == 0
            mark = reading.mark
        whole = Reading(path, FORMATS["claude-code"])
        assert pieces == list(whole.turns())
        assert mark.offset == whole.mark.offset


AROUND = (
    b"",
    b"",
    b" ",
    b"\t ",
    b"\r",
    b"x",
    b"}",
    b" {}",
    b",",
    b"\x00",
    b"\xff",
    b"\xef\xbb\xbf",
)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(AROUND),
            json_values,
            st.booleans(),
            st.sampled_from(AROUND),
            st.integers(),
        ),
        max_size=6,
    ),
    st.sampled_from((b"\n", b"")),
)
def test_a_line_is_what_json_makes_of_it(
    made: list[tuple[bytes, object, bool, bytes, int]], end: bytes
) -> None:
    lines = []
    for before, value, is_ascii, after, cut in made:
        text = json.dumps(value, ensure_ascii=is_ascii, separators=(" ,", ": "))
        data = before + text.encode("utf-8", "surrogatepass") + after
        lines.append(data[: cut % (len(data) + 1)] if cut % 3 == 0 else data)
    data = b"\n".join(lines) + end
    found = {item.line: item for item in json_lines(io.BytesIO(data))}
    for number, line in enumerate(lines, 1):
        item = found.get(number)
        if not line.strip(b" \t\r\xef\xbb\xbf"):
            continue
        assert item is not None
        try:
            wanted = repr(json.loads(line.decode("utf-8").removeprefix("\ufeff")))
        except ValueError:
            assert item.fault and item.value is None
        else:
            assert (item.fault, repr(item.value)) == ("", wanted)


@given(st.lists(json_values, max_size=6), st.integers(0, 3))
def test_a_document_in_pieces_is_the_document(values: list[object], indent: int) -> None:
    text = json.dumps({"x": values, "messages": values}, indent=indent or None)
    items = list(json_document(io.BytesIO(text.encode()), ("messages",)))
    assert not any(item.fault for item in items)
    assert json.dumps([item.value for item in items]) == json.dumps(values)
    assert all(1 <= item.line <= text.count("\n") + 1 for item in items)


@given(st.text("ab \n:`#*-<>()UserAssitan_", max_size=200))
def test_markdown_of_any_shape_is_read_in_order(text: str) -> None:
    turns, _ = read_lines(FORMATS["markdown"], text.split("\n"))
    assert [turn.line for turn in turns] == sorted(turn.line for turn in turns)
    assert all(turn.users and turn.answer for turn in turns)


PIECES = (
    *("password", "token", "api_key", "secret", "key", " = ", ": ", ":", "=", "\n", "\n\n", " "),
    *('"', "'", "Zx81-Spectrum9", "tr0ub4dor&3", "hello", "value(", "bearer ", "is ", "ü", "密码"),
    *("a8Kd93jfQ0xLm2Zr7Tn5Vb1Yc4We6Hs9UpGi", "ghp_", "sk-", "://", "mira:", "@db", "eyJ", "."),
)


@pytest.mark.parametrize("size", [12, 60])
def test_masking_agrees_with_the_finder(size: int) -> None:
    @settings(max_examples=120, deadline=None)
    @given(st.lists(st.sampled_from(PIECES), max_size=size).map("".join))
    def agree(text: str) -> None:
        assert mask_secrets(text) == secrets.masked(text)

    agree()


MARKS = (
    *("<!--", "-->", " ", "\n", "\r", "memleaf:event-key:v1:", "memleaf:event:v2", "event_id", ":"),
    *("memleaf:content", "memleaf:event-end", "abc", "<", "- ->", "->"),
)


@given(st.lists(st.sampled_from(MARKS), max_size=14).map("".join))
def test_marks_are_escaped_as_memleaf_escapes_them(text: str) -> None:
    assert escape_marks(text) == escape_event_markers(text)
