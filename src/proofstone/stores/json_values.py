"""JSON from another program: parsed strictly, taken apart with forgiveness, never trusted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from proofstone.domain.records import Problem
from proofstone.stores.files import MAX_LINES_BYTES, read_bytes

MAX_LINE_BYTES = 4 * 1024 * 1024
"""A longer line is not read (docs/limits.md)."""

_BOM = b"\xef\xbb\xbf"
_MAX_NUMBER_DIGITS = 400


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file of JSON objects, from 1, with the SHA-256 of its bytes without line end."""

    number: int
    digest: str
    value: Mapping[str, Any]


def parse(data: bytes | str) -> object:
    """The value of a JSON text.

    Raises:
        ValueError: it is no JSON, nests too deeply, or holds what JSON does not have, in words.
    """
    try:
        return _DECODER.decode(data if isinstance(data, str) else data.decode("utf-8"))
    except RecursionError:
        raise ValueError("it nests too deeply") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"byte 0x{error.object[error.start]:02x} is not UTF-8") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"not JSON: {error.msg} at character {error.colno}") from None


def read_lines(file: Path, path: str) -> Iterator[Line | Problem]:
    """The JSON objects of a file, one a line, and a problem for every line that is none.

    Blank lines, a byte order mark, CRLF and a missing last line end are no problems; a file that
    does not exist has no lines.
    """
    if not file.exists() and not file.is_symlink():
        return
    data = read_bytes(file, path, MAX_LINES_BYTES)
    if isinstance(data, Problem):
        yield data
    else:
        yield from lines_of(data, path)


def lines_of(data: bytes, path: str) -> Iterator[Line | Problem]:
    """Like ``read_lines``, of bytes that were read already."""
    for number, raw in raw_lines(data):
        yield line_of(number, raw, path)


def raw_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, by number, as bytes without their line ends."""
    for number, raw in enumerate(_split(data.removeprefix(_BOM)), 1):
        if raw.strip():
            yield number, raw


def line_of(number: int, raw: bytes, path: str) -> Line | Problem:
    """The object on one line, or why there is none."""
    value = _object(raw)
    if isinstance(value, str):
        return unreadable_line(path, number, value)
    return Line(number, digest(raw), value)


def unreadable_line(path: str, line: int, why: str, subject: str = "") -> Problem:
    """The problem of a line that is kept as it is because it cannot be read."""
    return Problem(
        code="unreadable_line",
        path=path,
        line=line,
        message=f"this line cannot be read: {why}",
        advice="It is kept as it is; correct it, or remove it.",
        subject=subject,
    )


def repeats_a_key(data: bytes) -> bool:
    """Whether an object in a JSON text names a key twice, of which reading keeps one."""
    found: list[str] = []

    def pairs(items: list[tuple[str, object]]) -> None:
        names = [name for name, _ in items]
        if len(names) != len(set(names)):
            found.extend(names)

    json.loads(data, object_pairs_hook=pairs)
    return bool(found)


def digest(data: bytes) -> str:
    """The SHA-256 of ``data``, as 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def text(value: Mapping[str, Any], key: str) -> str:
    """The text at ``key``, empty when there is none; a number is given as it reads."""
    found = value.get(key)
    if isinstance(found, str):
        return _storable(found)
    if isinstance(found, (int, float)) and not isinstance(found, bool):
        return str(found)
    return ""


def texts(value: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The texts of the list at ``key``; anything else in it is left out."""
    found = value.get(key)
    if isinstance(found, str):
        return (text(value, key),) if found else ()
    if not isinstance(found, list):
        return ()
    return tuple(_storable(item) for item in found if isinstance(item, str) and item)


def number(value: Mapping[str, Any], key: str) -> float | None:
    """The number at ``key``, or None."""
    found = value.get(key)
    if isinstance(found, bool) or not isinstance(found, (int, float)):
        return None
    return float(found)


def inner(value: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """The object at ``key``, empty when there is none."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def objects(value: object) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; anything else gives none."""
    if isinstance(value, list):
        yield from (item for item in value if isinstance(item, dict))


def _storable(found: str) -> str:
    """``found`` with half surrogate pairs, which no file can hold, replaced."""
    return found if found.isascii() else found.encode("utf-8", "replace").decode("utf-8")


def _split(data: bytes) -> Iterator[bytes]:
    start = 0
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        yield data[start:end].removesuffix(b"\r")
        start = end + 1


def _object(raw: bytes) -> Mapping[str, Any] | str:
    if len(raw) > MAX_LINE_BYTES:
        return f"it is longer than {MAX_LINE_BYTES // (1024 * 1024)} MiB"
    try:
        value = parse(raw)
    except ValueError as error:
        return str(error)
    return value if isinstance(value, dict) else "it is no JSON object"


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not JSON")


def _whole(digits: str) -> int | float:
    """A whole number; one of absurd length as a float, so that converting it costs nothing."""
    return int(digits) if len(digits) <= _MAX_NUMBER_DIGITS else float(digits)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_int=_whole)
