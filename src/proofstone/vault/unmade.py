"""What is asked of many notes and needs no record of any: ids, keys, words, changes (page 9).

A record of each of 100,000 notes takes seconds to make. Which notes share a key with a proposal
is told by a few lines of each note's header. Rows that have a record answer from it; both ways
give the same. ``survey`` asks this of all notes at once.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, NamedTuple

from proofstone.domain import normalized_key
from proofstone.domain.matching import Sketch
from proofstone.domain.records import Memory, Standing
from proofstone.vault.plain_lines import END, body, line, text, texts
from proofstone.vault.rows import Made, RecordList, id_of

_ACTIVE = json.dumps(Standing.ACTIVE.value).encode()


class ById(Mapping[str, Made], Generic[Made]):
    """Records by id, each made when it is asked for."""

    def __init__(self, records: RecordList[Made]) -> None:
        self._parts = records.parts
        self._places: dict[str, int] = {}
        """Of each id its place, those of later parts after all that earlier ones may have."""
        self._starts: list[int] = []
        start = 0
        for room, places in self._parts:
            self._starts.append(start)
            ids = map(room.identifier, places)
            self._places.update(zip(ids, (start + place for place in places), strict=True))
            start += len(room.rows)

    def __getitem__(self, identifier: str) -> Made:
        place = self._places[identifier]
        number = bisect_right(self._starts, place) - 1
        found: object = self._parts[number][0].record(place - self._starts[number])
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


class Words(NamedTuple):
    """What a plain note says: its words, its time of creation, and its state if it has one."""

    text: str
    created: str
    state: str


def words_of(data: bytes) -> Words:
    """The words of a plain memory or proposal; the state is a proposal's ``status``."""
    end = data.find(END)
    created, state = (text(line(data, key, end)) for key in (b"\ncreated: ", b"\nstatus: "))
    return Words(body(data, end), created, state)


class Sketcher:
    """Sketches plain notes; what many of them say is worked out once."""

    def __init__(self) -> None:
        self._scopes: dict[bytes, tuple[str, str]] = {}
        self._topics: dict[bytes, str] = {}

    def sketch(self, identifier: str, data: bytes) -> Sketch:
        """The sketch of a note in the form that programs write (``plain_note``)."""
        end = data.find(END)
        profile = text(line(data, b"\nprofile: ", end))
        stored = line(data, b"\nnormalized_key: ", end)
        key = normalized_key.stored_key(text(stored)) if stored else ""
        if key:
            key = normalized_key.without_profile(key)
        else:
            level, reference = self._scope(line(data, b"\nscopes: ", end))
            topic = self._topic(line(data, b"\ntags: ", end))
            topic = topic or normalized_key.topic((), body(data, end))
            rule_type = text(line(data, b"\nrule_type: ", end))
            key = normalized_key.ending(level, reference, topic, rule_type)
        standing = line(data, b"\nstanding: ", end)
        return Sketch(identifier, key, profile, standing in (b"", _ACTIVE))

    def _scope(self, written: bytes) -> tuple[str, str]:
        found = self._scopes.get(written)
        if found is None:
            scopes = texts(written) or ("global",)
            found = self._scopes[written] = normalized_key.scope(scopes)
        return found

    def _topic(self, written: bytes) -> str:
        found = self._topics.get(written)
        if found is None:
            found = self._topics[written] = normalized_key.topic_of_tags(texts(written))
        return found
