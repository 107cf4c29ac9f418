"""Hearing of changes below a folder of very many files, without standing still (page 7, Live).

On Linux a folder is watched with all below it by looking at every file once, and that library call
lets nothing else run: half a second in which no key is answered, at 100,000 notes. There the
folders are listed here instead, in a thread, and each of them is watched by itself. Folders that
come later are watched as soon as they are heard of, and what is in them by then is told.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from watchfiles import Change, awatch

STEP = 50
"""Milliseconds of quiet after which a change is told."""
LONGEST = 400
"""Milliseconds after which changes are told even while more come."""

EACH_BY_ITSELF = sys.platform.startswith("linux")
"""Whether folders are watched one by one. Elsewhere the system watches all below a folder."""

Matters = Callable[[str], bool]
"""Whether a change of the file at this path, absolute, is to be told."""
Folders = Mapping[str, int]
"""Folders, and when something last came into each or went from it, in nanoseconds."""

_Changes = set[tuple[Change, str]]


async def paths_changed(
    root: Path, matters: Matters, watched: Callable[[], object]
) -> AsyncGenerator[frozenset[str], None]:
    """Paths of what changes below ``root``, or at it where it is a file, for ever.

    ``watched`` is called when nothing that happens from then on will be missed.

    Raises:
        OSError: it is not there, or the system has no watches left.
    """
    folders = await asyncio.to_thread(_folders, root, matters)
    watch = await _Watch.begun(folders, matters)
    try:
        told: set[str] = set()
        came: set[str] = set()
        # A folder that was made in between would not be watched, nor heard of.
        is_other = await asyncio.to_thread(_were_touched, folders)
        while True:
            if came or is_other:
                later = await asyncio.to_thread(_folders, root, matters)
                # One of a name that is known is another folder all the same, and not watched.
                new = (later.keys() - folders.keys()) | (came & later.keys())
                if new:
                    before, watch = watch, await _Watch.begun(later, matters)
                    told |= _paths(await before.last())
                    told |= await asyncio.to_thread(_files_in, new, matters)
                folders, is_other = later, False
            watched()
            telling = frozenset(filter(matters, told))
            if telling:
                yield telling
            changes = await watch.next()
            told = _paths(changes)
            came = await asyncio.to_thread(_folders_among, changes)
    finally:
        await watch.end()


class _Watch:
    """Folders being watched, and what is to be heard of them next."""

    def __init__(self, folders: Iterable[str], matters: Matters) -> None:
        self._changes = awatch(
            *folders,
            watch_filter=lambda _, path: matters(path),
            step=STEP,
            debounce=LONGEST,
            recursive=not EACH_BY_ITSELF,
        )
        self._next = asyncio.ensure_future(anext(self._changes))

    @classmethod
    async def begun(cls, folders: Iterable[str], matters: Matters) -> _Watch:
        """Watching from now on: the first step of waiting for changes is to watch for them."""
        watch = cls(folders, matters)
        await asyncio.sleep(0)
        if watch._next.done():
            watch._next.result()
        return watch

    async def next(self) -> _Changes:
        """What has changed, once something has."""
        changes = await self._next
        self._next = asyncio.ensure_future(anext(self._changes))
        return changes

    async def last(self) -> _Changes:
        """What it has heard of and not told yet; it ends with that."""
        done, _ = await asyncio.wait({self._next}, timeout=2 * LONGEST / 1000)
        changes = self._next.result() if done else set()
        await self.end()
        return changes

    async def end(self) -> None:
        """Watch no more."""
        self._next.cancel()
        with suppress(asyncio.CancelledError, StopAsyncIteration, OSError):
            await self._next
        await self._changes.aclose()


def _folders(root: Path, matters: Matters) -> dict[str, int]:
    """The folders to watch; ``root`` alone where it is a file, or where that takes in the rest."""
    found = {str(root): root.stat().st_mtime_ns}
    waiting = [str(root)] if EACH_BY_ITSELF and root.is_dir() else []
    while waiting:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:  # it may be gone by now
            for entry in entries:
                if entry.is_dir(follow_symlinks=False) and matters(entry.path):
                    found[entry.path] = entry.stat(follow_symlinks=False).st_mtime_ns
                    waiting.append(entry.path)
    return found


def _were_touched(folders: Folders) -> bool:
    """Whether anything came into one of them, or went from it, since they were listed."""
    if not EACH_BY_ITSELF:
        return False
    try:
        return any(Path(path).stat().st_mtime_ns != then for path, then in folders.items())
    except OSError:
        return True


def _folders_among(changes: _Changes) -> set[str]:
    """The folders among what has come, where they have to be watched by themselves."""
    came = {path for change, path in changes if change is Change.added} if EACH_BY_ITSELF else set()
    return {path for path in came if Path(path).is_dir()}


def _files_in(folders: Iterable[str], matters: Matters) -> set[str]:
    """The files of folders that are watched only now."""
    found: set[str] = set()
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            found.update(e.path for e in entries if e.is_file() and matters(e.path))
    return found


def _paths(changes: _Changes) -> set[str]:
    return {path for _, path in changes}
