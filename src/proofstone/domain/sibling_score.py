"""The sibling metric: how much of two texts' vocabulary is the same (spec page 4, Siblings).

Mutual containment, ``|A ∩ B| / max(|A|, |B|)`` over *all* tokens, so that "v2" and "v3" never
look the same. Advisory: nothing acts on it.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass

from proofstone.domain.sibling_tokens import is_significant, tokens

MIN_SIGNIFICANT_TOKENS = 4
SCORE_CAP = 0.99
SIBLING_LIMIT = 3


@dataclass(frozen=True, slots=True)
class Score:
    """How two texts compare.

    ``shared`` and ``larger`` are counts of distinct tokens: those in both, and those of the text
    that has more. ``eligible`` says that both have at least four significant ones.
    """

    shared: int
    larger: int
    eligible: bool

    @property
    def raw(self) -> float:
        """The exact score, 0 to 1."""
        return self.shared / self.larger if self.larger else 0.0

    @property
    def reported(self) -> float:
        """The score as people see it: two decimals, halves up, never above 0.99."""
        return reported(self.shared, self.larger)

    @property
    def is_sibling(self) -> bool:
        """Whether the two are siblings: eligible, and an exact score of at least one half."""
        return self.eligible and 2 * self.shared >= self.larger


def reported(shared: int, larger: int) -> float:
    """``shared / larger`` rounded half up to two decimals and capped at 0.99."""
    if not larger:
        return 0.0
    hundredths = (200 * shared + larger) // (2 * larger)
    return min(hundredths / 100, SCORE_CAP)


def has_enough(vocabulary: Set[str]) -> bool:
    """Whether a text has the significant tokens that a comparison needs."""
    missing = MIN_SIGNIFICANT_TOKENS
    for token in vocabulary:
        if is_significant(token):
            missing -= 1
            if not missing:
                return True
    return False


def score(a: str, b: str) -> Score:
    """Compare two texts. Symmetric."""
    one, other = tokens(a), tokens(b)
    return Score(
        shared=len(one & other),
        larger=max(len(one), len(other)),
        eligible=has_enough(one) and has_enough(other),
    )
