"""Replacing a set of files: staged under temporary names, swapped, and put back on failure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path

from proofstone.vault.errors import StaleError, VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.layout import GATE, INBOX, ROOMS, SETTINGS, folders_of, is_plain_path

Contents = tuple[bytes | None, bytes | None]
"""A file's content before and after; None: no file."""

_WRITABLE = frozenset({*(room.split("/")[0] for room in ROOMS.values()), INBOX, GATE})

TEMPORARY = re.compile(r"\.proofstone-[0-9a-f]{24}\.tmp")
"""What ``temporary_name`` gives."""

BESIDE = ".companion/"
"""How a ruling in another program's store names files of the store's companion folder. No file of
a store has such a path: readers pass over names that begin with a dot."""


def locate(root: Path, path: str, state: Path | None = None) -> Path:
    """Where a file named in a ruling is: in ``root``, or in the companion folder ``state``."""
    if state is not None and f"{path}/".startswith(BESIDE):
        return state / path[len(BESIDE) :]
    return root / path


def temporary_name(group: str, path: str) -> str:
    """The temporary name of a group's file; the same again, so that leftovers can be found."""
    own = sha256(f"{group}\0{path}".encode("utf-8", "backslashreplace")).hexdigest()[:24]
    return f".proofstone-{own}.tmp"


class Swap:
    """The files of one group, from their contents before to those after.

    ``state`` is the companion folder when ``root`` is another program's store.
    """

    def __init__(
        self,
        root: Path,
        group: str,
        net: Mapping[str, Contents],
        files: Files,
        state: Path | None = None,
    ) -> None:
        self._root = root
        self._state = state
        self._group = group
        self._net = {path: sides for path, sides in net.items() if sides[0] != sides[1]}
        self._files = files
        self._made: list[Path] = []
        self._swapped: list[str] = []

    def check(self) -> None:
        """Raise unless every path may be written and holds what the person saw."""
        for path, (before, _) in self._net.items():
            _check_path(self._root, path, self._state)
            try:
                present = self._files.read(self._at(path))
            except OSError as error:
                raise VaultWriteError(f"{path} cannot be read: {error.strerror}") from error
            if present != before:
                raise StaleError(path, seen=before, present=present, is_new=before is None)

    def stage(self) -> None:
        """Write every new content under its temporary name, durably."""
        new = [path for path, (_, after) in self._net.items() if after is not None]
        for folder in folders_of(new):
            place = self._at(folder)
            if self._files.make_folder(place):
                self._made.append(place)
                self._files.sync_folder(place.parent)
        for path in new:
            content = self._net[path][1]
            assert content is not None
            self._files.write(self._temporary(path), content, self._files.mode(self._at(path)))

    def swap(self) -> None:
        """Put the staged files in place, remove those that go, and make the folders durable."""
        for path, (_, after) in self._net.items():
            self._swapped.append(path)
            if after is None:
                self._files.remove(self._at(path))
            else:
                self._files.rename(self._temporary(path), self._at(path))
        self._sync_folders(self._net)

    @property
    def has_begun(self) -> bool:
        """Whether any file may be other than it was; until then only temporary ones were made."""
        return bool(self._swapped)

    def put_back(self) -> bool:
        """Undo what was done so far; False when the disk did not let us."""
        try:
            for path in self._net:
                if path not in self._swapped:
                    self._files.remove(self._temporary(path))
            for path in reversed(self._swapped):
                before = self._net[path][0]
                if before is None:
                    self._files.remove(self._at(path))
                elif self._files.read(self._at(path)) != before:
                    mode = self._files.mode(self._at(path))
                    self._files.write(self._temporary(path), before, mode)
                    self._files.rename(self._temporary(path), self._at(path))
                self._files.remove(self._temporary(path))
            if self._swapped:
                self._sync_folders(self._swapped)
            for folder in reversed(self._made):
                self._files.remove_folder(folder)
        except OSError:
            return False
        return True

    def remove_leftovers(self, paths: Iterable[str]) -> None:
        """Remove the temporary files that an attempt on ``paths`` may have left."""
        for path in paths:
            if self._at(path).parent.is_dir():
                self._files.remove(self._temporary(path))

    def _at(self, path: str) -> Path:
        return locate(self._root, path, self._state)

    def _temporary(self, path: str) -> Path:
        return self._at(path).parent / temporary_name(self._group, path)

    def _sync_folders(self, paths: Iterable[str]) -> None:
        for folder in sorted({self._at(path).parent for path in paths}):
            if folder.is_dir():
                self._files.sync_folder(folder)


def _check_path(root: Path, path: str, state: Path | None = None) -> None:
    """Raise VaultWriteError unless ``path`` is a plain path that rulings write."""
    if not is_plain_path(path):
        raise VaultWriteError(f"{path!r} is not a path in the vault")
    if state is None or path.startswith(BESIDE):
        _check_room(path if state is None else path.removeprefix(BESIDE))
    elif any(part.startswith(".") for part in path.split("/")):
        raise VaultWriteError(f"{path!r} is hidden, and so no file of the store")
    base = state if state is not None and path.startswith(BESIDE) else root
    place = locate(root, path, state)
    while place != base:
        if place.is_symlink():
            shown = place.relative_to(base).as_posix()
            raise VaultWriteError(f"{shown} is a link, and links are not written through")
        place = place.parent


def _check_room(path: str) -> None:
    parts = path.split("/")
    if path != SETTINGS and (parts[0] not in _WRITABLE or len(parts) < 2):
        raise VaultWriteError(f"{path!r} is in no room that is written by rulings")
