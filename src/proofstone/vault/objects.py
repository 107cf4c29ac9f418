"""The object store: file contents before and after each ruling, by SHA-256 (spec page 5).

One object holds all contents of one group of rulings, and its name is the SHA-256 of its bytes.
So a group costs one sync of data and one of the folder, however many files it changed, and an
object that was altered no longer is what its name says. Contents lie in it as they are: a text
search finds them, and a purge can prove that it removed them.

Of the large files of another program's store an object holds the lines that changed, both as they
were and as they are: from one version, which lies on disk, they give the other. A purge holds only
the lines as they become.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from proofstone.domain.plan import FileChange
from proofstone.vault.deltas import WORTHWHILE, Delta, Hunk, hunks_between
from proofstone.vault.files import Files
from proofstone.vault.layout import OBJECTS

SCHEMA = "proofstone/objects/1"
SCHEMA_WITH_DELTAS = "proofstone/objects/2"

_WORTH_IT = 4
"""A delta is kept in the place of two versions when it is so many times smaller than they."""


class ObjectDamagedError(ValueError):
    """An object that is missing, or is not what its name says."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object to be written: its name and its bytes."""

    name: str
    data: bytes


def digest(content: bytes | None) -> str | None:
    """The SHA-256 of a file's content; None for a file that does not exist."""
    return None if content is None else sha256(content).hexdigest()


@dataclass(frozen=True, slots=True)
class StoredContents:
    """What an object holds: whole contents by their SHA-256, and ways between versions."""

    whole: Mapping[str, bytes]
    deltas: tuple[Delta, ...] = ()

    def holds(self, name: str) -> bool:
        """Whether the content ``name`` is here, or follows from another version of its file."""
        return (
            name in self.whole
            or any(delta.after == name for delta in self.deltas)
            or any(delta.before == name and delta.is_two_way for delta in self.deltas)
        )

    def content(self, name: str, present: bytes | None) -> bytes:
        """The content ``name``; ``present`` is the version of its file that lies on disk.

        Raises:
            KeyError: it is not here, and does not follow from ``present``.
        """
        if name in self.whole or present is None:
            return self.whole[name]
        ways: dict[str, tuple[str, Delta, bool] | None] = {sha256(present).hexdigest(): None}
        reached = list(ways)
        for version in reached:
            for delta in self.deltas:
                for start, end, forward in (
                    (delta.before, delta.after, True),
                    (delta.after, delta.before, False),
                ):
                    if start == version and end not in ways and (forward or delta.is_two_way):
                        ways[end] = (version, delta, forward)
                        reached.append(end)
        steps: list[tuple[Delta, bool]] = []
        step = ways[name]
        while step is not None:
            version, delta, forward = step
            steps.append((delta, forward))
            step = ways[version]
        for delta, forward in reversed(steps):
            present = delta.forward(present) if forward else delta.backward(present)
        return present

    def changed_lines(self, before: str, after: str) -> tuple[bytes, bytes] | None:
        """The lines that differ between two versions, None when they are kept whole."""
        for delta in self.deltas:
            if (delta.before, delta.after) == (before, after):
                removed = b"".join(hunk.removed or b"" for hunk in delta.hunks)
                return removed, b"".join(hunk.added for hunk in delta.hunks)
        return None


def sparing(
    changes: Iterable[FileChange], *, one_way: bool = False
) -> tuple[list[bytes], list[Delta]]:
    """The contents of ``changes`` that have to be kept, and deltas in the place of large ones.

    ``one_way`` leaves out what files were.
    """
    contents: list[bytes] = []
    deltas: list[Delta] = []
    for change in changes:
        delta = _delta(change, one_way)
        if delta is not None:
            deltas.append(delta)
        else:
            sides = (change.after,) if one_way else (change.before, change.after)
            contents += [side for side in sides if side is not None]
    return contents, deltas


def make_object(
    group: str, contents: Iterable[bytes], deltas: Iterable[Delta] = ()
) -> StoredObject:
    """The object that holds ``contents``, each once, and ``deltas``."""
    distinct = {sha256(content).hexdigest(): content for content in contents}
    ways = {(delta.before, delta.after): delta for delta in deltas}
    header: dict[str, object] = {
        "schema": SCHEMA_WITH_DELTAS if ways else SCHEMA,
        "group": group,
        "contents": [[name, len(content)] for name, content in distinct.items()],
    }
    if ways:
        header["deltas"] = [
            {
                "before": delta.before,
                "after": delta.after,
                "keeps": "both" if delta.is_two_way else "after",
                "hunks": [[hunk.at, hunk.length, len(hunk.added)] for hunk in delta.hunks],
            }
            for delta in ways.values()
        ]
    line = json.dumps(header, separators=(",", ":")).encode("ascii")
    parts = [
        *distinct.values(),
        *(
            part
            for delta in ways.values()
            for hunk in delta.hunks
            for part in (hunk.removed, hunk.added)
            if part is not None
        ),
    ]
    data = b"".join((line, b"\n", *(part + b"\n" for part in parts)))
    return StoredObject(sha256(data).hexdigest(), data)


def object_path(root: Path, name: str) -> Path:
    """Where the object ``name`` is."""
    return root / OBJECTS / name


def read_object(root: Path, name: str, files: Files) -> StoredContents:
    """The contents of an object. Raises ObjectDamagedError."""
    data = files.read(object_path(root, name))
    if data is None:
        raise ObjectDamagedError(f"the object {name[:12]}… is missing")
    if sha256(data).hexdigest() != name:
        raise ObjectDamagedError(f"the object {name[:12]}… is not what its name says")
    line, _, rest = data.partition(b"\n")
    parts = _Parts(rest)
    contents: dict[str, bytes] = {}
    try:
        header = json.loads(line)
        for content_name, size in header["contents"]:
            content = parts.take(size)
            if sha256(content).hexdigest() != content_name:
                raise ValueError
            contents[content_name] = content
        deltas = tuple(_read_delta(delta, parts) for delta in header.get("deltas", ()))
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ObjectDamagedError(f"the object {name[:12]}… is not an object of rulings") from None
    return StoredContents(contents, deltas)


class _Parts:
    """The parts of an object after its header, one after another."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, size: int) -> bytes:
        part = self._data[self._at : self._at + size]
        if len(part) != size:
            raise ValueError
        self._at += size + 1
        return part


def _read_delta(said: Mapping[str, object], parts: _Parts) -> Delta:
    before, after, hunks = said["before"], said["after"], said["hunks"]
    if not (isinstance(before, str) and isinstance(after, str) and isinstance(hunks, list)):
        raise ValueError
    both = said["keeps"] == "both"
    return Delta(before, after, tuple(_read_hunks(hunks, parts, both=both)))


def _read_hunks(hunks: list[list[int]], parts: _Parts, *, both: bool) -> Iterator[Hunk]:
    for at, length, added in hunks:
        removed = parts.take(length) if both else None
        yield Hunk(at, length, removed, parts.take(added))


def _delta(change: FileChange, one_way: bool) -> Delta | None:
    """The way between the versions of a large file, None when keeping them is as well."""
    before, after = change.before, change.after
    if before is None or after is None or len(before) < WORTHWHILE:
        return None
    hunks = hunks_between(before, after)
    if one_way:
        hunks = tuple(hunk._replace(removed=None) for hunk in hunks)
    delta = Delta(sha256(before).hexdigest(), sha256(after).hexdigest(), hunks)
    return delta if delta.size * _WORTH_IT < len(before) + len(after) else None
