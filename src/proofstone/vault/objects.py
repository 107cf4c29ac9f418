"""The object store: file contents before and after each ruling, by SHA-256 (spec page 5).

One object holds all contents of one group of rulings, and its name is the SHA-256 of its bytes.
So a group costs one sync of data and one of the folder, however many files it changed, and an
object that was altered no longer is what its name says. Contents lie in it as they are: a text
search finds them, and a purge can prove that it removed them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from proofstone.vault.files import Files
from proofstone.vault.layout import OBJECTS

SCHEMA = "proofstone/objects/1"


class ObjectDamagedError(ValueError):
    """An object that is missing, or is not what its name says."""


@dataclass(frozen=True, slots=True)
class StoredObject:
    """An object to be written: its name and its bytes."""

    name: str
    data: bytes


def digest(content: bytes | None) -> str | None:
    """The SHA-256 of a file's content; None for a file that does not exist."""
    return None if content is None else sha256(content).hexdigest()


def make_object(group: str, contents: Iterable[bytes]) -> StoredObject:
    """The object that holds ``contents``, each once."""
    distinct = {sha256(content).hexdigest(): content for content in contents}
    header = {
        "schema": SCHEMA,
        "group": group,
        "contents": [[name, len(content)] for name, content in distinct.items()],
    }
    line = json.dumps(header, separators=(",", ":")).encode("ascii")
    data = b"".join((line, b"\n", *(content + b"\n" for content in distinct.values())))
    return StoredObject(sha256(data).hexdigest(), data)


def object_path(root: Path, name: str) -> Path:
    """Where the object ``name`` is."""
    return root / OBJECTS / name


def read_object(root: Path, name: str, files: Files) -> dict[str, bytes]:
    """The contents of an object by their SHA-256. Raises ObjectDamagedError."""
    data = files.read(object_path(root, name))
    if data is None:
        raise ObjectDamagedError(f"the object {name[:12]}… is missing")
    if sha256(data).hexdigest() != name:
        raise ObjectDamagedError(f"the object {name[:12]}… is not what its name says")
    line, _, rest = data.partition(b"\n")
    contents: dict[str, bytes] = {}
    position = 0
    try:
        for content_name, size in json.loads(line)["contents"]:
            content = rest[position : position + size]
            if sha256(content).hexdigest() != content_name:
                raise ValueError
            contents[content_name] = content
            position += size + 1
    except (ValueError, TypeError, KeyError, RecursionError):
        raise ObjectDamagedError(f"the object {name[:12]}… is not an object of rulings") from None
    return contents
