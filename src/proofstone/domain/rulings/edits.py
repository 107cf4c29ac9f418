"""Editing a proposal or a memory: which keys a person may change, and to what (spec page 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from proofstone.domain import ids, note_fields
from proofstone.domain.plan import ChangeNote, NoteKind, NoteRef, RulingPlan, Value
from proofstone.domain.records import (
    Durability,
    Layer,
    Memory,
    Proposal,
    Ratification,
    Standing,
    Statement,
    TrustClass,
)
from proofstone.domain.rulings import guards, steps
from proofstone.domain.rulings.terms import Choices, Need, RulingMoment, RulingRefused

STATEMENT = "statement"
"""The name under which the words themselves are edited; on disk they are the note's body."""

DERIVED: Mapping[str, tuple[str, ...]] = {
    "normalized_key": ("scopes", "tags", "rule_type"),
    "match_kind": ("scopes", "tags", "rule_type"),
    "matched": ("scopes", "tags", "rule_type"),
    "poisoning_risk": ("trust_class", "durability_signal"),
}
"""Keys that are worked out from others, and the edits after which they say nothing any more.

An edit of the words themselves makes all of them stale; they are worked out again when needed.
"""


_RETRACTION = ("validity", "retracted_at", "retraction_reason", "invalidated_reason")
"""What memleaf 1.x says of a memory without words, and refuses beside words."""


def _text(key: str, value: Value) -> Value:
    if not isinstance(value, str):
        raise RulingRefused(f"{key} must be text", Need.EDITS)
    return value.strip()


def _words(key: str, value: Value) -> Value:
    text = _text(key, value)
    if not text:
        raise RulingRefused(f"{key} cannot be empty", Need.EDITS)
    return text


def _list(key: str, value: Value) -> Value:
    items = (value,) if isinstance(value, str) else value
    if not isinstance(items, tuple) or not all(isinstance(item, str) for item in items):
        raise RulingRefused(f"{key} must be a list of texts", Need.EDITS)
    return tuple(item.strip() for item in items if isinstance(item, str) and item.strip())


def _scopes(key: str, value: Value) -> Value:
    scopes = _list(key, value)
    if not scopes:
        raise RulingRefused("scopes cannot be empty; write global for everywhere", Need.EDITS)
    return scopes


def _one_of(allowed: tuple[str, ...]) -> Callable[[str, Value], Value]:
    def check(key: str, value: Value) -> Value:
        if value not in allowed:
            raise RulingRefused(f"{key} must be one of {', '.join(allowed)}", Need.EDITS)
        return value

    return check


EDITABLE: Mapping[str, Callable[[str, Value], Value]] = {
    STATEMENT: _words,
    "title": _words,
    "layer": _one_of(tuple(layer.value for layer in Layer)),
    "scopes": _scopes,
    "tags": _list,
    "type": _words,
    "kind": _text,
    "rule_type": _text,
    "trust_class": _one_of(tuple(trust.value for trust in TrustClass)),
    "durability_signal": _one_of(tuple(signal.value for signal in Durability)),
    "applies_when": _list,
    "does_not_apply_when": _list,
    "known_exceptions": _list,
}
"""The keys that a person may edit, each with the check of its new value."""


def edit_proposal(proposal: Proposal, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Change a waiting proposal. The words as first proposed stay on record."""
    guards.require_waiting(proposal)
    changed, body = _changes(proposal, choices)
    present = note_fields.proposal_fields(proposal)
    unset = _stale(changed, body, present)
    if body is not None:
        if not proposal.original_statement:
            changed["original"] = proposal.statement
        if proposal.content_hash:
            changed["content_hash"] = ids.content_hash(body)
    changed["updated"] = moment.time
    return RulingPlan(
        ruling=moment.ruling("edit", proposal.proposal_id, choices),
        operations=(
            ChangeNote(
                ref=NoteRef(NoteKind.PROPOSAL, proposal.proposal_id),
                revision=proposal.revision,
                set=changed,
                unset=unset,
                body=body,
            ),
        ),
        summary=f"edited: {', '.join(sorted(choices.edits))}",
    )


def edit_memory(memory: Memory, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Give a memory a new version; the one before goes to history."""
    changed, body = _changes(memory, choices)
    if changed.get("layer") == Layer.L1.value and memory.layer is not Layer.L1:
        raise RulingRefused(
            "a memory becomes L1 only by ratifying an L1 proposal; consolidate proposes one"
        )
    ratified = Ratification(by=moment.author, at=moment.time, ruling=moment.ruling_id)
    unset = _stale(changed, body, note_fields.memory_fields(memory))
    if memory.is_retracted and body is not None:
        changed["standing"] = Standing.ACTIVE.value
        unset = (*unset, *_RETRACTION)
    changed |= {
        "updated": moment.time,
        "ratified": note_fields.ratification_fields(ratified),
    }
    if body is not None:
        changed["content_hash"] = ids.content_hash(body)
    return RulingPlan(
        ruling=moment.ruling("edit", memory.memory_id, choices),
        operations=(
            steps.to_history(
                memory,
                moment,
                standing=Standing.SUPERSEDED,
                superseded_by=memory.memory_id,
                keep_source=True,
            ),
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
                revision=memory.revision,
                set=changed,
                unset=unset,
                body=body,
            ),
        ),
        summary=f"edited: {', '.join(sorted(choices.edits))}; the version before is in history",
    )


def _changes(subject: Statement, choices: Choices) -> tuple[dict[str, Value], str | None]:
    """The keys that really change, checked, and the new body when the words change."""
    changed: dict[str, Value] = {}
    body: str | None = None
    for key, value in choices.edits.items():
        check = EDITABLE.get(key)
        if check is None:
            raise RulingRefused(
                f"{key} cannot be edited; these can: {', '.join(EDITABLE)}", Need.EDITS
            )
        checked = check(key, value)
        if checked == _present(subject, key):
            continue
        if key == STATEMENT:
            body = str(checked)
        else:
            changed[key] = checked
    if not changed and body is None:
        raise RulingRefused("nothing was changed", Need.EDITS)
    return changed, body


def _stale(
    changed: Mapping[str, Value], body: str | None, present: Mapping[str, Value]
) -> tuple[str, ...]:
    """The keys of the note that the edit leaves without foundation."""
    return tuple(
        key
        for key, sources in DERIVED.items()
        if key in present and (body is not None or any(source in changed for source in sources))
    )


def _present(subject: Statement, key: str) -> object:
    value = getattr(subject, key)
    return getattr(value, "value", value)
