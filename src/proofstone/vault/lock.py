"""The vault's advisory lock, shared with memleaf: exclusive, on ``_state/vault.lock``.

memleaf 0.2.30 takes ``flock`` on POSIX systems and the first byte on Windows; so do we. The lock
is the system's, so a dead process leaves none behind.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from pathlib import Path
from types import TracebackType
from typing import IO

from proofstone.vault.errors import VaultLockedError, VaultWriteError
from proofstone.vault.layout import LOCK

DEFAULT_TIMEOUT = 10.0
"""Seconds to wait for another program to finish."""
_POLL = 0.002
"""Seconds between two attempts: short, because memleaf takes the lock again as soon as it gave it
back, and who sleeps longer than that gap hardly ever gets it."""
_BUSY = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


class VaultLock:
    """``with VaultLock(root, timeout): …``; raises VaultLockedError after ``timeout`` seconds."""

    def __init__(self, root: Path, timeout: float = DEFAULT_TIMEOUT) -> None:
        self._path = root / LOCK
        self._timeout = timeout
        self._stream: IO[bytes] | None = None

    def __enter__(self) -> VaultLock:
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            if self._path.is_symlink() or self._path.parent.is_symlink():
                raise VaultWriteError(f"{LOCK} is a link; a lock that is a link is not taken")
            descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        except OSError as error:
            raise VaultWriteError(
                f"{LOCK} cannot be written: {error.strerror}; nothing was changed. See who may "
                f"write in {self._path.parent.parent}"
            ) from error
        stream = os.fdopen(descriptor, "ab+")
        deadline = time.monotonic() + self._timeout
        try:
            while not _try_lock(stream):
                if time.monotonic() >= deadline:
                    raise VaultLockedError(self._held())
                time.sleep(_POLL)
        except BaseException:
            stream.close()
            raise
        self._stream = stream
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            # Closing the file gives the lock back; on Windows it has to be done by hand.
            try:
                _unlock(stream)
            finally:
                stream.close()

    def check(self) -> None:
        """Raise VaultWriteError when the lock file was removed or replaced under our hands."""
        if self._stream is None:
            raise VaultWriteError("the lock is not held")
        try:
            there = self._path.stat(follow_symlinks=False)
        except OSError:
            there = None
        if there is None or not os.path.samestat(os.fstat(self._stream.fileno()), there):
            raise VaultWriteError(f"the lock was lost: {LOCK} was removed or replaced")

    def _held(self) -> str:
        holder = _holder(self._path)
        who = holder or "another program (memleaf, an agent, or another workbench)"
        return f"the vault is being written by {who}; try again when it has finished"


def _holder(path: Path) -> str:
    """The process that holds the lock, where the system tells (Linux); else an empty string."""
    try:
        inode = str(path.stat().st_ino)
        rows = Path("/proc/locks").read_text(encoding="ascii", errors="replace").splitlines()
        for row in rows:
            columns = row.split()
            if len(columns) > 5 and columns[1] == "FLOCK" and columns[5].endswith(f":{inode}"):
                name = Path(f"/proc/{columns[4]}/comm").read_text(encoding="utf-8").strip()
                return f"process {columns[4]} ({name})"
    except (OSError, ValueError):
        pass
    return ""


if sys.platform == "win32":  # pragma: no cover
    import msvcrt

    def _try_lock(stream: IO[bytes]) -> bool:
        stream.seek(0)
        try:
            msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError as error:
            if error.errno in _BUSY:
                return False
            raise
        return True

    def _unlock(stream: IO[bytes]) -> None:
        stream.seek(0)
        msvcrt.locking(stream.fileno(), msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(stream: IO[bytes]) -> bool:
        try:
            fcntl.flock(stream.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno in _BUSY:
                return False
            raise
        return True

    def _unlock(stream: IO[bytes]) -> None:
        fcntl.flock(stream.fileno(), fcntl.LOCK_UN)
