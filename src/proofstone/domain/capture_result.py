"""What a capture answers, and what it plans to write (spec page 4, Capture)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from proofstone.domain.capture_items import CaptureItem
from proofstone.domain.records import Proposal
from proofstone.domain.siblings import Sibling


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one item: a row of the answer."""

    status: str
    id: str = ""
    dedup_hint: Sibling | None = None
    siblings: tuple[Sibling, ...] = ()
    taint_findings: tuple[str, ...] = ()
    superseded: str = ""
    reclassified: tuple[str, str] | None = None
    error: str = ""

    def as_json(self) -> dict[str, Any]:
        """The row as page 4 has it: keys that do not apply are left out."""
        if self.status == "rejected":
            return {"status": self.status, "error": self.error}
        hint = self.dedup_hint
        row: dict[str, Any] = {
            "status": self.status,
            "id": self.id,
            "dedup_hint": {"similar_id": hint.id, "score": hint.score} if hint else None,
        }
        if self.siblings:
            row["siblings"] = [{"id": one.id, "score": one.score} for one in self.siblings]
        if self.taint_findings:
            row["taint_findings"] = list(self.taint_findings)
        if self.superseded:
            row["superseded"] = self.superseded
        if self.reclassified:
            row["reclassified"] = {"was": self.reclassified[0], "now": self.reclassified[1]}
        return row


@dataclass(frozen=True, slots=True)
class Captured:
    """A proposal to write, and the item that it was made of."""

    item: CaptureItem
    proposal: Proposal


@dataclass(frozen=True, slots=True)
class Relabel:
    """Keys to change on an existing proposal or memory that was captured again.

    On a memory in force that is its kind alone: what a person ratified, an agent does not touch.
    """

    id: str
    is_memory: bool
    changes: Mapping[str, str | bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptureResult:
    """The answer, and what is to be written for it to be true."""

    outcomes: tuple[Outcome, ...] = ()
    created: tuple[Captured, ...] = ()
    relabels: tuple[Relabel, ...] = ()

    @property
    def proposals(self) -> tuple[Proposal, ...]:
        """The proposals to write, in the order of their items."""
        return tuple(one.proposal for one in self.created)

    def count(self, status: str) -> int:
        """How many items have ``status``."""
        return sum(outcome.status == status for outcome in self.outcomes)

    def as_json(self) -> dict[str, Any]:
        """The answer as page 4 has it."""
        return {
            "outcomes": [outcome.as_json() for outcome in self.outcomes],
            "captured": self.count("captured"),
            "deduped": self.count("deduplicated"),
            "rejected": self.count("rejected"),
        }
