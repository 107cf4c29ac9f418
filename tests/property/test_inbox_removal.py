"""Taking events out of an inbox file leaves it as if they had never been written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.conversation import Event, Role
from proofstone.vault.inbox import EVENT_END, EVENT_START, parse_inbox
from proofstone.vault.inbox_removal import without_events
from proofstone.vault.inbox_writer import event_block, id_key
from proofstone.vault.tool_evidence import CapturePolicy

HEADER = b"# Session agent/s\n- source: agent\n- updated: 2026-11-20T10:00:00Z\n\n"
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=40) | st.sampled_from(
    [EVENT_START, f"\n{EVENT_END}", "<!-- memleaf:event-key:v1:" + "a" * 64 + " -->", "\r\n\r", ""]
)
between = st.sampled_from([b"\n", b"", b"\n\n\n", b"a person's note\n\n"])


def block(number: int, text: str) -> bytes:
    return event_block(
        Event(
            event_key=id_key(str(number)),
            role=Role.USER,
            content=text,
            source="agent",
            session_id="s",
            turn_id=str(number),
            turn_key=id_key(f"t{number}"),
            turn_index=number + 1,
            timestamp="2026-11-20T10:00:00Z",
        )
    )


@given(st.lists(st.tuples(texts, st.booleans()), max_size=6), st.sampled_from(["\n", "\r\n", "\r"]))
def test_it_is_as_if_the_events_had_never_been_written(
    events: list[tuple[str, bool]], line_end: str
) -> None:
    blocks = [(block(n, text) + b"\n", goes) for n, (text, goes) in enumerate(events)]
    data = (HEADER + b"".join(one for one, _ in blocks)).decode().replace("\r", "")
    rest = (HEADER + b"".join(one for one, goes in blocks if not goes)).decode().replace("\r", "")
    keys = {id_key(str(n)) for n, (_, goes) in enumerate(events) if goes}
    left = without_events(data.replace("\n", line_end).encode(), keys)
    assert left == rest.replace("\n", line_end).encode()
    assert without_events(left, keys) == left


@given(st.lists(st.tuples(texts, st.booleans(), between), max_size=6), st.binary(max_size=60))
def test_the_other_events_and_what_people_wrote_between_them_stay(
    events: list[tuple[str, bool, bytes]], odd: bytes
) -> None:
    head = HEADER + odd.replace(b"<", b"").replace(b"\r", b"") + b"\n"
    data = head + b"".join(block(n, text) + gap for n, (text, _, gap) in enumerate(events))
    keys = {id_key(str(n)) for n, (_, goes, _) in enumerate(events) if goes}
    left = without_events(data, keys)
    before, after = (
        parse_inbox(each, "agent", "s", "inbox/agent/s.md", CapturePolicy())
        for each in (data, left)
    )
    assert after.events == tuple(e for e in before.events if e.event_key not in keys)
    assert after.legacy == before.legacy
    assert left.startswith(head)
    assert left.count(b"a person's note\n") == data.count(b"a person's note\n")


@given(st.binary(max_size=200))
def test_a_file_without_the_events_stays_byte_for_byte(data: bytes) -> None:
    assert without_events(data, {id_key("0")}) == data


def test_an_event_that_cannot_be_read_stays() -> None:
    torn = b"\n".join([EVENT_START.encode(), b'{"event_key":"' + id_key("0").encode() + b'"', b""])
    assert without_events(HEADER + torn, {id_key("0")}) == HEADER + torn


def test_a_mark_without_a_block_goes_too() -> None:
    mark = b"<!-- memleaf:event-key:v1:" + id_key("0").encode() + b" -->\r\n"
    assert without_events(HEADER + mark + b"\nmore", {id_key("0")}) == HEADER + b"more"
