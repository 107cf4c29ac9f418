"""Which turns a model is asked about: never one that is answered, unless to correct it once."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from proofstone.curation.gate import GateResult
from proofstone.curation.gate_text import prompt_for
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain import gate_contract
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import GateAnswer, GateRefusal, TurnState


def unanswered(workspace: Workspace) -> tuple[str, ...]:
    """The turns that a run takes up by itself: those never answered, and those of a run that was
    interrupted before the correction. A refused turn is asked about again only when it is named.
    """
    return tuple(
        view.reference
        for view in workspace.turns
        if view.state is TurnState.WAITING or uncorrected(view) is not None
    )


def outdated(workspace: Workspace) -> tuple[str, ...]:
    """The turns whose answer the captured text no longer bears out, and that can be asked about
    again."""
    return tuple(
        view.reference for view in workspace.turns if not view.why_unaskable and is_outdated(view)
    )


def is_outdated(view: TurnView) -> bool:
    """Whether the turn has an answer that was given to other units than there are now."""
    if view.gate is None or view.gate.answer is None:
        return False
    return view.answer_is_stale or isinstance(_checked(view, view.gate.answer), GateRefusal)


def why_skipped(view: TurnView) -> str:
    """Why a turn is not asked about; empty when it is."""
    if view.why_unaskable:
        return view.why_unaskable
    if view.gate is None or view.gate.answer is None or uncorrected(view) is not None:
        return ""
    present = _checked(view, view.gate.answer)
    if isinstance(present, GateRefusal) or view.answer_is_stale:
        return "its captured text has changed since it was answered; --again asks again"
    if present.missing_unit_ids:
        return "answered already; the units that the answer leaves out stay open"
    return "answered already"


def uncorrected(view: TurnView) -> GateResult | None:
    """A partial answer to the very prompt of today, whose one correction has not come yet."""
    record = view.gate
    if record is None or record.answer is None or record.corrected_at or not record.prompt_digest:
        return None
    if view.counts.covered == view.counts.physical:
        # Nothing is left out. Told without making the prompt, of which a vault has thousands.
        return None
    if record.prompt_digest != prompt_digest(prompt_for(view)):
        return None
    present = _checked(view, record.answer)
    if isinstance(present, GateRefusal) or not present.missing_unit_ids:
        return None
    return GateResult(
        turn=view.reference,
        missing_unit_ids=present.missing_unit_ids,
        correction=gate_contract.correction_request(present, gate_contract.projection(view.units)),
        changed=False,
        answer=replace(present, missing_unit_ids=()),
    )


def turn_view(workspace: Workspace, reference: str) -> TurnView:
    """The turn that is named. Raises ProofstoneError when there is none."""
    try:
        return workspace.turn(reference)
    except KeyError:
        raise ProofstoneError(
            f"turn {reference}: no such turn; list them with `proofstone show turns`"
        ) from None


def prompt_digest(prompt: str) -> str:
    """SHA-256 of a prompt in hex, by which it is told later whether it would still be the same."""
    return sha256(prompt.encode("utf-8")).hexdigest()


def _checked(view: TurnView, answer: GateAnswer) -> GateAnswer | GateRefusal:
    return gate_contract.check_answer(
        answer,
        turn_event_keys=[event.event_key for event in view.turn.events],
        units=gate_contract.projection(view.units),
    )
