"""Runners for trust.json: trust, evidence records, the verifier, matching and keys.

The cases were taken from pi-persistent-intelligence, whose rules ours go beyond (spec page 3). An
adapter gives our functions what the source looks at and no more: evidence that is there, the ids
that it asks tombstones for, letters ``a-z0-9`` where it knows no others. Nothing is changed in
what comes out, apart from its names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from proofstone.domain import evidence_records, governance, ids, normalized_key, trust
from proofstone.domain.matching import MatchResult, MemoryIndex, match
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Layer,
    MatchKind,
    Memory,
    Proposal,
    Redaction,
    Standing,
    Tombstone,
    TrustClass,
)
from proofstone.domain.verification import Eligibility, VerificationStatus
from proofstone.domain.verifier import TombstoneIndex, verify

Document = Mapping[str, Any]
Case = Mapping[str, Any]
Outcome = tuple[Any, Any]

_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def _trust_class(name: str | None) -> TrustClass | None:
    """``unknown``, which only the source has, is no class here."""
    return TrustClass(name) if name in set(TrustClass) else None


def _layer(name: str | None) -> Layer:
    return Layer.L1 if name == "L1" else Layer.L2


def _durability(name: str | None) -> Durability | None:
    return None if name is None else Durability(name)


def _latin(text: str) -> str:
    """What the source sees of a text: it takes every other letter for a gap between words."""
    return _NOT_ASCII.sub(" ", text)


def _weight(_document: Document, case: Case) -> Outcome:
    rule = trust.rule_for(_trust_class(case["input"]["trust_class"]))
    return case["expected"], {"weight": rule.weight}


def _promotion(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    eligibility = trust.promotion_eligibility(
        _layer(given.get("layer")),
        _trust_class(given["trust_class"]),
        _durability(given.get("durability")),
    )
    return case["expected"], {"promotion_eligibility": eligibility}


def _poisoning(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    risk, reasons = trust.poisoning(
        _trust_class(given["trust_class"]), _durability(given.get("durability"))
    )
    return case["expected"], {"risk": risk, "reason_count": len(reasons), "reasons": reasons}


def _metadata(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    trust_class = _trust_class(given["trust_class"])
    durability = _durability(given["durability"])
    risk, reasons = trust.poisoning(trust_class, durability)
    found = {
        "primary_trust_class": given["trust_class"],
        "source_trust_weight": trust.rule_for(trust_class).weight,
        "durability_signal": durability,
        "promotion_eligibility": trust.promotion_eligibility(
            _layer(given.get("layer")), trust_class, durability
        ),
        "poisoning_risk": risk,
        "poisoning_risk_reasons": reasons,
    }
    return case["expected"], _only_asked(found, case)


def _only_asked(found: Mapping[str, Any], case: Case) -> dict[str, Any]:
    """The fields that the case expects, as how_to_read says."""
    return {name: value for name, value in found.items() if name in case["expected"]}


_METADATA_FIELDS = (
    "primary_trust_class",
    "durability_signal",
    "promotion_eligibility",
    "poisoning_risk",
)


def _auto_apply(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    candidate = given["candidate"]
    mode: governance.Governance = given.get("governance_mode", "compatibility")
    has_metadata = any(candidate.get(name) for name in _METADATA_FIELDS)
    status = candidate.get("verification_status")
    promotion = candidate.get("promotion_eligibility")
    facts = governance.Facts(
        has_metadata=has_metadata,
        trust_class=_trust_class(candidate.get("primary_trust_class")),
        durability=_durability(candidate.get("durability_signal")),
        # auto_apply_l2 is the source's former name for auto_candidate.
        eligibility=Eligibility("auto_candidate" if promotion == "auto_apply_l2" else promotion)
        if promotion
        else None,
        # The source knows high risk only, and counts no corroboration.
        risk="high" if candidate.get("poisoning_risk") == "high" else "low",
        independent=governance.CORROBORATION,
        # Without metadata it lets a candidate through before it looks at the verification.
        status=VerificationStatus(status)
        if status and (has_metadata or mode == "strict")
        else None,
        match_kind=MatchKind(candidate["match_kind"]) if candidate.get("match_kind") else None,
        evidence=len(candidate.get("evidence_ids") or ()),
    )
    found = {
        "eligible": not governance.reasons_for_review(facts, mode),
        "has_trust_metadata": has_metadata,
    }
    return case["expected"], found


def _evidence_id(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    found = evidence_records.evidence_id(
        profile=given["profile_id"],
        thread=given.get("thread_id"),
        session=given.get("source_session_id"),
        source_kind=given["source_kind"],
        source_ref=given.get("source_ref", ""),
        excerpt=given.get("source_excerpt", ""),
        summary=given.get("source_summary", ""),
    )
    return case["expected"], {"id": found}


def _bounded(limit: int) -> Callable[[Document, Case], Outcome]:
    def run(_document: Document, case: Case) -> Outcome:
        cut = evidence_records.bounded(case["input"]["text"], limit)
        return case["expected"], {"length": len(cut.encode("utf-16-le", "surrogatepass")) // 2}

    return run


def _record(row: Mapping[str, Any]) -> EvidenceRecord:
    return EvidenceRecord(
        evidence_id=row["id"],
        source_kind=row["source_kind"],
        trust_class=_trust_class(row["trust_class"]) or TrustClass.AGENT_INFERENCE,
        source_ref=row.get("source_ref") or row.get("source_file") or row.get("source_tool") or "",
        source_session=row.get("source_session_id", ""),
        source_thread=row.get("thread_id", ""),
        source_summary=row["source_summary"],
        source_excerpt=row.get("source_excerpt", ""),
        excerpt_hash=row.get("excerpt_hash", ""),
        durability_signal=_durability(row.get("durability_signal")) or Durability.UNKNOWN,
        redaction_status=Redaction(row.get("redaction_status", "none")),
        profile=row["profile_id"],
        created=row["created_at"],
    )


def _normalized(row: Mapping[str, Any]) -> dict[str, Any]:
    record = evidence_records.completed(_record(row))
    found = {
        **row,
        "id": record.evidence_id,
        "source_summary": record.source_summary,
        "redaction_status": record.redaction_status,
        "related_memory_ids": row.get("related_memory_ids", []),
    }
    if "source_excerpt" in row:
        found["source_excerpt"] = record.source_excerpt
    if record.excerpt_hash:
        found["excerpt_hash"] = record.excerpt_hash
    return found


def _normalize(_document: Document, case: Case) -> Outcome:
    return case["expected"], _normalized(case["input"]["record"])


def _append(_document: Document, case: Case) -> Outcome:
    row = case["input"]["record"]
    if evidence_records.holds_secret(_record(row)):
        return case["expected"], {"blocked": True}
    return case["expected"], _only_asked({"blocked": False, **_normalized(row)}, case)


def _scopes(candidate: Mapping[str, Any]) -> tuple[str, ...]:
    """A candidate's scope is the last folder of the directory that it was made in."""
    directory = candidate["source"].get("cwd")
    if not directory:
        return ("global",)
    folders = [folder for folder in re.split(r"[\\/]", directory) if folder]
    return (f"project:{_latin(folders[-1])}" if folders else "project",)


def _proposal(candidate: Mapping[str, Any]) -> Proposal:
    return Proposal(
        proposal_id=candidate["id"],
        statement=_latin(candidate["text"]),
        tags=tuple(map(_latin, candidate["tags"])),
        scopes=_scopes(candidate),
        profile=candidate.get("profile_id", ""),
        rule_type=candidate.get("ruleType", ""),
        normalized_key=candidate.get("normalized_key", ""),
        evidence=tuple(candidate.get("evidence_ids") or ()),
        trust_class=_trust_class(candidate.get("primary_trust_class")),
        durability_signal=_durability(candidate.get("durability_signal")),
        poisoning_risk=candidate.get("poisoning_risk", ""),
    )


def _memory(row: Mapping[str, Any]) -> Memory:
    scope = row.get("scope") or {"type": "global"}
    reference = scope.get("project") or "+".join(scope.get("domains") or ())
    standing = row["status"]
    return Memory(
        memory_id=row["id"],
        statement=_latin(row["statement"]),
        tags=tuple(map(_latin, row["tags"])),
        scopes=(f"{scope['type']}:{_latin(reference)}" if reference else scope["type"],),
        profile=row.get("profile_id", ""),
        rule_type=row.get("ruleType", ""),
        normalized_key=row.get("normalized_key", ""),
        layer=_layer(row["layer"]),
        # A promoted record is no longer active here either.
        standing=Standing(standing) if standing in set(Standing) else Standing.DEPRECATED,
        superseded_by=tuple(row.get("superseded_by") or ()),
    )


def _proposal_key(_document: Document, case: Case) -> Outcome:
    return case["expected"], {"key": normalized_key.key_of(_proposal(case["input"]["candidate"]))}


def _memory_key(_document: Document, case: Case) -> Outcome:
    return case["expected"], {"key": normalized_key.key_of(_memory(case["input"]["record"]))}


def _key_part(_document: Document, case: Case) -> Outcome:
    return case["expected"], {"normalized": normalized_key.part(_latin(case["input"]["input"]))}


def _key(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    found = normalized_key.create(
        profile=_latin(given["profile_id"]),
        scope_level=_latin(given["scope_level"]),
        scope_reference=_latin(given["scope_ref"]),
        topic=_latin(given["topic"]),
        rule_type=_latin(given.get("ruleType", "")),
    )
    return case["expected"], {"key": found}


def _topic(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    found = normalized_key.topic(map(_latin, given.get("tags", ())), _latin(given["statement"]))
    return case["expected"], {"topic": found}


def _slug(_document: Document, case: Case) -> Outcome:
    return case["expected"], {"slug": normalized_key.project_slug(case["input"]["project"])}


def _memory_id(_document: Document, case: Case) -> Outcome:
    return case["expected"], {"memory_id": ids.memory_id_for(case["input"]["candidate_id"])}


def _matched(given: Mapping[str, Any]) -> MatchResult:
    return match(_proposal(given["candidate"]), MemoryIndex.of(map(_memory, given["records"])))


def _match(_document: Document, case: Case) -> Outcome:
    found = _matched(case["input"])
    # The source lists memories as its store does, ours by id.
    stored = [row["id"] for row in case["input"]["records"]]
    return case["expected"], {
        "match_kind": found.kind,
        "matched_memory_ids": sorted(found.matched, key=stored.index),
        "normalized_key": found.normalized_key,
    }


def _apply_match(_document: Document, case: Case) -> Outcome:
    candidate = case["input"]["candidate"]
    found = _matched(case["input"])
    applied = {**candidate, "normalized_key": found.normalized_key}
    if not candidate.get("match_kind"):
        applied["match_kind"] = found.kind
        applied["matched_memory_ids"] = found.matched
        applied["match_reasons"] = found.reasons
    return case["expected"], _only_asked(applied, case)


def _verify(_document: Document, case: Case) -> Outcome:
    given = case["input"]
    candidate = given["candidate"]
    proposal = _proposal(candidate)
    records = evidence_records.by_id(
        replace(
            _record(row),
            source_summary=_latin(row["source_summary"]),
            source_excerpt=_latin(row.get("source_excerpt", "")),
            profile="",
        )
        for row in given["evidence"]
    )
    # The source misses evidence only when all of it is gone.
    present = tuple(id for id in proposal.evidence if id in records)
    report = verify(
        replace(proposal, evidence=present or proposal.evidence),
        records=records,
        match=MatchResult(kind=MatchKind(candidate.get("match_kind", "new")), normalized_key=""),
        tombstones=TombstoneIndex.of(
            Tombstone(
                tombstone_id=row["id"],
                deleted_id=row["deleted_record_id"],
                deleted_at=row["deleted_at"],
            )
            for row in given["tombstones"]
        ),
        governance="compatibility",
        predates_metadata=not (
            any(candidate.get(name) for name in (*_METADATA_FIELDS, "match_kind"))
            or candidate.get("evidence_ids") is not None
        ),
    )
    supported = report.status in (
        VerificationStatus.VERIFIED,
        VerificationStatus.LEGACY_UNVERIFIED,
    )
    found = {
        "supported": supported,
        "verification_status": report.status,
        "failure_reasons": report.failure_reasons,
        "scope_supported": "scope_unsupported" not in report.failure_reasons,
        "durability_supported": "temporary_durability" not in report.failure_reasons,
        "poisoning_risk": report.poisoning_risk,
        "requires_human_review": not supported,
    }
    if candidate.get("primary_trust_class"):
        found["trust_class"] = candidate["primary_trust_class"]
    return case["expected"], found


RUNNERS: Mapping[str, Callable[[Document, Case], Outcome]] = {
    "getTrustWeight": _weight,
    "inferPromotionEligibility": _promotion,
    "inferPoisoningRisk": _poisoning,
    "buildCandidateTrustMetadata": _metadata,
    "isAutoApplyEligibleCandidate": _auto_apply,
    "createEvidenceId": _evidence_id,
    "boundSourceExcerpt": _bounded(evidence_records.EXCERPT_LIMIT),
    "boundSourceSummary": _bounded(evidence_records.SUMMARY_LIMIT),
    "normalizeEvidenceRecord": _normalize,
    "appendEvidenceRecord": _append,
    "normalizeMemoryKeyInput": _key_part,
    "createMemoryKey": _key,
    "inferMemoryTopic": _topic,
    "slugifyProject": _slug,
    "memoryIdFromCandidateId": _memory_id,
    "getCandidateMemoryKey": _proposal_key,
    "getRecordMemoryKey": _memory_key,
    "matchCandidateToRecords": _match,
    "applyCandidateMatch": _apply_match,
    "verifyCandidate": _verify,
}
