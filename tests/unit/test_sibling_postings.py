"""The lists of the sibling index: packed or not, they hold what was added and not removed."""

from __future__ import annotations

import random
import tracemalloc

import pytest

from proofstone.domain import sibling_postings
from proofstone.domain.sibling_index import SiblingIndex
from proofstone.domain.sibling_postings import Postings


def numbers_of(postings: Postings, token: str) -> list[int]:
    return [number for found in postings.of([token]) for number in found.numbers()]


@pytest.mark.parametrize("shelves", [1, 2, 64])
def test_lists_are_those_of_a_dictionary_however_they_are_packed(
    monkeypatch: pytest.MonkeyPatch, shelves: int
) -> None:
    monkeypatch.setattr(sibling_postings, "_SHELF", shelves - 1)
    monkeypatch.setattr(sibling_postings, "COMMON", 12)
    chance = random.Random(shelves)
    # One token is the start of another, or its end, and some are written in two scripts.
    tokens = [f"w{n}" for n in range(60)] + [
        "w",
        "1",
        "备份",
        "备份w1",
        "份",
        "\U00020000\U00020001",
    ]
    gone: set[int] = set()
    postings = Postings(gone.__contains__)
    expected: dict[str, list[int]] = {}
    for number in range(700):
        vocabulary = set(chance.choices(tokens, k=4))
        postings.add(vocabulary, number)
        for token in vocabulary:
            expected.setdefault(token, []).append(number)
        if chance.random() < 0.7:
            postings.pack_next()
        if chance.random() < 0.3:
            left = sorted(set(range(number)) - gone)
            if left:
                gone.add(chance.choice(left))
                postings.remove()
        if number % 100 == 50:
            postings.pack_all()
        if number % 70 == 0:
            for token in (*tokens, "never", "w6", "备"):
                found = numbers_of(postings, token)
                assert found == sorted(set(found))
                assert set(found) - gone == set(expected.get(token, ())) - gone
                for one in postings.of([token]):
                    assert one.size == len(found)
                    assert [n for n in range(0, 700, 9) if n in one] == found_in(found, 9)


def found_in(numbers: list[int], step: int) -> list[int]:
    return [number for number in numbers if number % step == 0]


def test_numbers_of_many_removed_texts_are_dropped() -> None:
    gone: set[int] = set()
    postings = Postings(gone.__contains__)
    for number in range(100):
        postings.add({"often", f"once{number}"}, number)
    postings.pack_all()
    for number in range(80):
        gone.add(number)
        postings.remove()
    assert len(numbers_of(postings, "often")) < 60
    assert numbers_of(postings, "once3") == []
    assert numbers_of(postings, "once99") == [99]


def test_no_change_packs_more_than_one_shelf(monkeypatch: pytest.MonkeyPatch) -> None:
    packed: list[int] = []
    original = sibling_postings._Shelf.pack

    def counted(shelf: sibling_postings._Shelf, *arguments: object) -> None:
        packed.append(len(shelf.new))
        original(shelf, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sibling_postings._Shelf, "pack", counted)
    index = SiblingIndex()
    for number in range(300):
        before = len(packed)
        index.add(f"m{number}", " ".join(f"word{number * 7 + n}" for n in range(20)))
        assert len(packed) - before <= 1


def test_making_an_index_tells_its_progress_and_can_be_ended() -> None:
    rows = [(f"m{number}", f"the nightly backup number {number}", "") for number in range(600)]
    told: list[int] = []
    index = SiblingIndex.of(rows, told.append)
    assert told[0] == 0
    assert told == sorted(told)
    assert len(told) > 1
    assert len(index) == 600
    one_by_one = SiblingIndex()
    for row in rows:
        one_by_one.add(*row)
    query = "the nightly backup number 7"
    assert index.nearest(query, 5) == one_by_one.nearest(query, 5)

    def no_longer(count: int) -> None:
        if count:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        SiblingIndex.of(rows, no_longer)


def test_a_rare_token_weighs_little_once_it_is_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    # As many tokens on a shelf as in a large vault.
    monkeypatch.setattr(sibling_postings, "_SHELF", 31)
    texts, length = 250, 40
    postings = Postings(lambda _number: False)
    tracemalloc.start()
    try:
        for number in range(texts):
            postings.add([f"token{number * length + part}" for part in range(length)], number)
        postings.pack_all()
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    # A string, a list and an entry in a dictionary for each would take some 250 bytes.
    assert held / (texts * length) < 40
