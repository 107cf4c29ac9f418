"""Files as numbered items: long lines, broken ends, documents in pieces."""

from __future__ import annotations

import io
import json

import pytest

from proofstone.sessions import lines
from proofstone.sessions.lines import json_document, json_lines, text_lines

KEYS = ("messages", "input", "output")


def test_lines_have_numbers_and_offsets() -> None:
    data = b'{"a":1}\n\n  {"b":2}\r\n{"c":'
    items = list(json_lines(io.BytesIO(data)))
    assert [(item.line, item.start, item.value) for item in items] == [
        (1, 0, {"a": 1}),
        (3, 9, {"b": 2}),
        (4, 20, None),
    ]
    assert items[-1].is_unfinished
    assert next(item.value for item in json_lines(io.BytesIO(data), 9, 3)) == {"b": 2}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{'a':1}\n", "not JSON (character 2)"),
        (b'{"a":1} {"b":2}\n', "not JSON (character 9)"),
        (b'{"a":1}}', "not JSON (character 8)"),
        (b'{"a":"\xff"}\n', "not UTF-8"),
        (b"\x00\x00\n", "holds NUL bytes, as after a crash"),
        (b"[" * 100_000 + b"\n", "JSON nested too deeply"),
    ],
)
def test_faults_are_told(data: bytes, reason: str) -> None:
    (item,) = json_lines(io.BytesIO(data))
    assert item.fault == reason


def test_a_byte_order_mark_is_no_fault() -> None:
    assert [item.fault for item in json_lines(io.BytesIO(b'\xef\xbb\xbf{"a":1}\n'))] == [""]


def test_a_line_too_long_is_skipped_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 100)
    data = b'"' + b"x" * 1_000 + b'"\n{"a":1}\n'
    items = list(json_lines(io.BytesIO(data)))
    assert items[0].fault.startswith("longer than")
    assert (items[1].line, items[1].value) == (2, {"a": 1})
    assert items[1].start == data.index(b'{"a"')


@pytest.mark.parametrize(
    ("text", "values", "fault"),
    [
        ('[{"a":1}, {"b":2}]', [{"a": 1}, {"b": 2}], ""),
        ("[]", [], ""),
        ("{}", [], ""),
        ('{"x":1,"messages":[1,2],"y":[3]}', [1, 2], ""),
        ('{"input":"hi","output":[{"c":1}]}', [{"c": 1}, {"input": "hi"}], ""),
        ('[{"a":1}', [{"a": 1}], "the document has no end"),
        ('[{"a":1},{"b"', [{"a": 1}], "not JSON"),
        ('[{"a":1}] x', [{"a": 1}], "text after the end of the document"),
        ("12", [], "neither a JSON list nor an object"),
        ("", [], "neither a JSON list nor an object"),
        ('{"a" 1}', [], "a colon is missing"),
        ("{1:2}", [], "a key in quotes is missing"),
        ("[1 2]", [1], "a comma or a closing bracket is missing"),
    ],
)
def test_documents(text: str, values: list[object], fault: str) -> None:
    items = list(json_document(io.BytesIO(text.encode()), KEYS))
    assert [item.value for item in items if not item.fault] == values
    assert [item.fault for item in items if item.fault] == ([fault] if fault else [])


def test_a_document_is_read_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_CHUNK", 7)
    values = [{"text": "ü漢😀" * n, "n": n} for n in range(30)]
    text = json.dumps({"messages": values}, ensure_ascii=False, indent=1)
    items = list(json_document(io.BytesIO(text.encode()), KEYS))
    assert [item.value for item in items] == values
    assert [item.line for item in items] == [3 + 4 * n for n in range(30)]


def test_a_value_too_long_ends_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "_CHUNK", 64)
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 500)
    (item,) = json_document(io.BytesIO(b'["' + b"x" * 5_000 + b'"]'), KEYS)
    assert "longer than" in item.fault


def test_text_lines_without_utf8_are_told() -> None:
    items = list(text_lines(io.BytesIO(b"\xef\xbb\xbfone\r\n\xff\nthree")))
    assert [(item.line, item.value, item.fault) for item in items] == [
        (1, "one", ""),
        (2, None, "not UTF-8"),
        (3, "three", ""),
    ]
