"""The Evidence pane: the turn's units by partition, quotes marked at their exact spans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from proofstone.domain.records import EvidenceRecord, Redaction
from proofstone.tui.covering import drawn_units
from proofstone.tui.panes.unit_rows import (
    Decided,
    changed_units,
    is_answered,
    unit_extent,
    unit_row,
)
from proofstone.tui.panes.word_picking import WordPicking
from proofstone.tui.rows import Extent, JoinedRows, LazyRows, Row, Rows, RowSource, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import Spans, record_link
from proofstone.tui.words import BAR, displayed, safe, spoken

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, TurnView
    from proofstone.domain.evidence_unit import EvidenceUnit

    Drawn = tuple[TurnView | None, ProposalView | None, bool]

_NO_TURN = "No turn is selected."
_UNREAD = "The vault is still being read.\n\nUntil then Turns ({pane_1}) leads to what is captured."


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
        self._drawn: Drawn | None = None
        self._quotes: Spans = {}
        self._rows_are_of: TurnView | None = None
        self._unit_rows: RowSource = Rows()
        self._tail: list[Row] = []
        self._named_units: Sequence[EvidenceUnit] = ()
        self._unit_names: frozenset[str] = frozenset()
        self._empty = _NO_TURN

    def show(self, scene: Scene) -> None:
        """Draw the turn's units, or the proposal's records where no turn was captured."""
        drawn = (scene.turn, scene.proposal, scene.is_unread)
        requoted = scene.ties.quotes != self._quotes
        self._quotes = scene.ties.quotes
        if drawn != self._drawn:
            before, self._drawn = self._drawn, drawn
            if not self._draw_draft(before, scene):
                self._draw(scene)
                requoted = False
        if requoted:
            self.redraw_rows()
        self.set_pickable(scene.by_hand.draft.units if scene.by_hand else ())
        self.set_linked(scene.ties.links)

    def _draw_draft(self, before: Drawn | None, scene: Scene) -> bool:
        """Draw only what a step of a draft changed; False where something else did."""
        was, now = before[0] if before else None, scene.turn
        if was is None or now is None or before is None or before[1] is not scene.proposal:
            return False
        if was.turn is not now.turn or was.units is not now.units:
            return False
        if is_answered(was) != is_answered(now):
            return False
        self._rows_are_of, self._unit_rows = now, self._rows_of(now)
        self.change_rows(self._all_rows(), changed_units(was, now))
        return True

    def _draw(self, scene: Scene) -> None:
        turn = scene.turn
        loose = self._loose_records(scene.proposal, turn)
        if turn is None:
            self._empty = self.told(_UNREAD) if scene.is_unread else _NO_TURN
            self._draw_records(scene.proposal, loose)
            return
        if self._rows_are_of is not turn:
            self._rows_are_of, self._unit_rows = turn, self._rows_of(turn)
            self.set_texts({unit.unit_id: unit.text for unit in drawn_units(turn)})
        self._tail = _tail_rows(turn, scene.proposal, loose)
        self.set_rows(
            self._all_rows(),
            anew=self.starts_anew(turn.reference),
            placeholder=_without_units(turn),
        )
        counts = turn.counts
        self.set_titles(
            displayed(turn.reference, limit=60).text,
            f"P {counts.physical}  C {counts.context}  U {counts.unresolved}",
        )

    def _loose_records(
        self, view: ProposalView | None, turn: TurnView | None
    ) -> tuple[EvidenceRecord, ...]:
        """The proposal's records whose unit is not in the turn that is shown."""
        if view is None or not view.records:
            return ()
        units = turn.units if turn is not None else ()
        if units is not self._named_units:
            # Kept, since one goes through the proposals of one turn: it may have 10,000 units.
            self._named_units, self._unit_names = units, frozenset(unit.unit_id for unit in units)
        return tuple(record for record in view.records if record.unit_id not in self._unit_names)

    def _all_rows(self) -> RowSource:
        """The rows of the turn's units, and what stands below them."""
        return JoinedRows([self._unit_rows, Rows(self._tail)])

    def _rows_of(self, turn: TurnView) -> LazyRows:
        units, decided = drawn_units(turn), Decided(turn)

        def build(index: int) -> Row:
            unit, picked = units[index], self.picked
            chosen = picked[1] if picked and picked[0] == unit.unit_id else None
            return unit_row(unit, self._quotes, decided.words(unit), chosen)

        def measure(index: int) -> Extent:
            return unit_extent(units[index], decided.words(units[index]))

        keys = [unit.unit_id for unit in units]
        return LazyRows(keys, build, fixed_height=None, measure=measure)

    def _draw_records(self, view: ProposalView | None, loose: tuple[EvidenceRecord, ...]) -> None:
        if view is None:
            self.set_rows(Rows(), placeholder=self._empty)
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
