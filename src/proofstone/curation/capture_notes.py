"""What a capture writes: each proposal, its evidence, and the question it raises (spec page 3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from proofstone.curation.known import Known
from proofstone.curation.live import LiveNotes
from proofstone.domain import anchors, evidence_records, ids, inquiries, matching, note_fields
from proofstone.domain.anchors import AnchorKind
from proofstone.domain.capture import Captured, Relabel
from proofstone.domain.capture_items import IMPORTED, CaptureItem
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    FileChange,
    NoteKind,
    NoteRef,
    Operation,
    Ruling,
    RulingPlan,
    Value,
)
from proofstone.domain.records import EvidenceRecord, Memory, Proposal, ProposalStatus
from proofstone.domain.rulings.steps import reopen
from proofstone.vault import layout
from proofstone.vault.render import render

_SOURCE_KINDS: Mapping[AnchorKind, str] = {
    AnchorKind.FILE: "file",
    AnchorKind.DOCUMENT: "external_document",
    AnchorKind.REFERENCE: "conversation",
    AnchorKind.PULL_REQUEST: "patch",
    AnchorKind.QUOTE: "conversation",
}


def evidence_of(item: CaptureItem, proposal: Proposal) -> EvidenceRecord:
    """The record of where a captured statement comes from.

    A quoting anchor is the excerpt; of any other we have no words but the agent's own, which stand
    under the trust class of its authority.
    """
    anchor = anchors.parse(item.anchor)
    is_quote = anchor.kind is AnchorKind.QUOTE
    imported = item.authority_class == IMPORTED
    return evidence_records.completed(
        EvidenceRecord(
            evidence_id="",
            source_kind="external_document" if imported else _SOURCE_KINDS[anchor.kind],
            trust_class=item.trust_class,
            source_ref=item.source if is_quote else f"{item.source} {item.anchor}",
            source_session=item.session_id,
            source_excerpt=item.anchor if is_quote else item.content,
            profile=proposal.profile,
            scopes=proposal.scopes,
            created=proposal.created,
        )
    )


class CaptureNotes:
    """The file changes of one call, gathered item by item; an item fails without the others."""

    def __init__(self, notes: LiveNotes, known: Known, ruling: Ruling) -> None:
        self._notes = notes
        self._known = known
        self._ruling = ruling
        self._written: set[NoteRef] = set()
        self.changes: list[FileChange] = []

    def add(self, captured: Captured) -> str:
        """Take in a new proposal; the reason when it cannot be written, else an empty string."""
        record = evidence_of(captured.item, captured.proposal)
        proposal = replace(captured.proposal, evidence=(record.evidence_id,))
        match = matching.match(proposal, self._known.memories)
        proposal = replace(
            proposal,
            normalized_key=match.normalized_key,
            match_kind=match.kind,
            matched=match.matched,
        )
        inquiry = inquiries.from_match(proposal, match, opened=proposal.created)
        # The proposal comes last: where it is, everything that it needs is.
        operations: list[Operation] = []
        evidence = NoteRef(NoteKind.EVIDENCE, record.evidence_id)
        if self._is_new(evidence):
            fields = note_fields.evidence_fields(record)
            operations.append(CreateNote(ref=evidence, fields=fields))
        if inquiry is not None:
            question = NoteRef(NoteKind.INQUIRY, inquiry.inquiry_id)
            if self._is_new(question):
                fields = note_fields.inquiry_fields(inquiry)
                operations.append(CreateNote(ref=question, fields=fields, body=inquiry.context))
        paths: dict[NoteRef, str] = {}
        try:
            operations.append(self._proposal(proposal, paths))
            self._render(operations, paths)
        except ProofstoneError as error:
            return str(error)
        self._written.update(operation.ref for operation in operations)
        return ""

    def relabel(self, relabel: Relabel) -> str:
        """Change labels of what was captured before; the reason when that cannot be done."""
        subject = self._known.held.by_id[relabel.id].statement
        labels: dict[str, Value] = dict(relabel.changes)
        kind = NoteKind.MEMORY if isinstance(subject, Memory) else NoteKind.PROPOSAL
        if kind is NoteKind.PROPOSAL:
            labels["updated"] = self._ruling.time
        ref = NoteRef(kind, relabel.id)
        change = ChangeNote(ref=ref, revision=subject.revision, set=labels)
        try:
            self._render([change], {ref: subject.path})
        except ProofstoneError as error:
            return str(error)
        return ""

    def _proposal(self, proposal: Proposal, paths: dict[NoteRef, str]) -> Operation:
        """Write a proposal anew, or bring one back to the queue that was ruled on before."""
        ref = NoteRef(NoteKind.PROPOSAL, proposal.proposal_id)
        fields = note_fields.proposal_fields(proposal)
        ruled_ref = NoteRef(NoteKind.RULED, proposal.proposal_id)
        ruled = self._notes.get(NoteKind.RULED, proposal.proposal_id)
        self._require_not_forgotten(proposal, ruled if isinstance(ruled, Proposal) else None)
        self._require_free(ref)
        if not isinstance(ruled, Proposal):
            self._require_free(ruled_ref)
            return CreateNote(ref=ref, fields=fields, body=proposal.statement)
        paths[ruled_ref] = ruled.path
        return reopen(ruled, proposal)

    def _require_not_forgotten(self, proposal: Proposal, ruled: Proposal | None) -> None:
        proposal_id = proposal.proposal_id
        tombstones = self._known.held.tombstones
        forgotten = next(
            (
                name
                for name in (proposal_id, ids.memory_id_for(proposal_id))
                if tombstones.for_id(name)
            ),
            "",
        )
        if not forgotten and ruled is not None and ruled.status is ProposalStatus.TOMBSTONED:
            forgotten = proposal_id
        if forgotten:
            raise ProofstoneError(
                f"this was forgotten by a ruling on {forgotten}; only a person can lift that"
            )

    def _require_free(self, ref: NoteRef) -> None:
        path = layout.note_path(ref)
        if (self._notes.root / path).exists():
            raise ProofstoneError(
                f"{path} holds it already but cannot be read; see `proofstone check`"
            )

    def _is_new(self, ref: NoteRef) -> bool:
        if ref in self._written:
            return False
        return not Path(self._notes.root / layout.note_path(ref)).exists()

    def _render(self, operations: list[Operation], paths: Mapping[NoteRef, str]) -> None:
        plan = RulingPlan(ruling=self._ruling, operations=tuple(operations), summary="")
        self.changes.extend(render(self._notes.root, plan, paths=paths))
