"""The Turns pane: every captured turn, its state and its counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
_DRAFT = ("✎", "$decision-candidate bold")


class TurnsPane(Pane):
    """Turns by source, session and index."""

    number: ClassVar[int] = 1
    title: ClassVar[str] = "Turns"
    about: ClassVar[str] = (
        "Captured turns by source, session and number. Below each: its state, how many of the "
        "units that the Gate must account for are accounted for, and how many proposals wait. "
        "✓ settled · ○ open · … no Gate answer yet · ✎ your draft of one, not submitted · "
        "✗ the last answer was refused · "
        "! incomplete, so it cannot be put before the Gate."
    )

    def __init__(self) -> None:
        super().__init__()
        self._turns: Sequence[TurnView] = ()
        self._drafts: Mapping[str, tuple[int, int]] = {}

    def set_turns(self, turns: Sequence[TurnView]) -> None:
        """Show these turns."""
        self._turns = turns
        self.set_rows(
            LazyRows([view.reference for view in turns], self._build, fixed_height=2),
            placeholder=_EMPTY,
        )
        self.set_titles(f"{len(turns):,}" if turns else "")

    def set_drafts(self, drafts: Mapping[str, tuple[int, int]]) -> None:
        """Say of these turns that the person has begun to answer: units done, and all of them."""
        if drafts != self._drafts:
            self._drafts = drafts
            self.redraw_rows()

    def show(self, scene: Scene) -> None:
        """Follow the scene's turn."""
        if scene.turn is not None and scene.turn.reference != self.cursor_key:
            self.move_to(scene.turn.reference)
        self.set_linked(scene.ties.links)

    def _build(self, index: int) -> Row:
        view = self._turns[index]
        draft = self._drafts.get(view.reference)
        glyph, style = STATE_GLYPH[view.state] if draft is None else _DRAFT
        name = safe(f"{view.turn.source}/{view.turn.session_id}", "$ink", limit=120)
        return Row(
            key=view.reference,
            link=turn_link(view.reference),
            gutter=Content.assemble((glyph, style), " "),
            continuation=Content("  "),
            body=Content.assemble(name, "\n", _told(view, style, draft)),
            trailing=Content.assemble((f"#{view.turn.turn_index}", "$ink-title")),
            parted=True,
        )


def _told(view: TurnView, style: str, draft: tuple[int, int] | None) -> Content:
    counts = view.counts
    parts: list[tuple[str, str]] = [(STATE_WORD[view.state] if draft is None else "draft", style)]
    if view.state is not TurnState.INCOMPLETE and counts.physical:
        covered, units = draft or (counts.covered, counts.physical)
        parts.append((f" · {covered}/{units}", "$ink-dim"))
    if counts.unresolved:
        parts.append((f" · {counts.unresolved} partial", "$partition-unresolved"))
    if view.cleaned_at:
        parts.append((" · text removed", "$ink-dim"))
    if counts.waiting:
        parts.append((f" · {count(counts.waiting, 'waits', 'wait')}", "$ink-dim"))
    return Content.assemble(*parts)
