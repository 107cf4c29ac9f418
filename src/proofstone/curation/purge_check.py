"""Proving purges: nothing that was purged is back, in no note and in no captured text (page 8).

The words themselves are nowhere any more. What can be told is that a text has the keyed hash of a
marker: so every statement, line, excerpt and captured clause is compared by it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from proofstone.curation.workspace import Workspace
from proofstone.domain.purging import MODE
from proofstone.domain.records import Problem, Proposal, Redaction
from proofstone.vault.hmac_key import KEY, key_faults
from proofstone.vault.swap import BESIDE

_ADVICE = "Purge it again, or remove the file."


def purge_findings(workspace: Workspace) -> tuple[Problem, ...]:
    """Words that were purged and are back, and a key by which that could not be told."""
    stones = [stone for stone in workspace.holdings.tombstones if stone.mode == MODE]
    if not stones:
        return ()
    beside = "" if workspace.is_vault else BESIDE
    found = [replace(fault, path=beside + fault.path) for fault in key_faults(workspace.state)]
    if workspace.purged.is_blind and not found:
        found.append(
            Problem(
                code="purge_key_missing",
                path=beside + KEY,
                message="the key of purges is missing: what was purged is not told when it "
                "comes back.",
                advice="Restore the file from a backup.",
            )
        )
    gone = {stone.deleted_id for stone in stones if stone.deleted_id}
    found += _notes_that_are_back(workspace, gone)
    found += (
        Problem(
            code="purged_words_returned",
            path=path,
            subject=subject,
            message=f"{what} has the words of purge marker {marker}.",
            advice=_ADVICE,
        )
        for path, subject, what, text in _texts(workspace)
        for marker in workspace.purged(text)
    )
    return tuple(dict.fromkeys(found))


def _notes_that_are_back(workspace: Workspace, gone: set[str]) -> Iterator[Problem]:
    """Notes of purged ids that hold a text again. A memory in force is found by its tombstone."""
    holdings = workspace.holdings
    for version in holdings.history:
        # What another program leaves of a purged record says nothing.
        if version.active_memory_id in gone and version.statement:
            yield _back(version.path, version.memory_id, "this version is of a purged memory")
    for proposal in holdings.proposals:
        if proposal.proposal_id in gone and proposal.statement:
            yield _back(proposal.path, proposal.proposal_id, "this proposal was purged")
    for record in holdings.evidence:
        is_deleted = record.redaction_status is Redaction.DELETED
        if is_deleted and (record.source_excerpt or record.excerpt_hash):
            yield _back(record.path, record.evidence_id, "this record is marked as deleted")


def _back(path: str, subject: str, what: str) -> Problem:
    return Problem(
        code="purged_note_returned",
        path=path,
        subject=subject,
        message=f"{what}, and holds words.",
        advice=_ADVICE,
    )


def _texts(workspace: Workspace) -> Iterator[tuple[str, str, str, str]]:
    """Every text that could be a purged statement: path, subject, what it is, the text."""
    holdings = workspace.holdings
    for memory in (*holdings.memories, *holdings.history):
        for text in _parts(memory.statement, memory.title):
            yield memory.path, memory.memory_id, "its text", text
    for proposal in holdings.proposals:
        for text in _parts(proposal.statement, proposal.title, *_further(proposal)):
            yield proposal.path, proposal.proposal_id, "its text", text
    for record in holdings.evidence:
        for text in _parts(record.source_excerpt, record.source_summary):
            yield record.path, record.evidence_id, "its excerpt", text
    for inquiry in holdings.inquiries:
        for text in _parts(inquiry.question, inquiry.context, inquiry.answer):
            yield inquiry.path, inquiry.inquiry_id, "it", text
    for view in workspace.turns:
        path = f"inbox/{view.turn.source}/{view.turn.session_id}.md"
        texts = [event.content for event in view.turn.events]
        for text in (*texts, *(unit.text for unit in view.units)):
            yield path, view.reference, "captured text", text
    for reference, gate in workspace.contents.gate.items():
        for candidate in gate.answer.candidates if gate.answer else ():
            yield gate.path, reference, f"candidate {candidate.candidate_id}", candidate.memory


def _further(proposal: Proposal) -> Iterator[str]:
    yield proposal.original_statement
    for claim in proposal.bindings:
        yield claim.quote


def _parts(*texts: str) -> Iterator[str]:
    """Each text, and each of its lines where it has several."""
    for text in filter(None, texts):
        yield text
        lines = text.splitlines()
        if len(lines) > 1:
            yield from filter(None, map(str.strip, lines))
