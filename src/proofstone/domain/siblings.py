"""Siblings: texts whose vocabulary overlaps, and what comes of it (spec pages 4 and 6).

The metric is in `sibling_score`, its tokens in `sibling_tokens`, the search in `sibling_index`;
callers need this module only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from proofstone.domain.sibling_index import Sibling, SiblingIndex
from proofstone.domain.sibling_score import SIBLING_LIMIT, Score, reported, score

__all__ = [
    "SIBLING_LIMIT",
    "RewordedReturn",
    "Score",
    "Sibling",
    "SiblingIndex",
    "reported",
    "reworded_return",
    "score",
]


@dataclass(frozen=True, slots=True)
class RewordedReturn:
    """A statement that says again, in other words, what was tombstoned.

    ``id`` is that of the tombstoned text, ``score`` the metric as reported, ``reason`` why it was
    tombstoned: ratifying the statement needs that reason answered.
    """

    id: str
    score: float
    reason: str


def reworded_return(
    statement: str, tombstoned: Iterable[tuple[str, str, str]]
) -> RewordedReturn | None:
    """The tombstoned text that ``statement`` is most like, or None (spec page 6).

    ``tombstoned`` holds (id, text, reason) of what was tombstoned for audit. Ties go to the lower
    id. For many statements, keep a `SiblingIndex` of the texts and ask that instead.
    """
    best: tuple[float, str, RewordedReturn] | None = None
    for id, text, reason in tombstoned:
        compared = score(statement, text)
        if not compared.is_sibling:
            continue
        found = (-compared.raw, id, RewordedReturn(id, compared.reported, reason))
        if best is None or found[:2] < best[:2]:
            best = found
    return best[2] if best else None
