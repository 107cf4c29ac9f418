"""The quick reader of headers: the subset that memleaf and Proofstone write (spec page 5, Notes).

One key per line; JSON strings, plain words and numbers, flow lists of scalars, and one level of
block maps, lists and lists of maps. Anything else, and anything doubtful, gives None and is left
to ``yaml_header``, whose results these equal.
"""

from __future__ import annotations

import json
from collections.abc import Callable

from proofstone.domain.late_pattern import late_pattern
from proofstone.vault.header import Header, resolve

_KEY = "[A-Za-z_][A-Za-z0-9_-]*"
KEY = late_pattern(_KEY)
_LINE = late_pattern(rf"({_KEY}):(?: +(.*)|)\Z")
# YAML breaks lines at the last three, refuses or folds the others; tabs need its rules too.
_DOUBTFUL = late_pattern("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
_CONTROL = bytes((*range(10), *range(11, 32), 127))
_SAFE_PLAIN = late_pattern(
    r"[A-Za-z0-9_./+$(\\À-\u2027\u2030-\ud7ff][^#\r\n]*|-[A-Za-z0-9.][^#\r\n]*"
)
_SAFE_ITEM = late_pattern(r"[A-Za-z0-9_./+][A-Za-z0-9_./+@ -]*|-[A-Za-z0-9.][A-Za-z0-9_./+@ -]*")

_scan_string: Callable[[str, int, bool], tuple[str, int]] = json.decoder.scanstring  # type: ignore[attr-defined]


class NotPlainError(ValueError):
    """A header or a value is outside the subset."""


def read_plain(text: str) -> Header | None:
    """Read a header of the plain subset, or return None for any other."""
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if is_doubtful(text):
        return None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    fields: dict[str, object] = {}
    raw: dict[str, str] = {}
    key_lines: dict[str, int] = {}
    try:
        position = 0
        while position < len(lines):
            match = _LINE.match(lines[position])
            if match is None:
                return None
            key, value = match[1], match[2]
            if key in fields:
                return None
            key_lines[key] = position + 2
            position += 1
            if value:
                fields[key] = _inline(key, value, raw)
            else:
                fields[key], position = _block(key, lines, position, raw)
    except ValueError:
        return None
    return Header(fields, raw, key_lines)


def is_doubtful(text: str) -> bool:
    """Whether a character stands in a header that YAML breaks lines at, folds or refuses."""
    if text.isascii():
        data = text.encode()
        return len(data.translate(None, _CONTROL)) != len(data)
    return _DOUBTFUL.search(text) is not None


def read_plain_value(value: str) -> object:
    """What stands behind ``key: `` on its line. Raises ValueError for what is not plain."""
    return _inline("", value, {})


def read_plain_block(lines: list[str]) -> object:
    """The map or the list in the indented lines below ``key:``, of which there is at least one.

    Raises ValueError for what is not plain.
    """
    return _block_of(lines, {})


def _inline(key: str, value: str, raw: dict[str, str]) -> object:
    value = value.rstrip(" ")
    first = value[:1]
    if first == '"':
        text, end = _scan_string(value, 1, True)
        if end != len(value):
            raise NotPlainError
        return text
    if first == "[":
        return _flow_list(key, value, raw)
    if first == "":
        raise NotPlainError
    scalar = _plain(value)
    if not isinstance(scalar, str):
        raw[key] = value
    return scalar


def _plain(value: str) -> object:
    """A single-quoted or plain scalar, without comments and without anything YAML would weigh."""
    if value[0] == "'":
        inner = value[1:-1]
        if len(value) < 2 or value[-1] != "'" or "'" in inner:
            raise NotPlainError
        return inner
    if _SAFE_PLAIN.fullmatch(value) is None or ": " in value or value[-1] == ":":
        raise NotPlainError
    return resolve(value)


def _flow_list(key: str, value: str, raw: dict[str, str]) -> list[object]:
    if value[-1] != "]":
        raise NotPlainError
    inner = value[1:-1].strip(" ")
    if not inner:
        return []
    items: list[object] = []
    typed = False
    position = 0
    while True:
        if inner[position : position + 1] == '"':
            item: object
            item, position = _scan_string(inner, position + 1, True)
            while inner[position : position + 1] == " ":
                position += 1
            if position < len(inner) and inner[position] != ",":
                raise NotPlainError
        else:
            end = inner.find(",", position)
            end = len(inner) if end < 0 else end
            text = inner[position:end].rstrip(" ")
            if _SAFE_ITEM.fullmatch(text) is None:
                raise NotPlainError
            item = resolve(text)
            typed = typed or not isinstance(item, str)
            position = end
        items.append(item)
        if position >= len(inner):
            break
        position += 1
        while inner[position : position + 1] == " ":
            position += 1
        if position >= len(inner):
            raise NotPlainError
    if typed:
        raw[key] = value
    return items


def _block(key: str, lines: list[str], position: int, raw: dict[str, str]) -> tuple[object, int]:
    """The lines below ``key:`` that belong to it, indented by two spaces."""
    start = position
    while position < len(lines) and lines[position].startswith("  "):
        position += 1
    if position == start:
        if position < len(lines) and lines[position].startswith(("-", " ")):
            raise NotPlainError
        raw[key] = ""
        return None, position
    block = lines[start:position]
    inner: dict[str, str] = {}
    value = _block_of(block, inner)
    if inner:
        raw[key] = "\n".join(block)
    return value, position


def _block_of(block: list[str], inner: dict[str, str]) -> object:
    if block[0].startswith("  - "):
        return _block_list(block, inner)
    return _block_map(block, 2, inner)


def _block_map(block: list[str], indent: int, inner: dict[str, str]) -> dict[str, object]:
    mapping: dict[str, object] = {}
    for line in block:
        match = _LINE.match(line, indent)
        if match is None or not match[2] or line[:indent].strip(" ") or match[1] in mapping:
            raise NotPlainError
        mapping[match[1]] = _inline(match[1], match[2], inner)
    return mapping


def _block_list(block: list[str], inner: dict[str, str]) -> list[object]:
    items: list[object] = []
    position = 0
    while position < len(block):
        line = block[position]
        if not line.startswith("  - "):
            raise NotPlainError
        start = position
        position += 1
        while position < len(block) and block[position].startswith("    "):
            position += 1
        if _LINE.match(line, 4):
            entry = ["    " + line[4:], *block[start + 1 : position]]
            items.append(_block_map(entry, 4, inner))
        elif position == start + 1:
            items.append(_inline("-", line[4:], inner))
        else:
            raise NotPlainError
    return items
