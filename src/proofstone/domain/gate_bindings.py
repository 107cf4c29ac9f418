"""The ``evidence_bindings`` of a Gate answer: exact quotes (spec page 2, The Gate's contract).

A quote that stands in its unit proves where the words come from, not that they are true.
"""

from __future__ import annotations

from collections.abc import Mapping

from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_fault import ContractBrokenError
from proofstone.domain.gate_types import Binding, Claim, ClaimRole, EvidenceCheck

_QUOTE_ONLY = frozenset(("unit_id", "quote", "role"))
_WITH_OFFSETS = _QUOTE_ONLY | {"start", "end"}
_ROLES = frozenset(role.value for role in ClaimRole)


def read_bindings(
    value: object,
    *,
    offered: Mapping[str, EvidenceUnit] | None,
    events_of: Mapping[str, frozenset[str]],
) -> tuple[Binding, ...]:
    """The bindings, in the answer's order, with every claim's offsets filled in.

    ``offered`` and ``events_of`` are as in ``gate_coverage.read_coverage``; without the units a
    claim must give its offsets. Raises ContractBrokenError.
    """
    if not isinstance(value, list):
        raise ContractBrokenError(EvidenceCheck.BINDING_SHAPE)
    bindings: dict[str, Binding] = {}
    for item in value:
        if not isinstance(item, dict) or item.keys() != {"candidate_id", "claims"}:
            raise ContractBrokenError(EvidenceCheck.BINDING_SHAPE)
        candidate_id, claims = item["candidate_id"], item["claims"]
        if (
            not isinstance(candidate_id, str)
            or candidate_id not in events_of
            or candidate_id in bindings
            or not isinstance(claims, list)
            or not claims
        ):
            raise ContractBrokenError(EvidenceCheck.BINDING_SHAPE)
        bindings[candidate_id] = Binding(
            candidate_id=candidate_id,
            claims=tuple(_read_claim(claim, offered, events_of[candidate_id]) for claim in claims),
        )
    return tuple(bindings.values())


def _read_claim(
    item: object, offered: Mapping[str, EvidenceUnit] | None, events: frozenset[str]
) -> Claim:
    if not isinstance(item, dict) or item.keys() not in (_QUOTE_ONLY, _WITH_OFFSETS):
        raise ContractBrokenError(EvidenceCheck.BINDING_SHAPE)
    unit_id, quote, role = item["unit_id"], item["quote"], item["role"]
    if not isinstance(unit_id, str) or (offered is not None and unit_id not in offered):
        raise ContractBrokenError(EvidenceCheck.UNKNOWN_UNIT)
    if not isinstance(quote, str) or not quote.strip():
        raise ContractBrokenError(EvidenceCheck.INVALID_SPAN)
    unit = None if offered is None else offered[unit_id]
    start, end = _span(item, quote, unit)
    if not isinstance(role, str) or role not in _ROLES:
        raise ContractBrokenError(EvidenceCheck.INVALID_SPAN)
    if unit is not None and (
        unit.partition is not Partition.PHYSICAL
        or unit.event_key not in events
        or (role == ClaimRole.USER_CONFIRMATION and unit.source_role != "user")
    ):
        raise ContractBrokenError(EvidenceCheck.BINDING_SCOPE)
    return Claim(unit_id=unit_id, quote=quote, role=ClaimRole(role), start=start, end=end)


def _span(item: Mapping[str, object], quote: str, unit: EvidenceUnit | None) -> tuple[int, int]:
    """Where the quote stands in the unit's text, as given or as found."""
    if "start" not in item:
        # Occurrences are counted without overlap, as memleaf counts them.
        if unit is None or unit.text.count(quote) != 1:
            raise ContractBrokenError(EvidenceCheck.INVALID_SPAN)
        found = unit.text.index(quote)
        return found, found + len(quote)
    start, end = item["start"], item["end"]
    # A boolean is an int to Python, but no offset.
    if type(start) is not int or type(end) is not int or start < 0 or end - start != len(quote):
        raise ContractBrokenError(EvidenceCheck.INVALID_SPAN)
    if unit is not None and unit.text[start:end] != quote:
        raise ContractBrokenError(EvidenceCheck.INVALID_SPAN)
    return start, end
