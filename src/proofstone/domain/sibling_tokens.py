"""What the sibling metric counts: the distinct tokens of a text (spec page 4, Siblings).

A token is a run of letters and digits, in lower case. Scripts that are written without spaces
have no such runs to compare, so there a run gives overlapping character pairs. A run of up to
three characters is a word by itself and stays whole, as the spaced words of the vectors do.
"""

from __future__ import annotations

import re
import unicodedata
from operator import add

SIGNIFICANT_LENGTH = 3
"""Tokens of at least this many characters are significant; pairs of unspaced scripts always."""

_WHOLE_RUN = 3
"""The longest run of an unspaced script that is one token."""

# Han, kana, Hangul, bopomofo, then Thai, Lao, Myanmar and Khmer.
_UNSPACED = (
    "\u3005-\u3007\u3021-\u3029\u3041-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9d\U00020000-\U0003fffd"
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17d3"
)


def _vowel_signs() -> str:
    """The marks without which words of the Semitic, Indic and Southeast Asian scripts fall apart.

    Accents of Latin, Greek and Cyrillic are not among them: a decomposed accent ends a token.
    """
    blocks = (range(0x0591, 0x10A0), range(0x1780, 0x17D4))
    return "".join(
        chr(code)
        for block in blocks
        for code in block
        if unicodedata.category(chr(code)) in ("Mn", "Mc")
    )


_RUN = re.compile(rf"(?:[^\W_]|[{_vowel_signs()}])+")
# Three times as quick as a pattern for text that is all ASCII.
_ONLY_SPACES_BETWEEN = {code: " " for code in range(128) if not chr(code).isalnum()}
_PIECE = re.compile(rf"([{_UNSPACED}]+)|[^{_UNSPACED}]+")
_UNSPACED_CHARACTER = re.compile(rf"[{_UNSPACED}]")


def tokens(text: str) -> frozenset[str]:
    """The distinct tokens of ``text``."""
    if text.isascii():
        return frozenset(text.lower().translate(_ONLY_SPACES_BETWEEN).split())
    found: set[str] = set()
    for run in _RUN.findall(text):
        if run.isascii():
            found.add(run.lower())
            continue
        for piece in _PIECE.finditer(run):
            unspaced = piece[1]
            if unspaced is None or len(unspaced) <= _WHOLE_RUN:
                found.add(piece[0].lower())
            else:
                found.update(map(add, unspaced, unspaced[1:]))
    return frozenset(found)


def is_significant(token: str) -> bool:
    """Whether a token counts towards eligibility."""
    if len(token) >= SIGNIFICANT_LENGTH:
        return True
    return len(token) == 2 and _UNSPACED_CHARACTER.match(token) is not None
