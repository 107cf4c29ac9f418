"""How a proposal stands to the memories in force (spec page 3, Matching).

A ``MemoryIndex`` is built once; matching a proposal then looks only at the memories that share its
normalized key, so that many proposals against many memories are linear work.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from heapq import nsmallest
from typing import NamedTuple

from proofstone.domain import cues, normalized_key, tokens
from proofstone.domain.late_pattern import late_pattern
from proofstone.domain.records import MatchKind, Memory, Proposal, Standing, Statement

DUPLICATE = 0.85
"""The least token Jaccard of two statements that say the same."""

LISTED = 20
"""The most ids that an ambiguous match lists; ``total`` says how many there are."""

_NAMED_IN_TEXT = late_pattern(r"\bsupersedes\s+([a-z0-9_-]+)", re.IGNORECASE | re.ASCII)
_LOOKS_LIKE_ID = late_pattern(r"(?:mem|hist)[-_]\w", re.IGNORECASE | re.ASCII)
_SHORT_NUMBER = late_pattern(r"(?=.*\d).{1,2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchResult:
    """A match kind, the memories it is about, and why.

    ``targets`` are the ids that the proposal names itself, to supersede or to update;
    ``target_problem`` says what is wrong with one: not there, superseded, deleted, of another
    profile. ``similarity`` is the token Jaccard where one memory
    was compared. ``total`` counts the memories with the key, of which ``matched`` lists the first.
    """

    kind: MatchKind
    normalized_key: str
    matched: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    target_problem: str = ""
    similarity: float | None = None
    total: int = 0


@dataclass(frozen=True, slots=True)
class _Gone:
    """What became of a memory that is no longer in force."""

    standing: Standing
    superseded_by: tuple[str, ...]
    profile: str


@dataclass(slots=True)
class _Bucket:
    """The ids of one key and profile, with the lowest of them at hand until one changes."""

    ids: set[str] = field(default_factory=set)
    _lowest: list[str] | None = None

    def add(self, memory_id: str) -> None:
        self.ids.add(memory_id)
        self._lowest = None

    def discard(self, memory_id: str) -> None:
        self.ids.discard(memory_id)
        self._lowest = None

    def lowest(self) -> list[str]:
        """Enough of the lowest ids to list them without one that is left out."""
        if self._lowest is None:
            self._lowest = nsmallest(LISTED + 1, self.ids)
        return self._lowest


class Sketch(NamedTuple):
    """What the index keeps of a memory: its key without the profile, and whether it is active."""

    memory_id: str
    key: str
    profile: str
    is_active: bool


def sketch_of(memory: Memory) -> Sketch:
    """The sketch of a memory."""
    key = normalized_key.subject_of(memory)
    return Sketch(memory.memory_id, key, memory.profile, memory.standing is Standing.ACTIVE)


def _none(_memory_id: str) -> Memory | None:
    return None


class MemoryIndex:
    """Memories by id and by key, the key without its profile: a missing profile matches any.

    It is built once and kept up to date with ``put`` and ``drop``. One that is made of sketches
    asks for a memory itself only when it has to tell more of it than its key.
    """

    def __init__(self, fetch: Callable[[str], Memory | None] | None = None) -> None:
        self._fetch = fetch or _none
        self._keeps = fetch is None
        self._memories: dict[str, Memory] = {}
        self._by_key: dict[str, dict[str, str | _Bucket]] = {}
        """Profile → key → the id, or the ids, of active memories."""
        self._gone: dict[str, _Gone] = {}

    @classmethod
    def of(cls, memories: Iterable[Memory], history: Iterable[Memory] = ()) -> MemoryIndex:
        """Index what is in force; ``history`` lets a superseded or deleted target be told apart."""
        index = cls()
        for memory in memories:
            index.put(memory)
        for version in history:
            index.note_gone(version)
        return index

    @classmethod
    def of_sketches(
        cls, sketches: Iterable[Sketch], fetch: Callable[[str], Memory | None]
    ) -> MemoryIndex:
        """Index memories of which no record is made; ``fetch`` gives one by its id."""
        index = cls(fetch)
        for sketch in sketches:
            index.take(sketch)
        return index

    def follow(self, fetch: Callable[[str], Memory | None]) -> None:
        """Ask ``fetch`` for memories from now on."""
        if not self._keeps:
            self._fetch = fetch

    def put(self, memory: Memory) -> None:
        """Add a memory, or replace the one with its id."""
        held = self.get(memory.memory_id)
        if held is not None:
            self.forget(held)
        if self._keeps:
            self._memories[memory.memory_id] = memory
        self.take(sketch_of(memory))

    def take(self, sketch: Sketch) -> None:
        """Take in a memory by its sketch alone; an index that fetches none cannot tell of it."""
        if not sketch.is_active:
            return
        keys = self._by_key.setdefault(sketch.profile, {})
        held = keys.get(sketch.key)
        if held is None:
            # Most keys are one memory's alone, and need no set.
            keys[sketch.key] = sketch.memory_id
        elif isinstance(held, _Bucket):
            held.add(sketch.memory_id)
        elif held != sketch.memory_id:
            bucket = keys[sketch.key] = _Bucket({held})
            bucket.add(sketch.memory_id)

    def drop(self, memory_id: str) -> None:
        """Forget a memory; one that is not there changes nothing."""
        memory = self.get(memory_id)
        if memory is not None:
            self.forget(memory)

    def forget(self, memory: Memory) -> None:
        """Forget a memory as it was when it was taken in."""
        memory_id = memory.memory_id
        self._memories.pop(memory_id, None)
        if memory.standing is not Standing.ACTIVE:
            return
        keys = self._by_key.get(memory.profile, {})
        key = normalized_key.subject_of(memory)
        held = keys.get(key)
        if held == memory_id:
            del keys[key]
        elif isinstance(held, _Bucket):
            held.discard(memory_id)

    def note_gone(self, version: Memory) -> None:
        """Remember what became of a memory, from its version in history.

        The version of a memory that lives on under its id says nothing of it.
        """
        if version.standing not in (Standing.SUPERSEDED, Standing.DELETED):
            return
        gone = _Gone(version.standing, version.superseded_by, version.profile)
        self._gone[version.active_memory_id or version.memory_id] = gone
        self._gone[version.memory_id] = gone

    def get(self, memory_id: str) -> Memory | None:
        """The memory with this id, whatever its standing."""
        return self._memories.get(memory_id) or self._fetch(memory_id)

    def sharing(self, key: str, profile: str, without: str = "") -> tuple[list[Memory], int]:
        """The active memories with ``key`` that ``profile`` may see, lowest ids first.

        Up to ``LISTED`` of them, and how many there are. ``without`` is an id to leave out: a
        memory does not match itself.
        """
        subject = normalized_key.without_profile(key)
        seen = [
            held if isinstance(held, _Bucket) else _Bucket({held})
            for held in (
                self._by_key.get(name, {}).get(subject)
                for name in (self._by_key if not profile else (profile, ""))
            )
            if held is not None
        ]
        total = sum(len(bucket.ids) for bucket in seen)
        total -= any(without in bucket.ids for bucket in seen)
        listed = sorted(id for bucket in seen for id in bucket.lowest() if id != without)
        found = map(self.get, listed[:LISTED])
        return [memory for memory in found if memory is not None], total

    def problem(self, memory_id: str, profile: str) -> str:
        """What is wrong with naming ``memory_id`` as a target, in words; empty when nothing is."""
        memory = self.get(memory_id)
        gone = None if memory else self._gone.get(memory_id)
        owner = memory.profile if memory else gone.profile if gone else None
        if owner is None:
            return f"no memory is called {memory_id}"
        if not _same_profile(profile, owner):
            return f"{memory_id} belongs to the profile {owner}"
        if memory:
            standing, successors = memory.standing, memory.superseded_by
        else:
            assert gone is not None
            standing, successors = gone.standing, gone.superseded_by
        if standing is Standing.ACTIVE:
            return ""
        by = f" by {', '.join(successors)}" if successors else ""
        if standing is Standing.SUPERSEDED:
            return f"{memory_id} was superseded{by} already"
        if standing is Standing.DELETED:
            return f"{memory_id} was deleted"
        return f"{memory_id} is {standing.value}"

    def knows(self, memory_id: str, profile: str) -> bool:
        """Whether the id names a memory of this profile, in force or gone."""
        memory = self.get(memory_id) or self._gone.get(memory_id)
        return memory is not None and _same_profile(profile, memory.profile)


def match(subject: Proposal | Memory, index: MemoryIndex) -> MatchResult:
    """Match a proposal, or a memory against the others, by what it names and then by its key."""
    own_id = subject.memory_id if isinstance(subject, Memory) else ""
    superseded = [id for id in _superseded_targets(subject, index) if id != own_id]
    update_target = subject.update_memory_id if isinstance(subject, Proposal) else ""
    key = normalized_key.key_of(subject)
    targets = tuple(dict.fromkeys(filter(None, (*superseded, update_target))))
    if not targets:
        return _by_key(subject, key, own_id, index)
    found = _by_target(subject, key, superseded, update_target, index)
    found = found or _by_key(subject, key, own_id, index)
    problem = "; ".join(filter(None, (index.problem(id, subject.profile) for id in targets)))
    return replace(found, targets=targets, target_problem=problem)


def _by_target(
    subject: Statement,
    key: str,
    superseded: Iterable[str],
    update_target: str,
    index: MemoryIndex,
) -> MatchResult | None:
    """The match that a statement asks for by naming memories of its own profile."""
    known = tuple(id for id in superseded if index.knows(id, subject.profile))
    if known:
        return MatchResult(
            kind=MatchKind.SUPERSEDES_EXISTING,
            normalized_key=key,
            matched=known,
            reasons=(f"it names {', '.join(known)} as superseded",),
            total=len(known),
        )
    memory = index.get(update_target)
    if memory is None or index.problem(update_target, subject.profile):
        return None
    said, held = cues.Words.of(subject.statement), cues.Words.of(memory.statement)
    opposition = cues.opposed(said, held)
    return MatchResult(
        kind=MatchKind.POTENTIAL_CONFLICT if opposition else MatchKind.UPDATES_EXISTING,
        normalized_key=key,
        matched=(memory.memory_id,),
        reasons=tuple(filter(None, (f"it names {memory.memory_id} to update", opposition))),
        similarity=tokens.jaccard_of(said.distinct, held.distinct),
        total=1,
    )


def _by_key(subject: Statement, key: str, own_id: str, index: MemoryIndex) -> MatchResult:
    shared, total = index.sharing(key, subject.profile, own_id)
    if not shared:
        return MatchResult(
            kind=MatchKind.NEW, normalized_key=key, reasons=("no active memory has its key",)
        )
    if total > 1:
        return MatchResult(
            kind=MatchKind.AMBIGUOUS,
            normalized_key=key,
            matched=tuple(memory.memory_id for memory in shared),
            reasons=(f"{total} active memories share its key",),
            total=total,
        )
    memory = shared[0]
    said, held = cues.Words.of(subject.statement), cues.Words.of(memory.statement)
    similarity = tokens.jaccard_of(said.distinct, held.distinct)
    kind, reason = _kind(said, held, similarity)
    return MatchResult(
        kind=kind,
        normalized_key=key,
        matched=(memory.memory_id,),
        reasons=(reason,),
        similarity=similarity,
        total=1,
    )


def _superseded_targets(subject: Statement, index: MemoryIndex) -> list[str]:
    """The ids that a statement names as superseded: by field, by tag, else in its text."""
    named = list(subject.supersedes)
    prefix = normalized_key.SUPERSEDES_TAG
    named += [tag.removeprefix(prefix) for tag in subject.tags if tag.startswith(prefix)]
    in_text = None if named else _named_in(subject.statement)
    if in_text:
        # "supersedes the old rule" names nothing, and is no broken target either.
        word = in_text[1]
        if index.knows(word, subject.profile) or _LOOKS_LIKE_ID.match(word):
            named.append(word)
    return [id for id in dict.fromkeys(named) if id]


def _named_in(statement: str) -> re.Match[str] | None:
    # Few statements have the word, and none of the others needs the pattern.
    return _NAMED_IN_TEXT.search(statement) if "supersedes" in statement.lower() else None


def _kind(said: cues.Words, held: cues.Words, similarity: float) -> tuple[MatchKind, str]:
    opposition = cues.opposed(said, held)
    if opposition:
        return MatchKind.POTENTIAL_CONFLICT, opposition
    alike = similarity >= DUPLICATE
    changed = _short_numbers(said) ^ _short_numbers(held) if alike else frozenset()
    if alike and not changed:
        return (
            MatchKind.DUPLICATE,
            f"the same words ({similarity:.2f}): its evidence can strengthen the memory",
        )
    cue = cues.contradiction(said.statement)
    if cue:
        return MatchKind.POTENTIAL_CONFLICT, f"the same key and a contradicting “{cue}”"
    cue = cues.update(said.statement)
    if cue:
        return MatchKind.UPDATES_EXISTING, f"the same key and an updating “{cue}”"
    if changed:
        return MatchKind.UPDATES_EXISTING, f"the same words but for {', '.join(sorted(changed))}"
    return MatchKind.STRENGTHENS_EXISTING, "the same key, another statement on it"


def _short_numbers(said: cues.Words) -> frozenset[str]:
    """Numbers that similarity is too coarse to see: ``v2`` is not ``v3``, nor port 80 port 81."""
    short = (word for word in said.every if len(word) < 3)
    return frozenset(word for word in short if _SHORT_NUMBER.fullmatch(word))


def _same_profile(one: str, other: str) -> bool:
    return not one or not other or one == other
