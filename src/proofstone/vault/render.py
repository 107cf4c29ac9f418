"""Note operations as file changes: the exact bytes before and after (spec page 6).

Nothing is written here. The file changes are what the preview shows and what is applied.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    FileChange,
    NoteRef,
    Operation,
    RemoveNote,
    RulingPlan,
)
from proofstone.vault.errors import StaleError
from proofstone.vault.files import Files
from proofstone.vault.layout import note_path
from proofstone.vault.note_writer import edit_note, new_note


def render(
    root: Path,
    plan: RulingPlan,
    *,
    paths: Mapping[NoteRef, str] | None = None,
    before: tuple[FileChange, ...] = (),
    files: Files | None = None,
) -> tuple[FileChange, ...]:
    """The file changes that carry ``plan`` out, one per file, in order of first touch.

    ``paths`` says where notes are whose file is not named after their id (``VaultContents.paths``);
    ``before`` are the changes of earlier rulings of the same batch, not yet applied. Raises
    StaleError when a file is not the one that the plan was made for, UnsafeNameError for an id
    that cannot name a file, NoteValueError and NoteEditError for what a note cannot take.
    """
    drawing = _Drawing(root, paths or {}, before, files or Files())
    for operation in plan.operations:
        drawing.draw(operation)
    return drawing.changes()


class _Drawing:
    """The files that a plan touches, as they are and as they become."""

    def __init__(
        self,
        root: Path,
        paths: Mapping[NoteRef, str],
        before: tuple[FileChange, ...],
        files: Files,
    ) -> None:
        self._root = root
        self._paths = paths
        self._files = files
        self._pending = {change.path: change.after for change in before}
        self._original: dict[str, bytes | None] = {}
        self._current: dict[str, bytes | None] = {}

    def draw(self, operation: Operation) -> None:
        match operation:
            case CreateNote():
                self._create(operation)
            case ChangeNote():
                self._change(operation)
            case RemoveNote():
                path = self._path(operation.ref)
                self._seen(path, operation.revision)
                self._current[path] = None

    def changes(self) -> tuple[FileChange, ...]:
        return tuple(
            FileChange(path=path, before=original, after=self._current[path])
            for path, original in self._original.items()
            if original != self._current[path]
        )

    def _create(self, operation: CreateNote) -> None:
        path = self._path(operation.ref)
        self._place(path, new_note(operation.fields, operation.body))

    def _change(self, operation: ChangeNote) -> None:
        path = self._path(operation.ref)
        content = self._seen(path, operation.revision)
        edited = edit_note(content, operation.set, operation.unset, operation.body)
        if operation.moved_to is None:
            self._current[path] = edited
            return
        self._place(self._path(operation.moved_to), edited)
        if not operation.keep_source:
            self._current[path] = None

    def _place(self, path: str, content: bytes) -> None:
        """Put a new file at ``path``; one that is there already must be the same."""
        present = self._read(path)
        if present is not None and present != content:
            raise StaleError(path, present=present, is_new=True)
        self._current[path] = content

    def _seen(self, path: str, revision: str) -> bytes:
        """The content of a note, which must be the revision that the person saw."""
        present = self._read(path)
        original = self._original[path]
        for content in (original, present):
            if content is not None and sha256(content).hexdigest() == revision:
                if present is None:
                    break
                return present
        raise StaleError(path, present=original)

    def _read(self, path: str) -> bytes | None:
        if path not in self._original:
            if path in self._pending:
                content = self._pending[path]
            else:
                content = self._files.read(self._root / path)
            self._original[path] = self._current[path] = content
        return self._current[path]

    def _path(self, ref: NoteRef) -> str:
        return self._paths.get(ref) or note_path(ref)
