"""What is left of purged things in a pi-persistent-intelligence root (store-formats.md).

The shapes are those that PI itself leaves, and that its own code reads: ids, dates and names from
closed lists, and nothing that anybody said.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from proofstone.domain import ids, purging
from proofstone.stores import json_values
from proofstone.stores.json_values import text, texts
from proofstone.stores.pi_files import DELETED, PURGED

Json = dict[str, Any]

_CHANGE_CONDITION = "Never: it was purged."
"""PI takes no record without one."""
_KEPT_OF_RECORD = (
    *("id", "layer", "profile_id", "resource_id", "scope", "confidence", "stability"),
    *("created_at", "supersedes", "superseded_by", "ruleType", "memory_kind"),
)
_KEPT_OF_EVIDENCE = (
    *("id", "resource_id", "profile_id", "thread_id", "created_at", "source_kind"),
    *("source_session_id", "source_file", "source_tool", "source_ref", "trust_class", "polarity"),
    "durability_signal",
)
_KEPT_OF_PROPOSED = ("id", "proposed_layer", "profile_id", "source_l2_ids", "promotion_eligibility")


def record(value: Mapping[str, Any], stone: str, date: str) -> Json:
    """A record, deleted; ``stone`` is the id of its tombstone."""
    review = json_values.inner(value, "review")
    return {
        **_kept(value, _KEPT_OF_RECORD),
        "tags": [],
        "statement": DELETED,
        "evidence": [{"type": "tombstone", "ref": stone, "note": DELETED}],
        "updated_at": date,
        "review": {
            "cadence_days": review.get("cadence_days", 0),
            "next_review": text(review, "next_review"),
            "change_condition": _CHANGE_CONDITION,
        },
        "status": "deleted",
        "vault_ref": None,
    }


def evidence(value: Mapping[str, Any], purged: Collection[str]) -> Json:
    """Evidence, redacted; of the records that it was related to only those ``purged`` are left."""
    return {
        **_kept(value, _KEPT_OF_EVIDENCE),
        "source_summary": DELETED,
        "redaction_status": "deleted",
        "related_memory_ids": [
            name for name in texts(value, "related_memory_ids") if name in purged
        ],
    }


def candidate(value: Mapping[str, Any]) -> Json:
    """A candidate; one that nobody had taken is rejected."""
    return {
        "id": value["id"],
        "created_at": text(value, "created_at"),
        "source": {"type": "privacy_purge", "ref": PURGED},
        "text": PURGED,
        "tags": [],
        "evidence_refs": [],
        "evidence_ids": [],
        "confidence": 0,
        "status": "patched" if text(value, "status") == "patched" else "rejected",
    }


def proposed(value: Mapping[str, Any]) -> Json:
    """An L1 proposal of a report."""
    return {**_kept(value, _KEPT_OF_PROPOSED), "proposed_statement": PURGED}


def operation(op: Mapping[str, Any]) -> Json:
    """An operation of a patch: nothing that could be applied again."""
    named = {key: op[key] for key in ("target_id", "candidate_id") if text(op, key)}
    return {
        "op_id": op.get("op_id", ""),
        "op": "reject_candidate",
        "risk": "high",
        "default_selected": False,
        **named,
        "reason": PURGED,
        "rationale": PURGED,
    }


def tombstone(name: str, profile: str, time: str, reason: str) -> Json:
    """The tombstone of a record, or of what a candidate would have become; without any hash."""
    return {
        "id": stone_id(name, time),
        **({"profile_id": profile} if profile else {}),
        "deleted_record_id": name,
        "deleted_at": time,
        "deletion_mode": purging.MODE,
        "deletion_reason": reason,
        "content_removed": True,
    }


def stone_id(name: str, time: str) -> str:
    """The id that PI gives the tombstone of ``name``."""
    own = hashlib.sha256(ids.utf8(f"{name}\n{time}")).hexdigest()[:10]
    return f"tomb_{name}_{own}"


def _kept(value: Mapping[str, Any], keys: Collection[str]) -> Json:
    return {key: value[key] for key in keys if key in value}
