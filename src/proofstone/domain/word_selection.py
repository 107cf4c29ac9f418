"""Choosing words within a text, by whole words (spec page 6, Person as Gate)."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass, replace

# Scripts that do not space their words are chosen character by character. What joins the parts of
# a name, a path or a number belongs to the word; any other sign is a word of its own.
_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(
    f"[{_UNSPACED}]|(?:(?![{_UNSPACED}])\\w)+(?:['’.,/:@-](?:(?![{_UNSPACED}])\\w)+)*|\\S"
)


def word_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where each word of ``text`` begins and ends, in order."""
    return tuple(match.span() for match in _WORD.finditer(text))


@dataclass(frozen=True, slots=True, kw_only=True)
class WordSelection:
    """A run of whole words: from number ``first`` to number ``last``, both chosen."""

    words: tuple[tuple[int, int], ...]
    first: int = 0
    last: int = 0

    @classmethod
    def of(cls, text: str) -> WordSelection | None:
        """The first word of ``text``, or None when there is none."""
        words = word_spans(text)
        return cls(words=words) if words else None

    @property
    def span(self) -> tuple[int, int]:
        """Where the chosen words begin and end in the text."""
        return self.words[self.first][0], self.words[self.last][1]

    def end_moved(self, by: int) -> WordSelection:
        """With ``by`` more words at the end, or fewer; at least one stays."""
        last = min(max(self.last + by, self.first), len(self.words) - 1)
        return replace(self, last=last)

    def start_moved(self, by: int) -> WordSelection:
        """Beginning ``by`` words later, or earlier; a single word moves along."""
        first = min(max(self.first + by, 0), len(self.words) - 1)
        return replace(self, first=first, last=max(self.last, first))

    def between(self, one: int, other: int) -> WordSelection:
        """From the word at one offset to the word at another, in either order."""
        places = sorted((self._at(one), self._at(other)))
        return replace(self, first=places[0], last=places[1])

    def whole(self) -> WordSelection:
        """All the words."""
        return replace(self, first=0, last=len(self.words) - 1)

    def _at(self, offset: int) -> int:
        """The number of the word at ``offset``, or the one before it."""
        return max(bisect_right(self.words, offset, key=lambda span: span[0]) - 1, 0)
