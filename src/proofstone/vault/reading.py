"""Reading one file of a vault, and saying what it is when that cannot be done (spec page 5)."""

from __future__ import annotations

import os
from pathlib import Path

from proofstone.domain.holdings import Problem
from proofstone.vault.walk import LINKED_ROOM, Found, ReadFailedError, read_file

MAX_NOTE_BYTES = 8 * 1024 * 1024
"""A larger file is shown as unreadable (docs/limits.md)."""

UNLISTED = "unreadable_folder"
"""The code of a folder that cannot be listed."""


def read_at(descriptor: int, offset: int, length: int) -> bytes:
    """So many bytes of an open file from ``offset`` on, fewer where it ends. Raises OSError."""
    if hasattr(os, "pread"):
        return os.pread(descriptor, length, offset)
    os.lseek(descriptor, offset, os.SEEK_SET)  # pragma: no cover - Windows
    return os.read(descriptor, length)  # pragma: no cover - Windows


def read_one(root: Path, found: Found, limit: int) -> bytes | OSError:
    """One file's bytes, or the error; a ReadFailedError where ``found`` names a fault."""
    if found.fault:
        return ReadFailedError(found.fault)
    try:
        return read_file(root, found, limit)
    except OSError as error:
        return error


def unreadable(
    path: str, message: str, line: int | None = None, what_to_do: str = "Correct it in an editor"
) -> Problem:
    """The problem of a note that is shown but not read, and never touched."""
    return Problem(
        code="unreadable_note",
        path=path,
        line=line,
        message=f"this note cannot be read: {message}",
        advice=f"{what_to_do}; until then it is left exactly as it is.",
    )


def not_read(found: Found, error: OSError) -> Problem:
    """The problem of a file or a folder of which no byte could be read."""
    if found.is_unlisted:
        return unlisted(found.path, str(error))
    if isinstance(error.__cause__, PermissionError):
        return unreadable(found.path, str(error), what_to_do="Make it readable for you")
    return unreadable(found.path, str(error))


def unlisted(path: str, why: str) -> Problem:
    """The problem of a folder that cannot be listed: what it holds must not count as absent."""
    what_to_do = "Make it readable for you"
    if why == LINKED_ROOM:
        what_to_do = "Put the folder itself in the link's place"
    return Problem(
        code=UNLISTED,
        path=path,
        message=f"this folder cannot be listed: {why}; nobody can tell what it holds",
        advice=f"{what_to_do}; until then nothing is ruled on here.",
    )
