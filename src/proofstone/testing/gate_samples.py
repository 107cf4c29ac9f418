"""A small turn, an answer to it that keeps the contract, and ways to spoil that answer.

The turn has one unit of every partition and most origins, so that a test of the Gate needs no
data of its own.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from random import Random
from typing import Any

from proofstone.domain.conversation import Event, Observation, Role, Turn
from proofstone.domain.gate_contract import projection
from proofstone.domain.gate_types import CANDIDATE_TYPES, NO_CHANGE_REASONS
from proofstone.domain.inventory import inventory

_SMILE = "\N{SLIGHTLY SMILING FACE}"

EVENTS = (
    Event(
        event_key="evt-a1",
        role=Role.USER,
        content="Orion ships on Tuesdays. Who approves it? The limit is 1,250 units.",
    ),
    Event(
        event_key="evt-a2",
        role=Role.USER,
        content=f"{_SMILE} Café closes; {_SMILE} café closes again.",
    ),
    Event(
        event_key="evt-b1",
        role=Role.ASSISTANT,
        content="Orion ships on Tuesdays.",
        observations=(
            Observation(
                tool_name="tracker.get",
                call_id="c-1",
                kind="external_observation",
                result_status="success",
                execution_status="success",
                completeness="complete",
                content="OPS-41 is open.",
            ),
            Observation(
                tool_name="tracker.get",
                call_id="c-2",
                kind="external_observation",
                result_status="success",
                execution_status="success",
                completeness="partial",
                content="OPS-42 is",
            ),
            Observation(
                tool_name="tracker.get",
                call_id="c-3",
                kind="retrieved_memory",
                result_status="success",
                execution_status="success",
                completeness="complete",
                content="Old memory text.",
            ),
            Observation(
                tool_name="tracker.get",
                call_id="c-4",
                kind="external_observation",
                result_status="success",
                retention="metadata",
                content="Hidden by choice.",
            ),
        ),
    ),
)
TURN = Turn(source="sample", session_id="s-1", turn_key="k", turn_index=1, events=EVENTS)
EVENT_KEYS = tuple(event.event_key for event in EVENTS)
UNITS = inventory(EVENTS)
OFFERED = projection(UNITS)
KNOWN_MEMORY_IDS = ("mem-1", "mem-2")


def unit_id(text: str) -> str:
    """The id of the physical unit with this text."""
    return next(unit.unit_id for unit in OFFERED if unit.text == text)


def candidate(candidate_id: str = "c1", **changes: Any) -> dict[str, Any]:
    """A candidate that cites the sample turn's first event."""
    value = {
        "candidate_id": candidate_id,
        "memory": "Orion ships each Tuesday.",
        "evidence_event_ids": ["evt-a1"],
        "worth": True,
        "duplicate": False,
        "type": "fact",
        "scopes": ["global"],
        "scope_source": "model",
    }
    return value | changes


def good_answer() -> dict[str, Any]:
    """A whole answer: one candidate, bound to the first unit; no change for the others."""
    first, *others = OFFERED
    rows: list[dict[str, Any]] = [
        {"unit_id": first.unit_id, "decision": "CANDIDATE", "candidate_ids": ["c1"]}
    ]
    rows += (
        {"unit_id": unit.unit_id, "decision": "NO_CHANGE", "reason": "no_future_value"}
        for unit in others
    )
    claim = {"unit_id": first.unit_id, "quote": "ships on", "role": "assertion"}
    return {
        "candidates": [candidate()],
        "coverage": rows,
        "evidence_bindings": [{"candidate_id": "c1", "claims": [claim]}],
    }


def random_answer(random: Random) -> dict[str, Any]:
    """An answer of up to three candidates that keeps the contract or nearly does."""
    candidates, bindings = [], []
    rows: dict[str, dict[str, Any]] = {}
    for number in range(1, random.randint(0, 3) + 1):
        unit, name = random.choice(OFFERED), f"c{number}"
        candidates.append(_random_candidate(name, unit.event_key, unit.text, random))
        row = rows.setdefault(
            unit.unit_id, {"unit_id": unit.unit_id, "decision": "CANDIDATE", "candidate_ids": []}
        )
        row["candidate_ids"].append(name)
        if random.random() < 0.8:
            claim = _random_claim(unit.unit_id, unit.text, random)
            bindings.append({"candidate_id": name, "claims": [claim]})
    for unit in OFFERED:
        reason = random.choice(NO_CHANGE_REASONS)
        row = {"unit_id": unit.unit_id, "decision": "NO_CHANGE", "reason": reason}
        rows.setdefault(unit.unit_id, row)
    answer = {
        "candidates": candidates,
        "coverage": list(rows.values()),
        "evidence_bindings": bindings,
    }
    for key in ("coverage", "evidence_bindings"):
        if random.random() < 0.1:
            del answer[key]
    return answer


def _random_candidate(name: str, event_key: str, text: str, random: Random) -> dict[str, Any]:
    value = candidate(
        name,
        evidence_event_ids=[event_key],
        memory=random.choice([text, "Something else."]),
        type=random.choice(CANDIDATE_TYPES),
        worth=random.random() < 0.8,
    )
    if random.random() < 0.2:
        target = random.choice(KNOWN_MEMORY_IDS)
        if value["worth"]:
            value["update_memory_id"] = target
        else:
            value |= {"duplicate": True, "duplicate_memory_id": target}
    return value


def _random_claim(unit: str, text: str, random: Random) -> dict[str, Any]:
    start = random.randint(0, len(text) - 1)
    end = random.randint(start + 1, len(text))
    claim: dict[str, Any] = {"unit_id": unit, "quote": text[start:end], "role": "assertion"}
    return claim | {"start": start, "end": end} if random.random() < 0.6 else claim


_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 5, 2**70, 1.5, "", " ", "a\nb", "x\x00", [], {}, ["c1"], [1]),
    *("c1", "C1", "c2", "evt-a1", "EVT-A1", "evt-b1", "mem-1", "MEM-1", "a/b", "."),
    *("global", "unscoped", "project:a", "project:", "domain:x y", "insufficient_context", "user"),
    *("CANDIDATE", "NO_CHANGE", "DEFERRED", "CREATE", "query_only", "scope_conflict", "negated"),
    *("assertion", "user_confirmation", "inference", "todo", "x" * 30, "x" * 31, "ß" * 30),
    *("Orion ships on Tuesdays.", "OPS-41 is open.", "a", "c-1"),
    *(unit.unit_id for unit in UNITS),
)
_KEYS = (
    *("unit_id", "decision", "candidate_ids", "reason", "candidate_id", "claims", "quote", "role"),
    *("start", "end", "memory", "worth", "type", "update_memory_id", "duplicate_memory_id", "why"),
)


def mutated(answer: Any, random: Random) -> Any:
    """``answer`` with one change somewhere inside: a value, a key or an item more, less or else."""
    answer = copy.deepcopy(answer)
    holder, key = random.choice(list(_places(answer)))
    value = holder[key]
    action = random.randrange(3)
    if action == 0:
        holder[key] = copy.deepcopy(random.choice(_VALUES))
    elif isinstance(value, dict):
        if action == 1 and value:
            del value[random.choice(list(value))]
        else:
            value[random.choice(_KEYS)] = copy.deepcopy(random.choice(_VALUES))
    elif isinstance(value, list):
        if value and random.random() < 0.5:
            del value[random.randrange(len(value))]
        else:
            value.append(copy.deepcopy(random.choice(value if value and action == 1 else _VALUES)))
    elif isinstance(value, str):
        holder[key] = value[1:] if action == 1 else value + "x"
    elif type(value) is int:
        holder[key] = value + 1 if action == 1 else value - 1
    else:
        holder[key] = copy.deepcopy(random.choice(_VALUES))
    return answer


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place below the root that holds a value: its holder, and the key or index there."""
    keys = list(value) if isinstance(value, dict) else range(len(value))
    for key in keys:
        yield value, key
        if isinstance(value[key], (dict, list)):
            yield from _places(value[key])
