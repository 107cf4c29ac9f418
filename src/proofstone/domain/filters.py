"""The filter language of the queue and of the memories (spec page 7, Behaviour).

A filter is a row of terms that all must hold: ``key:value`` terms on what a row is, and free words
that are matched fuzzily against what it says. A leading ``-`` turns a term round. Double quotes
keep a colon or spaces inside a free word.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta

from proofstone.domain.late_pattern import late_pattern

FUZZY_THRESHOLD = 80.0
"""Score, 0–100, from which a free word counts as found; one slip in a five-letter word passes."""

_EXACT_BELOW = 4
"""Characters under which a free word must occur as it is: short words fuzz into everything."""

_TERM = late_pattern(r'(-?)(?:([A-Za-z_]+):)?(?:"([^"]*)"?|(\S+))')
_AGE = late_pattern(r"(>=|<=|>|<|)(\d+)(m|h|d|w)")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}
_YES = {"yes": True, "true": True, "no": False, "false": False}


class FilterError(ValueError):
    """A filter that cannot be understood: says which term, and what would be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Filterable:
    """What a row offers to filters. ``age`` is how long it has been waiting or held."""

    text: str
    identifier: str
    layer: str = ""
    risk: str = ""
    match: str = ""
    verdict: str = ""
    state: str = ""
    source: str = ""
    origin: str = ""
    trust: str = ""
    type: str = ""
    kind: str = ""
    turn: str = ""
    scopes: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    taint: bool = False
    eligible: bool = False
    reviewed: bool = True
    age: timedelta = timedelta()


Test = Callable[[Filterable], bool]


@dataclass(frozen=True, slots=True)
class Filter:
    """A parsed filter; an empty one lets everything through."""

    text: str
    tests: tuple[Test, ...] = ()

    def matches(self, row: Filterable) -> bool:
        """Whether every term holds for ``row``."""
        return all(test(row) for test in self.tests)


def parse(text: str) -> Filter:
    """Read a filter.

    Raises:
        FilterError: an unknown key, or a value that its key does not take.
    """
    tests: list[Test] = []
    words: list[Test] = []
    for negation, key, quoted, bare in _TERM.findall(text):
        value, name = quoted or bare, key.lower()
        if name in _KEYS:
            test, place = _KEYS[name](name, value), tests
        elif not key or (bare and "://" in f"{key}:{bare}"):
            word = f"{key}:{bare}" if key else value
            if not word:
                continue
            test, place = _free_word(word), words
        else:
            raise FilterError(f"no filter key “{key}:”; there are {', '.join(KEYS)}")
        place.append(_negated(test) if negation else test)
    # Words take longest to look for: they come last, where the other terms left less to look at.
    return Filter(text=text.strip(), tests=(*tests, *words))


def _negated(test: Test) -> Test:
    return lambda row: not test(row)


def _free_word(word: str) -> Test:
    # Loaded with the first word: a first picture has no filter, and need not wait for it.
    from rapidfuzz import fuzz

    needle = word.casefold()

    def test(row: Filterable) -> bool:
        text = row.text.casefold()
        if needle in text or row.identifier.startswith(needle):
            return True
        if len(needle) < _EXACT_BELOW:
            return False
        return fuzz.partial_ratio(needle, text, score_cutoff=FUZZY_THRESHOLD) > 0

    return test


def _part(attribute: str) -> Callable[[str, str], Test]:
    """A key whose value must occur in the row's word: ``match:conflict`` is enough."""

    def make(_: str, value: str) -> Test:
        wanted = value.casefold()
        return lambda row: wanted in getattr(row, attribute).casefold()

    return make


def _whole(attribute: str) -> Callable[[str, str], Test]:
    """A key whose value must be the row's word."""

    def make(_: str, value: str) -> Test:
        wanted = value.casefold()
        return lambda row: wanted == getattr(row, attribute).casefold()

    return make


def _member(attribute: str) -> Callable[[str, str], Test]:
    """A key whose value must be one of the row's words."""

    def make(_: str, value: str) -> Test:
        wanted = value.casefold()
        return lambda row: any(wanted == item.casefold() for item in getattr(row, attribute))

    return make


def _scope(_: str, value: str) -> Test:
    """``scope:project`` is any project, ``scope:project:orion`` that one."""
    wanted = value.casefold()
    return lambda row: any(
        scope.casefold() == wanted or scope.casefold().startswith(wanted + ":")
        for scope in row.scopes
    )


def _flag(attribute: str) -> Callable[[str, str], Test]:
    def make(key: str, value: str) -> Test:
        wanted = _YES.get(value.casefold())
        if wanted is None:
            raise FilterError(f"{key}: takes yes or no, not “{value}”")
        return lambda row: getattr(row, attribute) is wanted

    return make


def _age(_: str, value: str) -> Test:
    parts = _AGE.fullmatch(value)
    if parts is None:
        raise FilterError(f"age: takes a bound such as >7d or <12h, not “{value}”")
    relation, amount, unit = parts.groups()
    bound = timedelta(**{_UNITS[unit]: min(int(amount), 10**6)})
    if relation in ("<", "<="):
        return lambda row: row.age <= bound
    return lambda row: row.age >= bound


_KEYS: Mapping[str, Callable[[str, str], Test]] = {
    "layer": _whole("layer"),
    "risk": _whole("risk"),
    "match": _part("match"),
    "verdict": _part("verdict"),
    "state": _part("state"),
    "source": _part("source"),
    "origin": _whole("origin"),
    "trust": _part("trust"),
    "type": _whole("type"),
    "kind": _whole("kind"),
    "turn": _part("turn"),
    "scope": _scope,
    "tag": _member("tags"),
    "taint": _flag("taint"),
    "eligible": _flag("eligible"),
    "reviewed": _flag("reviewed"),
    "age": _age,
}
KEYS: tuple[str, ...] = tuple(_KEYS)
"""The keys of the language, for completion and help."""
