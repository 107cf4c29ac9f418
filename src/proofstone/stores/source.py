"""A store's files as they are on disk, or as they would be with some changes written."""

from __future__ import annotations

import os
from pathlib import Path

from proofstone.domain.records import Problem
from proofstone.stores.files import TextFile, as_text, read_bytes, walk
from proofstone.stores.port import Pending

VERSION_CONTROL = frozenset((".git", ".hg", ".svn", ".jj"))
"""Folders that keep earlier contents, and are no part of a store."""


class Source:
    """The files below ``root`` with ``pending`` in their place; paths are relative to it."""

    def __init__(self, root: Path, pending: Pending) -> None:
        self._root = root
        self._pending = pending
        self._files: dict[str, Path] = {}
        """Files by the path that people are shown, where their name is no Unicode."""

    def data(self, path: str, limit: int) -> bytes | Problem | None:
        """A file's bytes, None when it is not there, or why it cannot be read."""
        if path in self._pending:
            return self._pending[path]
        file = self._files.get(path, self._root / path)
        if not file.exists() and not file.is_symlink():
            return None
        return read_bytes(file, path, limit)

    def has(self, path: str) -> bool:
        """Whether there is a file."""
        if path in self._pending:
            return self._pending[path] is not None
        return (self._root / path).is_file()

    def text(self, path: str, limit: int) -> TextFile | Problem | None:
        """A file as text, None when it is not there, or why it cannot be read."""
        data = self.data(path, limit)
        return as_text(data, path) if isinstance(data, bytes) else data

    def names(self, folder: str, suffix: str) -> list[str]:
        """The paths of the files in one folder that end in ``suffix``."""
        place = self._root / folder
        found: set[str] = set()
        if place.is_dir():
            found = {f"{folder}/{one.name}" for one in place.iterdir() if one.suffix == suffix}
        return self._with_pending(found, f"{folder}/", suffix)

    def below(self, suffix: str) -> list[str]:
        """The paths of all files that end in ``suffix``, hidden ones left out.

        Raises:
            StoreReadError: a folder cannot be listed.
        """
        found = dict(walk(self._root, (suffix,)))
        self._files.update(found)
        return self._with_pending(set(found), "", suffix)

    def everything(self) -> list[str]:
        """The paths of all files, whatever they are; version control and links left out."""
        found: list[str] = []
        for folder, below, names in os.walk(self._root):
            below[:] = [
                name
                for name in below
                if name not in VERSION_CONTROL and not (Path(folder) / name).is_symlink()
            ]
            for name in names:
                file = Path(folder) / name
                if file.is_file() and not file.is_symlink():
                    shown = file.relative_to(self._root).as_posix()
                    path = shown.encode("utf-8", "backslashreplace").decode("utf-8")
                    self._files[path] = file
                    found.append(path)
        return sorted(found)

    def _with_pending(self, found: set[str], folder: str, suffix: str) -> list[str]:
        for path, data in self._pending.items():
            if path.startswith(folder) and path.endswith(suffix):
                found = found - {path} if data is None else found | {path}
        return sorted(found)
