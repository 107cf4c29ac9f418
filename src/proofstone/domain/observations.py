"""What is kept of tool records: limits, checks, and the capture policy (spec page 2, Observations).

A record is a flat mapping of strings. ``stored_observations`` is for records that a host hands in,
and refuses a malformed one; ``renormalised`` is for records that are already on disk, where a
malformed one stays in sight as an unresolved observation. Both give what memleaf gives.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields, replace
from hashlib import sha256

from proofstone.domain.conversation import Observation

MODES: tuple[str, ...] = ("bounded", "metadata", "off")
"""Capture policies: bodies up to the limit, no bodies, no records."""
MAX_RECORDS = 8
MAX_BODY = 2_000
"""Longest body kept, in characters."""
MAX_FIELD = 320
"""Longest other field kept, in characters."""

_FIELD_ORDER: tuple[str, ...] = tuple(field.name for field in fields(Observation))
FIELDS: frozenset[str] = frozenset(_FIELD_ORDER)

_ALLOWED: tuple[tuple[str, tuple[str, ...], str], ...] = (
    (
        "kind",
        ("external_observation", "retrieved_memory", "unknown"),
        "invalid tool evidence kind",
    ),
    (
        "result_status",
        ("success", "error", "truncated", "unknown"),
        "invalid tool result status",
    ),
    ("execution_status", ("success", "error", "unknown"), "invalid execution status"),
    ("completeness", ("complete", "partial", "missing"), "invalid evidence completeness"),
    (
        "source_type",
        ("document", "tool_result", "unknown"),
        "invalid tool evidence source type",
    ),
    ("retention", ("metadata", "bounded"), "invalid tool evidence retention"),
)
_DOMAIN = re.compile(
    r"(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}", re.IGNORECASE
)
_COUNT_DIGITS = 12
_COUNT = re.compile(rf"[0-9]{{1,{_COUNT_DIGITS}}}")

_OVERFLOW = {
    "tool_name": "evidence.inventory",
    "call_id": "overflow",
    "kind": "unknown",
    "result_status": "truncated",
    "completeness": "partial",
}
_MALFORMED = {
    "tool_name": "evidence.inventory",
    "call_id": "invalid",
    "kind": "unknown",
    "result_status": "unknown",
    "completeness": "missing",
    "content": "Invalid tool evidence could not be retained.",
}

Redact = Callable[[str], str]


class ObservationError(ValueError):
    """A tool record breaks the format.

    The message is one of a closed list; ``record`` is its position, from 0, and ``field`` the
    field at fault, where there is one. Neither the message nor they hold what the record said.
    """

    def __init__(self, message: str, record: int | None = None, field: str = "") -> None:
        super().__init__(message)
        self.record = record
        self.field = field


def _as_it_is(text: str) -> str:
    return text


def stored_observations(
    records: object,
    mode: str = "bounded",
    include_attachments: bool = False,
    redact: Redact = _as_it_is,
) -> tuple[Observation, ...]:
    """What is kept of the records that a host hands in, under the capture policy.

    ``records`` is a list of mappings, or None for none. Raises ObservationError when a record is
    malformed, ValueError for an unknown mode.
    """
    _check_mode(mode)
    if mode == "off":
        return ()
    return _under_policy(_normalised(records, redact), mode, include_attachments)


def renormalised(
    records: object,
    mode: str = "bounded",
    include_attachments: bool = False,
    redact: Redact = _as_it_is,
) -> tuple[Observation, ...]:
    """What records read from disk count as, under the policy in force now.

    memleaf does this before it computes units: so a switch to ``metadata`` hides bodies that are
    still on disk. A malformed record becomes an unresolved one; what is no list counts as none.
    Raises ValueError for an unknown mode.
    """
    _check_mode(mode)
    if mode == "off" or not isinstance(records, list | tuple):
        return ()
    rows: list[Mapping[str, str]] = []
    for record in records[:MAX_RECORDS]:
        try:
            rows += _normalised([record], redact)
        except ObservationError:
            rows.append(_MALFORMED)
    if len(records) > MAX_RECORDS:
        rows.append(
            _OVERFLOW
            | {
                "omitted_count": str(len(records) - MAX_RECORDS),
                "content": "Additional stored observations exceeded the evidence budget.",
            }
        )
    # Twice more: once for what the list has become, once on the way to the units. A second look
    # can differ, since cutting a body may leave white space at its end.
    again = _normalised(_normalised(rows, redact), redact)
    return _under_policy(again, mode, include_attachments)


def observation_fields(observation: Observation) -> dict[str, str]:
    """The record as it is written to disk: the fields that were given, in a fixed order."""
    record: dict[str, str] = {}
    for name in _FIELD_ORDER:
        value = getattr(observation, name)
        if value or (name == "content" and value is not None):
            record[name] = value
    return record


def observation_from_fields(record: Mapping[str, str]) -> Observation:
    """The observation of a record that has been normalised already.

    Raises ObservationError for a field that does not belong to a record or is no string.
    """
    for name, value in record.items():
        if name not in FIELDS or not isinstance(value, str):
            raise ObservationError("invalid tool evidence record", field=str(name))
    return Observation(**record)


def under_policy(
    observations: Iterable[Observation], mode: str, include_attachments: bool = False
) -> tuple[Observation, ...]:
    """The observations as the capture policy leaves them. Raises ValueError for an unknown mode.

    Without consent to attachments a document keeps its metadata only.
    """
    _check_mode(mode)
    if mode == "off":
        return ()
    return tuple(
        replace(item, content=None, retention="metadata", completeness="missing")
        if mode == "metadata"
        or item.retention == "metadata"
        or (item.source_type == "document" and not include_attachments)
        else item
        for item in observations
    )


def _under_policy(
    rows: Iterable[Mapping[str, str]], mode: str, include_attachments: bool
) -> tuple[Observation, ...]:
    return under_policy(map(observation_from_fields, rows), mode, include_attachments)


def _check_mode(mode: str) -> None:
    if mode not in MODES:
        raise ValueError(f"unknown capture mode {mode!r}; known are {', '.join(MODES)}")


def _normalised(records: object, redact: Redact) -> list[dict[str, str]]:
    """Records within the limits, each checked, repeats dropped."""
    if records is None:
        return []
    if not isinstance(records, list | tuple):
        raise ObservationError("tool evidence must be a list")
    rows: list[dict[str, str]] = []
    for number, record in enumerate(records[:MAX_RECORDS]):
        row = _normalised_record(record, number, redact)
        if row and row not in rows:
            rows.append(row)
    if len(records) > MAX_RECORDS:
        kept = MAX_RECORDS - 1
        omitted = min(sum(map(_records_meant, records[kept:])), 10**_COUNT_DIGITS - 1)
        rows[kept:] = [
            _OVERFLOW
            | {
                "omitted_count": str(omitted),
                "content": "Additional tool observations exceeded the capture budget.",
            }
        ]
    return rows


def _records_meant(record: object) -> int:
    """How many records one that is left out stands for: an overflow record says so itself."""
    count = str(record.get("omitted_count", 1)) if isinstance(record, Mapping) else ""
    return int(count) if count.isdecimal() and len(count) <= _COUNT_DIGITS else 1


def _normalised_record(record: object, number: int, redact: Redact) -> dict[str, str]:
    if not isinstance(record, Mapping) or not FIELDS.issuperset(record):
        raise ObservationError("invalid tool evidence record", number)
    row: dict[str, str] = {}
    for name, value in record.items():
        if value is not None:
            row[name] = _normalised_field(name, value, number, redact)
    body = row.get("content")
    if body is not None:
        if len(body) > MAX_BODY:
            row["content"] = body = body[:MAX_BODY]
            row["result_status"] = "truncated"
        row["result_digest"] = sha256(body.encode("utf-8", "surrogatepass")).hexdigest()
    for name, allowed, message in _ALLOWED:
        if row.get(name, allowed[0]) not in allowed:
            raise ObservationError(message, number, name)
    if row.get("result_status") == "truncated":
        row["completeness"] = "partial"
    if "omitted_count" in row and not _COUNT.fullmatch(row["omitted_count"]):
        raise ObservationError("invalid omitted observation count", number, "omitted_count")
    return row


def _normalised_field(name: str, value: object, number: int, redact: Redact) -> str:
    """One field, redacted; all but the body also cut."""
    if not isinstance(value, str) or not (text := value.strip()) or "\x00" in value:
        raise ObservationError("invalid tool evidence field", number, name)
    if name == "content":
        return redact(text)
    if "\r" in value or "\n" in value:
        raise ObservationError("invalid tool evidence field", number, name)
    text = redact(text)
    if name == "domain":
        text = text.casefold().lstrip("@")
        if not _DOMAIN.fullmatch(text):
            raise ObservationError("invalid tool evidence domain", number, name)
        return text
    return text[:MAX_FIELD]
