"""What was captured: observations, events and turns (spec pages 1 and 2)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """Who an event is by."""

    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One tool record attached to an event. A field that was not given is an empty string.

    ``content`` is None when the record has no body, which is not the same as an empty body.
    """

    tool_name: str = ""
    call_id: str = ""
    record_id: str = ""
    message_id: str = ""
    subject: str = ""
    sender: str = ""
    domain: str = ""
    title: str = ""
    kind: str = ""
    result_status: str = ""
    execution_status: str = ""
    completeness: str = ""
    content: str | None = None
    result_digest: str = ""
    schema_version: str = ""
    omitted_count: str = ""
    source_type: str = ""
    retention: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One captured message. ``content`` is the text as stored, markers still escaped."""

    event_key: str
    role: Role
    content: str
    source: str = ""
    session_id: str = ""
    turn_id: str = ""
    turn_key: str = ""
    turn_index: int = 0
    timestamp: str = ""
    observations: tuple[Observation, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One or more user events followed by exactly one assistant event, or an incomplete attempt."""

    source: str
    session_id: str
    turn_key: str
    turn_index: int
    turn_id: str = ""
    events: tuple[Event, ...] = ()

    @property
    def reference(self) -> str:
        """How commands name this turn: ``source/session#index``."""
        return f"{self.source}/{self.session_id}#{self.turn_index}"

    @property
    def incomplete_reason(self) -> str:
        """Why this turn cannot be put before the Gate, in words; empty when it is complete."""
        users = sum(event.role is Role.USER for event in self.events)
        answers = len(self.events) - users
        if not users:
            return "no user message was captured"
        if not answers:
            return "the assistant's answer is missing"
        if answers > 1:
            return f"{answers} assistant answers where one belongs"
        return ""

    @property
    def is_complete(self) -> bool:
        """Whether the turn may be put before the Gate."""
        return not self.incomplete_reason
