"""A fresh copy of the demo vault, in the days in which its story plays."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.resources import resource_dir

DEMO_NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
"""The morning on which the story's queue is opened."""

DEMO_AUTHOR = "Mira Tal"
"""Who curates the demo vault, where nobody says who is sitting there."""

_PRIVATE_FOLDER = 0o700


def copy_demo(destination: Path) -> Path:
    """Copy the demo vault to ``destination``, which must not hold anything yet.

    Raises:
        ProofstoneError: something is there already, or it cannot be written.
    """
    if destination.exists() and any(destination.iterdir()):
        raise ProofstoneError(f"{destination}: not empty; name a new folder")
    try:
        shutil.copytree(resource_dir("demo-vault"), destination, dirs_exist_ok=True)
        destination.chmod(_PRIVATE_FOLDER)
    except OSError as error:
        why = error.strerror or error
        raise ProofstoneError(f"{destination}: cannot copy the demo vault: {why}") from error
    return destination


def story_clock(real: Callable[[], datetime]) -> Callable[[], datetime]:
    """A clock that starts at the story's morning and runs as fast as ``real``."""
    started = real()
    return lambda: DEMO_NOW + (real() - started)
