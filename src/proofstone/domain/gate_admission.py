"""How memleaf 0.2.30 admits a candidate that it would write without asking anybody.

Proofstone writes nothing without a ruling, so here a reason holds nothing back: it is told to the
person beside the proposal, and compared with memleaf's own outcome of a turn. A keyword never
decides whether a statement matters (spec page 1, Principles).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_support import Support, can_be_repeated, supporting_units
from proofstone.domain.gate_types import Candidate, Claim

NO_CHANGE_ADMISSIONS: tuple[str, ...] = ("read_only_query", "quoted_or_example")
"""Reasons for which memleaf drops a candidate; for any other reason it defers it."""

_NOT_NEEDED = re.compile(
    "[无毋]须|无需|不需要|不[用必]"
    "|(?:没有|不存在).{0,12}(?:需要|待办|问题)"
    r"|\b(?:no need|(?:do|does) not need|need not|not required)\b",
    re.IGNORECASE,
)
_DONE = re.compile(
    "已经?.{0,4}(?:全部|均)?(?:完成|取消|解决|关闭)"
    r"|\balready (?:cancelled|completed|done)\b"
    r"|\ball .{0,20}(?:completed|resolved)\b",
    re.IGNORECASE,
)
_OTHERS_TASK = re.compile(
    "(?:供应商|客户|第三方)(?:自己|自行)?(?:必须|负责|应当|需要?|要(?!求))"
    r"|\b(?:customer|supplier|vendor|third party)\s+(?:is responsible|must|needs? to)\b",
    re.IGNORECASE,
)
_TODO_HINTS = (
    (_NOT_NEEDED, "negated_action"),
    (_DONE, "already_completed"),
    (_OTHERS_TASK, "ownership_ambiguous"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Admission:
    """Why memleaf would not write a candidate by itself, None when it would, and its support."""

    reason: str | None
    support: tuple[Support, ...]


def admission(
    candidate: Candidate,
    units: Sequence[EvidenceUnit],
    claims: Sequence[Claim] | None = None,
    covered_ids: Collection[str] | None = None,
) -> Admission:
    """Admit ``candidate`` over the whole inventory; arguments as in ``supporting_units``."""
    if not claims and not any(can_be_repeated(unit) for unit in units):
        example = any(unit.origin is Origin.QUOTED_OR_EXAMPLE for unit in units)
        return Admission(reason="quoted_or_example" if example else "read_only_query", support=())
    support = supporting_units(candidate, units, claims, covered_ids)
    if not support:
        return Admission(reason="evidence_not_supported", support=())
    return Admission(reason=_todo_hint(candidate, support), support=support)


def _todo_hint(candidate: Candidate, support: Sequence[Support]) -> str | None:
    """Why a new task should not be taken from these words; an update may speak of any of it."""
    if candidate.type != "todo" or candidate.update_memory_id:
        return None
    words = "\n".join(item.quote for item in support)
    return next((reason for pattern, reason in _TODO_HINTS if pattern.search(words)), None)
