"""The stored form of an accepted Gate answer: the contract's own (spec pages 2 and 5)."""

from __future__ import annotations

from proofstone.domain.gate_types import Binding, Candidate, CoverageRow, GateAnswer

JsonObject = dict[str, object]


def answer_to_json(answer: GateAnswer) -> dict[str, list[JsonObject]]:
    """An object with exactly ``candidates``, ``coverage`` and ``evidence_bindings``.

    ``gate_contract.answer_from_json`` reads it back. Which units are missing is not stored: it
    follows from the rest and the units.
    """
    return {
        "candidates": [_candidate(candidate) for candidate in answer.candidates],
        "coverage": [_row(row) for row in answer.coverage],
        "evidence_bindings": [_binding(binding) for binding in answer.bindings],
    }


def _candidate(candidate: Candidate) -> JsonObject:
    value: JsonObject = {
        "candidate_id": candidate.candidate_id,
        "memory": candidate.memory,
        "evidence_event_ids": list(candidate.evidence_event_ids),
        "worth": candidate.worth,
        "duplicate": candidate.duplicate,
        "type": candidate.type,
        "scopes": list(candidate.scopes),
        "scope_source": candidate.scope_source,
    }
    optional = {
        "update_memory_id": candidate.update_memory_id,
        "duplicate_memory_id": candidate.duplicate_memory_id,
        "reason": candidate.reason,
    }
    value.update((key, text) for key, text in optional.items() if text is not None)
    return value


def _row(row: CoverageRow) -> JsonObject:
    value: JsonObject = {"unit_id": row.unit_id, "decision": row.decision.value}
    if row.candidate_ids:
        value["candidate_ids"] = list(row.candidate_ids)
    if row.reason is not None:
        value["reason"] = row.reason
    return value


def _binding(binding: Binding) -> JsonObject:
    return {
        "candidate_id": binding.candidate_id,
        "claims": [
            {
                "unit_id": claim.unit_id,
                "quote": claim.quote,
                "role": claim.role.value,
                "start": claim.start,
                "end": claim.end,
            }
            for claim in binding.claims
        ],
    }
