"""Lines of a pi-persistent-intelligence store as records (store-formats.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from proofstone.domain import ids
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Inquiry,
    Layer,
    MatchKind,
    Memory,
    Polarity,
    Problem,
    Proposal,
    ProposalStatus,
    Redaction,
    Review,
    Standing,
    Tombstone,
    TrustClass,
)
from proofstone.domain.rulings.steps import title_of
from proofstone.stores.json_values import (
    Line,
    inner,
    number,
    objects,
    text,
    texts,
    unreadable_line,
)
from proofstone.stores.pi_files import DELETED, PURGED

SUPERSEDES_TAG = "supersedes:"
INLINE = "#evidence-"
"""Stands in the ids of evidence that a record has inside itself, after the record's own id."""

# What PI itself asks of a record; a line that lacks one is hidden by PI and lost when it rewrites.
_REQUIRED = (
    "id",
    "layer",
    "scope",
    "tags",
    "statement",
    "evidence",
    "confidence",
    "stability",
    "created_at",
    "updated_at",
    "review",
    "status",
    "supersedes",
    "superseded_by",
)
_STANDINGS = {
    "active": Standing.ACTIVE,
    "contested": Standing.CONTESTED,
    "deprecated": Standing.DEPRECATED,
    "superseded": Standing.SUPERSEDED,
    "promoted": Standing.SUPERSEDED,
    "deleted": Standing.DELETED,
}
_PAST = (Standing.SUPERSEDED, Standing.DELETED)
_KINDS = {"fact": "fact", "task": "task"}

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class ReadRecord:
    """A record's memory and its own inline evidence; without a memory there are problems."""

    memory: Memory | None
    evidence: tuple[EvidenceRecord, ...] = ()
    problems: tuple[Problem, ...] = ()


def record(line: Line, path: str, linked: Mapping[str, tuple[str, ...]]) -> ReadRecord:
    """A line of a memory file. ``linked`` has the ids of stored evidence by memory id."""
    value = line.value
    memory_id = text(value, "id")
    missing = [key for key in _REQUIRED if key not in value]
    if not missing and not list(objects(value["evidence"])):
        missing = ["evidence"]
    if missing:
        return ReadRecord(None, problems=(_incomplete(path, line, memory_id, missing),))
    layer, status = text(value, "layer"), text(value, "status")
    if layer not in ("L1", "L2") or status not in _STANDINGS or not memory_id:
        fault = f"layer {layer!r}, status {status!r} and id {memory_id!r} are not all known"
        return ReadRecord(None, problems=(unreadable_line(path, line.number, fault, memory_id),))
    own = tuple(_inline_evidence(memory_id, line, path))
    cited = (*linked.get(memory_id, ()), *(one.evidence_id for one in own))
    return ReadRecord(_memory(value, line, path, cited), own)


def _memory(
    value: Mapping[str, Any], line: Line, path: str, evidence_ids: tuple[str, ...]
) -> Memory:
    status = text(value, "status")
    standing = _STANDINGS[status]
    # What PI leaves of a purged record says nothing any more.
    is_purged = status == "deleted" and text(value, "statement") == DELETED
    statement = "" if is_purged else text(value, "statement")
    review = inner(value, "review")
    cadence = number(review, "cadence_days")
    superseded_by = texts(value, "superseded_by")
    is_past = standing in _PAST
    reasons = [text(value, "validity_reason")]
    if text(value, "invalidated_by"):
        reasons.append(f"invalidated by {text(value, 'invalidated_by')}")
    if status == "promoted":
        reasons.append("promoted to L1")
    return Memory(
        memory_id=text(value, "id"),
        statement=statement,
        title=title_of(text(value, "statement")),
        layer=Layer(text(value, "layer")),
        scopes=_scopes(inner(value, "scope")),
        tags=texts(value, "tags"),
        profile=text(value, "profile_id"),
        kind=_KINDS.get(text(value, "memory_kind"), ""),
        rule_type=text(value, "ruleType"),
        normalized_key=text(value, "normalized_key"),
        confidence=number(value, "confidence"),
        stability=text(value, "stability"),
        evidence=evidence_ids,
        applies_when=texts(value, "applies_when"),
        does_not_apply_when=texts(value, "does_not_apply_when"),
        known_exceptions=texts(value, "known_exceptions"),
        supersedes=texts(value, "supersedes"),
        superseded_by=superseded_by,
        valid_from=text(value, "valid_from"),
        valid_to=text(value, "valid_to"),
        content_hash=ids.content_hash(statement),
        created=text(value, "created_at"),
        updated=text(value, "updated_at"),
        standing=standing,
        review=Review(
            cadence_days=None if cadence is None else int(cadence),
            next_review=text(review, "next_review"),
            change_condition=text(review, "change_condition"),
        ),
        active_memory_id=superseded_by[0] if is_past and superseded_by else "",
        archived_at=(text(value, "updated_at") or "unknown") if is_past else "",
        invalidated_reason="; ".join(filter(None, reasons)),
        path=path,
        revision=line.digest,
    )


def candidate(
    line: Line, path: str, settled: frozenset[str]
) -> tuple[Proposal | None, tuple[Problem, ...]]:
    """A line of the inbox. ``settled`` has the candidates that an applied patch carried out."""
    value = line.value
    proposal_id, statement = text(value, "id"), text(value, "text")
    missing = [key for key in ("id", "text") if not text(value, key)]
    if missing:
        return None, (_incomplete(path, line, proposal_id, missing),)
    status = text(value, "status") or "new"
    statuses = {
        "new": ProposalStatus.OPEN,
        "rejected": ProposalStatus.DISMISSED,
        # A patch that nobody applied has decided nothing yet.
        "patched": ProposalStatus.RATIFIED if proposal_id in settled else ProposalStatus.OPEN,
    }
    if status not in statuses:
        fault = f"status {status!r} is none of {', '.join(statuses)}"
        return None, (unreadable_line(path, line.number, fault, proposal_id),)
    problems: list[Problem] = []
    tags = texts(value, "tags")
    source = inner(value, "source")
    title = title_of(statement)
    if text(source, "type") == "privacy_purge":
        statement = ""
    proposal = Proposal(
        proposal_id=proposal_id,
        statement=statement,
        title=title,
        origin="capture",
        status=statuses[status],
        layer=Layer.L1 if text(value, "proposed_layer") == "L1" else Layer.L2,
        scopes=_scopes(inner(value, "scope") or inner(value, "proposed_scope")),
        tags=tuple(tag for tag in tags if not tag.startswith(SUPERSEDES_TAG)),
        profile=text(value, "profile_id"),
        normalized_key=text(value, "normalized_key"),
        confidence=number(value, "confidence"),
        evidence=texts(value, "evidence_ids"),
        trust_class=_choice(TrustClass, value, "primary_trust_class", path, line, problems),
        durability_signal=_choice(Durability, value, "durability_signal", path, line, problems),
        poisoning_risk=text(value, "poisoning_risk"),
        verification=text(value, "verification_status"),
        match_kind=_choice(MatchKind, value, "match_kind", path, line, problems),
        matched=texts(value, "matched_memory_ids"),
        applies_when=texts(value, "proposed_applies_when"),
        does_not_apply_when=texts(value, "proposed_does_not_apply_when"),
        known_exceptions=texts(value, "proposed_known_exceptions"),
        supersedes=tuple(
            tag.removeprefix(SUPERSEDES_TAG) for tag in tags if tag.startswith(SUPERSEDES_TAG)
        ),
        source=" ".join(filter(None, (text(source, "type"), text(source, "ref")))),
        content_hash=ids.content_hash(statement),
        created=text(value, "created_at"),
        updated=text(value, "created_at"),
        memory_id=ids.memory_id_for(proposal_id) if status == "patched" else "",
        path=path,
        revision=line.digest,
    )
    return proposal, tuple(problems)


def l1_proposal(line: Line, path: str, created: str) -> Proposal | Problem:
    """A candidate of a meta-consolidation report: an L1 proposal from L2 memories."""
    value = line.value
    proposal_id, statement = text(value, "id"), text(value, "proposed_statement")
    missing = [key for key in ("id", "proposed_statement") if not text(value, key)]
    if missing:
        return Problem(
            code="incomplete_record",
            path=path,
            message=f"its candidate {line.number} lacks {', '.join(missing)}",
            advice="It is kept as it is and not shown.",
            subject=proposal_id,
        )
    title = title_of(statement)
    statement = "" if statement == PURGED else statement
    search = inner(value, "counterexample_search")
    found = [
        *texts(search, "contradicting_memory_ids"),
        *texts(search, "contested_record_ids"),
        *texts(search, "open_inquiry_ids"),
        *texts(search, "tombstone_ids"),
    ]
    return Proposal(
        proposal_id=proposal_id,
        statement=statement,
        title=title,
        origin="consolidation",
        layer=Layer.L1,
        profile=text(value, "profile_id"),
        evidence=texts(value, "source_evidence_ids"),
        applies_when=texts(value, "proposed_applies_when"),
        does_not_apply_when=texts(value, "proposed_does_not_apply_when"),
        known_exceptions=texts(value, "proposed_known_exceptions"),
        l1_sources=texts(value, "source_l2_ids"),
        counterexamples=tuple(dict.fromkeys(found)),
        content_hash=ids.content_hash(statement),
        created=created,
        updated=created,
        path=path,
        revision=line.digest,
    )


def evidence(line: Line, path: str) -> tuple[EvidenceRecord | None, tuple[Problem, ...]]:
    """A line of the evidence file."""
    value = line.value
    evidence_id = text(value, "id")
    missing = [key for key in ("id", "source_kind", "trust_class") if not text(value, key)]
    if missing:
        return None, (_incomplete(path, line, evidence_id, missing),)
    problems: list[Problem] = []
    # A class that is not known must not lend trust: the weakest takes its place.
    trust = _choice(TrustClass, value, "trust_class", path, line, problems)
    durability = _choice(Durability, value, "durability_signal", path, line, problems)
    polarity = _choice(Polarity, value, "polarity", path, line, problems)
    redaction = _choice(Redaction, value, "redaction_status", path, line, problems)
    record = EvidenceRecord(
        evidence_id=evidence_id,
        source_kind=text(value, "source_kind"),
        trust_class=trust or TrustClass.THIRD_PARTY_DOCUMENTATION,
        source_ref=text(value, "source_ref") or text(value, "source_file"),
        source_session=text(value, "source_session_id"),
        source_thread=text(value, "thread_id"),
        source_summary=text(value, "source_summary"),
        source_excerpt=text(value, "source_excerpt"),
        excerpt_hash=text(value, "excerpt_hash"),
        durability_signal=durability or Durability.UNKNOWN,
        polarity=polarity or Polarity.SUPPORTS,
        redaction_status=redaction or Redaction.NONE,
        profile=text(value, "profile_id"),
        created=text(value, "created_at"),
        memory_ids=texts(value, "related_memory_ids"),
        path=path,
        revision=line.digest,
    )
    return record, tuple(problems)


def evidence_by_memory(records: Iterable[EvidenceRecord]) -> dict[str, tuple[str, ...]]:
    """The ids of stored evidence by the memories that it is related to."""
    linked: dict[str, list[str]] = {}
    for one in records:
        for memory_id in one.memory_ids:
            linked.setdefault(memory_id, []).append(one.evidence_id)
    return {memory_id: tuple(found) for memory_id, found in linked.items()}


def tombstone(line: Line, path: str) -> Tombstone | Problem:
    """A line of the tombstone file. PI goes by ``deleted_record_id`` alone, and so do we."""
    value = line.value
    deleted_id = text(value, "deleted_record_id")
    if not deleted_id:
        return _incomplete(path, line, text(value, "id"), ["deleted_record_id"])
    return Tombstone(
        tombstone_id=text(value, "id") or f"tomb_{deleted_id}",
        deleted_id=deleted_id,
        deleted_at=text(value, "deleted_at"),
        mode=text(value, "deletion_mode") or "audit_preserving",
        reason=text(value, "deletion_reason") or "other",
        content_hash=text(value, "content_hash"),
        path=path,
        revision=line.digest,
    )


def inquiry(line: Line, path: str) -> Inquiry | Problem:
    """A line of the inquiry file."""
    value = line.value
    missing = [key for key in ("id", "question") if not text(value, key)]
    if missing:
        return _incomplete(path, line, text(value, "id"), missing)
    status = text(value, "status") or "open"
    return Inquiry(
        inquiry_id=text(value, "id"),
        question=text(value, "question"),
        context=text(value, "context"),
        concerns=texts(value, "related_memory_ids"),
        priority=text(value, "priority") or "medium",
        status=status,
        opened=text(value, "first_seen"),
        answered="" if status == "open" else text(value, "last_seen"),
        answer=text(value, "answer_memory_id"),
        path=path,
        revision=line.digest,
    )


def _inline_evidence(memory_id: str, line: Line, path: str) -> Iterable[EvidenceRecord]:
    """What a record says of its own support; it names no trust class, so it claims none."""
    for position, item in enumerate(objects(line.value["evidence"]), 1):
        yield EvidenceRecord(
            evidence_id=f"{memory_id}{INLINE}{position}",
            source_kind=text(item, "type") or "conversation",
            trust_class=TrustClass.AGENT_INFERENCE,
            source_ref=text(item, "ref"),
            source_summary=text(item, "note"),
            profile=text(line.value, "profile_id"),
            created=text(line.value, "created_at"),
            memory_ids=(memory_id,),
            path=path,
            revision=line.digest,
        )


def _scopes(scope: Mapping[str, Any]) -> tuple[str, ...]:
    match text(scope, "type"):
        case "project":
            return (f"project:{text(scope, 'project')}",)
        case "domain":
            return tuple(f"domain:{name}" for name in texts(scope, "domains")) or ("global",)
        case _:
            return ("global",)


def _choice(
    of: type[Choice],
    value: Mapping[str, Any],
    key: str,
    path: str,
    line: Line,
    problems: list[Problem],
) -> Choice | None:
    written = text(value, key)
    if not written:
        return None
    try:
        return of(written)
    except ValueError:
        problems.append(
            Problem(
                code="unknown_value",
                path=path,
                line=line.number,
                message=f"{key} is {written!r}, which is not known; it counts as not said",
                advice="It is kept as it is.",
                subject=text(value, "id"),
                severity="warning",
            )
        )
        return None


def _incomplete(path: str, line: Line, subject: str, missing: list[str]) -> Problem:
    return Problem(
        code="incomplete_record",
        path=path,
        line=line.number,
        message=f"this record lacks {', '.join(missing)}; its program hides it, and loses it when"
        " it next rewrites the file",
        advice="Complete the line while it is still there.",
        subject=subject,
    )
