"""Every operation that changes the disk, in one small object that tests can make fail or stop."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

NEW_FILE = 0o600
NEW_FOLDER = 0o700


class Files:
    """The disk. Each method is one step; after any of them the process may be gone."""

    def read(self, path: Path) -> bytes | None:
        """A file's content, None when it does not exist."""
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def mode(self, path: Path) -> int:
        """The permission bits of an existing file, those of a new one when it does not exist."""
        try:
            return stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:
            return NEW_FILE

    def make_folder(self, path: Path) -> bool:
        """Create one folder; False when it exists."""
        try:
            path.mkdir(mode=NEW_FOLDER)
        except FileExistsError:
            return False
        return True

    def remove_folder(self, path: Path) -> None:
        """Remove a folder if it is empty."""
        with contextlib.suppress(OSError):
            path.rmdir()

    def write(self, path: Path, data: bytes, mode: int = NEW_FILE) -> None:
        """Write a file and make its content durable (one sync). Its name is not durable yet."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(path, flags, mode)
        with os.fdopen(descriptor, "wb") as stream:
            if hasattr(os, "fchmod"):
                os.fchmod(stream.fileno(), mode)
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())

    def append(self, path: Path, data: bytes, *, sync: bool) -> None:
        """Append to a file, durably (one sync) when asked to."""
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0)
        flags |= getattr(os, "O_NOFOLLOW", 0)
        descriptor = os.open(path, flags, NEW_FILE)
        with os.fdopen(descriptor, "ab") as stream:
            stream.write(data)
            stream.flush()
            if sync:
                os.fsync(stream.fileno())

    def truncate(self, path: Path, size: int) -> None:
        """Cut a file to ``size`` bytes, durably (one sync)."""
        with path.open("r+b") as stream:
            stream.truncate(size)
            os.fsync(stream.fileno())

    def rename(self, source: Path, target: Path) -> None:
        """Put ``source`` in the place of ``target``, at once."""
        os.replace(source, target)  # noqa: PTH105 - one system call, named as such

    def remove(self, path: Path) -> None:
        """Remove a file; one that is not there is removed already."""
        path.unlink(missing_ok=True)

    def sync_folder(self, path: Path) -> None:
        """Make the names in a folder durable (one sync), where the system can."""
        if os.name == "nt":  # pragma: no cover - Windows has no such call
            return
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
