"""What is asked of many notes and needs no record of any: ids, keys, who was reviewed (page 9).

A record of each of 100,000 notes takes seconds to make. Which notes share a key with a proposal,
and how many a person has not reviewed yet, is told by a few lines of each note's header. Rows that
have a record answer from it; both ways give the same.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar, overload

from proofstone.domain import normalized_key
from proofstone.domain.late_pattern import late_pattern
from proofstone.domain.matching import Sketch, sketch_of
from proofstone.domain.records import Memory, Standing
from proofstone.vault.rows import Made, RecordList, id_of

_LINE = late_pattern(
    r"^(tags|scopes|profile|rule_type|normalized_key|standing): (.*)$",
    re.MULTILINE,
)
_TITLE = late_pattern(rb"^title: (.*)$", re.MULTILINE)
_SAID = late_pattern(rb"^(created|status): (.*)$", flags=re.MULTILINE)
_ACTIVE = json.dumps(Standing.ACTIVE.value)
_RATIFIED = b"\nratified:\n"
_END = b"\n---\n"

Answer = TypeVar("Answer")


class ById(Mapping[str, Made], Generic[Made]):
    """Records by id, each made when it is asked for."""

    def __init__(self, records: RecordList[Made]) -> None:
        self._parts = records.parts
        self._places: dict[str, tuple[int, int]] = {
            room.identifier(place): (number, place)
            for number, (room, places) in enumerate(self._parts)
            for place in places
        }

    def __getitem__(self, identifier: str) -> Made:
        number, place = self._places[identifier]
        found: object = self._parts[number][0].record(place)
        return found  # type: ignore[return-value]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, identifier: object) -> bool:
        return identifier in self._places


def by_id(records: Sequence[Made]) -> Mapping[str, Made]:
    """The records by their ids."""
    if isinstance(records, RecordList):
        return ById(records)
    return {id_of(record): record for record in records}


def sketches(memories: Sequence[Memory]) -> Iterator[Sketch]:
    """What matching has to know of each memory."""
    return _answers(memories, Sketcher().sketch, sketch_of)


def count_unreviewed(memories: Sequence[Memory]) -> int:
    """How many memories a person still has to review."""
    return sum(_answers(memories, _is_unreviewed, lambda memory: not memory.is_reviewed))


def in_title_order(memories: Sequence[Memory]) -> Sequence[Memory]:
    """The memories by title and id, each made when it is asked for."""
    keys = _answers(memories, _title, lambda memory: (memory.title, memory.memory_id))
    titles = list(keys)
    return _Ordered(memories, sorted(range(len(titles)), key=titles.__getitem__))


class _Ordered(Sequence[Memory]):
    """Records in another order."""

    def __init__(self, records: Sequence[Memory], order: Iterable[int]) -> None:
        self._records = records
        self._order = array("I", order)

    def __len__(self) -> int:
        return len(self._order)

    @overload
    def __getitem__(self, index: int) -> Memory: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Memory]: ...

    def __getitem__(self, index: int | slice) -> Memory | Sequence[Memory]:
        if isinstance(index, slice):
            return [self._records[place] for place in self._order[index]]
        return self._records[self._order[index]]


def changed_between(
    before: Sequence[Memory], now: Sequence[Memory]
) -> tuple[list[Memory], list[str]]:
    """The memories of ``now`` that are new or other than they were, and the ids that are gone."""
    was = dict(_rows(before))
    changed: list[Memory] = []
    held = by_id(now)
    for identifier, row in _rows(now):
        old = was.pop(identifier, None)
        if old is not row and (old != row or type(old) is not type(row)):
            changed.append(held[identifier])
    return changed, list(was)


def _rows(records: Sequence[Memory]) -> Iterator[tuple[str, object]]:
    """Each note's id, and the record or what one can be made of."""
    if not isinstance(records, RecordList):
        yield from ((record.memory_id, record) for record in records)
        return
    for room, places in records.parts:
        yield from ((room.identifier(place), room.rows[place]) for place in places)


def _answers(
    memories: Iterable[Memory],
    of_bytes: Callable[[str, bytes], Answer | None],
    of_record: Callable[[Memory], Answer],
) -> Iterator[Answer]:
    """An answer for each memory; ``of_bytes`` gives None where only the record can tell."""
    if not isinstance(memories, RecordList):
        yield from map(of_record, memories)
        return
    for room, places in memories.parts:
        for place in places:
            data = room.raw(place)
            told = of_bytes(room.identifier(place), data) if data is not None else None
            if told is not None:
                yield told
                continue
            record = room.record(place)
            assert isinstance(record, Memory)
            yield of_record(record)


def _title(identifier: str, data: bytes) -> tuple[str, str]:
    found = _TITLE.search(data, 0, data.find(_END) + 1)
    return (json.loads(found[1]) if found else ""), identifier


def _is_unreviewed(_identifier: str, data: bytes) -> bool | None:
    end = data.find(_END)
    # Of a note without words there may be nothing to review: its record knows.
    return data.find(_RATIFIED, 0, end + 1) < 0 if data[end + len(_END) :].strip() else None


class Words(NamedTuple):
    """What a plain note says: its words, its time of creation, and its state if it has one."""

    text: str
    created: str
    state: str


def words_of(data: bytes) -> Words:
    """The words of a plain memory or proposal; the state is a proposal's ``status``."""
    end = data.find(_END)
    told = {name: json.loads(value) for name, value in _SAID.findall(data, 0, end + 1)}
    return Words(_body(data, end), told.get(b"created", ""), told.get(b"status", ""))


def _body(data: bytes, end: int) -> str:
    return data[end + len(_END) :].decode().removeprefix("\n").removesuffix("\n")


class Sketcher:
    """Sketches plain notes; what many of them say is worked out once."""

    def __init__(self) -> None:
        self._values: dict[str, str | tuple[str, ...]] = {}

    def sketch(self, identifier: str, data: bytes) -> Sketch:
        """The sketch of a note in the form that programs write (``plain_note``)."""
        end = data.find(_END)
        lines = dict(_LINE.findall(data[:end].decode()))
        profile = self._text(lines.get("profile"))
        key = normalized_key.stored_key(self._text(lines.get("normalized_key")))
        if not key:
            tags = self._texts(lines.get("tags"))
            topic = normalized_key.topic_of_tags(tags) or normalized_key.topic((), _body(data, end))
            scopes = self._texts(lines.get("scopes")) or ("global",)
            key = normalized_key.key_from(
                profile, scopes, topic, self._text(lines.get("rule_type"))
            )
        is_active = lines.get("standing", _ACTIVE) == _ACTIVE
        return Sketch(identifier, normalized_key.without_profile(key), profile, is_active)

    def _text(self, written: str | None) -> str:
        if written is None:
            return ""
        found = self._values.get(written)
        if found is None:
            found = self._values[written] = json.loads(written)
        return found if isinstance(found, str) else ""

    def _texts(self, written: str | None) -> tuple[str, ...]:
        if written is None:
            return ()
        found = self._values.get(written)
        if found is None:
            found = self._values[written] = tuple(json.loads(written))
        return found if isinstance(found, tuple) else ()
