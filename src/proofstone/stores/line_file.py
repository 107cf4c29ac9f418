"""A file of JSON lines of which single lines are changed and all other bytes stay."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange
from proofstone.stores import json_values

_BOM = b"\xef\xbb\xbf"


class LineFile:
    """The lines of the file at ``path``, whose bytes are ``data``; None when there is no file."""

    def __init__(self, path: str, data: bytes | None) -> None:
        self.path = path
        self._before = data
        whole = data or b""
        self._bom = _BOM if whole.startswith(_BOM) else b""
        self._lines = list(lines_with_ends(whole[len(self._bom) :]))
        self._digests: dict[int, str] = {}
        """Of lines that were changed: their digest before the first change."""

    def find(self, identifier: str, revision: str) -> int | None:
        """The place of the line of ``identifier`` whose digest was ``revision`` when read."""
        for place, digest in self._digests.items():
            if digest == revision:
                return place
        wanted = _as_written(identifier)
        for place, line in enumerate(self._lines):
            named = any(form in line for form in wanted)
            if named and json_values.digest(_content(line)) == revision:
                return place
        return None

    def objects(self) -> Iterator[Mapping[str, Any]]:
        """The objects of all lines that are some."""
        for line in json_values.lines_of(b"".join(self._lines), self.path):
            if isinstance(line, json_values.Line):
                yield line.value

    def value(self, place: int) -> dict[str, Any]:
        """The object on a line that ``find`` gave.

        Raises:
            ProofstoneError: it names a key twice, so writing it again would lose one.
        """
        content = _content(self._lines[place])
        value = json_values.parse(content)
        assert isinstance(value, dict)
        if json_values.repeats_a_key(content):
            raise ProofstoneError(
                f"{self.path}:{place + 1}: this line names a key twice; correct it first"
            )
        return value

    def replace(self, place: int, value: Mapping[str, Any]) -> None:
        """Put ``value`` on a line; its line end stays."""
        line = self._lines[place]
        content = _content(line)
        self._digests.setdefault(place, json_values.digest(content))
        self._lines[place] = encoded(self.path, value) + line[len(content) :]

    def remove(self, place: int) -> None:
        """Take a line out. The places of other lines stay."""
        self._digests.setdefault(place, json_values.digest(_content(self._lines[place])))
        self._lines[place] = b""

    def append(self, value: Mapping[str, Any]) -> None:
        """Add a line at the end."""
        end = b"\r\n" if self._lines and self._lines[0].endswith(b"\r\n") else b"\n"
        last = next((n for n in reversed(range(len(self._lines))) if self._lines[n]), None)
        if last is not None and not self._lines[last].endswith(b"\n"):
            self._lines[last] += end
        self._lines.append(encoded(self.path, value) + end)

    def change(self) -> FileChange:
        """The file before and after."""
        after = self._bom + b"".join(self._lines)
        absent = self._before is None and not after
        return FileChange(path=self.path, before=self._before, after=None if absent else after)


def _content(line: bytes) -> bytes:
    return line.removesuffix(b"\n").removesuffix(b"\r")


def lines_with_ends(data: bytes) -> Iterator[bytes]:
    """The lines of ``data``, each with its line end."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        yield data[start:end]
        start = end


def _as_written(identifier: str) -> tuple[bytes, ...]:
    """How an id can stand in a line: as it is, or with escapes."""
    plain = json.dumps(identifier, ensure_ascii=False).encode("utf-8", "surrogatepass")
    return plain, json.dumps(identifier).encode("ascii")


def encoded(path: str, value: Mapping[str, Any]) -> bytes:
    """The line of ``value`` in the file at ``path``, without a line end.

    Raises:
        ProofstoneError: it holds a number that JSON cannot say.
    """
    try:
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:
        raise ProofstoneError(
            f"{path}: a line holds a number that JSON cannot say; correct it first"
        ) from None
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")
