"""Rulings of every kind on the demo vault, in an order in which each can be made.

Each step takes a workspace, opened on the vault as the step before left it, and rules. Notes are
named by words of theirs, so that the script outlives a change of ids.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from proofstone.curation import gate, history
from proofstone.curation.capture import capture
from proofstone.curation.context import Context
from proofstone.curation.purging import purge
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.gate_contract import projection
from proofstone.domain.plan import Value
from proofstone.domain.rulings import Choices
from proofstone.domain.rulings.terms import short_id

BEGIN = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
"""The story's morning; each step is made a minute after the one before."""

Make = Callable[[Workspace], object]


@dataclass(frozen=True)
class Step:
    """One ruling, or one batch, with a name for messages."""

    name: str
    make: Make


def workspace_at(root: Path, place: int) -> Workspace:
    """The vault as the step at ``place`` finds it, at that step's time."""
    moment = BEGIN + timedelta(minutes=place)
    return Workspace.open(root, Context(clock=lambda: moment, author="Mira Tal", via="torture"))


def find(workspace: Workspace, words: str) -> str:
    """The id of the one proposal or memory in force that says ``words``.

    A waiting proposal is meant before a memory, and that before a proposal that was ruled on.
    """
    kinds = (
        [
            p.proposal_id
            for p in workspace.holdings.proposals
            if p.is_waiting and words in p.statement
        ],
        [m.memory_id for m in workspace.holdings.memories if words in m.statement],
        [p.proposal_id for p in workspace.holdings.proposals if words in p.statement],
    )
    found = next((ids for ids in kinds if ids), [])
    if len(found) != 1:
        raise LookupError(f"{len(found)} notes say {words!r}")
    return found[0]


def ruling(
    action: str,
    *words: str,
    reason: str = "",
    note: str = "",
    until: str = "",
    target: tuple[str, ...] = (),
    edits: Mapping[str, Value] | None = None,
    confirmed: bool = False,
) -> Step:
    """A ruling on the notes that say ``words``; ``target`` likewise, or ``new``."""

    def make(workspace: Workspace) -> object:
        subjects = [find(workspace, part) for part in words]
        choices = Choices(
            reason=reason,
            note=note,
            until=until,
            target=tuple(t if t == "new" else find_memory(workspace, t) for t in target),
            edits=dict(edits or {}),
            confirm=short_id(subjects[0]) if confirmed else "",
        )
        applied = rule(workspace, action, subjects, choices)
        if len(applied.rulings) != len(words):
            raise AssertionError(f"{action}: {applied.summary}")
        return applied

    return Step(f"{action} {' + '.join(words)}", make)


def find_memory(workspace: Workspace, words: str) -> str:
    """The id of the one memory in force that says ``words``."""
    (found,) = (m.memory_id for m in workspace.holdings.memories if words in m.statement)
    return found


def undo(back: int = 0) -> Step:
    """Take back the last ruling or batch, or the one before it, and so on."""

    def make(workspace: Workspace) -> object:
        if not back:
            return history.undo(workspace)
        groups = dict.fromkeys(
            entry.ruling.group
            for entry in history.entries(workspace)
            if entry.is_ruling and entry.state == history.IN_FORCE
        )
        return history.undo(workspace, list(groups)[back])

    return Step(f"undo {back or 'the last'}", make)


def redo() -> Step:
    """Make what was taken back last again."""
    return Step("redo", history.redo)


def submit(turn: str, statement: str, *, rows: int | None = None, skip: int = 0) -> Step:
    """Store a Gate answer of one candidate; of ``rows`` rows from ``skip`` on, else of all."""

    def make(workspace: Workspace) -> object:
        units = projection(workspace.turn(turn).units)
        first = units[0]
        coverage: list[dict[str, object]] = [
            {"unit_id": first.unit_id, "decision": "CANDIDATE", "candidate_ids": ["c1"]}
        ]
        coverage += [
            {"unit_id": unit.unit_id, "decision": "DEFERRED", "reason": "scope_ambiguous"}
            for unit in units[1:]
        ]
        answer = {
            "candidates": [
                {
                    "candidate_id": "c1",
                    "memory": statement,
                    "evidence_event_ids": [first.event_key],
                    "worth": True,
                    "duplicate": False,
                    "type": "fact",
                    "scopes": ["project:atlas"],
                    "scope_source": "user",
                }
            ],
            "coverage": coverage,
            "evidence_bindings": [
                {
                    "candidate_id": "c1",
                    "claims": [
                        {"unit_id": first.unit_id, "quote": first.text, "role": "assertion"}
                    ],
                }
            ],
        }
        if skip:
            answer = {"candidates": [], "coverage": coverage[skip:], "evidence_bindings": []}
        elif rows is not None:
            answer["coverage"] = coverage[:rows]
        data = json.dumps(answer, ensure_ascii=False).encode()
        result = gate.submit(workspace, turn, data, answered_by="a-model", kind="model")
        if result.refusal is not None or not result.changed:
            raise AssertionError(f"submit {turn}: {result.refusal or result.summary}")
        return result

    return Step(f"submit {turn}", make)


def refused(turn: str) -> Step:
    """Hand in an answer that breaks the contract; its identifier is stored."""

    def make(workspace: Workspace) -> object:
        result = gate.submit(workspace, turn, b"[]", answered_by="a-model", kind="model")
        if result.refusal is None:
            raise AssertionError(f"submit {turn}: an empty list was accepted")
        return result

    return Step(f"refused {turn}", make)


def captured(*statements: str) -> Step:
    """Capture items, which become proposals."""

    def make(workspace: Workspace) -> object:
        items = [
            {"content": statement, "source": "notes", "anchor": f"doc-{place}"}
            for place, statement in enumerate(statements, 1)
        ]
        answer = capture(workspace.root, {"items": items}, workspace.context)
        if answer["captured"] != len(statements):
            raise AssertionError(f"capture: {answer}")
        return answer

    return Step(f"capture {len(statements)}", make)


def purged(words: str) -> Step:
    """Purge what says ``words``, for good."""

    def make(workspace: Workspace) -> object:
        subject = find(workspace, words)
        choices = Choices(reason="privacy_sensitive", confirm=short_id(subject))
        return purge(workspace, subject, choices)

    return Step(f"purge {words}", make)


SCRIPT: tuple[Step, ...] = (
    ruling("ratify", "The Atlas nightly load starts"),
    undo(),
    redo(),
    ruling("defer", "Hold Orion deploys", reason="needs_owner", until="2026-12-24", note="ask"),
    ruling("defer", "Hold Orion deploys", reason="later"),
    ruling("ratify", "Hold Orion deploys", reason="until Wednesday, and known"),
    ruling("ratify", "Atlas now keeps snapshots for 45 days"),
    ruling("ratify", "Use pnpm for Orion, and never npm."),
    undo(),
    ruling("ratify", "Use pnpm for Orion, and never npm.", target=("new",)),
    ruling("edit", "Every pull request", edits={"tags": ("review", "pull-request")}, reason="tags"),
    ruling("edit", "Every pull request", edits={"statement": "Every pull request gets a review."}),
    undo(),
    undo(),
    redo(),
    ruling("supersede", "From December Orion", target=("Orion ships on Tuesdays",), reason="moved"),
    undo(),
    redo(),
    ruling("tombstone", "Orion deploys need no review", reason="poisoned"),
    ruling("tombstone", "Orion error pages", reason="invalid"),
    undo(),
    ruling("ratify", "Orion error pages", reason="harmless words"),
    ruling("dismiss", "The vendor allows Orion", reason="no_future_value"),
    undo(),
    ruling("dismiss", "The vendor allows Orion", reason="quoted_or_example"),
    ruling("ratify", "small and reversible", reason="so she works", confirmed=True),
    ruling("contest", "Lin Qiao before changing", reason="is it still so?"),
    ruling("contest", "Lin Qiao before changing", reason="it is"),
    ruling("contest", "Lin Qiao before changing", reason="asked again"),
    ruling("contest", "Atlas stores amounts", reason="settled: integers"),
    ruling("ratify", "Orion staging is at"),
    ruling("defer", "Orion staging is at", until="2027-02-01"),
    ruling("edit", "Orion staging is at", edits={"statement": "Orion staging is on the intranet."}),
    undo(),
    redo(),
    ruling("supersede", "An Orion change needs", target=("An Orion migration needs",)),
    undo(),
    ruling("tombstone", "An Orion change needs", reason="user_requested"),
    undo(),
    redo(),
    ruling("edit", "The Orion suite runs in", edits={"scopes": ("project:orion", "global")}),
    ruling("ratify", "The Orion suite runs in", until="2027-03-01"),
    ruling("ratify", "Atlas 的时间字段"),
    ruling("tombstone", "Atlas 的时间字段", reason="other"),
    # Batches: one group, one undo.
    ruling("ratify", "The Orion suite runs 214", "Atlas 的日期字段", reason="both clear"),
    undo(),
    redo(),
    ruling("defer", "No release goes out", "end-to-end tests need Docker", reason="later"),
    ruling("dismiss", "No release goes out", "end-to-end tests need", reason="query_only"),
    undo(),
    ruling("tombstone", "on-call number", "Skip the smoke tests", reason="privacy_sensitive"),
    ruling("contest", "reversible with one command", "small enough to review", reason="L1 now"),
    undo(),
    undo(back=1),
    redo(),
    # The Gate: refused, accepted in part and corrected, accepted whole.
    refused("claude-code/atlas-load#4"),
    submit("claude-code/atlas-load#4", "Atlas amounts become decimals.", rows=2),
    submit("claude-code/atlas-load#4", "", skip=2),
    refused("claude-code/atlas-load#2"),
    submit("claude-code/atlas-load#2", "The Atlas retry waits a minute."),
    ruling("ratify", "Atlas amounts become", reason="as the export says"),
    ruling("edit", "The Atlas retry waits", edits={"layer": "L1", "type": "preference"}),
    ruling("edit", "The Atlas retry waits", edits={"layer": "L2", "kind": "rule"}),
    ruling(
        "supersede",
        "The Atlas retry",
        target=("snapshots for 45", "weekly load"),
        reason="one rule",
    ),
    undo(),
    # Agents' captures, and rulings on them.
    captured("Orion keeps its build cache for a week.", "Atlas alerts go to the on-call channel."),
    ruling("ratify", "Orion keeps its build cache", reason="checked by hand"),
    ruling("dismiss", "Atlas alerts go", reason="already_completed"),
    captured("Atlas alerts are grouped by table."),
    ruling("tombstone", "Atlas alerts are grouped", reason="other"),
    undo(),
    ruling("defer", "Orion writes its logs", until="2027-01-15"),
    ruling("contest", "Orion writes its logs", reason="the collector has them"),
    ruling("supersede", "Orion sends its logs", target=("Orion writes its logs",), reason="moved"),
    ruling("tombstone", "Hold Orion deploys", reason="invalid"),
    undo(),
    ruling("edit", "林俏的周报", edits={"known_exceptions": ("节日周除外",), "title": "周报"}),
)
"""More than sixty rulings; every action on proposals and on memories where it is for both."""

PURGES: tuple[Step, ...] = (
    purged("Orion keeps its build cache"),
    purged("The Atlas weekly load"),
    purged("No release goes out"),
)
"""Rulings that cannot be taken back, and so come last."""
