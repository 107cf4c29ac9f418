"""Replay: every stored answer held again against what was captured (spec pages 2 and 8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from proofstone.curation import forms
from proofstone.curation.check import gate_answers, is_note
from proofstone.curation.forms import Json
from proofstone.curation.gate_view import model_view
from proofstone.curation.workspace import Workspace
from proofstone.domain.gate_types import CoverageRow, Decision, GateRecord, UnitDisposition
from proofstone.domain.records import Problem
from proofstone.vault import layout


class Standing(StrEnum):
    """Whether a stored answer is still borne out."""

    HOLDS = "holds"
    """The units are the same to the character, and it keeps the contract."""
    SPANS_HOLD = "spans_hold"
    """It keeps the contract, but says nothing of the units that it was given for."""
    BROKEN = "broken"
    """The captured text is not what it was given for, or its turn is gone."""
    CLEANED = "cleaned"
    """The captured text was removed on purpose, so there is nothing to hold it against."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """The answers by turn, and what was found; ``findings`` need a person, ``notes`` do not."""

    answers: tuple[tuple[str, Standing], ...]
    findings: tuple[Problem, ...]
    notes: tuple[Problem, ...]


def replay(workspace: Workspace) -> Replay:
    """Check every stored answer again, and every file that should hold one.

    Raises:
        ProofstoneError: this is no vault.
    """
    workspace.require_vault("the Gate")
    unreadable = (p for p in workspace.problems if p.path.startswith(f"{layout.GATE}/"))
    found = (
        *unreadable,
        *gate_answers(workspace),
        *_changed_since_cleaning(workspace),
        *_other_prompts(workspace),
    )
    broken = {problem.path for problem in found if not is_note(problem)}
    turns = {turn.reference for turn in workspace.contents.turns}
    answers = tuple(
        (reference, _standing(record, broken, turns))
        for reference, record in sorted(workspace.contents.gate.items())
        if record.answer is not None
    )
    return Replay(
        answers=answers,
        findings=tuple(problem for problem in found if not is_note(problem)),
        notes=tuple(problem for problem in found if is_note(problem)),
    )


def form(replayed: Replay) -> Json:
    """A replay as JSON (docs/json.md)."""
    return {
        "schema": "proofstone/gate-replay/1",
        "items": [
            {"turn": reference, "standing": standing.value}
            for reference, standing in replayed.answers
        ],
        "findings": [forms.problem(problem) for problem in replayed.findings],
        "notes": [forms.problem(problem) for problem in replayed.notes],
    }


def _standing(record: GateRecord, broken: set[str], turns: set[str]) -> Standing:
    if record.path in broken:
        return Standing.BROKEN
    if record.turn not in turns:
        return Standing.CLEANED
    return Standing.HOLDS if record.inventory_digest else Standing.SPANS_HOLD


def _changed_since_cleaning(workspace: Workspace) -> Iterator[Problem]:
    """Answers whose text is gone, and whose rows are not what was kept of it."""
    for reference, record in workspace.contents.gate.items():
        if record.cleaned is None or record.answer is None:
            continue
        kept = {row.unit_id: row for row in record.cleaned.dispositions}
        if not all(_is_kept(row, kept.get(row.unit_id)) for row in record.answer.coverage):
            yield Problem(
                code="changed_evidence",
                path=record.path,
                subject=reference,
                message="the rows of this answer are not what was kept of its turn when the "
                "captured text was removed.",
                advice="Restore the file; the Log names the ruling that wrote it.",
            )


def _is_kept(row: CoverageRow, kept: UnitDisposition | None) -> bool:
    if kept is None or kept.decision is not row.decision:
        return False
    return row.decision is Decision.CANDIDATE or kept.reason == row.reason


def _other_prompts(workspace: Workspace) -> tuple[Problem, ...]:
    """Answers to a prompt that would not be sent today, though the units are the same."""
    return tuple(
        Problem(
            code="other_prompt",
            path=view.gate.path,
            subject=view.reference,
            message="a model would be sent something else today: the captured text around the "
            "units has changed, or Proofstone's instructions have.",
            advice="The answer stands; look at the turn's text.",
            severity="info",
        )
        for view in workspace.turns
        if view.gate is not None
        and view.gate.answer is not None
        and not view.answer_is_stale
        and not view.cleaned_at
        and model_view(workspace, view.reference).was_sent is False
    )
