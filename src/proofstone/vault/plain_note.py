"""Which notes need no looking at until they are shown: recognised by one pattern (spec page 9).

A note in the very form that memleaf and Proofstone write, keys in their order, is known to be
readable, to have no problems, and to have the id that its file is named by, before a record is
made of it. ``quick_record`` makes that record when it is asked for. The pattern is narrower than
what that reads: a note outside it is read at once, and nothing else is different.
"""

from __future__ import annotations

import re

from proofstone.domain.gate_types import ClaimRole
from proofstone.domain.plan import NoteKind
from proofstone.domain.records import (
    Durability,
    Layer,
    MatchKind,
    Polarity,
    ProposalStatus,
    Redaction,
    Standing,
    TrustClass,
)
from proofstone.vault.plain_header import is_doubtful

_PLAIN = r'[^"\\\x00-\x1f\x7f]*+'
_TEXT = rf'"{_PLAIN}(?:\\["\\/bfnrt]{_PLAIN})*+"'
_LIST = rf"\[(?:{_TEXT}(?:, {_TEXT})*)?\]"
_WHOLE = "(?:0|[1-9][0-9]{0,14})"
_FRACTION = r"(?:0|1|0\.[0-9]{1,17}|1\.0)"
_FLAG = "(?:true|false)"


def _word(choices: type[Layer | Standing | ProposalStatus | TrustClass | Durability | MatchKind
          | Polarity | Redaction | ClaimRole]) -> str:  # fmt: skip
    return f'"(?:{"|".join(choice.value for choice in choices)})"'


def _keys(value: str, names: str) -> str:
    return "".join(f"(?:{name}: {value}\n)?" for name in names.split())


def _map(name: str, parts: str) -> str:
    return f"(?:{name}:\n(?=  ){parts})?"


def _parts(value: str, names: str) -> str:
    return "".join(f"(?:  {name}: {value}\n)?" for name in names.split())


_SOURCES = (
    rf"(?:sources: \[\]\n|sources:\n(?:  - event_key: {_TEXT}\n    session_id: {_TEXT}\n"
    rf"    turn_id: {_TEXT}\n    conversation_title: {_TEXT}\n)+)?"
)
_BINDINGS = (
    rf"(?:bindings:\n(?:  - unit: {_TEXT}\n    quote: {_TEXT}\n    start: {_WHOLE}\n"
    rf"    end: {_WHOLE}\n    role: {_word(ClaimRole)}\n)+)?"
)
_DESCRIPTION = (
    _keys(_TEXT, "profile kind rule_type normalized_key")
    + _keys(_FRACTION, "confidence")
    + _keys(_TEXT, "stability")
    + _keys(_LIST, "evidence")
    + _keys(_word(TrustClass), "trust_class")
    + _keys(_word(Durability), "durability_signal")
    + _keys(_TEXT, "poisoning_risk verification")
    + _keys(_LIST, "applies_when does_not_apply_when known_exceptions")
    + _keys(
        _TEXT,
        "source anchor anchor_hash content_hash valid_from valid_to event_at event_from event_to "
        "evidence_state proof_hint stale_if",
    )
    + _keys(_FLAG, "tainted")
)


def _memory(standing: str) -> str:
    return (
        _keys(_TEXT, "title")
        + 'memory_id: "((?:mem|hist)-[A-Za-z0-9_-]{1,140})"\n'
        + _keys(_LIST, "tags")
        + _keys(_TEXT, "type")
        + _keys(_LIST, "scopes aliases keywords")
        + _keys(_TEXT, "scope_source")
        + _SOURCES
        + _keys(_TEXT, "created updated")
        + _keys(_WHOLE, "hit_count")
        + _keys(_TEXT, "status due_date")
        + _keys(_word(Layer), "layer")
        + standing
        + _DESCRIPTION
        + _keys(_LIST, "supersedes")
        + f"(?:superseded_by: (?:{_TEXT}|{_LIST})\n)?"
        + _map(
            "review", _parts(_WHOLE, "cadence_days") + _parts(_TEXT, "next_review change_condition")
        )
        + _map("ratified", _parts(_TEXT, "by at ruling"))
        + _keys(_TEXT, "active_memory_id archived_at invalidated_reason")
    )


_PROPOSAL = (
    'proposal_id: "(prop-[A-Za-z0-9_-]{1,140})"\n'
    + _keys(_word(ProposalStatus), "status")
    + _keys(_TEXT, "origin")
    + _keys(_word(Layer), "layer")
    + _keys(_TEXT, "title type")
    + _keys(_LIST, "scopes")
    + _keys(_TEXT, "scope_source")
    + _keys(_LIST, "tags")
    + _keys(_TEXT, "created updated due_date candidate_id turn")
    + _DESCRIPTION
    + _keys(_LIST, "supersedes")
    + _SOURCES
    + _BINDINGS
    + _keys(_TEXT, "update_memory_id")
    + _keys(_word(MatchKind), "match_kind")
    + _keys(_LIST, "matched l1_sources counterexamples")
    + _map("deferred", _parts(_TEXT, "reason note until"))
    + _keys(_TEXT, "original memory_id")
    + _map("ruled", _parts(_TEXT, "by at ruling reason"))
)
_EVIDENCE = (
    'evidence_id: "([0-9a-f]{8,64})"\n'
    + f"source_kind: {_TEXT}\n"
    + _keys(
        _TEXT,
        "source_ref source_session source_thread source_summary source_excerpt excerpt_hash",
    )
    + f"trust_class: {_word(TrustClass)}\n"
    + _keys(_word(Durability), "durability_signal")
    + _keys(_word(Polarity), "polarity")
    + _keys(_word(Redaction), "redaction_status")
    + _keys(_TEXT, "profile")
    + _keys(_LIST, "scopes")
    + _keys(_TEXT, "unit_id")
    + _keys(_WHOLE, "start end")
    + _keys(_TEXT, "created")
    + _keys(_LIST, "memory_ids")
)
_STANDING = f"standing: {_word(Standing)}\n"
_HEADERS = {
    NoteKind.MEMORY: _memory(f"(?:{_STANDING})?"),
    NoteKind.HISTORY: _memory(_STANDING),
    NoteKind.PROPOSAL: _PROPOSAL,
    NoteKind.RULED: _PROPOSAL,
    NoteKind.EVIDENCE: _EVIDENCE,
}
_PATTERNS: dict[NoteKind, re.Pattern[str]] = {}


def plain_id(kind: NoteKind, data: bytes) -> str:
    """The id of a note in the form that programs write; empty when the note is not in it."""
    if b"\r" in data or b"\0" in data or kind not in _HEADERS:
        return ""
    pattern = _PATTERNS.get(kind)
    if pattern is None:
        pattern = _PATTERNS[kind] = re.compile(f"---\n{_HEADERS[kind]}---\n")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return ""
    header = pattern.match(text)
    if header is None:
        return ""
    end = header.end()
    if text.find("---", end) >= 0 or text.find("<<<<<<<", end) >= 0 or _is_odd(header[0]):
        return ""
    return header[1]


def _is_odd(header: str) -> bool:
    """Whether a header that the pattern lets through has a character that YAML would weigh."""
    return not header.isascii() and is_doubtful(header)
