"""Choosing whole words within a text."""

from __future__ import annotations

import pytest

from proofstone.domain.word_selection import WordSelection, word_spans


def words(text: str) -> list[str]:
    return [text[start:end] for start, end in word_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Store amounts, please.", ["Store", "amounts", ",", "please", "."]),
        ("don't touch src/app.py", ["don't", "touch", "src/app.py"]),
        ("用 UTC，不用本地", ["用", "UTC", "，", "不", "用", "本", "地"]),
        ("at 02:30 or 1,000", ["at", "02:30", "or", "1,000"]),
        ("  ", []),
    ],
)
def test_words(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_the_end_and_the_start_move_by_words() -> None:
    text = "Store Atlas amounts as decimals"
    chosen = WordSelection.of(text)
    assert chosen is not None

    def said(selection: WordSelection) -> str:
        start, end = selection.span
        return text[start:end]

    assert said(chosen) == "Store"
    assert said(chosen.end_moved(2)) == "Store Atlas amounts"
    assert said(chosen.end_moved(2).end_moved(-9)) == "Store"
    assert said(chosen.end_moved(99).start_moved(1)) == "Atlas amounts as decimals"
    assert said(chosen.start_moved(2)) == "amounts"
    assert said(chosen.start_moved(2).start_moved(-99)) == "Store Atlas amounts"
    assert said(chosen.whole()) == text


def test_from_one_place_to_another_in_either_order() -> None:
    text = "Store Atlas amounts"
    chosen = WordSelection.of(text)
    assert chosen is not None
    assert chosen.between(13, 7).span == (6, 19)
    assert chosen.between(0, 0).span == (0, 5)
    assert chosen.between(5, 5).span == (0, 5), "a blank belongs to the word before it"


def test_nothing_can_be_chosen_where_there_are_no_words() -> None:
    assert WordSelection.of(" \t") is None
