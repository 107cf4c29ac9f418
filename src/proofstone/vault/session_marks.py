"""How far each session file has been read: a disposable list in ``_index/proofstone``.

Without it every file is read from the beginning, and what is known is found to be known.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from proofstone.vault.files import Files
from proofstone.vault.layout import INDEX, folders_of
from proofstone.vault.swap import temporary_name

MARKS = f"{INDEX}/sessions.json"
_VERSION = 1


class SessionMarks:
    """The marks of the vault in the folder ``root``, by the session files' paths.

    A mark is a map of JSON values. Paths are kept as digests: they tell of other places.
    """

    def __init__(self, root: Path, files: Files | None = None) -> None:
        self._root = root
        self._files = files or Files()
        self._marks = self._read()
        self._is_changed = False

    def get(self, path: Path) -> Mapping[str, object]:
        """The mark of a file; empty when it has none."""
        mark = self._marks.get(_key(path))
        return mark if isinstance(mark, dict) else {}

    def put(self, path: Path, mark: Mapping[str, object]) -> None:
        """Note a file's mark, to be written by ``save``."""
        if self.get(path) != mark:
            self._marks[_key(path)] = dict(mark)
            self._is_changed = True

    def save(self) -> None:
        """Write the marks if one has changed. A disk that refuses costs time only, later."""
        if not self._is_changed:
            return
        data = json.dumps({"version": _VERSION, "files": self._marks}, separators=(",", ":"))
        target = self._root / MARKS
        temporary = target.with_name(temporary_name(MARKS, MARKS))
        with contextlib.suppress(OSError):
            for folder in folders_of([MARKS]):
                self._files.make_folder(self._root / folder)
            self._files.write(temporary, data.encode("utf-8"))
            self._files.rename(temporary, target)
        self._is_changed = False

    def _read(self) -> dict[str, object]:
        try:
            stored = json.loads(self._files.read(self._root / MARKS) or b"{}")
        except (OSError, ValueError, RecursionError):
            return {}
        if not isinstance(stored, dict) or stored.get("version") != _VERSION:
            return {}
        files = stored.get("files")
        return files if isinstance(files, dict) else {}


def _key(path: Path) -> str:
    return sha256(str(path.resolve()).encode("utf-8", "surrogatepass")).hexdigest()
