"""Verifying the journal: rows changed, reordered, dropped or forged, and objects likewise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from proofstone.domain.records import Problem
from proofstone.vault.files import Files
from proofstone.vault.journal import (
    COMMITTED,
    GENESIS,
    ROLLED_BACK,
    Journal,
    JournalEntry,
    Row,
    entries_of,
    parse_row,
    purged_objects,
    seal,
)
from proofstone.vault.journal_rechain import is_as_written
from proofstone.vault.layout import INBOX, JOURNAL, OBJECTS
from proofstone.vault.objects import ObjectDamagedError, digest, read_object
from proofstone.vault.swap import locate

_CONFLICT_MARKS = (b"<<<<<<< ", b"=======", b">>>>>>> ", b"||||||| ")


def verify_journal(root: Path, files: Files | None = None) -> tuple[Problem, ...]:
    """Everything wrong with the chain of rows and with the objects that they name."""
    files = files or Files()
    data = files.read(root / JOURNAL) or b""
    entries = entries_of(data)
    purged = purged_objects(entries)
    problems = list(verify_rows(data))
    named: set[str] = set()
    for entry in entries:
        if entry.state == ROLLED_BACK:
            # Rolling back removes the contents that were never put in place.
            continue
        named.add(entry.objects)
        if entry.objects not in purged:
            problems.extend(_object(root, entry, files))
    problems.extend(_returned(name) for name in sorted(purged) if _exists(root, name))
    named |= purged
    problems.extend(_strays(root, named))
    return tuple(problems)


def verify_rows(data: bytes) -> tuple[Problem, ...]:
    """Everything wrong with the rows of a journal, given as its bytes."""
    redacted: dict[int, str] = {}
    for entry in entries_of(data):
        if entry.state == COMMITTED:
            redacted.update(entry.purged_rows)
    return tuple(_chain(data, redacted))


def verify_files(
    root: Path, files: Files | None = None, state: Path | None = None
) -> tuple[Problem, ...]:
    """Files that are not what the last row about them says: changed by another hand.

    Not those of a vault's inbox, which every capture adds to without a ruling. ``state`` is the
    companion folder when ``root`` is another program's store.
    """
    files = files or Files()
    expected: dict[str, tuple[str | None, str]] = {}
    for entry in Journal(state or root, files).read():
        if entry.state == COMMITTED:
            for change in entry.changes:
                if state is not None or not change.path.startswith(f"{INBOX}/"):
                    expected[change.path] = (change.after, entry.ruling_id)
    return tuple(
        Problem(
            code="changed_by_another_hand",
            path=path,
            message=f"this file is not what ruling {ruling} left",
            advice="Nothing needs doing if the change was meant; that ruling cannot be undone.",
            subject=ruling,
            severity="info",
        )
        for path, (after, ruling) in expected.items()
        if digest(_read(locate(root, path, state), files)) != after
    )


def _chain(data: bytes, redacted: Mapping[int, str]) -> Iterator[Problem]:
    lines = data.split(b"\n")
    if lines.pop():
        yield _problem("journal_torn", len(lines) + 1, "the last row was cut short")
    previous, seq = GENESIS, 0
    opened: dict[str, int] = {}
    for number, line in enumerate(lines, 1):
        row = parse_row(line)
        if row is None:
            if line.startswith(_CONFLICT_MARKS):
                yield _conflict(number)
            else:
                yield _problem("journal_row_changed", number, "this row is no row of the journal")
            continue
        yield from _row(row, line, number, previous, seq, redacted)
        ruling = str(row["ruling"])
        if row["row"] == "open":
            opened[ruling] = number
        elif opened.pop(ruling, None) is None:
            yield _problem("journal_row_forged", number, "it closes a ruling that was not opened")
        elif row.get("state") not in (COMMITTED, ROLLED_BACK):
            yield _problem("journal_row_changed", number, "its state is neither of the two known")
        own, found = row.get("hash"), row.get("seq")
        previous = own if isinstance(own, str) else ""
        seq = found + 1 if isinstance(found, int) else seq + 1
    for ruling, number in opened.items():
        yield _problem("journal_unfinished", number, f"ruling {ruling} was cut short")


def _row(
    row: Row, line: bytes, number: int, previous: str, seq: int, redacted: Mapping[int, str]
) -> Iterator[Problem]:
    place = row.get("seq")
    left_by_purge = redacted.get(place) if isinstance(place, int) else None
    if left_by_purge is not None:
        if sha256(line).hexdigest() != left_by_purge:
            yield _problem("journal_row_changed", number, "this row is not what a purge left of it")
    elif not _is_sealed(row, line):
        yield _problem("journal_row_changed", number, "this row was changed after it was written")
    elif not is_as_written(row):
        yield _problem(
            "journal_row_changed",
            number,
            "this row was taken over from another branch, and is not what was written there",
        )
    if row.get("previous") != previous or row.get("seq") != seq:
        yield _problem(
            "journal_chain_broken",
            number,
            "this row does not follow the one before it: rows were dropped, moved or put in",
        )


def _is_sealed(row: Row, line: bytes) -> bool:
    sealed, _ = seal({key: value for key, value in row.items() if key != "hash"})
    return sealed == line + b"\n"


def _object(root: Path, entry: JournalEntry, files: Files) -> Iterator[Problem]:
    if entry.state != COMMITTED or not entry.changes:
        return
    try:
        contents = read_object(root, entry.objects, files)
    except (ObjectDamagedError, OSError) as error:
        yield _object_problem(entry, str(error))
        return
    for change in entry.changes:
        if change.path in entry.purged_events:
            continue
        # A purge keeps what files became, and nothing of what they were.
        kept = (change.after,) if entry.is_forward_only else (change.before, change.after)
        for name in kept:
            if name is not None and not contents.holds(name):
                yield _object_problem(entry, f"it lacks a content of {change.path}")


def _strays(root: Path, named: set[str]) -> Iterator[Problem]:
    folder = root / OBJECTS
    if not folder.is_dir():
        return
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in named:
            continue
        yield Problem(
            code="journal_rows_missing",
            path=f"{OBJECTS}/{path.name}",
            message="no ruling in force names this object: rows were dropped or changed, or it was "
            "put in",
            advice="Restore the journal from a backup or from version control.",
        )


def _exists(root: Path, name: str) -> bool:
    return "/" not in name and (root / OBJECTS / name).exists()


def _returned(name: str) -> Problem:
    return Problem(
        code="purged_object_returned",
        path=f"{OBJECTS}/{name}",
        message="this object was purged, and is back: it holds words that should be gone",
        advice="Remove the file.",
    )


def _read(path: Path, files: Files) -> bytes | None:
    try:
        return files.read(path)
    except OSError:
        return None


def _problem(code: str, line: int, message: str) -> Problem:
    return Problem(
        code=code,
        path=JOURNAL,
        line=line,
        message=message,
        advice="Restore the journal from a backup or from version control; it is never repaired.",
    )


def _conflict(line: int) -> Problem:
    return Problem(
        code="journal_conflict",
        path=JOURNAL,
        line=line,
        message="a merge conflict was left unresolved here",
        advice="Merge the two journals with `proofstone merge-journal` (docs/ci.md).",
    )


def _object_problem(entry: JournalEntry, message: str) -> Problem:
    return Problem(
        code="object_damaged",
        path=f"{OBJECTS}/{entry.objects}",
        message=f"ruling {entry.ruling_id}: {message}",
        advice="That ruling cannot be undone; restore the object from a backup.",
        subject=entry.ruling_id,
    )
