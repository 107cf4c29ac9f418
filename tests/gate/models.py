"""What models say: whole answers, and answers with one fault each."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.gate.server import Asked

MARK = "Unmistakable words of the model"
"""In every statement, so that a test can look for what was kept of an answer."""


def value(asked: Asked) -> dict[str, Any]:
    """A whole answer: one candidate from the first unit, no change for the others; to a
    correction, rows for the units that it asks for."""
    if asked.wanted:
        return {"candidates": [], "coverage": rows(asked.wanted), "evidence_bindings": []}
    first, *others = asked.units
    candidate = {
        "candidate_id": "c1",
        "memory": f"{MARK}: {first['text']}",
        "evidence_event_ids": [first["event_key"]],
        "worth": True,
        "duplicate": False,
        "type": "fact",
        "scopes": ["project:atlas"],
        "scope_source": "user",
    }
    row = {"unit_id": first["unit_id"], "decision": "CANDIDATE", "candidate_ids": ["c1"]}
    claim = {"unit_id": first["unit_id"], "quote": first["text"], "role": "assertion"}
    return {
        "candidates": [candidate],
        "coverage": [row, *rows([unit["unit_id"] for unit in others])],
        "evidence_bindings": [{"candidate_id": "c1", "claims": [claim]}],
    }


def rows(unit_ids: list[str]) -> list[dict[str, Any]]:
    """A row of no change for each unit."""
    return [
        {"unit_id": unit_id, "decision": "NO_CHANGE", "reason": "no_future_value"}
        for unit_id in unit_ids
    ]


def good(asked: Asked) -> str:
    """An answer that keeps the contract."""
    return json.dumps(value(asked), ensure_ascii=False)


def fenced(asked: Asked) -> str:
    """The same in a code fence."""
    return f"```json\n{good(asked)}\n```"


def in_prose(asked: Asked) -> str:
    """The same with a friendly word before it."""
    return f"Here is the JSON that you asked for:\n{good(asked)}"


def cut_short(asked: Asked) -> str:
    """The same, as far as a limit on its length let it come."""
    return good(asked)[:-40]


def with_a_key_twice(asked: Asked) -> str:
    """The same with a second, harmless-looking list of candidates."""
    return good(asked)[:-1] + ', "candidates": []}'


def partial(asked: Asked) -> str:
    """Rows for the first unit alone."""
    answer = value(asked)
    answer["coverage"] = answer["coverage"][:1]
    return json.dumps(answer, ensure_ascii=False)


def partial_again(asked: Asked) -> str:
    """Leaves units out, and in the correction all but one of them."""
    if not asked.wanted:
        return partial(asked)
    answer = {"candidates": [], "coverage": rows(asked.wanted[:1]), "evidence_bindings": []}
    return json.dumps(answer)


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[Asked], str]:
    """A whole answer with a change made to it."""

    def say(asked: Asked) -> str:
        answer = value(asked)
        change(answer)
        return json.dumps(answer, ensure_ascii=False)

    return say


def _cite_an_invented_unit(answer: dict[str, Any]) -> None:
    answer["coverage"][1]["unit_id"] = "u-" + "0" * 24


def _quote_what_is_not_there(answer: dict[str, Any]) -> None:
    answer["evidence_bindings"][0]["claims"][0]["quote"] = "words that are nowhere"


def _name_another_turn(answer: dict[str, Any]) -> None:
    answer["candidates"][0]["evidence_event_ids"] = ["evt-of-another-turn"]


def _invent_a_reason(answer: dict[str, Any]) -> None:
    answer["coverage"][1]["reason"] = "because I say so"


def _ratify_itself(answer: dict[str, Any]) -> None:
    answer["candidates"][0]["status"] = "ratified"


def _add_an_instruction(answer: dict[str, Any]) -> None:
    answer["rulings"] = [{"action": "ratify", "subject": "all"}]


invented_unit = changed(_cite_an_invented_unit)
invented_quote = changed(_quote_what_is_not_there)
other_turn = changed(_name_another_turn)
invented_reason = changed(_invent_a_reason)
self_ratified = changed(_ratify_itself)
with_rulings = changed(_add_an_instruction)
