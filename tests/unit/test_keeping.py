"""Which of several near-identical memories comes first."""

from __future__ import annotations

from itertools import permutations

from proofstone.domain.keeping import first_to_keep
from proofstone.domain.records import Memory, Ratification, Standing

SEEN = Ratification(by="Mira Tal", at="2026-10-02T08:00:00Z", ruling="rul-0")


def memory(name: str, **fields: object) -> Memory:
    return Memory(memory_id=name, statement="Orion ships on Tuesdays.", **fields)  # type: ignore[arg-type]


def test_reviewed_then_active_then_oldest_whatever_the_order() -> None:
    wanted = (
        memory("mem-d", ratified=SEEN, created="2026-03-01"),
        memory("mem-c", ratified=SEEN, standing=Standing.CONTESTED, created="2026-01-01"),
        memory("mem-a", created="2026-01-01"),
        memory("mem-b", created="2026-02-01"),
    )
    assert {first_to_keep(order) for order in permutations(wanted)} == {wanted}
