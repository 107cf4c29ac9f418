"""A vault, read whole: every note, turn and Gate answer, and a Problem for what is unreadable.

Reading writes nothing, with one exception: a ruling that was cut short is finished or rolled back
before anything is shown (spec page 5, Writing). What reads something that a vault need not have is
imported when it is there.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from proofstone.domain.holdings import Holdings, Problem
from proofstone.domain.note_kinds import NoteKind, NoteRef
from proofstone.vault import layout
from proofstone.vault.bulk import bulk_loading, settle
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.reading import MAX_NOTE_BYTES, not_read, read_one
from proofstone.vault.settings import Settings, SettingsError, read_settings
from proofstone.vault.walk import Found, walk

if TYPE_CHECKING:
    from proofstone.domain.conversation import Event, Turn
    from proofstone.domain.gate_types import GateRecord
    from proofstone.domain.plan import FileChange
    from proofstone.vault.journal import Journal
    from proofstone.vault.processed import MemleafOutcome, TurnIdentity
    from proofstone.vault.rows import RoomRows
    from proofstone.vault.tool_evidence import CapturePolicy
    from proofstone.vault.transaction import RulingChanges

MAX_INBOX_BYTES = 256 * 1024 * 1024
"""A larger inbox file is shown as unreadable (docs/limits.md)."""

Progress = Callable[[int], None]
"""Called with the number of files read so far."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VaultContents:
    """Everything in a vault at one moment. ``gate`` and ``memleaf`` are keyed by turn reference.

    ``paths`` says where a note really is when its file name is not its id; ``problems`` repeats
    those of the holdings and adds those of everything else.
    """

    holdings: Holdings
    turns: tuple[Turn, ...] = ()
    gate: Mapping[str, GateRecord] = field(default_factory=dict)
    memleaf: Mapping[str, MemleafOutcome] = field(default_factory=dict)
    settings: Settings = field(default_factory=Settings)
    problems: tuple[Problem, ...] = ()
    paths: Mapping[NoteRef, str] = field(default_factory=dict)


class Vault:
    """The vault in the folder ``root``."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._rooms: Mapping[NoteKind, RoomRows] = {}

    def read(self, progress: Progress | None = None) -> VaultContents:
        """Read everything. Raises NotADirectoryError when the folder is not there.

        Notes that are as they were when this vault was read before, or when its index was written,
        are not read again; their records are the same objects.
        """
        if not self.root.is_dir():
            raise NotADirectoryError(f"{self.root} is not a folder")
        problems = list(self._recover())
        with bulk_loading():
            contents = self._read(problems, _Reading(self.root, progress))
        settle(len(contents.holdings.memories) + len(contents.holdings.history))
        return contents

    def read_turns(self, holdings: Holdings, *, with_turns: bool = True) -> VaultContents:
        """The settings and the turns beside ``holdings``, and nothing of the rooms of notes.

        Raises NotADirectoryError when the folder is not there.
        """
        if not self.root.is_dir():
            raise NotADirectoryError(f"{self.root} is not a folder")
        self._recover()
        reading = _Reading(self.root, None)
        found_turns = reading.turns() if with_turns else ()
        return VaultContents(
            holdings=holdings,
            turns=found_turns,
            gate=reading.gate(found_turns) if with_turns else {},
            memleaf=reading.memleaf(found_turns) if with_turns else {},
            settings=reading.settings(),
        )

    def _read(self, problems: list[Problem], reading: _Reading) -> VaultContents:
        settings = reading.settings()
        self._rooms = reading.rooms(self._rooms)
        holdings = reading.holdings(self._rooms)
        found_turns = reading.turns()
        gate = reading.gate(found_turns)
        memleaf = reading.memleaf(found_turns)
        problems.extend(reading.problems)
        return VaultContents(
            holdings=holdings,
            turns=found_turns,
            gate=gate,
            memleaf=memleaf,
            settings=settings,
            problems=(*problems, *holdings.problems),
            paths=reading.paths,
        )

    def apply(self, rulings: Sequence[RulingChanges]) -> tuple[str, ...]:
        """Write one group of rulings, all or nothing (``transaction.apply``)."""
        from proofstone.vault.transaction import apply

        return apply(self.root, rulings)

    def write_files(self, changes: Sequence[FileChange]) -> None:
        """Write files that no ruling stands behind (``transaction.write_files``)."""
        from proofstone.vault.transaction import write_files

        write_files(self.root, changes)

    def _recover(self) -> tuple[Problem, ...]:
        """Put right what was cut short. What writes is imported only when there is something."""
        if not (self.root / layout.JOURNAL).exists():
            return ()
        with suppress(OSError, VaultWriteError):
            if not self.journal.tail().needs_recovery:
                return ()
        from proofstone.vault.transaction import recover

        return recover(self.root)

    def bytes_of(self, path: str) -> bytes | None:
        """A file's content as it is now, None when there is none. Raises VaultWriteError."""
        from proofstone.vault.files import Files

        try:
            return Files().read(self.root / path)
        except OSError as error:
            raise VaultWriteError(f"{path} cannot be read: {error.strerror}") from error

    @property
    def journal(self) -> Journal:
        """Every ruling made in this vault."""
        from proofstone.vault.journal import Journal

        return Journal(self.root)

    def verify_journal(self) -> tuple[Problem, ...]:
        """What is wrong with the journal's chain, its objects, and files changed since."""
        from proofstone.vault.journal_check import verify_files, verify_journal

        return (*verify_journal(self.root), *verify_files(self.root))


class _Reading:
    """One pass over the files of a vault."""

    def __init__(self, root: Path, progress: Progress | None) -> None:
        self._root = root
        self._progress = progress
        self._count = 0
        self.problems: list[Problem] = []
        self.note_problems: list[Problem] = []
        self.paths: dict[NoteRef, str] = {}

    def rooms(self, previous: Mapping[NoteKind, RoomRows]) -> Mapping[NoteKind, RoomRows]:
        """The notes of all rooms; no rooms where there is nothing in any."""
        if not any(_holds_something(self._root, room) for room in layout.ROOMS.values()):
            return {}
        from proofstone.vault.room_reader import RoomReader

        reader = RoomReader(self._root, self._count_file, previous)
        return {kind: reader.read(kind) for kind in layout.ROOMS}

    def holdings(self, rooms: Mapping[NoteKind, RoomRows]) -> Holdings:
        """The records of all rooms; unreadable notes become problems."""
        if not rooms:
            return Holdings()
        from proofstone.vault.rows import RecordList

        lists = {kind: (room, self._of_one_id_each(room)) for kind, room in rooms.items()}

        def records(*kinds: NoteKind) -> Any:
            """A RecordList is a tuple in all but name: it makes its records when asked for."""
            return RecordList([lists[kind] for kind in kinds])

        return Holdings(
            memories=records(NoteKind.MEMORY),
            history=records(NoteKind.HISTORY),
            proposals=records(NoteKind.PROPOSAL, NoteKind.RULED),
            evidence=records(NoteKind.EVIDENCE),
            tombstones=records(NoteKind.TOMBSTONE),
            inquiries=records(NoteKind.INQUIRY),
            problems=tuple(self.note_problems),
        )

    def _of_one_id_each(self, room: RoomRows) -> list[int]:
        """The places of a room's records, the first by path of those that have one id."""
        from proofstone.vault.rows import Careful

        for found in room.listing.faults:
            self._count_file()
            self.note_problems.append(not_read(found, OSError(found.fault)))
        if room.is_simple:
            return room.listing.order
        seen: dict[str, int] = {}
        for place in room.listing.order:
            row = room.rows[place]
            if isinstance(row, Careful):
                self.note_problems.extend(row.problems)
                if row.record is None:
                    continue
            identifier = room.identifier(place)
            path = room.path(place)
            first = seen.setdefault(identifier, place)
            if first != place:
                self.note_problems.append(_same_id(path, identifier, room.path(first)))
            elif path != f"{room.room}/{identifier}.md":
                self.paths[NoteRef(room.kind, identifier)] = path
        return list(seen.values())

    def turns(self) -> tuple[Turn, ...]:
        """The turns of every captured event that can be read."""
        stated = self._policy()
        files = list(walk(self._root, layout.INBOX, ".md"))
        if not files:
            return ()
        from proofstone.vault.inbox import parse_inbox, turns
        from proofstone.vault.tool_evidence import CapturePolicy

        policy = stated or CapturePolicy()
        events: list[Event] = []
        for found in files:
            data = self._bytes(found, MAX_INBOX_BYTES, self.problems)
            if data is None:
                continue
            folder, _, name = found.path.rpartition("/")
            source = folder.rpartition("/")[2]
            inbox = parse_inbox(data, source, name.removesuffix(".md"), found.path, policy)
            events.extend(inbox.events)
            self.problems.extend(inbox.problems)
        return turns(events)

    def gate(self, found_turns: tuple[Turn, ...]) -> dict[str, GateRecord]:
        """Stored Gate answers by turn reference."""
        files = list(walk(self._root, layout.GATE, ".json"))
        if not files:
            return {}
        from proofstone.vault.gate_store import GateRecordError, read_gate

        keys = {turn.reference: turn.turn_key for turn in found_turns}
        records: dict[str, GateRecord] = {}
        for found in files:
            data = self._bytes(found, MAX_NOTE_BYTES, self.problems)
            if data is None:
                continue
            try:
                record = read_gate(data, found.path)
            except GateRecordError as error:
                self.problems.append(_unreadable_gate(found.path, str(error)))
                continue
            if record.cleaned and record.turn_key != keys.get(record.turn, record.turn_key):
                self.problems.append(_number_given_again(found.path, record.turn))
                continue
            if record.turn in records:
                other = records[record.turn].path
                self.problems.append(
                    _unreadable_gate(found.path, f"{other} already answers turn {record.turn}")
                )
                continue
            records[record.turn] = record
        return records

    def memleaf(self, found_turns: tuple[Turn, ...]) -> dict[str, MemleafOutcome]:
        """memleaf's own outcomes by turn reference."""
        data = self._single(layout.PROCESSED)
        if data is None:
            return {}
        from proofstone.vault.processed import read_processed

        outcomes, problems = read_processed(data)
        self.problems.extend(problems)
        by_identity: dict[TurnIdentity, str] = {
            (turn.source, turn.session_id, turn.turn_key): turn.reference for turn in found_turns
        }
        captured = set(by_identity.values())
        by_reference: dict[str, MemleafOutcome] = {}
        for identity, outcome in outcomes.items():
            # A turn whose text is gone is known by the number that memleaf noted.
            gone = outcome.reference(identity)
            reference = by_identity.get(identity, "" if gone in captured else gone)
            if reference:
                by_reference[reference] = outcome
        return by_reference

    def settings(self) -> Settings:
        """The vault's settings; the defaults, and a problem, when they cannot be read."""
        data = self._single(layout.SETTINGS)
        if data is None:
            return Settings()
        try:
            return read_settings(data)
        except SettingsError as error:
            self.problems.append(
                Problem(
                    code="unreadable_settings",
                    path=layout.SETTINGS,
                    line=error.line,
                    message=f"the settings cannot be read: {error}",
                    advice="Correct the file; until then the default settings hold.",
                )
            )
            return Settings()

    def _policy(self) -> CapturePolicy | None:
        """memleaf's policy for captures; None is its default."""
        data = self._single(layout.MEMLEAF_CONFIG)
        if data is None:
            return None
        from proofstone.vault.tool_evidence import METADATA, CapturePolicy, read_policy

        try:
            return read_policy(data)
        except ValueError as error:
            self.problems.append(
                Problem(
                    code="unreadable_memleaf_config",
                    path=layout.MEMLEAF_CONFIG,
                    message=f"memleaf's configuration cannot be read: {error}",
                    advice="Correct the file; until then bodies of tool records stay hidden.",
                )
            )
            return CapturePolicy(mode=METADATA)

    def _single(self, path: str) -> bytes | None:
        file = self._root / path
        found = Found(path, file)
        if not file.parent.resolve().is_relative_to(self._root):
            found = Found(path, file, "its folder is a link that leaves the vault")
        elif not file.is_file() and not file.is_symlink():
            return None
        return self._bytes(found, MAX_INBOX_BYTES, self.problems)

    def _bytes(self, found: Found, limit: int, problems: list[Problem]) -> bytes | None:
        data = read_one(self._root, found, limit)
        return data if self._is_read(data, found, problems) else None

    def _is_read(
        self, data: bytes | OSError, found: Found, problems: list[Problem]
    ) -> TypeGuard[bytes]:
        """Count a file, and name the reason when it could not be read."""
        self._count_file()
        if isinstance(data, bytes):
            return True
        # What another program removed since the folder was listed is not there, and no problem.
        if not isinstance(data, FileNotFoundError):
            problems.append(not_read(found, data))
        return False

    def _count_file(self) -> None:
        self._count += 1
        if self._progress is not None:
            self._progress(self._count)


def _holds_something(root: Path, room: str) -> bool:
    """Whether there is more in a room than the rooms below it; what is no folder may hold a note.

    A room that cannot be listed counts as holding something: that is to be said.
    """
    folder = root / room
    if folder.is_symlink():
        return True
    below = {name.rpartition("/")[2] for name in layout.rooms_below(room)}
    try:
        with os.scandir(folder) as entries:
            return any(entry.name not in below and entry.name[0] != "." for entry in entries)
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _same_id(path: str, identifier: str, other: str) -> Problem:
    return Problem(
        code="same_id",
        path=path,
        message=f"{other} already holds the id {identifier}, so this note is not read",
        advice="Give one of the two another id, or remove the copy.",
        subject=identifier,
    )


def _number_given_again(path: str, turn: str) -> Problem:
    return Problem(
        code="number_given_again",
        path=path,
        subject=turn,
        message=f"the turn {turn} that it answers was cleaned, and another turn has its number now",
        advice="Nothing needs doing: the proposals of both stay as they are.",
        severity="info",
    )


def _unreadable_gate(path: str, message: str) -> Problem:
    return Problem(
        code="unreadable_gate_answer",
        path=path,
        message=f"this Gate answer cannot be read: {message}",
        advice="It is left as it is; answer the turn again, or correct the file.",
    )
