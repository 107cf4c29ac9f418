"""The patch file that tells of a ruling (store-formats.md, patch)."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from proofstone.domain.plan import RulingPlan
from proofstone.domain.purging import MODE
from proofstone.domain.rulings.terms import RulingMoment
from proofstone.stores.pi_files import PATCHES, PURGED

Json = dict[str, Any]


def free_patch_id(time: str, taken: Collection[str]) -> str:
    """A patch id by the minute of ``time``, with a number where that is taken.

    ``taken`` are the paths of the patches that are there.
    """
    base = "patch_" + "".join(character for character in time[:16] if character.isdigit())
    number, name = 1, base
    while f"{PATCHES}/{name}.json" in taken:
        number += 1
        name = f"{base}_{number}"
    return name


def deletion_patch(
    patch_id: str,
    moment: RulingMoment,
    reason: str,
    records: tuple[str, ...],
    candidates: tuple[str, ...],
) -> bytes:
    """The patch file of a privacy purge, as applied; it says nothing of the words."""
    said: list[Json] = [
        {
            "op": "delete",
            "target_id": target,
            "deletion_mode": MODE,
            "deletion_reason": reason,
            "risk": "high",
            "default_selected": False,
        }
        for target in records
    ]
    said += [
        {
            "op": "reject_candidate",
            "candidate_id": candidate,
            "reason": PURGED,
            "risk": "high",
            "default_selected": False,
        }
        for candidate in candidates
    ]
    rationale = f"purge by {moment.author} ({moment.ruling_id})"
    return _applied(patch_id, moment.time, f"privacy purge: {len(said)} ops", said, rationale)


class Patch:
    """The operations of one ruling, as PI names them."""

    def __init__(self, patch_id: str, plan: RulingPlan) -> None:
        self.patch_id = patch_id
        self._plan = plan
        self._ops: list[Json] = []
        self._candidate = ""
        self._accepted = False

    def add(self, record: Mapping[str, Any]) -> None:
        """A record was added."""
        self._op({"op": "add", "record": record}, default_selected=record["layer"] != "L1")

    def supersede(self, target: str, updates: Mapping[str, Any]) -> None:
        """A record was replaced: by the one that this patch adds, or by one that was there.

        PI's operation adds the successor itself, so it can name only the first of several targets.
        """
        added = next((op for op in self._ops if op["op"] == "add"), None)
        if added is None:
            self.update(target, updates)
            return
        added["op"] = "supersede"
        added["target_id"] = target
        added["to_record"] = added.pop("record")
        added["default_selected"] = False

    def update(self, target: str, updates: Mapping[str, Any]) -> None:
        """Keys of a record were changed."""
        self._op({"op": "update", "target_id": target, "updates": updates})

    def contest(self, target: str, contested: bool) -> None:
        """A record was contested, or no longer is."""
        self._op({"op": "contest" if contested else "uncontest", "target_id": target, **self._why})

    def delete(self, target: str) -> None:
        """A record was deleted for audit."""
        said = {"op": "delete", "target_id": target, "deletion_mode": "audit_preserving"}
        reason = self._plan.ruling.reason
        self._op({**said, "deletion_reason": reason}, default_selected=False)

    def settle(self, candidate_id: str, *, accepted: bool) -> None:
        """A candidate was accepted by the other operations, or rejected."""
        self._candidate = candidate_id
        self._accepted = accepted

    def written(self) -> bytes:
        """The patch file, as applied."""
        ruling = self._plan.ruling
        if self._candidate and not self._accepted:
            self._op({"op": "reject_candidate", "candidate_id": self._candidate, **self._why})
        if self._candidate and self._accepted:
            self._ops[0]["candidate_id"] = self._candidate
        rationale = f"{ruling.action} by {ruling.author} ({ruling.ruling_id})"
        return _applied(self.patch_id, ruling.time, self._plan.summary, self._ops, rationale)

    @property
    def _why(self) -> Json:
        reason = self._plan.ruling.reason
        return {"reason": reason} if reason else {}

    def _op(self, said: Json, *, default_selected: bool = True) -> None:
        self._ops.append({**said, "risk": "low", "default_selected": default_selected})


def _applied(patch_id: str, time: str, summary: str, said: list[Json], rationale: str) -> bytes:
    ops = [
        {"op_id": f"op_{number:03d}", **op, "rationale": rationale}
        for number, op in enumerate(said, 1)
    ]
    patch = {
        "patch_id": patch_id,
        "created_at": time,
        "generated_by": "manual",
        "mode": "supervised",
        "summary": summary,
        "ops": ops,
        "status": "applied",
        "applied_at": time,
        "applied_ops": [op["op_id"] for op in ops],
        "skipped_ops": [],
    }
    return json.dumps(patch, ensure_ascii=False, indent=2).encode("utf-8", "replace") + b"\n"
