"""Any YAML header, read from the C parser's events (spec page 5, Notes).

Events instead of objects: nothing is built that the text did not spell out, so tags cannot call
anything, aliases cannot explode, nesting is bounded, a duplicate key is seen, and every key knows
its place in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from proofstone.domain.late_pattern import late_pattern
from proofstone.vault.header import Fault, Header, Span, resolve

MAX_DEPTH = 16
"""How deep lists and maps may nest in a header (docs/limits.md)."""
MAX_VALUES = 20_000
"""How many values a header may hold once its aliases are followed (docs/limits.md)."""

_CORE_TAGS = ("str", "int", "float", "bool", "null", "seq", "map")
_TAG_PREFIX = "tag:yaml.org,2002:"

KEY_LINE = late_pattern(
    r"""^(?P<key>[^\s#\-?:,\[\]{}&*!|>'"%@`][^:\r\n]*?|"[^"\r\n]*"|'[^'\r\n]*')[ ]*"""
    r""":(?=[ \t\r\n]|\Z)""",
    re.M,
)
_LINE = late_pattern(r"[^\r\n]*(?:\r\n|\n|\r|$)")


class HeaderError(ValueError):
    """Why a header or a value cannot be read; ``line`` counts from 0 within the text.

    ``condemns`` says that the header as a whole is refused, whatever its single keys are.
    """

    def __init__(self, line: int, message: str, *, condemns: bool = False) -> None:
        super().__init__(message)
        self.line = line
        self.message = message
        self.condemns = condemns


def read_yaml(text: str) -> Header:
    """Read a whole header; when that fails, read each key by itself and name those at fault."""
    try:
        return _Reader(text).header()
    except HeaderError as error:
        return _read_apart(text, error)


def read_text_value(text: str) -> object:
    """Read the source text of one value with every plain scalar kept as it was written."""
    try:
        return _Reader(text, plain_is_text=True).value()
    except HeaderError:
        return text


def _read_apart(text: str, error: HeaderError) -> Header:
    whole = Fault(error.line + 2, error.message)
    if error.condemns:
        return Header({}, {}, {}, (whole,))
    header = Header({}, {}, {}, (), spans := {})
    faults: list[Fault] = []
    for key, start, end in blocks(text):
        line = _lines_before(text, start) + 2
        block = text[start:end]
        if not key:
            if block.strip() and not _is_comment(block):
                return Header({}, {}, {}, (whole,))
            continue
        if key in header.lines:
            message = f"the key {key!r} stands here a second time"
            return Header({}, {}, {}, (Fault(line, message),))
        header.lines[key] = line
        try:
            read = _Reader(block).header()
        except HeaderError as fault:
            faults.append(Fault(line + fault.line, fault.message, key))
            colon = start + block.index(":", len(key)) + 1
            own_end = _last_own_line(text, start, end)
            header.raw[key] = raw = text[colon:own_end].strip()
            value_start = text.index(raw, colon)
            spans[key] = Span(start, own_end, value_start, value_start + len(raw))
            continue
        if list(read.fields) != [key]:
            return Header({}, {}, {}, (whole,))
        header.fields.update(read.fields)
        header.raw.update(read.raw)
        span = read.spans[key]
        spans[key] = Span(start, start + span.end, start + span.value_start, start + span.value_end)
    if not header.fields or not faults:
        return Header({}, {}, {}, (whole,))
    return Header(header.fields, header.raw, header.lines, tuple(faults), spans)


def blocks(text: str) -> Iterator[tuple[str, int, int]]:
    """Cut a header at the lines that start with a key: key (empty before the first), start, end."""
    starts = [(match["key"].strip("\"'"), match.start()) for match in KEY_LINE.finditer(text)]
    if not starts or starts[0][1] > 0:
        yield "", 0, starts[0][1] if starts else len(text)
    for index, (key, start) in enumerate(starts):
        end = starts[index + 1][1] if index + 1 < len(starts) else len(text)
        yield key, start, end


class _Reader:
    """One pass over the parser's events."""

    def __init__(self, text: str, *, plain_is_text: bool = False) -> None:
        self._text = text
        self._plain_is_text = plain_is_text
        self._anchors: dict[str, tuple[object, int, bool]] = {}
        self._values = 0
        self._typed = False
        self._events = self._parsed()

    def header(self) -> Header:
        """The text as a mapping of top-level keys."""
        self._skip("StreamStart")
        event = next(self._events)
        if isinstance(event, yaml.StreamEndEvent):
            return Header({}, {}, {})
        event = next(self._events)
        if not isinstance(event, yaml.MappingStartEvent):
            raise self._error(event, "the keys must have the form  key: value")
        self._check_tag(event, "map")
        header = Header({}, {}, {}, (), spans := {})
        while not isinstance(event := next(self._events), yaml.MappingEndEvent):
            key = self._key(event, header.fields)
            start = event.start_mark
            value_event = next(self._events)
            self._typed = False
            value, end = self._build(value_event, 1)
            span = self._span(start.index, value_event.start_mark.index, end)
            header.fields[key] = value
            header.lines[key] = start.line + 2
            spans[key] = span
            if self._typed:
                header.raw[key] = self._raw(span, value)
        self._skip("DocumentEnd")
        event = next(self._events)
        if not isinstance(event, yaml.StreamEndEvent):
            raise self._error(event, "a second document starts here")
        return header

    def value(self) -> object:
        """The text as a single value."""
        self._skip("StreamStart")
        if isinstance(next(self._events), yaml.StreamEndEvent):
            return None
        return self._build(next(self._events), 0)[0]

    def _parsed(self) -> Iterator[Any]:
        try:
            yield from yaml.parse(self._text, Loader=yaml.CSafeLoader)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            if error.context == "while scanning a simple key":
                # A line without a colon is noticed only on the line after it.
                mark = error.context_mark or mark
            raise HeaderError(mark.line if mark else 0, _in_words(error, self._text)) from None
        except yaml.YAMLError as error:
            line = _lines_before(self._text, _bad_character(self._text))
            raise HeaderError(line, f"not YAML: {str(error).splitlines()[0]}") from None
        except UnicodeEncodeError:
            raise HeaderError(0, "a character that cannot be stored stands here") from None

    def _skip(self, name: str) -> None:
        event = next(self._events)
        assert type(event).__name__ == f"{name}Event"

    def _key(self, event: Any, seen: Mapping[str, object]) -> str:
        if not isinstance(event, yaml.ScalarEvent):
            raise self._error(event, "a key must be a single line of text")
        if event.value in seen:
            raise self._error(event, f"the key {event.value!r} stands here a second time")
        if event.tag is not None and not event.tag.startswith(_TAG_PREFIX + "str"):
            raise self._error(event, f"the tag {event.tag} is not read")
        return str(event.value)

    def _build(self, event: Any, depth: int) -> tuple[object, int]:
        """The value that starts with ``event``, and the offset where its text ends."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise self._error(event, f"more than {MAX_VALUES} values")
        if depth > MAX_DEPTH:
            raise self._error(event, f"lists and maps nest deeper than {MAX_DEPTH}")
        if isinstance(event, yaml.AliasEvent):
            return self._followed(event), _end(event)
        before = self._values
        typed_before, self._typed = self._typed, False
        value, end = self._built(event, depth)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, self._values - before + 1, self._typed)
        self._typed = self._typed or typed_before
        return value, end

    def _built(self, event: Any, depth: int) -> tuple[object, int]:
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event), _end(event)
        if isinstance(event, yaml.SequenceStartEvent):
            self._check_tag(event, "seq")
            items: list[object] = []
            while not isinstance(child := next(self._events), yaml.SequenceEndEvent):
                items.append(self._build(child, depth + 1)[0])
            return items, _end(child)
        self._check_tag(event, "map")
        mapping: dict[str, object] = {}
        while not isinstance(child := next(self._events), yaml.MappingEndEvent):
            key = self._key(child, mapping)
            mapping[key] = self._build(next(self._events), depth + 1)[0]
        return mapping, _end(child)

    def _followed(self, event: Any) -> object:
        if event.anchor not in self._anchors:
            raise self._error(event, f"the alias *{event.anchor} names nothing before it")
        value, size, typed = self._anchors[event.anchor]
        self._values += size
        if self._values > MAX_VALUES:
            message = f"aliases unfold to more than {MAX_VALUES} values"
            raise HeaderError(event.start_mark.line, message, condemns=True)
        self._typed = self._typed or typed
        return value

    def _scalar(self, event: Any) -> object:
        plain = event.implicit[0]
        if event.tag is not None and not plain:
            name = self._check_tag(event, *_CORE_TAGS[:5])
            if name == "str" or event.tag == "!":
                return event.value
            self._typed = True
            return resolve(event.value)
        if not plain or self._plain_is_text:
            return event.value
        value = resolve(event.value)
        if not isinstance(value, str):
            self._typed = True
        return value

    def _check_tag(self, event: Any, *allowed: str) -> str:
        tag = event.tag
        if tag is None or tag == "!":
            return ""
        name = str(tag).removeprefix(_TAG_PREFIX)
        if name not in allowed:
            raise self._error(event, f"the tag {tag} would build an object and is not read")
        return name

    def _span(self, key_index: int, value_start: int, value_end: int) -> Span:
        text = self._text
        start = max(text.rfind("\n", 0, key_index), text.rfind("\r", 0, key_index)) + 1
        end = value_end
        if text[max(value_start, start) : end].endswith(("\n", "\r")):
            end = _last_own_line(text, start, end)
        else:
            rest = _LINE.match(text, end)
            end = rest.end() if rest else len(text)
        return Span(start, end, value_start, min(value_end, end))

    def _raw(self, span: Span, value: object) -> str:
        raw = self._text[span.value_start : span.value_end]
        if isinstance(value, (list, dict)) and raw and raw[0] not in "[{":
            # A block value keeps its first line's indentation, so that it can be read again.
            column = span.value_start - (self._text.rfind("\n", 0, span.value_start) + 1)
            return " " * column + raw
        return raw.strip()

    def _error(self, event: Any, message: str) -> HeaderError:
        return HeaderError(event.start_mark.line, message)


def _last_own_line(text: str, start: int, end: int) -> int:
    """Where a key's own lines end: blank lines and comments before the next key are not its."""
    own = start
    for line in _LINE.finditer(text, start, end):
        if line[0].strip() and not line[0].startswith("#"):
            own = line.end()
    return own


def _end(event: Any) -> int:
    return int(event.end_mark.index)


def _in_words(error: yaml.MarkedYAMLError, text: str) -> str:
    mark = error.problem_mark
    if mark is not None and text[mark.index : mark.index + 1] == "\t":
        return "not YAML: a tab cannot indent or begin a value"
    return f"not YAML: {error.problem or error.context or 'it cannot be parsed'}"


def _bad_character(text: str) -> int:
    bad = re.search("[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    return bad.start() if bad else 0


def _lines_before(text: str, offset: int) -> int:
    before = text[:offset]
    return before.count("\n") + before.count("\r") - before.count("\r\n")


def _is_comment(text: str) -> bool:
    return all(not line.strip() or line.lstrip().startswith("#") for line in text.splitlines())
