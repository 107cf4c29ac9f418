"""A unit as a row: bar, letter, role, the exact clause, and what became of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from textual.content import Content

from proofstone.domain.conversation import Observation
from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_types import Decision
from proofstone.domain.shown import shown
from proofstone.tui.panes.word_picking import PICKED_STYLE
from proofstone.tui.rows import EMPTY, Extent, Row
from proofstone.tui.ties import Spans, unit_link
from proofstone.tui.words import (
    BAR,
    DECISION_STYLE,
    PARTITION_LETTER,
    PARTITION_STYLE,
    PARTITION_TEXT_STYLE,
    ROLE_WORD,
    displayed,
    safe_shown,
)

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView

GUTTER_CELLS = 8
"""Bar, letter, space, role and a space."""

RecordPlace = tuple[str, str, str]
"""The event, call and record of a tool record."""
Observed = Mapping[RecordPlace, Observation]
"""Tool records by their place."""

QUOTE_STYLE = "$ink-quote on $ground-quote underline"
_UNIT_LIMIT = 4_000


def unit_row(
    unit: EvidenceUnit,
    quotes: Spans,
    trailing: Content = EMPTY,
    chosen: tuple[int, int] | None = None,
) -> Row:
    """One unit: bar, letter, role, and the exact clause with its quotes and chosen words marked."""
    partition = unit.partition
    style = PARTITION_STYLE[partition]
    view = displayed(unit.text, limit=_UNIT_LIMIT)
    body = safe_shown(view, PARTITION_TEXT_STYLE[partition])
    for start, end in quotes.get(unit.unit_id, ()):
        left, right = view.span(start, end)
        body = body.stylize(QUOTE_STYLE, left, right)
    if chosen is not None:
        body = body.stylize(PICKED_STYLE, *view.span(*chosen))
    role = ROLE_WORD.get(unit.source_role, unit.source_role[:4])
    return Row(
        key=unit.unit_id,
        link=unit_link(unit.unit_id),
        gutter=Content.assemble(
            (BAR, style), (PARTITION_LETTER[partition], f"{style} bold"), " ", (f"{role:<5}", style)
        ),
        continuation=Content.assemble((BAR, style), " " * (GUTTER_CELLS - 1)),
        body=body,
        trailing=trailing,
        wrap=True,
    )


def unit_extent(unit: EvidenceUnit, trailing: Content = EMPTY) -> Extent:
    """What the height of ``unit_row`` follows from, for a unit that was covered already."""
    text = unit.text
    if len(text) > _UNIT_LIMIT or not text.isascii() or not text.isprintable():
        text = shown(text, limit=_UNIT_LIMIT).text
    return Extent(text, GUTTER_CELLS, trailing.cell_length + 1 if trailing else 0, wraps=True)


class Decided:
    """What became of the units of a turn, each in a word or two."""

    def __init__(self, turn: TurnView) -> None:
        self._turn = turn
        self._is_answered = is_answered(turn)
        self._observed = observations_of(turn)

    def words(self, unit: EvidenceUnit) -> Content:
        """Its candidates, or the decision; nothing for context."""
        partition = unit.partition
        if partition is Partition.UNRESOLVED:
            observation = self._observed.get(record_of(unit))
            word = incompleteness(observation) if observation is not None else "unresolved"
            return Content.assemble((word, "$partition-unresolved"))
        row = self._turn.dispositions.get(unit.unit_id)
        if row is None or not self._is_answered:
            return EMPTY
        is_physical = partition is Partition.PHYSICAL
        return _words(row.decision, row.reason, row.candidate_ids, is_physical=is_physical)


@lru_cache(maxsize=512)
def _words(
    decision: Decision, reason: str, candidate_ids: tuple[str, ...], *, is_physical: bool
) -> Content:
    if decision is Decision.CANDIDATE:
        names = ",".join(displayed(name, limit=8).text for name in candidate_ids[:3])
        return Content.assemble((f"→{names}", DECISION_STYLE[decision]))
    if not is_physical:
        return EMPTY
    if reason == "coverage_unresolved":
        return Content.assemble((" OPEN ", "$decision-open bold reverse"))
    word = "deferred" if decision is Decision.DEFERRED else "no change"
    return Content.assemble((word, DECISION_STYLE[decision]))


def is_answered(turn: TurnView) -> bool:
    """Whether an answer, or a draft of one, accounts for the turn."""
    return turn.gate is not None and turn.gate.answer is not None


def changed_units(before: TurnView, now: TurnView) -> list[int]:
    """The places of the units of which something else became; both have the same units."""
    rows = zip(before.dispositions.values(), now.dispositions.values(), strict=True)
    return [place for place, (was, became) in enumerate(rows) if was is not became]


def observations_of(turn: TurnView) -> Observed:
    """The tool records that units were cut from."""
    found: dict[RecordPlace, Observation] = {}
    for event in turn.turn.events:
        for observation in event.observations:
            place = event.event_key, observation.call_id, observation.record_id
            found.setdefault(place, observation)
    return found


def record_of(unit: EvidenceUnit) -> RecordPlace:
    """The tool record that a unit was cut from."""
    return unit.event_key, unit.call_id or "", unit.record_id or ""


def incompleteness(observation: Observation) -> str:
    """In a word, why a record is not whole."""
    if observation.completeness in ("partial", "missing"):
        return observation.completeness
    if observation.content is None:
        return "no body"
    if "error" in (observation.result_status, observation.execution_status):
        return "failed"
    if observation.result_status == "truncated":
        return "truncated"
    return "unresolved"
