"""Disks for tests: they count their steps, and at one of them refuse, stop, or kill the process."""

from __future__ import annotations

import errno
import os
import signal
from collections.abc import Callable
from pathlib import Path

from proofstone.vault.files import NEW_FILE, Files


class Killed(BaseException):
    """The process is gone; nothing that it would have done happens."""


class Steps(Files):
    """Counts the steps that change the disk, and lets ``fail`` act at each of them.

    A write or an append has two steps: half of the data is there, then all of it.
    """

    def __init__(self, fail: Callable[[int], None] = lambda step: None) -> None:
        self.step = 0
        self.syncs = 0
        self._fail = fail

    def _next(self) -> None:
        self.step += 1
        self._fail(self.step)

    def make_folder(self, path: Path) -> bool:
        self._next()
        return super().make_folder(path)

    def write(self, path: Path, data: bytes, mode: int = NEW_FILE) -> None:
        self._next()
        path.write_bytes(data[: len(data) // 2])
        self._next()
        super().write(path, data, mode)
        self.syncs += 1

    def append(self, path: Path, data: bytes, *, sync: bool) -> None:
        self._next()
        half = len(data) // 2
        super().append(path, data[:half], sync=False)
        self._next()
        super().append(path, data[half:], sync=sync)
        self.syncs += sync

    def truncate(self, path: Path, size: int) -> None:
        self._next()
        super().truncate(path, size)
        self.syncs += 1

    def rename(self, source: Path, target: Path) -> None:
        self._next()
        super().rename(source, target)

    def remove(self, path: Path) -> None:
        self._next()
        super().remove(path)

    def sync_folder(self, path: Path) -> None:
        self._next()
        super().sync_folder(path)
        self.syncs += 1


class Unplugged(Steps):
    """A disk that forgets, when the power goes, every name and row that was not made durable."""

    def __init__(self, fail: Callable[[int], None]) -> None:
        super().__init__(fail)
        self._pending: list[tuple[Path, Callable[[], object]]] = []

    def rename(self, source: Path, target: Path) -> None:
        new = source.read_bytes()
        old = target.read_bytes() if target.exists() else None
        super().rename(source, target)
        self._remember(target, old)
        self._pending.append((source.parent, lambda: source.write_bytes(new)))

    def remove(self, path: Path) -> None:
        old = path.read_bytes() if path.exists() else None
        super().remove(path)
        self._remember(path, old)

    def append(self, path: Path, data: bytes, *, sync: bool) -> None:
        size = path.stat().st_size if path.exists() else 0
        super().append(path, data, sync=sync)
        if sync:
            self._pending = [(p, undo) for p, undo in self._pending if p != path]
        else:
            self._pending.append((path, lambda: path.write_bytes(path.read_bytes()[:size])))

    def sync_folder(self, path: Path) -> None:
        super().sync_folder(path)
        self._pending = [(place, undo) for place, undo in self._pending if place != path]

    def cut_power(self) -> None:
        for _, undo in reversed(self._pending):
            undo()

    def _remember(self, path: Path, old: bytes | None) -> None:
        if old is None:
            self._pending.append((path.parent, lambda: path.unlink(missing_ok=True)))
        else:
            self._pending.append((path.parent, lambda: path.write_bytes(old)))


def kill_at(step: int) -> Callable[[int], None]:
    """Stop as a killed process does, but leave this one alive."""

    def fail(now: int) -> None:
        if now == step:
            raise Killed

    return fail


def really_kill_at(step: int) -> Callable[[int], None]:
    """Send this very process SIGKILL: no clean-up, no flushing, no exception."""

    def fail(now: int) -> None:
        if now == step:
            os.kill(os.getpid(), signal.SIGKILL)

    return fail


def refuse(step: int, *, for_ever: bool, number: int = errno.ENOSPC) -> Callable[[int], None]:
    """Refuse one step, or every step from that one on, with the error ``number``."""

    def fail(now: int) -> None:
        if now == step or (for_ever and now > step):
            raise OSError(number, os.strerror(number))

    return fail
