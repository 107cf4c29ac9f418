"""A statement as an edit would leave it, before anything is decided or written (spec page 6)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, TypeVar

from proofstone.domain import ids
from proofstone.domain.plan import Value
from proofstone.domain.records import Durability, Layer, Memory, Proposal, TrustClass
from proofstone.domain.rulings.edits import DERIVED, EDITABLE, STATEMENT
from proofstone.domain.rulings.terms import Need, RulingRefused

Subject = TypeVar("Subject", Proposal, Memory)

_KINDS: Mapping[str, Callable[[str], object]] = {
    "layer": Layer,
    "trust_class": TrustClass,
    "durability_signal": Durability,
}


def edited(subject: Subject, edits: Mapping[str, Value]) -> Subject:
    """``subject`` with ``edits``; what was worked out from the old values is worked out again.

    Raises:
        RulingRefused: an edit would not be accepted; the words say which and why.
    """
    changed: dict[str, Any] = {}
    for key, value in edits.items():
        check = EDITABLE.get(key)
        if check is None:
            raise RulingRefused(f"{key} cannot be edited", Need.EDITS)
        checked = check(key, value)
        kind = _KINDS.get(key)
        changed[key] = kind(str(checked)) if kind is not None else checked
    words = changed.get(STATEMENT, subject.statement) != subject.statement
    if words and subject.content_hash:
        changed["content_hash"] = ids.content_hash(str(changed[STATEMENT]))
    unset = {field.name: field.default for field in fields(subject)}
    for key, sources in DERIVED.items():
        default = unset.get(key, MISSING)
        if default is not MISSING and (words or any(source in changed for source in sources)):
            changed[key] = default
    return replace(subject, **changed)
