"""Cues that one statement takes back, changes or contradicts another (spec page 3, Matching).

They advise a match kind and decide nothing: a person rules on what they find. The words are in
``cue_words``; typographic apostrophes count as plain ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from proofstone.domain import cue_words, tokens

LIKENESS = 0.5
"""How much of the shorter statement must recur before an opposition is one (cue words aside)."""

_UNLIKE = 0.25
"""Below this share, cue words counted, no opposition is looked for."""

_SAME = 0.85
"""How like two negated statements must be before one negation more counts."""

_APOSTROPHES = re.compile("[\u2018\u2019\u02bc\u02bb\u2032\uff07\u00b4`]")


def plain(text: str) -> str:
    """``text`` in lower case, with every sort of apostrophe as the plain one."""
    if text.isascii():
        return text.lower().replace("`", "'")
    return _APOSTROPHES.sub("'", text.lower())


def contradiction(text: str) -> str:
    """The first cue that ``text`` takes something back, or an empty string."""
    return _first(
        cue_words.CONTRADICTION_LATIN,
        cue_words.CONTRADICTION_NEEDS,
        cue_words.CONTRADICTION_HAN,
        text,
    )


def update(text: str) -> str:
    """The first cue that ``text`` changes something, or an empty string."""
    return _first(cue_words.UPDATE_LATIN, cue_words.UPDATE_NEEDS, cue_words.UPDATE_HAN, text)


def opposition(one: str, other: str) -> str:
    """How two statements on one subject oppose each other, in words, or an empty string.

    They do when one negates what the other says, when each has the other's opposite word, or when
    they prefer opposite things. Statements that share little besides their subject do not.
    """
    return opposed(Words.of(one), Words.of(other))


def opposed(one: Words, other: Words) -> str:
    """Like ``opposition``, of statements whose words were found already."""
    if one.statement == other.statement:
        return ""
    left, right = _Side.of(one), _Side.of(other)
    if tokens.containment(left.distinct, right.distinct) < _UNLIKE:
        return ""
    return (
        _opposite_preference(left, right) or _opposite_words(left, right) or _negates(left, right)
    )


class Words(NamedTuple):
    """A statement and its words, repeats kept, and those that similarity counts."""

    statement: str
    every: tuple[str, ...]
    distinct: frozenset[str]

    @classmethod
    def of(cls, statement: str) -> Words:
        """The words of a statement."""
        every = tokens.words(statement)
        return cls(statement, every, tokens.distinctive_of(every))


@dataclass(frozen=True, slots=True)
class _Side:
    """One of two statements: its text with contractions spelt out, and its words."""

    text: str
    words: tuple[str, ...]
    distinct: frozenset[str]

    @classmethod
    def of(cls, said: Words) -> _Side:
        text = plain(said.statement)
        if "n't" in text:
            text = cue_words.CONTRACTED_NOT.sub("not", text)
        elif said.statement.isascii() or text == said.statement:
            # Case alone was changed, if anything, and that makes no other words.
            return cls(text, said.every, said.distinct)
        words = tokens.words(text)
        return cls(text, words, tokens.distinctive_of(words))

    def without(self, words: frozenset[str], han: re.Pattern[str] | None) -> frozenset[str]:
        """The distinct words that are none of ``words``, nor stand in what ``han`` matches."""
        if han is None or self.text.isascii():
            return self.distinct - words
        return tokens.distinctive(han.sub(" ", self.text)) - words

    def negations(self) -> list[str]:
        """Every negation, in no particular order."""
        found: list[str] = []
        if not cue_words.NEGATIONS.isdisjoint(self.words):
            found += (word for word in self.words if word in cue_words.NEGATIONS)
        if not self.text.isascii():
            found += (match[0].strip() for match in cue_words.NEGATION_HAN.finditer(self.text))
        return found


def _negates(left: _Side, right: _Side) -> str:
    mine, theirs = left.negations(), right.negations()
    if len(mine) == len(theirs):
        return ""
    rest = left.without(cue_words.NEGATIONS, cue_words.NEGATION_HAN)
    other_rest = right.without(cue_words.NEGATIONS, cue_words.NEGATION_HAN)
    if mine and theirs:
        same = tokens.jaccard_of(rest, other_rest) >= _SAME
        return "one has a negation that the other has not" if same else ""
    if tokens.containment(rest, other_rest) < LIKENESS:
        return ""
    return f"only one of the two is negated (“{(mine or theirs)[0]}”)"


def _opposite_words(left: _Side, right: _Side) -> str:
    # Each has one of a pair, or there is nothing to look for.
    mine = cue_words.OPPOSED.intersection(left.words)
    theirs = cue_words.OPPOSED.intersection(right.words) if mine else mine
    for pair in cue_words.OPPOSITES if theirs else ():
        for here, there in (pair, pair[::-1]):
            first, second = here & mine, there & theirs
            if not first or not second or there & mine or here & theirs:
                continue
            if tokens.containment(left.distinct - here, right.distinct - there) >= LIKENESS:
                return f"“{min(first)}” here, “{min(second)}” there"
    if left.text.isascii() or right.text.isascii():
        return ""
    return _opposite_han(left, right)


def _opposite_han(left: _Side, right: _Side) -> str:
    for pair in cue_words.OPPOSITES_HAN:
        for here, there in (pair, pair[::-1]):
            first, second = here.search(left.text), there.search(right.text)
            if not first or not second or there.search(left.text) or here.search(right.text):
                continue
            rest = left.without(frozenset(), here), right.without(frozenset(), there)
            if tokens.containment(*rest) >= LIKENESS:
                return f"“{first[0]}” here, “{second[0]}” there"
    return ""


def _opposite_preference(left: _Side, right: _Side) -> str:
    """``A instead of B`` against ``B instead of A``, or against a plain ``B``."""
    chosen, refused = _preference(left)
    their_chosen, their_refused = _preference(right)
    if refused == their_refused:
        return ""
    if (refused and refused not in their_chosen) or (their_refused and their_refused not in chosen):
        return ""
    if tokens.containment(left.distinct, right.distinct) < LIKENESS:
        return ""
    turned_down = " and ".join(sorted(filter(None, (refused, their_refused))))
    return f"one prefers what the other turns down ({turned_down})"


def _preference(side: _Side) -> tuple[frozenset[str], str]:
    """The words that a statement chooses, and the first word of what it turns down."""
    if not _has_any(cue_words.CONTRAST_NEEDS, side.text):
        return side.distinct, ""
    before, *after = cue_words.CONTRAST.split(side.text, maxsplit=1)
    if not after:
        return side.distinct, ""
    words = (word for word in tokens.words(after[0]) if word not in cue_words.FILLERS)
    return tokens.distinctive(before), next(words, "")


def _first(
    latin: re.Pattern[str], latin_needs: tuple[str, ...], han: re.Pattern[str], text: str
) -> str:
    lowered = plain(text)
    found = latin.search(lowered) if _has_any(latin_needs, lowered) else None
    if found is None and not lowered.isascii():
        found = han.search(lowered)
    return found[0] if found else ""


def _has_any(parts: Iterable[str], text: str) -> bool:
    """Whether one of ``parts`` stands in ``text``: far sooner told than that a pattern does not."""
    return any(map(text.__contains__, parts))
