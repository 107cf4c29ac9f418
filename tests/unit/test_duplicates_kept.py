"""Near-duplicates that are kept up to date: the same as looking at everything again, for less."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain import duplicates, duplicates_kept
from proofstone.domain.duplicates import find
from proofstone.domain.duplicates_kept import KeptDuplicates
from proofstone.domain.sibling_index import SiblingIndex

WORDS = [f"word{number}" for number in range(14)]
TEXT = st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join) | st.sampled_from(
    ["", "我们每次发布之前都要运行测试", "我们每次发布之后都要运行测试", "a b c"]
)
IDS = st.integers(0, 15).map(lambda number: f"mem-{number:02}")
HELD = st.dictionaries(IDS, TEXT, max_size=16)


@settings(max_examples=60, deadline=None)
@given(HELD, st.lists(st.tuples(HELD, st.sets(IDS, max_size=3)), max_size=4))
def test_after_each_change_the_clusters_are_those_of_everything(
    texts: dict[str, str], changes: list[tuple[dict[str, str], set[str]]]
) -> None:
    held = dict(texts)
    kept = KeptDuplicates(held, held.__getitem__)
    assert kept.clusters == find(list(held), held.values())
    for changed, gone in changes:
        gone = (gone & set(held)) - set(changed)
        held = {id: text for id, text in held.items() if id not in gone} | changed
        kept.change(changed, gone, held.__getitem__)
        expected = find(list(held), held.values())
        assert kept.clusters == expected
        for cluster in expected:
            assert all(kept.of(id) == cluster for id in cluster.ids)


def test_an_edit_probes_one_text_and_compares_only_its_clusters(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    work: Counter[str] = Counter()
    compared: list[int] = []
    probe, search = SiblingIndex.question, duplicates.find

    def probed(*arguments: Any) -> Any:
        work["probes"] += 1
        return probe(*arguments)

    def searched(ids: Any, *arguments: Any) -> Any:
        compared.append(len(ids))
        return search(ids, *arguments)

    monkeypatch.setattr(SiblingIndex, "question", probed)
    monkeypatch.setattr(duplicates_kept, "find", searched)
    for size in (300, 1_200):
        texts = {
            f"mem-{number:04}": " ".join(f"w{number // 3}x{part}" for part in range(9))
            + f" own{number} mine{number}"
            for number in range(size)
        }
        kept = KeptDuplicates(texts, texts.__getitem__)
        assert len(kept.clusters) == size / 3
        assert compared == [size]
        work.clear()
        compared.clear()
        # It leaves its cluster for another one: these two, of three texts each, are compared.
        texts["mem-0000"] = texts["mem-0010"]
        kept.change({"mem-0000": texts["mem-0000"]}, (), texts.__getitem__)
        assert work == {"probes": 1}
        assert compared == [6]
        assert kept.of("mem-0000") == kept.of("mem-0010")
        assert kept.clusters == find(list(texts), texts.values())
        compared.clear()
