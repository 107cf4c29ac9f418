"""What may be captured: one item, field by field (spec page 4, Capture).

An item is first looked at for its shape (are the fields known, of the right type, from the closed
lists?), then for its meaning. Both say in one line what is wrong; neither repeats a secret.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from proofstone.domain import anchors, secrets_found
from proofstone.domain.records import Layer, TrustClass
from proofstone.domain.secrets_found import Confidence, SecretFinding

FindSecrets = Callable[[str], tuple[SecretFinding, ...]]

DEFAULT_CONFIDENCE = 0.6
MAX_CONTENT_CHARACTERS = 100_000
MAX_FIELD_CHARACTERS = 4_000
MAX_SLUG_CHARACTERS = 32

KINDS = (
    "fact",
    "procedure",
    "decision",
    "task",
    "epic",
    "brainstorm",
    "doc",
    "constraint",
    "capability",
    "failure_pattern",
)
EVIDENCE_STATES = ("observed", "inferred", "unverified")
AUTHORITY_TRUST: Mapping[str, TrustClass] = {
    "observed-fact": TrustClass.SINGLE_SESSION_OBSERVATION,
    "user-stated": TrustClass.DIRECT_USER_INSTRUCTION,
    "agent-inferred": TrustClass.AGENT_INFERENCE,
    "externally-imported": TrustClass.THIRD_PARTY_DOCUMENTATION,
}
"""The default trust class of what each authority says."""

IMPORTED = "externally-imported"

# Every field in the order in which faults are looked for, with its type.
_TYPES: Mapping[str, str] = {
    "content": "string",
    "source": "string",
    "anchor": "string",
    "confidence": "number",
    "valid_from": "string",
    "valid_to": "string",
    "project_id": "string",
    "authority_class": "string",
    "event_at": "string",
    "event_from": "string",
    "event_to": "string",
    "kind": "string",
    "evidence_state": "string",
    "proof_hint": "string",
    "stale_if": "string",
    "supersedes": "string",
    "session_id": "string",
    "instruction_taint": "boolean",
    "layer": "string",
}
_REQUIRED = ("content", "source", "anchor")
_CLOSED: Mapping[str, tuple[str, ...]] = {
    "authority_class": tuple(AUTHORITY_TRUST),
    "kind": KINDS,
    "evidence_state": EVIDENCE_STATES,
    "layer": tuple(layer.value for layer in Layer),
}
_TIMES = ("valid_from", "valid_to", "event_at", "event_from", "event_to")
_TEXTS = tuple(name for name, kind in _TYPES.items() if kind == "string")

_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:([Zz])|([+-])(\d\d):(\d\d))",
    re.ASCII,
)
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with an item, and the field of it that has the wrong shape, if one has."""

    message: str
    field: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureItem:
    """One item that keeps every rule that can be checked without looking at what is held.

    Times are as given; ``valid_from`` is now unless given. ``project_id`` is empty when none is
    given. ``taint`` is the caller's own word, which can set the mark and not clear it.
    """

    content: str
    source: str
    anchor: str
    confidence: float
    valid_from: str
    valid_to: str
    project_id: str
    authority_class: str
    event_at: str
    event_from: str
    event_to: str
    kind: str
    evidence_state: str
    proof_hint: str
    stale_if: str
    supersedes: str
    session_id: str
    taint: bool
    layer: Layer

    @property
    def trust_class(self) -> TrustClass:
        """The trust class that the item's authority maps to."""
        return AUTHORITY_TRUST[self.authority_class]

    @property
    def scanned_texts(self) -> tuple[tuple[str, str], ...]:
        """The fields that people or agents will read, by name."""
        names = ("content", "source", "anchor", "proof_hint", "stale_if")
        return tuple((name, getattr(self, name)) for name in names)


def shape_fault(raw: object) -> Fault | None:
    """What is wrong with an item's shape, or None."""
    if not isinstance(raw, Mapping):
        return Fault(f"invalid type: {_type(raw)}, expected an object")
    for name, expected in _TYPES.items():
        value = raw.get(name)
        if name not in raw or (value is None and name not in _REQUIRED):
            continue
        if _type(value) != expected:
            return Fault(f"invalid type: {_type(value)}, expected a {expected}", name)
        if name in _CLOSED and value not in _CLOSED[name]:
            allowed = ", ".join(_CLOSED[name])
            return Fault(f"unknown value {shown(value)}, expected one of {allowed}", name)
    for name in raw:
        if name not in _TYPES:
            return Fault(f"unknown field; known are {', '.join(_TYPES)}", shown_name(name))
    missing = [name for name in _REQUIRED if name not in raw]
    if missing:
        return Fault(f"missing field {', '.join(missing)}")
    return None


def read_item(
    raw: Mapping[str, object], now: str, find_secrets: FindSecrets
) -> CaptureItem | Fault:
    """The item, or what is wrong with its meaning. ``raw`` has no fault of shape."""
    given = {name: value for name, value in raw.items() if value is not None}
    texts = {name: str(given.get(name, "")) for name in _TEXTS}
    fault = _text_fault(texts, find_secrets)
    if fault:
        return fault
    confidence = given.get("confidence", DEFAULT_CONFIDENCE)
    if not isinstance(confidence, (int, float)) or not 0 <= confidence <= 1:
        return Fault(f"confidence must be from 0 to 1, not {shown(confidence)}")
    fault = _time_fault(texts, now, given)
    if fault:
        return fault
    for name in ("project_id", "supersedes", "session_id"):
        if name in given and not _is_name(texts[name]):
            return Fault(f"{name} must be one line of text that is not blank")
    return CaptureItem(
        content=texts["content"],
        source=texts["source"],
        anchor=texts["anchor"],
        confidence=float(confidence),
        valid_from=texts["valid_from"] or now,
        valid_to=texts["valid_to"],
        project_id=texts["project_id"],
        authority_class=texts["authority_class"] or "agent-inferred",
        event_at=texts["event_at"],
        event_from=texts["event_from"],
        event_to=texts["event_to"],
        kind=texts["kind"],
        evidence_state=texts["evidence_state"],
        proof_hint=texts["proof_hint"],
        stale_if=texts["stale_if"],
        supersedes=texts["supersedes"],
        session_id=texts["session_id"],
        taint=given.get("instruction_taint") is True,
        layer=Layer(texts["layer"] or Layer.L2),
    )


def project_slug(client: str) -> str:
    """A client's name as a project: lower-case ASCII letters, digits and ``-``, at most 32."""
    slug = re.sub(r"[^a-z0-9]+", "-", client.lower()).strip("-")
    return slug[:MAX_SLUG_CHARACTERS].strip("-")


def instant(text: str) -> datetime | None:
    """The moment that an RFC 3339 text names, in UTC, or None when it is none.

    A leap second counts as the second after it.
    """
    match = _RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(match[n]) for n in range(1, 7))
    leap = second == 60
    try:
        moment = datetime(year, month, day, hour, minute, 59 if leap else second, tzinfo=UTC)
        if match[7]:
            moment += timedelta(microseconds=int(match[7].ljust(6, "0")[:6]))
        if leap:
            moment += timedelta(seconds=1)
        if match[9]:
            hours, minutes = int(match[10]), int(match[11])
            if hours > 23 or minutes > 59:
                return None
            offset = timedelta(hours=hours, minutes=minutes)
            moment = moment - offset if match[9] == "+" else moment + offset
    except (ValueError, OverflowError):
        return None
    return moment


def shown(value: object) -> str:
    """A value from outside, fit for one line: quoted, escaped, shortened, secrets masked."""
    text = secrets_found.masked(value) if isinstance(value, str) else value
    try:
        line = json.dumps(text, ensure_ascii=True)
    except (TypeError, ValueError):
        line = _type(value)
    return line if len(line) <= _SHOWN_CHARACTERS else f"{line[:_SHOWN_CHARACTERS]}…"


def shown_name(name: object) -> str:
    """A field name from outside, fit for a locator."""
    text = shown(str(name))
    return text[1:-1] if re.fullmatch(r'"[A-Za-z0-9_.-]+"', text) else text


def _text_fault(texts: Mapping[str, str], find_secrets: FindSecrets) -> Fault | None:
    for name in ("source", "anchor"):
        if _is_blank(texts[name]):
            return Fault(f"provenance is required: {name} must not be blank")
    lines = anchors.line_count(texts["anchor"])
    if lines > anchors.MAX_LINES:
        return Fault(f"anchor has {lines} lines; a quote may have at most {anchors.MAX_LINES}")
    if _is_blank(texts["content"]):
        return Fault("content must not be blank")
    for name, text in texts.items():
        limit = MAX_CONTENT_CHARACTERS if name == "content" else MAX_FIELD_CHARACTERS
        if len(text) > limit:
            return Fault(f"{name} has {len(text)} characters; at most {limit} are taken")
        if _UNWRITABLE.search(text):
            return Fault(f"{name} holds a NUL or half of a surrogate pair, which no note can hold")
    for name, text in texts.items():
        for finding in find_secrets(text) if text else ():
            if finding.confidence is Confidence.HIGH:
                return Fault(
                    f"{name} holds a secret ({finding.kind}, characters {finding.start} to"
                    f" {finding.end}); leave it out and say where it is kept instead"
                )
    return None


def _time_fault(texts: Mapping[str, str], now: str, given: Mapping[str, object]) -> Fault | None:
    moments: dict[str, datetime] = {}
    for name in _TIMES:
        if name in given:
            moment = instant(texts[name])
            if moment is None:
                return Fault(f"{name} must be an RFC3339 time, not {shown(texts[name])}")
            moments[name] = moment
    start = moments.get("valid_from") or instant(now)
    end = moments.get("valid_to")
    if start and end and end < start:
        return Fault(
            f"valid_to {texts['valid_to']} is before valid_from {texts['valid_from'] or now}"
        )
    ends = [name for name in ("event_from", "event_to") if name in moments]
    if "event_at" in moments and ends:
        return Fault(f"event_at and {ends[0]} exclude each other: a point or a range, not both")
    if len(ends) == 1:
        other = "event_to" if ends[0] == "event_from" else "event_from"
        return Fault(f"{ends[0]} needs {other}: a range has both ends")
    if len(ends) == 2 and moments["event_to"] < moments["event_from"]:
        return Fault(f"event_to {texts['event_to']} is before event_from {texts['event_from']}")
    return None


def _is_blank(text: str) -> bool:
    return not any(
        not character.isspace() and unicodedata.category(character) not in ("Cf", "Cc", "Mn")
        for character in text
    )


def _is_name(text: str) -> bool:
    return not _is_blank(text) and text.isprintable()


def _type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, (list, tuple)) else "object"
