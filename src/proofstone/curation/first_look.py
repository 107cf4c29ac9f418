"""Opening a large vault in stages: a first look, then all of it (spec page 9).

Everything that rules, edits or asks waits for the whole (``Workspace.is_whole``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from proofstone.curation.backing import VaultBacking
from proofstone.curation.opening import backing_of
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError

if TYPE_CHECKING:
    from proofstone.curation.context import Context
    from proofstone.curation.views import ProposalView
    from proofstone.domain.records import Proposal

Progress = Callable[[int, int], None]
"""Called with how many notes were read, and about how many there are."""


class FirstLook(Workspace):
    """Turns, and proposals that nobody has judged yet; nothing else of the vault was read."""

    is_whole = False
    proposals: Mapping[str, Proposal] = MappingProxyType({})
    queue: tuple[ProposalView, ...] = ()

    @property
    def unjudged(self) -> tuple[Proposal, ...]:
        """The first proposals that wait, by id."""
        return tuple(self.contents.holdings.proposals)


class StagedOpening:
    """Reads the vault or store at ``path``: first what can be shown soon, then everything."""

    def __init__(self, path: Path, context: Context) -> None:
        self._path = path
        self._context = context

    def first_page(self) -> tuple[Proposal, ...] | None:
        """The first proposals that wait; None where everything is read as quickly.

        What is wrong with the vault is left for ``whole`` to say.
        """
        try:
            backing = backing_of(self._path)
            return backing.first_page() if isinstance(backing, VaultBacking) else None
        except (OSError, ProofstoneError):
            return None

    def first_look(self, page: tuple[Proposal, ...]) -> FirstLook | None:
        """The same with the turns; None where they cannot be read, which ``whole`` will say."""
        try:
            backing = backing_of(self._path)
            if not isinstance(backing, VaultBacking):
                return None
            return FirstLook(backing, backing.first_look(page), self._context)
        except (OSError, ProofstoneError):
            return None

    def whole(self, progress: Progress) -> Workspace:
        """Everything.

        Raises:
            ProofstoneError: there is nothing at the path, or it cannot be read.
        """
        from proofstone.vault.first_look import count_notes

        total = count_notes(self._path)
        return Workspace.open(self._path, self._context, lambda done: progress(done, total))
