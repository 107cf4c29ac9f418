"""Run the cases of capture.json: scores, siblings, rows, defaults and the grammar of a payload.

``cap-N`` in a case is its N-th stored item. Stored items are memories here, except where a case
looks at what a second capture does to a proposal.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from typing import Any

from proofstone.domain import ids, siblings
from proofstone.domain.capture import CaptureRefusedError, CaptureResult, Held, plan_capture
from proofstone.domain.records import Memory, Proposal, Standing, Tombstone
from proofstone.domain.tombstone_index import TombstoneIndex

Document = Mapping[str, Any]
Case = Mapping[str, Any]

_NOW = "2026-08-03T09:00:00Z"
_CONTESTING = ("falsifies", "contradicts", "contests")
_BEFORE = re.compile(r"before: same content with (\w+) '?(.+?)'?(?: only)?;")


def run_score(document: Document, case: Case) -> tuple[Any, Any]:
    """The metric on two texts; the raw score to the six decimals that the file has."""
    score = siblings.score(case["input"]["stored"], case["input"]["incoming"])
    got = {
        "shared": score.shared,
        "larger": score.larger,
        "eligible": score.eligible,
        "raw": round(score.raw, 6),
        "reported": score.reported,
        "hint": score.is_sibling,
    }
    return case["expected"], got


def run_siblings(document: Document, case: Case) -> tuple[Any, Any]:
    """What a capture is told of memories that stand in various ways."""
    given, world = case["input"], _World()
    for number, stored in enumerate(given["stored"]):
        world.memories[stored["id"]] = Memory(
            memory_id=stored["id"],
            statement=stored["content"],
            scopes=(f"project:{stored['project_id']}",),
            created=f"2026-08-01T00:00:{number:02}Z",
        )
    for step in given["prepare"]:
        world.prepare(*step)
    row = world.plan(_complete(given["request"])).as_json()["outcomes"][0]
    got = {
        "siblings": row.get("siblings", []),
        "dedup_hint": row.get("dedup_hint"),
        "siblings_key_present": "siblings" in row,
    }
    return case["expected"], got


def run_status(document: Document, case: Case) -> tuple[Any, Any]:
    """The answer to one item, after earlier captures, forgettings and sessions."""
    world = _World()
    for step in case["input"]["before"]:
        world.live_through(step)
    return _answers(case, world, case["input"]["request"])


def run_grammar(document: Document, case: Case) -> tuple[Any, Any]:
    """The answer to a whole payload, into an empty vault."""
    return _answers(case, _World(), case["input"]["payload"])


def run_defaults(document: Document, case: Case) -> tuple[Any, Any]:
    """What is stored for an item: the keys that the case expects."""
    given, expected = case["input"], case["expected"]
    server = given["server"]
    world = _World(
        now=given["now"], project=server["project"] or "", client=server.get("client_name")
    )
    before = _BEFORE.search(case["note"]) if "before" in case["tags"] else None
    if before:
        same = {name: given["request"][name] for name in ("content", "source", "anchor")}
        world.proposals += world.plan({**same, before[1]: before[2]}).proposals
    result = world.plan(given["request"])
    if result.count("rejected"):
        return expected, {"rejected": True}
    proposal = result.proposals[0] if result.proposals else world.relabelled(result)
    stored = _stored(proposal, result)
    return expected, {key: stored[key] for key in expected}


RUNNERS: dict[str, Callable[[Document, Case], tuple[Any, Any]]] = {
    "score": run_score,
    "siblings": run_siblings,
    "status": run_status,
    "grammar": run_grammar,
    "defaults": run_defaults,
}


class _World:
    """A vault in memory, and the circumstances of a call."""

    def __init__(self, *, now: str = _NOW, project: str = "", client: str | None = None) -> None:
        self.now = now
        self.project = project
        self.client = client
        self.memories: dict[str, Memory] = {}
        self.proposals: tuple[Proposal, ...] = ()
        self.tombstones: list[Tombstone] = []
        self.sessions: dict[str, bool] = {}

    def plan(self, payload: object) -> CaptureResult:
        """Plan a capture into this vault."""
        held = Held(TombstoneIndex.of(self.tombstones), self.sessions)
        for memory in self.memories.values():
            held.add(memory)
        for proposal in self.proposals:
            held.add(proposal)
        return plan_capture(
            payload, held=held, now=self.now, project=self.project, client=self.client
        )

    def live_through(self, step: Mapping[str, Any]) -> None:
        """One step before the call that a case is about."""
        if step["verb"] == "ingest":
            for proposal in self.plan(step["item"]).proposals:
                self._ratify(proposal)
        elif step["verb"] == "forget":
            self.forget(step["id"])
        elif step["verb"] == "session_start":
            self.sessions[f"sess-{len(self.sessions) + 1}"] = True
        else:
            self.sessions[step["id"]] = False

    def prepare(self, verb: str, one: str, other: str = "") -> None:
        """What is done to the stored memories first; other relations put none aside."""
        if verb == "tier":
            standing = Standing.ACTIVE if other == "active" else Standing.DEPRECATED
            self._stand(one, standing)
        elif verb in _CONTESTING:
            self._stand(other, Standing.CONTESTED)
        elif verb == "supersedes":
            del self.memories[other]
        elif verb == "forget":
            self.forget(one)

    def forget(self, id: str) -> None:
        """Tombstone a memory."""
        memory = self.memories.pop(id)
        self.tombstones.append(
            Tombstone(
                tombstone_id=ids.tombstone_id(id),
                deleted_id=id,
                deleted_at=self.now,
                content_hash=ids.content_hash(memory.statement),
            )
        )

    def relabelled(self, result: CaptureResult) -> Proposal:
        """The first proposal, with the changes that a second capture made."""
        changes: dict[str, Any] = {}
        for relabel in result.relabels:
            changes.update(relabel.changes)
        return dataclasses.replace(self.proposals[0], **changes)

    def _ratify(self, proposal: Proposal) -> None:
        id = f"cap-{len(self.memories) + len(self.tombstones) + 1}"
        self.memories[id] = Memory(
            memory_id=id,
            statement=proposal.statement,
            scopes=proposal.scopes,
            kind=proposal.kind,
            created=proposal.created,
        )

    def _stand(self, id: str, standing: Standing) -> None:
        if id in self.memories:
            self.memories[id] = dataclasses.replace(self.memories[id], standing=standing)


def _answers(case: Case, world: _World, payload: Any) -> tuple[Any, Any]:
    expected = case["expected"]
    stored = len(world.memories) + len(world.tombstones)
    try:
        result, names = _plan_with_names(world, payload, stored)
    except CaptureRefusedError as error:
        mentions = [word for word in expected.get("mentions", ()) if word in str(error)]
        return expected, {
            "call_error": True,
            "outcomes": None,
            "mentions": mentions,
            "nothing_captured": True,
        }
    answer = _renamed(result.as_json(), {id: name for name, id in names.items()})
    rows = [
        _row(row, wanted)
        for row, wanted in zip(answer["outcomes"], expected["outcomes"] or (), strict=True)
    ]
    return expected, {**answer, "outcomes": rows}


def _plan_with_names(
    world: _World, payload: Any, stored: int
) -> tuple[CaptureResult, dict[str, str]]:
    """Plan until the names ``cap-N`` in the payload mean what the plan itself captures."""
    names: dict[str, str] = {}
    while True:
        result = world.plan(_renamed(payload, names))
        found = {
            f"cap-{stored + number}": proposal.proposal_id
            for number, proposal in enumerate(result.proposals, start=1)
        }
        if found == names:
            return result, names
        names = found


def _row(row: Mapping[str, Any], wanted: Mapping[str, Any]) -> Mapping[str, Any]:
    """A rejected row in the words of the file: where its error begins and what it mentions."""
    if row["status"] != "rejected" or "prefix" not in wanted:
        return row
    error, prefix, locator = row["error"], wanted["prefix"], wanted["locator"]
    start = f"{locator}: {prefix}" if locator else prefix
    return {
        "status": row["status"],
        "locator": locator if error.startswith(start) else error,
        "prefix": prefix,
        "prefix_count": error.count(prefix),
        "mentions": [word for word in wanted["mentions"] if word in error],
    }


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A JSON value with the ids that ``names`` has as whole strings replaced."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {key: _renamed(item, names) for key, item in value.items()}
    if isinstance(value, list):
        return [_renamed(item, names) for item in value]
    return value


def _complete(request: Mapping[str, Any]) -> dict[str, Any]:
    return {"source": "session:2026-08-03", "anchor": "ops/backup.md:12", **request}


def _stored(proposal: Proposal, result: CaptureResult) -> dict[str, Any]:
    created = result.created[0].item if result.created else None
    epistemics = {
        name: getattr(proposal, name) or None
        for name in ("evidence_state", "proof_hint", "stale_if")
    }
    event_time = {
        name: getattr(proposal, f"event_{name}")
        for name in ("at", "from", "to")
        if getattr(proposal, f"event_{name}")
    }
    return {
        "confidence": proposal.confidence,
        "valid_from": proposal.valid_from,
        "valid_to": proposal.valid_to or None,
        "project_id": proposal.project,
        "authority_class": created.authority_class if created else None,
        "instruction_taint": proposal.tainted,
        "taint_findings": list(result.outcomes[0].taint_findings),
        "source_hash": proposal.content_hash,
        "epistemics": epistemics if any(epistemics.values()) else None,
        "event_time": event_time or None,
    }
