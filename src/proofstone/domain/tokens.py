"""Words of a text in any script, for check 1, matching and topics (spec page 3).

Latin text gives runs of ``a-z0-9``. Other scripts that put spaces between words give whole words.
Scripts that do not, and Korean, whose endings change a word's end, give overlapping pairs of
characters. Text is folded first, so that case, width, composed or decomposed accents and
invisible characters make no difference.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from operator import add

from proofstone.domain.late_pattern import late_pattern

# Han, kana, Hangul and bopomofo; then Thai, Lao, Myanmar and Khmer, which also write no spaces.
_UNSPACED = (
    "\u3005-\u3007\u3021-\u3029\u3041-\u309f\u30a1-\u30ff\u3105-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd"
    "\u1100-\u11ff\ua960-\ua97f\uac00-\ud7ff"
    "\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u109f\u1780-\u17d3"
)
# Marks that belong to a word although they are no letters: accents without a composed form,
# Hebrew and Arabic points, the vowel signs of the Indic and Southeast Asian scripts.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed"
    "\u0900-\u0963\u0966-\u0df3\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece"
    "\u102b-\u103e\u1056-\u1064\u17b4-\u17d3"
)
_HIRAGANA_PAIR = late_pattern("[\u3041-\u309f]{2}")
_INVISIBLE = late_pattern("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]+")
_ASCII_WORD = "abcdefghijklmnopqrstuvwxyz0123456789"
_ASCII_GAPS = {code: " " for code in range(128) if chr(code) not in _ASCII_WORD}
_LONG_ASCII_RUN = late_pattern(r"[a-z0-9]{3,}")
# A run of each sort at a time: trying both sorts for every character takes several times as long.
_RUN = late_pattern(rf"(?:[^\W_]+|[{_MARKS}]+)+")
_PIECE = late_pattern(rf"[{_UNSPACED}]+|[^{_UNSPACED}]+")
_UNSPACED_START = late_pattern(rf"[{_UNSPACED}]")


def fold(text: str) -> str:
    """``text`` as it is compared: without case, width variants and invisible characters."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _INVISIBLE.sub("", text)).casefold()


def whole_runs(folded: str) -> list[str]:
    """The runs of letters and digits of a folded text, whatever scripts they mix."""
    return _RUN.findall(folded)


def runs(folded: str) -> Iterator[str]:
    """The runs of letters and digits of a folded text, cut where an unspaced script begins or ends.

    An unspaced run is one piece here; ``words`` cuts it into pairs.
    """
    if folded.isascii():
        yield from _ascii_runs(folded)
        return
    for found in _RUN.finditer(folded):
        run = found[0]
        if run.isascii():
            yield run
        else:
            yield from _PIECE.findall(run)


def long_runs(folded: str) -> Iterator[str]:
    """The runs of three letters and digits or more of a folded ASCII text."""
    return (found[0] for found in _LONG_ASCII_RUN.finditer(folded))


def is_unspaced(run: str) -> bool:
    """Whether a run, word or pair belongs to a script that is compared by pairs."""
    return _UNSPACED_START.match(run) is not None


def pairs(run: str) -> Iterator[str]:
    """The overlapping pairs of characters of an unspaced run."""
    return map(add, run, run[1:])


def without_particles(run: str) -> Iterator[str]:
    """The pairs of an unspaced run but for those of hiragana alone.

    Those are endings and particles that stand in any Japanese text.
    """
    if _HIRAGANA_PAIR.search(run) is None:
        return pairs(run)
    return (pair for pair in pairs(run) if _HIRAGANA_PAIR.fullmatch(pair) is None)


def words(text: str) -> tuple[str, ...]:
    """Every word or pair of ``text``, in order, repeats kept."""
    return words_of_folded(fold(text))


def words_of_folded(folded: str) -> tuple[str, ...]:
    """Like ``words``, for a text that is folded already."""
    if folded.isascii():
        return tuple(_ascii_runs(folded))
    found: list[str] = []
    for run in _RUN.findall(folded):
        if run.isascii():
            found.append(run)
            continue
        for piece in _PIECE.findall(run):
            if len(piece) > 1 and is_unspaced(piece):
                found += pairs(piece)
            else:
                found.append(piece)
    return tuple(found)


def distinctive(text: str) -> frozenset[str]:
    """The distinct words that similarity counts: three or more of ``a-z0-9``, else two or more.

    A text of nothing but shorter words is compared by those.
    """
    folded = fold(text)
    if folded.isascii():
        return frozenset(_LONG_ASCII_RUN.findall(folded)) or frozenset(_ascii_runs(folded))
    return distinctive_of(words_of_folded(folded))


def distinctive_of(found: Iterable[str]) -> frozenset[str]:
    """Like ``distinctive``, of words that were found already."""
    every = frozenset(found)
    short = [word for word in filter(str.isascii, every) if len(word) < 3]
    short += [word for word in every if len(word) < 2]
    return (every.difference(short) or every) if short else every


def jaccard(one: str, other: str) -> float:
    """How much of two texts' distinct words is shared, from 0 to 1; two empty texts are equal."""
    return jaccard_of(distinctive(one), distinctive(other))


def jaccard_of(one: frozenset[str], other: frozenset[str]) -> float:
    """Like ``jaccard``, of words that were found already."""
    if not one and not other:
        return 1.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def containment(one: frozenset[str], other: frozenset[str]) -> float:
    """The share of the smaller set of words that recurs in the other; 0 when one is empty."""
    smaller = min(len(one), len(other))
    return len(one & other) / smaller if smaller else 0.0


def _ascii_runs(folded: str) -> list[str]:
    """The runs of letters and digits of a folded ASCII text; a pattern takes four times as long."""
    return folded.translate(_ASCII_GAPS).split()
