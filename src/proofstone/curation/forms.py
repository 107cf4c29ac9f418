"""Views as JSON: the field names of spec page 8, for ``--json`` and for MCP."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from proofstone.curation.views import MemoryView, ProposalView, SiblingView, TurnView
    from proofstone.domain.evidence_unit import EvidenceUnit
    from proofstone.domain.gate_types import GateRecord, GateRefusal
    from proofstone.domain.records import EvidenceRecord, Inquiry, Problem, Tombstone
    from proofstone.domain.verification import Finding, VerifierReport

Json = dict[str, Any]


def listing(kind: str, items: Iterable[Json]) -> Json:
    """A list of things of one kind, as every list is written."""
    return {"schema": f"proofstone/{kind}/1", "items": list(items)}


def unit(unit: EvidenceUnit, turn: str) -> Json:
    """An evidence unit; tool fields only when set."""
    form: Json = {
        "unit_id": unit.unit_id,
        "turn": turn,
        "event_key": unit.event_key,
        "source_role": unit.source_role,
        "origin": unit.origin.value,
        "partition": unit.partition.value,
        "text": unit.text,
        "start": unit.start,
        "end": unit.end,
        "section_path": list(unit.section_path),
    }
    for key in ("tool_name", "call_id", "record_id"):
        value = getattr(unit, key)
        if value is not None:
            form[key] = value
    return form


def turn(view: TurnView) -> Json:
    """A turn with its events and counts."""
    counts = view.counts
    form: Json = {
        "turn": view.reference,
        "source": view.turn.source,
        "session_id": view.turn.session_id,
        "turn_key": view.turn.turn_key,
        "turn_index": view.turn.turn_index,
        "state": view.state.value,
        "events": [
            {
                "event_key": event.event_key,
                "role": event.role.value,
                "timestamp": event.timestamp,
                "characters": len(event.content),
                "observations": len(event.observations),
            }
            for event in view.turn.events
        ],
        "counts": {
            "units": counts.units,
            "physical": counts.physical,
            "context": counts.context,
            "unresolved": counts.unresolved,
            "covered": counts.covered,
            "deferred": counts.deferred,
            "waiting": counts.waiting,
        },
    }
    if view.turn.incomplete_reason:
        form["incomplete_reason"] = view.turn.incomplete_reason
    if view.cleaned_at:
        form["cleaned_at"] = view.cleaned_at
    return form


def gate(view: TurnView, answer: Json | None) -> Json:
    """The Gate's accounting of a turn; ``answer`` in the contract's own form."""
    record = view.gate
    return {
        "turn": view.reference,
        "state": view.state.value,
        "answered_by": record.answered_by if record else "",
        "answered_by_kind": record.answered_by_kind if record and record.answer else "",
        "answered_at": record.answered_at if record else "",
        "answer": answer,
        "answer_is_stale": view.answer_is_stale,
        "refusals": refusals(record),
        "dispositions": [
            {
                "unit_id": row.unit_id,
                "event_key": row.event_key,
                "decision": row.decision.value,
                "reason": row.reason,
                "candidate_ids": list(row.candidate_ids),
            }
            for row in view.dispositions.values()
        ],
    }


def refusals(record: GateRecord | None) -> list[Json]:
    """What is kept of refused answers: when, at which stage, and the identifier."""
    return [{"at": at, **refusal(said)} for at, said in (record.refusals if record else ())]


def refusal(said: GateRefusal) -> Json:
    """A refusal's identifiers; nothing of the answer itself."""
    form: Json = {"stage": said.stage}
    for key in ("evidence_check", "validation_detail", "validation_reason"):
        value = getattr(said, key)
        if value is not None:
            form[key] = value
    return form


def finding(found: Finding) -> Json:
    """One check of the verifier."""
    return {
        "check": found.check.value,
        "verdict": found.verdict.value,
        "failure_reasons": list(found.failure_reasons),
        "measured": found.measured,
        "threshold": found.threshold,
        "looked_at": list(found.looked_at),
        "matched": list(found.matched),
        "explanation": found.explanation,
        "lifts": found.lifts,
    }


def verifier(report: VerifierReport) -> Json:
    """A verifier report."""
    return {
        "status": report.status.value,
        "failure_reasons": list(report.failure_reasons),
        "findings": [finding(found) for found in report.findings],
        "poisoning_risk": report.poisoning_risk,
        "poisoning_reasons": list(report.poisoning_reasons),
        "promotion_eligibility": report.promotion_eligibility.value,
        "eligible": report.eligible,
    }


def sibling(view: SiblingView) -> Json:
    """A sibling: its id and score, and what it says."""
    return {
        "id": view.memory_id,
        "score": view.score,
        "title": view.title,
        "statement": view.statement,
        "scopes": list(view.scopes),
        "standing": view.standing.value,
    }


def proposal(view: ProposalView) -> Json:
    """A proposal with what bears on it."""
    from proofstone.curation.covered import covered_report
    from proofstone.domain import note_fields

    proposal = view.proposal
    fields = plain(note_fields.proposal_fields(proposal))
    return {
        **fields,
        "proposal_id": proposal.proposal_id,
        "status": proposal.status.value,
        "layer": proposal.layer.value,
        "statement": proposal.statement,
        "origin": proposal.origin,
        "turn": proposal.turn,
        "bindings": [note_fields.claim_fields(claim) for claim in proposal.bindings],
        "evidence": list(proposal.evidence),
        "missing_evidence": list(view.missing_evidence),
        "answer_is_replaced": view.answer_is_replaced,
        "match_kind": view.match.kind.value,
        "matched": list(view.match.matched),
        "verifier": verifier(covered_report(proposal.statement, view.report)),
        "siblings": [sibling(found) for found in view.siblings],
        "tainted": view.is_tainted,
        "taint_findings": [
            {"rule": found.rule, "start": found.start, "end": found.end} for found in view.taint
        ],
        "age_seconds": int(view.age.total_seconds()),
    }


def memory(view: MemoryView) -> Json:
    """A memory in force."""
    from proofstone.domain import note_fields

    return {
        **plain(note_fields.memory_fields(view.memory)),
        "statement": view.memory.statement,
        "reviewed": view.is_reviewed,
        "review_is_due": view.review_is_due,
        "versions": [version.memory_id for version in view.versions],
    }


def evidence(record: EvidenceRecord) -> Json:
    """An evidence record."""
    from proofstone.domain import note_fields

    return plain(note_fields.evidence_fields(record))


def tombstone(stone: Tombstone) -> Json:
    """A tombstone."""
    from proofstone.domain import note_fields

    return plain(note_fields.tombstone_fields(stone))


def inquiry(question: Inquiry) -> Json:
    """An inquiry with its context."""
    from proofstone.domain import note_fields

    return {**plain(note_fields.inquiry_fields(question)), "context": question.context}


def problem(found: Problem) -> Json:
    """A problem: where, what, and what to do."""
    return {
        "code": found.code,
        "severity": found.severity,
        "path": found.path,
        "line": found.line,
        "subject": found.subject,
        "message": found.message,
        "advice": found.advice,
    }


def plain(value: Mapping[str, Any]) -> Json:
    """Note fields as JSON types: tuples become lists, maps dictionaries."""
    return {key: _plain(item) for key, item in value.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return plain(value)
    return value
