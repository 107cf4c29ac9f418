"""The sibling metric and its tokens (spec page 4)."""

from __future__ import annotations

import pytest

from proofstone.domain import siblings
from proofstone.domain.sibling_index import SiblingIndex
from proofstone.domain.sibling_tokens import is_significant, tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Wave-A, wave_B!", {"wave", "a", "b"}),
        ("caf\u00e9 cafe\u0301", {"caf\u00e9", "cafe"}),
        ("v2版本", {"v2", "版本"}),
        ("每晚 两点整", {"每晚", "两点整"}),
        ("每晚两点整", {"每晚", "晚两", "两点", "点整"}),
        ("밤마다 백업한다", {"밤마다", "백업", "업한", "한다"}),
        ("बैकअप रोज़", {"बैकअप", "रोज़"}),
        ("สำรอง", {"สำ", "ำร", "รอ", "อง"}),
        ("ΑΘΗΝΑ Straße", {"αθηνα", "straße"}),
        ("", set()),
        ("—…!", set()),
    ],
)
def test_tokens(text: str, expected: set[str]) -> None:
    assert tokens(text) == expected


@pytest.mark.parametrize(
    ("token", "significant"),
    [("tls", True), ("v2", False), ("a", False), ("数据", True), ("数", False), ("数据库", True)],
)
def test_significant_tokens(token: str, significant: bool) -> None:
    assert is_significant(token) is significant


def test_one_unspaced_sentence_has_siblings() -> None:
    found = siblings.score("数据库每天凌晨两点整备份到主节点", "数据库每天凌晨三点整备份到主节点")
    assert found.is_sibling
    assert found.reported == 0.87


def test_half_is_a_sibling_and_less_is_not() -> None:
    base = "alpha beta gamma delta epsilon zeta eta theta"
    half = "alpha beta gamma delta one two three four"
    assert siblings.score(base, half).raw == 0.5
    assert siblings.score(base, half).is_sibling
    assert not siblings.score(base, half + " five").is_sibling


@pytest.mark.parametrize(
    ("shared", "larger", "expected"),
    [(1, 8, 0.13), (2, 3, 0.67), (199, 200, 0.99), (5, 5, 0.99), (0, 0, 0.0), (1, 200, 0.01)],
)
def test_reported_score_rounds_half_up_and_stays_below_one(
    shared: int, larger: int, expected: float
) -> None:
    assert siblings.reported(shared, larger) == expected


def checklist(*words: str) -> SiblingIndex:
    index = SiblingIndex()
    for position, word in enumerate(words):
        index.add(word, f"atlas release checklist item number {word}", f"2026-01-0{position + 1}")
    return index


def test_index_breaks_ties_by_order_then_id() -> None:
    index = checklist("one", "two", "six", "ten")
    found = index.nearest("atlas release checklist item number five", 3)
    assert found == (("one", 0.83), ("two", 0.83), ("six", 0.83))
    index.add("ten", "atlas release checklist item number ten", "2026-01-01")
    assert [id for id, _ in index.nearest("atlas release checklist item number five", 2)] == [
        "one",
        "ten",
    ]


def test_index_leaves_out_what_is_excluded_or_not_accepted() -> None:
    index = checklist("one", "two", "six")
    query = "atlas release checklist item number five"
    assert [id for id, _ in index.nearest(query, 3, exclude={"one"})] == ["two", "six"]
    assert [id for id, _ in index.nearest(query, 3, accept=lambda id: id != "two")] == [
        "one",
        "six",
    ]


def test_removed_and_replaced_texts_are_not_found() -> None:
    index = checklist("one", "two")
    index.remove("one")
    index.remove("never there")
    index.add("two", "nothing of the kind is said here")
    assert index.nearest("atlas release checklist item number five", 3) == ()
    assert "one" not in index
    assert len(index) == 1


def test_short_texts_are_held_but_never_found() -> None:
    index = SiblingIndex()
    index.add("short", "atlas uses tls")
    assert "short" in index
    assert index.nearest("atlas uses tls now please", 3) == ()
    assert index.nearest("atlas", 3) == ()
    index.remove("short")
    assert len(index) == 0


def test_reworded_return_names_the_nearest_tombstoned_text_and_its_reason() -> None:
    tombstoned = [
        ("hist-2", "deploys to production happen on friday evening", "invalid"),
        ("hist-1", "deploys to production happen every friday evening", "poisoned"),
        ("hist-0", "the office plants are watered on monday", "other"),
    ]
    found = siblings.reworded_return(
        "every friday evening deploys to production happen", tombstoned
    )
    assert found == siblings.RewordedReturn("hist-1", 0.99, "poisoned")
    assert siblings.reworded_return("something else entirely is said here", tombstoned) is None
    assert siblings.reworded_return("anything", []) is None
