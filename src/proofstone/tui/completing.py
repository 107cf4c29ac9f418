"""Completing a filter while it is typed: names of keys, their values, saved filters (page 7)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from proofstone.domain.filters import KEYS, Filterable
from proofstone.domain.records import Layer
from proofstone.domain.verification import VerificationStatus
from proofstone.tui.words import MATCH_SHORT, RISK_STYLE

SAVED = "@"
"""What the name of a saved filter begins with in the line."""
MOST_ROWS = 1_000
"""Rows that values are gathered from: what comes first in a list is what is looked for."""

_FLAG = ("yes", "no")
_FIXED: Mapping[str, tuple[str, ...]] = {
    "layer": tuple(layer.value for layer in Layer),
    "risk": tuple(RISK_STYLE),
    "match": tuple(MATCH_SHORT.values()),
    "verdict": tuple(status.value for status in VerificationStatus),
    "taint": _FLAG,
    "eligible": _FLAG,
    "reviewed": _FLAG,
    "age": (">1d", ">7d", ">30d", "<1d", "<7d"),
}
"""Keys whose values are known without looking at a vault."""

_WHOLE = frozenset(("layer", "risk", "taint", "eligible", "reviewed"))
"""Those of them whose value must be one of these, and not only occur in one."""

_GATHERED = ("state", "source", "origin", "trust", "type", "kind", "turn")


@dataclass(frozen=True, slots=True)
class Completion:
    """What is offered, and the whole line if it is taken."""

    word: str
    line: str


def values_of(rows: Iterable[Filterable]) -> dict[str, tuple[str, ...]]:
    """The values that each key takes in these rows, the most frequent first."""
    counted: dict[str, dict[str, int]] = {key: {} for key in (*_GATHERED, "scope", "tag")}

    def add(key: str, value: str) -> None:
        if value and not any(letter.isspace() for letter in value):
            counted[key][value] = counted[key].get(value, 0) + 1

    for row in islice(rows, MOST_ROWS):
        for key in _GATHERED:
            add(key, getattr(row, key))
        for scope in row.scopes:
            add("scope", scope)
        for tag in row.tags:
            add("tag", tag)
    found = {
        key: tuple(sorted(values, key=lambda value: (-values[value], value)))
        for key, values in counted.items()
    }
    return {**found, **_FIXED}


def completions(
    text: str, values: Mapping[str, Sequence[str]], saved: Mapping[str, str]
) -> list[Completion]:
    """What the last term of ``text`` may become, what begins with it first."""
    head, term = _last_term(text)
    if term.startswith(SAVED) or not text:
        wanted = term.removeprefix(SAVED).casefold()
        named = [
            Completion(f"{SAVED}{name}", f"{head}{line}")
            for name, line in saved.items()
            if wanted in name.casefold()
        ]
        if term:
            return named
        return named + [Completion(f"{key}:", f"{key}:") for key in KEYS]
    sign = "-" if term.startswith("-") else ""
    key, colon, typed = term[len(sign) :].partition(":")
    if not colon:
        return [
            Completion(f"{name}:", f"{head}{sign}{name}:")
            for name in KEYS
            if name.startswith(key.casefold())
        ]
    known = values.get(key.casefold(), ())
    wanted = typed.casefold()
    begin = [value for value in known if value.casefold().startswith(wanted)]
    hold = [value for value in known if wanted in value.casefold() and value not in begin]
    return [
        Completion(value, f"{head}{sign}{key}:{value} ")
        for value in (*begin, *hold)
        if value.casefold() != wanted
    ]


def completed(text: str) -> str:
    """``text`` with its last value written out, where it begins one of a few that its key takes.

    ``risk:h`` lets nothing through, and can only mean ``risk:high``.
    """
    head, term = _last_term(text)
    key, colon, typed = term.partition(":")
    known = _FIXED.get(key.removeprefix("-").casefold(), ()) if typed else ()
    if key.removeprefix("-").casefold() not in _WHOLE or typed.casefold() in map(
        str.casefold, known
    ):
        return text
    begun = [value for value in known if value.casefold().startswith(typed.casefold())]
    return f"{head}{key}{colon}{begun[0]}" if len(begun) == 1 else text


def _last_term(text: str) -> tuple[str, str]:
    head, space, term = text.rpartition(" ")
    return head + space, term
