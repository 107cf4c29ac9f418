"""Cursor's project rules: ``.mdc`` files that say for which files they hold.

Cursor writes ``globs: **/*.ts`` without quotes, which is no YAML; that is no fault of the file.
"""

from __future__ import annotations

from pathlib import Path

from proofstone.stores import headers, markdown_entries
from proofstone.stores.entries import Gathered
from proofstone.stores.files import walk
from proofstone.stores.headers import Note
from proofstone.stores.read_only import ReadOnlyStore

SUFFIX = ".mdc"
_FOLDER = ".cursor"


def recognises(path: Path) -> bool:
    """Whether ``path`` is a rule file, or a folder of them."""
    if path.is_file():
        return path.suffix.lower() == SUFFIX
    if path.name == _FOLDER or (path.name == "rules" and path.parent.name == _FOLDER):
        return True
    return path.is_dir() and any(path.glob(f"*{SUFFIX}"))


class CursorStore(ReadOnlyStore):
    """One rule file, or all of a folder."""

    kind = "cursor-rules"
    name = "Cursor rules"

    def gather(self, found: Gathered) -> None:
        """The statements of every rule, each with the files that the rule is for."""
        if self.root.is_file():
            self._gather_file(self.root, self.root.name, found)
            return
        for path, file in walk(self.root, (SUFFIX,)):
            self._gather_file(file, path, found)

    def _gather_file(self, file: Path, path: str, found: Gathered) -> None:
        read = self.text_of(file, path, found)
        if read is None:
            return
        note = headers.split(read.text)
        for fault in note.faults:
            if fault.key != "globs":
                found.problems.append(fault.problem(path))
        found.take(
            markdown_entries.entries(
                note.body,
                path=path,
                digest=read.digest,
                found=found,
                first_line=note.body_line,
                applies_when=_when(note),
            )
        )


def _when(note: Note) -> tuple[str, ...]:
    if note.text("alwaysApply").casefold() == "true":
        return ()
    globs = ", ".join(note.texts("globs"))
    description = note.text("description")
    return tuple(
        filter(None, (f"working on files that match {globs}" if globs else "", description))
    )
