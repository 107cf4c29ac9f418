"""What a header says, whichever of the two readers read it (spec page 5, Notes)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from proofstone.domain.late_pattern import late_pattern

MAX_DIGITS = 400
"""A longer number is kept as text."""

_INTEGER = late_pattern(r"[-+]?[0-9]+")
_BASED = late_pattern(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = late_pattern(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_SPECIAL_FLOAT = late_pattern(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_WORDS: dict[str, bool | None] = {
    "": None,
    "~": None,
    **dict.fromkeys(("null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something unreadable: its line in the file (from 1), why, and the key if only one is hit."""

    line: int
    message: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class Span:
    """Where a top-level key stands in the header text, as character offsets.

    ``start`` is where its line starts, ``end`` where the line after its last one starts;
    ``value_start`` and ``value_end`` enclose the value itself.
    """

    start: int
    end: int
    value_start: int
    value_end: int


@dataclass(frozen=True, slots=True)
class Header:
    """The keys of a header. ``spans`` is empty when the quick reader read it."""

    fields: dict[str, object]
    raw: dict[str, str]
    lines: dict[str, int]
    faults: tuple[Fault, ...] = ()
    spans: Mapping[str, Span] = field(default_factory=dict)


def resolve(text: str) -> str | int | float | bool | None:
    """What a plain scalar is by YAML 1.2's core rules."""
    if text in _WORDS:
        return _WORDS[text]
    if len(text) > MAX_DIGITS:
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if _SPECIAL_FLOAT.fullmatch(text):
        return float(text.replace(".", "", 1))
    return text
