"""What is offered first of many that may be meant."""

from __future__ import annotations

from proofstone.domain.likeness import likeness

TEXTS = {
    "ferry": "The ferry leaves at six in the morning.",
    "night": "The night ferry carries no bicycles.",
    "choir": "The choir rehearses in the old library.",
}


def test_what_shares_more_and_rarer_words_is_more_like() -> None:
    found = likeness("From May the ferry leaves at seven.", TEXTS)
    assert found["ferry"] > found["night"] > found["choir"] == 0


def test_a_word_that_all_have_says_nothing() -> None:
    found = likeness("A ferry", dict.fromkeys(TEXTS, "the ferry"))
    assert set(found.values()) == {0}
    assert likeness("A ferry", {}) == {}
    assert likeness("", TEXTS) == dict.fromkeys(TEXTS, 0)


def test_the_order_of_the_texts_changes_nothing() -> None:
    statement = "The old ferry leaves the library at six in the night."
    backwards = dict(reversed(TEXTS.items()))
    assert likeness(statement, TEXTS) == likeness(statement, backwards)
