"""What the identifiers of a refused Gate answer mean, in words (spec page 2)."""

from __future__ import annotations

from collections.abc import Mapping

from proofstone.domain.gate_types import EvidenceCheck, ValidationDetail, ValidationReason

MEANINGS: Mapping[str, str] = {
    EvidenceCheck.COVERAGE_SHAPE: "a coverage row does not have the contract's form",
    EvidenceCheck.UNKNOWN_UNIT: "it names a unit that was not offered",
    EvidenceCheck.DUPLICATE_COVERAGE: "a unit has two rows",
    EvidenceCheck.COVERAGE_CANDIDATE: "a candidate row names no candidate that is there",
    EvidenceCheck.EVENT_MISMATCH: "a row ties a unit to a candidate that does not name its event",
    EvidenceCheck.INVALID_REASON: "a reason is none that the contract knows",
    EvidenceCheck.INCOMPLETE_COVERAGE: "a physical unit has no row",
    EvidenceCheck.BINDING_SHAPE: "a binding does not have the contract's form",
    EvidenceCheck.INVALID_SPAN: "a quote is not found exactly where it is said to stand",
    EvidenceCheck.BINDING_SCOPE: "a quote is from words that may not support the candidate",
    EvidenceCheck.COVERAGE_BINDING_CONFLICT: "rows and bindings disagree on what supports what",
    EvidenceCheck.CANDIDATE_EVIDENCE: "a candidate rests on no event of this turn",
    ValidationDetail.ROOT_SHAPE: "it is no object with the three lists of the contract",
    ValidationDetail.MISSING_FIELDS: "a field is missing",
    ValidationDetail.UNKNOWN_FIELDS: "it has a field that the contract does not know",
    ValidationDetail.CANDIDATE_SHAPE: "a candidate does not have the contract's form",
    ValidationDetail.DUPLICATE_CANDIDATE_ID: "two candidates have the same id",
    ValidationDetail.INVALID_FLAGS: "worth and duplicate contradict each other",
    ValidationDetail.INVALID_TYPE: "a type is none that the contract knows",
    ValidationDetail.INVALID_SCOPE: "a scope is none that the contract knows",
    ValidationDetail.INVALID_SCOPE_SOURCE: "where a scope comes from is not said rightly",
    ValidationDetail.INVALID_UPDATE_TARGET: "the memory to update is not in force",
    ValidationDetail.INVALID_DUPLICATE_TARGET: "the memory that is repeated is not in force",
    ValidationDetail.DUPLICATE_UPDATE_TARGET: "two candidates are about the same memory",
    ValidationDetail.REASON_TOO_LONG: "a candidate's reason is too long",
    ValidationReason.EMPTY_CONTENT: "there was no answer",
    ValidationReason.INVALID_JSON: "it is no JSON",
}
"""One short clause for each identifier of the closed lists."""


def meaning(identifier: str) -> str:
    """What an identifier means; of an unknown one, only that it is a refusal."""
    return MEANINGS.get(identifier, "it broke the contract")
