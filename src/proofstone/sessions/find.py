"""Finding session files: those that are named, and those in folders."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from proofstone.sessions.formats import SUFFIXES, Format, detect

MAX_FOLDER_DEPTH = 32

_COMPRESSED = (".jsonl.zst", ".jsonl.gz", ".json.gz", ".jsonl.bz2", ".jsonl.xz")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file, its format when it is known, else why it is not read.

    ``is_named`` says that the caller named the file itself, not a folder it lies in.
    """

    path: Path
    format: Format | None
    reason: str = ""
    is_named: bool = False


def find(
    places: Iterable[Path], wanted: Format | None = None, without: Path | None = None
) -> Iterator[FoundFile]:
    """The session files among ``places`` and below them, each once, by path.

    With ``wanted`` every file with its suffix is taken to be of that format; else files are told
    by what they hold. The folder ``without`` (the vault) is not entered.
    """
    seen: set[Path] = set()
    for place in places:
        if place.is_dir():
            for found in _below(place, without.resolve() if without else None, MAX_FOLDER_DEPTH):
                if isinstance(found, FoundFile):
                    yield found
                elif found.resolve() not in seen:
                    seen.add(found.resolve())
                    yield _found(found, wanted, is_named=False)
        elif place.resolve() not in seen:
            seen.add(place.resolve())
            yield _found(place, wanted, is_named=True)


def _found(path: Path, wanted: Format | None, *, is_named: bool) -> FoundFile:
    if not path.is_file():
        reason = "no such file" if not path.exists() else "no ordinary file"
        return FoundFile(path, None, reason, is_named)
    if wanted is not None:
        if is_named or path.suffix.casefold() in wanted.suffixes:
            return FoundFile(path, wanted, is_named=is_named)
        return FoundFile(path, None, f"not a file of {wanted.name}", is_named)
    try:
        detected = detect(path)
    except OSError as error:
        return FoundFile(path, None, f"cannot be read: {error.strerror}", is_named)
    if detected is None:
        return FoundFile(path, None, "no session of a known format", is_named)
    return FoundFile(path, detected, is_named=is_named)


def _below(folder: Path, without: Path | None, depth: int) -> Iterator[Path | FoundFile]:
    """The files that may be sessions, and the places that cannot be looked into."""
    if without is not None and folder.resolve() == without:
        return
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        yield FoundFile(folder, None, f"the folder cannot be listed: {error.strerror}")
        return
    for entry in entries:
        if entry.is_symlink():
            continue
        path = folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            if depth > 0:
                yield from _below(path, without, depth - 1)
        elif path.suffix.casefold() in SUFFIXES:
            yield path
        elif entry.name.casefold().endswith(_COMPRESSED):
            yield FoundFile(path, None, "compressed: unpack it first")
