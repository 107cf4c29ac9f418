"""The key that purge markers are made with: one small file of the vault (spec page 5, Tombstone).

Without it a marker says nothing of what was purged; with it the same words are told when they come
back. Whoever gets a copy of ``_state/proofstone`` gets the key, and can guess at the words.
"""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from proofstone.domain.records import Problem
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.layout import OWN_STATE, folders_of

KEY = f"{OWN_STATE}/purge.key"
_BYTES = 32
_FORM = re.compile(rb"[0-9a-f]{64}\n?")
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def read_key(root: Path, files: Files | None = None) -> bytes | None:
    """The vault's key, None when it has none yet. Raises VaultWriteError for what is no key."""
    path = root / KEY
    if path.is_symlink():
        raise VaultWriteError(f"{KEY} is a link; a key is not read through links")
    try:
        data = (files or Files()).read(path)
    except OSError as error:
        raise VaultWriteError(f"{KEY} cannot be read: {error.strerror}") from error
    if data is None:
        return None
    if not _FORM.fullmatch(data):
        raise VaultWriteError(f"{KEY} is not a key of 64 hex digits; restore it from a backup")
    return bytes.fromhex(data.decode("ascii").strip())


def ensure_key(root: Path, files: Files | None = None) -> bytes:
    """The vault's key; made, durably and for its owner alone, when there is none.

    The vault's lock must be held. Raises VaultWriteError.
    """
    files = files or Files()
    present = read_key(root, files)
    if present is not None:
        return present
    key = secrets.token_bytes(_BYTES)
    path = root / KEY
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        for folder in folders_of((KEY,)):
            if files.make_folder(root / folder):
                files.sync_folder((root / folder).parent)
        files.write(temporary, key.hex().encode("ascii") + b"\n")
        files.rename(temporary, path)
        files.sync_folder(path.parent)
    except OSError as error:
        raise VaultWriteError(f"the key of purges was not written: {error.strerror}") from error
    return key


def key_faults(root: Path) -> tuple[Problem, ...]:
    """What is wrong with the key's file, apart from its being missing."""
    try:
        if read_key(root) is None:
            return ()
        mode = Files().mode(root / KEY)
    except VaultWriteError as error:
        return (
            Problem(
                code="purge_key_unreadable",
                path=KEY,
                message=f"{error}.",
                advice="Until it can be read, what was purged is not told when it comes back.",
            ),
        )
    if os.name != "nt" and mode & _OTHERS:
        return (
            Problem(
                code="purge_key_open",
                path=KEY,
                message=f"others may read the key of purges (mode {mode:04o}).",
                advice="Set its mode to 0600: whoever has it can guess at what was purged.",
            ),
        )
    return ()
