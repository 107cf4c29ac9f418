"""memleaf's own outcome of each turn, from ``_state/processed.json`` (spec page 5, Inbox blocks).

Read-only, always: memleaf takes a file that it cannot read for an empty one and overwrites it, so
an unreadable one is reported and never touched.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from proofstone.domain.records import Problem
from proofstone.vault.layout import PROCESSED


@dataclass(frozen=True, slots=True, kw_only=True)
class MemleafDisposition:
    """What memleaf made of one unit: its decision, reason and candidates."""

    unit_id: str
    event_key: str
    decision: str
    reason: str
    candidate_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemleafCandidate:
    """What memleaf made of one candidate: CREATE, UPDATE, NO_CHANGE or DEFERRED."""

    candidate_id: str
    disposition: str
    reason: str = ""
    memory_id: str = ""
    evidence_unit_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class MemleafOutcome:
    """memleaf's outcome of one turn. ``status`` is ``processed``, ``processing`` or ``failed``.

    The ``failure_…`` words and ``evidence_check`` come from the session's failure marker, which
    memleaf writes to every session of the same run; ``names_turn`` says whether it names this one.
    """

    status: str
    processed_at: str = ""
    memory_ids: tuple[str, ...] = ()
    dispositions: tuple[MemleafDisposition, ...] = ()
    candidates: tuple[MemleafCandidate, ...] = ()
    deferred: tuple[MemleafDisposition, ...] = ()
    eligible_cleanup_at: str = ""
    cleanup_done_at: str = ""
    failed_at: str = ""
    failure_code: str = ""
    failure_stage: str = ""
    evidence_check: str = ""
    validation_reason: str = ""
    validation_detail: str = ""
    names_turn: bool = False
    turn_index: int = 0

    def reference(self, identity: TurnIdentity) -> str:
        """How commands name the turn; empty where memleaf did not note its number."""
        source, session_id, _ = identity
        return f"{source}/{session_id}#{self.turn_index}" if self.turn_index else ""


TurnIdentity = tuple[str, str, str]
"""Source, session and turn key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MemleafProgress:
    """How far memleaf is: by source and session the number of the last turn that it has dealt
    with, and whether it was in the middle of writing what it made of some.
    """

    done: Mapping[tuple[str, str], int] = field(default_factory=dict)
    is_writing: bool = False

    def waits_for(self, source: str, session_id: str, turn_index: int) -> bool:
        """Whether memleaf knows the session and has not come to the turn yet.

        It takes a session's turns up one by one, so a gap would stop it there.
        """
        done = self.done.get((source, session_id))
        return done is not None and turn_index > done


def read_progress(data: bytes) -> MemleafProgress:
    """How far memleaf is. What cannot be read says nothing; ``read_processed`` reports it."""
    try:
        state = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        return MemleafProgress()
    sessions = state.get("sessions") if isinstance(state, dict) else None
    if not isinstance(sessions, dict):
        return MemleafProgress()
    done: dict[tuple[str, str], int] = {}
    for name, session in sessions.items():
        if isinstance(session, dict):
            source, _, session_id = name.partition("/")
            entries = _objects(session.get("processed_turns"))
            done[source, session_id] = max(
                _number(session, "watermark"),
                _number(session, "processed_watermark"),
                *(_number(entry, "turn_index") for entry in entries),
            )
    pending = (state.get("pending_turn_plans"), state.get("pending_operations"))
    return MemleafProgress(done=done, is_writing=any(pending))


def read_processed(
    data: bytes,
) -> tuple[dict[TurnIdentity, MemleafOutcome], tuple[Problem, ...]]:
    """The outcome of each turn by source, session and turn key, and what cannot be read."""
    try:
        state = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        return {}, (_problem(f"it cannot be read: {_in_one_line(error)}"),)
    sessions = state.get("sessions") if isinstance(state, dict) else None
    if not isinstance(sessions, dict):
        return {}, (_problem("it holds no sessions"),)
    outcomes: dict[TurnIdentity, MemleafOutcome] = {}
    problems: list[Problem] = []
    for name, session in sessions.items():
        source, _, session_id = name.partition("/")
        if not isinstance(session, dict):
            problems.append(_problem(f"the state of session {name!r} is not an object"))
            continue
        _add_processed(outcomes, session.get("processed_turns"), source, session_id)
        _add_processing(outcomes, session.get("processing"), source, session_id)
    return outcomes, tuple(problems)


def _add_processed(
    outcomes: dict[TurnIdentity, MemleafOutcome], entries: object, source: str, session_id: str
) -> None:
    for entry in _objects(entries):
        key = _text(entry, "turn_key").casefold()
        if key:
            outcomes[source, session_id, key] = MemleafOutcome(
                status="processed",
                processed_at=_text(entry, "processed_at"),
                memory_ids=_texts(entry, "memory_ids"),
                dispositions=_dispositions(entry.get("evidence_dispositions")),
                candidates=_candidates(entry.get("candidate_dispositions")),
                deferred=_dispositions(entry.get("deferred_evidence")),
                eligible_cleanup_at=_text(entry, "eligible_cleanup_at"),
                cleanup_done_at=_text(entry, "cleanup_done_at"),
                turn_index=_number(entry, "turn_index"),
            )


def _add_processing(
    outcomes: dict[TurnIdentity, MemleafOutcome], marker: object, source: str, session_id: str
) -> None:
    if not isinstance(marker, Mapping) or marker.get("status") not in ("processing", "failed"):
        return
    for key in _texts(marker, "turn_keys"):
        identity = (source, session_id, key.casefold())
        outcomes.setdefault(
            identity,
            MemleafOutcome(
                status=_text(marker, "status"),
                failed_at=_text(marker, "failed_at"),
                failure_code=_text(marker, "failure_code"),
                failure_stage=_text(marker, "failure_stage"),
                evidence_check=_text(marker, "evidence_check"),
                validation_reason=_text(marker, "validation_reason"),
                validation_detail=_text(marker, "validation_detail"),
                names_turn=True,
            ),
        )


def _dispositions(rows: object) -> tuple[MemleafDisposition, ...]:
    return tuple(
        MemleafDisposition(
            unit_id=_text(row, "unit_id"),
            event_key=_text(row, "event_key"),
            decision=_text(row, "decision"),
            reason=_text(row, "reason"),
            candidate_ids=_texts(row, "candidate_ids"),
        )
        for row in _objects(rows)
    )


def _candidates(rows: object) -> tuple[MemleafCandidate, ...]:
    return tuple(
        MemleafCandidate(
            candidate_id=_text(row, "candidate_id"),
            disposition=_text(row, "disposition"),
            reason=_text(row, "reason"),
            memory_id=_text(row, "memory_id"),
            evidence_unit_ids=_texts(row, "evidence_unit_ids"),
        )
        for row in _objects(rows)
    )


def _objects(value: object) -> Iterable[Mapping[str, object]]:
    return (item for item in value if isinstance(item, dict)) if isinstance(value, list) else ()


def _text(entry: Mapping[str, object], key: str) -> str:
    value = entry.get(key)
    return value if isinstance(value, str) else ""


def _number(entry: Mapping[str, object], key: str) -> int:
    value = entry.get(key)
    return value if type(value) is int and value > 0 else 0


def _texts(entry: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = entry.get(key)
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _problem(message: str) -> Problem:
    return Problem(
        code="unreadable_memleaf_state",
        path=PROCESSED,
        message=f"memleaf's record of processed turns: {message}",
        advice=(
            "Restore it from a backup before memleaf runs again: memleaf takes an unreadable "
            "file for an empty one and overwrites it."
        ),
    )


def _in_one_line(error: BaseException) -> str:
    return " ".join(str(error).split())[:200]
