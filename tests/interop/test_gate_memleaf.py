"""The same answers are accepted and refused as by memleaf 0.2.30, for the same reason."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from memleaf.admission import (
    EvidenceUnit,
    parse_coverage,
    split_gate_envelope,
    split_semantic_envelope,
    supporting_units,
    validate_bindings,
    validate_coverage_bindings,
)
from memleaf.validation import ModelOutputError, parse_gate_output

from proofstone.domain.gate_contract import check_response
from proofstone.domain.gate_types import GateAnswer, ValidationReason
from proofstone.testing.gate_samples import (
    EVENT_KEYS,
    KNOWN_MEMORY_IDS,
    OFFERED,
    mutated,
    random_answer,
)

MEMLEAF_UNITS = tuple(
    EvidenceUnit(
        unit_id=unit.unit_id,
        event_key=unit.event_key,
        origin=unit.origin.value,
        text=unit.text,
        source_role=unit.source_role,
        start=unit.start,
        end=unit.end,
    )
    for unit in OFFERED
)


def memleaf_outcome(text: str, complete: bool) -> Any:
    """Accepted spans, decisions and missing units, or the identifier, as memleaf's planner does."""
    try:
        return _memleaf_accepts(text, complete)
    except ModelOutputError as error:
        if error.evidence_check:
            return error.evidence_check
        if error.validation_reason in set(ValidationReason):
            return error.validation_reason
        # memleaf's catch-all for a malformed field of a candidate.
        detail = error.validation_detail
        return "candidate_shape" if detail == "other_schema_violation" else detail


def _memleaf_accepts(text: str, complete: bool) -> Any:
    text, bindings = split_semantic_envelope(text)
    text, coverage = split_gate_envelope(text)
    candidates = parse_gate_output(
        text,
        current_event_keys=EVENT_KEYS,
        related_memory_ids=KNOWN_MEMORY_IDS,
        enforce_model_scope_grounding=False,
    )["candidates"]
    rows: dict[str, Any] = {}
    if coverage is not None:
        rows = parse_coverage(coverage, MEMLEAF_UNITS, candidates, require_complete=complete)
    spans = []
    bound = {} if bindings is None else validate_bindings(bindings, MEMLEAF_UNITS, candidates)
    for candidate in candidates:
        for claim in bound.get(candidate["candidate_id"], ()):
            row = rows.get(claim["unit_id"], {"decision": None})
            named = candidate["candidate_id"] in (row.get("candidate_ids") or ())
            if row["decision"] is not None and not (row["decision"] == "CANDIDATE" and named):
                return "coverage_binding_conflict"
            spans.append((claim["unit_id"], claim["start"], claim["end"]))
        if candidate["candidate_id"] in bound:
            candidate["_evidence_bindings"] = bound[candidate["candidate_id"]]
    validate_coverage_bindings(rows, MEMLEAF_UNITS, candidates)
    accounted = set(rows)
    for candidate in candidates:
        accounted.update(unit.unit_id for unit in supporting_units(candidate, MEMLEAF_UNITS))
    missing = [unit.unit_id for unit in MEMLEAF_UNITS if unit.unit_id not in accounted]
    return sorted(spans), [(key, row["decision"]) for key, row in rows.items()], missing


def our_outcome(text: str, complete: bool) -> Any:
    result = check_response(
        text,
        turn_event_keys=EVENT_KEYS,
        units=OFFERED,
        require_complete=complete,
        known_memory_ids=KNOWN_MEMORY_IDS,
    )
    if not isinstance(result, GateAnswer):
        return result.identifier
    spans = sorted(
        (claim.unit_id, claim.start, claim.end)
        for binding in result.bindings
        for claim in binding.claims
    )
    decisions = [(row.unit_id, row.decision) for row in result.coverage]
    return spans, decisions, list(result.missing_unit_ids)


def outside_memleafs_rules(answer: Any) -> bool:
    """Whether memleaf lets pass, or fails on, what the contract does not allow at all.

    That is a reason that is no string on a CANDIDATE row, and candidate ids that are no list.
    """
    rows = answer.get("coverage")
    return isinstance(rows, list) and any(
        isinstance(row, dict)
        and (
            not isinstance(row.get("reason", ""), str | None)
            or not isinstance(row.get("candidate_ids", []), str | list)
        )
        for row in rows
    )


@settings(derandomize=True, max_examples=400, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_the_same_answers_are_refused_for_the_same_reason(seed: int, complete: bool) -> None:
    random = Random(seed)
    answer: Any = random_answer(random)
    for _ in range(random.choice((0, 1, 1, 1, 2, 3))):
        answer = mutated(answer, random)
    if outside_memleafs_rules(answer):
        return
    text = json.dumps(answer, ensure_ascii=random.random() < 0.5)
    assert our_outcome(text, complete) == memleaf_outcome(text, complete)
