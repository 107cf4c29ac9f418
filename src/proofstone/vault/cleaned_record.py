"""What is kept of a turn whose captured text was removed, in its Gate record (spec pages 2 and 5).

Ids, roles, times and reasons; no words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from proofstone.domain.gate_types import Cleaned, CleanedEvent, Decision, UnitDisposition

CLEANED = "cleaned"
"""The key of a stored Gate record under which it lies."""

_ROLES = ("user", "assistant")


def with_cleaned(data: bytes, cleaned: Cleaned) -> bytes:
    """The stored Gate record ``data``, which can be read, with ``cleaned`` added.

    Every other key stays, known or not.
    """
    value = json.loads(data.decode("utf-8-sig"))
    value[CLEANED] = cleaned_json(cleaned)
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def cleaned_json(cleaned: Cleaned) -> dict[str, object]:
    """The stored form."""
    return {
        "at": cleaned.at,
        "by": cleaned.by,
        "ruling": cleaned.ruling,
        "source": cleaned.source,
        "session_id": cleaned.session_id,
        "turn_index": cleaned.turn_index,
        "turn_id": cleaned.turn_id,
        "events": [
            {"event_key": event.event_key, "role": event.role, "timestamp": event.timestamp}
            for event in cleaned.events
        ],
        "dispositions": [
            {
                "unit_id": row.unit_id,
                "event_key": row.event_key,
                "decision": row.decision.value,
                "reason": row.reason,
                "candidate_ids": list(row.candidate_ids),
            }
            for row in cleaned.dispositions
        ],
    }


def read_cleaned(value: object) -> Cleaned | None:
    """What ``cleaned_json`` stored. Raises ValueError with the reason when it cannot be read."""
    if value is None:
        return None
    if not isinstance(value, Mapping):
        raise ValueError(f"its {CLEANED} is not an object")
    index = value.get("turn_index")
    if type(index) is not int or index < 1:
        raise ValueError(f"its {CLEANED} has no turn_index from 1")
    return Cleaned(
        at=_text(value, "at"),
        by=_text(value, "by"),
        ruling=_text(value, "ruling"),
        source=_text(value, "source"),
        session_id=_text(value, "session_id"),
        turn_index=index,
        turn_id=_text(value, "turn_id"),
        events=tuple(_event(item) for item in _objects(value, "events")),
        dispositions=tuple(_disposition(item) for item in _objects(value, "dispositions")),
    )


def _event(item: Mapping[str, object]) -> CleanedEvent:
    role = _text(item, "role")
    if role not in _ROLES:
        raise ValueError(f"an event of its {CLEANED} is neither the user's nor the assistant's")
    return CleanedEvent(
        event_key=_text(item, "event_key"), role=role, timestamp=_text(item, "timestamp")
    )


def _disposition(item: Mapping[str, object]) -> UnitDisposition:
    decision = _text(item, "decision")
    if decision not in list(Decision):
        raise ValueError(f"a row of its {CLEANED} has an unknown decision")
    names = item.get("candidate_ids", [])
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"a row of its {CLEANED} has candidate_ids that are no list of ids")
    return UnitDisposition(
        unit_id=_text(item, "unit_id"),
        event_key=_text(item, "event_key"),
        decision=Decision(decision),
        reason=_text(item, "reason"),
        candidate_ids=tuple(names),
    )


def _objects(value: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    items = value.get(key, [])
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError(f"the {key} of its {CLEANED} are no list of objects")
    return items


def _text(value: Mapping[str, object], key: str) -> str:
    text = value.get(key, "")
    if not isinstance(text, str):
        raise ValueError(f"the {key} of its {CLEANED} is not text")
    return text
