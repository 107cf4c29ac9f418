"""Reading a note: where its frontmatter is, what its keys hold, and what is wrong with it.

Scalars follow YAML 1.2's core rules (spec page 5, Notes): a date, ``yes``, ``no`` and ``on`` stay
text; only ``true``/``false``, ``null``/``~`` and numbers are more than text. The subset that
memleaf and Proofstone write is read by ``plain_header``; everything else by ``yaml_header``, which
gives equal results and knows where each key stands.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from proofstone.domain.late_pattern import late_pattern
from proofstone.vault.header import Fault, Header
from proofstone.vault.plain_header import read_plain
from proofstone.vault.reading import MAX_NOTE_BYTES

BOM = b"\xef\xbb\xbf"

_OPENING = late_pattern(rb"---[ \t]*(\r\n|\n|\r)")
_CLOSING = late_pattern(rb"^---[ \t]*(?:\r\n|\n|\r|\Z)", re.M)
_CLOSING_AFTER_CR = late_pattern(rb"(?:(?<=\r)|^)---[ \t]*(?:\r\n|\n|\r|\Z)", re.M)
_SECOND_BLOCK = late_pattern(
    r"[ \t\r\n]*^---[ \t]*\r?\n(?:[\w.-]+:(?:[ \t].*)?\n|[\w.-]+:\r\n|[ \t]+.*\n)+---[ \t]*\r?$",
    re.M,
)
_CONFLICT_MARKS = tuple(
    late_pattern(rf"^{mark}(?: .*)?\r?$", re.M) for mark in ("<{7}", "={7}", ">{7}")
)
_CONFLICT_IN_HEADER = late_pattern(r"^(?:<{7}|={7}|>{7})(?:[ \t].*)?\r?$", re.M)


@dataclass(frozen=True, slots=True)
class Split:
    """A file cut in five: joined again, the parts are the file, byte for byte."""

    bom: bytes
    opening: bytes
    header: bytes
    closing: bytes
    body: bytes

    @property
    def newline(self) -> str:
        """The line end of the note, taken from its first line."""
        return self.opening.lstrip(b"- \t").decode("ascii")


@dataclass(frozen=True, slots=True)
class NoteText:
    """What a note says.

    ``fields`` holds each readable key's value; ``raw`` the source text of every value that is not
    plainly text (numbers, faulty keys); ``lines`` the line of each key, from 1; ``faults`` what
    could not be read. A fault without a key means that the whole note is unreadable.
    """

    fields: Mapping[str, object]
    raw: Mapping[str, str]
    body: str
    faults: tuple[Fault, ...] = ()
    lines: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_readable(self) -> bool:
        """Whether the note can be shown as what it is, perhaps with single keys at fault."""
        return all(fault.key for fault in self.faults)

    def as_text(self, key: str) -> object:
        """The value of ``key`` where text is expected: every plain scalar is what was written."""
        raw = self.raw.get(key)
        if raw is None or not self.is_readable or key not in self.fields:
            return self.fields.get(key)
        from proofstone.vault.yaml_header import read_text_value

        return read_text_value(raw)


def split(data: bytes) -> Split | Fault:
    """Cut a note at its two ``---`` lines, or say why that cannot be done."""
    bom = BOM if data.startswith(BOM) else b""
    opening = _OPENING.match(data, len(bom))
    if opening is None:
        return Fault(1, "a note starts with a line ---, then its keys, then another line ---")
    start = opening.end()
    pattern = _CLOSING if opening[1] != b"\r" else _CLOSING_AFTER_CR
    closing = pattern.search(data, start)
    if closing is None:
        return Fault(1, "the line --- that ends the keys is missing")
    return Split(
        bom,
        data[len(bom) : start],
        data[start : closing.start()],
        data[closing.start() : closing.end()],
        data[closing.end() :],
    )


def parse(data: bytes) -> NoteText:
    """Read a note's bytes. Never raises: whatever is wrong is in ``faults``."""
    fault = _unfit(data)
    if fault is not None:
        return _unreadable(fault)
    parts = split(data)
    if isinstance(parts, Fault):
        return _unreadable(parts)
    header_text = parts.header.decode("utf-8")
    body = parts.body.decode("utf-8")
    if "<<<<<<<" in header_text or "=======" in header_text or ">>>>>>>" in header_text:
        marker = _CONFLICT_IN_HEADER.search(header_text)
        if marker is not None:
            line = 2 + _line_breaks(header_text[: marker.start()])
            return _unreadable(Fault(line, "a merge conflict was left unresolved here"))
    header = read_header(header_text)
    faults = header.faults
    if "---" in body or "<<<<<<<" in body:
        faults += _body_faults(parts, header_text, body)
    return NoteText(header.fields, header.raw, body_text(parts, body), faults, header.lines)


def read_header(text: str) -> Header:
    """Read the lines between the two ``---``; line numbers count from the opening ``---``."""
    plain = read_plain(text)
    if plain is not None:
        return plain
    from proofstone.vault.yaml_header import read_yaml  # late: most notes are in the plain subset

    return read_yaml(text)


def body_text(parts: Split, body: str | None = None) -> str:
    """The body without the blank line before it and the line end after it.

    In a note with CRLF line ends these are given as LF; in any other the text is verbatim.
    """
    text = parts.body.decode("utf-8") if body is None else body
    if parts.newline == "\r\n":
        text = text.replace("\r\n", "\n")
    elif parts.newline == "\r":
        text = text.replace("\r", "\n")
    return text.removeprefix("\n").removesuffix("\n")


def _unfit(data: bytes) -> Fault | None:
    if len(data) > MAX_NOTE_BYTES:
        limit = MAX_NOTE_BYTES // (1024 * 1024)
        return Fault(1, f"the file is larger than {limit} MiB")
    nul = data.find(b"\0")
    if nul >= 0:
        return Fault(_byte_line(data, nul), "the file holds a NUL byte, so it is not text")
    if not data.isascii():
        try:
            data.decode("utf-8")
        except UnicodeDecodeError as error:
            line = _byte_line(data, error.start)
            return Fault(line, f"byte 0x{data[error.start]:02x} is not UTF-8")
    return None


def _body_faults(parts: Split, header: str, body: str) -> tuple[Fault, ...]:
    first_line = 3 + _line_breaks(header)
    second = _SECOND_BLOCK.match(body)
    if second is not None:
        line = first_line + _line_breaks(body[: body.index("---")])
        # Directly below the first block it can only be a broken header; below a blank line it
        # may be the words that somebody wants remembered.
        key = "" if body.startswith("---") else "body"
        return (Fault(line, "a second block of keys starts here", key),)
    conflict = _conflict(body)
    if conflict >= 0:
        line = first_line + _line_breaks(body[:conflict])
        return (Fault(line, "a merge conflict was left unresolved here", "body"),)
    return ()


def _conflict(text: str) -> int:
    """Where the three marks of a merge conflict stand in their order, or -1."""
    start, position = -1, 0
    for mark in _CONFLICT_MARKS:
        found = mark.search(text, position)
        if found is None:
            return -1
        start = found.start() if start < 0 else start
        position = found.end()
    return start


def _unreadable(fault: Fault) -> NoteText:
    return NoteText({}, {}, "", (fault,))


def _line_breaks(text: str) -> int:
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def _byte_line(data: bytes, offset: int) -> int:
    before = data[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
