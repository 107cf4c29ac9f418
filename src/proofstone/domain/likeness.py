"""How much texts are about the same thing, for an order of what may be meant (spec page 6).

Not the sibling metric: what somebody changes their mind about is often told in too few of the same
words for a sibling. Nothing acts on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from math import log

from proofstone.domain.tokens import distinctive


def likeness(statement: str, texts: Mapping[str, str]) -> dict[str, float]:
    """By its id, how much each text shares with ``statement``: 0 for nothing, no upper bound.

    A shared word weighs more the fewer of the texts have it.
    """
    words = distinctive(statement)
    shared = {id: words & distinctive(text) for id, text in texts.items()}
    spread = Counter(word for those in shared.values() for word in those)
    # In one order, since a sum of fractions depends on it.
    return {
        id: sum(log(len(texts) / spread[word]) for word in sorted(those))
        for id, those in shared.items()
    }
