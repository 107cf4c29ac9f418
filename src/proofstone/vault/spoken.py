"""What the notes say, one after the other, without keeping a record of each (spec page 9).

Indexing the words of 100,000 memories takes their text once. Records made for it would stay, and
weigh more than the index: so the text of a plain note is taken from its bytes, as
``quick_record`` would take it, and nothing is kept.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from proofstone.domain.records import Memory, Standing
from proofstone.vault.plain_lines import END, body, line, text
from proofstone.vault.rows import RecordList, RoomRows

_ACTIVE = json.dumps(Standing.ACTIVE.value).encode()


class Spoken(NamedTuple):
    """What a memory says, with its id, its time of creation, and whether it is active."""

    id: str
    statement: str
    created: str
    is_active: bool


def spoken(memories: Iterable[Memory]) -> Iterator[Spoken]:
    """What memories say, in their order."""
    if not isinstance(memories, RecordList):
        yield from map(of_record, memories)
        return
    for room, places in memories.parts:
        for place in places:
            yield spoken_at(room, place)


def spoken_at(room: RoomRows, place: int) -> Spoken:
    """What the memory in one place of a room says."""
    data = room.raw(place)
    if data is not None:
        return of_plain_note(room.identifier(place), data)
    record = room.record(place)
    assert isinstance(record, Memory)
    return of_record(record)


def of_record(memory: Memory) -> Spoken:
    """What a memory says."""
    is_active = memory.standing is Standing.ACTIVE
    return Spoken(memory.memory_id, memory.statement, memory.created, is_active)


def of_plain_note(identifier: str, data: bytes) -> Spoken:
    """What a memory's note says that is in the form that programs write (``plain_note``)."""
    end = data.find(END)
    standing = line(data, b"\nstanding: ", end)
    return Spoken(
        identifier,
        body(data, end),
        text(line(data, b"\ncreated: ", end)),
        standing in (b"", _ACTIVE),
    )


def ids_of(memories: Iterable[Memory]) -> Iterator[str]:
    """The ids of memories, in their order."""
    if not isinstance(memories, RecordList):
        yield from (memory.memory_id for memory in memories)
        return
    for room, places in memories.parts:
        yield from map(room.identifier, places)
