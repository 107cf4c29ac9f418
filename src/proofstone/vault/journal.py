"""The journal: every ruling as rows of JSON, append-only and hash-chained (spec pages 5 and 6).

A ruling has two rows. The opening row is written, and durable, before any file changes: it says
what will change, from which hash to which. The closing row says ``committed`` or ``rolled_back``.
The closing row needs no sync of its own: if it is lost, recovery finds the files as the opening
row says and writes it again.

Every row holds the hash of the row before it and its own; a row's hash is the SHA-256 of its
compact JSON with sorted keys and without ``hash``, as ASCII.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from proofstone.domain.plan import FileChange, Ruling
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.layout import JOURNAL, is_plain_path
from proofstone.vault.objects import ObjectDamagedError, StoredContents, digest, read_object

GENESIS = "0" * 64
"""What the first row names as the row before it."""

COMMITTED = "committed"
ROLLED_BACK = "rolled_back"
UNFINISHED = "unfinished"

PURGE = "purge"
"""The action of a privacy purge."""

CLEAN = "clean"
"""The action of removing the captured text of settled turns."""

FORWARD_ONLY = frozenset((PURGE, CLEAN))
"""What removes words for good: it is only ever finished, and cannot be undone."""

_OBJECT_NAME = re.compile(r"[0-9a-f]{64}")
_TAIL = 16 * 1024

Row = dict[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalChange:
    """One file of a ruling by the SHA-256 of its content before and after; None: no file."""

    path: str
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalEntry:
    """A ruling as the journal has it. ``state`` is committed, rolled_back or unfinished."""

    seq: int
    ruling_id: str
    group: str
    time: str
    author: str
    via: str
    action: str
    subject: str
    reason: str = ""
    choices: Mapping[str, object] = field(default_factory=dict)
    changes: tuple[JournalChange, ...] = ()
    state: str = UNFINISHED
    undoes: str = ""
    redoes: str = ""
    objects: str = ""
    previous: str = ""
    hash: str = ""
    purged_files: tuple[str, ...] = ()
    """Of a purge: the files of indexes that it removed."""
    purged_objects: tuple[str, ...] = ()
    """Of a purge: the objects that it removed."""
    purged_rows: Mapping[int, str] = field(default_factory=dict)
    """Of a purge: by ``seq``, the SHA-256 of the lines that redacted rows read since."""
    purged_events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Of a clean: by inbox file, the keys of the events that it removed."""

    @property
    def is_forward_only(self) -> bool:
        """Whether it removed words for good."""
        return self.action in FORWARD_ONLY


@dataclass(frozen=True, slots=True, kw_only=True)
class Tail:
    """The end of the journal: what the next row needs, and what was cut short.

    ``open_rows`` are the opening rows of the last group when not all of them are closed;
    ``closed`` names those that are, and ``committed`` says that one was committed. ``whole`` is
    the size without a torn last line.
    """

    next_seq: int = 0
    previous: str = GENESIS
    open_rows: tuple[Row, ...] = ()
    closed: frozenset[str] = frozenset()
    committed: bool = False
    size: int = 0
    whole: int = 0

    @property
    def needs_recovery(self) -> bool:
        """Whether a ruling was cut short."""
        return bool(self.open_rows) or self.whole < self.size


Present = Callable[[str], bytes | None]
"""Gives what a file holds now, by its path; None when it is not there."""


def _nothing(path: str) -> bytes | None:
    return None


class ContentsElsewhereError(VaultWriteError):
    """The file ``path`` is none of the versions from which a ruling's contents could be had."""

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} is not what the ruling left, and was not kept whole")
        self.path = path


class Journal:
    """The journal of the vault in ``root``."""

    def __init__(self, root: Path, files: Files | None = None) -> None:
        self._root = root
        self._files = files or Files()
        self.path = root / JOURNAL

    def read(self) -> tuple[JournalEntry, ...]:
        """Every ruling, oldest first; rows that cannot be read are left to ``verify``."""
        return entries_of(self._files.read(self.path) or b"")

    def changes(self, entry: JournalEntry, present: Present = _nothing) -> tuple[FileChange, ...]:
        """The exact file changes of a ruling; ``present`` gives what a file holds now.

        Raises:
            ContentsElsewhereError: a large file, of which only the changed lines are kept, is no
                longer any version that the ruling knows.
            VaultWriteError: the ruling's object is lost.
        """
        if not entry.changes:
            return ()
        stored = self._stored(entry)
        changes: list[FileChange] = []
        for change in entry.changes:
            here = present(change.path)
            sides: list[bytes | None] = []
            for name in (change.before, change.after):
                try:
                    sides.append(None if name is None else stored.content(name, here))
                except KeyError:
                    if name is not None and stored.holds(name):
                        raise ContentsElsewhereError(change.path) from None
                    raise _gone(entry) from None
            changes.append(FileChange(path=change.path, before=sides[0], after=sides[1]))
        return tuple(changes)

    def shown_changes(self, entry: JournalEntry) -> tuple[FileChange, ...]:
        """Like ``changes``, to be looked at: of a large file the lines that differ, and no others.

        Raises VaultWriteError when the ruling's object is lost.
        """
        if not entry.changes:
            return ()
        stored = self._stored(entry)
        shown: list[FileChange] = []
        for change in entry.changes:
            before, after = change.before, change.after
            lines = None
            if before is not None and after is not None:
                lines = stored.changed_lines(before, after)
            try:
                old, new = lines or (
                    None if before is None else stored.whole[before],
                    None if after is None else stored.whole[after],
                )
            except KeyError:
                raise _gone(entry) from None
            shown.append(FileChange(path=change.path, before=old, after=new))
        return tuple(shown)

    def _stored(self, entry: JournalEntry) -> StoredContents:
        try:
            return read_object(self._root, entry.objects, self._files)
        except ObjectDamagedError as error:
            if entry.objects in purged_objects(self.read()):
                raise VaultWriteError(
                    f"ruling {entry.ruling_id} was purged: its contents are gone for good"
                ) from error
            raise VaultWriteError(
                f"ruling {entry.ruling_id} cannot be undone or shown: {error}"
            ) from error

    def tail(self) -> Tail:
        """The end of the journal, read without the rest."""
        size = self.path.stat().st_size if self.path.is_file() else 0
        if not size:
            return Tail()
        length = _TAIL
        while True:
            data, start = self._last(length, size)
            tail = _tail(data, start, size)
            if tail is not None or start == 0:
                return tail or Tail(size=size, whole=size)
            length *= 4

    def append(self, rows: Sequence[Row], tail: Tail, *, sync: bool) -> Tail:
        """Append rows, chained to ``tail``; the tail that follows (without open rows)."""
        seq, previous = tail.next_seq, tail.previous
        data = b""
        for row in rows:
            line, previous = seal({**row, "seq": seq, "previous": previous})
            data += line
            seq += 1
        self._files.append(self.path, data, sync=sync)
        size = tail.whole + len(data)
        return Tail(next_seq=seq, previous=previous, size=size, whole=size)

    def cut(self, size: int) -> None:
        """Remove what follows ``size``: a torn line, or rows of an attempt that wrote nothing."""
        self._files.truncate(self.path, size)

    def _last(self, length: int, size: int) -> tuple[bytes, int]:
        start = max(0, size - length)
        with self.path.open("rb") as stream:
            stream.seek(start)
            data = stream.read(size - start)
        if start:
            cut = data.find(b"\n") + 1
            data, start = data[cut:], start + cut
        return data, start


def entries_of(data: bytes) -> tuple[JournalEntry, ...]:
    """Every ruling in the bytes of a journal, oldest first; see ``Journal.read``."""
    found: list[tuple[Row, str]] = []
    latest: dict[str, int] = {}
    # What follows the last line end is a row that was being written when the power went.
    for line in data.split(b"\n")[:-1]:
        row = parse_row(line)
        if row is None:
            continue
        ruling = str(row["ruling"])
        if row["row"] == "open":
            latest[ruling] = len(found)
            found.append((row, UNFINISHED))
        elif ruling in latest:
            index = latest[ruling]
            found[index] = (found[index][0], _text(row.get("state")))
    return tuple(entry_from_row(row, state) for row, state in found)


def opening_row(ruling: Ruling, changes: Iterable[FileChange], objects: str) -> Row:
    """The opening row of a ruling, not yet chained."""
    row: Row = {
        "row": "open",
        "ruling": ruling.ruling_id,
        "group": ruling.group,
        "time": ruling.time,
        "author": ruling.author,
        "via": ruling.via,
        "action": ruling.action,
        "subject": ruling.subject,
        "reason": ruling.reason,
        "choices": ruling.choices,
        "changes": [
            {"path": change.path, "before": digest(change.before), "after": digest(change.after)}
            for change in changes
        ],
        "objects": objects,
    }
    for name, other in (("undoes", ruling.undoes), ("redoes", ruling.redoes)):
        if other:
            row[name] = other
    return row


def closing_row(ruling_id: str, group: str, state: str, *, recovered: bool = False) -> Row:
    """The closing row of a ruling, not yet chained."""
    row: Row = {"row": "close", "ruling": ruling_id, "group": group, "state": state}
    if recovered:
        row["recovered"] = True
    return row


def seal(row: Mapping[str, object]) -> tuple[bytes, str]:
    """A row's line with its hash, and the hash."""
    own = sha256(_canonical(row).encode("ascii")).hexdigest()
    sealed = {**row, "hash": own}
    text = json.dumps(
        sealed, ensure_ascii=False, sort_keys=True, separators=(",", ":"), default=_json
    )
    try:
        return text.encode("utf-8") + b"\n", own
    except UnicodeEncodeError:
        return _canonical(sealed).encode("ascii") + b"\n", own


def parse_row(line: bytes) -> Row | None:
    """A row from its line, or None when it is none."""
    try:
        row = json.loads(line.decode("utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict) or row.get("row") not in ("open", "close"):
        return None
    if not isinstance(row.get("ruling"), str) or not isinstance(row.get("group"), str):
        return None
    if row["row"] == "open" and not (_are_changes(row.get("changes")) and _names_are_safe(row)):
        return None
    return row


def row_changes(row: Row) -> tuple[JournalChange, ...]:
    """The changes that an opening row names."""
    changes = row["changes"]
    assert isinstance(changes, list)
    return tuple(JournalChange(**change) for change in changes)


def _gone(entry: JournalEntry) -> VaultWriteError:
    if entry.is_forward_only:
        return VaultWriteError(f"{entry.action} {entry.ruling_id} keeps nothing of what it removed")
    return VaultWriteError(f"ruling {entry.ruling_id} was purged: its contents are gone for good")


def purged_objects(entries: Iterable[JournalEntry]) -> frozenset[str]:
    """The objects that purges removed."""
    return frozenset(
        name for entry in entries if entry.state == COMMITTED for name in entry.purged_objects
    )


def entry_from_row(row: Row, state: str) -> JournalEntry:
    """A ruling from its opening row and the state that its closing row gave."""
    choices = row.get("choices")
    seq = row.get("seq")
    purged = row.get("purged") if row.get("action") in FORWARD_ONLY else None
    purged = purged if isinstance(purged, dict) else {}
    rows, events = purged.get("rows"), purged.get("events")
    return JournalEntry(
        seq=seq if isinstance(seq, int) else -1,
        ruling_id=str(row["ruling"]),
        group=str(row["group"]),
        choices=choices if isinstance(choices, dict) else {},
        changes=row_changes(row),
        state=state,
        purged_files=_texts(purged.get("files")),
        purged_objects=_texts(purged.get("objects")),
        purged_rows={
            int(number): line
            for number, line in (rows.items() if isinstance(rows, dict) else ())
            if number.isascii() and number.isdigit() and isinstance(line, str)
        },
        purged_events={
            path: _texts(keys)
            for path, keys in (events.items() if isinstance(events, dict) else ())
        },
        **{key: _text(row.get(key)) for key in _TEXTS},
    )


_TEXTS = (
    "time", "author", "via", "action", "subject", "reason", "undoes", "redoes", "objects",
    "previous", "hash",
)  # fmt: skip


def _tail(data: bytes, start: int, size: int) -> Tail | None:
    """The tail within ``data``, or None when the last group may begin before it."""
    whole = start + data.rfind(b"\n") + 1
    rows = [row for line in data.split(b"\n")[:-1] if (row := parse_row(line)) is not None]
    if not rows:
        return None if start else Tail(size=size, whole=whole)
    first = len(rows)
    while first and rows[first - 1]["row"] == "close":
        first -= 1
    closing = rows[first:]
    last_opening = first
    while first and rows[first - 1]["row"] == "open":
        first -= 1
    if first == 0 and start:
        return None
    opened = rows[first:last_opening]
    closed = {str(row["ruling"]): row.get("state") for row in closing}
    unfinished = any(row["ruling"] not in closed for row in opened)
    seq = rows[-1].get("seq")
    return Tail(
        next_seq=seq + 1 if isinstance(seq, int) else len(rows),
        previous=_text(rows[-1].get("hash")),
        open_rows=tuple(opened) if unfinished else (),
        closed=frozenset(closed),
        committed=COMMITTED in closed.values(),
        size=size,
        whole=whole,
    )


def _are_changes(value: object) -> bool:
    return isinstance(value, list) and all(
        isinstance(change, dict)
        and change.keys() == {"path", "before", "after"}
        and isinstance(change["path"], str)
        and is_plain_path(change["path"])
        and all(isinstance(change[side], (str, type(None))) for side in ("before", "after"))
        for change in value
    )


def _names_are_safe(row: Row) -> bool:
    """Whether an opening row names nothing outside the vault: recovery acts on what rows name."""
    purged = row.get("purged")
    names = [row.get("objects") or None]
    files: list[object] = []
    if isinstance(purged, dict):
        listed = purged.get("objects"), purged.get("files")
        names += listed[0] if isinstance(listed[0], list) else []
        files = listed[1] if isinstance(listed[1], list) else []
    return all(
        name is None or (isinstance(name, str) and _OBJECT_NAME.fullmatch(name)) for name in names
    ) and all(isinstance(path, str) and is_plain_path(path) for path in files)


def _canonical(row: Mapping[str, object]) -> str:
    return json.dumps(row, sort_keys=True, separators=(",", ":"), default=_json)


def _json(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a journal cannot hold a {type(value).__name__}")


def _texts(value: object) -> tuple[str, ...]:
    return tuple(item for item in value if isinstance(item, str)) if isinstance(value, list) else ()


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
