"""Another program's store below a workspace (spec page 8, Other stores).

Rulings are written into the store by its own rules. What it has no place for is kept as notes in
the store's companion folder, in the same rooms as in a vault, and so are the journal and the
objects: one transaction writes both, and undo puts both back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from proofstone.curation import companion_notes
from proofstone.domain.plan import FileChange, NoteKind, RulingPlan
from proofstone.domain.purging import PurgeScope
from proofstone.domain.rulings.terms import RulingMoment, RulingRefused
from proofstone.stores.companion import make_companion
from proofstone.stores.port import (
    Capabilities,
    Pending,
    Store,
    StoreContents,
    StorePurge,
    WritableStore,
)
from proofstone.vault import transaction
from proofstone.vault.bulk import bulk_loading
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.purge import PurgeWrite
from proofstone.vault.render import render
from proofstone.vault.swap import BESIDE, locate
from proofstone.vault.transaction import RulingChanges
from proofstone.vault.vault import VaultContents


class StoreBacking:
    """The store ``store`` with its companion folder ``state``, which need not exist yet."""

    def __init__(self, store: Store, state: Path) -> None:
        self._store = store
        self._writable = store if isinstance(store, WritableStore) else None
        self.state = state

    @property
    def name(self) -> str:
        """The format's name."""
        return f"a store of {self._store.name}"

    @property
    def root(self) -> Path:
        """The store's file or folder."""
        return self._store.root

    @property
    def capabilities(self) -> Capabilities:
        """Which rulings the store can carry out."""
        return self._store.capabilities

    def read(self, _progress: Callable[[int], None] | None = None) -> VaultContents:
        """The store with the companion's notes. A ruling that was cut short is put right first."""
        recovered = tuple(
            replace(problem, path=BESIDE + problem.path)
            for problem in transaction.recover(self.root, state=self.state)
        )
        contents = self._contents(())
        return VaultContents(holdings=contents.holdings, problems=(*recovered, *contents.problems))

    def after(
        self,
        contents: VaultContents,
        changes: tuple[FileChange, ...],
        pending: tuple[FileChange, ...],
    ) -> VaultContents:
        """The store read again with the changes in the place of its files."""
        return self._contents(pending)

    def render(
        self, plan: RulingPlan, contents: VaultContents, pending: tuple[FileChange, ...]
    ) -> tuple[FileChange, ...]:
        """The store's own changes, and after them the notes beside it."""
        if self._writable is None:
            raise VaultWriteError(self.capabilities.read_only)
        inside, beside = _divided(pending)
        own = self._writable.render(plan, inside)
        notes = companion_notes.read(self.state, beside)
        planned, paths = companion_notes.note_plan(
            plan, contents.holdings, notes, self._writable.keeping
        )
        before = tuple(
            FileChange(path=path, before=None, after=after) for path, after in beside.items()
        )
        kept = render(self.state, planned, paths=paths, before=before)
        return (
            *own,
            *(
                FileChange(path=BESIDE + change.path, before=change.before, after=change.after)
                for change in kept
            ),
        )

    def write(self, plan: Callable[[], Sequence[RulingChanges]]) -> None:
        """Under the companion folder's lock; no other program takes it."""
        self._make_state()
        transaction.apply_planned(self.root, plan, state=self.state)

    def purge(self, scope: PurgeScope, moment: RulingMoment, reason: str) -> StorePurge:
        """What a privacy purge does inside the store.

        Raises:
            RulingRefused: nothing can be written here.
            ProofstoneError: a file that has to change cannot be read.
        """
        if self._writable is None:
            raise RulingRefused(self.capabilities.read_only)
        return self._writable.purge(scope, moment, reason)

    def write_purge(self, plan: Callable[[], PurgeWrite]) -> PurgeWrite:
        """Carry a purge out under the companion folder's lock."""
        self._make_state()
        return transaction.apply_purge(self.root, plan, state=self.state)

    def notes(self) -> companion_notes.CompanionNotes:
        """The notes of the companion folder."""
        return companion_notes.read(self.state, {})

    def keeps(self, kind: NoteKind) -> bool:
        """Whether the store's own format has a place for notes of this kind."""
        return self._writable is not None and kind in self._writable.keeping.kinds

    def file(self, path: str) -> Path:
        """A file of the store, or of its companion folder."""
        return locate(self.root, path, self.state)

    def new_tombstones(self, contents: VaultContents) -> tuple[FileChange, ...]:
        """The files with tombstones that ``contents`` has not."""
        known = {(stone.path, stone.revision) for stone in contents.holdings.tombstones}
        present = list(companion_notes.read(self.state, {}).tombstones)
        if self._writable is not None:
            present += self._writable.tombstones({})
        files = dict.fromkeys(
            stone.path for stone in present if (stone.path, stone.revision) not in known
        )
        return tuple(
            FileChange(path=path, before=None, after=Files().read(self.file(path)))
            for path in files
        )

    def _make_state(self) -> None:
        try:
            make_companion(self.state)
        except OSError as error:
            raise VaultWriteError(
                f"{self.state}: cannot be made: {error.strerror}; nothing was written"
            ) from error

    def _contents(self, pending: tuple[FileChange, ...]) -> VaultContents:
        inside, beside = _divided(pending)
        with bulk_loading():
            found = self._read(inside)
            notes = companion_notes.read(self.state, beside)
            holdings = companion_notes.merged(
                found,
                notes,
                self._keeps_review,
                keeps_proposals=self._writable is None or self.keeps(NoteKind.PROPOSAL),
            )
        return VaultContents(holdings=holdings, problems=(*found.problems, *notes.problems))

    def _read(self, pending: Pending) -> StoreContents:
        return self._store.read() if self._writable is None else self._writable.read_with(pending)

    @property
    def _keeps_review(self) -> bool:
        return self._writable is None or "review" in self._writable.keeping.memory_keys


def _divided(pending: tuple[FileChange, ...]) -> tuple[Pending, Pending]:
    """The last content of each changed file: those of the store, and those beside it."""
    inside: dict[str, bytes | None] = {}
    beside: dict[str, bytes | None] = {}
    for change in pending:
        if change.path.startswith(BESIDE):
            beside[change.path.removeprefix(BESIDE)] = change.after
        else:
            inside[change.path] = change.after
    return inside, beside
