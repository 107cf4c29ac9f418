"""Writing rulings: all of a group or nothing, whatever happens (spec page 5, Writing).

Under the lock: what was cut short is put right; every file must still be the one the person saw;
the journal's opening rows are made durable, then the object with all contents, then each new file
under a temporary name; only then are the files swapped, their folders made durable, and the rows
closed. So nothing that can run out of space happens after the first swap.

Recovery is by rule: a group of which no file is left at its old content is finished; any other is
rolled back. A file that is neither old nor new was changed by another hand and is left alone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from proofstone.domain.plan import FileChange, Ruling
from proofstone.domain.records import Problem
from proofstone.vault import purge
from proofstone.vault.errors import StaleError, VaultLockedError, VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.journal import (
    COMMITTED,
    ROLLED_BACK,
    Journal,
    Row,
    Tail,
    closing_row,
    opening_row,
    row_changes,
)
from proofstone.vault.layout import JOURNAL, OBJECTS, OWN_STATE, folders_of
from proofstone.vault.lock import DEFAULT_TIMEOUT, VaultLock
from proofstone.vault.objects import (
    ObjectDamagedError,
    StoredContents,
    digest,
    make_object,
    object_path,
    read_object,
    sparing,
)
from proofstone.vault.swap import Swap, locate, temporary_name

RulingChanges = tuple[Ruling, tuple[FileChange, ...]]


def apply(
    root: Path,
    rulings: Sequence[RulingChanges],
    *,
    files: Files | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> tuple[str, ...]:
    """Write one group of rulings, durably; the ids of those that changed something.

    A later ruling of the group may change a file that an earlier one changed, from where that one
    left it. Raises StaleError when a file is no longer what the person saw, VaultLockedError when
    another program holds the lock too long, VaultWriteError for everything that the disk refuses.
    In each case the vault is as it was.
    """
    if not _changing(rulings):
        return ()
    return apply_planned(root, lambda: rulings, files=files, timeout=timeout)


def apply_planned(
    root: Path,
    plan: Callable[[], Sequence[RulingChanges]],
    *,
    files: Files | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    state: Path | None = None,
) -> tuple[str, ...]:
    """Like ``apply``, of rulings that ``plan`` makes under the lock, from what is there by then.

    What was cut short is put right before ``plan`` reads anything, and what ``plan`` raises is
    passed on with nothing written. When ``root`` is another program's store, ``state`` is its
    companion folder, which exists: the lock, the journal and the objects are kept there, and so
    are the files whose paths begin with ``swap.BESIDE``.
    """
    files = files or Files()
    kept = state or root
    with VaultLock(kept, timeout) as lock:
        _require_settled(root, files, state)
        changing = _changing(plan())
        if not changing:
            return ()
        group = changing[0][0].group
        if any(ruling.group != group for ruling, _ in changing):
            raise ValueError("the rulings of one call must be of one group")
        swap = Swap(root, group, _net(changing), files, state)
        swap.check()
        _write(kept, files, lock, swap, changing, group, spares=state is not None)
    return tuple(ruling.ruling_id for ruling, _ in changing)


def apply_purge(
    root: Path,
    plan: Callable[[], purge.PurgeWrite],
    *,
    files: Files | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    state: Path | None = None,
) -> purge.PurgeWrite:
    """Carry out the privacy purge, or the clean, that ``plan`` makes under the lock.

    ``state`` is as for ``apply_planned``. Raises as ``apply`` does.
    """
    files = files or Files()
    kept = state or root
    with VaultLock(kept, timeout) as lock:
        _require_settled(root, files, state)
        try:
            _make_state_folders(kept, files)
        except OSError as error:
            raise _refused(error) from error
        work = plan()
        purge.write(root, files, lock, work, state)
    return work


def _changing(rulings: Sequence[RulingChanges]) -> list[RulingChanges]:
    """The rulings that change something, with the changes that do."""
    return [
        (ruling, kept)
        for ruling, changes in rulings
        if (kept := tuple(change for change in changes if change.before != change.after))
    ]


def write_files(
    root: Path,
    changes: Sequence[FileChange],
    *,
    files: Files | None = None,
    timeout: float = DEFAULT_TIMEOUT,
) -> None:
    """Write files that no ruling stands behind, such as settings.

    Each file is written whole or not at all, in the order given; on an error those already
    written are put back. Raises as ``apply`` does.
    """
    kept = [change for change in changes if change.before != change.after]
    if not kept:
        return
    files = files or Files()
    group = sha256("\0".join(change.path for change in kept).encode("utf-8", "replace"))
    with VaultLock(root, timeout) as lock:
        swap = Swap(root, group.hexdigest(), {c.path: (c.before, c.after) for c in kept}, files)
        swap.check()
        try:
            swap.stage()
            lock.check()
            swap.swap()
        except (OSError, VaultWriteError) as error:
            restored = swap.put_back() or not swap.has_begun
            raise _refused(error, restored=restored) from error


def recover(
    root: Path,
    *,
    files: Files | None = None,
    timeout: float = DEFAULT_TIMEOUT,
    state: Path | None = None,
) -> tuple[Problem, ...]:
    """Finish or roll back a ruling that was cut short, and say so. Otherwise nothing is written.

    ``state`` is as for ``apply_planned``.
    """
    files = files or Files()
    kept = state or root
    try:
        if not Journal(kept, files).tail().needs_recovery:
            return ()
        with VaultLock(kept, timeout):
            return _settle(root, files, state)
    except VaultLockedError as error:
        return (_unfinished(f"A ruling is being written or was cut short: {error}."),)
    except (OSError, VaultWriteError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return (_unfinished(f"A ruling was cut short and cannot be put right: {reason}."),)


def _write(
    root: Path,
    files: Files,
    lock: VaultLock,
    swap: Swap,
    changing: Sequence[RulingChanges],
    group: str,
    *,
    spares: bool,
) -> None:
    """``spares`` keeps only the changed lines of large files: another program's are."""
    journal = Journal(root, files)
    every = [change for _, changes in changing for change in changes]
    if spares:
        stored = make_object(group, *sparing(every))
    else:
        sides = (side for change in every for side in (change.before, change.after))
        stored = make_object(group, (side for side in sides if side is not None))
    rows = [opening_row(ruling, changes, stored.name) for ruling, changes in changing]
    before: Tail | None = None
    try:
        _make_state_folders(root, files)
        before = journal.tail()
        is_new = not before.size
        tail = journal.append(rows, before, sync=True)
        if is_new:
            files.sync_folder(journal.path.parent)
        target = object_path(root, stored.name)
        temporary = target.with_name(temporary_name(group, OBJECTS))
        files.write(temporary, stored.data)
        files.rename(temporary, target)
        files.sync_folder(target.parent)
        swap.stage()
        lock.check()
        swap.swap()
        closing = [closing_row(ruling.ruling_id, group, COMMITTED) for ruling, _ in changing]
    except (OSError, VaultWriteError) as error:
        rulings = [ruling.ruling_id for ruling, _ in changing]
        restored = _give_up(root, files, swap, before, rulings, group, stored.name)
        raise _refused(error, restored=restored or not swap.has_begun) from error
    try:
        journal.append(closing, tail, sync=False)
    except OSError:
        # The files are in place and durable; the next opening finds that and closes the rows.
        return


def _give_up(
    root: Path,
    files: Files,
    swap: Swap,
    before: Tail | None,
    rulings: list[str],
    group: str,
    stored: str,
) -> bool:
    """Leave everything as it was after a failure; False when the disk does not let us.

    Files that could not be put back are put right when the vault is opened next.
    """
    restored = swap.put_back()
    if before is None or not restored:
        return restored
    _remove_object(root, stored, group, files)
    journal = Journal(root, files)
    try:
        tail = journal.tail()
        if tail.whole < tail.size:
            journal.cut(tail.whole)
        if tail.open_rows:
            rows = [closing_row(ruling, group, ROLLED_BACK) for ruling in rulings]
            journal.append(rows, tail, sync=False)
    except OSError:
        with contextlib.suppress(OSError):
            journal.cut(before.whole)
    return True


def _remove_object(root: Path, stored: str, group: str, files: Files) -> None:
    """An attempt that changed nothing leaves no contents behind."""
    target = object_path(root, stored)
    try:
        files.remove(target.with_name(temporary_name(group, OBJECTS)))
        files.remove(target)
    except OSError:
        return


def _require_settled(root: Path, files: Files, state: Path | None = None) -> None:
    for problem in _settle(root, files, state):
        if problem.code == "unfinished_ruling":
            raise VaultWriteError(f"{problem.message} {problem.advice}")


def _settle(root: Path, files: Files, state: Path | None = None) -> tuple[Problem, ...]:
    """Put right what was cut short; the lock is held."""
    kept = state or root
    journal = Journal(kept, files)
    tail = journal.tail()
    if not tail.needs_recovery:
        return ()
    if tail.whole < tail.size:
        journal.cut(tail.whole)
    if not tail.open_rows:
        return ()
    if purge.is_forward_only(tail.open_rows[0]):
        return purge.finish(root, files, tail, state)
    found = _Unfinished.of(tail.open_rows)
    swap = Swap(root, found.group, {}, files, state)
    at = {
        path: _state_of(locate(root, path, state), hashes, files)
        for path, hashes in found.net.items()
    }
    finished = tail.committed or "before" not in at.values()
    if not finished:
        try:
            contents = read_object(kept, found.objects, files)
        except ObjectDamagedError:
            contents = StoredContents({})
        net: dict[str, tuple[bytes | None, bytes | None]] = {}
        for path, (old, _) in found.net.items():
            if at[path] != "after":
                continue
            # Going back is a swap like any other, from the new content to the old.
            present = files.read(locate(root, path, state))
            try:
                net[path] = (present, None if old is None else contents.content(old, present))
            except KeyError:
                return (
                    _unfinished(
                        f"Ruling {found.rulings[0]} was cut short, and the contents that would "
                        "put it right are lost."
                    ),
                )
        swap = Swap(root, found.group, net, files, state)
        swap.check()
        swap.stage()
        swap.swap()
    swap.remove_leftovers(found.net)
    closing = [
        closing_row(ruling, found.group, COMMITTED if finished else ROLLED_BACK, recovered=True)
        for ruling in found.rulings
        if ruling not in tail.closed
    ]
    if not finished:
        _remove_object(kept, found.objects, found.group, files)
    journal.append(closing, journal.tail(), sync=True)
    return (_recovered(found, finished, [path for path, side in at.items() if side == "other"]),)


@dataclass(frozen=True, slots=True)
class _Unfinished:
    """A group that was cut short: its files by their hashes before and after, net."""

    group: str
    objects: str
    rulings: tuple[str, ...]
    net: Mapping[str, tuple[str | None, str | None]]

    @staticmethod
    def of(rows: Sequence[Row]) -> _Unfinished:
        net: dict[str, tuple[str | None, str | None]] = {}
        for row in rows:
            for change in row_changes(row):
                first = net.get(change.path, (change.before, None))[0]
                net[change.path] = (first, change.after)
        return _Unfinished(
            group=str(rows[0]["group"]),
            objects=str(rows[0].get("objects", "")),
            rulings=tuple(str(row["ruling"]) for row in rows),
            net={path: hashes for path, hashes in net.items() if hashes[0] != hashes[1]},
        )


def _state_of(file: Path, hashes: tuple[str | None, str | None], files: Files) -> str:
    present = digest(files.read(file))
    if present == hashes[1]:
        return "after"
    return "before" if present == hashes[0] else "other"


def _net(rulings: Sequence[RulingChanges]) -> dict[str, tuple[bytes | None, bytes | None]]:
    """Each file's content before the first and after the last ruling that changes it."""
    net: dict[str, tuple[bytes | None, bytes | None]] = {}
    for _, changes in rulings:
        for change in changes:
            if change.path not in net:
                net[change.path] = (change.before, change.after)
                continue
            first, last = net[change.path]
            if change.before != last:
                raise StaleError(change.path, seen=change.before, present=last)
            net[change.path] = (first, change.after)
    return net


def _make_state_folders(root: Path, files: Files) -> None:
    for path in folders_of((JOURNAL, f"{OBJECTS}/x")):
        folder = root / path
        if path.startswith(OWN_STATE) and folder.is_symlink():
            raise VaultWriteError(f"{path} is a link; the journal is not written through links")
        if files.make_folder(folder):
            files.sync_folder(folder.parent)


def _refused(error: OSError | VaultWriteError, *, restored: bool = True) -> VaultWriteError:
    if isinstance(error, VaultWriteError) and restored:
        return error
    why = str(error)
    if isinstance(error, OSError):
        name = Path(str(error.filename)).name if error.filename else "the folder"
        why = f"{name}: {error.strerror or error}"
    if restored:
        return VaultWriteError(f"nothing was written: {why}; everything is as it was")
    return VaultWriteError(
        f"it cannot be written: {why}; what was begun is finished or rolled back when it is "
        "opened next"
    )


def _unfinished(message: str) -> Problem:
    return Problem(
        code="unfinished_ruling",
        path=JOURNAL,
        message=message,
        advice="Nothing is ruled on until it is put right; "
        "open it again, or restore it from a backup.",
    )


def _recovered(found: _Unfinished, finished: bool, others: Sequence[str]) -> Problem:
    what = "finished" if finished else "rolled back"
    count = len(found.rulings)
    which = f"ruling {found.rulings[0]}" if count == 1 else f"{count} rulings of one batch"
    changed = f" Changed by another hand meanwhile and left alone: {', '.join(others)}."
    return Problem(
        code="recovered_ruling",
        path=JOURNAL,
        message=f"{which} had been cut short and was {what}.{changed if others else ''}",
        advice="Look at what it concerned." if not finished or others else "",
        subject=found.rulings[0],
        severity="warning" if others else "info",
    )
