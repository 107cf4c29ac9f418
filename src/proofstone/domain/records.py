"""Memories, proposals, evidence records, tombstones and inquiries (spec pages 3 and 5).

``revision`` is the SHA-256 of the file's bytes as they were read: a ruling is refused when the
file on disk is no longer that one. ``path`` is relative to the vault, with forward slashes.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from proofstone.domain.gate_types import Claim
from proofstone.domain.holdings import Holdings as Holdings
from proofstone.domain.holdings import Problem as Problem


class Layer(StrEnum):
    """L1 is identity, L2 the playbook."""

    L1 = "L1"
    L2 = "L2"


class Standing(StrEnum):
    """Where a memory stands. The last two occur in history only."""

    ACTIVE = "active"
    CONTESTED = "contested"
    DEPRECATED = "deprecated"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


class ProposalStatus(StrEnum):
    """Where a proposal stands; only the first two are still in the queue."""

    OPEN = "open"
    DEFERRED = "deferred"
    RATIFIED = "ratified"
    SUPERSEDING = "superseding"
    DISMISSED = "dismissed"
    TOMBSTONED = "tombstoned"


class TrustClass(StrEnum):
    """Where a claim's authority comes from, strongest first."""

    DIRECT_USER_INSTRUCTION = "direct_user_instruction"
    USER_CORRECTION = "user_correction"
    REPEATED_USER_PREFERENCE = "repeated_user_preference"
    ACCEPTED_CODE_REVIEW_OUTCOME = "accepted_code_review_outcome"
    EXISTING_PROJECT_CONVENTION = "existing_project_convention"
    PASSING_TOOL_OR_TEST_OUTCOME = "passing_tool_or_test_outcome"
    AGENT_INFERENCE = "agent_inference"
    SINGLE_SESSION_OBSERVATION = "single_session_observation"
    REPOSITORY_TEXT = "repository_text"
    GENERATED_CONTENT = "generated_content"
    THIRD_PARTY_DOCUMENTATION = "third_party_documentation"


class Durability(StrEnum):
    """How long a claim is meant to hold."""

    TEMPORARY = "temporary"
    TASK = "task"
    SESSION = "session"
    PROJECT = "project"
    REPOSITORY = "repository"
    USER_GLOBAL = "user_global"
    LONG_TERM = "long_term"
    UNKNOWN = "unknown"


class Polarity(StrEnum):
    """What a record says of the statement that cites it."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    QUALIFIES = "qualifies"


class Redaction(StrEnum):
    """Whether a record's text is still there."""

    NONE = "none"
    REDACTED = "redacted"
    DELETED = "deleted"


class MatchKind(StrEnum):
    """How a proposal stands to what is already held (spec page 3, Matching)."""

    NEW = "new"
    DUPLICATE = "duplicate"
    POTENTIAL_CONFLICT = "potential_conflict"
    UPDATES_EXISTING = "updates_existing"
    STRENGTHENS_EXISTING = "strengthens_existing"
    SUPERSEDES_EXISTING = "supersedes_existing"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReference:
    """One event that a memory came from, as memleaf writes it."""

    event_key: str = ""
    session_id: str = ""
    turn_id: str = ""
    conversation_title: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Review:
    """When a memory is to be looked at again, and what would change it."""

    cadence_days: int | None = None
    next_review: str = ""
    change_condition: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ratification:
    """Who put a memory in force, when (RFC 3339), and by which ruling."""

    by: str
    at: str
    ruling: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Deferral:
    """Why a proposal waits, and the date (YYYY-MM-DD) on which it returns to the queue."""

    reason: str
    note: str = ""
    until: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """What proposals and memories share: the words and everything that describes them."""

    statement: str
    title: str = ""
    layer: Layer = Layer.L2
    scopes: tuple[str, ...] = ("global",)
    scope_source: str = ""
    type: str = "other"
    tags: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    profile: str = ""
    kind: str = ""
    rule_type: str = ""
    normalized_key: str = ""
    confidence: float | None = None
    stability: str = ""
    evidence: tuple[str, ...] = ()
    trust_class: TrustClass | None = None
    durability_signal: Durability | None = None
    poisoning_risk: str = ""
    verification: str = ""
    applies_when: tuple[str, ...] = ()
    does_not_apply_when: tuple[str, ...] = ()
    known_exceptions: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    source: str = ""
    anchor: str = ""
    anchor_hash: str = ""
    content_hash: str = ""
    valid_from: str = ""
    valid_to: str = ""
    event_at: str = ""
    event_from: str = ""
    event_to: str = ""
    evidence_state: str = ""
    proof_hint: str = ""
    stale_if: str = ""
    tainted: bool = False
    sources: tuple[SourceReference, ...] = ()
    created: str = ""
    updated: str = ""
    due_date: str = ""
    path: str = ""
    revision: str = ""

    @property
    def project(self) -> str:
        """The first project that the scopes name, or an empty string."""
        for scope in self.scopes:
            level, _, reference = scope.partition(":")
            if level == "project":
                return reference
        return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory(Statement):
    """A statement in force, or in history an earlier version of one."""

    memory_id: str
    standing: Standing = Standing.ACTIVE
    superseded_by: tuple[str, ...] = ()
    review: Review | None = None
    ratified: Ratification | None = None
    hit_count: int = 0
    todo_status: str = ""
    active_memory_id: str = ""
    archived_at: str = ""
    invalidated_reason: str = ""

    @property
    def is_retracted(self) -> bool:
        """Whether another program took its words back and left the note without any."""
        return self.standing is Standing.DEPRECATED and not self.statement.strip()

    @property
    def is_reviewed(self) -> bool:
        """Whether a person has ratified it, or nothing of it is left to be reviewed."""
        return self.ratified is not None or self.is_retracted

    @property
    def is_history(self) -> bool:
        """Whether this is an earlier version, kept under its own ``hist-`` id."""
        return bool(self.archived_at or self.active_memory_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal(Statement):
    """A statement that waits for a ruling, or has been ruled on."""

    proposal_id: str
    status: ProposalStatus = ProposalStatus.OPEN
    origin: str = "gate"
    candidate_id: str = ""
    turn: str = ""
    bindings: tuple[Claim, ...] = ()
    update_memory_id: str = ""
    match_kind: MatchKind | None = None
    matched: tuple[str, ...] = ()
    deferred: Deferral | None = None
    original_statement: str = ""
    counterexamples: tuple[str, ...] = ()
    l1_sources: tuple[str, ...] = ()
    memory_id: str = ""
    ruled_by: str = ""
    ruled_at: str = ""
    ruling: str = ""
    ruling_reason: str = ""

    @property
    def is_waiting(self) -> bool:
        """Whether it still waits for a ruling, now or on a later date."""
        return self.status in (ProposalStatus.OPEN, ProposalStatus.DEFERRED)


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceRecord:
    """A stored support for a claim (spec page 3, Evidence record)."""

    evidence_id: str
    source_kind: str
    trust_class: TrustClass
    source_ref: str = ""
    source_session: str = ""
    source_thread: str = ""
    source_summary: str = ""
    source_excerpt: str = ""
    excerpt_hash: str = ""
    durability_signal: Durability = Durability.UNKNOWN
    polarity: Polarity = Polarity.SUPPORTS
    redaction_status: Redaction = Redaction.NONE
    profile: str = ""
    scopes: tuple[str, ...] = ()
    unit_id: str = ""
    start: int | None = None
    end: int | None = None
    created: str = ""
    memory_ids: tuple[str, ...] = ()
    path: str = ""
    revision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """A content-free marker that keeps something from coming back."""

    tombstone_id: str
    deleted_id: str
    deleted_at: str
    mode: str = "audit_preserving"
    reason: str = "other"
    by: str = ""
    content_hash: str = ""
    content_hmac: str = ""
    path: str = ""
    revision: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """An open question raised by a conflict, a supersession or an ambiguous match."""

    inquiry_id: str
    question: str
    context: str = ""
    concerns: tuple[str, ...] = ()
    priority: str = "medium"
    status: str = "open"
    opened: str = ""
    answered: str = ""
    answer: str = ""
    path: str = ""
    revision: str = ""
