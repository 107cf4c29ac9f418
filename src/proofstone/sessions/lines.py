"""Session files as numbered items: lines of JSON, the parts of one JSON document, lines of text.

Each is read as a stream; what is too long to be held is skipped and said.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import BinaryIO, NamedTuple

MAX_LINE_BYTES = 16 * 1024 * 1024
"""A longer line, or part of a JSON document, is skipped and reported (docs/limits.md)."""

_CHUNK = 256 * 1024
_SPACE = " \t\r\n"
_BLANK = b" \t\r\n\xef\xbb\xbf"


class Item(NamedTuple):
    """One item: the line it begins on, the byte offsets of its line, and its value.

    ``fault`` says why it cannot be read; ``is_unfinished`` that its end may still be written.
    """

    line: int
    start: int
    end: int
    value: object
    fault: str = ""
    is_unfinished: bool = False


def json_lines(stream: BinaryIO, offset: int = 0, line: int = 1) -> Iterator[Item]:
    """Every line of a JSONL file from ``offset``, where line ``line`` begins; no blank ones."""
    stream.seek(offset)
    new, readline, limit = tuple.__new__, stream.readline, MAX_LINE_BYTES + 1
    while data := readline(limit):
        start = offset
        offset += len(data)
        if len(data) > MAX_LINE_BYTES:
            offset += _rest_of_line(stream, data)
            fault = f"longer than {MAX_LINE_BYTES // 1024 // 1024} MiB"
            yield Item(line, start, offset, None, fault)
        else:
            try:
                # Without the call that a named tuple's own constructor is; there are many lines.
                yield new(Item, (line, start, offset, _value(data), "", False))
            except (ValueError, RecursionError) as error:
                if data.strip(_BLANK):
                    is_last = not data.endswith(b"\n")
                    yield _unread(data, line, start, offset, error, is_last)
        line += 1


def _value(data: bytes) -> object:
    """The value of a line; quicker than ``json.loads`` where nothing stands around it."""
    text = data.decode("utf-8")
    if text[0] not in "{[":
        return json.loads(text.removeprefix("\ufeff"))
    value, end = _decode(text, 0)
    rest = text[end:]
    if rest != "\n" and rest and not rest.isspace():
        return json.loads(text)
    return value


def text_lines(stream: BinaryIO) -> Iterator[Item]:
    """Every line of a text file; bytes that are not UTF-8 are replaced and said."""
    offset = 0
    for line, data in enumerate(iter(lambda: stream.readline(MAX_LINE_BYTES + 1), b""), 1):
        start = offset
        offset += len(data)
        if len(data) > MAX_LINE_BYTES:
            offset += _rest_of_line(stream, data)
            yield Item(line, start, offset, None, f"longer than {MAX_LINE_BYTES // 2**20} MiB")
            continue
        try:
            text = data.decode("utf-8-sig" if line == 1 else "utf-8")
        except UnicodeDecodeError:
            yield Item(line, start, offset, None, "not UTF-8")
            continue
        yield Item(line, start, offset, text.rstrip("\r\n"))


def json_document(stream: BinaryIO, keys: tuple[str, ...]) -> Iterator[Item]:
    """The elements of a document that is a list, or of the lists that an object has under
    ``keys``; an object without such a list is one item. What follows a fault is not read.
    """
    reader = _Document(stream)
    try:
        yield from reader.items(keys)
    except _BadDocumentError as error:
        yield Item(error.line, 0, 0, None, error.reason)


def _unread(data: bytes, line: int, start: int, end: int, error: Exception, is_last: bool) -> Item:
    if b"\x00" in data:
        reason = "holds NUL bytes, as after a crash"
    elif isinstance(error, UnicodeDecodeError):
        reason = "not UTF-8"
    elif isinstance(error, RecursionError):
        reason = "JSON nested too deeply"
    elif isinstance(error, json.JSONDecodeError):
        reason = f"not JSON (character {error.pos + 1})"
    else:
        reason = "not JSON"
    return Item(line, start, end, None, reason, is_unfinished=is_last)


def _rest_of_line(stream: BinaryIO, data: bytes) -> int:
    """Read to the end of a line that is too long, and say how long the rest was."""
    size = 0
    while data and not data.endswith(b"\n"):
        data = stream.readline(_CHUNK)
        size += len(data)
    return size


class _BadDocumentError(Exception):
    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line
        self.reason = reason


@dataclass(slots=True)
class _Document:
    """A JSON document that is decoded value by value from a buffer that is refilled."""

    stream: BinaryIO
    text: str = ""
    at: int = 0
    line: int = 1
    is_whole: bool = False

    def items(self, keys: tuple[str, ...]) -> Iterator[Item]:
        opening = self.peek()
        if opening == "[":
            yield from self.elements()
        elif opening == "{":
            yield from self.members(keys)
        else:
            raise _BadDocumentError(self.line, "neither a JSON list nor an object")
        if self.peek():
            raise _BadDocumentError(self.line, "text after the end of the document")

    def elements(self) -> Iterator[Item]:
        """The elements of the list that begins here."""
        self.at += 1
        if self.peek() == "]":
            self.at += 1
            return
        while True:
            self.peek()
            line = self.line
            yield Item(line, 0, 0, self.value())
            if self.comma("]"):
                return

    def members(self, keys: tuple[str, ...]) -> Iterator[Item]:
        """The elements of the object's lists under ``keys``, in the order of the document."""
        line = self.line
        plain: dict[str, object] = {}
        self.at += 1
        if self.peek() == "}":
            self.at += 1
            return
        while True:
            if self.peek() != '"':
                raise self.bad("a key in quotes is missing")
            key = self.value()
            if self.peek() != ":":
                raise self.bad("a colon is missing")
            self.at += 1
            if key in keys and self.peek() == "[":
                yield from self.elements()
            else:
                self.peek()
                plain[str(key)] = self.value()
            if self.comma("}"):
                break
        rest = {key: plain[key] for key in ("role", *keys) if isinstance(plain.get(key), str)}
        if rest:
            yield Item(line, 0, 0, plain)

    def comma(self, closing: str) -> bool:
        """Step over a comma (False) or the closing bracket (True)."""
        found = self.peek()
        if found not in (",", closing):
            raise self.bad("a comma or a closing bracket is missing")
        self.at += 1
        return found == closing

    def value(self) -> object:
        """Decode the value that begins here, reading on until it is whole."""
        wanted = _CHUNK
        while True:
            try:
                value, end = _decode(self.text, self.at)
            except (ValueError, RecursionError) as error:
                if self.is_whole or isinstance(error, RecursionError):
                    raise self.bad("not JSON") from error
            else:
                # A number at the buffer's end may go on behind it.
                if end < len(self.text) or self.is_whole:
                    self.line += self.text.count("\n", self.at, end)
                    self.at = end
                    return value
            if len(self.text) - self.at > MAX_LINE_BYTES:
                raise _BadDocumentError(
                    self.line, f"a value longer than {MAX_LINE_BYTES // 2**20} MiB, or not JSON"
                )
            self.fill(wanted)
            wanted *= 2

    def peek(self) -> str:
        """The next character that is no white space; empty at the end of the file."""
        while True:
            while self.at < len(self.text) and self.text[self.at] in _SPACE:
                self.line += self.text[self.at] == "\n"
                self.at += 1
            if self.at < len(self.text):
                return self.text[self.at]
            if self.is_whole:
                return ""
            self.fill(_CHUNK)

    def fill(self, size: int) -> None:
        """Read on; what was used is dropped."""
        data = self.stream.read(size)
        self.is_whole = not data
        # A character that is cut in two is completed byte by byte.
        for _ in range(4):
            try:
                text = data.decode("utf-8")
                break
            except UnicodeDecodeError as error:
                more = self.stream.read(1) if error.end >= len(data) else b""
                if not more:
                    raise _BadDocumentError(self.line, "not UTF-8") from error
                data += more
        else:
            raise _BadDocumentError(self.line, "not UTF-8")
        first = not self.text and not self.at
        self.text = self.text[self.at :] + (text.removeprefix("\ufeff") if first else text)
        self.at = 0

    def bad(self, reason: str) -> _BadDocumentError:
        """What is wrong here: an end that is missing, or what the caller says."""
        at_end = self.is_whole and not self.text[self.at :].strip(_SPACE)
        return _BadDocumentError(self.line, "the document has no end" if at_end else reason)


_decode: Callable[[str, int], tuple[object, int]] = json.JSONDecoder().raw_decode
