"""Gate answers on disk: one JSON file a turn (spec pages 2 and 5).

Of a refused answer the file keeps the identifier, the stage and the time; nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256

from proofstone.domain.gate_contract import answer_from_json
from proofstone.domain.gate_stored import answer_to_json
from proofstone.domain.gate_types import (
    Cleaned,
    EvidenceCheck,
    GateAnswer,
    GateRecord,
    GateRefusal,
)
from proofstone.vault.cleaned_record import CLEANED, cleaned_json, read_cleaned

SCHEMA = "proofstone/gate-record/1"
MAX_GATE_BYTES = 8 * 1024 * 1024
"""A larger file is shown as unreadable (docs/limits.md)."""


class GateRecordError(ValueError):
    """Why a stored Gate answer cannot be read."""


def read_gate(data: bytes, path: str) -> GateRecord:
    """Read a stored record. Raises GateRecordError with the reason."""
    if len(data) > MAX_GATE_BYTES:
        raise GateRecordError(f"it is larger than {MAX_GATE_BYTES // (1024 * 1024)} MiB")
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise GateRecordError(f"it is not JSON: {' '.join(str(error).split())[:200]}") from None
    if not isinstance(value, dict) or value.get("schema") != SCHEMA:
        raise GateRecordError(f"its schema is not {SCHEMA}")
    turn = _text(value, "turn")
    if not turn:
        raise GateRecordError("it names no turn")
    stored = value.get("answer")
    answer: GateAnswer | None = None
    if stored is not None:
        read = answer_from_json(stored)
        if isinstance(read, GateRefusal):
            raise GateRecordError(f"its answer breaks the contract: {read.identifier}")
        answer = read
    return GateRecord(
        turn=turn,
        answer=answer,
        answered_by=_text(value, "answered_by"),
        answered_by_kind=_kind(value),
        answered_at=_text(value, "answered_at"),
        inventory_digest=_text(value, "inventory_digest"),
        prompt_digest=_text(value, "prompt_digest"),
        corrected_at=_text(value, "corrected_at"),
        refusals=_refusals(value.get("refusals", [])),
        path=path,
        revision=sha256(data).hexdigest(),
        turn_key=_text(value, "turn_key"),
        cleaned=_cleaned(value),
    )


def write_gate(record: GateRecord, turn_key: str) -> bytes:
    """The bytes that store ``record``."""
    value: dict[str, object] = {
        "schema": SCHEMA,
        "turn": record.turn,
        "turn_key": turn_key,
        "answered_by": record.answered_by,
        "answered_by_kind": record.answered_by_kind,
        "answered_at": record.answered_at,
        "inventory_digest": record.inventory_digest,
        **{key: text for key, text in _only_when_set(record) if text},
        "answer": None if record.answer is None else answer_to_json(record.answer),
        "refusals": [_refusal_json(at, refusal) for at, refusal in record.refusals],
    }
    if record.cleaned is not None:
        value[CLEANED] = cleaned_json(record.cleaned)
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def _only_when_set(record: GateRecord) -> tuple[tuple[str, str], ...]:
    return (("prompt_digest", record.prompt_digest), ("corrected_at", record.corrected_at))


def _refusal_json(at: str, refusal: GateRefusal) -> dict[str, str]:
    named = {
        "at": at,
        "stage": refusal.stage,
        "evidence_check": refusal.evidence_check,
        "validation_detail": refusal.validation_detail,
        "validation_reason": refusal.validation_reason,
    }
    return {key: str(value) for key, value in named.items() if value is not None}


def _refusals(value: object) -> tuple[tuple[str, GateRefusal], ...]:
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise GateRecordError("its refusals are not a list of objects")
    return tuple((_text(row, "at"), _refusal(row)) for row in value)


def _refusal(row: Mapping[str, object]) -> GateRefusal:
    check = _text(row, "evidence_check")
    if check and check not in list(EvidenceCheck):
        raise GateRecordError("a refusal names an unknown evidence_check")
    return GateRefusal(
        stage=_text(row, "stage"),
        evidence_check=check or None,
        validation_detail=_text(row, "validation_detail") or None,
        validation_reason=_text(row, "validation_reason") or None,
    )


def _cleaned(value: Mapping[str, object]) -> Cleaned | None:
    try:
        return read_cleaned(value.get(CLEANED))
    except ValueError as error:
        raise GateRecordError(str(error)) from None


def _kind(value: Mapping[str, object]) -> str:
    kind = _text(value, "answered_by_kind") or "model"
    if kind not in ("model", "person"):
        raise GateRecordError("answered_by_kind must be model or person")
    return kind


def _text(value: Mapping[str, object], key: str) -> str:
    text = value.get(key)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise GateRecordError(f"{key} is not text")
    return text
