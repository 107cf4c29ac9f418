"""Notes as records (spec page 5): the keys of a note become a value of ``domain.records``.

Nothing raises. A key of the wrong type gives a Problem with what was written there, and the
record goes without it; a key that decides what the note *is* makes the note unreadable instead,
because guessing it could put something back in force. ``domain.note_fields`` is the way back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from proofstone.domain.gate_types import Claim, ClaimRole
from proofstone.domain.holdings import Problem
from proofstone.domain.note_kinds import NoteKind
from proofstone.domain.records import (
    Deferral,
    Durability,
    EvidenceRecord,
    Inquiry,
    Layer,
    MatchKind,
    Memory,
    Polarity,
    Proposal,
    ProposalStatus,
    Ratification,
    Redaction,
    Review,
    SourceReference,
    Standing,
    Tombstone,
    TrustClass,
)
from proofstone.vault.field_reader import FieldReader, UndecidableError
from proofstone.vault.frontmatter import NoteText
from proofstone.vault.reading import unreadable

RETRACTED = "retracted"
"""How memleaf 1.x marks a memory that it has taken back, under the key ``validity``."""

Record = Memory | Proposal | EvidenceRecord | Tombstone | Inquiry


def read_record(
    kind: NoteKind, note: NoteText, path: str, revision: str
) -> tuple[Record | None, tuple[Problem, ...]]:
    """The record that a note of ``kind`` holds, and what is wrong with it.

    The record is None when the note cannot be read; the reason is then among the problems.
    """
    for fault in note.faults:
        if not fault.key:
            return None, (unreadable(path, fault.message, fault.line),)
    reader = FieldReader(note, path)
    try:
        record = _READERS[kind](reader, path, revision)
    except UndecidableError as reason:
        return None, (unreadable(path, str(reason), reason.line),)
    return record, reader.problems()


_TEXT_KEYS = (
    "title", "scope_source", "created", "updated", "due_date", "profile", "kind", "rule_type",
    "normalized_key", "stability", "poisoning_risk", "verification", "source", "anchor",
    "anchor_hash", "content_hash", "valid_from", "valid_to", "event_at", "event_from", "event_to",
    "evidence_state", "proof_hint", "stale_if",
)  # fmt: skip
_LIST_KEYS = (
    "tags", "aliases", "keywords", "evidence", "applies_when", "does_not_apply_when",
    "known_exceptions", "supersedes",
)  # fmt: skip


def _shared(reader: FieldReader, path: str, revision: str) -> dict[str, Any]:
    """What memories and proposals have in common: the fields of ``Statement``."""
    shared: dict[str, Any] = {key: reader.text(key) for key in _TEXT_KEYS if reader.has_any(key)}
    shared.update((key, reader.texts(key)) for key in _LIST_KEYS if reader.has_any(key))
    shared.update(
        statement=reader.body,
        layer=reader.decisive("layer", Layer, Layer.L2),
        scopes=reader.texts("scopes") or ("global",),
        type=reader.text("type") or "other",
        sources=_sources(reader),
        confidence=reader.fraction("confidence"),
        trust_class=reader.choice("trust_class", TrustClass),
        durability_signal=reader.choice("durability_signal", Durability),
        tainted=reader.flag("tainted"),
        path=path,
        revision=revision,
    )
    return shared


def _memory(reader: FieldReader, path: str, revision: str) -> Memory:
    standing = reader.decisive("standing", Standing, Standing.ACTIVE)
    invalidated = reader.text("invalidated_reason")
    if reader.text("validity") == RETRACTED and not reader.has("standing"):
        # memleaf 1.x takes the words away and leaves the note: nothing that still holds.
        standing = Standing.DEPRECATED
        invalidated = invalidated or reader.text("retraction_reason") or RETRACTED
    return Memory(
        **_shared(reader, path, revision),
        memory_id=reader.identifier("memory_id"),
        standing=standing,
        hit_count=reader.integer("hit_count") or 0,
        todo_status=reader.text("status"),
        superseded_by=reader.texts("superseded_by"),
        review=_review(reader),
        ratified=_ratified(reader),
        active_memory_id=reader.text("active_memory_id"),
        archived_at=reader.text("archived_at"),
        invalidated_reason=invalidated,
    )


def _history(reader: FieldReader, path: str, revision: str) -> Memory:
    memory = _memory(reader, path, revision)
    if reader.has("standing"):
        return memory
    # memleaf's history has no standing: a successor says superseded, a reason says deleted.
    if memory.invalidated_reason and not memory.superseded_by:
        return replace(memory, standing=Standing.DELETED)
    return replace(memory, standing=Standing.SUPERSEDED)


def _proposal(reader: FieldReader, path: str, revision: str) -> Proposal:
    ruled = reader.mapping("ruled")
    return Proposal(
        **_shared(reader, path, revision),
        proposal_id=reader.identifier("proposal_id"),
        status=reader.decisive("status", ProposalStatus, ProposalStatus.OPEN),
        origin=reader.text("origin") or "gate",
        candidate_id=reader.text("candidate_id"),
        turn=reader.text("turn"),
        bindings=_bindings(reader),
        update_memory_id=reader.text("update_memory_id"),
        match_kind=reader.choice("match_kind", MatchKind),
        matched=reader.texts("matched"),
        deferred=_deferred(reader),
        original_statement=reader.text("original"),
        counterexamples=reader.texts("counterexamples"),
        l1_sources=reader.texts("l1_sources"),
        memory_id=reader.text("memory_id"),
        ruled_by=reader.part(ruled, "ruled", "by"),
        ruled_at=reader.part(ruled, "ruled", "at"),
        ruling=reader.part(ruled, "ruled", "ruling"),
        ruling_reason=reader.part(ruled, "ruled", "reason"),
    )


def _evidence(reader: FieldReader, path: str, revision: str) -> EvidenceRecord:
    return EvidenceRecord(
        evidence_id=reader.identifier("evidence_id"),
        source_kind=reader.text("source_kind"),
        trust_class=reader.required("trust_class", TrustClass),
        source_ref=reader.text("source_ref"),
        source_session=reader.text("source_session"),
        source_thread=reader.text("source_thread"),
        source_summary=reader.text("source_summary"),
        source_excerpt=reader.text("source_excerpt") or reader.body,
        excerpt_hash=reader.text("excerpt_hash"),
        durability_signal=reader.choice("durability_signal", Durability) or Durability.UNKNOWN,
        polarity=reader.decisive("polarity", Polarity, Polarity.SUPPORTS),
        redaction_status=reader.decisive("redaction_status", Redaction, Redaction.NONE),
        profile=reader.text("profile"),
        scopes=reader.texts("scopes"),
        unit_id=reader.text("unit_id"),
        start=reader.integer("start"),
        end=reader.integer("end"),
        created=reader.text("created"),
        memory_ids=reader.texts("memory_ids"),
        path=path,
        revision=revision,
    )


def _tombstone(reader: FieldReader, path: str, revision: str) -> Tombstone:
    deleted_id = reader.text("deleted_id")
    hashes = reader.text("content_hash"), reader.text("content_hmac")
    if not deleted_id and not any(hashes):
        raise UndecidableError("it names nothing that was deleted")
    return Tombstone(
        tombstone_id=reader.identifier("tombstone_id"),
        deleted_id=deleted_id,
        deleted_at=reader.text("deleted_at"),
        mode=reader.text("mode") or "audit_preserving",
        reason=reader.text("reason") or "other",
        by=reader.text("by"),
        content_hash=hashes[0],
        content_hmac=hashes[1],
        path=path,
        revision=revision,
    )


def _inquiry(reader: FieldReader, path: str, revision: str) -> Inquiry:
    return Inquiry(
        inquiry_id=reader.identifier("inquiry_id"),
        question=reader.text("question"),
        context=reader.body,
        concerns=reader.texts("concerns"),
        priority=reader.text("priority") or "medium",
        status=reader.text("status") or "open",
        opened=reader.text("opened"),
        answered=reader.text("answered"),
        answer=reader.text("answer"),
        path=path,
        revision=revision,
    )


_READERS: dict[NoteKind, Callable[[FieldReader, str, str], Record]] = {
    NoteKind.MEMORY: _memory,
    NoteKind.HISTORY: _history,
    NoteKind.PROPOSAL: _proposal,
    NoteKind.RULED: _proposal,
    NoteKind.EVIDENCE: _evidence,
    NoteKind.TOMBSTONE: _tombstone,
    NoteKind.INQUIRY: _inquiry,
}


def _sources(reader: FieldReader) -> tuple[SourceReference, ...]:
    return tuple(
        SourceReference(
            event_key=reader.part(source, "sources", "event_key"),
            session_id=reader.part(source, "sources", "session_id"),
            turn_id=reader.part(source, "sources", "turn_id"),
            conversation_title=reader.part(source, "sources", "conversation_title"),
        )
        for source in reader.mappings("sources")
    )


def _review(reader: FieldReader) -> Review | None:
    review = reader.mapping("review")
    if not review:
        return None
    days = review.get("cadence_days")
    if days is not None and (isinstance(days, bool) or not isinstance(days, int)):
        reader.report("review", "cadence_days must be a whole number of days")
        days = None
    return Review(
        cadence_days=days,
        next_review=reader.part(review, "review", "next_review"),
        change_condition=reader.part(review, "review", "change_condition"),
    )


def _ratified(reader: FieldReader) -> Ratification | None:
    ratified = reader.mapping("ratified")
    if not ratified:
        return None
    return Ratification(
        by=reader.part(ratified, "ratified", "by"),
        at=reader.part(ratified, "ratified", "at"),
        ruling=reader.part(ratified, "ratified", "ruling"),
    )


def _deferred(reader: FieldReader) -> Deferral | None:
    deferred = reader.mapping("deferred")
    if not deferred:
        return None
    return Deferral(
        reason=reader.part(deferred, "deferred", "reason"),
        note=reader.part(deferred, "deferred", "note"),
        until=reader.part(deferred, "deferred", "until"),
    )


def _bindings(reader: FieldReader) -> tuple[Claim, ...]:
    claims: list[Claim] = []
    roles = {role.value: role for role in ClaimRole}
    for binding in reader.mappings("bindings"):
        role = roles.get(reader.part(binding, "bindings", "role"))
        start, end = binding.get("start"), binding.get("end")
        if role is None or type(start) is not int or type(end) is not int:
            reader.report("bindings", "a binding needs a known role and whole start and end")
            continue
        claims.append(
            Claim(
                unit_id=reader.part(binding, "bindings", "unit"),
                quote=reader.part(binding, "bindings", "quote"),
                role=role,
                start=start,
                end=end,
            )
        )
    return tuple(claims)
