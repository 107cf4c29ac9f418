"""The boundary view: what the Gate was offered beside what the host keeps, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.containers import Container
from textual.content import Content

from proofstone.domain.evidence_unit import EvidenceUnit, Partition
from proofstone.tui.covering import drawn_units
from proofstone.tui.panes.evidence import incompleteness, observation_of, unit_row
from proofstone.tui.rows import Row, Rows, text_row
from proofstone.tui.scene import Scene
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
        turn = scene.turn
        units = drawn_units(turn) if turn is not None else ()
        offered = [unit for unit in units if unit.partition is Partition.PHYSICAL]
        held = [unit for unit in units if unit.partition is not Partition.PHYSICAL]
        self._model.border_title = Content(f"Model's view · offered to the Gate · {len(offered)}")
        self._host.border_title = Content(f"Host's view · held back · {len(held)}")
        nothing = "No turn is selected." if turn is None else "Nothing: no unit may be cited."
        self._model.set_rows(
            Rows([unit_row(unit, scene.ties.quotes) for unit in offered]), placeholder=nothing
        )
        rows: list[Row] = []
        for place, unit in enumerate(held):
            rows.append(unit_row(unit, scene.ties.quotes))
            reason = _reason(turn, unit)
            if place + 1 == len(held) or _reason(turn, held[place + 1]) != reason:
                rows.append(_reason_row(unit, reason))
        rows += _metadata_rows(turn)
        self._host.set_rows(Rows(rows), placeholder="Nothing was held back.")


def _reason(turn: TurnView | None, unit: EvidenceUnit) -> str:
    """Why a unit was held back."""
    reason = HELD_BACK.get(unit.origin, "")
    observation = observation_of(turn, unit) if turn is not None else None
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
