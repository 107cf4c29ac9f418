"""The Siblings pane: memories that say nearly the same, with the difference word by word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content

from proofstone.domain.records import Memory, Standing
from proofstone.tui.panes.base import Pane
from proofstone.tui.rows import Row, Rows
from proofstone.tui.scene import Scene
from proofstone.tui.ties import memory_link
from proofstone.tui.words import MATCH_SHORT, STANDING_STYLE, difference, safe

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, SiblingView


class SiblingsPane(Pane):
    """Memories in force whose vocabulary overlaps the proposal's."""

    shows_idle_cursor: ClassVar[bool] = False
    number: ClassVar[int] = 7
    title: ClassVar[str] = "Siblings"
    about: ClassVar[str] = (
        "The memories that the proposal matches, and up to three of the same project whose words "
        "overlap its own most. The score is shared words over the longer text, at most 0.99. "
        "Below each, the way from its words to the proposal's: struck through is only in the "
        "memory, underlined only in the proposal. They advise; nothing is merged."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: ProposalView | None = None

    def show(self, scene: Scene) -> None:
        """Draw the memories that the proposal matches, then its siblings."""
        view = scene.proposal
        if view is not self._drawn or view is None:
            self._drawn = view
            rows = _rows(view, scene.matched) if view else []
            empty = "Nothing held says nearly the same." if view else "No proposal is selected."
            if scene.is_unread:
                empty = "Compared with every memory when the vault has been read."
            if view and not view.knows_siblings:
                self._drawn, empty = None, "Being compared with every memory…"
            anew = self.starts_anew(view.proposal_id if view else "")
            self.set_rows(Rows(rows), anew=anew, placeholder=empty)
            self.set_titles(str(len(rows)) if rows else "")
        self.set_linked(scene.ties.links)


def _rows(view: ProposalView, matched: Iterable[Memory]) -> list[Row]:
    """Matched memories first, by what the match is called; a sibling keeps its score beside it."""
    from proofstone.curation.views import SiblingView

    statement = view.proposal.statement
    siblings = view.siblings if view.knows_siblings else ()
    scores = {found.memory_id: found.score for found in siblings}
    word = MATCH_SHORT[view.match.kind]
    rows = [
        memory_row(
            SiblingView(
                memory_id=memory.memory_id,
                score=scores.get(memory.memory_id, 0.0),
                title=memory.title,
                statement=memory.statement,
                scopes=memory.scopes,
                standing=memory.standing,
            ),
            statement,
            match=word,
        )
        for memory in matched
    ]
    shown = set(view.match.matched)
    rows += [memory_row(s, statement) for s in siblings if s.memory_id not in shown]
    return rows


def memory_row(found: SiblingView, statement: str, *, match: str = "") -> Row:
    """Score, title, match, standing and scope of a memory, and what differs."""
    head = [safe(found.title or found.memory_id, "$ink-title bold", limit=120)]
    if match:
        head.append(Content.styled(f"  {match}", "$match bold"))
    if found.standing is not Standing.ACTIVE:
        head.append(Content.styled(f"  {found.standing.value}", STANDING_STYLE[found.standing]))
    head.append(safe(f"  {', '.join(found.scopes)}", "$ink-dim", limit=60))
    score = f"{found.score:.2f}" if found.score else " –  "
    return Row(
        key=found.memory_id,
        link=memory_link(found.memory_id),
        gutter=Content.assemble((score, "$match bold"), " "),
        continuation=Content("     "),
        body=Content.assemble(*head, "\n", difference(found.statement, statement)),
        wrap=True,
    )
