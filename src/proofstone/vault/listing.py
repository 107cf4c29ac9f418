"""What a folder of notes lists, with size, times and number of each file (spec page 9).

Two listings that are equal mean that nothing was changed in between, as far as a file system tells.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from proofstone.vault.walk import Found, walk

SUFFIX = ".md"
PER_FILE = 4
"""Numbers for each file: its size, the times of its last change and of its state in nanoseconds,
and its number in the file system."""

YOUNG_NANOSECONDS = 3_000_000_000
"""A file that was changed so shortly before it was listed may be changed again without a trace:
some file systems count time in steps of two seconds."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The files of a room by their names below it, as the file system lists them.

    ``stats`` has ``PER_FILE`` numbers for each; ``order`` gives their places in reading order;
    ``faults`` are the files and folders that are not to be read.
    """

    names: list[str]
    stats: array[int]
    order: list[int]
    faults: tuple[Found, ...] = ()

    def stat(self, place: int) -> array[int]:
        """The numbers of one file."""
        return self.stats[place * PER_FILE : (place + 1) * PER_FILE]

    def is_young(self, place: int, now: int) -> bool:
        """Whether the file's last change is too near ``now``, in nanoseconds, to be relied on."""
        _, modified, changed, _ = self.stat(place)
        return max(modified, changed) + YOUNG_NANOSECONDS >= now


def list_room(root: Path, room: str, without: frozenset[str], known: Listing | None) -> Listing:
    """List a room by the rules of ``vault.walk``; ``known`` is given back when nothing changed."""
    if known is not None and known.faults:
        known = None
    simple = _simple_room(f"{root}/{room}", room, without)
    if simple is not None:
        names, stats = simple
        if known is not None and known.names == names and known.stats == stats:
            return known
        return Listing(names, stats, sorted(range(len(names)), key=names.__getitem__))
    listing = _walked_room(root, room, without)
    if known is not None and known.names == listing.names and known.stats == listing.stats:
        return listing if listing.faults else known
    return listing


def places(listing: Listing) -> Mapping[str, int]:
    """The files' places by their names."""
    return {name: place for place, name in enumerate(listing.names)}


def _simple_room(
    folder: str, room: str, without: frozenset[str]
) -> tuple[list[str], array[int]] | None:
    """The names and numbers in a folder that holds ordinary notes only; None for any other."""
    names: list[str] = []
    numbers: list[int] = []
    try:
        if Path(folder).is_symlink() or ("/" in room and Path(folder).parent.is_symlink()):
            return None
        with os.scandir(folder) as entries:
            for entry in entries:
                name = entry.name
                if name[0] == ".":
                    continue
                is_named_as_note = name.endswith(SUFFIX)
                if is_named_as_note and entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    names.append(name)
                    numbers += (
                        status.st_size,
                        status.st_mtime_ns,
                        status.st_ctime_ns,
                        status.st_ino,
                    )
                    continue
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_named_as_note or entry.is_symlink():
                    return None
                if is_folder and f"{room}/{name}" not in without:
                    return None
        "\n".join(names).encode()
        return names, array("q", numbers)
    except (OSError, OverflowError, UnicodeEncodeError):
        return None


def _walked_room(root: Path, room: str, without: frozenset[str]) -> Listing:
    names: list[str] = []
    numbers: list[int] = []
    faults: list[Found] = []
    start = len(room) + 1
    for found in walk(root, room, SUFFIX, without=without):
        if found.fault:
            faults.append(found)
            continue
        try:
            status = os.lstat(found.file)
        except OSError:
            continue  # Removed by another program since the folder was listed.
        names.append(found.path[start:])
        numbers += (status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
    signed = [number if number < 1 << 63 else number - (1 << 64) for number in numbers]
    return Listing(names, array("q", signed), list(range(len(names))), tuple(faults))
