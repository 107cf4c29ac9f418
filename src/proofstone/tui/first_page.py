"""A page of what waits, shown before anything else of a large vault was read or loaded.

The first picture shows it in the place of the queue, and the cursor moves in it. The screens of the
workbench, which take longer to load than the page to read, follow behind it (spec page 9, first
usable screen).
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

from textual.content import Content
from textual.message import Message

from proofstone.tui.rows import LazyRows, Row
from proofstone.tui.words import safe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from proofstone.domain.records import Proposal

NOT_JUDGED = "not judged yet"

LONGEST_HOLD = 1.0
"""Seconds that reading waits at most until what was read last can be seen: it would slow that down
by taking turns with it, and a person waits for the one and not for the other."""


class Seen(Message):
    """Something to show, and whether it has been painted."""

    def __init__(self) -> None:
        super().__init__()
        self.is_painted = Event()


class FirstPage(Seen):
    """The first page of the queue."""

    def __init__(self, waiting: Sequence[Proposal]) -> None:
        super().__init__()
        self.waiting = waiting


def unjudged_rows(waiting: Sequence[Proposal]) -> LazyRows:
    """What waits and was not judged yet."""

    def build(index: int) -> Row:
        proposal = waiting[index]
        return Row(
            key=proposal.proposal_id,
            gutter=Content.styled("… ", "$ink-dim"),
            continuation=Content("  "),
            body=Content.assemble(
                safe(proposal.statement, "$ink", limit=300), "\n", (NOT_JUDGED, "$ink-dim")
            ),
        )

    return LazyRows([one.proposal_id for one in waiting], build, fixed_height=2)
