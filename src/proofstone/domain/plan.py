"""Ruling plans: what a ruling would change, before anything is written (spec page 6).

A plan is made of note operations that say nothing of a file format; a store renders them to file
changes. The file changes are what the preview shows, what the journal holds, and what undo
inverts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proofstone.domain.note_kinds import NoteKind as NoteKind
from proofstone.domain.note_kinds import NoteRef as NoteRef

Scalar = str | int | float | bool | None
Value = Scalar | tuple[Scalar, ...] | Mapping[str, Scalar] | tuple[Mapping[str, Scalar], ...]
"""What a note's key may hold: the subset of YAML that memleaf reads too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CreateNote:
    """Write a new note. Creating one that exists with the same bytes changes nothing."""

    ref: NoteRef
    fields: Mapping[str, Value]
    body: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeNote:
    """Change only the keys named, and the body when it is not None; move when asked to.

    With ``keep_source`` the changed text is written at ``moved_to`` and the source stays: this is
    how a version goes to history.
    """

    ref: NoteRef
    revision: str
    set: Mapping[str, Value] = field(default_factory=dict)
    unset: tuple[str, ...] = ()
    body: str | None = None
    moved_to: NoteRef | None = None
    keep_source: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RemoveNote:
    """Remove a note; its bytes stay in the object store, for undo."""

    ref: NoteRef
    revision: str


Operation = CreateNote | ChangeNote | RemoveNote


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """A person's decision, as the journal keeps it."""

    ruling_id: str
    group: str
    time: str
    author: str
    via: str
    action: str
    subject: str
    reason: str = ""
    choices: Mapping[str, Value] = field(default_factory=dict)
    undoes: str = ""
    """The ruling that this one inverts."""
    redoes: str = ""
    """The ruling that this one makes again after it was undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingPlan:
    """A ruling and the note operations that carry it out, in order."""

    ruling: Ruling
    operations: tuple[Operation, ...]
    summary: str
    """What the toast says, e.g. ``ratified as mem-1a2b``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileChange:
    """One file, before and after. None means that the file does not exist then."""

    path: str
    before: bytes | None
    after: bytes | None


def inverse(changes: tuple[FileChange, ...]) -> tuple[FileChange, ...]:
    """The changes that undo ``changes``, in reverse order."""
    return tuple(
        FileChange(path=change.path, before=change.after, after=change.before)
        for change in reversed(changes)
    )
