"""Clusters hold for any queue: everything once, taint apart, and every member near its head."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain.clusters import Waiting, among, clusters
from proofstone.domain.cues import opposition
from proofstone.domain.sibling_score import score

WORDS = [
    "use",
    "pnpm",
    "never",
    "orion",
    "builds",
    "not",
    "client",
    "scripts",
    "的",
    "日期",
    "字段",
]
queues = st.lists(
    st.tuples(
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=9).map(" ".join),
        st.sampled_from(["one", "two"]),
        st.booleans(),
    ),
    max_size=9,
).map(lambda rows: [Waiting(str(n), *row) for n, row in enumerate(rows)])


@settings(max_examples=200, deadline=None)
@given(queues)
def test_clusters_partition_what_waits(queue: list[Waiting]) -> None:
    found = clusters(queue)
    texts = {item.id: item for item in queue}
    assert sorted(id for cluster in found for id in cluster.ids) == sorted(texts)
    heads = {cluster.head for cluster in found}
    for cluster in found:
        head = texts[cluster.head]
        places = [int(id) for id in cluster.ids]
        assert places == sorted(places)
        assert set(cluster.opposed) <= heads - {cluster.head}
        for id in cluster.ids[1:]:
            member = texts[id]
            assert member.tainted == head.tainted
            same = any(texts[other].statement == member.statement for other in cluster.ids)
            assert score(head.statement, member.statement).is_sibling or same
        for one in cluster.ids:
            assert not any(
                opposition(texts[one].statement, texts[other].statement) for other in cluster.ids
            )


@given(queues, st.sets(st.sampled_from([str(n) for n in range(9)])))
def test_a_filter_only_takes_away(queue: list[Waiting], shown: set[str]) -> None:
    found = clusters(queue)
    kept = among(found, shown)
    order = [id for cluster in found for id in cluster.ids if id in shown]
    assert [id for cluster in kept for id in cluster.ids] == order
    heads = {cluster.head for cluster in kept}
    assert all(set(cluster.opposed) <= heads for cluster in kept)
