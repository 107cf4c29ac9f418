"""A person as the Gate: what a draft starts from, and how a turn would stand with it (page 6)."""

from __future__ import annotations

from dataclasses import replace

from proofstone.curation.views import TurnView
from proofstone.domain import gate_contract, gate_support
from proofstone.domain.dispositions import dispose
from proofstone.domain.evidence_unit import EvidenceUnit
from proofstone.domain.gate_draft import GateDraft
from proofstone.domain.gate_types import GateAnswer, GateRecord, TurnState

KIND = "person"
"""How an answer says that no model gave it."""


def why_not(view: TurnView) -> str:
    """Why nobody can answer for this turn by hand; empty when one can."""
    if view.cleaned_at:
        return "the turn is settled, and its text was removed"
    if not view.turn.is_complete:
        return f"the turn is incomplete: {view.turn.incomplete_reason}"
    if view.answer_is_stale:
        return "the captured text changed after the turn's answer was checked"
    if not _awaiting(view):
        if _present(view) is not None:
            return "the Gate's answer was accepted, and every unit has its row"
        return "the turn has no unit that may be cited"
    return ""


def start(view: TurnView) -> GateDraft:
    """An empty draft over the units of ``view`` that have no row yet."""
    return GateDraft.of(_awaiting(view), _taken(view))


def carried_over(draft: GateDraft, view: TurnView) -> GateDraft:
    """``draft`` over the units that ``view`` has now."""
    return draft.on(_awaiting(view), _taken(view))


def drafted(view: TurnView, draft: GateDraft, author: str) -> TurnView:
    """The turn as it would be accounted for if ``draft`` were its answer as it stands.

    Candidates that no words support are among the answer's, but support nothing.
    """
    given, present = draft.answer(), _present(view) or GateAnswer()
    answer = GateAnswer(
        candidates=(*present.candidates, *given.candidates),
        coverage=(*present.coverage, *given.coverage),
        bindings=(*present.bindings, *given.bindings),
        missing_unit_ids=given.missing_unit_ids,
    )
    loose = {item.candidate_id for item in draft.unbound}
    bound = tuple(c for c in answer.candidates if c.candidate_id not in loose)
    # What the draft says nothing of stands as it did, however many units there are.
    said = {row.unit_id for row in given.coverage}
    touched = [unit for unit in draft.units if unit.unit_id in said]
    rows = dispose(touched, replace(answer, candidates=bound))
    before = view.gate or GateRecord(turn=view.reference)
    return replace(
        view,
        gate=replace(before, answer=answer, answered_by=author, answered_by_kind=KIND),
        dispositions={**view.dispositions, **{row.unit_id: row for row in rows}},
        state=TurnState.OPEN,
    )


def _present(view: TurnView) -> GateAnswer | None:
    return view.gate.answer if view.gate is not None else None


def _awaiting(view: TurnView) -> tuple[EvidenceUnit, ...]:
    """The units that may be cited and that no accepted answer accounts for."""
    offered, present = gate_contract.projection(view.units), _present(view)
    if present is None:
        return offered
    missing = frozenset(gate_support.unaccounted(present, offered))
    return tuple(unit for unit in offered if unit.unit_id in missing)


def _taken(view: TurnView) -> tuple[str, ...]:
    """The candidate ids that the accepted answer uses."""
    present = _present(view)
    return tuple(c.candidate_id for c in present.candidates) if present is not None else ()
