"""Captured text without purged words: the same events, readable by memleaf (spec page 6, purge).

Words are replaced character by character, so that the other units of a text keep their places and
their ids. What holds the file together (marks, keys, ids, times) is never touched.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from proofstone.domain import ids
from proofstone.domain.clauses import placed_clauses
from proofstone.domain.purge_text import Span, blacked_out, blacked_out_clauses, touches
from proofstone.domain.purge_words import PurgedWords
from proofstone.vault.inbox import EVENT_CONTENT, EVENT_START, Block, blocks

_LINE_END = re.compile(r"(\r\n|\r|\n)")
_FIXED_LINE = re.compile(r"# Session |- (?:source|session_id|started|updated):|<!-- memleaf:")
_TEXT_FIELDS = ("title", "subject", "sender")


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """Where the words were captured.

    ``events`` are the keys of events that are about what is purged. ``whole`` are the clauses, by
    event, that go as a whole; ``quoted`` the parts of clauses that others still rest on.
    """

    events: Collection[str] = frozenset()
    whole: Mapping[str, Collection[str]] = field(default_factory=dict)
    quoted: Mapping[str, Mapping[str, tuple[Span, ...]]] = field(default_factory=dict)


def purged_inbox(data: bytes, words: PurgedWords, captured: Captured) -> bytes:
    """An inbox file without the words. Line ends and whatever cannot be read stay as they are."""
    parts = _LINE_END.split(data.decode("utf-8", "surrogateescape"))
    text = "\n".join(parts[::2])
    pieces: list[str] = []
    position = 0
    for block in blocks(text):
        pieces.append(_between(text[position : block.start], words))
        pieces.append(_purged_block(text, block, words, captured))
        position = block.end
    pieces.append(_between(text[position:], words))
    purged = "".join(pieces)
    if purged == text:
        return data
    lines = purged.split("\n")
    parts[::2] = lines
    return "".join(parts).encode("utf-8", "surrogateescape")


def _purged_block(text: str, block: Block, words: PurgedWords, captured: Captured) -> str:
    raw = text[block.start : block.end]
    if block.fault:
        return _between(raw, words)
    head = f"{EVENT_START}\n{block.metadata}\n{EVENT_CONTENT}\n"
    rest = raw[len(head) + len(block.content) :]
    try:
        metadata = json.loads(block.metadata)
    except (ValueError, RecursionError):
        metadata = None
    if not isinstance(metadata, dict):
        return _between(raw, words)
    key = metadata.get("event_key")
    about = _About(words, captured, key.casefold() if isinstance(key, str) else "")
    line = _purged_metadata(block.metadata, metadata, about)
    content = about.without(block.content)
    return f"{EVENT_START}\n{line}\n{EVENT_CONTENT}\n{content}{rest}"


def _purged_metadata(line: str, metadata: dict[str, object], about: _About) -> str:
    records = metadata.get("tool_evidence")
    if not isinstance(records, list):
        return line
    purged = [_purged_record(record, about) for record in records]
    if purged == records:
        return line
    whole = {**metadata, "tool_evidence": purged}
    written = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    try:
        written.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        written = json.dumps(whole, separators=(",", ":"))
    return written


def _purged_record(record: object, about: _About) -> object:
    if not isinstance(record, dict):
        return record
    purged = dict(record)
    for name in _TEXT_FIELDS:
        if isinstance(value := record.get(name), str):
            purged[name] = about.without_words(value)
    body = record.get("content")
    if isinstance(body, str) and (left := about.without(body)) != body:
        purged["content"] = left
        if "result_digest" in record:
            purged["result_digest"] = sha256(ids.utf8(left.strip())).hexdigest()
    return purged


class _About:
    """What of the texts of one event has to go."""

    def __init__(self, words: PurgedWords, captured: Captured, event_key: str) -> None:
        self._words = words
        self._is_about = event_key in captured.events
        self._whole = captured.whole.get(event_key, ())
        self._quoted = captured.quoted.get(event_key, {})

    def without(self, text: str) -> str:
        """A text that is cut into units."""
        spans = list(self._words.spans(text))
        repeated = self._words.overlaps(text) if self._is_about else ()
        spans += repeated
        for start, clause, _, _ in placed_clauses(text):
            touched = touches(repeated, start, start + len(clause))
            spans += (
                (start + at, start + end) for at, end in self._of_clause(clause, touched=touched)
            )
        return blacked_out_clauses(text, spans)

    def without_words(self, text: str) -> str:
        """A short text beside it."""
        if self._words.is_whole(text) or (self._is_about and self._words.overlap(text)):
            return blacked_out(text, ((0, len(text)),))
        return blacked_out(text, self._words.spans(text))

    def _of_clause(self, clause: str, *, touched: bool) -> tuple[Span, ...]:
        if clause in self._quoted:
            return self._quoted[clause]
        goes = touched or clause in self._whole or self._words.is_whole(clause)
        if goes or (self._is_about and self._words.overlap(clause)):
            return ((0, len(clause)),)
        return ()


def _between(text: str, words: PurgedWords) -> str:
    """Text outside of events, or of an event that cannot be read, line by line."""
    if not words.are_in(text):
        return text
    blackened: Callable[[str], str] = lambda line: blacked_out(line, words.spans(line))  # noqa: E731
    return "\n".join(
        line if _FIXED_LINE.match(line) else blackened(line) for line in text.split("\n")
    )
