"""The index agrees with comparing every pair, whatever was added and removed before."""

from __future__ import annotations

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain import sibling_postings, siblings
from proofstone.domain.sibling_index import IndexPicture, SiblingIndex
from proofstone.domain.sibling_postings import Picture

WORDS = ["atlas", "backup", "night", "deploy", "v2", "v3", "a", "tls", "key", "queue", "数据库",
         "备份到主节点", "每晚两点", "バックアップ", "백업하다", "café", "naïve", "x"]  # fmt: skip
TEXT = st.lists(st.sampled_from(WORDS), max_size=24).map(" ".join) | st.text(max_size=60)


@st.composite
def histories(draw: st.DrawFn) -> list[tuple[str, str | None, str]]:
    """Additions (some near-copies of earlier ones), replacements and removals, in order."""
    steps: list[tuple[str, str | None, str]] = []
    for _ in range(draw(st.integers(0, 40))):
        id = f"m{draw(st.integers(0, 25))}"
        text: str | None = draw(TEXT)
        earlier = [t for _, t, _ in steps if t]
        if earlier and draw(st.booleans()):
            words = draw(st.sampled_from(earlier)).split()
            words[: draw(st.integers(0, 3))] = draw(st.lists(st.sampled_from(WORDS), max_size=3))
            text = " ".join(words)
        if draw(st.integers(0, 9)) == 0:
            text = None
        steps.append((id, text, draw(st.sampled_from(["", "2026", "2027"]))))
    return steps


def by_brute_force(
    held: dict[str, tuple[str, str]], text: str, k: int, excluded: set[str]
) -> list[tuple[str, float]]:
    rows = []
    for id, (other, order) in held.items():
        compared = siblings.score(text, other)
        if compared.is_sibling and id not in excluded and id != "m3":
            rows.append((-compared.raw, order, id, compared.reported))
    return [(id, reported) for _, _, id, reported in sorted(rows)[:k]]


@settings(max_examples=150, deadline=None)
@given(
    histories(),
    TEXT,
    st.integers(0, 5),
    st.sets(st.sampled_from(["m0", "m1", "m7"])),
    st.sampled_from([1, 2, 2_048]),
    st.integers(1, 5),
)
def test_index_equals_brute_force(
    steps: list[tuple[str, str | None, str]],
    query: str,
    k: int,
    excluded: set[str],
    shelves: int,
    common: int,
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        # Few shelves are packed often, and then many tokens are common.
        patch.setattr(sibling_postings, "_SHELF", shelves - 1)
        patch.setattr(sibling_postings, "COMMON", common)
        compare_with_brute_force(steps, query, k, excluded)


def compare_with_brute_force(
    steps: list[tuple[str, str | None, str]], query: str, k: int, excluded: set[str]
) -> None:
    index = SiblingIndex()
    held: dict[str, tuple[str, str]] = {}
    for id, text, order in steps:
        if order and id in ("m4", "m9"):
            # Written down and taken up again, whatever came before.
            index = taken_up(index)
        if text is None:
            index.remove(id)
            held.pop(id, None)
        else:
            index.add(id, text, order)
            held[id] = (text, order)
    queries = [query, *(text for text, _ in list(held.values())[:8])]
    for one in queries:
        found = index.nearest(one, k, accept=lambda id: id != "m3", exclude=excluded)
        assert list(found) == by_brute_force(held, one, k, excluded)
        # What is asked of one question is what asking again gives.
        question = index.question(one)
        for limit in {min(1, k), k}:
            assert question.ranked(limit) == index.ranked(one, limit)
            assert question.nearest(limit, lambda id: id != "m3", excluded) == found[:limit]
    assert len(index) == len(held)


def taken_up(index: SiblingIndex) -> SiblingIndex:
    """An index of what another holds, as it is kept on disk: texts that are gone left out."""
    ids, orders, sizes, lists = index.picture()
    left = [number for number, id in enumerate(ids) if id is not None]
    new = array("q", [-1]) * len(ids)
    for number, old in enumerate(left):
        new[old] = number
    parts = (part.renumbered(new) for part in lists.parts)
    kept = Picture(lists.divisor, (part for part in parts if part.lengths))
    return SiblingIndex.of_picture(
        IndexPicture(
            [ids[old] for old in left],
            [orders[old] for old in left],
            array("I", [sizes[old] for old in left]),
            kept,
        )
    )


@given(TEXT, TEXT)
def test_score_is_symmetric_and_reported_below_one(a: str, b: str) -> None:
    assert siblings.score(a, b) == siblings.score(b, a)
    assert 0.0 <= siblings.score(a, b).raw <= 1.0
    assert siblings.score(a, b).reported <= 0.99
