"""Removing words for good, in a privacy purge or in cleaning settled turns (spec pages 2, 5, 6).

It is written only ever forwards, and without the words. The opening row and its object hold what
the files become, never what they were. They are durable before anything is removed. From then on
a purge that was cut short is finished when the vault is opened next; before that it has changed
nothing. Then the files are swapped, objects and indexes that hold the words are removed, and rows
of the journal that hold them are redacted in place.

Inbox files of which whole events are removed are not in the object, which would keep the text of
the other events: what they become follows from the keys of the events, which the row names.

In another program's store large files are not in the object either, but for the lines that change,
as they become.

A redacted row keeps the hash that it had, which the next row names. What the row reads now is in
the purge's own row, by its SHA-256, so that a row which is forged afterwards is still found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from proofstone.domain.plan import FileChange, Ruling
from proofstone.domain.records import Problem
from proofstone.vault.captured_turns import remember_removed
from proofstone.vault.deltas import Delta
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.inbox_removal import without_events
from proofstone.vault.journal import (
    COMMITTED,
    FORWARD_ONLY,
    ROLLED_BACK,
    Journal,
    JournalChange,
    Row,
    Tail,
    closing_row,
    entry_from_row,
    opening_row,
    parse_row,
    row_changes,
)
from proofstone.vault.layout import JOURNAL, OBJECTS, is_plain_path
from proofstone.vault.lock import VaultLock
from proofstone.vault.objects import (
    ObjectDamagedError,
    StoredContents,
    digest,
    make_object,
    object_path,
    read_object,
    sparing,
)
from proofstone.vault.swap import TEMPORARY, Contents, Swap, locate, temporary_name

_REMOVABLE = "_index/"


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeWrite:
    """What a purge, or a clean, writes.

    ``removed`` are files of indexes and leftovers that go; ``objects`` the names of objects that
    go; ``rows`` the lines that rows of the journal become, by their ``seq``; ``events`` the keys
    of events that were taken out of inbox files among the changes, by file. In another program's
    store ``removed`` are files of its companion folder.
    """

    ruling: Ruling
    changes: tuple[FileChange, ...]
    removed: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    rows: Mapping[int, bytes] = field(default_factory=dict)
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def write(
    root: Path, files: Files, lock: VaultLock, work: PurgeWrite, state: Path | None = None
) -> None:
    """Carry out a purge; the lock is held, and nothing else is unfinished.

    ``state`` is the companion folder when ``root`` is another program's store. Raises StaleError
    when a file is not what the purge was planned for, VaultWriteError for what the disk refuses:
    either nothing was changed, or the purge is finished by the next opening.
    """
    group = work.ruling.group
    kept = state or root
    changes = [change for change in work.changes if change.before != change.after]
    net = {change.path: (change.before, change.after) for change in changes}
    swap = Swap(root, group, net, files, state)
    swap.check()
    contents, deltas = _contents(work, changes, spares=state is not None)
    stored = make_object(group, [*contents, *work.rows.values()], deltas)
    row = opening_row(work.ruling, changes, stored.name) | {
        "purged": {
            "files": list(work.removed),
            "objects": list(work.objects),
            "rows": {str(seq): sha256(line).hexdigest() for seq, line in work.rows.items()},
            **({"events": dict(work.events)} if work.events else {}),
        }
    }
    journal = Journal(kept, files)
    try:
        before = journal.tail()
        journal.append([row], before, sync=True)
        if not before.size:
            files.sync_folder(journal.path.parent)
        target = object_path(kept, stored.name)
        temporary = target.with_name(temporary_name(group, OBJECTS))
        files.write(temporary, stored.data)
        swap.stage()
        lock.check()
        files.rename(temporary, target)
        files.sync_folder(target.parent)
    except (OSError, VaultWriteError) as error:
        if not _take_back(kept, files, swap, stored.name, work.ruling):
            raise _begun(work.ruling.action, error) from error
        if isinstance(error, VaultWriteError):
            raise
        raise VaultWriteError(
            f"nothing was removed: {error.strerror or error}; everything is as it was"
        ) from error
    try:
        _remember_events(root, files, work.events)
        swap.swap()
        _remove_the_rest(kept, files, row, read_object(kept, stored.name, files))
        closing = closing_row(work.ruling.ruling_id, group, COMMITTED)
        journal.append([closing], journal.tail(), sync=True)
    except (OSError, VaultWriteError, ObjectDamagedError) as error:
        raise _begun(work.ruling.action, error) from error


def finish(root: Path, files: Files, tail: Tail, state: Path | None = None) -> tuple[Problem, ...]:
    """Finish a purge that was cut short, or close it as rolled back when it had changed nothing.

    The lock is held. Files that another hand changed meanwhile are left alone, and named.
    ``state`` is as for ``write``.
    """
    kept = state or root
    row = tail.open_rows[0]
    action, ruling, group = str(row["action"]), str(row["ruling"]), str(row["group"])
    name = str(row.get("objects", ""))
    events = entry_from_row(row, COMMITTED).purged_events
    changes = row_changes(row)
    journal = Journal(kept, files)
    try:
        contents = read_object(kept, name, files)
    except ObjectDamagedError:
        if any(_state(root, change, files, state) == "after" for change in changes):
            return (_lost(action, ruling),)
        _remove_leftovers(root, files, group, changes, state)
        journal.append([closing_row(ruling, group, ROLLED_BACK, recovered=True)], tail, sync=True)
        return (_recovered(action, ruling, finished=False, others=()),)
    written = [change for change in changes if change.path not in events]
    others = [change.path for change in written if _state(root, change, files, state) == "other"]
    net: dict[str, Contents] = {}
    for change in written:
        if _state(root, change, files, state) == "before":
            present = files.read(locate(root, change.path, state))
            after = None if change.after is None else contents.content(change.after, present)
            net[change.path] = (present, after)
    net |= _without_events(root, files, events)
    _remember_events(root, files, events)
    swap = Swap(root, group, net, files, state)
    swap.check()
    swap.stage()
    swap.swap()
    _sync_folders_of(root, files, (change.path for change in changes), state)
    _remove_leftovers(root, files, group, changes, state)
    _remove_the_rest(kept, files, row, contents)
    journal.append(
        [closing_row(ruling, group, COMMITTED, recovered=True)], journal.tail(), sync=True
    )
    return (_recovered(action, ruling, finished=True, others=others),)


def is_forward_only(row: Row) -> bool:
    """Whether an opening row is that of a purge or a clean."""
    return row.get("action") in FORWARD_ONLY


def _contents(
    work: PurgeWrite, changes: Sequence[FileChange], *, spares: bool
) -> tuple[list[bytes], list[Delta]]:
    """What finishing the purge needs: what files become, of large ones the changed lines."""
    kept = [change for change in changes if change.path not in work.events]
    if spares:
        return sparing(kept, one_way=True)
    return [change.after for change in kept if change.after is not None], []


def _without_events(
    root: Path, files: Files, events: Mapping[str, Collection[str]]
) -> dict[str, Contents]:
    """Inbox files as they are now and without the events, whatever was captured meanwhile."""
    net: dict[str, Contents] = {}
    for path, keys in events.items():
        present = files.read(root / path)
        if present is not None:
            net[path] = (present, without_events(present, keys))
    return net


def _remember_events(root: Path, files: Files, events: Mapping[str, Collection[str]]) -> None:
    """Before the text goes, so that no reader of session files can bring it back in between."""
    remember_removed(root, (key for keys in events.values() for key in keys), files)


def _remove_the_rest(root: Path, files: Files, row: Row, contents: StoredContents) -> None:
    """Remove objects and indexes and redact the journal; what is done already stays done."""
    entry = entry_from_row(row, COMMITTED)
    for name in entry.purged_objects:
        if "/" not in name and "\\" not in name:
            files.remove(object_path(root, name))
    removed = [path for path in entry.purged_files if _may_remove(root, path)]
    for path in removed:
        files.remove(root / path)
    _sync_folders_of(root, files, (*removed, f"{OBJECTS}/x"))
    _redact(root, files, str(row["group"]), entry.purged_rows, contents.whole)


def _redact(
    root: Path,
    files: Files,
    group: str,
    rows: Mapping[int, str],
    contents: Mapping[str, bytes],
) -> None:
    """Put redacted lines in the place of the rows that they were, in one step."""
    if not rows:
        return
    path = root / JOURNAL
    lines = (files.read(path) or b"").split(b"\n")
    changed = False
    for place, line in enumerate(lines):
        row = parse_row(line)
        seq = row.get("seq") if row is not None else None
        wanted = rows.get(seq) if isinstance(seq, int) else None
        if wanted is None or wanted not in contents or sha256(line).hexdigest() == wanted:
            continue
        lines[place] = contents[wanted]
        changed = True
    if changed:
        temporary = path.with_name(temporary_name(group, JOURNAL))
        files.write(temporary, b"\n".join(lines), files.mode(path))
        files.rename(temporary, path)
        files.sync_folder(path.parent)


def _may_remove(root: Path, path: str) -> bool:
    """Whether a row may have a file removed: of an index or left over, and not behind a link."""
    if not is_plain_path(path) or not (root / path).parent.resolve().is_relative_to(root.resolve()):
        return False
    name = path.rpartition("/")[2]
    return path.startswith(_REMOVABLE) or TEMPORARY.fullmatch(name) is not None


def _sync_folders_of(
    root: Path, files: Files, paths: Iterable[str], state: Path | None = None
) -> None:
    for folder in sorted({locate(root, path, state).parent for path in paths}):
        if folder.is_dir():
            files.sync_folder(folder)


def _begun(action: str, error: Exception) -> VaultWriteError:
    reason = error.strerror if isinstance(error, OSError) else error
    return VaultWriteError(
        f"the {action} has begun and could not be finished: {reason}; open it again, and it will be"
    )


def _take_back(root: Path, files: Files, swap: Swap, stored: str, ruling: Ruling) -> bool:
    """Leave everything as it was after a failure; False when the disk leaves its object there.

    Without the object a purge is rolled back by the next opening, with it it is finished.
    """
    swap.put_back()
    target = object_path(root, stored)
    journal = Journal(root, files)
    try:
        files.remove(target.with_name(temporary_name(ruling.group, OBJECTS)))
        files.remove(target)
        tail = journal.tail()
        if tail.whole < tail.size:
            journal.cut(tail.whole)
            tail = journal.tail()
        if tail.open_rows:
            row = closing_row(ruling.ruling_id, ruling.group, ROLLED_BACK)
            journal.append([row], tail, sync=False)
    except OSError:
        return not target.exists()
    return True


def _remove_leftovers(
    root: Path,
    files: Files,
    group: str,
    changes: Sequence[JournalChange],
    state: Path | None = None,
) -> None:
    Swap(root, group, {}, files, state).remove_leftovers(change.path for change in changes)
    kept = state or root
    files.remove((kept / OBJECTS / "x").with_name(temporary_name(group, OBJECTS)))
    files.remove((kept / JOURNAL).with_name(temporary_name(group, JOURNAL)))


def _state(root: Path, change: JournalChange, files: Files, state: Path | None = None) -> str:
    present = digest(files.read(locate(root, change.path, state)))
    if present == change.after:
        return "after"
    return "before" if present == change.before else "other"


def _lost(action: str, ruling: str) -> Problem:
    return Problem(
        code="unfinished_ruling",
        path=JOURNAL,
        message=f"{action.capitalize()} {ruling} was cut short, and what would finish it is lost.",
        advice="Nothing is ruled on until it is put right: restore the object from a backup.",
        subject=ruling,
    )


def _recovered(action: str, ruling: str, *, finished: bool, others: Sequence[str]) -> Problem:
    what = "finished" if finished else "not begun, and is closed as rolled back"
    changed = (
        f" Changed by another hand meanwhile, and perhaps still holding the words: "
        f"{', '.join(others)}."
        if others
        else ""
    )
    return Problem(
        code="recovered_ruling",
        path=JOURNAL,
        message=f"{action} {ruling} had been cut short and was {what}.{changed}",
        advice="Look through those files."
        if others
        else ""
        if finished
        else f"{action.capitalize()} again.",
        subject=ruling,
        severity="warning" if others or not finished else "info",
    )
