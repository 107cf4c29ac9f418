"""What every store of another program offers, whatever its format (spec page 8, Other stores).

Reading a store gives the same domain records as a vault, so that the same screens, rulings and
checks work on it. What a store cannot do is said in words, for keys that are shown dimmed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from proofstone.domain.holdings import Holdings, Problem
    from proofstone.domain.plan import FileChange, NoteKind, RulingPlan
    from proofstone.domain.purging import PurgeScope
    from proofstone.domain.records import Tombstone
    from proofstone.domain.rulings.terms import RulingMoment


class Subject(StrEnum):
    """What a ruling is made on."""

    PROPOSAL = "proposal"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: its file relative to the store, its line, and what was there.

    ``digest`` is the SHA-256 of the record's own line in a store of lines, of the whole file in
    every other. ``line`` counts from 1; it is None where a store has no lines.
    """

    path: str
    line: int | None
    digest: str

    def __str__(self) -> str:
        return self.path if self.line is None else f"{self.path}:{self.line}"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something in a store that is no memory and no proposal, and why it is none."""

    path: str
    line: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreContents:
    """Everything in a store at one moment.

    ``places`` says of each memory and proposal, by id, where it stands. ``problems`` repeats those
    of the holdings and adds those of the store as a whole. ``left_out`` accounts for everything
    that is neither record nor problem.
    """

    holdings: Holdings
    places: Mapping[str, Place] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """Which rulings a store can carry out.

    ``read_only`` is why nothing can be written at all, empty when something can. ``refused`` has
    the reasons for single actions; what it does not name is supported.
    """

    read_only: str = ""
    refused: Mapping[tuple[Subject, str], str] = field(default_factory=dict)

    def refusal(self, subject: Subject, action: str) -> str:
        """Why ``action`` cannot be made on ``subject`` here, in words; empty when it can."""
        return self.read_only or self.refused.get((subject, action), "")


class Store(Protocol):
    """A store of another program."""

    @property
    def kind(self) -> str:
        """The format's short name, such as ``pi``."""

    @property
    def name(self) -> str:
        """The format's name for people."""

    @property
    def root(self) -> Path:
        """The file or the folder that is the store."""

    @property
    def capabilities(self) -> Capabilities:
        """Which rulings can be carried out here."""

    def read(self) -> StoreContents:
        """Read everything, writing nothing.

        Raises:
            StoreReadError: the store as a whole cannot be read.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """What of a ruling a store's own format holds; the rest is kept beside the store.

    ``kinds`` are the notes that have a place of their own, ``memory_keys`` the keys that say of a
    memory when it was reviewed and what it stands for, ``ended`` whether memories that are no
    longer in force stay in the store.
    """

    kinds: frozenset[NoteKind]
    memory_keys: frozenset[str] = frozenset()
    ended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class StorePurge:
    """What a privacy purge does inside a store.

    ``told`` says of every file that is written what becomes of it, ``others`` of files that hold
    the words, or may, and are left alone, why.
    """

    changes: tuple[FileChange, ...]
    told: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...] = ()


Pending = Mapping[str, bytes | None]
"""Files that are to be written, by path: their content, None where one is to go."""


@runtime_checkable
class WritableStore(Store, Protocol):
    """A store that rulings can be carried out in, by its own rules."""

    @property
    def keeping(self) -> Keeping:
        """What the format itself holds."""

    def read_with(self, pending: Pending) -> StoreContents:
        """What ``read`` would give with ``pending`` written.

        Raises:
            StoreReadError: the store as a whole cannot be read.
        """

    def tombstones(self, pending: Pending) -> tuple[Tombstone, ...]:
        """The tombstones alone, without reading the rest."""

    def render(self, plan: RulingPlan, pending: Pending) -> tuple[FileChange, ...]:
        """The changes to the store's files that carry ``plan`` out, in the order of writing.

        What the format does not hold is passed over; ``keeping`` says what that is.

        Raises:
            RulingRefused: the store has no place for what a person asked for.
            ProofstoneError: a record is no longer what the plan was made for.
        """

    def purge(self, scope: PurgeScope, moment: RulingMoment, reason: str) -> StorePurge:
        """Removing the words of ``scope`` from every file of the store, by the store's own rules.

        Raises:
            ProofstoneError: a file that has to change cannot be read.
        """


def import_instead(name: str) -> str:
    """The reason that a store that is only read gives for every ruling."""
    return f"{name} is only read here; bring it into a vault with `proofstone import` to rule on it"
