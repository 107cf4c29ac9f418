"""What a pi-persistent-intelligence root must keep, checked from the format's description alone.

Nothing of the product is used: the files are read as that program reads them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

RECORDS = ("memory/L1.identity.jsonl", "memory/L2.playbooks.jsonl")
OPS = (
    "add",
    "update",
    "update_stability",
    "flag_for_review",
    "supersede",
    "deprecate",
    "decay",
    "contest",
    "uncontest",
    "add_exception",
    "delete",
    "reject_candidate",
)
STATUSES = ("active", "contested", "deprecated", "superseded", "promoted", "deleted")
PURGED = "[privacy purged]"
DELETED = "[deleted]"
PURGE = "privacy_purge"
_OTHERS = (
    "memory/evidence.jsonl",
    "memory/tombstones.jsonl",
    "memory/inquiries.jsonl",
    "inbox/captured.jsonl",
)
_EMPTY = {b"", b"\r"}


def lines(root: Path, path: str) -> list[bytes]:
    file = root / path
    return file.read_bytes().split(b"\n") if file.exists() else []


def objects(root: Path, path: str) -> list[dict[str, Any]]:
    found = []
    for line in lines(root, path):
        try:
            value = json.loads(line)
        except ValueError:
            continue
        if isinstance(value, dict):
            found.append(value)
    return found


def record_files(root: Path) -> list[str]:
    projects = sorted((root / "memory/projects").glob("*.jsonl"))
    return [*RECORDS, *(path.relative_to(root).as_posix() for path in projects)]


def records(root: Path) -> dict[str, dict[str, Any]]:
    """The records that the program would take, by id; of two, the first."""
    found: dict[str, dict[str, Any]] = {}
    for path in record_files(root):
        for value in objects(root, path):
            if not record_faults(value):
                found.setdefault(value["id"], value)
    return found


def record_faults(value: Mapping[str, Any]) -> list[str]:
    """Why the program would hide a record."""
    faults = []
    if not (isinstance(value.get("id"), str) and value["id"]):
        faults.append("id")
    if value.get("layer") not in ("L1", "L2"):
        faults.append("layer")
    if not _is_scope(value.get("scope")):
        faults.append("scope")
    for key in ("tags", "supersedes", "superseded_by"):
        items = value.get(key)
        if not (isinstance(items, list) and all(isinstance(item, str) for item in items)):
            faults.append(key)
    if not (isinstance(value.get("statement"), str) and value["statement"].strip()):
        faults.append("statement")
    evidence = value.get("evidence")
    if not (isinstance(evidence, list) and evidence and all(map(_is_support, evidence))):
        faults.append("evidence")
    confidence = value.get("confidence")
    if not (isinstance(confidence, (int, float)) and 0 <= confidence <= 1):
        faults.append("confidence")
    if value.get("stability") not in ("low", "semi-stable", "stable"):
        faults.append("stability")
    for key in ("created_at", "updated_at"):
        if not isinstance(value.get(key), str):
            faults.append(key)
    review = value.get("review")
    if not (
        isinstance(review, dict)
        and isinstance(review.get("cadence_days"), (int, float))
        and isinstance(review.get("next_review"), str)
        and isinstance(review.get("change_condition"), str)
        and review["change_condition"].strip()
    ):
        faults.append("review")
    if value.get("status") not in STATUSES:
        faults.append("status")
    if not (value.get("vault_ref") is None or isinstance(value["vault_ref"], str)):
        faults.append("vault_ref")
    return faults


def _is_scope(scope: object) -> bool:
    if not isinstance(scope, dict):
        return False
    needed = {"global": "type", "project": "project", "domain": "domains"}
    return bool(scope.get(needed.get(scope.get("type", ""), "")))


def _is_support(one: object) -> bool:
    return isinstance(one, dict) and all(
        isinstance(one.get(key), str) for key in ("type", "ref", "note")
    )


def file_of(record: Mapping[str, Any]) -> str:
    scope = record["scope"]
    if scope["type"] == "project":
        kept = "".join(c if c.isascii() and c.isalnum() else " " for c in scope["project"].lower())
        return f"memory/projects/{'-'.join(kept.split())}.jsonl"
    return RECORDS[0] if record["layer"] == "L1" else RECORDS[1]


def patch_faults(path: Path) -> list[str]:
    """What is wrong with a patch file that says that it was applied."""
    patch = json.loads(path.read_bytes())
    faults = []
    if patch["patch_id"] != path.stem:
        faults.append("patch_id")
    if patch["generated_by"] != "manual" or patch["mode"] != "supervised":
        faults.append("generated_by or mode")
    if patch["status"] != "applied" or not patch["applied_at"] or not patch["ops"]:
        faults.append("status")
    if patch["applied_ops"] != [op["op_id"] for op in patch["ops"]] or patch["skipped_ops"]:
        faults.append("applied_ops")
    for number, op in enumerate(patch["ops"], 1):
        kind = op["op"]
        if op.get("deletion_mode") == "privacy_purge" or op.get("reason") == PURGED:
            faults += [f"op {number}: {fault}" for fault in _purge_faults(op, kind)]
            continue
        if op["op_id"] != f"op_{number:03d}" or kind not in OPS or op["risk"] != "low":
            faults.append(f"op {number}")
        if kind == "add" and record_faults(op["record"]):
            faults.append(f"op {number}: record")
        if kind == "supersede" and (record_faults(op["to_record"]) or not op["target_id"]):
            faults.append(f"op {number}: to_record")
        if kind == "update" and not (op["target_id"] and isinstance(op["updates"], dict)):
            faults.append(f"op {number}: updates")
        if kind in ("contest", "uncontest", "delete") and not op["target_id"]:
            faults.append(f"op {number}: target_id")
        if kind == "reject_candidate" and not op["candidate_id"]:
            faults.append(f"op {number}: candidate_id")
        l1 = kind == "add" and op["record"]["layer"] == "L1"
        if op["default_selected"] is not (kind not in ("supersede", "delete") and not l1):
            faults.append(f"op {number}: default_selected")
    return faults


def _purge_faults(op: Mapping[str, Any], kind: str) -> list[str]:
    """What is wrong with an operation of a purge, or with what one left of an operation."""
    allowed = {"op_id", "op", "risk", "default_selected", "target_id", "candidate_id", "rationale"}
    allowed |= {"delete": {"deletion_mode", "deletion_reason"}}.get(kind, {"reason"})
    found = [f"{key} is left" for key in op if key not in allowed]
    if kind not in ("delete", "reject_candidate") or op["risk"] != "high" or op["default_selected"]:
        found.append("op, risk or default_selected")
    if not (op.get("target_id") or op.get("candidate_id")):
        found.append("names nothing")
    return found


def purge_faults(root: Path) -> list[str]:
    """What the deletion rules ask of everything that is left of purged records."""
    found: list[str] = []
    stones = objects(root, "memory/tombstones.jsonl")
    purged = {one["deleted_record_id"] for one in stones if one.get("deletion_mode") == PURGE}
    found += [
        f"{one['id']}: hash"
        for one in stones
        if one.get("deletion_mode") == PURGE
        and ("content_hash" in one or one.get("content_removed") is not True)
    ]
    for path in record_files(root):
        for value in objects(root, path):
            if value.get("id") in purged:
                if value["status"] != "deleted" or value["statement"] != DELETED or value["tags"]:
                    found.append(f"{value['id']}: status, statement or tags")
                if {one["type"] for one in value["evidence"]} != {"tombstone"}:
                    found.append(f"{value['id']}: evidence")
    for one in objects(root, "memory/evidence.jsonl"):
        related = set(one.get("related_memory_ids", ()))
        if related & purged and one.get("redaction_status") != "deleted":
            found.append(f"{one['id']}: not redacted")
    return found


def faults(root: Path, before: Path) -> list[str]:
    """Every invariant that ``root`` breaks and ``before``, the same store earlier, kept."""
    found: list[str] = []
    for path in (*record_files(root), *_OTHERS):
        old, new = set(lines(before, path)), lines(root, path)
        found += [
            f"{path}: a line that is no object"
            for line in new
            if line not in old | _EMPTY and not isinstance(json.loads(line), dict)
        ]
    old_lines = {line for path in record_files(before) for line in lines(before, path)}
    for path in record_files(root):
        for line in lines(root, path):
            if line in old_lines | _EMPTY:
                continue
            value = json.loads(line)
            found += [f"{path}: {value.get('id')}: {fault}" for fault in record_faults(value)]
            if file_of(value) != path:
                found.append(f"{path}: {value['id']} belongs in {file_of(value)}")
    held = records(root)
    was = records(before)
    found += [f"{name} is gone" for name in was.keys() - held.keys()]
    buried = [stone.get("deleted_record_id") for stone in objects(root, "memory/tombstones.jsonl")]
    if len(buried) != len(set(buried)):
        found.append("two tombstones for one record")
    gone = {
        one["id"]
        for one in objects(root, "memory/evidence.jsonl")
        if one.get("redaction_status") in ("redacted", "deleted")
    }
    was_gone = {
        one["id"]
        for one in objects(before, "memory/evidence.jsonl")
        if one.get("redaction_status") in ("redacted", "deleted")
    }
    for name, record in held.items():
        is_new = name not in was
        if record["status"] == "active" and name in buried:
            found.append(f"{name} is active and tombstoned")
        if record["status"] == "deleted" and name not in buried:
            found.append(f"{name} is deleted without a tombstone")
        rests_on = {one["ref"] for one in record["evidence"]}
        if record["status"] == "active" and rests_on & gone - was_gone:
            found.append(f"{name} is active and rests on evidence that went")
        if is_new and {one["ref"] for one in record["evidence"]} & gone:
            found.append(f"{name} rests on evidence that is gone")
        for other in record["superseded_by"]:
            if other in held and name not in held[other]["supersedes"] and not _was(was, name):
                found.append(f"{other} does not say that it supersedes {name}")
    old_patches = {path.name for path in (before / "patches").glob("*.json")}
    settled: set[str] = set()
    for path in sorted((root / "patches").glob("*.json")):
        if path.name not in old_patches:
            found += [f"{path.name}: {fault}" for fault in patch_faults(path)]
            settled |= {op.get("candidate_id", "") for op in json.loads(path.read_bytes())["ops"]}
    earlier = {one.get("id"): one.get("status") for one in objects(before, "inbox/captured.jsonl")}
    for candidate in objects(root, "inbox/captured.jsonl"):
        name, status = candidate.get("id"), candidate.get("status")
        if status not in ("new", "patched", "rejected"):
            found.append(f"{name}: status {status}")
        if status != earlier.get(name) and name not in settled:
            found.append(f"{name} is {status}, and no patch says so")
    return found


def _was(was: Mapping[str, Mapping[str, Any]], name: str) -> bool:
    """Whether a record was superseded before, by a program that did not link both sides."""
    return name in was and was[name]["status"] == "superseded"
