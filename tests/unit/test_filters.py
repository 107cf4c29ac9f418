"""The filter language: terms, negation, ages, fuzzy words, and clear errors."""

from datetime import timedelta

import pytest

from proofstone.domain.filters import KEYS, Filterable, FilterError, parse

ROW = Filterable(
    text="Orion ships on Tuesdays, after the smoke tests pass.",
    identifier="prop-1a2b3c",
    layer="L2",
    risk="low",
    match="potential_conflict",
    verdict="review_required",
    state="open",
    source="codex",
    scopes=("project:orion",),
    tags=("release",),
    taint=True,
    reviewed=False,
    age=timedelta(days=8),
)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "layer:L2",
        "layer:l2 risk:low",
        "match:conflict",
        "taint:yes -reviewed:yes",
        "scope:project",
        "scope:project:orion",
        "tag:release",
        "age:>7d",
        "age:>=8d age:<2w",
        "age:100m",
        "tuesdays",
        "tuesdys",
        "prop-1a2",
        '"smoke tests"',
        "-wednesday",
        "verdict:review state:open source:codex",
    ],
)
def test_a_filter_that_holds(text: str) -> None:
    assert parse(text).matches(ROW)


@pytest.mark.parametrize(
    "text",
    [
        "layer:L1",
        "-layer:L2",
        "risk:high",
        "match:duplicate",
        "taint:no",
        "scope:project:atlas",
        "scope:proj",
        "tag:releases",
        "age:>9d",
        "age:<7d",
        "wednesday",
        '"tests smoke"',
        "layer:L2 wednesday",
    ],
)
def test_a_filter_that_does_not_hold(text: str) -> None:
    assert not parse(text).matches(ROW)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("laier:L1", "layer"),
        ("age:soon", ">7d"),
        ("taint:perhaps", "yes or no"),
    ],
)
def test_a_filter_that_cannot_be_understood_says_what_would_be(text: str, says: str) -> None:
    with pytest.raises(FilterError, match=says):
        parse(text)


def test_addresses_are_words_not_keys() -> None:
    assert parse("https://example.invalid/x").matches(
        Filterable(text="see https://example.invalid/x", identifier="a")
    )


@pytest.mark.parametrize("key", KEYS)
def test_every_key_takes_some_value(key: str) -> None:
    value = {"age": ">1d", "taint": "yes", "eligible": "no", "reviewed": "no"}.get(key, "none")
    assert parse(f"{key}:{value}").matches(ROW) in (True, False)
