"""``CLAUDE.md``, ``AGENTS.md`` and any other Markdown with instructions for agents."""

from __future__ import annotations

from pathlib import Path

from proofstone.stores import headers, markdown_entries
from proofstone.stores.entries import Gathered
from proofstone.stores.read_only import ReadOnlyStore

FILE_NAMES = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".cursorrules")
_IN_FOLDERS = (*FILE_NAMES, ".claude/CLAUDE.md")


def recognises(path: Path) -> bool:
    """Whether ``path`` is a Markdown file, or a folder with instruction files."""
    if path.is_file():
        return path.suffix.lower() in (".md", ".markdown") or path.name in FILE_NAMES
    if not path.is_dir() or (path / ".obsidian").is_dir():
        return False
    return any((path / name).is_file() for name in _IN_FOLDERS)


class InstructionsStore(ReadOnlyStore):
    """One file of instructions, or all that a project's folder has at its top."""

    kind = "instructions"
    name = "instructions in Markdown"

    def gather(self, found: Gathered) -> None:
        """List items, paragraphs and tables under their headings, one memory each."""
        if self.root.is_file():
            self._gather_file(self.root, self.root.name, found)
            return
        real: set[Path] = set()
        for name in _IN_FOLDERS:
            file = self.root / name
            if not file.exists():
                continue
            if file.resolve() in real:
                found.leave(name, None, "a link to a file that is read already")
                continue
            real.add(file.resolve())
            self._gather_file(file, name, found)

    def _gather_file(self, file: Path, path: str, found: Gathered) -> None:
        # Agents follow such a link themselves: CLAUDE.md is often a link to AGENTS.md.
        read = self.text_of(file.resolve(), path, found)
        if read is None:
            return
        note = headers.split(read.text)
        if note.has_header:
            found.leave(path, 1, "the header of the file")
        found.take(
            markdown_entries.entries(
                note.body,
                path=path,
                digest=read.digest,
                found=found,
                first_line=note.body_line,
            )
        )
