"""The evidence inventory: from events to units with exact offsets (spec page 2, Inventory)."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from hashlib import sha256
from itertools import repeat

from proofstone.domain.clauses import PlacedClause, placed_clauses
from proofstone.domain.conversation import Event, Observation
from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.origins import has_body, observation_origin, with_user_origins

NO_BODY_TEXT = "Tool observation has no retained source content."
"""Stands in for the body of an observation that has none. Unit ids depend on it."""

_as_json = json.JSONEncoder(ensure_ascii=False).encode
_text_as_json: Callable[[str], str] = json.encoder.encode_basestring
"""What ``_as_json`` comes to for a text."""


def inventory(events: Iterable[Event]) -> tuple[EvidenceUnit, ...]:
    """Every evidence unit of the events, in order; repeats of an id are dropped.

    Of each event first its text, then its observations. The time is linear in the text. The
    offsets of a unit of an observation without a body refer to ``NO_BODY_TEXT``. The text of a
    role other than user and assistant counts as assistant text.
    """
    units: dict[str, EvidenceUnit] = {}
    for event in events:
        _add_message(units, event)
        for observation in event.observations:
            _add_observation(units, event.event_key, observation)
    return tuple(units.values())


def inventory_digest(units: Iterable[EvidenceUnit]) -> str:
    """SHA-256 in hex over the units, to detect that captured text is no longer what it was.

    The section path is left out: it follows from the text, and repeating a long heading for each
    unit below it would not be linear.
    """
    digest = sha256()
    for unit in units:
        row = {
            "unit_id": unit.unit_id,
            "event_key": unit.event_key,
            "source_role": unit.source_role,
            "origin": unit.origin,
            "start": unit.start,
            "end": unit.end,
            "text": unit.text,
            "syntax": unit.syntax,
            "tool_name": unit.tool_name,
            "call_id": unit.call_id,
            "record_id": unit.record_id,
        }
        digest.update(json.dumps(row, sort_keys=True, separators=(",", ":")).encode("ascii"))
        digest.update(b"\n")
    return digest.hexdigest()


def _add_message(units: dict[str, EvidenceUnit], event: Event) -> None:
    role = str(event.role)
    clauses = placed_clauses(event.content)
    if role == "user":
        _add(units, event.event_key, role, with_user_origins(event.content, clauses))
    else:
        _add(units, event.event_key, role, _all_of(Origin.ASSISTANT_SYNTHESIS, clauses))


def _add_observation(
    units: dict[str, EvidenceUnit], event_key: str, observation: Observation
) -> None:
    if observation.retention == "metadata":
        return
    record_id = observation.record_id
    if has_body(observation):
        body = observation.content or ""
    else:
        body = NO_BODY_TEXT
        record_id = record_id or observation.message_id
    _add(
        units,
        event_key,
        "external",
        _all_of(observation_origin(observation), placed_clauses(body)),
        observation.tool_name or None,
        observation.call_id or None,
        record_id or None,
    )


def _all_of(
    origin: Origin, clauses: Iterable[PlacedClause]
) -> Iterator[tuple[PlacedClause, Origin]]:
    return zip(clauses, repeat(origin), strict=False)


def _add(
    units: dict[str, EvidenceUnit],
    event_key: str,
    source_role: str,
    clauses: Iterable[tuple[PlacedClause, Origin]],
    tool_name: str | None = None,
    call_id: str | None = None,
    record_id: str | None = None,
) -> None:
    """Add the units of one text that are not there yet.

    Their ids are made in place, with what they share encoded once: this loop is most of the cost
    of an inventory.
    """
    before = f"[{_as_json(event_key)},{_as_json(source_role)},"
    after = f",{_as_json(call_id)},{_as_json(record_id)}]"
    # As ``EvidenceUnit(…)`` does, but for a call in between.
    make = tuple.__new__
    for (start, clause, section, quoted), origin in clauses:
        end = start + len(clause)
        row = f"{before}{start},{end},{_text_as_json(clause)}{after}"
        try:
            data = row.encode()
        except UnicodeEncodeError:
            # A lone surrogate, which JSON can bring in, must not stop the inventory.
            data = row.encode("utf-8", "surrogatepass")
        unit_id = f"u-{sha256(data).hexdigest()[:24]}"
        if unit_id not in units:
            units[unit_id] = make(
                EvidenceUnit,
                (
                    unit_id,
                    event_key,
                    source_role,
                    origin,
                    start,
                    end,
                    clause,
                    section,
                    "quoted" if quoted else "plain",
                    tool_name,
                    call_id,
                    record_id,
                ),
            )
