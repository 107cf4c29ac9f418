"""Every file of a vault, whoever wrote it, for a purge to look through (spec page 6, purge)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proofstone.vault.layout import GATE, INBOX, INDEX, JOURNAL, LOCK, OBJECTS, room_of
from proofstone.vault.swap import TEMPORARY

MAX_LOOKED_THROUGH = 256 * 1024 * 1024
"""A larger file is named as not looked through (docs/limits.md)."""

NOTE = "note"
CAPTURED = "captured"
ANSWER = "answer"
OBJECT = "object"
INDEXED = "index"
OWN_INDEX = "own index"
LEFTOVER = "leftover"
OTHER = "other"

_VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".jj"))
_INDEXES = "_index/"


@dataclass(frozen=True, slots=True)
class Looked:
    """A file by its path in the vault and what it is to a purge; None: it cannot be read."""

    path: str
    kind: str
    data: bytes | None


def look_through(root: Path) -> Iterator[Looked]:
    """Every ordinary file by path, but the journal and the lock. Links are not followed.

    A folder that cannot be listed is given as a file that cannot be read.
    """
    unlisted: list[str] = []

    def note(error: OSError) -> None:
        if not isinstance(error, FileNotFoundError | NotADirectoryError):
            unlisted.append(str(error.filename))

    for folder, below, names in os.walk(root, onerror=note):
        below[:] = sorted(
            name
            for name in below
            if name not in _VERSION_CONTROL and not (Path(folder) / name).is_symlink()
        )
        for name in sorted(names):
            file = Path(folder) / name
            path = file.relative_to(root).as_posix()
            if path in (JOURNAL, LOCK) or file.is_symlink() or not file.is_file():
                continue
            yield Looked(path, _kind_of(path), _read(file))
    for name in unlisted:
        yield Looked(Path(name).relative_to(root).as_posix(), OTHER, None)


def version_control(root: Path) -> str:
    """The folder in which version control keeps earlier contents, empty when there is none."""
    for folder in (root, *root.parents):
        for name in sorted(_VERSION_CONTROL):
            if (folder / name).exists():
                return name
    return ""


def _kind_of(path: str) -> str:
    name = path.rpartition("/")[2]
    if TEMPORARY.fullmatch(name):
        return LEFTOVER
    if path.startswith(f"{OBJECTS}/"):
        return OBJECT
    if path.startswith(f"{INDEX}/"):
        return OWN_INDEX
    if path.startswith(_INDEXES):
        return INDEXED
    if path.startswith(f"{INBOX}/") and name.endswith(".md"):
        return CAPTURED
    if path.startswith(f"{GATE}/") and name.endswith(".json"):
        return ANSWER
    return NOTE if room_of(path) is not None else OTHER


def _read(file: Path) -> bytes | None:
    try:
        if file.stat().st_size > MAX_LOOKED_THROUGH:
            return None
        return file.read_bytes()
    except OSError:
        return None
