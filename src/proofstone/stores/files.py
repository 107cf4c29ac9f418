"""Reading a store's files: bounded, never through links, every failure a problem in words."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Problem

MAX_TEXT_BYTES = 8 * 1024 * 1024
"""A larger Markdown file is not read (docs/limits.md)."""
MAX_JSON_BYTES = 64 * 1024 * 1024
"""A larger JSON document is not read (docs/limits.md)."""
MAX_LINES_BYTES = 512 * 1024 * 1024
"""A larger file of JSON lines is not read (docs/limits.md)."""
MAX_FOLDER_DEPTH = 16
"""Deeper folders of a store are not entered (docs/limits.md)."""

_BOM = "\ufeff"


class StoreReadError(ProofstoneError):
    """A store as a whole cannot be read: what, where, and what to do."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's text with line ends as LF, and the SHA-256 of its bytes."""

    path: str
    text: str
    digest: str
    size: int


def read_bytes(file: Path, path: str, limit: int) -> bytes | Problem:
    """A file's bytes, or the problem with it. ``path`` is what people are shown."""
    flags = os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    # A pipe in a file's place must not block reading for ever.
    flags |= getattr(os, "O_NONBLOCK", 0)
    try:
        if file.is_symlink():
            return unreadable(path, "it is a link; links are not followed")
        descriptor = os.open(file, flags)
        with os.fdopen(descriptor, "rb") as stream:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return unreadable(path, "it is no ordinary file")
            if status.st_size > limit:
                return unreadable(path, f"it is larger than {limit // (1024 * 1024)} MiB")
            return stream.read(limit + 1)
    except OSError as error:
        return unreadable(path, error.strerror or "it cannot be opened")


def read_text(file: Path, path: str, limit: int = MAX_TEXT_BYTES) -> TextFile | Problem:
    """A file as text, or the problem with it."""
    data = read_bytes(file, path, limit)
    return data if isinstance(data, Problem) else as_text(data, path)


def as_text(data: bytes, path: str) -> TextFile | Problem:
    """The bytes of a file as text, or why they are none."""
    if b"\0" in data:
        line = data.count(b"\n", 0, data.index(b"\0")) + 1
        return unreadable(path, "it holds a NUL byte, so it is not UTF-8 text", line)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return unreadable(path, f"byte 0x{data[error.start]:02x} is not UTF-8", line)
    text = text.removeprefix(_BOM).replace("\r\n", "\n").replace("\r", "\n")
    return TextFile(path, text, hashlib.sha256(data).hexdigest(), len(data))


def walk(root: Path, suffixes: tuple[str, ...], prefix: str = "") -> Iterator[tuple[str, Path]]:
    """The files below ``root`` with one of ``suffixes``, by relative path; hidden ones left out.

    Links are given like files, for the reader to refuse; folders that are links are not entered.

    Raises:
        StoreReadError: a folder cannot be listed.
    """
    yield from _walk(root, prefix, suffixes, MAX_FOLDER_DEPTH)


def _walk(
    folder: Path, prefix: str, suffixes: tuple[str, ...], depth: int
) -> Iterator[tuple[str, Path]]:
    try:
        with os.scandir(folder) as listing:
            entries = sorted(listing, key=lambda entry: entry.name)
    except OSError as error:
        raise StoreReadError(f"{folder}: cannot be listed: {error.strerror}") from error
    for entry in entries:
        if entry.name.startswith("."):
            continue
        path = f"{prefix}{entry.name}"
        if entry.is_dir(follow_symlinks=False):
            if depth > 0:
                yield from _walk(folder / entry.name, f"{path}/", suffixes, depth - 1)
        elif entry.name.lower().endswith(suffixes):
            yield path.encode("utf-8", "backslashreplace").decode("utf-8"), folder / entry.name


def unreadable(path: str, why: str, line: int | None = None) -> Problem:
    """The problem of a file that is left as it is because it cannot be read."""
    return Problem(
        code="unreadable_file",
        path=path,
        line=line,
        message=f"this file cannot be read: {why}",
        advice="It is left as it is; correct it and read again.",
    )
