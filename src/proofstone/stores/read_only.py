"""What stores that are only read have in common: a reader that gathers entries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import ClassVar

from proofstone.domain.records import Problem
from proofstone.stores import json_values
from proofstone.stores.entries import Gathered
from proofstone.stores.files import (
    MAX_JSON_BYTES,
    StoreReadError,
    TextFile,
    read_bytes,
    read_text,
)
from proofstone.stores.port import Capabilities, StoreContents, import_instead

_BOM = b"\xef\xbb\xbf"


class ReadOnlyStore(ABC):
    """A store of entries: every memory in it is in force, and nobody has reviewed it."""

    kind: ClassVar[str]
    name: ClassVar[str]

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    @property
    def capabilities(self) -> Capabilities:
        """Nothing can be ruled on in place."""
        return Capabilities(read_only=import_instead(self.name))

    def read(self) -> StoreContents:
        """Everything that the store remembers, with what was left out and why."""
        found = Gathered(self.kind)
        self.gather(found)
        return found.contents()

    @abstractmethod
    def gather(self, found: Gathered) -> None:
        """Add every entry, problem and omission of the store to ``found``."""

    def text_of(self, file: Path, path: str, found: Gathered) -> TextFile | None:
        """A file's text; None, and a problem, when it cannot be read."""
        read = read_text(file, path)
        if isinstance(read, Problem):
            found.problems.append(read)
            return None
        return read


def read_json(file: Path) -> tuple[object, str]:
    """A JSON document and the SHA-256 of its bytes.

    Raises:
        StoreReadError: it cannot be read, or is no JSON.
    """
    data = read_bytes(file, file.name, MAX_JSON_BYTES)
    if isinstance(data, Problem):
        raise StoreReadError(f"{file}: {data.message}")
    try:
        return json_values.parse(data.removeprefix(_BOM)), json_values.digest(data)
    except ValueError as error:
        raise StoreReadError(f"{file}: {error}; correct it and try again") from error
