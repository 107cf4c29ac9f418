"""Keeping the index of siblings beside a vault's notes, and comparing it with one made anew."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from proofstone.domain.records import Memory
from proofstone.domain.siblings import Sibling, SiblingIndex
from proofstone.vault import index, sibling_file
from proofstone.vault.rows import RecordList
from proofstone.vault.spoken import spoken
from proofstone.vault.vault import Vault

PATHS = {"notes": index.PATH, "siblings": sibling_file.PATH}
LATER = 60 * 1_000_000_000


def memories_of(root: Path) -> Sequence[Memory]:
    return Vault(root).read().holdings.memories


def made_anew(memories: Sequence[Memory]) -> SiblingIndex:
    return SiblingIndex.of((m.id, m.statement, m.created) for m in spoken(memories) if m.is_active)


def keep(
    root: Path,
    progress: Callable[[int], None] | None = None,
    siblings: SiblingIndex | None = None,
    memories: Sequence[Memory] | None = None,
) -> bool:
    """Write both files, as the workbench does behind the screen; whether one was written.

    ``siblings`` are those of ``memories``; without them both are of the vault as it is now. Files
    that were written just now are relied on all the same.
    """
    memories = memories_of(root) if memories is None else memories
    is_current = False
    if siblings is None:
        taken = sibling_file.take_over(root, memories)
        is_current = taken is not None and taken.is_current
        siblings = made_anew(memories) if taken is None else taken.siblings
    if isinstance(memories, RecordList):
        for room, _ in memories.parts:
            room.young = frozenset()
    writer = sibling_file.writer_of(memories, siblings.picture())
    beside = {} if writer is None or is_current else {sibling_file.PATH: writer}
    return index.update(root, progress, beside=beside, now=lambda: time.time_ns() + LATER)


def answers(
    siblings: SiblingIndex, texts: Sequence[str]
) -> list[tuple[tuple[Sibling, ...], tuple[Sibling, ...]]]:
    """The nearest three of each text, and all."""
    return [(siblings.nearest(text, 3), siblings.nearest(text, 10_000)) for text in texts]


def assert_as_made_anew(root: Path) -> bool:
    """Whether the file was of use; what is found with it is what is found without."""
    memories = memories_of(root)
    taken = sibling_file.take_over(root, memories)
    if taken is None:
        return False
    expected = made_anew(memories)
    texts = [said.statement for said in spoken(memories)]
    assert answers(taken.siblings, texts) == answers(expected, texts)
    assert len(taken.siblings) == len(expected)
    return True
