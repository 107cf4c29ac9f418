"""Importing into another program's store that keeps no proposals of its own (spec page 8).

What comes in waits beside the store, in its companion folder, as it would in a vault. Ratifying it
puts it into the store.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from proofstone.curation import secrets
from proofstone.curation.capture import ACTION
from proofstone.curation.capture_notes import evidence_of
from proofstone.curation.companion_notes import CompanionNotes
from proofstone.curation.digests import ruling_digest
from proofstone.curation.foreign import StoreBacking
from proofstone.curation.workspace import Workspace
from proofstone.domain import note_fields
from proofstone.domain.capture import Captured, CaptureResult, Held, plan_capture
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import (
    CreateNote,
    FileChange,
    NoteKind,
    NoteRef,
    Operation,
    Ruling,
    RulingPlan,
)
from proofstone.domain.records import Proposal
from proofstone.domain.rulings.steps import reopen
from proofstone.domain.tombstone_index import TombstoneIndex
from proofstone.vault.render import render
from proofstone.vault.swap import BESIDE
from proofstone.vault.transaction import RulingChanges

Json = dict[str, Any]
Describe = Callable[[Captured], Proposal]


def backing_for(workspace: Workspace) -> StoreBacking:
    """The store of ``workspace``, if what is imported can wait beside it.

    Raises:
        ProofstoneError: it can be written only by its own program, or has an inbox of its own.
    """
    backing = workspace.backing
    assert isinstance(backing, StoreBacking)
    if refusal := backing.capabilities.read_only:
        raise ProofstoneError(f"{workspace.root}: {refusal}")
    if backing.keeps(NoteKind.PROPOSAL):
        raise ProofstoneError(
            f"{workspace.root}: this is {backing.name}, whose own program fills its inbox; make a "
            "vault with `proofstone init`, and import into that"
        )
    return backing


def capture_beside(
    workspace: Workspace, items: Sequence[Json], origin: str, describe: Describe
) -> Sequence[Mapping[str, Any]]:
    """Capture ``items`` as proposals beside the store; the outcome of each.

    Raises:
        ProofstoneError: it cannot be written; nothing was.
    """
    backing = backing_for(workspace)
    results: list[CaptureResult] = []

    def plan() -> list[RulingChanges]:
        present = workspace.reload()
        held = Held.of(present.holdings)
        held.tombstones = TombstoneIndex.of(present.holdings.tombstones, present.purged)
        result = plan_capture(
            {"items": list(items)},
            held=held,
            now=present.context.timestamp(),
            project=present.settings.project,
            profile=present.settings.profile,
            origin=origin,
            find_secrets=secrets.find,
        )
        results.append(result)
        ruling = _ruling(present, result)
        notes = backing.notes()
        operations = tuple(
            operation for one in result.created for operation in _notes(one, describe(one), notes)
        )
        drawn = render(backing.state, RulingPlan(ruling=ruling, operations=operations, summary=""))
        return [(ruling, tuple(map(_beside, drawn)))]

    backing.write(plan)
    outcomes: list[Mapping[str, Any]] = results[-1].as_json()["outcomes"]
    return outcomes


def _notes(captured: Captured, proposal: Proposal, present: CompanionNotes) -> Iterator[Operation]:
    """A proposal and its evidence; one that was ruled on before comes back to the queue."""
    record = evidence_of(captured.item, proposal)
    proposal = replace(proposal, evidence=(record.evidence_id,))
    if present.of(NoteKind.EVIDENCE, record.evidence_id) is None:
        ref = NoteRef(NoteKind.EVIDENCE, record.evidence_id)
        yield CreateNote(ref=ref, fields=note_fields.evidence_fields(record))
    ruled = present.of(NoteKind.RULED, proposal.proposal_id)
    if isinstance(ruled, Proposal):
        yield reopen(ruled, proposal)
    else:
        ref = NoteRef(NoteKind.PROPOSAL, proposal.proposal_id)
        fields = note_fields.proposal_fields(proposal)
        yield CreateNote(ref=ref, fields=fields, body=proposal.statement)


def _ruling(workspace: Workspace, result: CaptureResult) -> Ruling:
    names = [one.proposal_id for one in result.proposals]
    time = workspace.context.timestamp()
    group = ruling_digest("grp", workspace.journal_head, ACTION, names, time)
    return Ruling(
        ruling_id=ruling_digest("rul", group, ACTION),
        group=group,
        time=time,
        author=workspace.context.author,
        via=workspace.context.via,
        action=ACTION,
        subject=names[0] if len(names) == 1 else f"{len(names)} items",
    )


def _beside(change: FileChange) -> FileChange:
    return FileChange(path=BESIDE + change.path, before=change.before, after=change.after)
