"""The frontmatter of other programs' notes: every value as the text that somebody wrote.

Agents write headers that are not valid YAML: a bare ``globs: **/*``, text after a closing quote, a
colon inside a sentence. What YAML cannot read is read line by line, and the keys that are affected
are named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import yaml

from proofstone.domain.records import Problem

MAX_HEADER_CHARACTERS = 64 * 1024
"""A longer header is taken as part of the text (docs/limits.md)."""
MAX_DEPTH = 16

Value = str | list["Value"] | dict[str, "Value"]

_OPENING = re.compile(r"---[ \t]*\n")
_CLOSING = re.compile(r"^---[ \t]*(?:\n|\Z)", re.M)
_KEY = re.compile(r"(?P<key>[A-Za-z_][\w .-]*?)[ \t]*:(?:[ \t]+(?P<value>.*)|[ \t]*)\Z")


@dataclass(frozen=True, slots=True)
class HeaderFault:
    """A line of the header that YAML cannot read, and the key that was read as plain text."""

    line: int
    key: str
    message: str

    def problem(self, path: str) -> Problem:
        """The fault as a problem of the note at ``path``."""
        return Problem(
            code="faulty_header",
            path=path,
            line=self.line,
            message=f"its header is not as it should be: {self.message}",
            advice="It is read as far as it goes; put the value in quotes.",
            subject=self.key,
            severity="warning",
        )


@dataclass(frozen=True, slots=True)
class Note:
    """A note cut in two. ``body_line`` is the line on which the body starts, from 1."""

    fields: Mapping[str, Value]
    body: str
    body_line: int
    faults: tuple[HeaderFault, ...] = ()
    has_header: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)

    def text(self, key: str) -> str:
        """The value of ``key`` as one text; empty when it is no text."""
        value = self.fields.get(key)
        return value.strip() if isinstance(value, str) else ""

    def texts(self, key: str) -> tuple[str, ...]:
        """The value of ``key`` as a list; a text is cut at its commas."""
        value = self.fields.get(key)
        if isinstance(value, str):
            return tuple(part for part in (part.strip() for part in value.split(",")) if part)
        if isinstance(value, list):
            return tuple(item.strip() for item in value if isinstance(item, str) and item.strip())
        return ()

    def inner(self, key: str) -> Mapping[str, Value]:
        """The map at ``key``, empty when there is none."""
        value = self.fields.get(key)
        return value if isinstance(value, dict) else {}


def split(text: str) -> Note:
    """Cut ``text``, whose line ends are LF, at its frontmatter; without one all of it is body."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None or closing.start() > MAX_HEADER_CHARACTERS:
        return Note({}, text, 1)
    header = text[opening.end() : closing.start()]
    fields, faults = _read(header)
    lines = {
        match["key"].strip(): number
        for number, line in enumerate(header.split("\n"), 2)
        if (match := _KEY.match(line))
    }
    body_line = text.count("\n", 0, closing.end()) + 1
    return Note(fields, text[closing.end() :], body_line, tuple(faults), True, lines)


def _read(header: str) -> tuple[dict[str, Value], list[HeaderFault]]:
    try:
        return _by_yaml(header), []
    except _NotReadError as error:
        return _by_line(header, error)


class _NotReadError(Exception):
    """Why YAML cannot read a header, and the line within it, from 0."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def _by_yaml(header: str) -> dict[str, Value]:
    """The header as YAML has it, built from the parser's events: no tags, no aliases, no types."""
    events = _events(header)
    next(events)
    if isinstance(next(events), yaml.StreamEndEvent):
        return {}
    event = next(events)
    if not isinstance(event, yaml.MappingStartEvent):
        raise _NotReadError(0, "the keys must have the form  key: value")
    return _mapping(events, 1)


def _events(text: str) -> Iterator[Any]:
    try:
        yield from yaml.parse(text, Loader=yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        why = error.problem or error.context or "it cannot be parsed"
        raise _NotReadError(mark.line if mark else 0, f"not YAML: {why}") from None
    except (yaml.YAMLError, UnicodeEncodeError):
        raise _NotReadError(0, "not YAML: a character that it does not allow") from None


def _mapping(events: Iterator[Any], depth: int) -> dict[str, Value]:
    mapping: dict[str, Value] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise _NotReadError(_line(event), "a key must be a single line of text")
        if event.value in mapping:
            message = f"the key {event.value!r} stands here a second time"
            raise _NotReadError(_line(event), message)
        mapping[event.value] = _value(events, next(events), depth)
    return mapping


def _value(events: Iterator[Any], event: Any, depth: int) -> Value:
    if depth > MAX_DEPTH:
        raise _NotReadError(_line(event), f"lists and maps nest deeper than {MAX_DEPTH}")
    if isinstance(event, yaml.ScalarEvent):
        return str(event.value)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        while not isinstance(child := next(events), yaml.SequenceEndEvent):
            items.append(_value(events, child, depth + 1))
        return items
    if isinstance(event, yaml.MappingStartEvent):
        return _mapping(events, depth + 1)
    raise _NotReadError(_line(event), "not YAML: an alias stands for a value")


def _line(event: Any) -> int:
    """The line on which an event starts, from 0."""
    return int(event.start_mark.line)


def _by_line(header: str, whole: _NotReadError) -> tuple[dict[str, Value], list[HeaderFault]]:
    """Each key by itself; a key that YAML cannot read is taken as the text after its colon."""
    fields: dict[str, Value] = {}
    faults: list[HeaderFault] = []
    for number, key, block in _blocks(header):
        if key in fields:
            message = f"the key {key!r} stands here a second time; the first one counts"
            faults.append(HeaderFault(number, key, message))
            continue
        try:
            fields.update(_by_yaml(block))
        except _NotReadError as error:
            faults.append(HeaderFault(number + error.line, key, error.message))
            fields[key] = block.split(":", 1)[1].strip()
    if not faults:
        faults.append(HeaderFault(whole.line + 2, "", whole.message))
    return fields, faults


def _blocks(header: str) -> Iterator[tuple[int, str, str]]:
    """The header's top-level keys: line in the file, key, and all its lines."""
    number, key, block = 0, "", ""
    for at, line in enumerate(header.split("\n"), 2):
        match = _KEY.match(line)
        if match:
            if key:
                yield number, key, block
            number, key, block = at, match["key"].strip(), f"{line}\n"
        elif key:
            block += f"{line}\n"
    if key:
        yield number, key, block
