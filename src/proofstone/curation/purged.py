"""Telling by the vault's key and its markers whether a text was purged (spec page 5)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from proofstone.domain.purging import PurgedContents
from proofstone.domain.records import Tombstone
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.hmac_key import read_key


def purged_contents(root: Path, tombstones: Iterable[Tombstone]) -> PurgedContents:
    """What the vault in ``root`` knows of purged contents; blind when the key cannot be read."""
    stones = tuple(stone for stone in tombstones if stone.content_hmac)
    try:
        key = read_key(root) if stones else None
    except VaultWriteError:
        key = None
    return PurgedContents(stones, key)
