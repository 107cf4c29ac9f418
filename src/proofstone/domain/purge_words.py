"""The words of a purge: which texts have to be gone, and where another text holds them.

Texts of some length are *distinctive*: wherever they stand, they were said about this. Short ones
(``yes``, a name) would be found everywhere, so they are removed only where they stand as a whole
or are known to stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from proofstone.domain import ids
from proofstone.domain.evidence_records import excerpt_hash
from proofstone.domain.purge_text import FILLER, Span, letters, merged, occurrences, says
from proofstone.domain.tombstone_index import SHORT_HASH

DISTINCTIVE = 12
"""How much a text must weigh to be looked for everywhere; see ``weight``."""
DISTINCTIVE_STATEMENT = 6
"""The same for a statement of two words or more: it says something already."""
SAID_AGAIN = 4
"""How much a statement must weigh for a captured clause about it to go when it repeats it."""
SENTENCE = 20
"""How much one sentence of a statement must weigh to be looked for by itself."""
WINDOW = 12
"""A captured clause that shares this many characters with the words was about them."""

_RUN = 10
_DENSE_RUN = 5
_DENSE = 0x2E7F
"""Characters after this one (Han, kana, hangul, emoji) say as much as several Latin letters."""
_DENSE_WEIGHT = 3
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])|[\r\n]+")


def weight(text_letters: str) -> int:
    """How much letters say: one each, three for those of a dense script, none for fillers."""
    return sum(
        _DENSE_WEIGHT if ord(letter) > _DENSE else 1 for letter in text_letters if letter != FILLER
    )


@dataclass(frozen=True, slots=True)
class PurgedWords:
    """The texts that a purge removes, made ready for looking for them.

    ``texts`` are the texts themselves; ``needles`` the letters of those that are looked for
    everywhere; ``wholes`` the letters of every statement, which are removed where they are a whole
    clause or field; ``hashes`` what unkeyed hashes of the texts would be.
    """

    texts: tuple[str, ...]
    needles: tuple[str, ...]
    wholes: frozenset[str]
    hashes: frozenset[str]
    _bare: frozenset[str] = field(repr=False)
    _windows: frozenset[str] = field(repr=False)
    _runs: frozenset[str] = field(repr=False)

    @classmethod
    def of(cls, statements: Iterable[str], others: Iterable[str] = ()) -> PurgedWords:
        """The words of ``statements`` and of ``others``: titles, quotes and excerpts."""
        said = tuple(dict.fromkeys(filter(None, statements)))
        texts = tuple(dict.fromkeys((*said, *filter(None, others))))
        by_text = {text: letters(text) for text in texts}
        needles = {found for found in by_text.values() if weight(found) >= DISTINCTIVE}
        for statement in said:
            if len(statement.split()) > 1 and weight(by_text[statement]) >= DISTINCTIVE_STATEMENT:
                needles.add(by_text[statement])
            sentences = map(letters, _SENTENCE_END.split(statement))
            needles.update(found for found in sentences if weight(found) >= SENTENCE)
        return cls(
            texts=texts,
            needles=tuple(sorted(needles, key=lambda found: (-len(found), found))),
            wholes=frozenset(by_text[text] for text in said if says(text)),
            hashes=frozenset(
                digest
                for text in texts
                for whole in (ids.content_hash(text),)
                for digest in (whole, whole[:SHORT_HASH], excerpt_hash(text))
            ),
            _bare=frozenset(text.strip() for text in said if not says(text)),
            _windows=frozenset(window for text in texts for window in _windows(text, WINDOW)),
            _runs=frozenset(run for found in by_text.values() for run in _runs(found)),
        )

    def spans(self, text: str) -> tuple[Span, ...]:
        """Where ``text`` holds any of the words, wherever it stands."""
        return occurrences(text, self.needles)

    def are_in(self, text: str) -> bool:
        """Whether ``text`` holds any of the words."""
        present = letters(text)
        return any(needle in present for needle in self.needles)

    def may_be_in(self, text: str) -> bool:
        """Whether ``text`` may hold anything that is to go, a short statement among them."""
        present = letters(text)
        if any(each in present for each in (*self.needles, *self.wholes)):
            return True
        return any(bare in text for bare in self._bare)

    def is_whole(self, text: str) -> bool:
        """Whether ``text`` is one of the statements, or nothing but distinctive words."""
        present = letters(text)
        if not present:
            return text.strip() in self._bare
        return present in self.wholes or present in self.needles

    def overlap(self, text: str) -> bool:
        """Whether ``text``, known to be about the same, repeats a part of the words."""
        if any(window in self._windows for window in _windows(text, WINDOW)):
            return True
        present = letters(text)
        if any(run in self._runs for run in _runs(present)):
            return True
        return any(whole in present for whole in self.wholes if weight(whole) >= SAID_AGAIN)

    def overlaps(self, text: str) -> tuple[Span, ...]:
        """Where ``text`` repeats parts of the words, character by character."""
        folded = _folded(text)
        found = [
            (place, place + WINDOW)
            for place in range(len(folded) - WINDOW + 1)
            if folded[place : place + WINDOW] in self._windows
        ]
        return merged((*found, *self.spans(text)))


def _folded(text: str) -> str:
    """``text`` in lower case and with plain spaces, as long as it was."""
    return "".join(
        " " if character.isspace() else low if len(low := character.lower()) == 1 else character
        for character in text
    )


def _windows(text: str, length: int) -> Iterable[str]:
    folded = _folded(text)
    return (folded[place : place + length] for place in range(len(folded) - length + 1))


def _runs(text_letters: str) -> Iterable[str]:
    """Every run of letters that is long enough to be no accident."""
    for place in range(len(text_letters)):
        dense = text_letters[place : place + _DENSE_RUN]
        if len(dense) == _DENSE_RUN and all(ord(letter) > _DENSE for letter in dense):
            yield dense
        run = text_letters[place : place + _RUN]
        if len(run) == _RUN:
            yield run
