"""What the header counts, taken once for each reading of the vault."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from proofstone.domain import backlog

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Counts:
    """Proposals that wait, those deferred among them, memories not reviewed, and problems."""

    waiting: int = 0
    deferred: int = 0
    unreviewed: int = 0
    problems: int = 0
    oldest: timedelta = timedelta()
    """How long the longest waiting one waits that nobody deferred."""

    @property
    def backlog(self) -> str:
        """What is wrong with how much waits and for how long; empty when nothing is."""
        return backlog.warning(self.waiting, self.oldest)

    @classmethod
    def of(cls, workspace: Workspace) -> Counts:
        """Count what ``workspace`` holds."""
        from proofstone.curation.queue import QueueCounts, oldest

        waiting = QueueCounts.of(workspace.holdings.proposals)
        return cls(
            waiting=waiting.open,
            deferred=waiting.deferred,
            unreviewed=workspace.unreviewed,
            problems=len(workspace.problems),
            oldest=oldest(workspace.queue),
        )
