"""Inbox blocks: the readable become events and turns, the others stay in sight."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.conversation import Event, Role
from proofstone.vault.inbox import InboxFile, parse_inbox, turns
from proofstone.vault.inbox_writer import append_event, escape_marks, event_block
from proofstone.vault.tool_evidence import CapturePolicy, read_policy


def event(number: int, role: Role = Role.USER, content: str = "Words.", turn: int = 1) -> Event:
    return Event(
        event_key=f"{number:064x}", role=role, content=content, source="codex", session_id="s1",
        turn_id=f"t{turn}", turn_key=f"{turn:064x}", turn_index=turn,
        timestamp="2026-11-30T09:00:00Z",
    )  # fmt: skip


def read(data: bytes, policy: CapturePolicy | None = None) -> InboxFile:
    return parse_inbox(data, "codex", "s1", "inbox/codex/s1.md", policy or CapturePolicy())


def file_of(*events: Event) -> bytes:
    data: bytes | None = None
    for item in events:
        data = append_event(data, item)
    return data or b""


def test_written_events_are_read_back_and_paired() -> None:
    events = (event(1), event(2, Role.ASSISTANT), event(3, turn=2, content="中文\n\nmore"))
    read_back = read(file_of(*events))
    assert read_back == InboxFile(events=events)
    first, second = turns(read_back.events)
    assert (first.reference, first.is_complete) == ("codex/s1#1", True)
    assert second.incomplete_reason == "the assistant's answer is missing"


def test_a_repeated_event_is_read_once_whatever_the_case_of_its_key() -> None:
    upper = event_block(event(171)).replace(b"000ab", b"000AB")
    assert len(read(file_of(event(171)) + upper).events) == 1


def test_marks_in_captured_text_are_escaped_and_stay_text() -> None:
    text = "x\n<!-- memleaf:event-end -->\n<!-- memleaf:event:v2 -->\n{}\n<!-- other -->"
    (got,) = read(file_of(event(1, content=text))).events
    assert got.content == escape_marks(text)
    assert "&lt;!-- memleaf:event-end --&gt;" in got.content
    assert "<!-- other -->" in got.content


def test_an_unfinished_block_is_listed_and_the_next_one_read() -> None:
    cut = event_block(event(1)).partition(b"<!-- memleaf:event-end")[0]
    read_back = read(file_of(event(5)) + cut + event_block(event(2)))
    assert [item.event_key[-1] for item in read_back.events] == ["5", "2"]
    (problem,) = read_back.problems
    assert (problem.code, problem.line) == ("unreadable_event", 13)
    assert "unfinished" in problem.message


def test_each_fault_of_a_block_is_named() -> None:
    block = event_block(event(1)).decode()
    line = block.splitlines()[1]
    cases = {
        "not one JSON object": block.replace(line, "words"),
        "not JSON": block.replace(line, line.replace(":", ";")),
        "content": block.replace("<!-- memleaf:content -->", "<!-- content -->"),
        "role": block.replace('"user"', '"system"'),
        "event_key": block.replace('"event_key":"0', '"event_key":"z'),
        "turn_index": block.replace('"turn_index":1', '"turn_index":true'),
        "turn_key": block.replace('"turn_key":"0', '"turn_key":"'),
        "half a character": block.replace('"t1"', r'"\ud800"'),
    }
    for word, data in cases.items():
        read_back = read(data.encode() + event_block(event(2)))
        assert [item.event_key[-1] for item in read_back.events] == ["2"], word
        assert any(word in problem.message for problem in read_back.problems), word


def test_bytes_that_are_not_utf_8_hide_only_their_own_block() -> None:
    bad = event_block(event(1, content="caf?")).replace(b"caf?", b"caf\xe9")
    read_back = read(bad + event_block(event(2)))
    assert [item.event_key[-1] for item in read_back.events] == ["2"]
    assert "UTF-8" in read_back.problems[0].message


def test_a_legacy_mark_is_shown_and_never_paired() -> None:
    mark = f"<!-- memleaf:event-key:v1:{'C' * 64} -->\n".encode()
    read_back = read(mark + mark + file_of(event(1)))
    assert read_back.legacy == ("c" * 64,)
    assert [problem.code for problem in read_back.problems] == ["legacy_event"]
    assert len(turns(read_back.events)) == 1


def test_appending_touches_only_the_updated_line() -> None:
    first = file_of(event(1))
    later = Event(**{**_fields(event(2)), "timestamp": "2026-12-01T00:00:00Z"})
    data = append_event(first, later)
    expected = first.replace(b"- updated: 2026-11-30T09:00:00Z", b"- updated: 2026-12-01T00:00:00Z")
    assert data.startswith(expected)


def test_a_new_capture_mode_hides_bodies_that_are_still_on_disk() -> None:
    record = {"tool_name": "read", "call_id": "c", "kind": "external_observation", "content": "x"}
    line = event_block(event(1)).decode().splitlines()[1]
    metadata = json.loads(line) | {"tool_evidence": [record]}
    data = event_block(event(1)).decode().replace(line, json.dumps(metadata)).encode()
    (shown,) = read(data).events[0].observations
    assert shown.content == "x"
    policy = read_policy(b"capture:\n  tool_evidence_mode: metadata\n")
    (hidden,) = read(data, policy).events[0].observations
    assert (hidden.content, hidden.retention) == (None, "metadata")
    assert read(data, CapturePolicy(mode="off")).events[0].observations == ()


def test_many_unfinished_blocks_are_read_in_linear_time() -> None:
    data = b"<!-- memleaf:event:v2 -->\n{}\n<!-- memleaf:content -->\nx\n" * 20_000
    assert len(read(data).problems) == 20_000


@given(st.binary(max_size=300) | st.lists(st.sampled_from(
    [b"<!-- memleaf:event:v2 -->", b"{}", b'{"event_key":1}', b"<!-- memleaf:content -->", b"x",
     b"<!-- memleaf:event-end -->", b"\r", b"\xff", event_block(event(1))]
)).map(b"\n".join))  # fmt: skip
def test_no_bytes_make_reading_an_inbox_raise(data: bytes) -> None:
    read_back = read(data)
    assert all(problem.path == "inbox/codex/s1.md" for problem in read_back.problems)


def _fields(item: Event) -> dict[str, object]:
    return {name: getattr(item, name) for name in item.__dataclass_fields__}
