"""Answers that a person is putting together, one for each turn, kept while the program runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypedDict

from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_draft import GateDraft
from proofstone.domain.gate_meanings import meaning
from proofstone.domain.gate_types import NO_CHANGE_REASONS, EvidenceCheck

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView

Step = Callable[[GateDraft], GateDraft]

_LIKELY = {
    Origin.USER_QUERY: "query_only",
    Origin.USER_DOCUMENT: "quoted_or_example",
    Origin.QUOTED_OR_EXAMPLE: "quoted_or_example",
}


class CandidateFields(TypedDict):
    """What the form of a candidate gives to the draft."""

    memory: str
    type: str
    scopes: tuple[str, ...]
    update_memory_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """Why an answer was not accepted: the contract's identifier, and what it means here."""

    identifier: str
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandState:
    """A draft, the drafts before it, the candidate that is bound to, and the last refusal."""

    draft: GateDraft
    past: tuple[GateDraft, ...] = ()
    chosen: str = ""
    fault: Fault | None = None
    reason: str = ""
    """The reason given last; it is offered first for the next unit."""

    @property
    def has_begun(self) -> bool:
        """Whether there is anything to show, to submit or to take back."""
        return bool(self.past) or not self.draft.is_empty

    def then(self, draft: GateDraft, *, chosen: str = "", reason: str = "") -> HandState:
        """One step further."""
        return HandState(
            draft=draft,
            past=(*self.past, self.draft),
            chosen=chosen or self.chosen,
            reason=reason or self.reason,
        )

    def back(self) -> HandState:
        """One step back."""
        return replace(self, draft=self.past[-1], past=self.past[:-1], fault=None)

    @property
    def target(self) -> str:
        """The candidate that words are bound to: the chosen one, else the last one."""
        if self.draft.candidate(self.chosen) is not None:
            return self.chosen
        return self.draft.candidates[-1].candidate_id if self.draft.candidates else ""


class HandStates:
    """What is being put together, by turn, with the turn as it would stand.

    Panes compare what they drew by identity, so the same state gives the same view.
    """

    def __init__(self) -> None:
        self._states: dict[str, HandState] = {}
        self._shown: tuple[TurnView, HandState, TurnView] | None = None
        self._why: tuple[TurnView, str] | None = None

    def why_not(self, view: TurnView | None) -> str:
        """Why the turn cannot be answered by hand; empty when it can."""
        if view is None:
            return "no turn is selected"
        if self._why is None or self._why[0] is not view:
            from proofstone.curation import gate_by_hand

            self._why = (view, gate_by_hand.why_not(view))
        return self._why[1]

    def of(self, view: TurnView | None) -> HandState | None:
        """The state of a turn that can be answered by hand."""
        if view is None or self.why_not(view):
            return None
        state = self._states.get(view.reference)
        if state is None:
            from proofstone.curation import gate_by_hand

            state = self._states[view.reference] = HandState(draft=gate_by_hand.start(view))
        return state

    def drafts(self) -> dict[str, tuple[int, int]]:
        """Every turn of which a draft has begun: units accounted for in it, and all of them."""
        return {
            reference: (len(state.draft.said), len(state.draft.units))
            for reference, state in self._states.items()
            if state.has_begun
        }

    def put(self, view: TurnView, state: HandState) -> None:
        """Keep another state."""
        self._states[view.reference] = state

    def drop(self, reference: str) -> None:
        """Forget a draft that was accepted."""
        self._states.pop(reference, None)

    def refuse(self, reference: str, fault: Fault) -> None:
        """Keep why a draft was refused, beside it."""
        state = self._states.get(reference)
        if state is not None:
            self._states[reference] = replace(state, fault=fault)

    def read_again(self, turn: Callable[[str], TurnView]) -> None:
        """Carry every draft over to the turns as they are now; nothing typed is dropped.

        ``turn`` gives the turn of a reference, or raises KeyError.
        """
        from proofstone.curation import gate_by_hand

        for reference, state in list(self._states.items()):
            try:
                view = turn(reference)
            except KeyError:
                continue
            if gate_by_hand.why_not(view):
                continue
            moved = gate_by_hand.carried_over(state.draft, view)
            if moved != state.draft:
                past = tuple(gate_by_hand.carried_over(draft, view) for draft in state.past)
                self._states[reference] = replace(state, draft=moved, past=past)

    def shown(self, view: TurnView | None, author: str) -> TurnView | None:
        """The turn as its draft accounts for it, or as it is while there is none."""
        state = self.of(view)
        if view is None or state is None or not state.has_begun:
            return view
        if self._shown is None or self._shown[0] is not view or self._shown[1] is not state:
            from proofstone.curation import gate_by_hand

            self._shown = (view, state, gate_by_hand.drafted(view, state.draft, author))
        return self._shown[2]


def refusal(identifier: str) -> Fault:
    """A refusal with the contract's own meaning."""
    return Fault(identifier=identifier, told=meaning(identifier))


def unfinished(draft: GateDraft) -> Fault | None:
    """Why a draft cannot be submitted yet, in the contract's words; None when it is complete."""
    open_units, unbound = draft.open_count, draft.unbound
    if open_units:
        told = f"{open_units} units have no row" if open_units > 1 else "1 unit has no row"
        return Fault(identifier=EvidenceCheck.INCOMPLETE_COVERAGE.value, told=f"{told} yet")
    if unbound:
        names = ", ".join(item.candidate_id for item in unbound)
        return Fault(
            identifier=EvidenceCheck.CANDIDATE_EVIDENCE.value, told=f"no words support {names} yet"
        )
    return None


def offered_reasons(
    reasons: tuple[str, ...], unit: EvidenceUnit, state: HandState
) -> tuple[str, ...]:
    """The reasons with the likeliest first: what the unit reads as, else what was given last."""
    likely = _LIKELY.get(unit.origin, "") if reasons == NO_CHANGE_REASONS else ""
    first = state.draft.reason_of(unit.unit_id) or likely or state.reason
    return (first, *(r for r in reasons if r != first)) if first in reasons else reasons
