"""Changes below a folder are heard of, whatever folders come and go (spec page 7, Live)."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import watchfiles

from proofstone.tui import watching

PATIENCE = 30.0
"""Seconds after which a change will not be told any more."""
ONE_BY_ONE = pytest.mark.skipif(not watching.EACH_BY_ITSELF, reason="the system watches them all")


class Told:
    """Everything that was told so far, by path below the root."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self.paths: set[str] = set()
        self.watched = asyncio.Event()
        self._more = asyncio.Event()

    async def listen(self) -> None:
        async for paths in watching.paths_changed(self._root, self.matters, self.watched.set):
            self.paths |= {Path(path).relative_to(self._root).as_posix() for path in paths}
            self._more.set()

    def matters(self, path: str) -> bool:
        parts = Path(path).relative_to(self._root).parts
        return not any(part.startswith(".") for part in parts)

    async def until(self, wanted: set[str]) -> None:
        """Wait until all of these were told."""
        async with asyncio.timeout(PATIENCE):
            while not wanted <= self.paths:
                self._more.clear()
                await self._more.wait()


@asynccontextmanager
async def watched(root: Path) -> AsyncIterator[Told]:
    told = Told(root)
    listening = asyncio.ensure_future(told.listen())
    async with asyncio.timeout(PATIENCE):
        await told.watched.wait()
    try:
        yield told
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)


def _write(path: Path, text: str = "x") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@ONE_BY_ONE
async def test_files_of_folders_that_were_there_and_of_those_that_come(tmp_path: Path) -> None:
    root = tmp_path.resolve() / "vault"
    _write(root / "notes" / "old.md")
    async with watched(root) as told:
        _write(root / "notes" / "old.md", "changed")
        _write(root / "notes" / "new.md")
        await told.until({"notes/old.md", "notes/new.md"})
        _write(root / "inbox" / "host" / "one.json")
        await told.until({"inbox/host/one.json"})
        _write(root / "inbox" / "host" / "two.json")
        _write(root / "notes" / ".hidden" / "x.md")
        (root / "notes" / "new.md").unlink()
        told.paths.discard("notes/new.md")
        await told.until({"inbox/host/two.json", "notes/new.md"})
        assert not any("hidden" in path for path in told.paths)


@ONE_BY_ONE
async def test_nothing_is_missed_while_many_folders_come(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    _write(root / "notes" / "a.md")
    async with watched(root) as told:
        wanted = set()
        for number in range(12):
            name = f"inbox/s{number}/turn.json"
            await asyncio.to_thread(_write, root / name)
            await asyncio.to_thread(_write, root / "notes" / f"{number}.md")
            wanted |= {name, f"notes/{number}.md"}
        await told.until(wanted)


@ONE_BY_ONE
async def test_a_folder_that_is_removed_and_made_again_is_watched_again(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    _write(root / "notes" / "a.md")
    async with watched(root) as told:
        shutil.rmtree(root / "notes")
        await told.until({"notes/a.md"})
        _write(root / "notes" / "b.md")
        await told.until({"notes/b.md"})
        _write(root / "notes" / "c.md")
        await told.until({"notes/c.md"})


async def test_where_the_system_watches_all_below_a_folder_it_is_asked_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watching, "EACH_BY_ITSELF", False)
    root = tmp_path.resolve()
    _write(root / "notes" / "deep" / "a.md")
    async with watched(root) as told:
        _write(root / "notes" / "deep" / "a.md", "changed")
        await told.until({"notes/deep/a.md"})


@ONE_BY_ONE
async def test_a_folder_made_while_watching_begins_is_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path.resolve()
    (root / "notes").mkdir()
    listed = watching._folders

    def listed_too_soon(where: Path, matters: watching.Matters) -> dict[str, int]:
        found = listed(where, matters)
        if not (root / "late").exists():
            _write(root / "late" / "early.md")
        return found

    monkeypatch.setattr(watching, "_folders", listed_too_soon)
    async with watched(root) as told:
        _write(root / "late" / "later.md")
        await told.until({"late/early.md", "late/later.md"})


async def test_a_file_is_watched_by_itself(tmp_path: Path) -> None:
    store = tmp_path.resolve() / "store.json"
    _write(store)
    heard = asyncio.Event()
    told: list[frozenset[str]] = []

    async def listen() -> None:
        async for paths in watching.paths_changed(store, lambda _: True, heard.set):
            told.append(paths)
            return

    listening = asyncio.ensure_future(listen())
    async with asyncio.timeout(PATIENCE):
        await heard.wait()
        _write(store, "changed")
        await listening
    assert told == [frozenset({str(store)})]


async def test_what_is_not_there_cannot_be_watched(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="nothing"):
        async for _ in watching.paths_changed(tmp_path / "nothing", lambda _: True, lambda: None):
            raise AssertionError("nothing can have changed")


@ONE_BY_ONE
async def test_folders_are_watched_one_by_one_and_no_file_is_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Watching a folder with all below it looks at each file, and stands still meanwhile."""
    root = tmp_path.resolve()
    _write(root / "notes" / "a.md")
    _write(root / ".git" / "b")
    asked: list[tuple[tuple[str, ...], bool]] = []

    def awatch(*paths: str, recursive: bool, **others: object) -> object:
        asked.append((paths, recursive))
        return watchfiles.awatch(*paths, recursive=recursive, **others)  # type: ignore[arg-type]

    monkeypatch.setattr(watching, "awatch", awatch)
    async with watched(root):
        assert [(sorted(paths), recursive) for paths, recursive in asked] == [
            ([str(root), str(root / "notes")], False)
        ]
