"""From a row in a pane to what it ties together, and to where its counterpart stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofstone.tui import ties
from proofstone.tui.panes.evidence import EvidencePane
from proofstone.tui.panes.gate import GatePane
from proofstone.tui.panes.siblings import SiblingsPane
from proofstone.tui.panes.verifier import VerifierPane
from proofstone.tui.ties import TieIndex, Ties
from proofstone.tui.widgets.line_list import LineList

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, TurnView


def ties_of(
    pane: LineList,
    key: str,
    turn: TurnView | None,
    view: ProposalView | None,
    index: TieIndex,
) -> Ties | None:
    """What choosing the row ``key`` of ``pane`` highlights; None where it stands for nothing."""
    if isinstance(pane, EvidencePane):
        if turn is not None and key in turn.dispositions:
            return ties.of_unit(key, turn, index)
        return ties.of_record(key, view) if view is not None else None
    if isinstance(pane, GatePane) and turn is not None:
        return _of_gate_row(pane, key, turn, index)
    if isinstance(pane, VerifierPane) and view is not None:
        found = pane.finding(key)
        if found is None and key.startswith("record-"):
            return ties.of_record(key.removeprefix("record-"), view)
        return ties.of_finding(found.looked_at, found.check.value, view) if found else None
    if isinstance(pane, SiblingsPane):
        return ties.of_memory(key, view, index)
    return None


def _of_gate_row(pane: GatePane, key: str, turn: TurnView, index: TieIndex) -> Ties | None:
    subject = pane.subject(key)
    if subject is None:
        return None
    if subject.claim is not None:
        return ties.of_claim(subject.claim, subject.candidate_id, turn, index)
    if subject.candidate_id:
        return ties.of_candidate(subject.candidate_id, turn, index)
    return ties.of_unit(subject.unit_id, turn, index)


def reveal(origin: LineList, key: str, found: Ties, evidence: EvidencePane, gate: GatePane) -> None:
    """Bring the counterpart of a chosen row into view, in the pane beside."""
    if origin is evidence:
        gate.move_to(f"row-{key}")
        return
    subject = gate.subject(key) if origin is gate else None
    if subject is not None and subject.unit_id:
        evidence.move_to(subject.unit_id)
    elif found.quotes:
        evidence.move_to(next(iter(found.quotes)))
