"""Vectors ``proofstone-vectors-evidence/1``: units of events, and what is kept of tool records."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import Any

from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.evidence_unit import EvidenceUnit, Origin, Partition
from proofstone.domain.inventory import inventory
from proofstone.domain.observations import (
    FIELDS,
    ObservationError,
    observation_fields,
    stored_observations,
)
from proofstone.domain.redaction import redacted

_SHOWN_WHOLE = 40
"""Up to this many units a case gives every row; above, the first and last and a digest."""
_ENDS = 3
_PARTITION_NAMES = {
    Partition.PHYSICAL: "physical",
    Partition.CONTEXT: "non_physical",
    Partition.UNRESOLVED: "unresolved",
}
_ELIGIBLE = (Origin.USER_ASSERTION, Origin.EXTERNAL_OBSERVATION)


def _units(document: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[Any, Any]:
    rows = [_unit_row(unit) for unit in inventory(map(_event, case["input"]["events"]))]
    got: dict[str, Any] = {
        "unit_count": len(rows),
        "read_only_turn": not any(row["eligible"] for row in rows),
    }
    if len(rows) <= _SHOWN_WHOLE:
        got["units"] = rows
    else:
        got["units_first"] = rows[:_ENDS]
        got["units_last"] = rows[-_ENDS:]
        got["units_sha256"] = _digest(rows)
    return case["expected"], got


def _tool_capture(document: Mapping[str, Any], case: Mapping[str, Any]) -> tuple[Any, Any]:
    given = case["input"]
    try:
        stored = stored_observations(
            given["records"],
            given.get("tool_evidence_mode", "bounded"),
            given.get("include_attachments", False),
            redacted,
        )
    except ObservationError as error:
        return case["expected"], {"raises": "ValueError", "message": str(error)}
    return case["expected"], {"stored": [observation_fields(item) for item in stored]}


def _event(given: Mapping[str, Any]) -> Event:
    role: Any = given.get("role", "")
    return Event(
        event_key=given.get("event_key", ""),
        role=Role(role) if role in list(Role) else role,
        content=_content(given),
        observations=tuple(
            _observation(record)
            for record in given.get("tool_evidence") or ()
            if isinstance(record, Mapping)
        ),
    )


def _content(given: Mapping[str, Any]) -> str:
    repeated = given.get("content_repeat")
    if repeated is None:
        return str(given.get("content", ""))
    return str(repeated["text"]) * int(repeated["times"]) + str(repeated["tail"])


def _observation(record: Mapping[str, Any]) -> Observation:
    """The record as it is, without the checks of capture; a value that is no string is absent."""
    given = {
        key: value for key, value in record.items() if key in FIELDS and isinstance(value, str)
    }
    return Observation(**given)


def _unit_row(unit: EvidenceUnit) -> dict[str, Any]:
    return {
        **unit._asdict(),
        "origin": str(unit.origin),
        "section_path": list(unit.section_path),
        "can_support": unit.source_role == "user" or unit.origin is Origin.EXTERNAL_OBSERVATION,
        "eligible": unit.origin in _ELIGIBLE,
        "partition": _PARTITION_NAMES[unit.partition],
    }


def _digest(rows: Iterable[Mapping[str, Any]]) -> str:
    text = json.dumps(list(rows), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return sha256(text.encode("utf-8")).hexdigest()


RUNNERS = {"units": _units, "tool_capture": _tool_capture}
