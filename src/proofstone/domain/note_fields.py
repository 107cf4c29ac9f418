"""Records as note keys: the names and the order of spec page 5.

Only what says something is written: an empty list, an empty string or an unset value has no key,
except for the keys that memleaf always writes on a memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from proofstone.domain.gate_types import Claim
from proofstone.domain.plan import Scalar, Value
from proofstone.domain.records import (
    Deferral,
    EvidenceRecord,
    Inquiry,
    Memory,
    Proposal,
    Ratification,
    Review,
    SourceReference,
    Statement,
    Tombstone,
)


def memory_fields(memory: Memory) -> dict[str, Value]:
    """A memory's keys, memleaf's first and in memleaf's order, so that memleaf reads the note."""
    fields: dict[str, Value] = {
        "title": memory.title,
        "memory_id": memory.memory_id,
        "tags": memory.tags,
        "type": memory.type,
        "scopes": memory.scopes,
        **_present(
            {
                "aliases": memory.aliases,
                "keywords": memory.keywords,
                "scope_source": memory.scope_source,
            }
        ),
        "sources": tuple(source_fields(source) for source in memory.sources),
        "created": memory.created,
        "updated": memory.updated,
        "hit_count": memory.hit_count,
        **_present({"status": memory.todo_status, "due_date": memory.due_date}),
        "layer": memory.layer.value,
        "standing": memory.standing.value,
        **_present(_descriptive(memory)),
        **_present(
            {
                "supersedes": memory.supersedes,
                "superseded_by": _one_or_many(memory.superseded_by),
                "review": None if memory.review is None else review_fields(memory.review),
                "ratified": (
                    None if memory.ratified is None else ratification_fields(memory.ratified)
                ),
                "active_memory_id": memory.active_memory_id,
                "archived_at": memory.archived_at,
                "invalidated_reason": memory.invalidated_reason,
            }
        ),
    }
    return fields


def proposal_fields(proposal: Proposal) -> dict[str, Value]:
    """A proposal's keys: what it is, what it says of itself, what it stands on, its ruling."""
    return {
        "proposal_id": proposal.proposal_id,
        "status": proposal.status.value,
        "origin": proposal.origin,
        "layer": proposal.layer.value,
        **_present(
            {
                "title": proposal.title,
                "type": proposal.type,
                "scopes": proposal.scopes,
                "scope_source": proposal.scope_source,
                "tags": proposal.tags,
                "keywords": proposal.keywords,
                "created": proposal.created,
                "updated": proposal.updated,
                "due_date": proposal.due_date,
                "candidate_id": proposal.candidate_id,
                "turn": proposal.turn,
                **_descriptive(proposal),
                "supersedes": proposal.supersedes,
                "sources": tuple(source_fields(source) for source in proposal.sources),
                "bindings": tuple(claim_fields(claim) for claim in proposal.bindings),
                "update_memory_id": proposal.update_memory_id,
                "match_kind": None if proposal.match_kind is None else proposal.match_kind.value,
                "matched": proposal.matched,
                "l1_sources": proposal.l1_sources,
                "counterexamples": proposal.counterexamples,
                "deferred": (
                    None if proposal.deferred is None else deferral_fields(proposal.deferred)
                ),
                "original": proposal.original_statement,
                "memory_id": proposal.memory_id,
                "ruled": ruled_fields(proposal),
            }
        ),
    }


def evidence_fields(record: EvidenceRecord) -> dict[str, Value]:
    """An evidence record's keys; the excerpt is a key, since a note's body is for people."""
    return {
        "evidence_id": record.evidence_id,
        "source_kind": record.source_kind,
        **_present(
            {
                "source_ref": record.source_ref,
                "source_session": record.source_session,
                "source_thread": record.source_thread,
                "source_summary": record.source_summary,
                "source_excerpt": record.source_excerpt,
                "excerpt_hash": record.excerpt_hash,
            }
        ),
        "trust_class": record.trust_class.value,
        "durability_signal": record.durability_signal.value,
        "polarity": record.polarity.value,
        "redaction_status": record.redaction_status.value,
        **_present(
            {
                "profile": record.profile,
                "scopes": record.scopes,
                "unit_id": record.unit_id,
                "start": record.start,
                "end": record.end,
                "created": record.created,
                "memory_ids": record.memory_ids,
            }
        ),
    }


def tombstone_fields(tombstone: Tombstone) -> dict[str, Value]:
    """A tombstone's keys. It never holds content; a purge's holds not even an unkeyed hash."""
    return {
        "tombstone_id": tombstone.tombstone_id,
        "deleted_id": tombstone.deleted_id,
        "deleted_at": tombstone.deleted_at,
        "mode": tombstone.mode,
        "reason": tombstone.reason,
        **_present(
            {
                "by": tombstone.by,
                "content_hash": tombstone.content_hash,
                "content_hmac": tombstone.content_hmac,
            }
        ),
    }


def inquiry_fields(inquiry: Inquiry) -> dict[str, Value]:
    """An inquiry's keys; its question is a key, the context its body."""
    return {
        "inquiry_id": inquiry.inquiry_id,
        "question": inquiry.question,
        "status": inquiry.status,
        "priority": inquiry.priority,
        **_present(
            {
                "concerns": inquiry.concerns,
                "opened": inquiry.opened,
                "answered": inquiry.answered,
                "answer": inquiry.answer,
            }
        ),
    }


def source_fields(source: SourceReference) -> dict[str, Scalar]:
    """One event of a memory's ``sources``, with all four of memleaf's keys."""
    return {
        "event_key": source.event_key,
        "session_id": source.session_id,
        "turn_id": source.turn_id,
        "conversation_title": source.conversation_title,
    }


def claim_fields(claim: Claim) -> dict[str, Scalar]:
    """One binding of a proposal."""
    return {
        "unit": claim.unit_id,
        "quote": claim.quote,
        "start": claim.start,
        "end": claim.end,
        "role": claim.role.value,
    }


def review_fields(review: Review) -> dict[str, Scalar]:
    """The ``review`` map of a memory."""
    fields: dict[str, Scalar] = {}
    if review.cadence_days is not None:
        fields["cadence_days"] = review.cadence_days
    if review.next_review:
        fields["next_review"] = review.next_review
    if review.change_condition:
        fields["change_condition"] = review.change_condition
    return fields


def ratification_fields(ratified: Ratification) -> dict[str, Scalar]:
    """The ``ratified`` map of a memory."""
    return {"by": ratified.by, "at": ratified.at, "ruling": ratified.ruling}


def deferral_fields(deferral: Deferral) -> dict[str, Scalar]:
    """The ``deferred`` map of a proposal."""
    fields: dict[str, Scalar] = {"reason": deferral.reason}
    if deferral.note:
        fields["note"] = deferral.note
    if deferral.until:
        fields["until"] = deferral.until
    return fields


def ruled_fields(proposal: Proposal) -> dict[str, Scalar] | None:
    """The ``ruled`` map of a proposal that is no longer waiting."""
    if not proposal.ruling:
        return None
    fields: dict[str, Scalar] = {
        "by": proposal.ruled_by,
        "at": proposal.ruled_at,
        "ruling": proposal.ruling,
    }
    if proposal.ruling_reason:
        fields["reason"] = proposal.ruling_reason
    return fields


def _descriptive(statement: Statement) -> dict[str, Value]:
    """The keys that proposals and memories share and that memleaf does not know."""
    return {
        "profile": statement.profile,
        "kind": statement.kind,
        "rule_type": statement.rule_type,
        "normalized_key": statement.normalized_key,
        "confidence": statement.confidence,
        "stability": statement.stability,
        "evidence": statement.evidence,
        "trust_class": None if statement.trust_class is None else statement.trust_class.value,
        "durability_signal": (
            None if statement.durability_signal is None else statement.durability_signal.value
        ),
        "poisoning_risk": statement.poisoning_risk,
        "verification": statement.verification,
        "applies_when": statement.applies_when,
        "does_not_apply_when": statement.does_not_apply_when,
        "known_exceptions": statement.known_exceptions,
        "source": statement.source,
        "anchor": statement.anchor,
        "anchor_hash": statement.anchor_hash,
        "content_hash": statement.content_hash,
        "valid_from": statement.valid_from,
        "valid_to": statement.valid_to,
        "event_at": statement.event_at,
        "event_from": statement.event_from,
        "event_to": statement.event_to,
        "evidence_state": statement.evidence_state,
        "proof_hint": statement.proof_hint,
        "stale_if": statement.stale_if,
        "tainted": statement.tainted or None,
    }


def _present(fields: Mapping[str, Value]) -> dict[str, Value]:
    return {key: value for key, value in fields.items() if value not in (None, "", ())}


def _one_or_many(ids: tuple[str, ...]) -> Value:
    """memleaf writes one successor as plain text; more than one needs a list."""
    return ids[0] if len(ids) == 1 else ids
