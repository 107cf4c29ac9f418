"""The Turns pane: every captured turn, its state and its counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from proofstone.domain.gate_types import TurnState
from proofstone.tui.panes.base import Pane
from proofstone.tui.rows import LazyRows, Row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import turn_link
from proofstone.tui.words import STATE_GLYPH, STATE_WORD, count, safe

if TYPE_CHECKING:
    from proofstone.curation.views import TurnView

_EMPTY = (
    "No turns are captured.\n\n"
    "A turn is what people said and one answer. Capture some through memleaf, or with "
    "“proofstone sessions”; proposals captured without a turn are in the Queue all the same."
)


class TurnsPane(Pane):
    """Turns by source, session and index."""

    number: ClassVar[int] = 1
    title: ClassVar[str] = "Turns"
    about: ClassVar[str] = (
        "Captured turns by source, session and number. Below each: its state, how many of the "
        "units that the Gate must account for are accounted for, and how many proposals wait. "
        "✓ settled · ○ open · … no Gate answer yet · ✗ the last answer was refused · "
        "! incomplete, so it cannot be put before the Gate."
    )

    def __init__(self) -> None:
        super().__init__()
        self._turns: Sequence[TurnView] = ()

    def set_turns(self, turns: Sequence[TurnView]) -> None:
        """Show these turns."""
        self._turns = turns
        self.set_rows(
            LazyRows([view.reference for view in turns], self._build, fixed_height=2),
            placeholder=_EMPTY,
        )
        self.set_titles(f"{len(turns):,}" if turns else "")

    def show(self, scene: Scene) -> None:
        """Follow the scene's turn."""
        if scene.turn is not None:
            self.move_to(scene.turn.reference)
        self.set_linked(scene.ties.links)

    def _build(self, index: int) -> Row:
        view = self._turns[index]
        glyph, style = STATE_GLYPH[view.state]
        name = safe(f"{view.turn.source}/{view.turn.session_id}", "$ink", limit=120)
        return Row(
            key=view.reference,
            link=turn_link(view.reference),
            gutter=Content.assemble((glyph, style), " "),
            continuation=Content("  "),
            body=Content.assemble(name, "\n", _told(view, style)),
            trailing=Content.assemble((f"#{view.turn.turn_index}", "$ink-title")),
        )


def _told(view: TurnView, style: str) -> Content:
    counts = view.counts
    parts: list[tuple[str, str]] = [(STATE_WORD[view.state], style)]
    if view.state is not TurnState.INCOMPLETE and counts.physical:
        parts.append((f" · {counts.covered}/{counts.physical}", "$ink-dim"))
    if counts.unresolved:
        parts.append((f" · {counts.unresolved} partial", "$partition-unresolved"))
    if view.cleaned_at:
        parts.append((" · text removed", "$ink-dim"))
    if counts.waiting:
        parts.append((f" · {count(counts.waiting, 'waits', 'wait')}", "$ink-dim"))
    return Content.assemble(*parts)
