"""What background work tells the application."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.message import Message

from proofstone.tui.counts import Counts
from proofstone.tui.ties import TieIndex

if TYPE_CHECKING:
    from proofstone.curation.history import Entry
    from proofstone.curation.rulings import Applied
    from proofstone.curation.workspace import Workspace


@dataclass(frozen=True, slots=True)
class OpenVault:
    """A vault as read in the background, with its log."""

    workspace: Workspace
    journal: tuple[Entry, ...]
    counts: Counts
    index: TieIndex

    @classmethod
    def prepared(cls, workspace: Workspace) -> OpenVault:
        """Judge everything that the first picture needs, while still in the thread."""
        workspace.hold_less()
        workspace.prepare()
        opened = cls.judged(workspace)
        opened.index.take_siblings()
        return opened

    @classmethod
    def judged(cls, workspace: Workspace) -> OpenVault:
        """The same without what proposals resemble, which takes long in a large vault."""
        from proofstone.curation import history

        workspace.prepare_verdicts()
        _ = (workspace.turns, workspace.queue, workspace.memories, workspace.held)
        return cls(
            workspace, history.entries(workspace), Counts.of(workspace), TieIndex(workspace.queue)
        )


class VaultOpened(Message):
    """The vault was read, or read again."""

    def __init__(self, opened: OpenVault) -> None:
        super().__init__()
        self.opened = opened


class VaultFailed(Message):
    """The vault could not be read."""

    def __init__(self, why: str) -> None:
        super().__init__()
        self.why = why


class RulingWritten(Message):
    """A ruling is on disk, and the vault as it is now."""

    def __init__(self, action: str, applied: Applied, opened: OpenVault, back: str) -> None:
        super().__init__()
        self.action = action
        self.applied = applied
        self.opened = opened
        self.back = back


class RulingRefusal(Message):
    """A ruling was refused or could not be written; everything is as it was.

    ``stale`` says that the files may not be what is shown.
    """

    def __init__(self, action: str, why: str, *, stale: bool = False) -> None:
        super().__init__()
        self.action = action
        self.why = why
        self.stale = stale
