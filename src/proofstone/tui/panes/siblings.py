"""The Siblings pane: memories that say nearly the same, with the difference word by word."""

from __future__ import annotations

from typing import ClassVar

from textual.content import Content

from proofstone.curation.views import ProposalView, SiblingView
from proofstone.domain.records import Standing
from proofstone.tui.panes.base import Pane
from proofstone.tui.rows import Row, Rows
from proofstone.tui.scene import Scene
from proofstone.tui.ties import memory_link
from proofstone.tui.words import STANDING_STYLE, difference, safe


class SiblingsPane(Pane):
    """Memories in force whose vocabulary overlaps the proposal's."""

    number: ClassVar[int] = 7
    title: ClassVar[str] = "Siblings"
    about: ClassVar[str] = (
        "Up to three memories of the same project whose words overlap the proposal's most. The "
        "score is shared words over the longer text, at most 0.99. Below each, the way from its "
        "words to the proposal's: struck through is only in the memory, underlined only in the "
        "proposal. They advise; nothing is merged."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: ProposalView | None = None

    def show(self, scene: Scene) -> None:
        """Draw the proposal's siblings."""
        view = scene.proposal
        if view is not self._drawn or view is None:
            self._drawn = view
            siblings = view.siblings if view else ()
            empty = "Nothing held says nearly the same." if view else "No proposal is selected."
            rows = [sibling_row(found, view.proposal.statement) for found in siblings if view]
            self.set_rows(Rows(rows), placeholder=empty)
            self.set_titles(str(len(siblings)) if siblings else "")
        self.set_linked(scene.ties.links)


def sibling_row(found: SiblingView, statement: str) -> Row:
    """A sibling's score, title, scope and standing, and what differs."""
    scope = ", ".join(found.scopes)
    head = [
        safe(found.title or found.memory_id, "$ink-title bold", limit=120),
        safe(f"  {scope}", "$ink-dim", limit=60),
    ]
    if found.standing is not Standing.ACTIVE:
        head.append(Content.styled(f"  {found.standing.value}", STANDING_STYLE[found.standing]))
    return Row(
        key=found.memory_id,
        link=memory_link(found.memory_id),
        gutter=Content.assemble((f"{found.score:.2f}", "$match bold"), " "),
        continuation=Content("     "),
        body=Content.assemble(*head, "\n", difference(found.statement, statement)),
        wrap=True,
    )
