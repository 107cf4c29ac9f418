"""The Gate's contract: what an answer must keep to be accepted (spec page 2).

An answer is refused whole. The units that it is held against are those *offered*: the physical
projection of the turn's inventory, which the callers make with ``projection``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_bindings import read_bindings
from proofstone.domain.gate_candidates import read_candidates
from proofstone.domain.gate_coverage import read_coverage
from proofstone.domain.gate_fault import ContractBrokenError
from proofstone.domain.gate_json import read_json
from proofstone.domain.gate_stored import answer_to_json
from proofstone.domain.gate_support import check_agreement, unaccounted
from proofstone.domain.gate_types import (
    EvidenceCheck,
    GateAnswer,
    GateRefusal,
    ValidationDetail,
)

MAX_CORRECTION_UNITS = 500
"""Most units that one correction asks for. Those beyond it stay unresolved."""

_KEYS = frozenset(("candidates", "coverage", "evidence_bindings"))


def projection(units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
    """The units that are put before the Gate and may be cited: the physical ones, in order."""
    return tuple(unit for unit in units if unit.partition is Partition.PHYSICAL)


def check_response(
    text: str,
    *,
    turn_event_keys: Sequence[str],
    units: Sequence[EvidenceUnit],
    require_complete: bool = True,
    known_memory_ids: Collection[str] | None = None,
) -> GateAnswer | GateRefusal:
    """Read and check a Gate's answer, a model's or a person's. Never raises, whatever the text.

    ``units`` are those offered. With ``require_complete`` an answer that gives coverage must give
    a row for each of them; otherwise, and for an answer of candidates alone, the units left over
    are ``missing_unit_ids`` and go to a correction. ``known_memory_ids`` are the memories that a
    candidate may update or repeat; None leaves its targets unchecked.
    """
    try:
        return _checked(
            read_json(text),
            turn_event_keys=turn_event_keys,
            units=units,
            require_complete=require_complete,
            known_memory_ids=known_memory_ids,
        )
    except ContractBrokenError as broken:
        return broken.refusal("gate")


def check_answer(
    answer: GateAnswer, *, turn_event_keys: Sequence[str], units: Sequence[EvidenceUnit]
) -> GateAnswer | GateRefusal:
    """Hold a stored answer against the units as they are now; ``units`` are those offered.

    Its targets are not checked: a memory may have gone to history since.
    """
    try:
        return _checked(
            answer_to_json(answer),
            turn_event_keys=turn_event_keys,
            units=units,
            require_complete=False,
            known_memory_ids=None,
        )
    except ContractBrokenError as broken:
        return broken.refusal("stored")


def answer_from_json(
    value: object, *, units: Sequence[EvidenceUnit] = ()
) -> GateAnswer | GateRefusal:
    """Read an answer back from its stored form, also when its turn's text is gone.

    Only what the stored form can say by itself is checked; ``check_answer`` does the rest.
    ``units``, those offered, serve to tell which are missing.
    """
    try:
        answer = _read(value, turn_event_keys=None, offered=None, known_memory_ids=None)
    except ContractBrokenError as broken:
        return broken.refusal("stored")
    return replace(answer, missing_unit_ids=unaccounted(answer, units))


def correction_request(answer: GateAnswer, units: Sequence[EvidenceUnit]) -> str:
    """What the one correction asks: rows for the units left over, named by id alone.

    At most ``MAX_CORRECTION_UNITS`` are named. An empty string when nothing is missing.
    """
    missing = [unit.unit_id for unit in _missing(answer, units)]
    if not missing:
        return ""
    used = [candidate.candidate_id for candidate in answer.candidates]
    return "\n".join(
        (
            "Your answer left evidence units without a coverage row. Answer once more, with one",
            "JSON object of the same contract, for these units alone:",
            json.dumps(missing[:MAX_CORRECTION_UNITS]),
            "Give each of them one row: CANDIDATE, NO_CHANGE or DEFERRED. Repeat nothing that you",
            "have already accounted for. Candidate ids already in use:",
            json.dumps(used),
        )
    )


def merge_correction(
    answer: GateAnswer,
    correction_text: str,
    *,
    turn_event_keys: Sequence[str],
    units: Sequence[EvidenceUnit],
    known_memory_ids: Collection[str] | None = None,
) -> GateAnswer | GateRefusal:
    """``answer`` with what its one correction adds, or why the correction was refused.

    A correction speaks of the missing units and their events only, and adds candidates under new
    ids. A refused one takes nothing away: ``answer`` stands, and its missing units stay
    unresolved, as do those that an accepted correction still leaves out. ``units`` are all those
    offered.
    """
    missing = _missing(answer, units)
    try:
        added = _checked(
            read_json(correction_text),
            turn_event_keys=[unit.event_key for unit in missing],
            units=missing,
            require_complete=False,
            known_memory_ids=known_memory_ids,
        )
        before, after = answer_to_json(answer), answer_to_json(added)
        return _checked(
            {key: [*before[key], *after[key]] for key in before},
            turn_event_keys=turn_event_keys,
            units=units,
            require_complete=False,
            known_memory_ids=None,
        )
    except ContractBrokenError as broken:
        return broken.refusal("correction")


def _missing(answer: GateAnswer, units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
    ids = frozenset(answer.missing_unit_ids)
    return tuple(unit for unit in units if unit.unit_id in ids)


def _checked(
    value: object,
    *,
    turn_event_keys: Sequence[str],
    units: Sequence[EvidenceUnit],
    require_complete: bool,
    known_memory_ids: Collection[str] | None,
) -> GateAnswer:
    answer = _read(
        value,
        turn_event_keys=turn_event_keys,
        offered={unit.unit_id: unit for unit in units},
        known_memory_ids=known_memory_ids,
        require_complete=require_complete,
    )
    check_agreement(answer, units)
    return replace(answer, missing_unit_ids=unaccounted(answer, units))


def _read(
    value: object,
    *,
    turn_event_keys: Sequence[str] | None,
    offered: Mapping[str, EvidenceUnit] | None,
    known_memory_ids: Collection[str] | None,
    require_complete: bool = False,
) -> GateAnswer:
    """The answer's three lists, each checked by itself; an absent or null list is not given."""
    if not isinstance(value, dict):
        raise ContractBrokenError(ValidationDetail.ROOT_SHAPE)
    if "candidates" not in value:
        raise ContractBrokenError(ValidationDetail.MISSING_FIELDS)
    if value.keys() - _KEYS:
        raise ContractBrokenError(ValidationDetail.UNKNOWN_FIELDS)
    candidates = read_candidates(
        value["candidates"], event_keys=turn_event_keys, known_memory_ids=known_memory_ids
    )
    events_of = {item.candidate_id: frozenset(item.evidence_event_ids) for item in candidates}
    answer = GateAnswer(candidates=candidates)
    if value.get("coverage") is not None:
        rows = read_coverage(value["coverage"], offered=offered, events_of=events_of)
        if require_complete and offered is not None and len(rows) != len(offered):
            raise ContractBrokenError(EvidenceCheck.INCOMPLETE_COVERAGE)
        answer = replace(answer, coverage=rows)
    if value.get("evidence_bindings") is not None:
        bindings = read_bindings(value["evidence_bindings"], offered=offered, events_of=events_of)
        answer = replace(answer, bindings=bindings)
    return answer
