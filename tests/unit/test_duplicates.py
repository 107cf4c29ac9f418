"""Near-duplicates of a whole collection: exactly what comparing every pair gives."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain.duplicates import Cluster, Near, Vocabularies, find, pairs
from proofstone.domain.siblings import SiblingIndex, score

WORDS = [f"word{number}" for number in range(14)]
texts = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.sampled_from(
    ["", "我们每次发布之前都要运行测试", "我们每次发布之后都要运行测试", "a b c", "v2 v3"]
)


def by_comparing_all(collection: list[str]) -> dict[tuple[int, int], float]:
    return {
        (later, earlier): compared.raw
        for later in range(len(collection))
        for earlier in range(later)
        if (compared := score(collection[later], collection[earlier])).is_sibling
    }


def identifiers(count: int) -> list[str]:
    return [f"mem-{number:04}" for number in range(count)]


@settings(max_examples=150)
@given(st.lists(texts, max_size=30))
def test_clusters_and_nearest_are_those_of_comparing_all(collection: list[str]) -> None:
    ids = identifiers(len(collection))
    expected = by_comparing_all(collection)
    found = find(ids, collection)
    # The same texts hang together.
    group = {number: {number} for number in range(len(collection))}
    for later, earlier in expected:
        merged = group[later] | group[earlier]
        for number in merged:
            group[number] = merged
    wanted = {tuple(ids[n] for n in sorted(members)) for members in group.values()}
    assert {cluster.ids for cluster in found} == {ids for ids in wanted if len(ids) > 1}
    # Each has the siblings that the index finds for it.
    index = SiblingIndex()
    for id, text in zip(ids, collection, strict=True):
        index.add(id, text)
    for cluster in found:
        for id, near in zip(cluster.ids, cluster.nearest, strict=True):
            nearest = index.nearest(collection[ids.index(id)], 3, exclude=(id,))
            assert [tuple(one) for one in near] == [tuple(one) for one in nearest]
        assert cluster.score == max(near[0].score for near in cluster.nearest)


@given(st.lists(texts, max_size=25))
def test_pairs_are_complete_but_for_copies(collection: list[str]) -> None:
    vocabularies = Vocabularies(collection)
    copies = {place for places in vocabularies.copies.values() for place in places[1:]}
    found = {(pair.later, pair.earlier): pair.shared / pair.larger for pair in pairs(vocabularies)}
    assert found == {
        pair: raw
        for pair, raw in by_comparing_all(collection).items()
        if not copies.intersection(pair)
    }


def test_clusters_come_closest_first_and_say_what_is_near() -> None:
    collection = [
        "one two three four five six",
        "one two three four five seven",
        "alpha beta gamma delta",
        "alpha beta gamma delta",
        "nothing like the others here",
    ]
    assert find(["a", "b", "c", "d", "e"], collection) == [
        Cluster(("c", "d"), 0.99, ((Near("d", 0.99),), (Near("c", 0.99),))),
        Cluster(("a", "b"), 0.83, ((Near("b", 0.83),), (Near("a", 0.83),))),
    ]


def test_progress_goes_from_nothing_to_all() -> None:
    told: list[tuple[int, int]] = []
    find(identifiers(3), ["x y"] * 3, progress=lambda *state: told.append(state))
    assert told[0] == (0, 3)
    assert told[-1] == (3, 3)


def test_boilerplate_is_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    boilerplate = "please keep this notice at the top of every file"
    collection = [boilerplate] * 3_000
    vocabularies = Vocabularies(collection)
    assert list(pairs(vocabularies)) == []
    (cluster,) = find(identifiers(3_000), collection)
    assert len(cluster.ids) == 3_000
    assert {len(near) for near in cluster.nearest} == {3}


def test_the_order_of_the_texts_does_not_matter() -> None:
    chance = random.Random(5)
    collection = [" ".join(chance.choices(WORDS, k=9)) for _ in range(60)]
    ids = identifiers(60)
    expected = find(ids, collection)
    order = list(range(60))
    chance.shuffle(order)
    assert find([ids[n] for n in order], [collection[n] for n in order]) == expected
