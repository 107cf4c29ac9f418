"""From what an accepted answer proposes to notes: what is new, what is withheld, what waits on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from proofstone.curation import secrets
from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain import ids, inquiries, note_fields
from proofstone.domain.plan import ChangeNote, CreateNote, NoteKind, NoteRef, Operation
from proofstone.domain.proposing import Proposed
from proofstone.domain.records import Proposal, ProposalStatus
from proofstone.domain.rulings.steps import reopen
from proofstone.domain.secrets_found import Confidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Sifted:
    """What becomes of an answer's proposals.

    ``fresh`` are new or return, ``renewed`` wait already and rest on the new answer from now on,
    with what they are now; ``withheld`` says why others are not proposed.
    """

    fresh: tuple[Proposal, ...]
    renewed: tuple[tuple[Proposal, Proposal], ...]
    withheld: tuple[str, ...]


def sift(workspace: Workspace, proposed: Proposed, *, renew: bool) -> Sifted:
    """The proposals that are new and not forgotten on purpose, and why the others are not.

    With ``renew``, those of the turn that wait for their first ruling take over what the answer
    says they rest on. What a person has ruled on stays as it is.
    """
    buried_ids = {stone.deleted_id for stone in workspace.holdings.tombstones}
    fresh: list[Proposal] = []
    renewed: list[tuple[Proposal, Proposal]] = []
    withheld: list[str] = []
    for proposal in proposed.proposals:
        known = workspace.proposals.get(proposal.proposal_id)
        if known is not None and known.turn == proposal.turn:
            # It is the answer's own, which a correction or another answer repeats.
            if renew and known.status is ProposalStatus.OPEN:
                renewed.append((known, proposal))
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
    return Sifted(fresh=tuple(fresh), renewed=tuple(renewed), withheld=tuple(withheld))


def left_over(workspace: Workspace, view: TurnView, proposed: Proposed) -> tuple[str, ...]:
    """The turn's proposals that wait, came from its Gate, and are not among ``proposed``."""
    again = {proposal.proposal_id for proposal in proposed.proposals}
    return tuple(
        proposal.proposal_id
        for proposal in workspace.holdings.proposals
        if proposal.is_waiting
        and proposal.turn == view.reference
        and proposal.origin == "gate"
        and proposal.proposal_id not in again
    )


def notes(workspace: Workspace, sifted: Sifted, proposed: Proposed) -> Iterator[Operation]:
    """The notes of what is proposed: evidence records first, then proposals and inquiries."""
    cites = (*sifted.fresh, *(now for _, now in sifted.renewed))
    yield from _evidence(workspace, cites, proposed)
    for known, now in sifted.renewed:
        yield from _renewed(known, now)
    asked = {inquiry.inquiry_id for inquiry in workspace.holdings.inquiries}
    for proposal in sifted.fresh:
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


def _evidence(
    workspace: Workspace, cites: Iterable[Proposal], proposed: Proposed
) -> Iterator[Operation]:
    held = {record.evidence_id for record in workspace.holdings.evidence}
    cited = {evidence_id for proposal in cites for evidence_id in proposal.evidence}
    for record in proposed.records:
        if record.evidence_id in cited - held:
            yield CreateNote(
                ref=NoteRef(NoteKind.EVIDENCE, record.evidence_id),
                fields=note_fields.evidence_fields(record),
            )


def _renewed(known: Proposal, now: Proposal) -> Iterator[Operation]:
    """What a proposal that waits rests on from now on; what a person may have edited stays."""
    before, after = note_fields.proposal_fields(known), note_fields.proposal_fields(now)
    keys = ("candidate_id", "bindings", "evidence", "sources")
    changed = {key: after[key] for key in keys if key in after and after[key] != before.get(key)}
    if changed:
        yield ChangeNote(
            ref=NoteRef(NoteKind.PROPOSAL, known.proposal_id),
            revision=known.revision,
            set={**changed, "updated": now.updated},
            unset=tuple(key for key in keys if key in before and key not in after),
        )


def _secret_in(text: str) -> str:
    """The kind of the first secret that is surely one, or an empty string."""
    sure = (found.kind for found in secrets.find(text) if found.confidence is Confidence.HIGH)
    return next(sure, "")
