"""Putting a turn before the Gate: the prompt, and what becomes of an answer (spec page 2)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from proofstone.curation import secrets
from proofstone.curation.digests import ruling_digest
from proofstone.curation.gate_text import prompt_for
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain import gate_contract, ids, inquiries, note_fields
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import GateAnswer, GateRecord, GateRefusal
from proofstone.domain.inventory import inventory_digest
from proofstone.domain.plan import (
    CreateNote,
    FileChange,
    NoteKind,
    NoteRef,
    Operation,
    Ruling,
    RulingPlan,
)
from proofstone.domain.proposing import Proposed, propose
from proofstone.domain.records import Proposal, ProposalStatus
from proofstone.domain.rulings.steps import reopen
from proofstone.domain.secrets_found import Confidence
from proofstone.vault import layout
from proofstone.vault.errors import StaleError
from proofstone.vault.gate_store import write_gate
from proofstone.vault.objects import digest

ACTION = "gate"
"""How the journal names the storing of an answer. It is no ruling, and undo passes it over."""

CORRECTION = "correction"
"""The stage of a refusal that concerns a correction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What came of an answer.

    ``proposals`` are new; ``withheld`` were not proposed, with the reason; ``missing_unit_ids``
    have no row yet, and ``correction`` asks for them. ``changed`` is False when the same answer
    was already stored. ``answer`` is what the vault holds now, ``changes`` the files written.
    """

    turn: str
    refusal: GateRefusal | None = None
    proposals: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    missing_unit_ids: tuple[str, ...] = ()
    correction: str = ""
    summary: str = ""
    changed: bool = True
    answer: GateAnswer | None = None
    changes: tuple[FileChange, ...] = ()


def prompt(workspace: Workspace, reference: str) -> str:
    """What a model would be sent for a turn, exactly.

    Raises:
        ProofstoneError: no such turn, or it is incomplete.
    """
    view = _complete_turn(workspace, reference)
    return prompt_for(view)


def submit(
    workspace: Workspace,
    reference: str,
    data: bytes,
    *,
    answered_by: str,
    kind: str,
    prompt_digest: str = "",
) -> GateResult:
    """Check an answer and store it with what it proposes; of a refused one only the identifier.

    ``kind`` is ``model`` or ``person``; ``prompt_digest`` is the SHA-256 of the prompt that the
    answer is to, where the caller sent it. Where an accepted answer leaves units without a row, the
    next one is taken as its correction.

    Raises:
        ProofstoneError: no such turn, it is incomplete, or it has another accepted answer.
    """
    view = _complete_turn(workspace, reference)
    text = data.decode("utf-8-sig", "surrogateescape")
    present = _present_answer(view)
    checked = _check(workspace, view, text, present)
    if isinstance(checked, GateRefusal):
        changes = _store_refusal(workspace, view, checked)
        return GateResult(turn=reference, refusal=checked, answer=present, changes=changes)
    offered = gate_contract.projection(view.units)
    correction = gate_contract.correction_request(checked, offered)
    if present is not None and replace(checked, missing_unit_ids=()) == replace(
        present, missing_unit_ids=()
    ):
        return GateResult(
            turn=reference,
            missing_unit_ids=checked.missing_unit_ids,
            correction=correction,
            summary="the same answer is already stored",
            changed=False,
            answer=checked,
        )
    before = view.gate or GateRecord(turn=reference)
    record = replace(
        before,
        answer=checked,
        answered_by=answered_by,
        answered_by_kind=kind,
        answered_at=workspace.context.timestamp(),
        inventory_digest=inventory_digest(view.units),
        prompt_digest=prompt_digest or before.prompt_digest,
        corrected_at="" if present is None else workspace.context.timestamp(),
    )
    return _store_answer(workspace, view, checked, record, correction)


def _complete_turn(workspace: Workspace, reference: str) -> TurnView:
    workspace.require_vault("the Gate")
    try:
        view = workspace.turn(reference)
    except KeyError:
        raise ProofstoneError(
            f"turn {reference}: no such turn; list them with `proofstone show turns`"
        ) from None
    if view.cleaned_at:
        raise ProofstoneError(
            f"turn {reference}: it is settled, and its text was removed at {view.cleaned_at}"
        )
    if not view.turn.is_complete:
        raise ProofstoneError(f"turn {reference}: incomplete: {view.turn.incomplete_reason}")
    return view


def _present_answer(view: TurnView) -> GateAnswer | None:
    """The accepted answer, with the units that it leaves out worked out again."""
    if view.gate is None or view.gate.answer is None:
        return None
    checked = gate_contract.check_answer(
        view.gate.answer, turn_event_keys=_keys(view), units=gate_contract.projection(view.units)
    )
    if isinstance(checked, GateRefusal):
        raise ProofstoneError(
            f"turn {view.reference}: its captured text has changed since it was answered "
            f"({checked.identifier}); see `proofstone check`"
        )
    return checked


def _check(
    workspace: Workspace, view: TurnView, text: str, present: GateAnswer | None
) -> GateAnswer | GateRefusal:
    offered = gate_contract.projection(view.units)
    known = frozenset(memory.memory_id for memory in workspace.holdings.memories)
    fresh = gate_contract.check_response(
        text,
        turn_event_keys=_keys(view),
        units=offered,
        require_complete=False,
        known_memory_ids=known,
    )
    if present is None or fresh == present:
        return fresh
    if not present.missing_unit_ids:
        if isinstance(fresh, GateRefusal):
            return fresh
        raise ProofstoneError(f"turn {view.reference}: it has another accepted answer already")
    return gate_contract.merge_correction(
        present,
        text,
        turn_event_keys=_keys(view),
        units=offered,
        known_memory_ids=known,
    )


def _store_refusal(
    workspace: Workspace, view: TurnView, refusal: GateRefusal
) -> tuple[FileChange, ...]:
    now = workspace.context.timestamp()
    before = view.gate or GateRecord(turn=view.reference)
    record = replace(before, refusals=(*before.refusals, (now, refusal)))
    if refusal.stage == CORRECTION:
        record = replace(record, corrected_at=now)
    change = _gate_change(workspace, view, record)
    ruling = _ruling(workspace, view, reason=f"refused: {refusal.identifier}")
    workspace.write([(ruling, (change,))])
    return (change,)


def _store_answer(
    workspace: Workspace,
    view: TurnView,
    answer: GateAnswer,
    record: GateRecord,
    correction: str,
) -> GateResult:
    proposed = propose(
        view.turn,
        view.units,
        answer,
        profile=workspace.settings.profile,
        now=record.answered_at,
    )
    fresh, withheld = _sifted(workspace, proposed)
    ruling = _ruling(workspace, view, reason=f"accepted from {_by(record)}")
    plan = RulingPlan(
        ruling=ruling,
        operations=tuple(_notes(workspace, fresh, proposed)),
        summary="",
    )
    changes = (_gate_change(workspace, view, record), *workspace.render(plan))
    workspace.write([(ruling, changes)])
    return GateResult(
        turn=view.reference,
        proposals=tuple(proposal.proposal_id for proposal in fresh),
        withheld=withheld,
        missing_unit_ids=answer.missing_unit_ids,
        correction=correction,
        summary=accepted_line(len(fresh), len(answer.missing_unit_ids), withheld),
        answer=answer,
        changes=changes,
    )


def accepted_line(proposals: int, missing: int, withheld: tuple[str, ...] = ()) -> str:
    """What came of an accepted answer, in one line."""
    line = f"accepted: {proposals} proposal{'s' * (proposals != 1)} waiting"
    if missing:
        line += f"; {missing} unit{'s' * (missing != 1)} without a row, the turn stays open"
    if withheld:
        line += f"; withheld: {'; '.join(withheld)}"
    return line


def _by(record: GateRecord) -> str:
    return record.answered_by or record.answered_by_kind


def _sifted(
    workspace: Workspace, proposed: Proposed
) -> tuple[tuple[Proposal, ...], tuple[str, ...]]:
    """The proposals that are new and not forgotten on purpose, and why the others are not."""
    buried_ids = {stone.deleted_id for stone in workspace.holdings.tombstones}
    fresh: list[Proposal] = []
    withheld: list[str] = []
    for proposal in proposed.proposals:
        known = workspace.proposals.get(proposal.proposal_id)
        if known is not None and known.turn == proposal.turn:
            # It is the answer's own, which a correction repeats.
            continue
        if known is not None and known.status is not ProposalStatus.DISMISSED:
            withheld.append(f"{proposal.proposal_id} is known already")
        elif (
            proposal.proposal_id in buried_ids
            or ids.memory_id_for(proposal.proposal_id) in buried_ids
            or workspace.assessor.tombstones.for_content(proposal.statement)
        ):
            withheld.append(f"{proposal.candidate_id} says what was tombstoned")
        elif secret := _secret_in(proposal.statement):
            withheld.append(f"{proposal.candidate_id} holds a secret ({secret})")
        else:
            fresh.append(proposal)
    return tuple(fresh), tuple(withheld)


def _secret_in(text: str) -> str:
    """The kind of the first secret that is surely one, or an empty string."""
    sure = (found.kind for found in secrets.find(text) if found.confidence is Confidence.HIGH)
    return next(sure, "")


def _notes(
    workspace: Workspace, fresh: Iterable[Proposal], proposed: Proposed
) -> Iterable[Operation]:
    held = {record.evidence_id for record in workspace.holdings.evidence}
    asked = {inquiry.inquiry_id for inquiry in workspace.holdings.inquiries}
    cited = {evidence_id for proposal in fresh for evidence_id in proposal.evidence}
    for record in proposed.records:
        if record.evidence_id in cited - held:
            yield CreateNote(
                ref=NoteRef(NoteKind.EVIDENCE, record.evidence_id),
                fields=note_fields.evidence_fields(record),
            )
    for proposal in fresh:
        match = workspace.assessor.match(proposal)
        matched = replace(
            proposal,
            normalized_key=match.normalized_key,
            match_kind=match.kind,
            matched=match.matched,
        )
        dismissed = workspace.proposals.get(proposal.proposal_id)
        if dismissed is not None:
            yield reopen(dismissed, matched)
        else:
            yield CreateNote(
                ref=NoteRef(NoteKind.PROPOSAL, proposal.proposal_id),
                fields=note_fields.proposal_fields(matched),
                body=proposal.statement,
            )
        inquiry = inquiries.from_match(proposal, match, opened=proposal.created)
        if inquiry is not None and inquiry.inquiry_id not in asked:
            asked.add(inquiry.inquiry_id)
            yield CreateNote(
                ref=NoteRef(NoteKind.INQUIRY, inquiry.inquiry_id),
                fields=note_fields.inquiry_fields(inquiry),
                body=inquiry.context,
            )


def _gate_change(workspace: Workspace, view: TurnView, record: GateRecord) -> FileChange:
    turn = view.turn
    path = view.gate.path if view.gate is not None and view.gate.path else ""
    path = path or layout.gate_path(turn.source, turn.session_id, turn.turn_index, turn.turn_key)
    present = workspace.bytes_of(path)
    # An answer that another process stored meanwhile, or a file that cannot be read, must not be
    # written over as if it had been seen.
    if digest(present) != (view.gate.revision if view.gate is not None else None):
        raise StaleError(path, present=present, is_new=view.gate is None)
    return FileChange(path=path, before=present, after=write_gate(record, turn.turn_key))


def _ruling(workspace: Workspace, view: TurnView, reason: str) -> Ruling:
    time = workspace.context.timestamp()
    group = ruling_digest("grp", workspace.journal_head, ACTION, view.reference, time)
    return Ruling(
        ruling_id=ruling_digest("rul", group, view.reference),
        group=group,
        time=time,
        author=workspace.context.author,
        via=workspace.context.via,
        action=ACTION,
        subject=view.reference,
        reason=reason,
    )


def _keys(view: TurnView) -> list[str]:
    return [event.event_key for event in view.turn.events]
