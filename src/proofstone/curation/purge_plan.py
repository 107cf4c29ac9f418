"""Planning a privacy purge: every file that holds the words, and what becomes of it (page 6)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from proofstone.curation.purge_captured import CapturedText
from proofstone.curation.workspace import Workspace
from proofstone.domain import ids, note_fields, purging
from proofstone.domain.plan import FileChange, NoteKind, NoteRef, Value
from proofstone.domain.purging import PurgeScope
from proofstone.domain.records import Tombstone
from proofstone.domain.rulings.terms import RulingMoment
from proofstone.vault import purge_scan
from proofstone.vault.journal import parse_row
from proofstone.vault.layout import JOURNAL, OBJECTS, ROOMS, note_path
from proofstone.vault.note_writer import NoteEditError, edit_note, new_note
from proofstone.vault.purge_notes import purged_note, redacted_row
from proofstone.vault.purge_scan import Looked, look_through

Told = tuple[str, str]
"""A file's path, and what the purge does to it or why it does not."""

NO_KEY = bytes(32)
"""Stands for the key where only a preview is wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgePlan:
    """What a purge would do. ``files`` tells of all that is written, ``others`` of the rest that
    holds the words, or may hold them, and is left alone.
    """

    scope: PurgeScope
    changes: tuple[FileChange, ...]
    removed: tuple[str, ...]
    objects: tuple[str, ...]
    rows: Mapping[int, bytes]
    files: tuple[Told, ...]
    others: tuple[Told, ...]


def plan_purge(
    workspace: Workspace, scope: PurgeScope, moment: RulingMoment, reason: str, key: bytes | None
) -> PurgePlan:
    """Look through every file of the vault. ``key`` may be None when only a preview is wanted."""
    planner = Planner(workspace, scope, moment, reason)
    planner.plan_members()
    planner.plan_markers(purging.markers(scope, key or NO_KEY, moment, reason), key or NO_KEY)
    look_everywhere(planner, workspace.root)
    return planner.plan()


def look_everywhere(planner: Planner, folder: Path) -> None:
    """Plan what becomes of every other file in ``folder``, room by room."""
    looked: dict[str, list[Looked]] = defaultdict(list)
    for found in look_through(folder):
        if found.data is None:
            planner.tell_other(found.path, "it cannot be looked through")
        elif found.path not in planner.changes:
            planner.look_at_name(found.path)
            looked[found.kind].append(found)
    for found in looked[purge_scan.CAPTURED]:
        planner.plan_captured(found)
    for found in looked[purge_scan.ANSWER]:
        planner.plan_answer(found)
    for found in looked[purge_scan.NOTE]:
        planner.plan_note(found)
    planner.plan_journal()
    for found in looked[purge_scan.OBJECT]:
        planner.plan_object(found)
    for kind in (purge_scan.OWN_INDEX, purge_scan.INDEXED, purge_scan.LEFTOVER, purge_scan.OTHER):
        for found in looked[kind]:
            planner.plan_other(found)


class Planner:
    """A plan while it is being made, room by room.

    ``prefix`` stands before the paths of the rooms in changes, and where records say they lie:
    nothing in a vault, ``swap.BESIDE`` in the companion folder of another program's store.
    """

    def __init__(
        self,
        workspace: Workspace,
        scope: PurgeScope,
        moment: RulingMoment,
        reason: str,
        prefix: str = "",
    ) -> None:
        self._workspace = workspace
        self._prefix = prefix
        self._scope = scope
        self._words = scope.words
        self._moment = moment
        self._reason = reason
        self.changes: dict[str, FileChange] = {}
        self._files: list[Told] = []
        self._others: list[Told] = []
        self._removed: list[str] = []
        self._objects: list[str] = []
        self._rows: dict[int, bytes] = {}
        held = workspace.holdings
        self._proposals = {p.path: p for p in held.proposals}
        self._records = {record.path: record for record in held.evidence}
        self._stones = {
            stone.path.removeprefix(prefix): stone
            for stone in held.tombstones
            if stone.path.startswith(prefix)
        }
        self._captured = CapturedText(workspace, scope)
        self._concerned_paths = _paths_of(scope.ids)

    def plan(self) -> PurgePlan:
        return PurgePlan(
            scope=self._scope,
            changes=tuple(self.changes.values()),
            removed=tuple(self._removed),
            objects=tuple(self._objects),
            rows=self._rows,
            files=tuple(self._files),
            others=tuple(self._others),
        )

    # --- what goes, and what is left of it -------------------------------------------------

    def plan_members(self) -> None:
        """The notes of what is purged."""
        scope = self._scope
        for memory in scope.memories:
            self.change(memory.path, None, "the memory: removed")
        for version in scope.versions:
            self.change(version.path, None, "an earlier version: removed")
        for proposal in scope.proposals:
            left = new_note(purging.emptied_proposal(proposal, self._moment, self._reason), "")
            ruled = note_path(NoteRef(NoteKind.RULED, proposal.proposal_id))
            self.change(ruled, left, "the proposal: only its id and this ruling are left")
            if proposal.path != ruled:
                self.change(proposal.path, None, "the proposal: removed")
        for record in scope.records:
            others = [name for name in record.memory_ids if name not in scope.memory_ids]
            shared = f"; it also supports {', '.join(others)}" if others else ""
            left = new_note(purging.emptied_record(record), "")
            self.change(record.path, left, f"an evidence record: emptied{shared}")
        for inquiry in scope.inquiries:
            emptied = purging.emptied_inquiry(inquiry, self._moment, self._words)
            self.change(inquiry.path, new_note(emptied, ""), "an inquiry: closed and emptied")

    def plan_markers(self, markers: Iterable[Tombstone], key: bytes) -> None:
        """The markers, in the place of those that held a plain hash of the words."""
        statements = {ids.content_hash(text): text for text in self._words.texts}
        by_id = {stone.tombstone_id: path for path, stone in self._stones.items()}
        for marker in markers:
            path = by_id.pop(marker.tombstone_id, "")
            path = path or note_path(NoteRef(NoteKind.TOMBSTONE, marker.tombstone_id))
            self.change(
                path,
                new_note(note_fields.tombstone_fields(marker), ""),
                "the marker: it has none of the words",
            )
        for path in by_id.values():
            text = statements.get(self._stones[path].content_hash)
            if text is not None:
                self._hide_hash(path, purging.content_hmac(key, text))

    def _hide_hash(self, path: str, digest: str) -> None:
        data = self._bytes_of(path) or b""
        try:
            left = edit_note(
                data, {"mode": purging.MODE, "content_hmac": digest}, ("content_hash",)
            )
        except NoteEditError:
            self.tell_other(path, "a tombstone with a hash of the words; it cannot be edited")
            return
        self.change(path, left, "a tombstone: its hash becomes a keyed one")

    # --- captured text and the answers about it --------------------------------------------

    def plan_captured(self, found: Looked) -> None:
        """An inbox file."""
        after = self._captured.inbox(found.path, found.data or b"")
        self.change(found.path, after, "captured text: the words are blacked out")
        self._look_again(found.path, after, "captured text that cannot be read")

    def plan_answer(self, found: Looked) -> None:
        """A stored Gate answer."""
        after = self._captured.answer(found.path, found.data or b"")
        self.change(found.path, after, "a Gate answer: the words are taken out")
        self._look_again(found.path, after, "a Gate answer that cannot be read")

    # --- everything else -------------------------------------------------------------------

    def plan_note(self, found: Looked) -> None:
        """A note of something else that holds the words, a hash of them, or a changed unit."""
        data = found.data or b""
        also = self._following(found.path)
        holds = self._words.may_be_in(data.decode("utf-8", "replace"))
        hashed = any(digest.encode("ascii") in data for digest in self._words.hashes)
        if not (also or holds or hashed):
            return
        after = purged_note(data, self._words, also)
        what = "the words in it are blacked out" if holds else "what it says of them is taken out"
        self.change(found.path, after, f"another note: {what}")
        self._look_again(found.path, after, "a note that cannot be changed for it")

    def _following(self, path: str) -> dict[str, Value]:
        """What another proposal or record has to say of units that were blacked out."""
        proposal, record = self._proposals.get(path), self._records.get(path)
        if proposal is not None:
            return self._captured.bindings(proposal)
        return {} if record is None else self._captured.place(record)

    def plan_journal(self) -> None:
        """Rows whose reason or choices hold the words."""
        data = self._bytes_of(JOURNAL) or b""
        count = 0
        for line in data.split(b"\n")[:-1]:
            row = parse_row(line)
            if row is None:
                if self._words.are_in(line.decode("utf-8", "replace")):
                    self.tell_other(JOURNAL, "a row that cannot be read")
                continue
            is_about = row.get("subject") in self._scope.ids
            left = redacted_row(row, self._words, is_about=is_about, purge=self._moment.ruling_id)
            if left is not None and isinstance(seq := row.get("seq"), int):
                self._rows[seq] = left
                count += 1
        if count:
            rows = "row" if count == 1 else "rows"
            self._files.append(
                (self._prefix + JOURNAL, f"the journal: the words in {count} {rows} are redacted")
            )

    def plan_object(self, found: Looked) -> None:
        """Contents before and after earlier rulings; without them those cannot be undone."""
        name = found.path.removeprefix(f"{OBJECTS}/")
        holds = self._words.are_in((found.data or b"").decode("utf-8", "replace"))
        concerned = {self._prefix + path for path in (*self._concerned_paths, *self.changes)}
        is_about = name in self._objects_about
        if holds or is_about or not self._paths_in_objects.get(name, set()).isdisjoint(concerned):
            self._objects.append(name)
            what = "contents of earlier rulings: removed; those cannot be undone"
            self._files.append((self._prefix + found.path, what))

    def plan_other(self, found: Looked) -> None:
        """Indexes, leftovers, and files that are not ours."""
        holds = self._words.are_in((found.data or b"").decode("utf-8", "replace"))
        if found.kind == purge_scan.OWN_INDEX or (holds and found.kind != purge_scan.OTHER):
            self._removed.append(found.path)
            what = "a leftover" if found.kind == purge_scan.LEFTOVER else "an index"
            self._files.append((self._prefix + found.path, f"{what}: removed"))
        elif holds:
            self.tell_other(found.path, "it is not written by Proofstone")

    def look_at_name(self, path: str) -> None:
        """A file that stays although its name says the words."""
        if self._words.are_in(path):
            self.tell_other(path, "its name says the words")

    def tell_other(self, path: str, why: str) -> None:
        """Name a file that holds the words, or may, and is left alone."""
        told = (self._prefix + path, why)
        if told not in self._others:
            self._others.append(told)

    def _look_again(self, path: str, after: bytes, why: str) -> None:
        if self._words.are_in(after.decode("utf-8", "replace")):
            self.tell_other(path, why)

    @cached_property
    def _objects_about(self) -> frozenset[str]:
        """The objects of rulings on what goes."""
        entries = self._workspace.journal.read()
        return frozenset(entry.objects for entry in entries if entry.subject in self._scope.ids)

    @cached_property
    def _paths_in_objects(self) -> Mapping[str, set[str]]:
        paths: dict[str, set[str]] = defaultdict(set)
        for entry in self._workspace.journal.read():
            paths[entry.objects].update(change.path for change in entry.changes)
        return paths

    def change(self, path: str, after: bytes | None, what: str) -> None:
        """Plan that the file at ``path`` becomes ``after``."""
        before = self._bytes_of(path)
        if before == after:
            return
        if before is None and after is None:
            return
        whole = self._prefix + path
        self.changes[path] = FileChange(path=whole, before=before, after=after)
        self._files.append((whole, what))

    def _bytes_of(self, path: str) -> bytes | None:
        return self._workspace.bytes_of(self._prefix + path)


def _paths_of(identifiers: Iterable[str]) -> frozenset[str]:
    """Where notes of these ids stand or stood."""
    rooms = [ROOMS[kind] for kind in (NoteKind.MEMORY, NoteKind.PROPOSAL, NoteKind.RULED)]
    return frozenset(f"{room}/{name}.md" for room in rooms for name in identifiers)
