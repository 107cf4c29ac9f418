"""Notes, journal rows and other texts of a vault without purged words (spec page 6, purge)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TypeGuard

from proofstone.domain import ids
from proofstone.domain.evidence_records import excerpt_hash
from proofstone.domain.plan import Scalar, Value
from proofstone.domain.purge_text import blacked_out
from proofstone.domain.purge_words import PurgedWords
from proofstone.vault.frontmatter import parse, split
from proofstone.vault.header import Fault
from proofstone.vault.journal import Row
from proofstone.vault.note_writer import NoteEditError, NoteValueError, edit_note

_NOT_WORDS = frozenset(
    {
        *("memory_id", "proposal_id", "evidence_id", "tombstone_id", "inquiry_id", "deleted_id"),
        *("active_memory_id", "superseded_by", "supersedes", "matched", "l1_sources", "evidence"),
        *("memory_ids", "concerns", "update_memory_id", "candidate_id", "turn", "event_key"),
        *("session_id", "turn_id", "ruling", "unit", "unit_id", "source_ref", "source_session"),
        *("source_thread", "status", "standing", "layer", "type", "origin", "role", "mode"),
        *("polarity", "redaction_status", "trust_class", "durability_signal", "poisoning_risk"),
        *("verification", "match_kind", "stability", "scope_source", "priority", "rule_type"),
        *("source_kind", "content_hash", "content_hmac", "excerpt_hash", "anchor_hash", "by"),
        *("created", "updated", "archived_at", "deleted_at", "opened", "answered", "until"),
        *("next_review", "valid_from", "valid_to", "event_at", "event_from", "event_to", "at"),
    }
)
"""Keys that hold ids, times, digests and names from closed lists: never words, never changed."""

_SAYINGS = frozenset(
    {
        *("title", "original", "quote", "source_excerpt", "source_summary", "conversation_title"),
        *("question", "answer", "reason", "note"),
    }
)
"""Keys that hold somebody's words: a short statement is removed there when it is all of them."""


def purged_note(data: bytes, words: PurgedWords, also: Mapping[str, Value] | None = None) -> bytes:
    """A note of something else without the words, and without hashes that they could be told by.

    ``also`` are further keys to set, such as bindings to units that were blacked out. A note that
    cannot be read, or not be changed key by key, is returned as it is.
    """
    note = parse(data)
    if not note.is_readable:
        return data
    changed: dict[str, Value] = {}
    changed.update(also or {})
    unset: list[str] = []
    for key, value in note.fields.items():
        if key in changed:
            continue
        if key in ("content_hash", "excerpt_hash") and value in words.hashes:
            unset.append(key)
        purged = _purged_value(key, value, words)
        if purged != value and _is_writable(written := _as_written(purged)):
            changed[key] = written
    body = blacked_out(note.body, words.spans(note.body))
    if body != note.body and "content_hash" in note.fields:
        changed["content_hash"] = ids.content_hash(body)
    excerpt = changed.get("source_excerpt")
    if isinstance(excerpt, str) and "excerpt_hash" in note.fields:
        changed["excerpt_hash"] = excerpt_hash(excerpt)
    try:
        edited = edit_note(
            _without_comments(data, words),
            changed,
            tuple(key for key in unset if key not in changed),
            None if body == note.body else body,
        )
    except (NoteEditError, NoteValueError):
        return data
    return edited


def redacted_row(row: Row, words: PurgedWords, *, is_about: bool, purge: str) -> bytes | None:
    """A row's line without the words, None when it has none of them.

    ``is_about`` says that its ruling was on what is purged. The row keeps the hash that it had,
    which the row after it names, and says which ruling redacted it.
    """
    said: Row = {key: row[key] for key in ("reason", "choices") if key in row}
    left: Row = {key: _left(value, words, is_about=is_about) for key, value in said.items()}
    if left == said:
        return None
    redacted: Row = {**row, **left, "redacted": purge}
    text = json.dumps(redacted, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace")


def _left(value: object, words: PurgedWords, *, is_about: bool) -> object:
    if isinstance(value, str):
        if is_about and (words.is_whole(value) or words.overlap(value)):
            return blacked_out(value, ((0, len(value)),))
        return blacked_out(value, words.spans(value))
    if isinstance(value, list):
        return [_left(item, words, is_about=is_about) for item in value]
    if isinstance(value, dict):
        return {key: _left(item, words, is_about=is_about) for key, item in value.items()}
    return value


def _purged_value(key: str, value: object, words: PurgedWords) -> object:
    if key in _NOT_WORDS:
        return value
    if isinstance(value, str):
        if key in _SAYINGS and words.is_whole(value):
            return blacked_out(value, ((0, len(value)),))
        return blacked_out(value, words.spans(value))
    if isinstance(value, list):
        return [
            blacked_out(item, words.spans(item))
            if isinstance(item, str)
            else _purged_value("", item, words)
            for item in value
        ]
    if isinstance(value, Mapping):
        return {name: _purged_value(str(name), item, words) for name, item in value.items()}
    return value


def _as_written(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _is_writable(value: object) -> TypeGuard[Value]:
    if isinstance(value, Mapping):
        return bool(value) and all(_is_scalar(item) for item in value.values())
    if isinstance(value, tuple):
        return all(map(_is_scalar, value)) or all(
            isinstance(item, Mapping) and _is_writable(item) for item in value
        )
    return _is_scalar(value)


def _is_scalar(value: object) -> TypeGuard[Scalar]:
    return value is None or isinstance(value, (str, int, float, bool))


def _without_comments(data: bytes, words: PurgedWords) -> bytes:
    """The note with the words blacked out in the comments of its header."""
    parts = split(data)
    if isinstance(parts, Fault) or b"#" not in parts.header:
        return data
    lines = parts.header.decode("utf-8").splitlines(keepends=True)
    header = "".join(
        blacked_out(line, words.spans(line)) if line.lstrip().startswith("#") else line
        for line in lines
    )
    return b"".join((parts.bom, parts.opening, header.encode("utf-8"), parts.closing, parts.body))
