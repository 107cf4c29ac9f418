"""The inbox: memleaf's event blocks, read into events and turns (spec page 5, Inbox blocks).

Blocks are read as memleaf 0.2.30 reads them. What memleaf skips without a word is a Problem here,
with its line and reason; the file is never touched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from proofstone.domain.conversation import Event, Observation, Role, Turn
from proofstone.domain.records import Problem
from proofstone.vault.tool_evidence import CapturePolicy, read_observations

EVENT_START = "<!-- memleaf:event:v2 -->"
EVENT_CONTENT = "<!-- memleaf:content -->"
EVENT_END = "<!-- memleaf:event-end -->"

_START_LINE = re.compile(rf"^{EVENT_START}$", re.M)
_END_LINE = re.compile(rf"\n{EVENT_END}[ \t]*(?:\n|\Z)")
_KEY_MARK = re.compile(r"<!--\s*memleaf:event-key:v1:([0-9a-fA-F]{64})\s*-->")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE = re.compile(r"\\ud[89a-f]", re.I)
_HEX64 = re.compile(r"[0-9a-fA-F]{64}")


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxFile:
    """What one inbox file holds. ``legacy`` are the keys of events of which only a mark is left."""

    events: tuple[Event, ...] = ()
    legacy: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A block by its place in the text (newlines as LF): where it starts, its parts, its end."""

    start: int
    end: int
    metadata: str
    content: str
    fault: str = ""


def parse_inbox(
    data: bytes, source: str, session_id: str, path: str, policy: CapturePolicy
) -> InboxFile:
    """Read an inbox file. ``source`` and ``session_id`` are what its path says, for blocks that
    do not say; ``policy`` decides what of the tool records may still be shown.
    """
    text = decode(data)
    events: list[Event] = []
    problems: list[Problem] = []
    seen: set[tuple[str, str, str]] = set()
    known: set[str] = set()
    line, counted = 1, 0
    for block in blocks(text):
        line += text.count("\n", counted, block.start)
        counted = block.start
        event, fault = _event(block, source, session_id, policy)
        if event is None:
            problems.append(_unreadable(path, line, fault))
            continue
        known.add(event.event_key)
        identity = (event.source, event.session_id, event.event_key)
        if identity not in seen:
            seen.add(identity)
            events.append(event)
    legacy = dict.fromkeys(
        key for match in _KEY_MARK.finditer(text) if (key := match[1].casefold()) not in known
    )
    problems.extend(_legacy(path, key) for key in legacy)
    return InboxFile(events=tuple(events), legacy=tuple(legacy), problems=tuple(problems))


def turns(events: Iterable[Event]) -> tuple[Turn, ...]:
    """Events with equal source, session, turn key and index, in file order, by index."""
    groups: dict[tuple[str, str, int, str], list[Event]] = {}
    for event in events:
        identity = (event.source, event.session_id, event.turn_index, event.turn_key)
        groups.setdefault(identity, []).append(event)
    return tuple(
        Turn(
            source=source,
            session_id=session_id,
            turn_key=turn_key,
            turn_index=turn_index,
            turn_id=members[0].turn_id,
            events=tuple(members),
        )
        for (source, session_id, turn_index, turn_key), members in sorted(
            groups.items(), key=lambda group: group[0]
        )
    )


def decode(data: bytes) -> str:
    """The text of an inbox file with universal newlines; bytes that are not UTF-8 are kept as
    lone surrogates, so that the blocks around them can still be read.
    """
    text = data.decode("utf-8", "surrogateescape")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def blocks(text: str) -> Iterator[Block]:
    """Every block that starts with an opening mark, readable or not, in file order."""
    starts = [match.start() for match in _START_LINE.finditer(text)]
    position = 0
    for index, start in enumerate(starts):
        if start < position:
            continue
        limit = starts[index + 1] if index + 1 < len(starts) else len(text)
        block = _block(text, start, limit)
        position = block.end
        yield block


def _block(text: str, start: int, limit: int) -> Block:
    meta_start = start + len(EVENT_START) + 1
    meta_end = text.find("\n", meta_start, limit)
    metadata = text[meta_start : meta_end if meta_end >= 0 else limit]
    if meta_end < 0 or not (metadata.startswith("{") and metadata.endswith("}")):
        return Block(start, limit, "", "", "the line after the opening mark is not one JSON object")
    content_start = meta_end + 1 + len(EVENT_CONTENT) + 1
    if not text.startswith(EVENT_CONTENT + "\n", meta_end + 1):
        return Block(start, limit, "", "", f"the mark {EVENT_CONTENT} is missing")
    end = _END_LINE.search(text, content_start, limit)
    if end is None:
        return Block(start, limit, "", "", f"the block is unfinished: {EVENT_END} is missing")
    return Block(start, end.end(), metadata, text[content_start : end.start()])


def _event(
    block: Block, source: str, session_id: str, policy: CapturePolicy
) -> tuple[Event | None, str]:
    if block.fault:
        return None, block.fault
    if not _is_text(block.metadata) or not _is_text(block.content):
        return None, "the block holds bytes that are not UTF-8"
    try:
        metadata = json.loads(block.metadata)
    except (ValueError, RecursionError):
        return None, "its line of metadata is not JSON"
    fault = _metadata_fault(metadata)
    if fault:
        return None, fault
    if _ESCAPED_SURROGATE.search(block.metadata) and not _is_text(
        json.dumps(metadata, ensure_ascii=False)
    ):
        return None, "its metadata holds half a character"
    turn_id = metadata.get("turn_id")
    timestamp = metadata.get("timestamp")
    return Event(
        event_key=metadata["event_key"].casefold(),
        role=Role(metadata["role"]),
        content=block.content,
        source=_text_or(metadata.get("source"), source),
        session_id=_text_or(metadata.get("session_id"), session_id),
        turn_id=turn_id if isinstance(turn_id, str) else "",
        turn_key=metadata["turn_key"].casefold(),
        turn_index=metadata["turn_index"],
        timestamp=timestamp if isinstance(timestamp, str) else "",
        observations=_observations(metadata, policy),
    ), ""


def _metadata_fault(metadata: object) -> str:
    if not isinstance(metadata, Mapping):
        return "its metadata is not a JSON object"
    for key in ("event_key", "turn_key"):
        value = metadata.get(key)
        if not isinstance(value, str) or not _HEX64.fullmatch(value):
            return f"its {key} is not 64 hex digits"
    if metadata.get("role") not in ("user", "assistant"):
        return "its role is neither user nor assistant"
    index = metadata.get("turn_index")
    if type(index) is not int or index < 1:
        return "its turn_index is not a whole number from 1"
    return ""


def _observations(metadata: Mapping[str, object], policy: CapturePolicy) -> tuple[Observation, ...]:
    records = metadata.get("tool_evidence")
    return read_observations(records, policy) if records else ()


def _is_text(text: str) -> bool:
    return text.isascii() or _SURROGATE.search(text) is None


def _text_or(value: object, default: str) -> str:
    return value if isinstance(value, str) and value else default or "unknown"


def _unreadable(path: str, line: int, reason: str) -> Problem:
    return Problem(
        code="unreadable_event",
        path=path,
        line=line,
        message=f"this captured event cannot be read: {reason}",
        advice="It is kept as it is. Capture the turn again, or correct the block in an editor.",
    )


def _legacy(path: str, key: str) -> Problem:
    return Problem(
        code="legacy_event",
        path=path,
        message=f"only the mark of a legacy event is left ({key[:12]}…): it has no text",
        advice="Nothing needs doing; it cannot be paired into a turn.",
        subject=key,
        severity="info",
    )
