"""From a store's own pieces to memories: what formats without ids of their own have in common."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field

from proofstone.domain import ids
from proofstone.domain.records import Holdings, Layer, Memory, Problem
from proofstone.domain.rulings.steps import title_of
from proofstone.stores.port import LeftOut, Place, StoreContents


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing that a store remembers: its words, where they stand, what describes them.

    ``id`` is the store's own id, empty when its format has none. ``digest`` is the SHA-256 of what
    the words were read from.
    """

    text: str
    path: str
    line: int | None
    digest: str
    id: str = ""
    title: str = ""
    layer: Layer = Layer.L2
    scopes: tuple[str, ...] = ("global",)
    type: str = "other"
    kind: str = ""
    rule_type: str = ""
    tags: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    applies_when: tuple[str, ...] = ()
    created: str = ""
    updated: str = ""
    valid_to: str = ""


@dataclass(slots=True)
class Gathered:
    """What a reader has found so far."""

    kind: str
    entries: list[Entry] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def leave(self, path: str, line: int | None, reason: str) -> None:
        """Account for something that is no memory."""
        self.left_out.append(LeftOut(path, line, reason))

    def contents(self) -> StoreContents:
        """Everything gathered, as memories in force that nobody has reviewed."""
        memories: list[Memory] = []
        places: dict[str, Place] = {}
        counts: dict[str, int] = {}
        for entry in self.entries:
            memory_id = entry.id or _id(self.kind, entry, counts)
            if memory_id in places:
                self.problems.append(_same_id(entry, memory_id, places[memory_id]))
                continue
            place = Place(entry.path, entry.line, entry.digest)
            places[memory_id] = place
            memories.append(_memory(self.kind, entry, memory_id, place))
        problems = tuple(self.problems)
        return StoreContents(
            holdings=Holdings(memories=tuple(memories), problems=problems),
            places=places,
            problems=problems,
            left_out=tuple(self.left_out),
        )

    def take(self, entries: Iterable[Entry]) -> None:
        """Add entries; those without words are left out."""
        for entry in entries:
            if entry.text.strip():
                self.entries.append(entry)
            else:
                self.leave(entry.path, entry.line, "it holds no words")


def _memory(kind: str, entry: Entry, memory_id: str, place: Place) -> Memory:
    return Memory(
        memory_id=memory_id,
        statement=entry.text,
        title=title_of(entry.title or entry.text),
        layer=entry.layer,
        scopes=entry.scopes,
        type=entry.type,
        kind=entry.kind,
        rule_type=entry.rule_type,
        tags=entry.tags,
        keywords=entry.keywords,
        applies_when=entry.applies_when,
        source=kind,
        anchor=str(place),
        content_hash=ids.content_hash(entry.text),
        created=entry.created,
        updated=entry.updated,
        valid_to=entry.valid_to,
        path=entry.path,
        revision=entry.digest,
    )


def _id(kind: str, entry: Entry, counts: dict[str, int]) -> str:
    """An id from the words and their file: it survives when lines move, and is the same anywhere.

    Words that stand in a file more than once are counted, so that every place has an id.
    """
    base = json.dumps([kind, entry.path, entry.text], ensure_ascii=False)
    counts[base] = counts.get(base, 0) + 1
    whole = base if counts[base] == 1 else f"{base}{counts[base]}"
    return ids.MEMORY_PREFIX + hashlib.sha256(ids.utf8(whole)).hexdigest()[: ids.DIGITS]


def _same_id(entry: Entry, memory_id: str, other: Place) -> Problem:
    return Problem(
        code="same_id",
        path=entry.path,
        line=entry.line,
        message=f"the id {memory_id} stands in {other} already, so this record is not read",
        advice="Give one of the two another id, or remove the copy.",
        subject=memory_id,
    )
