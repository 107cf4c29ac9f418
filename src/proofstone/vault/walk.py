"""Finding and reading files without ever leaving the vault (spec page 5, Writing).

A link is followed when what it names is inside the vault under another folder than the notes'
own; one that leaves is reported and not followed. Folders that cannot be listed are reported too.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MAX_FOLDER_DEPTH = 32
"""Deeper folders are reported and not entered (docs/limits.md)."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file by its path in the vault; ``fault`` says why it is not to be read."""

    path: str
    file: Path
    fault: str = ""


class ReadFailedError(OSError):
    """Why a file could not be read, in words."""


def walk(
    root: Path, room: str, suffix: str, *, without: frozenset[str] = frozenset()
) -> Iterator[Found]:
    """The files below ``room`` that end in ``suffix``, by path.

    Hidden files and folders are left out, and the folders that ``without`` names.
    """
    if room.count("/") == 1 and (root / room).parent.is_symlink():
        return
    yield from _walk(root / room, room, suffix, without, MAX_FOLDER_DEPTH)


def _walk(
    folder: Path, path: str, suffix: str, without: frozenset[str], depth: int
) -> Iterator[Found]:
    if folder.is_symlink():
        yield Found(path, folder, "the folder is a link and is not entered")
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except OSError as error:
        yield Found(path, folder, f"the folder cannot be listed: {error.strerror}")
        return
    for entry in entries:
        name = entry.name
        if name.startswith("."):
            continue
        child = f"{path}/{name}"
        if entry.is_symlink():
            if name.endswith(suffix):
                yield Found(child, folder / name, "it is a link; links are not followed")
        elif entry.is_dir(follow_symlinks=False):
            if child in without:
                continue
            if depth > 0:
                yield from _walk(folder / name, child, suffix, without, depth - 1)
            else:
                yield Found(child, folder / name, "it lies in a folder too deep to be read")
        elif name.endswith(suffix):
            if not _is_unicode(name):
                shown = child.encode("utf-8", "backslashreplace").decode("utf-8")
                yield Found(shown, folder / name, "its file name is not UTF-8")
            elif not entry.is_file(follow_symlinks=False):
                yield Found(child, folder / name, "it is no ordinary file")
            else:
                yield Found(child, folder / name)


def read_file(root: Path, found: Found, limit: int) -> bytes:
    """The bytes of a file of at most ``limit`` bytes.

    Raises FileNotFoundError when it is gone, ReadFailedError with the reason for anything else.
    """
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    # A pipe put in a note's place must not block reading for ever.
    flags |= getattr(os, "O_NONBLOCK", 0)
    try:
        descriptor = os.open(found.file, flags)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise ReadFailedError(error.strerror or "it cannot be opened") from error
    with os.fdopen(descriptor, "rb") as stream:
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise ReadFailedError("it is no ordinary file")
            if status.st_size > limit:
                raise ReadFailedError(f"it is larger than {limit // (1024 * 1024)} MiB")
            return stream.read(limit + 1)
        except OSError as error:
            if isinstance(error, ReadFailedError):
                raise
            raise ReadFailedError(error.strerror or "it cannot be read") from error


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
