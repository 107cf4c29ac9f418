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

    def first_look(self) -> FirstLook | None:
        """What can be shown at once; None where everything is read as quickly.

        What is wrong with the vault is left for ``whole`` to say.
        """
        from proofstone.domain.errors import ProofstoneError

        try:
            backing = backing_of(self._path)
            if not isinstance(backing, VaultBacking):
                return None
            contents = backing.first_look()
        except (OSError, ProofstoneError):
            return None
        return None if contents is None else FirstLook(backing, contents, self._context)

    def whole(self, progress: Progress) -> Workspace:
        """Everything.

        Raises:
            ProofstoneError: there is nothing at the path, or it cannot be read.
        """
        from proofstone.vault.first_look import count_notes

        total = count_notes(self._path)
        return Workspace.open(self._path, self._context, lambda done: progress(done, total))
