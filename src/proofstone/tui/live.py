"""Files that agents and editors change appear by themselves (spec page 7, Live).

The vault's folder is watched from before it is read. What changes is read again in the background
and shown with everything in its place; until then a card that it bears on is stale, and no ruling
key acts on it. What the workbench itself wrote is known by its content and not read twice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from contextlib import aclosing
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from textual.message import Message

from proofstone.domain.errors import ProofstoneError

if TYPE_CHECKING:
    from proofstone.curation.history import Entry
    from proofstone.curation.views import ProposalView
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.plan import FileChange
    from proofstone.tui.messages import OpenVault
    from proofstone.tui.reading_app import ReadingApp

_UNTOLD = ("_index/", "_state/proofstone/objects/", "_state/vault.lock")
"""Made from the rest, written beside it, or nobody's words: nothing that is shown hangs on them."""
_TEMPORARY = ("~", ".tmp", ".swp", ".swx", ".part", ".bak")
_JOURNAL = "_state/proofstone/journal.jsonl"


class FilesChanged(Message):
    """Files of the vault are not what they were; paths are relative to it."""

    def __init__(self, paths: frozenset[str]) -> None:
        super().__init__()
        self.paths = paths


class VaultReadAgain(Message):
    """What changed was read: ``before`` is the view it followed on, ``opened`` the new one.

    ``opened`` is None when nothing that is shown has changed, or when ``why`` says that it could
    not be read.
    """

    def __init__(self, before: Workspace, opened: OpenVault | None, why: str = "") -> None:
        super().__init__()
        self.before = before
        self.opened = opened
        self.why = why


def matters(path: str) -> bool:
    """Whether a change of the file at ``path``, relative to the vault, may change what is shown."""
    name = path.rpartition("/")[2]
    if any(part.startswith(".") for part in path.split("/")):
        return False
    return not (f"{path}/".startswith(_UNTOLD) or name.endswith(_TEMPORARY) or name.startswith("#"))


def bearing_on(workspace: Workspace, subject: str) -> frozenset[str]:
    """The files that a card shows: its own note, its evidence, the memories it is weighed with."""
    held = workspace.held
    memory, proposal = held.memory(subject), held.proposal(subject)
    paths = {note.path for note in (memory, proposal) if note is not None}
    if proposal is not None and subject in workspace.proposals:
        view = workspace.proposal(subject)
        paths.update(record.path for record in view.records)
        siblings = view.siblings if view.knows_siblings else ()
        weighed = (*view.match.matched, *(found.memory_id for found in siblings))
        paths.update(found.path for found in map(held.memory, weighed) if found is not None)
    return frozenset(paths)


def looks_other(before: ProposalView, now: ProposalView) -> bool:
    """Whether the card of a proposal says something else than it did; its age does not count."""
    return replace(before, age=now.age, is_due=now.is_due) != now


def changed_card(before: Workspace, now: Workspace, subject: str) -> bool:
    """Whether what a person had before them under ``subject`` is still there and has changed."""
    if subject in before.proposals and subject in now.proposals:
        return looks_other(before.proposal(subject), now.proposal(subject))
    memory = before.held.memory(subject)
    return memory is not None and now.held.memory(subject) not in (None, memory)


def arrivals(before: Workspace, now: Workspace, but_not: Collection[str] = ()) -> str:
    """What came since, in words, leaving out some proposals; empty when nothing did."""
    known = {*but_not, *(proposal.proposal_id for proposal in before.holdings.proposals)}
    waiting = (p for p in now.holdings.proposals if p.is_waiting)
    proposals = sum(proposal.proposal_id not in known for proposal in waiting)
    turns = len({turn.reference for turn in now.turns} - {turn.reference for turn in before.turns})
    told = [
        f"{number:,} {word if number == 1 else word + 's'}"
        for number, word in ((proposals, "proposal"), (turns, "turn"))
        if number
    ]
    return f"{' and '.join(told)} arrived" if told else ""


class LiveVault:
    """What has changed since the vault was last read, and reading it again.

    Args:
        app: The workbench.
        root: The folder or the file to watch, or None for no watching.
    """

    def __init__(self, app: ReadingApp, root: Path | None) -> None:
        self._app = app
        self._root = root.resolve() if root is not None else None
        self._own: dict[str, str] = {}
        self._being_read: frozenset[str] = frozenset()
        self.changed: frozenset[str] = frozenset()
        """Files that are not what is shown, as far as is known."""
        self.is_watching = False
        self.is_watched = Event()
        """Set when nothing that happens from then on is missed, or there is no watching."""
        if root is None:
            self.is_watched.set()

    def start(self) -> None:
        """Watch, unless that is going on already."""
        if self._root is not None and not self.is_watching:
            self.is_watching = True
            self.is_watched.clear()
            self._app.run_worker(self._watch(self._root), group="watch-vault", exclusive=True)

    async def _watch(self, root: Path) -> None:
        from proofstone.tui.watching import paths_changed

        prefix = "" if root.is_file() else f"{root.as_posix()}/"

        def relative(path: str) -> str:
            return Path(path).as_posix().removeprefix(prefix)

        def told(path: str) -> bool:
            return matters(relative(path))

        try:
            async with aclosing(paths_changed(root, told, self.is_watched.set)) as changes:
                async for paths in changes:
                    self._app.post_message(FilesChanged(frozenset(map(relative, paths))))
        except OSError:
            # The folder is not there, or the system has no watches left: ctrl+r still reads.
            self.is_watching = False
        finally:
            self.is_watched.set()

    # What is known of the changes

    def wrote(self, workspace: Workspace, changes: Iterable[FileChange]) -> None:
        """Remember what the workbench itself has just written; called before it is read again."""
        if self._root is None:
            return
        for change in changes:
            self._own[change.path] = _digest(change.after)
        self._own[_JOURNAL] = _digest(_content(workspace.root / _JOURNAL))

    def take(self, paths: Iterable[str]) -> None:
        """Add to what has changed, and read it again as soon as nothing else is going on."""
        self.changed |= frozenset(paths)
        self.go_on()

    def go_on(self) -> None:
        """Read again what has changed, if something has and nothing is being read or written."""
        app, workspace = self._app, self._app.workspace
        if not self.changed or workspace is None or app.reading or app.writing:
            return
        if not self._being_read:
            self.changed = frozenset(path for path in self.changed if not self._is_own(path))
            self._being_read = self.changed
            if self.changed:
                app.read_again(workspace)
        app.files_changed()

    def has_read(self, before: Workspace) -> bool:
        """Note the end of a reading; whether it still follows on what is shown."""
        read, self._being_read = self._being_read, frozenset()
        if before is not self._app.workspace or self._app.writing:
            return False
        self.changed -= read
        return True

    def why_stale(self, subject: str) -> str:
        """Why the card of ``subject`` is not what is on disk; empty when it is."""
        workspace = self._app.workspace
        if not self.changed or workspace is None or not subject:
            return ""
        if self.changed.isdisjoint(bearing_on(workspace, subject)):
            return ""
        return "its files have changed on disk and are being read again; look, then press again"

    def _is_own(self, path: str) -> bool:
        own = self._own.get(path)
        if own is None or self._root is None:
            return False
        return own == _digest(_content(self._root / path))


def read_again(workspace: Workspace, journal: tuple[Entry, ...]) -> VaultReadAgain:
    """Read what changed since ``workspace``; called in a thread."""
    from proofstone.tui.messages import OpenVault

    try:
        opened = OpenVault.prepared(workspace.reload())
    except (ProofstoneError, OSError) as error:
        return VaultReadAgain(workspace, None, str(error))
    is_news = opened.workspace.contents != workspace.contents or opened.journal != journal
    return VaultReadAgain(workspace, opened if is_news else None)


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _digest(content: bytes | None) -> str:
    return "" if content is None else sha256(content).hexdigest()
