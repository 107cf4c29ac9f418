"""The values of the Gate's contract (spec page 2, The Gate's contract)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Decision(StrEnum):
    """What the Gate decided for one physical unit."""

    CANDIDATE = "CANDIDATE"
    NO_CHANGE = "NO_CHANGE"
    DEFERRED = "DEFERRED"


class ClaimRole(StrEnum):
    """In what capacity a quote supports a candidate."""

    ASSERTION = "assertion"
    SOURCE_EXCERPT = "source_excerpt"
    USER_CONFIRMATION = "user_confirmation"


class EvidenceCheck(StrEnum):
    """The closed list of reasons why an answer breaks the evidence contract."""

    COVERAGE_SHAPE = "coverage_shape"
    UNKNOWN_UNIT = "unknown_unit"
    DUPLICATE_COVERAGE = "duplicate_coverage"
    COVERAGE_CANDIDATE = "coverage_candidate"
    EVENT_MISMATCH = "event_mismatch"
    INVALID_REASON = "invalid_reason"
    INCOMPLETE_COVERAGE = "incomplete_coverage"
    BINDING_SHAPE = "binding_shape"
    INVALID_SPAN = "invalid_span"
    BINDING_SCOPE = "binding_scope"
    COVERAGE_BINDING_CONFLICT = "coverage_binding_conflict"
    CANDIDATE_EVIDENCE = "candidate_evidence"


class ValidationDetail(StrEnum):
    """The closed list of faults in an answer that lie outside the evidence contract."""

    ROOT_SHAPE = "root_shape"
    MISSING_FIELDS = "missing_fields"
    UNKNOWN_FIELDS = "unknown_fields"
    CANDIDATE_SHAPE = "candidate_shape"
    DUPLICATE_CANDIDATE_ID = "duplicate_candidate_id"
    INVALID_FLAGS = "invalid_flags"
    INVALID_TYPE = "invalid_type"
    INVALID_SCOPE = "invalid_scope"
    INVALID_SCOPE_SOURCE = "invalid_scope_source"
    INVALID_UPDATE_TARGET = "invalid_update_target"
    INVALID_DUPLICATE_TARGET = "invalid_duplicate_target"
    DUPLICATE_UPDATE_TARGET = "duplicate_update_target"
    REASON_TOO_LONG = "reason_too_long"


class ValidationReason(StrEnum):
    """Why a text could not be read as an answer at all."""

    EMPTY_CONTENT = "empty_content"
    INVALID_JSON = "invalid_json"


NO_CHANGE_REASONS: tuple[str, ...] = (
    "query_only",
    "assistant_restatement",
    "retrieved_memory_only",
    "no_future_value",
    "exact_duplicate",
    "quoted_or_example",
    "negated",
    "already_completed",
)
DEFERRED_REASONS: tuple[str, ...] = (
    "scope_ambiguous",
    "scope_conflict",
    "ownership_ambiguous",
    "target_ambiguous",
    "coverage_unresolved",
)
CANDIDATE_TYPES: tuple[str, ...] = (
    "preference",
    "fact",
    "project",
    "todo",
    "event",
    "identity",
    "other",
)
SCOPE_SOURCES: tuple[str, ...] = ("model", "user", "session_context", "insufficient_context")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A statement that the Gate offers. ``type`` is None only when ``worth`` is false."""

    candidate_id: str
    memory: str
    evidence_event_ids: tuple[str, ...]
    worth: bool
    duplicate: bool
    type: str | None
    scopes: tuple[str, ...]
    scope_source: str
    update_memory_id: str | None = None
    duplicate_memory_id: str | None = None
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageRow:
    """The Gate's accounting of one unit; a CANDIDATE row needs no ``reason``."""

    unit_id: str
    decision: Decision
    candidate_ids: tuple[str, ...] = ()
    reason: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """An exact quote; ``start`` and ``end`` are character offsets within the unit's text."""

    unit_id: str
    quote: str
    role: ClaimRole
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Binding:
    """All claims of one candidate."""

    candidate_id: str
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GateAnswer:
    """An answer that kept the contract. ``missing_unit_ids`` have no row yet."""

    candidates: tuple[Candidate, ...] = ()
    coverage: tuple[CoverageRow, ...] = ()
    bindings: tuple[Binding, ...] = ()
    missing_unit_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRefusal:
    """All that is kept of a refused answer, apart from the time: identifiers from closed lists.

    ``stage`` is ``gate``, ``correction`` or ``stored``: which answer it was.
    """

    stage: str
    evidence_check: str | None = None
    validation_detail: str | None = None
    validation_reason: str | None = None

    @property
    def identifier(self) -> str:
        """The one identifier that says why."""
        return (
            self.evidence_check
            or self.validation_detail
            or self.validation_reason
            or "invalid_response"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CleanedEvent:
    """An event whose text was removed: its key, its role (``user``, ``assistant``), its time."""

    event_key: str
    role: str
    timestamp: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """What is kept of a settled turn whose captured text was removed: ids and reasons, no words.

    ``dispositions`` are those of the whole inventory, in its order; ``at`` is when the text was
    removed, ``by`` who did it and ``ruling`` the journal's id of it.
    """

    at: str
    by: str
    ruling: str
    source: str
    session_id: str
    turn_index: int
    turn_id: str = ""
    events: tuple[CleanedEvent, ...] = ()
    dispositions: tuple[UnitDisposition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateRecord:
    """What the vault holds of the Gate for one turn: the accepted answer and past refusals.

    ``corrected_at`` is when the one correction of the answer came, accepted or refused; empty when
    none has come. ``prompt_digest`` is the SHA-256 of the prompt that was sent, where it was sent
    by Proofstone itself.
    """

    turn: str
    answer: GateAnswer | None = None
    answered_by: str = ""
    answered_by_kind: str = "model"
    answered_at: str = ""
    inventory_digest: str = ""
    prompt_digest: str = ""
    corrected_at: str = ""
    refusals: tuple[tuple[str, GateRefusal], ...] = ()
    path: str = ""
    revision: str = ""
    turn_key: str = ""
    cleaned: Cleaned | None = None
    """Set once the turn's captured text was removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDisposition:
    """What becomes of one unit, whole inventory, in inventory order."""

    unit_id: str
    event_key: str
    decision: Decision
    reason: str
    candidate_ids: tuple[str, ...] = ()


class TurnState(StrEnum):
    """What becomes of a turn (spec page 2, What becomes of the turn)."""

    INCOMPLETE = "incomplete"
    """It cannot be paired, so it cannot be put before the Gate."""
    WAITING = "waiting"
    """Complete, and no Gate answer yet."""
    REFUSED = "refused"
    """The last answer broke the contract and none was accepted."""
    OPEN = "open"
    """Something is deferred, unresolved, or still waits for a ruling."""
    SETTLED = "settled"
    """Every unit is a candidate or no change, and every proposal is ruled on."""
