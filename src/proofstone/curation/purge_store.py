"""Planning a privacy purge in another program's store, and in its companion folder (page 6).

The store removes the words by its own rules. Beside it lie notes that say something of its
records, earlier versions, the journal and the objects: they are looked through as a vault is.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from proofstone.curation.companion_notes import path_of
from proofstone.curation.foreign import StoreBacking
from proofstone.curation.purge_plan import NO_KEY, Planner, PurgePlan, look_everywhere
from proofstone.curation.workspace import Workspace
from proofstone.domain import ids, purging
from proofstone.domain.plan import NoteKind, NoteRef
from proofstone.domain.purging import PurgeScope
from proofstone.domain.records import Holdings, Memory, Tombstone
from proofstone.domain.rulings.terms import RulingMoment
from proofstone.stores.pi_records import INLINE
from proofstone.vault.note_writer import new_note
from proofstone.vault.swap import BESIDE


def own_records(holdings: Holdings) -> Holdings:
    """The holdings as a purge in a store looks at them.

    A record that was replaced by another is one of its own there, and no version of the other.
    What a record notes of its support goes with it; the same note may stand in many others, and is
    no reason to change them. Nor is a summary that a program gives to much of its evidence.
    """
    told = Counter(record.source_summary for record in holdings.evidence)
    return replace(
        holdings,
        history=tuple(map(_by_itself, holdings.history)),
        evidence=tuple(
            replace(record, source_summary="")
            if INLINE in record.evidence_id or told[record.source_summary] > 1
            else record
            for record in holdings.evidence
        ),
    )


def plan_store_purge(
    workspace: Workspace,
    backing: StoreBacking,
    scope: PurgeScope,
    moment: RulingMoment,
    reason: str,
    key: bytes | None,
) -> PurgePlan:
    """Look through every file of the store and of its companion folder."""
    inside = backing.purge(scope, moment, reason)
    planner = Planner(workspace, scope, moment, reason, prefix=BESIDE)
    _plan_notes(planner, backing, scope, moment, reason)
    planner.plan_markers(_markers(backing, scope, key or NO_KEY, moment, reason), key or NO_KEY)
    look_everywhere(planner, workspace.state)
    beside = planner.plan()
    return replace(
        beside,
        changes=(*inside.changes, *beside.changes),
        files=(*inside.told, *beside.files),
        others=(*inside.others, *beside.others),
    )


def _plan_notes(
    planner: Planner,
    backing: StoreBacking,
    scope: PurgeScope,
    moment: RulingMoment,
    reason: str,
) -> None:
    """The notes beside the store that say something of what goes."""
    notes = backing.notes()
    for version in scope.versions:
        if version.path.startswith(BESIDE):
            planner.change(version.path.removeprefix(BESIDE), None, "an earlier version: removed")
    for memory_id in sorted(scope.memory_ids):
        note = notes.of(NoteKind.MEMORY, memory_id)
        if note is not None:
            planner.change(note.path.removeprefix(BESIDE), None, "what was said of it: removed")
    for proposal in scope.proposals:
        note = notes.of(NoteKind.PROPOSAL, proposal.proposal_id)
        if note is not None:
            planner.change(note.path.removeprefix(BESIDE), None, "what was said of it: removed")
        left = new_note(purging.emptied_proposal(proposal, moment, reason), "")
        note = notes.of(NoteKind.RULED, proposal.proposal_id)
        path = path_of(NoteRef(NoteKind.RULED, proposal.proposal_id))
        if note is not None:
            path = note.path.removeprefix(BESIDE)
        planner.change(path, left, "the ruling: only its id and this one are left")
    for inquiry in scope.inquiries:
        if inquiry.path.startswith(BESIDE):
            emptied = purging.emptied_inquiry(inquiry, moment, scope.words)
            path = inquiry.path.removeprefix(BESIDE)
            planner.change(path, new_note(emptied, ""), "an inquiry: closed and emptied")


def _markers(
    backing: StoreBacking, scope: PurgeScope, key: bytes, moment: RulingMoment, reason: str
) -> tuple[Tombstone, ...]:
    """The keyed markers; where the store has tombstones of its own these say only what was said."""
    markers = purging.markers(scope, key, moment, reason)
    if not backing.keeps(NoteKind.TOMBSTONE):
        return markers
    by_digest = {
        marker.content_hmac: replace(
            marker,
            tombstone_id=f"{ids.TOMBSTONE_PREFIX}{marker.content_hmac[: ids.DIGITS]}",
            deleted_id="",
        )
        for marker in markers
        if marker.content_hmac
    }
    return tuple(by_digest.values())


def _by_itself(memory: Memory) -> Memory:
    is_beside = memory.path.startswith(BESIDE)
    return memory if is_beside else replace(memory, active_memory_id="")
