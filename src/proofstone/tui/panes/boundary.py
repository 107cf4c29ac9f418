"""The boundary view: what the Gate was offered beside what the host keeps, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.tui.covering import drawn_units
from proofstone.tui.panes.unit_rows import (
    Observed,
    incompleteness,
    observations_of,
    record_of,
    unit_extent,
    unit_row,
)
from proofstone.tui.rows import JoinedRows, LazyRows, Row, Rows, RowSource, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import Spans
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import HELD_BACK, safe

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView


class BoundaryView(Container):
    """Model's view and host's view of one turn, side by side."""

    about: ClassVar[str] = (
        "Left, the model's view: the physical units that the Gate was offered and may cite, and "
        "nothing else. Right, the host's view: what was held back, and why. The boundary is of "
        "provenance, who said it and whether the source is whole; it says nothing of meaning. "
        "{boundary} or {back} closes it."
    )
    DEFAULT_CSS = """
    BoundaryView {
        layout: horizontal;
        height: 1fr;
        & > LineList { width: 1fr; border: round $frame; border-title-color: $ink-title; }
        & > LineList:focus { border: round $frame-focus; border-title-color: $ink-key; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self._model = LineList(id="models-view")
        self._host = LineList(id="hosts-view")
        self._drawn: object = None

    def compose(self) -> ComposeResult:
        """The two lists."""
        yield self._model
        yield self._host

    def focus_first(self) -> None:
        """Put the focus on the model's view."""
        self._model.focus()

    def show(self, scene: Scene) -> None:
        """Draw both sides of the boundary for the scene's turn, while they can be seen."""
        if not self.screen.has_class("-boundary"):
            return
        drawn = (scene.turn, scene.ties.quotes)
        if drawn != self._drawn:
            self._drawn = drawn
            self._draw(scene)
        self._model.set_linked(scene.ties.links)
        self._host.set_linked(scene.ties.links)

    def _draw(self, scene: Scene) -> None:
        turn, quotes = scene.turn, scene.ties.quotes
        units = drawn_units(turn) if turn is not None else ()
        offered = [unit for unit in units if unit.partition is Partition.PHYSICAL]
        held = [unit for unit in units if unit.partition is not Partition.PHYSICAL]
        self._model.put_above(Content(f"Model's view · offered · {len(offered)}"))
        self._host.put_above(Content(f"Host's view · held back · {len(held)}"))
        nothing = "No turn is selected." if turn is None else "Nothing: no unit may be cited."
        self._model.set_rows(_unit_rows(offered, quotes), placeholder=nothing)
        parts: list[RowSource] = []
        for run, reason in _runs(turn, held):
            parts += (_unit_rows(run, quotes), Rows([_reason_row(run[-1], reason)]))
        parts.append(Rows(_metadata_rows(turn)))
        self._host.set_rows(JoinedRows(parts), placeholder="Nothing was held back.")


def _unit_rows(units: Sequence[EvidenceUnit], quotes: Spans) -> RowSource:
    """A row for each unit, built when it is seen."""
    return LazyRows(
        [unit.unit_id for unit in units],
        lambda index: unit_row(units[index], quotes),
        fixed_height=None,
        measure=lambda index: unit_extent(units[index]),
    )


def _runs(
    turn: TurnView | None, held: Iterable[EvidenceUnit]
) -> Iterator[tuple[list[EvidenceUnit], str]]:
    """Units one after the other that were held back for the same reason, with the reason."""
    observed = observations_of(turn) if turn is not None else {}
    for reason, run in groupby(held, lambda unit: _reason(observed, unit)):
        yield list(run), reason


def _reason(observed: Observed, unit: EvidenceUnit) -> str:
    """Why a unit was held back."""
    reason = HELD_BACK.get(unit.origin, "")
    observation = observed.get(record_of(unit))
    if unit.partition is Partition.UNRESOLVED and observation is not None:
        tool = observation.tool_name or "a tool"
        return f"{tool}: {incompleteness(observation)}; {reason}, and the turn stays open"
    return reason


def _reason_row(unit: EvidenceUnit, reason: str) -> Row:
    """The reason below the last unit of a run that shares it."""
    return Row(
        key=f"why-{unit.unit_id}",
        gutter=Content.styled("        ↳ ", "$ink-dim"),
        continuation=Content(" " * 10),
        body=safe(reason, "$ink-title", limit=300),
        wrap=True,
        selectable=False,
    )


def _metadata_rows(turn: TurnView | None) -> list[Row]:
    if turn is None or not turn.metadata:
        return []
    rows = [text_row("metadata", ("Known, not captured: not evidence", "$ink-title bold"))]
    for number, (_, observation) in enumerate(turn.metadata):
        told = " · ".join(
            filter(None, (observation.tool_name, observation.title, observation.call_id))
        )
        rows.append(text_row(f"metadata-{number}", safe(f"– {told}", "$ink-dim", limit=200)))
    return rows
