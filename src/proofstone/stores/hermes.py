"""Hermes' ``MEMORY.md`` and ``USER.md``: entries joined by a line that holds only ``§``."""

from __future__ import annotations

import re
from pathlib import Path

from proofstone.domain.records import Problem
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import read_text
from proofstone.stores.read_only import ReadOnlyStore

MEMORY, USER = "MEMORY.md", "USER.md"
_DELIMITER = re.compile(r"^§[ \t]*$", re.M)


def recognises(path: Path) -> bool:
    """Whether ``path`` is one of the two files, or the folder that holds them."""
    if path.is_dir():
        if path.name == "memories" and path.parent.name == ".hermes":
            return True
        if all((path / name).is_file() for name in (MEMORY, USER)):
            return True
        return any(recognises(path / name) for name in (MEMORY, USER))
    if path.name not in (MEMORY, USER) or not path.is_file():
        return False
    read = read_text(path, path.name)
    return not isinstance(read, Problem) and _DELIMITER.search(read.text) is not None


class HermesStore(ReadOnlyStore):
    """The folder of the two files, or one of them."""

    kind = "hermes"
    name = "Hermes memory"

    def gather(self, found: Gathered) -> None:
        """Each entry as one memory; those of ``USER.md`` are about the person."""
        files = [self.root] if self.root.is_file() else [self.root / MEMORY, self.root / USER]
        for file in files:
            read = self.text_of(file, file.name, found) if file.exists() else None
            if read is None:
                continue
            line = 1
            for part in _DELIMITER.split(read.text):
                words = part.strip("\n")
                first = line + len(part) - len(part.lstrip("\n")) if words else line
                line += part.count("\n")
                found.take([self._entry(words.strip(), file.name, first, read.digest)])

    def _entry(self, words: str, path: str, line: int, digest: str) -> Entry:
        return Entry(
            text=words,
            path=path,
            line=line,
            digest=digest,
            tags=("user",) if path == USER else (),
        )
