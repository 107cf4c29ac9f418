"""Our keys as pi-persistent-intelligence writes them (store-formats.md, record and evidence)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from proofstone.domain import normalized_key
from proofstone.domain.plan import Value
from proofstone.domain.rulings.terms import Need, RulingRefused
from proofstone.stores.json_values import text, texts
from proofstone.stores.pi_files import L1, L2, PROJECTS

Json = dict[str, Any]

RULE_TYPES = (
    "workflow",
    "preference",
    "convention",
    "architecture",
    "avoid_pattern",
    "prefer_pattern",
    "testing",
    "correction",
    "tool",
)
STABILITIES = ("low", "semi-stable", "stable")
EDITABLE = (
    "statement",
    "layer",
    "scopes",
    "tags",
    "kind",
    "rule_type",
    "applies_when",
    "does_not_apply_when",
    "known_exceptions",
)
"""What of a memory can be edited: the rest has no place in a record."""

_KINDS = ("fact", "task")
_SAME = ("tags", "applies_when", "does_not_apply_when", "known_exceptions")
_CONFIDENCE = 0.6
_CADENCE_DAYS = 90
_CHANGE_CONDITION = "When it no longer holds."
"""PI takes no record without one."""

_SLUG = re.compile(r"[^a-z0-9]+")


def record_of(fields: Mapping[str, Value], statement: str, date: str) -> Json:
    """A new record of a memory's keys, without its evidence.

    Raises:
        RulingRefused: its scopes have no place in a record.
    """
    confidence = fields.get("confidence")
    stability = fields.get("stability")
    rule_type, kind = fields.get("rule_type"), fields.get("kind")
    record: Json = {
        "id": fields["memory_id"],
        "layer": fields["layer"],
        "scope": scope_of(listed(fields.get("scopes"))),
        "tags": listed(fields.get("tags")),
        "statement": statement,
        "evidence": [],
        "confidence": confidence if isinstance(confidence, (int, float)) else _CONFIDENCE,
        "stability": stability if stability in STABILITIES else STABILITIES[0],
        "created_at": date,
        "updated_at": date,
        "review": review_of(fields.get("review"), {}),
        "status": "active",
        "supersedes": listed(fields.get("supersedes")),
        "superseded_by": [],
        "vault_ref": None,
    }
    if fields.get("profile"):
        record["profile_id"] = fields["profile"]
    if fields.get("normalized_key"):
        record["normalized_key"] = fields["normalized_key"]
    for key in _SAME[1:]:
        if fields.get(key):
            record[key] = listed(fields[key])
    if rule_type in RULE_TYPES:
        record["ruleType"] = rule_type
    record["memory_kind"] = kind if kind in _KINDS else "instruction"
    for key in ("valid_from", "valid_to"):
        if fields.get(key):
            record[key] = fields[key]
    return record


def updates_of(
    set: Mapping[str, Value], unset: Iterable[str], statement: str | None, record: Json, date: str
) -> Json:
    """What of a changed memory's keys changes its record.

    Raises:
        RulingRefused: a value has no place in a record.
    """
    updates: Json = {}
    if statement is not None:
        updates["statement"] = statement
    for key in _SAME:
        if key in set:
            updates[key] = listed(set[key])
    for key in ("layer", "confidence", "normalized_key"):
        if key in set:
            updates[key] = set[key]
    if "supersedes" in set:
        updates["supersedes"] = listed(set["supersedes"])
    if "scopes" in set:
        updates["scope"] = scope_of(listed(set["scopes"]))
    if "rule_type" in set:
        updates["ruleType"] = _known(set["rule_type"], RULE_TYPES, "rule types")
    if "kind" in set:
        updates["memory_kind"] = _known(set["kind"], _KINDS, "kinds")
    if "review" in set:
        present = record.get("review")
        updates["review"] = review_of(set["review"], present if isinstance(present, dict) else {})
    if "standing" in set:
        updates["status"] = set["standing"]
    if "normalized_key" in unset:
        updates["normalized_key"] = _key_of({**record, **updates})
    changed = {key: value for key, value in updates.items() if record.get(key) != value}
    return {**changed, "updated_at": date} if changed else {}


def review_of(review: Value, present: Mapping[str, Any]) -> Json:
    """A record's review; what PI requires and nobody said is filled in."""
    said = review if isinstance(review, Mapping) else {}
    cadence = said.get("cadence_days") or present.get("cadence_days") or _CADENCE_DAYS
    condition = said.get("change_condition") or present.get("change_condition")
    return {
        **present,
        "cadence_days": cadence,
        "next_review": said.get("next_review") or present.get("next_review") or "",
        "change_condition": condition or _CHANGE_CONDITION,
    }


def scope_of(scopes: list[str]) -> Json:
    """A record's scope: everywhere, one project, or domains.

    Raises:
        RulingRefused: the scopes are none of these.
    """
    levels = [scope.partition(":") for scope in scopes]
    if scopes == ["global"]:
        return {"type": "global"}
    if len(levels) == 1 and levels[0][0] == "project" and levels[0][2]:
        return {"type": "project", "project": levels[0][2]}
    if levels and all(level == "domain" and name for level, _, name in levels):
        return {"type": "domain", "domains": [name for _, _, name in levels]}
    raise RulingRefused(
        f"a record has one scope: global, project:NAME, or domain:NAME (several); not "
        f"{', '.join(scopes) or 'none'}",
        Need.EDITS,
    )


def file_of(record: Mapping[str, Any]) -> str:
    """The file that a record belongs in."""
    scope = record.get("scope")
    if isinstance(scope, dict) and text(scope, "type") == "project":
        slug = _SLUG.sub("-", text(scope, "project").lower()).strip("-")
        if not slug:
            raise RulingRefused(
                f"the project {text(scope, 'project')!r} gives no file name; name it with Latin "
                "letters or digits",
                Need.EDITS,
            )
        return f"{PROJECTS}/{slug}.jsonl"
    return L1 if record.get("layer") == "L1" else L2


def require_editable(keys: Iterable[str]) -> None:
    """Refuse edits of what a record has no place for.

    Raises:
        RulingRefused: naming what it is, and what can be edited.
    """
    unknown = [key for key in keys if key not in EDITABLE]
    if unknown:
        raise RulingRefused(
            f"a record has no place for {', '.join(unknown)}; these can be edited: "
            f"{', '.join(EDITABLE)}",
            Need.EDITS,
        )


def listed(value: object) -> list[str]:
    """A list of texts from one or many."""
    if isinstance(value, str):
        return [value] if value else []
    return [str(item) for item in value] if isinstance(value, (tuple, list)) else []


def _known(value: Value, known: tuple[str, ...], what: str) -> Value:
    if value not in known:
        raise RulingRefused(f"a record knows the {what} {', '.join(known)}", Need.EDITS)
    return value


def _key_of(record: Json) -> str:
    scope = record.get("scope")
    scope = scope if isinstance(scope, dict) else {}
    reference = text(scope, "project") or "+".join(sorted(texts(scope, "domains"))) or "global"
    return normalized_key.create(
        profile=text(record, "profile_id"),
        scope_level=text(scope, "type"),
        scope_reference=reference,
        topic=normalized_key.topic(texts(record, "tags"), text(record, "statement")),
        rule_type=text(record, "ruleType"),
    )
