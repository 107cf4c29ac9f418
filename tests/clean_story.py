"""A vault with one session whose turns stand in every way to being cleaned."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from proofstone.curation import gate
from proofstone.curation.context import Context
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.conversation import Role
from proofstone.domain.gate_contract import projection
from proofstone.domain.rulings import Choices
from proofstone.vault.captured_turns import Appended, InboxWriter, NewEvent, NewTurn
from proofstone.vault.create import create_vault

SOURCE, SESSION = "agent", "told"
INBOX = "inbox/agent/told.md"
PROPOSED, PLAIN, DEFERRED, UNANSWERED, HALF = (f"{SOURCE}/{SESSION}#{n}" for n in range(1, 6))
"""Ratified on; nothing proposed; a part deferred; no answer; the assistant's words missing."""

CAPTURED = datetime(2026, 11, 19, 8, 0, tzinfo=UTC)
ANSWERED = datetime(2026, 11, 20, 10, 0, tzinfo=UTC)
RULED = datetime(2026, 11, 21, 10, 0, tzinfo=UTC)
PAST = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)
"""The moment at which the retention of both settled turns has passed."""

WORDS = {
    PROPOSED: ("The ferry leaves at six. Is it raining in Bergen?", "Umbrella wisdom noted."),
    PLAIN: ("Can you rename the quokka script?", "Renamed, the zebra way."),
    DEFERRED: ("The other one is ours as well.", "Which one, by the pelican?"),
    UNANSWERED: ("The pier closes in May.", "All right, walrus."),
}
ONLY_CAPTURED = ("raining in Bergen", "Umbrella wisdom", "quokka script", "zebra way")
"""Words of the two settled turns that nothing quotes: after cleaning they must be nowhere."""


def at(moment: datetime) -> Context:
    """The circumstances at ``moment``."""
    return Context(clock=lambda: moment, author="Mira Tal", via="cli")


def workspace(root: Path, moment: datetime = PAST) -> Workspace:
    """The vault as it is at ``moment``."""
    return Workspace.open(root, at(moment))


def capture(root: Path, *turns: NewTurn) -> Appended:
    """What a session reader does."""
    return InboxWriter(root).append(SOURCE, SESSION, turns, _text(CAPTURED))


def new_turn(name: str, user: str, assistant: str = "") -> NewTurn:
    """A turn of the session; without ``assistant`` its answer is missing."""
    events = [NewEvent(event_id=f"{name}/user", role=Role.USER, content=user)]
    if assistant:
        said = NewEvent(event_id=f"{name}/assistant", role=Role.ASSISTANT, content=assistant)
        events.append(said)
    return NewTurn(turn_id=name, timestamp=_text(CAPTURED), events=tuple(events))


def session() -> tuple[NewTurn, ...]:
    """The whole session, as a session file has it."""
    return (
        *(new_turn(name, *words) for name, words in WORDS.items()),
        new_turn(HALF, "Half of a turn, says the heron."),
    )


def answer(view: Workspace, reference: str, decisions: list[str]) -> None:
    """Answer a turn: a decision or a reason for each physical unit."""
    units = projection(view.turn(reference).units)
    rows: list[dict[str, Any]] = []
    candidates: list[dict[str, Any]] = []
    bindings: list[dict[str, Any]] = []
    for unit, decision in zip(units, decisions, strict=True):
        if decision != "CANDIDATE":
            kind = "DEFERRED" if decision == "scope_ambiguous" else "NO_CHANGE"
            rows.append({"unit_id": unit.unit_id, "decision": kind, "reason": decision})
            continue
        rows.append({"unit_id": unit.unit_id, "decision": decision, "candidate_ids": ["c1"]})
        candidates.append(
            {
                "candidate_id": "c1",
                "memory": unit.text,
                "evidence_event_ids": [unit.event_key],
                "worth": True,
                "duplicate": False,
                "type": "fact",
                "scopes": ["global"],
                "scope_source": "user",
            }
        )
        claim = {"unit_id": unit.unit_id, "quote": unit.text, "role": "assertion"}
        bindings.append({"candidate_id": "c1", "claims": [claim]})
    value = {"candidates": candidates, "coverage": rows, "evidence_bindings": bindings}
    result = gate.submit(
        view, reference, json.dumps(value).encode(), answered_by="a-model", kind="model"
    )
    assert result.refusal is None, result.refusal


def proposal_of(view: Workspace, reference: str) -> str:
    """The id of the turn's one proposal."""
    (found,) = (p.proposal_id for p in view.proposals.values() if p.turn == reference)
    return found


def tell(root: Path) -> Path:
    """Write the story: captured, answered, ruled on."""
    create_vault(root)
    capture(root, *session())
    for reference, decisions in (
        (PROPOSED, ["CANDIDATE", "query_only"]),
        (PLAIN, ["query_only"]),
        (DEFERRED, ["scope_ambiguous"]),
    ):
        answer(workspace(root, ANSWERED), reference, decisions)
    view = workspace(root, RULED)
    rule(view, "ratify", [proposal_of(view, PROPOSED)], Choices())
    return root


def _text(moment: datetime) -> str:
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
