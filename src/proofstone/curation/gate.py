"""Putting a turn before the Gate: the prompt, and what becomes of an answer (spec page 2)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from proofstone.curation import gate_proposing
from proofstone.curation.digests import ruling_digest
from proofstone.curation.gate_text import prompt_for
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain import gate_contract
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import EvidenceCheck, GateAnswer, GateRecord, GateRefusal
from proofstone.domain.inventory import inventory_digest
from proofstone.domain.plan import FileChange, Ruling, RulingPlan
from proofstone.domain.proposing import propose
from proofstone.vault import layout
from proofstone.vault.errors import StaleError
from proofstone.vault.gate_store import write_gate
from proofstone.vault.objects import digest

ACTION = "gate"
"""How the journal names the storing of an answer. It is no ruling, and undo passes it over."""

CORRECTION = "correction"
"""The stage of a refusal that concerns a correction."""

_IN_PLACE = "`proofstone gate submit --replace` puts a whole new one in its place"


@dataclass(frozen=True, slots=True, kw_only=True)
class GateResult:
    """What came of an answer.

    ``proposals`` are new; ``withheld`` were not proposed, with the reason; ``missing_unit_ids``
    have no row yet, and ``correction`` asks for them. ``changed`` is False when the same answer
    was already stored. ``answer`` is what the vault holds now, ``changes`` the files written.
    ``replaced`` says that another answer gave way to it, and ``left`` names the proposals of that
    one which it does not propose and nobody has ruled on: they wait as before.
    """

    turn: str
    refusal: GateRefusal | None = None
    proposals: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    missing_unit_ids: tuple[str, ...] = ()
    correction: str = ""
    summary: str = ""
    changed: bool = True
    replaced: bool = False
    left: tuple[str, ...] = ()
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
    in_place: bool = False,
) -> GateResult:
    """Check an answer and store it with what it proposes; of a refused one only the identifier.

    ``kind`` is ``model`` or ``person``; ``prompt_digest`` is the SHA-256 of the prompt that the
    answer is to, where the caller sent it. Where an accepted answer leaves units without a row, the
    next one is taken as its correction; with ``in_place`` it goes into the place of the one that
    is there, if it is whole, and else that one stands (docs/gate.md, Asking again).

    Raises:
        ProofstoneError: no such turn, it is incomplete, or it has another accepted answer.
    """
    view = _complete_turn(workspace, reference)
    text = data.decode("utf-8-sig", "surrogateescape")
    replaces = in_place and view.gate is not None and view.gate.answer is not None
    present = None if replaces else _present_answer(view)
    checked = (
        first_answer(workspace, reference, text, require_complete=True)
        if replaces
        else _check(workspace, view, text, present)
    )
    if isinstance(checked, GateRefusal):
        return _refused(workspace, view, checked, is_correction=checked.stage == CORRECTION)
    if replaces and not view.answer_is_stale:
        present = view.gate.answer if view.gate is not None else None
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
        corrected_at="" if replaces or present is None else workspace.context.timestamp(),
    )
    if replaces:
        record = replace(record, prompt_digest=prompt_digest)
    return _store_answer(workspace, view, checked, record, correction, replaces=replaces)


def first_answer(
    workspace: Workspace, reference: str, text: str, *, require_complete: bool
) -> GateAnswer | GateRefusal:
    """What the contract says of ``text`` as the first answer to a turn; nothing is stored.

    Raises:
        ProofstoneError: no such turn, or it is incomplete.
    """
    view = _complete_turn(workspace, reference)
    checked = gate_contract.check_response(
        text,
        turn_event_keys=_keys(view),
        units=gate_contract.projection(view.units),
        require_complete=require_complete,
        known_memory_ids=_memory_ids(workspace),
    )
    if require_complete and isinstance(checked, GateAnswer) and checked.missing_unit_ids:
        return GateRefusal(stage="gate", evidence_check=EvidenceCheck.INCOMPLETE_COVERAGE)
    return checked


def corrected_answer(
    workspace: Workspace, reference: str, first: GateAnswer, text: str
) -> GateAnswer | GateRefusal:
    """``first`` with what its correction adds; nothing is stored.

    Raises:
        ProofstoneError: no such turn, or it is incomplete.
    """
    view = _complete_turn(workspace, reference)
    return gate_contract.merge_correction(
        first,
        text,
        turn_event_keys=_keys(view),
        units=gate_contract.projection(view.units),
        known_memory_ids=_memory_ids(workspace),
    )


def refuse_correction(workspace: Workspace, reference: str, refusal: GateRefusal) -> GateResult:
    """Keep why a correction was refused of an answer that was never stored.

    Raises:
        ProofstoneError: no such turn, or it is incomplete.
    """
    view = _complete_turn(workspace, reference)
    return _refused(workspace, view, refusal, is_correction=False)


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
            f"({checked.identifier}); {_IN_PLACE}"
        )
    return checked


def _check(
    workspace: Workspace, view: TurnView, text: str, present: GateAnswer | None
) -> GateAnswer | GateRefusal:
    fresh = first_answer(workspace, view.reference, text, require_complete=False)
    if present is None or fresh == present:
        return fresh
    if not present.missing_unit_ids:
        if isinstance(fresh, GateRefusal):
            return fresh
        raise ProofstoneError(
            f"turn {view.reference}: it has another accepted answer already; {_IN_PLACE}"
        )
    return corrected_answer(workspace, view.reference, present, text)


def _refused(
    workspace: Workspace, view: TurnView, refusal: GateRefusal, *, is_correction: bool
) -> GateResult:
    """Keep the identifier, the stage and the time. ``is_correction`` says that it was the one
    correction of the answer that is stored."""
    now = workspace.context.timestamp()
    before = view.gate or GateRecord(turn=view.reference)
    record = replace(before, refusals=(*before.refusals, (now, refusal)))
    if is_correction:
        record = replace(record, corrected_at=now)
    change = _gate_change(workspace, view, record)
    ruling = _ruling(workspace, view, reason=f"refused: {refusal.identifier}")
    workspace.write([(ruling, (change,))])
    return GateResult(turn=view.reference, refusal=refusal, answer=before.answer, changes=(change,))


def _store_answer(
    workspace: Workspace,
    view: TurnView,
    answer: GateAnswer,
    record: GateRecord,
    correction: str,
    *,
    replaces: bool,
) -> GateResult:
    proposed = propose(
        view.turn,
        view.units,
        answer,
        profile=workspace.settings.profile,
        now=record.answered_at,
    )
    sifted = gate_proposing.sift(workspace, proposed, renew=replaces)
    left = gate_proposing.left_over(workspace, view, proposed) if replaces else ()
    reason = f"accepted from {_by(record)}"
    if replaces and view.gate is not None:
        reason += f", in place of the answer by {_by(view.gate)}"
    ruling = _ruling(workspace, view, reason=reason)
    plan = RulingPlan(
        ruling=ruling,
        operations=tuple(gate_proposing.notes(workspace, sifted, proposed)),
        summary="",
    )
    changes = (_gate_change(workspace, view, record), *workspace.render(plan))
    workspace.write([(ruling, changes)])
    return GateResult(
        turn=view.reference,
        proposals=tuple(proposal.proposal_id for proposal in sifted.fresh),
        withheld=sifted.withheld,
        missing_unit_ids=answer.missing_unit_ids,
        correction=correction,
        summary=accepted_line(
            len(sifted.fresh), len(answer.missing_unit_ids), sifted.withheld, len(left)
        ),
        replaced=replaces,
        left=left,
        answer=answer,
        changes=changes,
    )


def accepted_line(
    proposals: int, missing: int, withheld: tuple[str, ...] = (), left: int = 0
) -> str:
    """What came of an accepted answer, in one line."""
    line = f"accepted: {proposals} proposal{'s' * (proposals != 1)} waiting"
    if missing:
        line += f"; {missing} unit{'s' * (missing != 1)} without a row, the turn stays open"
    if left:
        line += f"; {left} of the answer before still wait{'s' * (left == 1)}"
    if withheld:
        line += f"; withheld: {'; '.join(withheld)}"
    return line


def _by(record: GateRecord) -> str:
    return record.answered_by or record.answered_by_kind


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


def _memory_ids(workspace: Workspace) -> frozenset[str]:
    return frozenset(memory.memory_id for memory in workspace.holdings.memories)


def _keys(view: TurnView) -> list[str]:
    return [event.event_key for event in view.turn.events]
