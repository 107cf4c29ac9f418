"""Which of several memories that say nearly the same is first to be kept (spec page 4)."""

from __future__ import annotations

from collections.abc import Iterable

from proofstone.domain.records import Memory, Standing


def first_to_keep(memories: Iterable[Memory]) -> tuple[Memory, ...]:
    """The memories in order: reviewed ones first, of them active ones, then the oldest."""

    def rank(memory: Memory) -> tuple[bool, bool, str, str, str]:
        inactive = memory.standing is not Standing.ACTIVE
        standing = memory.standing.value
        return not memory.is_reviewed, inactive, standing, memory.created, memory.memory_id

    return tuple(sorted(memories, key=rank))
