"""The near-duplicates of the vault that is open, looked for once and then followed (page 9)."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from proofstone.curation.duplicates import DuplicatesFollowed
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.duplicates import Cluster, Progress


class NearDuplicates:
    """Outlives the screen that shows it, so that coming back to it costs only what changed."""

    def __init__(self) -> None:
        self._followed: DuplicatesFollowed | None = None
        self._lock = Lock()

    def look(self, workspace: Workspace, progress: Progress) -> tuple[Cluster, ...]:
        """The clusters of memories in force in ``workspace``, the closest first.

        Called in a thread, and by one after the other. What ``progress`` raises ends the search;
        it is then begun anew the next time.
        """
        from proofstone.curation.duplicates import DuplicatesFollowed

        with self._lock:
            progress(0, len(workspace.holdings.memories))
            # Kept again only when all of it went well: half a change would be told as the whole.
            followed, self._followed = self._followed, None
            if followed is None:
                followed = DuplicatesFollowed(workspace, progress, proposals=False)
            else:
                followed.follow(workspace)
            self._followed = followed
            return tuple(followed.clusters)


class LookGoesOn(Message):
    """So many of so many memories were compared."""

    def __init__(self, done: int, of: int) -> None:
        super().__init__()
        self.done = done
        self.of = of


class DuplicatesFound(Message):
    """The near-duplicates of ``workspace`` are known."""

    def __init__(self, workspace: Workspace, clusters: tuple[Cluster, ...]) -> None:
        super().__init__()
        self.workspace = workspace
        self.clusters = clusters


class LookFailed(Message):
    """The memories could not be compared."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why
