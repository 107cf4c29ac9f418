"""Where Proofstone keeps what another program's store has no place for (spec page 8).

Deferrals, review dates, the journal and the objects of undo lie in a folder of their own below the
platform's state folder; nothing of ours is ever put into the store.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import platformdirs

STATE_VARIABLE = "PROOFSTONE_STATE"
"""A folder that takes the place of the platform's state folder."""

_DIGITS = 16
_PRIVATE = 0o700


def companion_folder(root: Path, state: Path | None = None) -> Path:
    """The folder that belongs to the store at ``root``; it need not exist.

    The same store has the same folder by whatever path it is reached. ``state``, or else the
    variable ``PROOFSTONE_STATE``, takes the place of the platform's state folder.
    """
    named = os.environ.get(STATE_VARIABLE)
    base = state or Path(named or platformdirs.user_state_dir("proofstone", appauthor=False))
    real = root.resolve()
    digest = hashlib.sha256(str(real).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
    return base / "stores" / f"{_readable(real.name)}-{digest}"


def make_companion(folder: Path) -> None:
    """Make a companion folder, and the folders above it, for its owner alone.

    Raises:
        OSError: it cannot be made.
    """
    missing = [place for place in (folder, *folder.parents) if not place.exists()]
    for place in reversed(missing):
        place.mkdir(mode=_PRIVATE, exist_ok=True)


def _readable(name: str) -> str:
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    return kept.strip("-")[:40] or "store"
