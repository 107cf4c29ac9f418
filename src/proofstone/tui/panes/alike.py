"""The rows of a cluster of memories that say nearly the same, and of its members."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from proofstone.domain.records import Memory
from proofstone.domain.sibling_score import score
from proofstone.tui.rows import LazyRows, Row, RowSource
from proofstone.tui.words import STANDING_STYLE, count, difference, safe

if TYPE_CHECKING:
    from proofstone.domain.duplicates import Cluster

WHOLE = 40
"""Up to so many memories of a cluster are shown in full; of more, each in three lines, which are
made when they are seen: a cluster of boilerplate may have thousands."""

_GUTTER = 5
"""Cells of a score and a space."""


def cluster_row(cluster: Cluster, members: Sequence[Memory]) -> Row:
    """Score of its closest pair, the first title, and how many there are."""
    unreviewed = sum(not memory.is_reviewed for memory in members)
    told = [Content.styled(count(len(cluster.ids), "memory", "memories"), "$ink-title")]
    if unreviewed:
        told.append(Content.styled(f"{unreviewed:,} unreviewed", "$verdict-flag"))
    scopes = sorted({scope for memory in members for scope in memory.scopes})
    told.append(safe(", ".join(scopes), "$ink-dim", limit=80))
    name = members[0].title or members[0].statement if members else cluster.ids[0]
    return Row(
        key=cluster.ids[0],
        gutter=Content.styled(f"{cluster.score:.2f} ", "$match bold"),
        continuation=Content(" " * _GUTTER),
        body=Content.assemble(
            safe(name, "$ink", limit=300), "\n", Content.styled(" · ", "$ink-dim").join(told)
        ),
    )


def member_rows(members: Sequence[Memory], first: str) -> RowSource:
    """``first``, which the others are compared with, and then the others, word by word."""
    ordered = sorted(members, key=lambda memory: memory.memory_id != first)
    is_whole = len(ordered) <= WHOLE

    def build(index: int) -> Row:
        return _member_row(ordered[index], ordered[0], wrap=is_whole)

    keys = [memory.memory_id for memory in ordered]
    return LazyRows(keys, build, fixed_height=None if is_whole else 3)


def _member_row(memory: Memory, first: Memory, *, wrap: bool) -> Row:
    is_first = memory is first
    said = memory.statement
    words = safe(said, "$ink", newlines=wrap) if is_first else difference(said, first.statement)
    near = "" if is_first else f"{score(said, first.statement).reported:.2f}"
    return Row(
        key=memory.memory_id,
        gutter=Content.styled(near.ljust(_GUTTER), "$match bold"),
        continuation=Content(" " * _GUTTER),
        body=Content.assemble(
            safe(memory.title or memory.memory_id, "$ink-title bold", limit=160),
            ("  the yardstick", "$match") if is_first else "",
            "\n",
            _facts(memory),
            "\n",
            words,
        ),
        wrap=wrap,
    )


def _facts(memory: Memory) -> Content:
    parts = [
        Content.styled(memory.layer.value, "$ink-dim"),
        Content.styled(memory.standing.value, STANDING_STYLE[memory.standing]),
        Content.styled("reviewed", "$verdict-pass")
        if memory.is_reviewed
        else Content.styled("unreviewed", "$verdict-flag"),
    ]
    if memory.tainted:
        parts.append(Content.styled("TAINT", "$taint bold"))
    if memory.scopes:
        parts.append(safe(", ".join(memory.scopes), "$ink-dim", limit=80))
    return Content.styled(" · ", "$ink-dim").join(parts)
