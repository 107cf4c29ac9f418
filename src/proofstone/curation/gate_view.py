"""What a model sees of a turn, exactly, and what is held back from it and why (spec page 2)."""

from __future__ import annotations

from dataclasses import dataclass

from proofstone.curation.covered import covered_units
from proofstone.curation.forms import Json
from proofstone.curation.gate_pending import prompt_digest, turn_view
from proofstone.curation.gate_text import prompt_for
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain.evidence_unit import EvidenceUnit, Origin, Partition
from proofstone.domain.gate_contract import projection

ASSISTANT_WHY = "the assistant's words: in the conversation, and never to be cited"
RETRIEVED_WHY = "memory that was retrieved: not shown, since it would confirm itself"
UNRESOLVED_WHY = "its source is missing, failed or not whole: not shown, and the turn stays open"
INCOMPLETE_WHY = "the turn is incomplete: nothing of it is put before a model"
METADATA_WHY = "recorded without its body by choice: not shown, and not evidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBack:
    """Something that a model may not cite. ``unit_id`` is empty for a metadata record, whose
    ``origin`` is ``metadata``; ``is_in_conversation`` says whether the model reads it at all."""

    event_key: str
    origin: str
    text: str
    why: str
    unit_id: str = ""
    is_in_conversation: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelView:
    """What a model is sent for a turn: ``prompt``, in which it may cite ``offered`` alone.

    An incomplete turn is sent to nobody: its prompt is empty and ``incomplete_reason`` says why.
    ``was_sent`` is True when this very prompt was answered, False when the one that was answered
    was another, and None when Proofstone sent none.
    """

    turn: str
    prompt: str
    offered: tuple[EvidenceUnit, ...]
    held_back: tuple[HeldBack, ...]
    was_sent: bool | None = None
    incomplete_reason: str = ""


def model_view(workspace: Workspace, reference: str) -> ModelView:
    """What a model sees of the turn that ``reference`` names.

    Raises:
        ProofstoneError: there is no such turn, or this is no vault.
    """
    workspace.require_vault("the Gate")
    view = turn_view(workspace, reference)
    is_sent = view.turn.is_complete and not view.cleaned_at
    offered = projection(view.units) if is_sent else ()
    allowed = {unit.unit_id for unit in offered}
    units = covered_units(view.turn, view.units)
    kept = (_held_back(unit, is_sent=is_sent) for unit in units if unit.unit_id not in allowed)
    prompt = prompt_for(view) if is_sent else ""
    answered = view.gate.prompt_digest if view.gate is not None else ""
    return ModelView(
        turn=reference,
        prompt=prompt,
        offered=offered,
        held_back=(*kept, *_records(view)),
        was_sent=answered == prompt_digest(prompt) if answered else None,
        incomplete_reason=view.turn.incomplete_reason
        or (f"its text was removed at {view.cleaned_at}" if view.cleaned_at else ""),
    )


def form(view: ModelView) -> Json:
    """A model's view as JSON (docs/json.md)."""
    return {
        "schema": "proofstone/gate-view/1",
        "turn": view.turn,
        "incomplete_reason": view.incomplete_reason,
        "was_sent": view.was_sent,
        "prompt": view.prompt,
        "offered": [unit.unit_id for unit in view.offered],
        "held_back": [
            {
                "unit_id": item.unit_id or None,
                "event_key": item.event_key,
                "origin": item.origin,
                "text": item.text,
                "in_conversation": item.is_in_conversation,
                "why": item.why,
            }
            for item in view.held_back
        ],
    }


def _held_back(unit: EvidenceUnit, *, is_sent: bool) -> HeldBack:
    if not is_sent:
        why = INCOMPLETE_WHY
    elif unit.partition is Partition.UNRESOLVED:
        why = UNRESOLVED_WHY
    elif unit.origin is Origin.RETRIEVED_MEMORY:
        why = RETRIEVED_WHY
    else:
        why = ASSISTANT_WHY
    return HeldBack(
        unit_id=unit.unit_id,
        event_key=unit.event_key,
        origin=unit.origin.value,
        text=unit.text,
        why=why,
        is_in_conversation=is_sent and unit.source_role == "assistant",
    )


def _records(view: TurnView) -> tuple[HeldBack, ...]:
    return tuple(
        HeldBack(
            event_key=event_key,
            origin="metadata",
            text=record.tool_name or record.call_id or record.record_id,
            why=METADATA_WHY,
        )
        for event_key, record in view.metadata
    )
