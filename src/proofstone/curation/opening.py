"""What a path is that people open: a vault, or another program's store (spec page 8)."""

from __future__ import annotations

from pathlib import Path

from proofstone.curation.backing import Backing, VaultBacking
from proofstone.curation.places import WHAT_TO_DO, require_something
from proofstone.domain.note_kinds import NoteKind
from proofstone.vault import layout

_OF_A_VAULT = (*layout.ROOMS.values(), layout.INBOX, layout.GATE, layout.OWN_STATE)
_OWN_ROOMS = (layout.ROOMS[NoteKind.MEMORY], layout.ROOMS[NoteKind.PROPOSAL])


def backing_of(path: Path) -> Backing:
    """The vault or the store at ``path``.

    A folder that is no known store is opened as a vault when any of a vault's rooms is there, so
    that one without settings opens too.

    Raises:
        ProofstoneError: nothing is at ``path``.
        UnknownStoreError: ``path`` is a file of no known format, or a folder with nothing to open:
            a wrong path must not pass for an empty vault, and be called clean.
    """
    if (
        layout.is_vault(path)
        or any((path / room).is_dir() for room in _OWN_ROOMS)
        or _holds_sessions(path)
    ):
        return VaultBacking(path)
    require_something(path)
    # Vaults are opened far more often, and need none of the readers of other formats.
    from proofstone.curation.foreign import StoreBacking
    from proofstone.stores.companion import companion_folder
    from proofstone.stores.detect import UnknownStoreError, detect

    try:
        store = detect(path)
    except UnknownStoreError:
        if not path.is_dir():
            raise
        if any((path / name).exists() for name in _OF_A_VAULT):
            return VaultBacking(path)
        raise UnknownStoreError(f"{path}: there is no vault here; {WHAT_TO_DO}") from None
    return StoreBacking(store, companion_folder(store.root))


def _holds_sessions(path: Path) -> bool:
    """Whether there is an inbox with a folder for a source; other programs' inboxes hold files."""
    inbox = path / layout.INBOX
    return inbox.is_dir() and any(place.is_dir() for place in inbox.iterdir())
