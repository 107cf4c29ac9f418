"""The ``candidates`` of a Gate answer (spec page 2, The Gate's contract)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from proofstone.domain.gate_fault import ContractBrokenError
from proofstone.domain.gate_types import (
    CANDIDATE_TYPES,
    SCOPE_SOURCES,
    Candidate,
    EvidenceCheck,
    ValidationDetail,
)

MAX_REASON_CHARACTERS = 30
"""Longest ``reason`` of a candidate, in characters."""

_REQUIRED = frozenset(
    (
        "candidate_id",
        "memory",
        "evidence_event_ids",
        "duplicate",
        "worth",
        "type",
        "scopes",
        "scope_source",
    )
)
_OPTIONAL = frozenset(("update_memory_id", "duplicate_memory_id", "reason"))
_SCOPE_LEVELS = frozenset(("domain", "portfolio", "project"))
_SCOPE_NAME = re.compile(r"[^\s/\\:\x00]+")
_NOT_IN_A_LINE = re.compile(r"[\x00\n\r]")


def read_candidates(
    value: object,
    *,
    event_keys: Collection[str] | None,
    known_memory_ids: Collection[str] | None,
) -> tuple[Candidate, ...]:
    """The candidates, in the answer's order.

    ``event_keys`` are those of the turn, ``known_memory_ids`` the memories that may be named as
    a target; either may be None when it cannot be known any more and is not to be checked.
    Raises ContractBrokenError.
    """
    if not isinstance(value, list):
        raise ContractBrokenError(ValidationDetail.ROOT_SHAPE)
    turn = None if event_keys is None else frozenset(key.casefold() for key in event_keys)
    known = (
        None
        if known_memory_ids is None
        else frozenset(memory_id.casefold() for memory_id in known_memory_ids)
    )
    ids: set[str] = set()
    targets: set[str] = set()
    candidates: list[Candidate] = []
    for item in value:
        candidate = _read_candidate(item, ids, turn, known, targets)
        candidates.append(candidate)
    return tuple(candidates)


def _read_candidate(
    value: object,
    ids: set[str],
    turn: frozenset[str] | None,
    known: frozenset[str] | None,
    targets: set[str],
) -> Candidate:
    """One candidate. Adds to ``ids`` and ``targets`` what no later one may repeat."""
    if not isinstance(value, dict):
        raise ContractBrokenError(ValidationDetail.CANDIDATE_SHAPE)
    if not value.keys() >= _REQUIRED:
        raise ContractBrokenError(ValidationDetail.MISSING_FIELDS)
    if value.keys() - _REQUIRED - _OPTIONAL:
        raise ContractBrokenError(ValidationDetail.UNKNOWN_FIELDS)
    candidate_id = _line(value["candidate_id"], ValidationDetail.CANDIDATE_SHAPE)
    if candidate_id.casefold() in ids:
        raise ContractBrokenError(ValidationDetail.DUPLICATE_CANDIDATE_ID)
    ids.add(candidate_id.casefold())
    memory = _line(value["memory"], ValidationDetail.CANDIDATE_SHAPE)
    event_ids = _lines(value["evidence_event_ids"], EvidenceCheck.CANDIDATE_EVIDENCE)
    if not event_ids or (turn is not None and any(key.casefold() not in turn for key in event_ids)):
        raise ContractBrokenError(EvidenceCheck.CANDIDATE_EVIDENCE)
    duplicate, worth, kind = _flags_and_type(value)
    update_target, duplicate_target = _targets(value, duplicate, worth, known)
    for target in (update_target, duplicate_target):
        if target is not None:
            if target.casefold() in targets:
                raise ContractBrokenError(ValidationDetail.DUPLICATE_UPDATE_TARGET)
            targets.add(target.casefold())
    scope_source = value["scope_source"]
    if not isinstance(scope_source, str) or scope_source not in SCOPE_SOURCES:
        raise ContractBrokenError(ValidationDetail.INVALID_SCOPE_SOURCE)
    return Candidate(
        candidate_id=candidate_id,
        memory=memory,
        evidence_event_ids=event_ids,
        worth=worth,
        duplicate=duplicate,
        type=kind,
        scopes=_scopes(value["scopes"], scope_source),
        scope_source=scope_source,
        update_memory_id=update_target,
        duplicate_memory_id=duplicate_target,
        reason=_reason(value),
    )


def _flags_and_type(value: Mapping[str, object]) -> tuple[bool, bool, str | None]:
    duplicate, worth, kind = value["duplicate"], value["worth"], value["type"]
    if not isinstance(duplicate, bool) or not isinstance(worth, bool):
        raise ContractBrokenError(ValidationDetail.INVALID_FLAGS)
    if kind is not None and (not isinstance(kind, str) or kind not in CANDIDATE_TYPES):
        raise ContractBrokenError(ValidationDetail.INVALID_TYPE)
    if duplicate and worth:
        raise ContractBrokenError(ValidationDetail.INVALID_FLAGS)
    if worth and kind is None:
        raise ContractBrokenError(ValidationDetail.INVALID_TYPE)
    return duplicate, worth, kind


def _targets(
    value: Mapping[str, object], duplicate: bool, worth: bool, known: frozenset[str] | None
) -> tuple[str | None, str | None]:
    """The memory to update and the memory repeated; a candidate names at most one."""
    updates, repeats = "update_memory_id" in value, "duplicate_memory_id" in value
    if updates and (repeats or duplicate or not worth):
        raise ContractBrokenError(ValidationDetail.INVALID_UPDATE_TARGET)
    if repeats and (worth or not duplicate):
        raise ContractBrokenError(ValidationDetail.INVALID_DUPLICATE_TARGET)
    if updates:
        fault = ValidationDetail.INVALID_UPDATE_TARGET
        return _memory_id(value["update_memory_id"], known, fault), None
    if repeats:
        fault = ValidationDetail.INVALID_DUPLICATE_TARGET
        return None, _memory_id(value["duplicate_memory_id"], known, fault)
    return None, None


def _memory_id(value: object, known: frozenset[str] | None, fault: ValidationDetail) -> str:
    memory_id = _line(value, fault)
    if "/" in memory_id or "\\" in memory_id or memory_id in (".", ".."):
        raise ContractBrokenError(fault)
    if known is not None and memory_id.casefold() not in known:
        raise ContractBrokenError(fault)
    return memory_id


def _scopes(value: object, scope_source: str) -> tuple[str, ...]:
    """At least one scope; ``unscoped`` stands alone and goes with insufficient context."""
    scopes = _lines(value, ValidationDetail.INVALID_SCOPE)
    for scope in scopes:
        level, colon, name = scope.partition(":")
        named = level in _SCOPE_LEVELS and colon and _SCOPE_NAME.fullmatch(name)
        if scope not in ("global", "unscoped") and (not named or name in (".", "..")):
            raise ContractBrokenError(ValidationDetail.INVALID_SCOPE)
    unscoped = "unscoped" in scopes
    if (
        not scopes
        or (unscoped and len(scopes) > 1)
        or unscoped is not (scope_source == "insufficient_context")
    ):
        raise ContractBrokenError(ValidationDetail.INVALID_SCOPE)
    return scopes


def _reason(value: Mapping[str, object]) -> str | None:
    if "reason" not in value:
        return None
    reason = value["reason"]
    if not isinstance(reason, str) or _NOT_IN_A_LINE.search(reason):
        raise ContractBrokenError(ValidationDetail.CANDIDATE_SHAPE)
    if len(reason) > MAX_REASON_CHARACTERS:
        raise ContractBrokenError(ValidationDetail.REASON_TOO_LONG)
    return reason


def _line(value: object, fault: EvidenceCheck | ValidationDetail) -> str:
    """A string of one line that is not blank."""
    if not isinstance(value, str) or not value.strip() or _NOT_IN_A_LINE.search(value):
        raise ContractBrokenError(fault)
    return value


def _lines(value: object, fault: EvidenceCheck | ValidationDetail) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ContractBrokenError(fault)
    return tuple(_line(item, fault) for item in value)
