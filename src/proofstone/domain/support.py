"""How much of a statement occurs in its evidence: the measure of check 1 (spec page 3).

Latin words longer than three characters are looked for anywhere in the evidence, even inside a
longer word; such a match is weak, and reported as weak. Other spaced scripts count words of three
characters or more in the same way, unspaced ones pairs of characters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from proofstone.domain import tokens
from proofstone.domain.late_pattern import late_pattern

THRESHOLD = 0.35
"""The least share of a statement's words that must occur in its evidence."""

_LATIN_LENGTH = 4
_OTHER_LENGTH = 3
_LATIN_WORD = late_pattern(rf"[a-z0-9]{{{_LATIN_LENGTH},}}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What was counted. ``counted`` and ``found`` count each repeat of a word.

    ``matched`` are the distinct words found, ``weak`` those of them found only inside longer
    words, ``unmatched`` the distinct words not found.
    """

    counted: int
    found: int
    matched: tuple[str, ...] = ()
    weak: tuple[str, ...] = ()
    unmatched: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """From 0 to 1; None when the statement has no word to count."""
        return self.found / self.counted if self.counted else None

    @property
    def is_enough(self) -> bool:
        """Whether the share reaches the threshold. Nothing to count is nothing to object to."""
        return not self.counted or self.found / self.counted >= THRESHOLD


def measure(statement: str, evidence: Iterable[str], *, short_words: bool = False) -> Support:
    """Measure a statement against the texts of its evidence.

    With ``short_words``, a statement that has only words too short to count is measured by those,
    each as a whole word.
    """
    folded = tokens.fold(statement)
    counted = _counted(folded)
    is_short = not counted
    if is_short and short_words:
        counted = list(tokens.words_of_folded(folded))
    text = tokens.fold(" ".join(evidence))
    absent: list[str] = []
    if text.strip() != folded.strip():  # else every word is there, and needs no looking for
        whole = frozenset(tokens.words_of_folded(text))
        absent = [word for word in dict.fromkeys(counted) if word not in whole]
    weak = [] if is_short else [word for word in absent if word in text]
    unmatched = absent
    if weak:
        inside = frozenset(weak)
        unmatched = [word for word in absent if word not in inside]
    missing = frozenset(unmatched)
    found = [word for word in counted if word not in missing] if missing else counted
    return Support(
        counted=len(counted),
        found=len(found),
        matched=tuple(dict.fromkeys(found)),
        weak=tuple(weak),
        unmatched=tuple(unmatched),
    )


def _counted(folded: str) -> list[str]:
    """The words of a folded statement that count, in order, repeats kept."""
    if folded.isascii():
        return _LATIN_WORD.findall(folded)
    counted: list[str] = []
    for run in tokens.runs(folded):
        if run.isascii():
            if len(run) >= _LATIN_LENGTH:
                counted.append(run)
        elif tokens.is_unspaced(run):
            counted += tokens.without_particles(run)
        elif len(run) >= _OTHER_LENGTH:
            counted.append(run)
    return counted
