"""Evidence records: ids, bounds, and how a validated claim becomes one (spec page 3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import MappingProxyType

from proofstone.domain import ids, secrets_found, support, trust
from proofstone.domain.conversation import Observation
from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_types import Claim, ClaimRole
from proofstone.domain.late_pattern import late_pattern
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Polarity,
    Redaction,
    TrustClass,
)
from proofstone.domain.secrets_found import Confidence

EXCERPT_LIMIT = 1000
SUMMARY_LIMIT = 300
"""Bounds in UTF-16 units, the count of the programs that share these records."""

_ID_DIGITS = 32
_HASH_DIGITS = 32

# What JavaScript calls white space, which the shared ids are made with.
_SPACES = late_pattern(
    "[\t\n\v\f\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+"
)

# An environment variable that is named after a secret and set to something of some length. Stricter
# than the secret finder, which lets through values that look made up: here a record is at stake
# that other programs read, and that refuse it for this.
_SECRET_VARIABLE = late_pattern(
    r"(?<![A-Z0-9_])(?=[A-Z0-9_]*(?:SECRET|PASSWORD|TOKEN|API_KEY|PRIVATE_KEY))[A-Z0-9_]{1,80}"
    r"\s{0,8}=\s{0,8}(?!\[)[^\s#'\"]{12}"
)

_RUN_TOOLS: frozenset[str] = frozenset(
    {
        *("bash", "shell", "sh", "zsh", "powershell", "cmd", "terminal", "exec", "execute"),
        *("command", "run", "test", "tests", "pytest", "jest", "vitest", "unittest", "tox"),
        *("build", "make", "cargo", "npm", "pnpm", "yarn", "gradle", "mvn", "lint", "ci"),
        *("python", "node", "script", "process"),
    }
)
_FILE_TOOLS: frozenset[str] = frozenset(
    {
        *("read", "view", "open", "cat", "file", "files", "grep", "rg", "glob", "ls", "list"),
        *("edit", "write", "patch", "diff", "repo", "repository", "git", "blame", "notebook"),
    }
)
_TOOL_WORD = late_pattern(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")

_OBSERVED_KINDS: Mapping[TrustClass, str] = MappingProxyType(
    {
        TrustClass.PASSING_TOOL_OR_TEST_OUTCOME: "test_result",
        TrustClass.REPOSITORY_TEXT: "file",
    }
)
_REDACTION_ORDER: Mapping[Redaction, int] = MappingProxyType(
    {Redaction.NONE: 0, Redaction.REDACTED: 1, Redaction.DELETED: 2}
)


def evidence_id(
    *,
    profile: str,
    source_kind: str,
    thread: str | None = None,
    session: str | None = None,
    source_ref: str = "",
    excerpt: str = "",
    summary: str = "",
) -> str:
    """The id of a record, from its content: 32 hex digits.

    ``thread`` and ``session`` are None when there is none, which an empty one is not.
    """
    place = thread if thread is not None else session if session is not None else "no-thread"
    content = _SPACES.sub(" ", excerpt or summary).strip(" ")
    joined = "\n".join((profile, place, source_kind, source_ref, content))
    return hashlib.sha256(ids.utf8(joined)).hexdigest()[:_ID_DIGITS]


def bounded(text: str, limit: int) -> str:
    """``text`` cut to ``limit`` UTF-16 units, never within a character."""
    if len(text) * 2 <= limit:
        return text
    units = 0
    for position, character in enumerate(text):
        units += 2 if character > "\uffff" else 1
        if units > limit:
            return text[:position]
    return text


def excerpt_hash(excerpt: str) -> str:
    """The first half of an excerpt's SHA-256; empty for no excerpt."""
    return hashlib.sha256(ids.utf8(excerpt)).hexdigest()[:_HASH_DIGITS] if excerpt else ""


def default_trust_class(
    claim: Claim,
    unit: EvidenceUnit,
    *,
    corrects: bool = False,
    observation: Observation | None = None,
) -> TrustClass:
    """The class that a claim starts with; the curator can change it before ratifying.

    ``corrects`` says that the candidate corrects an earlier memory. ``observation`` is the tool
    record that an external unit comes from, where it is at hand.
    """
    if unit.origin is Origin.EXTERNAL_OBSERVATION or unit.source_role == "external":
        return _observed_class(unit, observation)
    if claim.role is ClaimRole.SOURCE_EXCERPT:
        return TrustClass.THIRD_PARTY_DOCUMENTATION
    if corrects or claim.role is ClaimRole.USER_CONFIRMATION:
        return TrustClass.USER_CORRECTION
    return TrustClass.DIRECT_USER_INSTRUCTION


def record_from_claim(
    claim: Claim,
    unit: EvidenceUnit,
    *,
    profile: str,
    session: str,
    source_ref: str,
    scopes: tuple[str, ...],
    created: str,
    corrects: bool = False,
    thread: str = "",
    observation: Observation | None = None,
    durability: Durability = Durability.UNKNOWN,
    polarity: Polarity = Polarity.SUPPORTS,
) -> EvidenceRecord:
    """The record of a validated claim. ``start`` and ``end`` stay offsets within the unit's text.

    The summary names the tool and the sections that the quote stands under, so that it adds no
    words of its own to what check 1 measures.
    """
    trust_class = default_trust_class(claim, unit, corrects=corrects, observation=observation)
    place = (*((unit.tool_name,) if unit.tool_name else ()), *unit.section_path)
    return completed(
        EvidenceRecord(
            evidence_id="",
            source_kind=_source_kind(unit, claim, trust_class),
            trust_class=trust_class,
            source_ref=source_ref,
            source_session=session,
            source_thread=thread,
            source_summary=" › ".join(place),
            source_excerpt=claim.quote,
            durability_signal=durability,
            polarity=polarity,
            profile=profile,
            scopes=scopes,
            unit_id=unit.unit_id,
            start=claim.start,
            end=claim.end,
            created=created,
        )
    )


def completed(record: EvidenceRecord) -> EvidenceRecord:
    """The record with its words bounded, and its hash and id made where they are missing.

    An empty thread or session means that there is none.
    """
    excerpt = bounded(record.source_excerpt, EXCERPT_LIMIT)
    summary = bounded(record.source_summary, SUMMARY_LIMIT)
    return replace(
        record,
        evidence_id=record.evidence_id
        or evidence_id(
            profile=record.profile,
            thread=record.source_thread or None,
            session=record.source_session or None,
            source_kind=record.source_kind,
            source_ref=record.source_ref,
            excerpt=excerpt,
            summary=summary,
        ),
        source_excerpt=excerpt,
        source_summary=summary,
        excerpt_hash=excerpt_hash(excerpt) or record.excerpt_hash,
    )


def holds_secret(record: EvidenceRecord) -> bool:
    """Whether a record's words hold what is surely a secret, so that it must not be stored."""
    text = text_of(record)
    return bool(_SECRET_VARIABLE.search(text)) or any(
        found.confidence is Confidence.HIGH for found in secrets_found.find(text)
    )


def redacted(record: EvidenceRecord, status: Redaction = Redaction.REDACTED) -> EvidenceRecord:
    """The record without its words. ``status`` is ``DELETED`` after a privacy purge.

    A hash of the excerpt goes too: it would let the words be guessed.
    """
    return replace(
        record,
        source_summary="",
        source_excerpt="",
        excerpt_hash="",
        start=None,
        end=None,
        redaction_status=max(status, record.redaction_status, key=_REDACTION_ORDER.__getitem__),
    )


def by_id(records: Iterable[EvidenceRecord]) -> dict[str, EvidenceRecord]:
    """Records by id. Where a store holds two of one id, the more redacted one counts."""
    found: dict[str, EvidenceRecord] = {}
    for record in records:
        present = found.get(record.evidence_id)
        if (
            present is None
            or _REDACTION_ORDER[record.redaction_status]
            > _REDACTION_ORDER[present.redaction_status]
        ):
            found[record.evidence_id] = record
    return found


def text_of(record: EvidenceRecord) -> str:
    """The words of a record that a statement is measured against."""
    return f"{record.source_summary} {record.source_excerpt}"


def independent(records: Iterable[EvidenceRecord]) -> int:
    """How many of the records corroborate each other: of different sessions or days.

    Records that name neither count as one, since nothing shows them to be two.
    """
    whole = [
        record
        for record in records
        if record.polarity is Polarity.SUPPORTS and record.redaction_status is Redaction.NONE
    ]
    sessions = {record.source_session for record in whole if record.source_session}
    days = {record.created[:10] for record in whole if record.created}
    return max(len(sessions), len(days), min(len(whole), 1))


def primary_trust_class(statement: str, records: Iterable[EvidenceRecord]) -> TrustClass | None:
    """The class that a statement takes from its records, until a person says otherwise.

    The strongest class of a record that supports the statement by itself. Where none does, the
    weakest of them: a user's "yes" must not lend its weight to a document's words.
    """
    cited = [record for record in records if record.polarity is not Polarity.CONTRADICTS]
    if not cited:
        return None
    supporting = [
        record.trust_class
        for record in cited
        if support.measure(statement, [text_of(record)], short_words=True).is_enough
    ]
    if supporting:
        return max(supporting, key=_weight)
    return min((record.trust_class for record in cited), key=_weight)


def _weight(trust_class: TrustClass) -> float:
    return trust.TRUST[trust_class].weight


def _observed_class(unit: EvidenceUnit, observation: Observation | None) -> TrustClass:
    words = _tool_words(unit, observation)
    if words & _RUN_TOOLS:
        return TrustClass.PASSING_TOOL_OR_TEST_OUTCOME
    if words & _FILE_TOOLS:
        return TrustClass.REPOSITORY_TEXT
    return TrustClass.SINGLE_SESSION_OBSERVATION


def _tool_words(unit: EvidenceUnit, observation: Observation | None) -> set[str]:
    name = (observation.tool_name if observation else "") or unit.tool_name or ""
    return {word.lower() for word in _TOOL_WORD.findall(name)}


def _source_kind(unit: EvidenceUnit, claim: Claim, trust_class: TrustClass) -> str:
    if unit.source_role == "external":
        return _OBSERVED_KINDS.get(trust_class, "tool_result")
    if claim.role is ClaimRole.SOURCE_EXCERPT:
        return "external_document"
    return "conversation"
