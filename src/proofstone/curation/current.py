"""One workspace kept up with the disk while answers come in, without reading all for each."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange
from proofstone.vault import layout

_FOLDERS = tuple(
    dict.fromkeys(
        room.partition("/")[0] for room in (layout.INBOX, layout.GATE, *layout.ROOMS.values())
    )
)
_FILES = (layout.SETTINGS, layout.MEMLEAF_CONFIG, layout.PROCESSED)

_Signature = tuple[int, int, int]


class CurrentWorkspace:
    """A workspace as the vault is now. It is read again only when another hand changed a file:
    comparing the files of a large vault takes a hundredth of the time of reading them."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._seen: dict[str, _Signature] | None = None

    def now(self) -> Workspace:
        """The workspace as the vault is now. Raises ProofstoneError when it cannot be read."""
        # The files are compared first: what changes while they are read is seen next time.
        there = dict(_signatures(self._workspace.root))
        if there != self._seen:
            try:
                self._workspace = self._workspace.reload()
            except OSError as error:
                raise ProofstoneError(
                    f"{self._workspace.root}: cannot be read: {error.strerror or error}"
                ) from error
            self._seen = there
        return self._workspace

    def wrote(self, changes: Iterable[FileChange]) -> None:
        """Take in what was written on top of what ``now`` gave."""
        changes = tuple(changes)
        self._workspace = self._workspace.after(changes)
        if self._seen is None:
            return
        for change in changes:
            self._seen.pop(change.path, None)
            try:
                self._seen[change.path] = _signature((self._workspace.root / change.path).lstat())
            except OSError:
                continue


def _signatures(root: Path) -> Iterator[tuple[str, _Signature]]:
    for folder in _FOLDERS:
        yield from _below(f"{root}{os.sep}", folder)
    for name in _FILES:
        try:
            yield name, _signature((root / name).lstat())
        except OSError:
            continue


def _below(root: str, folder: str) -> Iterator[tuple[str, _Signature]]:
    try:
        with os.scandir(root + folder) as listing:
            entries = list(listing)
    except OSError:
        return
    for entry in entries:
        path = f"{folder}/{entry.name}"
        try:
            if entry.is_dir(follow_symlinks=False):
                yield from _below(root, path)
            else:
                yield path, _signature(entry.stat(follow_symlinks=False))
        except OSError:
            continue


def _signature(status: os.stat_result) -> _Signature:
    return status.st_size, status.st_mtime_ns, status.st_ino
