"""The log of rulings, and taking them back (spec page 6, undo and redo).

Undo and redo are rulings themselves: they write the inverse of a ruling's file changes, or the
changes again, and the journal grows. A ruling is in force, or taken back, by the last of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proofstone.curation.differences import Difference
from proofstone.curation.digests import ruling_digest
from proofstone.curation.rulings import Applied
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange, Ruling, inverse
from proofstone.domain.rulings import ACTIONS
from proofstone.vault.journal import COMMITTED, PURGE, ContentsElsewhereError, JournalEntry

IN_FORCE = "in force"
UNDONE = "undone"
CUT_SHORT = "rolled back"


class ChangedSinceError(ProofstoneError):
    """Files have changed since the ruling, so it is neither taken back nor made again.

    ``differences`` has each such file, as the ruling left it and as it is now.
    """

    def __init__(self, message: str, differences: tuple[Difference, ...]) -> None:
        super().__init__(message)
        self.differences = differences


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A row of the log: the ruling as journalled and where it stands now."""

    ruling: JournalEntry
    state: str

    @property
    def is_ruling(self) -> bool:
        """Whether a person decided something; not an undo, a redo, or a stored Gate answer."""
        return self.ruling.action in ACTIONS

    @property
    def is_purge(self) -> bool:
        """Whether a person purged something."""
        return self.ruling.action == PURGE

    @property
    def is_forward_only(self) -> bool:
        """Whether it removed words for good, and so cannot be undone."""
        return self.ruling.is_forward_only

    @property
    def files(self) -> tuple[tuple[str, str | None, str | None], ...]:
        """Each file with the SHA-256 of its content before and after."""
        return tuple((change.path, change.before, change.after) for change in self.ruling.changes)


def entries(workspace: Workspace) -> tuple[Entry, ...]:
    """The log, newest first."""
    rulings = workspace.journal.read()
    states = _states(rulings)
    return tuple(
        Entry(ruling=ruling, state=states.get(ruling.ruling_id, CUT_SHORT))
        for ruling in reversed(rulings)
    )


def undo(workspace: Workspace, named: str = "") -> Applied:
    """Take back the last ruling, or the ruling or group that ``named`` names.

    A batch is taken back as a whole when it is the last, or named by its group.

    Raises:
        ChangedSinceError: a file has changed since.
        ProofstoneError: there is nothing to undo, or it cannot be written.
    """
    log = entries(workspace)
    if named:
        found = [entry for entry in log if named in (entry.ruling.ruling_id, entry.ruling.group)]
        if not found:
            raise ProofstoneError(f"undo {named}: the journal has no such ruling or group")
        chosen = [entry for entry in found if entry.state == IN_FORCE]
        if not chosen:
            raise ProofstoneError(f"undo {named}: it is not in force: {found[0].state}")
        if any(entry.ruling.undoes or entry.ruling.redoes for entry in chosen):
            raise ProofstoneError(f"undo {named}: it is an undo or a redo; name the ruling itself")
        if any(entry.is_forward_only for entry in chosen):
            action = chosen[0].ruling.action
            raise ProofstoneError(
                f"undo {named}: it is a {action}, and a {action} cannot be undone"
            )
    else:
        last = next((e for e in log if (e.is_ruling or e.is_purge) and e.state == IN_FORCE), None)
        if last is None:
            raise ProofstoneError("undo: no ruling is left to take back")
        if last.is_purge:
            raise ProofstoneError(
                f"undo: the last ruling is the purge of {last.ruling.subject}, and a purge cannot "
                "be undone; to take back an earlier ruling, name it"
            )
        chosen = [
            entry
            for entry in log
            if entry.ruling.group == last.ruling.group and entry.state == IN_FORCE
        ]
    return _write(workspace, "undo", [entry.ruling for entry in chosen], log)


def redo(workspace: Workspace, named: str = "") -> Applied:
    """Make again what was undone last, or the ruling that ``named`` names.

    Raises:
        ChangedSinceError: a file has changed since.
        ProofstoneError: there is nothing to redo, or it cannot be written.
    """
    log = entries(workspace)
    undone = {entry.ruling.ruling_id: entry for entry in log if entry.state == UNDONE}
    if named:
        chosen = [
            entry.ruling
            for entry in undone.values()
            if named in (entry.ruling.ruling_id, entry.ruling.group)
        ]
        if not chosen:
            raise ProofstoneError(f"redo {named}: no such ruling was undone")
    else:
        last = next((entry.ruling for entry in log if entry.ruling.undoes in undone), None)
        if last is None:
            raise ProofstoneError("redo: nothing was undone")
        chosen = [
            undone[entry.ruling.undoes].ruling
            for entry in log
            if entry.ruling.group == last.group and entry.ruling.undoes in undone
        ]
    return _write(workspace, "redo", sorted(chosen, key=lambda ruling: ruling.seq), log)


def _states(rulings: Iterable[JournalEntry]) -> dict[str, str]:
    """Where each committed ruling stands, by its id."""
    states: dict[str, str] = {}
    for ruling in rulings:
        if ruling.state != COMMITTED:
            continue
        states[ruling.ruling_id] = IN_FORCE
        if ruling.undoes:
            states[ruling.undoes] = UNDONE
        if ruling.redoes:
            states[ruling.redoes] = IN_FORCE
    return states


def _write(
    workspace: Workspace, action: str, targets: Sequence[JournalEntry], log: Sequence[Entry]
) -> Applied:
    time = workspace.context.timestamp()
    names = [target.ruling_id for target in targets]
    group = ruling_digest("grp", workspace.journal_head, action, names, time)
    written: list[tuple[Ruling, tuple[FileChange, ...]]] = []
    present = _Present(workspace)
    for target in targets:
        try:
            changes = workspace.journal.changes(target, present)
        except ContentsElsewhereError as error:
            why = _in_the_way(action, target.ruling_id, error.path, log)
            gone = _lines_gone(workspace, action, target, error.path)
            raise ChangedSinceError(why, (gone,)) from None
        changes = inverse(changes) if action == "undo" else changes
        ruling = Ruling(
            ruling_id=ruling_digest("rul", group, target.ruling_id),
            group=group,
            time=time,
            author=workspace.context.author,
            via=workspace.context.via,
            action=action,
            subject=target.subject,
            undoes=target.ruling_id if action == "undo" else "",
            redoes=target.ruling_id if action == "redo" else "",
        )
        present.become(changes)
        written.append((ruling, changes))
    _require_unchanged(workspace, action, written, log)
    workspace.write(written)
    verb = "undone" if action == "undo" else "made again"
    what = (
        f"{targets[0].action} of {targets[0].subject}"
        if len(targets) == 1
        else f"{len(targets)} rulings"
    )
    return Applied(
        group=group,
        rulings=tuple(ruling.ruling_id for ruling, _ in written),
        summary=f"{verb}: {what}",
        changes=tuple(change for _, changes in written for change in changes),
    )


def _lines_gone(workspace: Workspace, action: str, target: JournalEntry, path: str) -> Difference:
    """The lines of a ruling on a large file that are no longer there; the rest was not kept."""
    shown = workspace.journal.shown_changes(target)
    change = next(one for one in shown if one.path == path)
    left = (change.after if action == "undo" else change.before) or b""
    present = workspace.bytes_of(path)
    if present is None:
        return Difference(path=path, expected=left, present=None)
    there = set(present.splitlines(keepends=True))
    kept = b"".join(line for line in left.splitlines(keepends=True) if line in there)
    return Difference(path=path, expected=left, present=kept)


class _Present:
    """What files hold now, and after the changes that are to be written before."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._staged: dict[str, bytes | None] = {}

    def __call__(self, path: str) -> bytes | None:
        return self._staged[path] if path in self._staged else self._workspace.bytes_of(path)

    def become(self, changes: Iterable[FileChange]) -> None:
        """Take ``changes`` as written."""
        self._staged.update((change.path, change.after) for change in changes)


def _require_unchanged(
    workspace: Workspace,
    action: str,
    written: Sequence[tuple[Ruling, tuple[FileChange, ...]]],
    log: Sequence[Entry],
) -> None:
    """Refuse with the ruling that stands in the way, which a plain stale file cannot name."""
    staged = _Present(workspace)
    for ruling, changes in written:
        changed: list[Difference] = []
        for change in changes:
            present = staged(change.path)
            if present != change.before:
                changed.append(
                    Difference(path=change.path, expected=change.before, present=present)
                )
            staged.become((change,))
        if changed:
            target = ruling.undoes or ruling.redoes
            why = _in_the_way(action, target, changed[0].path, log)
            raise ChangedSinceError(why, tuple(changed))


def _in_the_way(action: str, target: str, path: str, log: Sequence[Entry]) -> str:
    for entry in log:
        if entry.ruling.ruling_id == target:
            break
        if entry.state == IN_FORCE and any(path == changed for changed, _, _ in entry.files):
            if entry.is_forward_only:
                return (
                    f"{action} {target}: {path} was changed since by {entry.ruling.action} "
                    f"{entry.ruling.ruling_id}, which cannot be undone"
                )
            return (
                f"{action} {target}: {path} was changed since by {entry.ruling.action} "
                f"{entry.ruling.ruling_id}; undo that first"
            )
    return f"{action} {target}: {path} was changed since by another hand; nothing was written"
