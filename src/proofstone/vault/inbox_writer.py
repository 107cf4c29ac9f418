"""Captured events as inbox blocks, as memleaf 0.2.30 writes them (spec page 5, Inbox blocks)."""

from __future__ import annotations

import json
import re
from hashlib import sha256

from proofstone.domain.conversation import Event
from proofstone.domain.observations import observation_fields
from proofstone.vault.inbox import EVENT_CONTENT, EVENT_END, EVENT_START

# memleaf's pattern for the first two has ``[^<\r\n]*\s*-->``, which takes quadratic time on a long
# run of spaces; to the end of the line or to the last ``-->`` before it is the same in one pass.
_MARK_LIKE = re.compile(
    r"<!--\s*+(?:(?:memleaf:event-key:v1:|event_id\s*+:)(?:[^<\r\n]*+\s*+-->|[^<\r\n]*-->)"
    r"|memleaf:(?:event:v2|content|event-end)\s*+-->)"
)
_UPDATED = re.compile(r"^- updated:.*$", re.M)


def id_key(identifier: str) -> str:
    """An event or turn key: the SHA-256 of the id, as 64 hex digits."""
    return sha256(identifier.encode("utf-8", "surrogatepass")).hexdigest()


def escape_marks(text: str) -> str:
    """``text`` with everything that looks like one of memleaf's marks made harmless."""
    return _MARK_LIKE.sub(
        lambda mark: mark[0].replace("<!--", "&lt;!--").replace("-->", "--&gt;"), text
    )


def event_block(event: Event) -> bytes:
    """One event's block. Raises ValueError for text that is not whole characters.

    Marks inside the text are escaped, and line ends at its end dropped, as memleaf does.
    """
    metadata: dict[str, object] = {
        "event_key": event.event_key,
        "role": event.role.value,
        "session_id": event.session_id,
        "source": event.source,
        "turn_id": event.turn_id,
        "turn_key": event.turn_key,
        "turn_index": event.turn_index,
        "timestamp": event.timestamp,
    }
    if event.observations:
        metadata["tool_evidence"] = [observation_fields(item) for item in event.observations]
    line = json.dumps(metadata, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    content = escape_marks(event.content).rstrip("\n")
    return (
        f"{EVENT_START}\n{line}\n{EVENT_CONTENT}\n{content}\n{EVENT_END}\n"
        f"<!-- memleaf:event-key:v1:{event.event_key} -->\n"
    ).encode()


def append_event(existing: bytes | None, event: Event) -> bytes:
    """An inbox file with ``event`` added at its end; a new one when there is none.

    Of what is there only the header's ``updated`` line changes. Raises ValueError when the file
    is not UTF-8: it would have to be rewritten to be added to.
    """
    block = event_block(event)
    if not existing:
        header = (
            f"# Session {event.source}/{event.session_id}\n"
            f"- source: {event.source}\n"
            f"- session_id: {event.session_id}\n"
            f"- started: {event.timestamp}\n"
            f"- updated: {event.timestamp}\n\n"
        )
        return header.encode() + block
    text = existing.decode("utf-8")
    start = text.find(EVENT_START)
    head, tail = (text, "") if start < 0 else (text[:start], text[start:])
    line = f"- updated: {event.timestamp}"
    text = _UPDATED.sub(lambda found: line + ("\r" if found[0].endswith("\r") else ""), head, 1)
    text += tail
    gap = "" if text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    return (text + gap).encode() + block
