"""What a workspace stands on: a vault, or another program's store (spec page 8, Other stores)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from proofstone.domain.note_kinds import NoteKind
from proofstone.vault import layout
from proofstone.vault.vault import Vault

if TYPE_CHECKING:
    from proofstone.domain.plan import FileChange, RulingPlan
    from proofstone.domain.records import Proposal
    from proofstone.stores.port import Capabilities
    from proofstone.vault.transaction import RulingChanges
    from proofstone.vault.vault import VaultContents


class Backing(Protocol):
    """The files below a workspace: reading them, and writing rulings into them."""

    @property
    def name(self) -> str:
        """What it is, for people."""

    @property
    def root(self) -> Path:
        """The folder or the file that people named."""

    @property
    def state(self) -> Path:
        """The folder that has the journal, its objects and the lock."""

    @property
    def capabilities(self) -> Capabilities:
        """Which rulings can be carried out."""

    def read(self, progress: Callable[[int], None] | None = None) -> VaultContents:
        """Read everything, telling how many files were read so far where that takes long.

        Raises OSError or ProofstoneError.
        """

    def after(
        self,
        contents: VaultContents,
        changes: tuple[FileChange, ...],
        pending: tuple[FileChange, ...],
    ) -> VaultContents:
        """What ``contents`` would be with ``changes`` written too; ``pending`` has all so far."""

    def render(
        self, plan: RulingPlan, contents: VaultContents, pending: tuple[FileChange, ...]
    ) -> tuple[FileChange, ...]:
        """The file changes that carry ``plan`` out. Raises RulingRefused or ProofstoneError."""

    def write(self, plan: Callable[[], Sequence[RulingChanges]]) -> None:
        """Write the group that ``plan`` makes under the lock. Raises ProofstoneError."""

    def file(self, path: str) -> Path:
        """Where a file is that a change names."""

    def new_tombstones(self, contents: VaultContents) -> tuple[FileChange, ...]:
        """The tombstones that are on disk by now and not in ``contents``."""


class VaultBacking:
    """A memleaf or Proofstone vault, which has a place for everything."""

    name = "a vault"

    def __init__(self, root: Path) -> None:
        self._vault = Vault(root)
        self.root = self.state = self._vault.root

    @property
    def capabilities(self) -> Capabilities:
        """Every ruling can be carried out."""
        from proofstone.stores.port import Capabilities

        return Capabilities()

    def read(self, progress: Callable[[int], None] | None = None) -> VaultContents:
        """The vault; NotADirectoryError when it is not there."""
        return self._vault.read(progress)

    def first_page(self) -> tuple[Proposal, ...] | None:
        """The first proposals of a large vault; None for one that is read as quickly."""
        from proofstone.vault.first_look import first_page

        return first_page(self.root)

    def first_look(self, page: tuple[Proposal, ...]) -> VaultContents:
        """What a large vault shows beside its first page before it was read."""
        from proofstone.vault.first_look import first_look

        return first_look(self._vault, page)

    def after(
        self,
        contents: VaultContents,
        changes: tuple[FileChange, ...],
        pending: tuple[FileChange, ...],
    ) -> VaultContents:
        """Worked out from the changed notes alone."""
        from proofstone.vault.staging import after

        return after(contents, changes)

    def render(
        self, plan: RulingPlan, contents: VaultContents, pending: tuple[FileChange, ...]
    ) -> tuple[FileChange, ...]:
        """Every operation as a note."""
        from proofstone.vault.render import render

        return render(self.root, plan, paths=contents.paths, before=pending)

    def write(self, plan: Callable[[], Sequence[RulingChanges]]) -> None:
        """Under the vault's lock."""
        from proofstone.vault.transaction import apply_planned

        apply_planned(self.root, plan)

    def file(self, path: str) -> Path:
        """A file of the vault."""
        return self.root / path

    def new_tombstones(self, contents: VaultContents) -> tuple[FileChange, ...]:
        """The new files of the room."""
        from proofstone.domain.plan import FileChange
        from proofstone.vault.files import Files
        from proofstone.vault.walk import walk

        known = {stone.path for stone in contents.holdings.tombstones}
        known.update(problem.path for problem in contents.problems)
        return tuple(
            FileChange(path=found.path, before=None, after=Files().read(self.root / found.path))
            for found in walk(self.root, layout.ROOMS[NoteKind.TOMBSTONE], ".md")
            if found.path not in known and not found.fault
        )
