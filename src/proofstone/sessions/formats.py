"""Which program wrote a session file: by its content, and a little by its name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from proofstone.sessions import claude_code, codex, markdown, openai_chat
from proofstone.sessions.conversation import Conversation

_SNIFFED_BYTES = 256 * 1024
_SNIFFED_LINES = 40
_ROLE = re.compile(r'"role"\s*:\s*"(?:user|assistant|system|developer|tool|function)"')
_CODEX_TYPES = ("session_meta", "response_item", "event_msg", "turn_context", "compacted")
_CLAUDE_KEYS = frozenset(("sessionId", "uuid", "leafUuid", "messageId"))
_CLAUDE_TYPES = ("user", "assistant", "system", "summary", "attachment", "file-history-snapshot")
_ITEM_TYPES = ("message", "function_call", "function_call_output", "reasoning")

JSON_LINES = (".jsonl", ".ndjson")
JSON_DOCUMENT = (".json",)
TEXT = (".md", ".markdown", ".txt")
SUFFIXES = (*JSON_LINES, *JSON_DOCUMENT, *TEXT)


class Parser(Protocol):
    """Reads the items of a file into a conversation."""

    def __init__(self, conversation: Conversation, state: tuple[str, ...] = ()) -> None: ...

    def feed(self, record: object) -> None:
        """Read one item: a JSON value, or a line of text."""

    def end(self) -> None:
        """There are no more items for now."""

    def state(self) -> tuple[str, ...]:
        """What a parser must know to go on from here."""


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of session file. ``source`` names its folder in the inbox.

    ``grows`` says that the program only appends to the file, so that reading can go on where it
    stopped; ``names_sessions`` that its file names are ids; ``says_ends`` that the file says when
    the agent has finished a turn, which a plain transcript does not.
    """

    name: str
    source: str
    parser: Callable[[Conversation, tuple[str, ...]], Parser]
    suffixes: tuple[str, ...]
    grows: bool = False
    names_sessions: bool = False
    says_ends: bool = True


FORMATS: dict[str, Format] = {
    found.name: found
    for found in (
        Format(
            "claude-code",
            claude_code.SOURCE,
            claude_code.ClaudeCodeParser,
            JSON_LINES,
            grows=True,
            names_sessions=True,
        ),
        Format(
            "codex",
            codex.SOURCE,
            codex.CodexParser,
            JSON_LINES,
            grows=True,
            names_sessions=True,
        ),
        Format(
            "openai",
            openai_chat.SOURCE,
            openai_chat.OpenAIChatParser,
            (*JSON_LINES, *JSON_DOCUMENT),
        ),
        Format("markdown", markdown.SOURCE, markdown.MarkdownParser, TEXT, says_ends=False),
    )
}


def detect(path: Path) -> Format | None:
    """The format of a file, None when it is none of ours. Raises OSError."""
    with path.open("rb") as stream:
        head = stream.read(_SNIFFED_BYTES)
    suffix = path.suffix.casefold()
    text = head.decode("utf-8-sig", "replace")
    name = ""
    if suffix in JSON_LINES:
        name = _of_lines(_lines(text, is_whole=len(head) < _SNIFFED_BYTES))
        if not name and path.name.startswith("rollout-"):
            name = "codex"
    elif suffix in JSON_DOCUMENT:
        name = "openai" if _ROLE.search(text) else ""
    elif suffix in TEXT:
        name = "markdown" if _has_both_speakers(text) else ""
    return FORMATS.get(name)


def _lines(text: str, *, is_whole: bool) -> Iterator[dict[str, object]]:
    lines = text.split("\n")
    if not is_whole:
        lines.pop()
    for line in lines[:_SNIFFED_LINES]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict):
            yield record


def _of_lines(records: Iterator[dict[str, object]]) -> str:
    for record in records:
        kind = record.get("type")
        if kind in _CODEX_TYPES and isinstance(record.get("payload"), dict):
            return "codex"
        if kind in _CLAUDE_TYPES and not _CLAUDE_KEYS.isdisjoint(record):
            return "claude-code"
        if "instructions" in record and "timestamp" in record and kind is None:
            return "codex"
        if isinstance(record.get("role"), str) or kind in _ITEM_TYPES:
            return "openai"
        if any(isinstance(record.get(key), list) for key in openai_chat.MESSAGE_LISTS):
            return "openai"
    return ""


def _has_both_speakers(text: str) -> bool:
    found = {
        (speaker[0], speaker[1])
        for line in text.splitlines()
        if line[:1] in "#*_" or ":" in line[:24]
        if (speaker := markdown.speaker_line(line))
    }
    return any(("user", style) in found for role, style in found if role == "agent")
