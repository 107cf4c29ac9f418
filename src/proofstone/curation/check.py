"""Everything verified at once (spec page 8, check)."""

from __future__ import annotations

from dataclasses import replace

from proofstone.curation.anchored import anchor_root, drifted
from proofstone.curation.branch_check import divided_rulings
from proofstone.curation.purge_check import purge_findings
from proofstone.curation.ruling_marks import unfounded_marks
from proofstone.curation.workspace import Workspace
from proofstone.domain import links
from proofstone.domain.gate_contract import check_answer, projection
from proofstone.domain.gate_types import GateRefusal
from proofstone.domain.records import Memory, Problem, Proposal
from proofstone.domain.verification import VerificationStatus
from proofstone.vault.journal_check import verify_files, verify_journal
from proofstone.vault.swap import BESIDE


def check(workspace: Workspace) -> tuple[Problem, ...]:
    """All findings by file and line, and after them the notes (``is_note``) likewise.

    What waits for a person is no finding: incomplete turns, refused answers, deferred units,
    proposals that the verifier rejects, memories that nobody has reviewed.
    """
    holdings = workspace.holdings
    cleaned = cleaned_turns(workspace)
    unread = workspace.unread
    units = {unit.unit_id: unit for view in workspace.turns for unit in view.units}
    anchored: tuple[Memory | Proposal, ...] = (
        *holdings.memories,
        *(p for p in holdings.proposals if p.is_waiting),
    )
    found = (
        *workspace.problems,
        *links.broken_links(holdings, unread.may_be),
        *links.broken_bindings(
            (p for p in holdings.proposals if not unread.may_hold_turn(p.turn)), units, cleaned
        ),
        *links.changed_content(holdings),
        *links.returned_from_the_dead(holdings, workspace.purged),
        *links.standing_faults(holdings.memories),
        *gate_answers(workspace),
        *drifted(anchored, anchor_root(workspace.root, workspace.settings.anchor_root)),
        *rejected_in_force(workspace),
        *purge_findings(workspace),
        *unfounded_marks(workspace),
        *divided_rulings(holdings, unread.may_be),
        *_journal_faults(workspace),
        *_changed_by_another_hand(workspace),
    )
    unique = dict.fromkeys(found)
    return tuple(
        sorted(unique, key=lambda problem: (is_note(problem), problem.path, problem.line or 0))
    )


def _journal_faults(workspace: Workspace) -> tuple[Problem, ...]:
    """What is wrong with the journal; that of another program's store lies beside it."""
    found = verify_journal(workspace.state)
    if workspace.is_vault:
        return found
    return tuple(replace(problem, path=BESIDE + problem.path) for problem in found)


def _changed_by_another_hand(workspace: Workspace) -> tuple[Problem, ...]:
    """Files that another hand changed, of those that can be read."""
    found = verify_files(workspace.root, state=None if workspace.is_vault else workspace.state)
    return tuple(problem for problem in found if not workspace.unread.holds(problem.path))


def is_note(problem: Problem) -> bool:
    """Whether it is only to be known and not to be put right, such as a file that was changed by
    another hand, which a person may do. A vault with nothing but notes is clean.
    """
    return problem.severity == "info"


def cleaned_turns(workspace: Workspace) -> frozenset[str]:
    """The turns whose captured text was removed on purpose, by us or by memleaf."""
    by_memleaf = (
        reference
        for reference, outcome in workspace.contents.memleaf.items()
        if outcome.cleanup_done_at
    )
    return frozenset(
        (*by_memleaf, *(view.reference for view in workspace.turns if view.cleaned_at))
    )


def gate_answers(workspace: Workspace) -> tuple[Problem, ...]:
    """Stored answers that the captured text no longer bears out, or that belong to no turn."""
    found: list[Problem] = []
    references = {turn.reference for turn in workspace.contents.turns}
    cleaned = cleaned_turns(workspace)
    for reference, record in workspace.contents.gate.items():
        if reference not in references:
            if reference not in cleaned and not workspace.unread.may_hold_turn(reference):
                found.append(
                    Problem(
                        code="gate_without_turn",
                        path=record.path,
                        subject=reference,
                        message="it answers a turn that is not in the inbox.",
                        advice="Restore the inbox file, or move the answer away.",
                    )
                )
            continue
        view = workspace.turn(reference)
        if record.answer is None:
            continue
        keys = [event.event_key for event in view.turn.events]
        checked = check_answer(record.answer, turn_event_keys=keys, units=projection(view.units))
        if isinstance(checked, GateRefusal):
            found.append(_answer_fault(record.path, reference, checked.identifier))
        elif view.answer_is_stale:
            found.append(_answer_fault(record.path, reference, "the inventory has changed"))
    return tuple(found)


def rejected_in_force(workspace: Workspace) -> tuple[Problem, ...]:
    """Memories in force that the verifier would reject if they were proposed today."""
    found: list[Problem] = []
    for memory in workspace.holdings.memories:
        report = workspace.memory_judgement(memory.memory_id).report
        if report.status is VerificationStatus.REJECTED:
            found.append(
                Problem(
                    code="would_be_rejected",
                    path=memory.path,
                    subject=memory.memory_id,
                    message="the verifier would reject it today "
                    f"({', '.join(report.failure_reasons)}).",
                    advice="Tombstone it, or lift what the verifier names.",
                )
            )
    return tuple(found)


def _answer_fault(path: str, reference: str, why: str) -> Problem:
    return Problem(
        code="changed_evidence",
        path=path,
        subject=reference,
        message=f"the captured text is not what this answer was checked against ({why}).",
        advice="Put the turn before the Gate again, or restore the inbox file.",
    )
