"""What differs between two versions of a large file, line by line (docs/durability.md).

Rulings in another program's store change single lines of files that can be very large. What undo
and recovery need is the lines that changed: from either version as it lies on disk, they give the
other one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

WORTHWHILE = 4096
"""Bytes; of a smaller file both versions are kept whole."""

_LOOKED_AHEAD = 64
"""Lines that may be put in, taken out or replaced at one place before the rest counts as one."""


class Hunk(NamedTuple):
    """One place that changed: its offset in the earlier version, and what stood and stands there.

    ``removed`` is None when only its length is kept, so that nobody can read what stood there.
    """

    at: int
    length: int
    removed: bytes | None
    added: bytes


@dataclass(frozen=True, slots=True)
class Delta:
    """The way between two versions, which are named by their SHA-256."""

    before: str
    after: str
    hunks: tuple[Hunk, ...]

    @property
    def is_two_way(self) -> bool:
        """Whether the earlier version can be had back."""
        return all(hunk.removed is not None for hunk in self.hunks)

    @property
    def size(self) -> int:
        """The bytes that are kept."""
        return sum(len(hunk.removed or b"") + len(hunk.added) for hunk in self.hunks)

    def forward(self, before: bytes) -> bytes:
        """The later version."""
        parts: list[bytes] = []
        done = 0
        for hunk in self.hunks:
            parts += (before[done : hunk.at], hunk.added)
            done = hunk.at + hunk.length
        return b"".join((*parts, before[done:]))

    def backward(self, after: bytes) -> bytes:
        """The earlier version. Only where ``is_two_way``."""
        parts: list[bytes] = []
        done = shift = 0
        for hunk in self.hunks:
            parts += (after[done : hunk.at + shift], hunk.removed or b"")
            done = hunk.at + shift + len(hunk.added)
            shift += len(hunk.added) - hunk.length
        return b"".join((*parts, after[done:]))


def hunks_between(before: bytes, after: bytes) -> tuple[Hunk, ...]:
    """The lines that differ, in order. Takes time that grows with the size of the files."""
    old, new = _lines(before), _lines(after)
    tail = _same_at_the_end(old, new)
    old_end, new_end = len(old) - tail, len(new) - tail
    hunks: list[Hunk] = []
    offset = i = j = 0
    while i < old_end or j < new_end:
        if i < old_end and j < new_end and old[i] == new[j]:
            offset += len(old[i])
            i, j = i + 1, j + 1
            continue
        to_i, to_j = _next_same(old, i, old_end, new, j, new_end)
        removed, added = b"".join(old[i:to_i]), b"".join(new[j:to_j])
        hunks.append(Hunk(offset, len(removed), removed, added))
        offset += len(removed)
        i, j = to_i, to_j
    return tuple(hunks)


def _next_same(
    old: Sequence[bytes], i: int, old_end: int, new: Sequence[bytes], j: int, new_end: int
) -> tuple[int, int]:
    """Where the two go on alike: after lines were replaced, taken out or put in."""
    for step in range(1, _LOOKED_AHEAD + 1):
        for to_i, to_j in _steps(i, j, step):
            if to_i < old_end and to_j < new_end and old[to_i] == new[to_j]:
                return to_i, to_j
    return old_end, new_end


def _steps(i: int, j: int, step: int) -> Iterator[tuple[int, int]]:
    yield i + step, j + step
    yield i + step, j
    yield i, j + step


def _same_at_the_end(old: Sequence[bytes], new: Sequence[bytes]) -> int:
    most = min(len(old), len(new))
    same = 0
    while same < most and old[-1 - same] == new[-1 - same]:
        same += 1
    return same


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines
