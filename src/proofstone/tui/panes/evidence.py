"""The Evidence pane: the turn's units by partition, quotes marked at their exact spans."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from proofstone.domain.conversation import Observation
from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.domain.gate_types import Decision
from proofstone.domain.records import EvidenceRecord, Redaction
from proofstone.domain.shown import shown
from proofstone.tui.covering import drawn_units
from proofstone.tui.panes.word_picking import PICKED_STYLE, WordPicking
from proofstone.tui.rows import EMPTY, Extent, LazyRows, Row, Rows, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import Spans, record_link, unit_link
from proofstone.tui.words import (
    BAR,
    DECISION_STYLE,
    PARTITION_LETTER,
    PARTITION_STYLE,
    PARTITION_TEXT_STYLE,
    ROLE_WORD,
    displayed,
    safe,
    safe_shown,
    spoken,
)

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, TurnView

GUTTER_CELLS = 8
"""Bar, letter, space, role and a space."""

QUOTE_STYLE = "$ink-quote on $ground-quote underline"
_UNIT_LIMIT = 4_000
_NO_TURN = "No turn is selected."


class EvidencePane(WordPicking):
    """Units of the turn, and records of the proposal that have no unit there."""

    shows_idle_cursor: ClassVar[bool] = False
    number: ClassVar[int] = 3
    title: ClassVar[str] = "Evidence"
    about: ClassVar[str] = (
        "The turn, cut into units: exact clauses with who said them. P physical, the Gate may "
        "cite it · C context, it may be read but not cited · U unresolved, the source is missing "
        "or partial. Quotes that support what is selected are marked at their exact place. At the "
        "right: the candidates a unit supports, or what the Gate decided; OPEN is a unit that the "
        "Gate left out. {boundary} shows what the model was given beside what the host held back."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: tuple[TurnView | None, ProposalView | None] | None = None
        self._quotes: Spans = {}

    def show(self, scene: Scene) -> None:
        """Draw the turn's units, or the proposal's records where no turn was captured."""
        drawn = (scene.turn, scene.proposal)
        requoted = scene.ties.quotes != self._quotes
        self._quotes = scene.ties.quotes
        if drawn != self._drawn:
            self._drawn = drawn
            self._draw(scene)
        elif requoted:
            self.redraw_rows()
        self.set_pickable(scene.by_hand.draft.units if scene.by_hand else ())
        self.set_linked(scene.ties.links)

    def _draw(self, scene: Scene) -> None:
        turn = scene.turn
        loose = loose_records(scene.proposal, turn)
        if turn is None:
            self._draw_records(scene.proposal, loose)
            return
        units, tail = drawn_units(turn), _tail_rows(turn, scene.proposal, loose)
        self.set_texts({unit.unit_id: unit.text for unit in units})
        decided = [_decided(turn, unit) for unit in units]

        def build(index: int) -> Row:
            if index >= len(units):
                return tail[index - len(units)]
            unit, picked = units[index], self.picked
            chosen = picked[1] if picked and picked[0] == unit.unit_id else None
            return unit_row(unit, self._quotes, decided[index], chosen)

        def measure(index: int) -> Extent:
            if index >= len(units):
                return tail[index - len(units)].extent
            trailing = decided[index]
            aside = trailing.cell_length + 1 if trailing else 0
            # Covered above, all at once; `displayed` would look at each again.
            text = shown(units[index].text, limit=_UNIT_LIMIT).text
            return Extent(text, GUTTER_CELLS, aside, wraps=True)

        keys = [unit.unit_id for unit in units] + [row.key for row in tail]
        self.set_rows(
            LazyRows(keys, build, fixed_height=None, measure=measure),
            anew=self.starts_anew(turn.reference),
            placeholder=_without_units(turn),
        )
        counts = turn.counts
        self.set_titles(
            displayed(turn.reference, limit=60).text,
            f"P {counts.physical}  C {counts.context}  U {counts.unresolved}",
        )

    def _draw_records(self, view: ProposalView | None, loose: tuple[EvidenceRecord, ...]) -> None:
        if view is None:
            self.set_rows(Rows(), placeholder=_NO_TURN)
            self.set_titles()
            return
        why = (
            f"The turn {view.proposal.turn} is not in this vault."
            if view.proposal.turn
            else f"This proposal came by {view.proposal.origin}, so there is no turn to show."
        )
        rows = [text_row("why", safe(why, "$ink-dim"))]
        rows += [record_row(record) for record in loose]
        rows += [_missing_row(evidence_id) for evidence_id in view.missing_evidence]
        if len(rows) == 1:
            rows.append(text_row("none", ("It cites no evidence record.", "$verdict-flag")))
        self.set_rows(Rows(rows), anew=self.starts_anew(view.proposal_id))
        self.set_titles("records")


def _without_units(turn: TurnView) -> str:
    """Why there is nothing to show of a turn."""
    if turn.cleaned_at:
        return (
            f"It is settled, and its text was removed on {turn.cleaned_at[:10]}.\n\n"
            "What became of each unit is in the Gate pane; quotes stay in proposals and records."
        )
    return turn.turn.incomplete_reason or "This turn has no words."


def loose_records(view: ProposalView | None, turn: TurnView | None) -> tuple[EvidenceRecord, ...]:
    """The proposal's records whose unit is not in the turn that is shown."""
    if view is None:
        return ()
    present = {unit.unit_id for unit in turn.units} if turn is not None else set()
    return tuple(record for record in view.records if record.unit_id not in present)


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


def _decided(turn: TurnView, unit: EvidenceUnit) -> Content:
    """What became of a unit, shortly: its candidates, or the decision; nothing for context."""
    row = turn.dispositions.get(unit.unit_id)
    if row is None or turn.gate is None or turn.gate.answer is None:
        return _partial_word(turn, unit)
    if unit.partition is Partition.UNRESOLVED:
        return _partial_word(turn, unit)
    if row.decision is Decision.CANDIDATE:
        names = ",".join(displayed(name, limit=8).text for name in row.candidate_ids[:3])
        return Content.assemble((f"→{names}", DECISION_STYLE[row.decision]))
    if unit.partition is not Partition.PHYSICAL:
        return EMPTY
    if row.reason == "coverage_unresolved":
        return Content.assemble((" OPEN ", "$decision-open bold reverse"))
    word = "deferred" if row.decision is Decision.DEFERRED else "no change"
    return Content.assemble((word, DECISION_STYLE[row.decision]))


def _partial_word(turn: TurnView, unit: EvidenceUnit) -> Content:
    if unit.partition is not Partition.UNRESOLVED:
        return EMPTY
    observation = observation_of(turn, unit)
    word = incompleteness(observation) if observation is not None else "unresolved"
    return Content.assemble((word, "$partition-unresolved"))


def observation_of(turn: TurnView, unit: EvidenceUnit) -> Observation | None:
    """The tool record that a unit was cut from."""
    for event in turn.turn.events:
        if event.event_key != unit.event_key:
            continue
        for observation in event.observations:
            if (observation.call_id, observation.record_id) == (
                unit.call_id or "",
                unit.record_id or "",
            ):
                return observation
    return None


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


def record_row(record: EvidenceRecord) -> Row:
    """A stored evidence record, with its source and trust class."""
    if record.redaction_status is not Redaction.NONE:
        body = Content.assemble((f"‹{record.redaction_status.value}›", "$verdict-block"))
    else:
        body = safe(record.source_excerpt or record.source_summary, limit=1_200)
    source = displayed(record.source_ref or record.source_session, limit=80).text
    where = " · ".join(filter(None, (spoken(record.trust_class.value), source)))
    return Row(
        key=record.evidence_id,
        link=record_link(record.evidence_id),
        gutter=Content.assemble(("▌R record", "$link"), " "),
        continuation=Content.assemble((BAR, "$link"), " " * 8),
        body=Content.assemble(body, "\n", (where, "$ink-dim")),
        wrap=True,
    )


def _missing_row(evidence_id: str) -> Row:
    return Row(
        key=f"missing-{evidence_id}",
        gutter=Content.assemble(("▌R record", "$verdict-flag"), " "),
        continuation=Content.assemble((BAR, "$verdict-flag"), " " * 8),
        body=Content.assemble(
            ("cited, but not in the vault: ", "$verdict-flag"), safe(evidence_id, "$ink-dim")
        ),
        wrap=True,
    )


def _tail_rows(
    turn: TurnView, view: ProposalView | None, loose: tuple[EvidenceRecord, ...]
) -> list[Row]:
    """What stands below the units: incompleteness, loose records, and what is not evidence."""
    rows: list[Row] = []
    if turn.turn.incomplete_reason:
        rows.append(
            text_row(
                "incomplete",
                ("This turn is incomplete: ", "$verdict-flag bold"),
                safe(f"{turn.turn.incomplete_reason}.", "$verdict-flag"),
            )
        )
    own = view is not None and view.proposal.turn == turn.reference
    if view is not None and (loose or view.missing_evidence):
        title = "Other records of the proposal" if own else "Records of the proposal"
        rows.append(text_row("records", (title, "$ink-title bold")))
        rows += [record_row(record) for record in loose]
        rows += [_missing_row(evidence_id) for evidence_id in view.missing_evidence]
    if turn.metadata:
        rows.append(text_row("metadata", ("Not evidence: known, not captured", "$ink-title bold")))
        rows += [
            text_row(
                f"metadata-{number}",
                ("  – ", "$ink-dim"),
                safe(
                    f"{observation.tool_name or 'a tool'} {observation.title}".strip(),
                    "$ink-dim",
                    limit=160,
                ),
            )
            for number, (_, observation) in enumerate(turn.metadata)
        ]
    return rows
