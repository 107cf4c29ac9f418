"""The Gate pane: coverage of the turn's physical units, candidates with bindings, diagnostics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_types import (
    Candidate,
    Claim,
    Decision,
    GateRefusal,
    TurnState,
    UnitDisposition,
)
from proofstone.tui.covering import drawn_units
from proofstone.tui.panes.base import Pane
from proofstone.tui.panes.by_hand_rows import draft_rows, invitation
from proofstone.tui.rows import LazyRows, Row, Rows, RowSource, spaced_sources, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import candidate_link, unit_link
from proofstone.tui.words import DECISION_STYLE, STATE_WORD, count, displayed, safe, spoken

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView

METER_CELLS = 16
_UNREAD = "The vault is still being read."
_UNCOVERED = "coverage_unresolved"
_ROW_OF_UNIT = "row-"
"""What the key of a unit's row begins with."""
_BUILT_AT_ONCE = 200
"""Up to so many rows of units are built when a turn is drawn."""
_WORDS_OF_ANSWER = (
    "no row: the Gate left it out",
    "no bindings: supported by an exact repeat, or not at all",
)
_WORDS_OF_DRAFT = ("no row yet", "no words bound to it yet")
"""Of a unit without a row, and of a candidate without claims."""
_SHORT_DECISION = {
    Decision.CANDIDATE: "CAND",
    Decision.NO_CHANGE: "NONE",
    Decision.DEFERRED: "DEFR",
}


@dataclass(frozen=True, slots=True)
class GateSubject:
    """What a row of this pane stands for."""

    unit_id: str = ""
    candidate_id: str = ""
    claim: Claim | None = None


class GatePane(Pane):
    """How the Gate accounted for the turn."""

    shows_idle_cursor: ClassVar[bool] = False
    number: ClassVar[int] = 4
    title: ClassVar[str] = "Gate"
    about: ClassVar[str] = (
        "How the Gate accounted for every physical unit: CAND it supports a candidate · NONE no "
        "change, with the reason · DEFR deferred, with the reason · OPEN the Gate said nothing of "
        "it, which is never taken for an answer. Then each candidate with the exact quotes that "
        "bind it. Of a refused answer only the safe diagnostics are kept."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: TurnView | None = None
        self._can_ask = True
        self._subjects: dict[str, GateSubject] = {}
        self._drawn_units: Sequence[EvidenceUnit] = ()
        self._physical: Sequence[EvidenceUnit] = ()
        self._texts: dict[str, str] = {}
        self._left_out, self._unbound = _WORDS_OF_ANSWER

    def subject(self, key: str) -> GateSubject | None:
        """What the row with this key stands for, or None for a heading."""
        if key.startswith(_ROW_OF_UNIT):
            return GateSubject(unit_id=key.removeprefix(_ROW_OF_UNIT))
        return self._subjects.get(key)

    def show(self, scene: Scene) -> None:
        """Draw the turn's accounting."""
        same = scene.turn is self._drawn and scene.can_ask == self._can_ask
        if not same or scene.turn is None:
            self._drawn, self._can_ask = scene.turn, scene.can_ask
            self._draw(scene)
        self.set_linked(scene.ties.links)

    def _draw(self, scene: Scene) -> None:
        turn = scene.turn
        self._subjects = {}
        if turn is None:
            view = scene.proposal
            if view is not None:
                empty = f"No Gate saw this: it came by {view.proposal.origin}."
            else:
                empty = _UNREAD if scene.is_unread else "No turn is selected."
            self.set_rows(Rows(), placeholder=empty)
            self.set_titles()
            return
        units = drawn_units(turn)
        if units is not self._drawn_units:
            self._drawn_units = units
            self._texts = {unit.unit_id: unit.text for unit in units}
            self._physical = [unit for unit in units if unit.partition is Partition.PHYSICAL]
        physical = self._physical
        uncovered: list[EvidenceUnit] = []
        covered: list[EvidenceUnit] = []
        for unit in physical:
            row = turn.dispositions.get(unit.unit_id)
            is_open = row is None or row.reason == _UNCOVERED
            (uncovered if is_open else covered).append(unit)
        accepted = turn.gate is not None and turn.gate.answer is not None
        groups: list[RowSource] = [
            Rows(self._opening_rows(scene, turn, physical, accepted=accepted)),
            Rows(list(self._refusals(turn))),
        ]
        if accepted:
            groups.append(_unit_rows(uncovered, self._open_row))
            groups.append(_unit_rows(covered, partial(self._coverage_row, turn)))
            groups += [Rows(rows) for rows in self._candidates(turn)]
        if turn.cleaned_at:
            groups.append(Rows([_kept_row(row) for row in turn.dispositions.values()]))
        groups.append(Rows(list(_memleaf_rows(turn))))
        self.set_rows(spaced_sources(groups), anew=self.starts_anew(turn.reference))
        meter = _meter(turn, covered, len(uncovered)) if physical and accepted else ""
        self.set_titles(meter, STATE_WORD[turn.state])

    def _opening_rows(
        self, scene: Scene, turn: TurnView, physical: Sequence[EvidenceUnit], *, accepted: bool
    ) -> list[Row]:
        """Where the turn stands, or what a person is putting together of it."""
        self._left_out, self._unbound = _WORDS_OF_ANSWER
        if scene.by_hand is not None and scene.by_hand.has_begun:
            self._left_out, self._unbound = _WORDS_OF_DRAFT
            return draft_rows(scene.by_hand, self.key_label)
        rows = self._standing(turn, physical, accepted=accepted)
        if scene.by_hand is not None:
            rows.append(invitation(self.key_label))
        return rows

    def _standing(
        self,
        turn: TurnView,
        physical: Sequence[EvidenceUnit],
        *,
        accepted: bool,
    ) -> list[Row]:
        rows: list[Row] = []
        if turn.state is TurnState.INCOMPLETE:
            rows.append(
                text_row(
                    "state",
                    ("It cannot be put before the Gate: ", "$verdict-flag bold"),
                    safe(f"{turn.turn.incomplete_reason}.", "$verdict-flag"),
                )
            )
        elif not accepted:
            said = "No answer was accepted" if turn.gate and turn.gate.refusals else "No answer yet"
            rows.append(
                text_row(
                    "state",
                    (f"{said}. ", "$ink bold"),
                    (f"{count(len(physical), 'unit waits', 'units wait')} for one. ", "$ink"),
                    (self._asking("asks a model"), "$ink"),
                )
            )
        elif turn.gate is not None:
            who = displayed(turn.gate.answered_by or turn.gate.answered_by_kind, limit=40).text
            when = displayed(turn.gate.answered_at[:16].replace("T", " "), limit=20).text
            rows.append(
                text_row("by", (f"answered by {who}  {when}".rstrip(), "$ink-dim"), wrap=False)
            )
        if turn.answer_is_stale:
            rows.append(
                text_row(
                    "stale",
                    ("The captured text changed after this answer was checked. ", "$verdict-flag"),
                    (self._asking("asks again"), "$ink"),
                )
            )
        return rows

    def _asking(self, what: str) -> str:
        """What the key does that asks a model, or where one is named first."""
        if self._can_ask:
            return f"{self.key_label('ask')} {what}."
        return f"No model to ask is named yet: Settings ({self.key_label('settings')}) says how."

    def _open_row(self, unit: EvidenceUnit) -> Row:
        return Row(
            key=_ROW_OF_UNIT + unit.unit_id,
            link=unit_link(unit.unit_id),
            gutter=Content.assemble(("OPEN", "$decision-open bold reverse"), " "),
            continuation=Content.assemble(("▌", "$decision-open"), "    "),
            body=Content.assemble(
                safe(unit.text, "$decision-open bold", limit=300),
                (f"  {self._left_out}", "$decision-open"),
            ),
            wrap=True,
        )

    def _coverage_row(self, turn: TurnView, unit: EvidenceUnit) -> Row:
        row = turn.dispositions[unit.unit_id]
        style = DECISION_STYLE[row.decision]
        return Row(
            key=_ROW_OF_UNIT + unit.unit_id,
            link=unit_link(unit.unit_id),
            gutter=Content.assemble((_SHORT_DECISION[row.decision], f"{style} bold"), " "),
            continuation=Content("     "),
            body=Content.assemble(
                (_why(row), style), (" · ", "$ink-dim"), safe(unit.text, "$ink-dim", limit=160)
            ),
        )

    def _candidates(self, turn: TurnView) -> Iterator[list[Row]]:
        if turn.gate is None or turn.gate.answer is None:
            return
        bindings = {b.candidate_id: b.claims for b in turn.gate.answer.bindings}
        for candidate in turn.gate.answer.candidates:
            rows = [self._candidate_row(candidate)]
            claims = bindings.get(candidate.candidate_id, ())
            rows += [
                self._claim_row(candidate, claim, number) for number, claim in enumerate(claims)
            ]
            if not claims:
                rows.append(
                    text_row(
                        f"unbound-{candidate.candidate_id}",
                        (
                            f"     {self._unbound}",
                            "$ink-dim",
                        ),
                    )
                )
            yield rows

    def _candidate_row(self, candidate: Candidate) -> Row:
        key = f"candidate-{candidate.candidate_id}"
        self._subjects[key] = GateSubject(candidate_id=candidate.candidate_id)
        name = displayed(candidate.candidate_id, limit=12).text
        facts = ["worth keeping" if candidate.worth else "not worth keeping"]
        facts += ["duplicate"] if candidate.duplicate else []
        facts += [candidate.type] if candidate.type else []
        facts += candidate.scopes
        return Row(
            key=key,
            link=candidate_link(candidate.candidate_id),
            gutter=Content.assemble((f"{name:<4}", "$decision-candidate bold"), " "),
            continuation=Content(" " * (max(4, len(name)) + 1)),
            body=Content.assemble(
                safe(candidate.memory, "$ink", limit=600),
                "\n",
                safe(" · ".join(facts), "$ink-dim", limit=200),
            ),
            wrap=True,
        )

    def _quoted(self, claim: Claim) -> str:
        """The quote as its unit is drawn, with secrets covered that it has only a part of."""
        text = self._texts.get(claim.unit_id, "")[claim.start : claim.end]
        return text if len(text) == len(claim.quote) else claim.quote

    def _claim_row(self, candidate: Candidate, claim: Claim, number: int) -> Row:
        key = f"claim-{candidate.candidate_id}-{number}"
        self._subjects[key] = GateSubject(
            unit_id=claim.unit_id, candidate_id=candidate.candidate_id, claim=claim
        )
        return Row(
            key=key,
            link=unit_link(claim.unit_id),
            gutter=Content.assemble(("   └", "$ink-dim"), " "),
            continuation=Content("     "),
            body=Content.assemble(
                ("“", "$ink-dim"),
                safe(self._quoted(claim), "$ink-quote on $ground-quote", limit=400),
                (f"”  {claim.role.value}·{claim.start}–{claim.end}", "$ink-dim"),
            ),
            wrap=True,
        )

    def _refusals(self, turn: TurnView) -> Iterator[Row]:
        if turn.gate is None:
            return
        for number, (at, refusal) in enumerate(turn.gate.refusals):
            yield text_row(
                f"refusal-{number}",
                ("✗ refused ", "$verdict-block bold"),
                (_diagnostic(refusal), "$verdict-block"),
                safe(f"  {at[:16].replace('T', ' ')}", "$ink-dim", limit=40),
            )


def _unit_rows(units: Sequence[EvidenceUnit], build: Callable[[EvidenceUnit], Row]) -> RowSource:
    """A row for each unit; of many, each has one line and is built when it is seen."""
    if len(units) <= _BUILT_AT_ONCE:
        return Rows([build(unit) for unit in units])
    keys = [_ROW_OF_UNIT + unit.unit_id for unit in units]
    return LazyRows(keys, lambda index: replace(build(units[index]), wrap=False))


def _kept_row(row: UnitDisposition) -> Row:
    """A unit of a turn whose text was removed: its id and what became of it."""
    style = DECISION_STYLE[row.decision]
    return Row(
        key=f"row-{row.unit_id}",
        link=unit_link(row.unit_id),
        gutter=Content.assemble((_SHORT_DECISION[row.decision], f"{style} bold"), " "),
        continuation=Content("     "),
        body=Content.assemble(
            (_why(row), style), (" · ", "$ink-dim"), safe(row.unit_id, "$ink-dim", limit=40)
        ),
    )


def _why(row: UnitDisposition) -> str:
    if row.decision is Decision.CANDIDATE:
        return displayed(", ".join(row.candidate_ids), limit=40).text or "candidate"
    return spoken(row.reason)


def _diagnostic(refusal: GateRefusal) -> str:
    """All that is known of a refused answer: identifiers from closed lists."""
    kind = "invalid_evidence · " if refusal.evidence_check else ""
    return displayed(f"{kind}{refusal.identifier} · stage {refusal.stage}", limit=120).text


def _meter(turn: TurnView, covered: Sequence[EvidenceUnit], uncovered: int) -> Content:
    """The coverage meter: candidates, no change, deferred, and what is open."""
    tally = Counter(turn.dispositions[unit.unit_id].decision for unit in covered)
    parts = [
        ("█", "$decision-candidate", tally[Decision.CANDIDATE]),
        ("▓", "$decision-no-change", tally[Decision.NO_CHANGE]),
        ("▒", "$decision-deferred", tally[Decision.DEFERRED]),
        ("░", "$decision-open bold", uncovered),
    ]
    cells = _shares([number for _, _, number in parts], METER_CELLS)
    bar = [(glyph * share, style) for (glyph, style, _), share in zip(parts, cells, strict=True)]
    told = [(f" {len(covered)}/{len(covered) + uncovered}", "$ink bold")]
    if uncovered:
        told.append((f" · {uncovered} open", "$decision-open bold"))
    return Content.assemble(*bar, *told)


def _shares(numbers: list[int], cells: int) -> list[int]:
    """Split ``cells`` in proportion; whatever is there at all gets at least one."""
    total = sum(numbers)
    if not total:
        return [0 for _ in numbers]
    shares = [max(1, round(number * cells / total)) if number else 0 for number in numbers]
    while sum(shares) != cells:
        step = 1 if sum(shares) < cells else -1
        widest = max(range(len(shares)), key=lambda i: shares[i])
        shares[widest] += step
    return shares


def _memleaf_rows(turn: TurnView) -> Iterator[Row]:
    """What memleaf itself recorded of the turn; read-only, beside our own accounting."""
    outcome = turn.memleaf
    if outcome is None:
        return
    facts = [f"memleaf: {outcome.status}"]
    tally = Counter(row.decision for row in outcome.dispositions)
    facts += [f"{number} {spoken(decision).lower()}" for decision, number in sorted(tally.items())]
    if outcome.memory_ids:
        facts.append(f"wrote {', '.join(outcome.memory_ids)}")
    failure = outcome.evidence_check or outcome.validation_detail or outcome.validation_reason
    if outcome.failure_code:
        facts.append(": ".join(filter(None, (outcome.failure_code, failure))))
    if outcome.eligible_cleanup_at:
        facts.append(f"its text may go after {outcome.eligible_cleanup_at[:10]}")
    yield text_row("memleaf", safe(" · ".join(facts), "$ink-dim", limit=400))
