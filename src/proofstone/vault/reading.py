"""Reading one file of a vault, and saying what it is when that cannot be done (spec page 5)."""

from __future__ import annotations

from pathlib import Path

from proofstone.domain.holdings import Problem
from proofstone.vault.walk import Found, ReadFailedError, read_file

MAX_NOTE_BYTES = 8 * 1024 * 1024
"""A larger file is shown as unreadable (docs/limits.md)."""


def read_one(root: Path, found: Found, limit: int) -> bytes | OSError:
    """One file's bytes, or the error; a ReadFailedError where ``found`` names a fault."""
    if found.fault:
        return ReadFailedError(found.fault)
    try:
        return read_file(root, found, limit)
    except OSError as error:
        return error


def unreadable(path: str, message: str, line: int | None = None) -> Problem:
    """The problem of a note that is shown but not read, and never touched."""
    return Problem(
        code="unreadable_note",
        path=path,
        line=line,
        message=f"this note cannot be read: {message}",
        advice="Correct it in an editor; until then it is left exactly as it is.",
    )
