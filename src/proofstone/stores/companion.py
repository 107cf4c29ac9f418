"""Where Proofstone keeps what another program's store has no place for (spec page 8).

Deferrals, review dates, the journal and the objects of undo lie in a folder of their own below the
platform's state folder; nothing of ours is ever put into the store.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

import platformdirs

_DIGITS = 16


def companion_folder(root: Path, state: Path | None = None) -> Path:
    """The folder that belongs to the store at ``root``; it need not exist.

    The same store has the same folder by whatever path it is reached. ``state`` takes the place of
    the platform's state folder.
    """
    base = state or Path(platformdirs.user_state_dir("proofstone", appauthor=False))
    real = root.resolve()
    digest = hashlib.sha256(str(real).encode("utf-8", "surrogateescape")).hexdigest()[:_DIGITS]
    return base / "stores" / f"{_readable(real.name)}-{digest}"


def _readable(name: str) -> str:
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "-" for letter in name)
    return kept.strip("-")[:40] or "store"
