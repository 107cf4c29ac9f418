"""The quick way from a note's bytes to its record, for the notes that programs write.

A ``QuickReader`` reads notes whose header is plain (``plain_header``) and says for every known key
exactly what is expected there. For any other note it gives None, and the careful way
(``frontmatter.parse``, then ``records.read_record``) is taken. Where it gives a record, the
careful way gives an equal one and no problem.

Most lines of a header stand in many notes (``type: "fact"``): what such a line says is worked out
once and kept, so that the notes of a vault also share these values in memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any

from proofstone.domain.gate_types import Claim, ClaimRole
from proofstone.domain.plan import NoteKind
from proofstone.domain.records import (
    Deferral,
    Durability,
    EvidenceRecord,
    Layer,
    MatchKind,
    Memory,
    Polarity,
    Proposal,
    ProposalStatus,
    Ratification,
    Redaction,
    Review,
    SourceReference,
    Standing,
    TrustClass,
)
from proofstone.vault.layout import name_fault
from proofstone.vault.plain_header import (
    KEY,
    is_doubtful,
    read_plain_block,
    read_plain_value,
)

MAX_KEPT_LINES = 20_000
"""How many lines are kept; when there are more, keeping starts afresh."""
_MAX_KEPT_LENGTH = 120

_SOURCE = re.compile(
    r'  - event_key: "([^"\\\n]*)"\n'
    r'    session_id: "([^"\\\n]*)"\n'
    r'    turn_id: "([^"\\\n]*)"\n'
    r'    conversation_title: "([^"\\\n]*)"(?:\n|\Z)'
)

Record = Memory | Proposal | EvidenceRecord
Convert = Callable[[object], object]


class _NotQuickError(Exception):
    """A value that the careful way has to look at."""


class QuickReader:
    """Reads the notes of one vault; keep it for as long as many are read."""

    def __init__(self) -> None:
        self._kept: dict[type[Record], dict[str, tuple[str, object]]] = {
            record: {} for record in _KEYS
        }

    def read(self, kind: NoteKind, data: bytes, path: str, revision: str) -> Record | None:
        """The record of a note that is all as expected, else None."""
        shape = _SHAPES.get(kind)
        if shape is None or data[:4] != b"---\n" or b"\r" in data or b"\0" in data:
            return None
        end = data.find(b"\n---", 3)
        if end < 4 or data[end + 4 : end + 5] != b"\n":
            return None
        body_start = end + 5
        if data.find(b"---", body_start) >= 0 or data.find(b"<<<<<<<", body_start) >= 0:
            return None
        try:
            header = data[4:end].decode()
            body = data[body_start:].decode()
        except UnicodeDecodeError:
            return None
        if is_doubtful(header):
            return None
        if "\nvalidity: " in header:
            # memleaf 1.x speaks of a memory's standing there, which takes reading the whole note.
            return None
        record, identifier = shape
        try:
            values = self._values(record, header)
        except (_NotQuickError, ValueError):
            return None
        name = path[path.rfind("/") + 1 : -3]
        if values.get(identifier) != name or name_fault(name):
            return None
        body = body.removeprefix("\n").removesuffix("\n")
        if record is EvidenceRecord:
            values["source_excerpt"] = values.get("source_excerpt") or body
            if "trust_class" not in values or "source_kind" not in values:
                return None
        else:
            values["statement"] = body
            if values.get("created") == values.get("updated", ""):
                values["updated"] = values.get("created", "")
        if kind is NoteKind.HISTORY and "standing" not in values:
            return None
        return record(**values, path=path, revision=revision)

    def _values(self, record: type[Record], header: str) -> dict[str, Any]:
        """The fields that the lines of a header give. Raises _NotQuickError or ValueError."""
        keys = _KEYS[record]
        blocks = _BLOCKS[record]
        kept = self._kept[record]
        values: dict[str, Any] = {}
        seen = 0
        others: set[str] = set()
        lines = header.split("\n")
        position, count = 0, len(lines)
        while position < count:
            line = lines[position]
            position += 1
            known = kept.get(line)
            if known is not None:
                name, value = known
            else:
                key, colon, written = line.partition(": ")
                place = keys.get(key)
                if not colon:
                    start = position
                    while position < count and lines[position][:2] == "  ":
                        position += 1
                    key = key[:-1]
                    block = blocks.get(key)
                    if block is None or line[-1] != ":" or start == position:
                        raise _NotQuickError
                    given = block(lines[start:position])
                    values.update(given)
                    seen += len(given)
                    continue
                if place is None:
                    # A key that is not ours is passed over, and so is its value if it is plain.
                    if not KEY.fullmatch(key) or key in others or key in blocks:
                        raise _NotQuickError
                    others.add(key)
                    read_plain_value(written)
                    continue
                name, convert, is_repeated = place
                text = written[1:-1]
                if written == f'"{text}"' and "\\" not in text and '"' not in text:
                    value = convert(text)
                else:
                    value = convert(read_plain_value(written))
                if is_repeated and len(line) <= _MAX_KEPT_LENGTH:
                    if len(kept) >= MAX_KEPT_LINES:
                        kept.clear()
                    kept[line] = name, value
            values[name] = value
            seen += 1
        if seen != len(values):
            raise _NotQuickError
        return values


def _text(value: object) -> str:
    if type(value) is not str:
        raise _NotQuickError
    return value


def _text_or(default: str) -> Convert:
    def convert(value: object) -> str:
        return _text(value) or default

    return convert


def _texts(value: object) -> tuple[str, ...]:
    if type(value) is str:
        return (value,) if value else ()
    if type(value) is not list:
        raise _NotQuickError
    for item in value:
        if type(item) is not str:
            raise _NotQuickError
    return tuple(value)


def _scopes(value: object) -> tuple[str, ...]:
    return _texts(value) or ("global",)


def _whole(value: object) -> int:
    if type(value) is not int:
        raise _NotQuickError
    return value


def _fraction(value: object) -> float:
    if type(value) not in (int, float):
        raise _NotQuickError
    assert isinstance(value, (int, float))
    if not 0 <= value <= 1:
        raise _NotQuickError
    return float(value)


def _flag(value: object) -> bool:
    if type(value) is not bool:
        raise _NotQuickError
    return value


def _one_of(choices: type[StrEnum]) -> Convert:
    by_value: Mapping[object, StrEnum] = {choice.value: choice for choice in choices}

    def convert(value: object) -> StrEnum:
        if type(value) is not str or value not in by_value:
            raise _NotQuickError
        return by_value[value]

    return convert


def _sources(lines: list[str]) -> dict[str, object]:
    block = "\n".join(lines)
    sources: list[SourceReference] = []
    position = 0
    while position < len(block):
        found = _SOURCE.match(block, position)
        if found is None:
            return {"sources": tuple(map(_source, _maps(lines)))}
        event, session, turn, title = found.groups()
        sources.append(
            SourceReference(
                event_key=event, session_id=session, turn_id=turn, conversation_title=title
            )
        )
        position = found.end()
    return {"sources": tuple(sources)}


def _source(source: Mapping[str, object]) -> SourceReference:
    return SourceReference(
        event_key=_text(source.get("event_key", "")),
        session_id=_text(source.get("session_id", "")),
        turn_id=_text(source.get("turn_id", "")),
        conversation_title=_text(source.get("conversation_title", "")),
    )


def _bindings(lines: list[str]) -> dict[str, object]:
    return {"bindings": tuple(map(_claim, _maps(lines)))}


def _claim(binding: Mapping[str, object]) -> Claim:
    role = _ROLES.get(_text(binding.get("role", "")))
    if role is None:
        raise _NotQuickError
    return Claim(
        unit_id=_text(binding.get("unit", "")),
        quote=_text(binding.get("quote", "")),
        role=role,
        start=_whole(binding.get("start")),
        end=_whole(binding.get("end")),
    )


def _review(lines: list[str]) -> dict[str, object]:
    review = _map(lines)
    days = review.get("cadence_days")
    return {
        "review": Review(
            cadence_days=None if days is None else _whole(days),
            next_review=_text(review.get("next_review", "")),
            change_condition=_text(review.get("change_condition", "")),
        )
    }


def _ratified(lines: list[str]) -> dict[str, object]:
    ratified = _map(lines)
    return {
        "ratified": Ratification(
            by=_text(ratified.get("by", "")),
            at=_text(ratified.get("at", "")),
            ruling=_text(ratified.get("ruling", "")),
        )
    }


def _deferred(lines: list[str]) -> dict[str, object]:
    deferred = _map(lines)
    return {
        "deferred": Deferral(
            reason=_text(deferred.get("reason", "")),
            note=_text(deferred.get("note", "")),
            until=_text(deferred.get("until", "")),
        )
    }


def _ruled(lines: list[str]) -> dict[str, object]:
    ruled = _map(lines)
    return {
        "ruled_by": _text(ruled.get("by", "")),
        "ruled_at": _text(ruled.get("at", "")),
        "ruling": _text(ruled.get("ruling", "")),
        "ruling_reason": _text(ruled.get("reason", "")),
    }


def _map(lines: list[str]) -> dict[str, object]:
    value = read_plain_block(lines)
    if not isinstance(value, dict):
        raise _NotQuickError
    return value


def _maps(lines: list[str]) -> list[dict[str, object]]:
    value = read_plain_block(lines)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise _NotQuickError
    return value


_ROLES = {role.value: role for role in ClaimRole}

_Place = tuple[str, Convert, bool]
"""The field that a key fills, how, and whether many notes say the same there."""


def _places(
    own: Mapping[str, _Place], texts: str = "", repeated_texts: str = "", lists: str = ""
) -> dict[str, _Place]:
    places: dict[str, _Place] = {}
    places.update((key, (key, _text, False)) for key in texts.split())
    places.update((key, (key, _text, True)) for key in repeated_texts.split())
    places.update((key, (key, _texts, True)) for key in lists.split())
    places.update(own)
    return places


_STATEMENT = _places(
    {
        "layer": ("layer", _one_of(Layer), True),
        "scopes": ("scopes", _scopes, True),
        "type": ("type", _text_or("other"), True),
        "confidence": ("confidence", _fraction, True),
        "trust_class": ("trust_class", _one_of(TrustClass), True),
        "durability_signal": ("durability_signal", _one_of(Durability), True),
        "tainted": ("tainted", _flag, True),
    },
    texts="title created updated due_date normalized_key anchor anchor_hash content_hash "
    "valid_from valid_to event_at event_from event_to proof_hint stale_if",
    repeated_texts="scope_source profile kind rule_type stability poisoning_risk verification "
    "source evidence_state",
    lists="tags aliases keywords evidence applies_when does_not_apply_when known_exceptions "
    "supersedes",
)
_MEMORY = _STATEMENT | _places(
    {
        "standing": ("standing", _one_of(Standing), True),
        "hit_count": ("hit_count", _whole, True),
        "status": ("todo_status", _text, True),
    },
    texts="memory_id active_memory_id archived_at",
    repeated_texts="invalidated_reason",
    lists="superseded_by sources",
)
_PROPOSAL = _STATEMENT | _places(
    {
        "status": ("status", _one_of(ProposalStatus), True),
        "origin": ("origin", _text_or("gate"), True),
        "match_kind": ("match_kind", _one_of(MatchKind), True),
        "original": ("original_statement", _text, False),
    },
    texts="proposal_id candidate_id update_memory_id memory_id",
    repeated_texts="turn",
    lists="matched counterexamples l1_sources sources bindings",
)
_EVIDENCE = _places(
    {
        "trust_class": ("trust_class", _one_of(TrustClass), True),
        "durability_signal": ("durability_signal", _one_of(Durability), True),
        "polarity": ("polarity", _one_of(Polarity), True),
        "redaction_status": ("redaction_status", _one_of(Redaction), True),
        "scopes": ("scopes", _texts, True),
        "start": ("start", _whole, False),
        "end": ("end", _whole, False),
    },
    texts="evidence_id source_summary source_excerpt excerpt_hash unit_id created",
    repeated_texts="source_kind source_ref source_session source_thread profile",
    lists="memory_ids",
)


def _empty(value: object) -> tuple[()]:
    """A list of maps that stands on its key's line is read here only when it is empty."""
    if value != []:
        raise _NotQuickError
    return ()


_MEMORY["sources"] = ("sources", _empty, True)
_PROPOSAL["sources"] = ("sources", _empty, True)
_PROPOSAL["bindings"] = ("bindings", _empty, True)

_KEYS: dict[type[Record], dict[str, _Place]] = {
    Memory: _MEMORY,
    Proposal: _PROPOSAL,
    EvidenceRecord: _EVIDENCE,
}
_BLOCKS: dict[type[Record], dict[str, Callable[[list[str]], dict[str, object]]]] = {
    Memory: {"sources": _sources, "review": _review, "ratified": _ratified},
    Proposal: {
        "sources": _sources,
        "bindings": _bindings,
        "deferred": _deferred,
        "ruled": _ruled,
    },
    EvidenceRecord: {},
}
"""Keys with lines of their own, and the fields that those give."""
_SHAPES: dict[NoteKind, tuple[type[Record], str]] = {
    NoteKind.MEMORY: (Memory, "memory_id"),
    NoteKind.HISTORY: (Memory, "memory_id"),
    NoteKind.PROPOSAL: (Proposal, "proposal_id"),
    NoteKind.RULED: (Proposal, "proposal_id"),
    NoteKind.EVIDENCE: (EvidenceRecord, "evidence_id"),
}
