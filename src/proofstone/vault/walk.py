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

LINKED_ROOM = "it is a link, and links are not entered"
"""Why a room that is a link is not listed: where it leads may be no part of the vault."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file by its path in the vault; ``fault`` says why it is not to be read.

    ``is_unlisted``: it is a folder of which nobody can tell what it holds.
    """

    path: str
    file: Path | str
    fault: str = ""
    is_unlisted: bool = False


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
    yield from _walk(f"{root}/{room}", room, suffix, without, MAX_FOLDER_DEPTH)


def _walk(
    folder: str, path: str, suffix: str, without: frozenset[str], depth: int
) -> Iterator[Found]:
    if Path(folder).is_symlink():
        yield Found(path, folder, LINKED_ROOM, is_unlisted=True)
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except FileNotFoundError:
        return
    except NotADirectoryError as error:
        yield Found(path, folder, f"the folder cannot be listed: {error.strerror}")
        return
    except OSError as error:
        yield Found(path, folder, error.strerror or "it cannot be listed", is_unlisted=True)
        return
    for entry in entries:
        name = entry.name
        child = f"{path}/{name}"
        if name.startswith(".") or child in without:
            continue
        fault = _fault(entry, suffix, depth)
        if not _is_unicode(name):
            # A folder or a link with such a name may hide notes, so it is named as well.
            if fault is not None or entry.is_dir(follow_symlinks=False):
                kind = "file" if fault is not None else "folder"
                yield Found(_escaped(child), f"{folder}/{name}", f"its {kind} name is not UTF-8")
        elif fault is not None:
            yield Found(child, f"{folder}/{name}", fault)
        elif entry.is_dir(follow_symlinks=False):
            yield from _walk(f"{folder}/{name}", child, suffix, without, depth - 1)


def _fault(entry: os.DirEntry[str], suffix: str, depth: int) -> str | None:
    """Why a file is not to be read, empty when it is; None for what is no file of ours."""
    if entry.is_symlink():
        if entry.name.endswith(suffix):
            return "it is a link; links are not followed"
        return "the folder is a link and is not entered" if entry.is_dir() else None
    if entry.is_dir(follow_symlinks=False):
        return None if depth > 0 else "it lies in a folder too deep to be read"
    if not entry.name.endswith(suffix):
        return None
    return "" if entry.is_file(follow_symlinks=False) else "it is no ordinary file"


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
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise ReadFailedError("it is no ordinary file")
        if status.st_size > limit:
            raise ReadFailedError(f"it is larger than {limit // (1024 * 1024)} MiB")
        return _read_up_to(descriptor, status.st_size, limit + 1)
    except OSError as error:
        if isinstance(error, ReadFailedError):
            raise
        raise ReadFailedError(error.strerror or "it cannot be read") from error
    finally:
        os.close(descriptor)


def _read_up_to(descriptor: int, expected: int, limit: int) -> bytes:
    """All there is, at most ``limit`` bytes: the file may have grown since it was measured."""
    data = os.read(descriptor, expected + 1)
    if len(data) == expected:
        return data
    parts, length = [data], len(data)
    while data and length < limit:
        data = os.read(descriptor, limit - length)
        parts.append(data)
        length += len(data)
    return b"".join(parts)


def _escaped(path: str) -> str:
    return path.encode("utf-8", "backslashreplace").decode("utf-8")


def _is_unicode(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
