"""The kinds of notes, and how a note is named: by kind and id."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class NoteKind(StrEnum):
    """The rooms of a vault that hold notes."""

    MEMORY = "memory"
    HISTORY = "history"
    PROPOSAL = "proposal"
    RULED = "ruled"
    EVIDENCE = "evidence"
    TOMBSTONE = "tombstone"
    INQUIRY = "inquiry"


@dataclass(frozen=True, slots=True)
class NoteRef:
    """A note by kind and id."""

    kind: NoteKind
    id: str
