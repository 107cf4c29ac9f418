"""Untrusted text becomes displayable, and spans survive it."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.shown import shown, shown_text


@pytest.mark.parametrize(
    ("raw", "seen"),
    [
        ("plain words", "plain words"),
        ("\x1b[2Jgone", "␛[2Jgone"),
        ("bell\x07", "bell␇"),
        ("del\x7f", "del␡"),
        ("c1 \x9b31m", "c1 ‹U+009B›31m"),
        ("abc\u202edef", "abc‹RLO›def"),
        ("a\u200bb", "a‹ZWSP›b"),
        ("hi\U000e0069\U000e0067", "hi‹tags:ig›"),
        ("lone \ud800.", "lone ‹U+D800›."),
        ("\U0001f469\U0001f3fd!", "\U0001f469‹tone›!"),  # two cells or four, as a terminal likes
        ("one\ntwo", "one⏎two"),
        ("one\r\ntwo", "one⏎two"),
        ("a\tb", "a⇥b"),
        ("\u0301accent first", "◌\u0301accent first"),
        ("z" + "\u0300" * 9, "z" + "\u0300" * 3 + "‹+6 accents›"),
        ("warning ⚠\ufe0f sign", "warning ⚠ sign"),
        ("a\ufe0f", "a‹VS16›"),
        ("用户的话", "用户的话"),
        ("[bold]markup[/bold]", "[bold]markup[/bold]"),
    ],
)
def test_what_a_person_sees(raw: str, seen: str) -> None:
    assert shown_text(raw) == seen


def test_line_ends_are_kept_where_they_are_wanted() -> None:
    assert shown("a\r\nb\rc\nd", newlines=True).text == "a\nb\nc\nd"


def test_a_span_is_found_again_behind_replaced_characters() -> None:
    raw = "x\u202ey \x1b[1m quote here \u200b end"
    start = raw.index("quote here")
    view = shown(raw)
    left, right = view.span(start, start + len("quote here"))
    assert view.text[left:right] == "quote here"


def test_a_span_over_a_hidden_character_covers_its_mark() -> None:
    raw = "ab\u200bcd"
    view = shown(raw)
    left, right = view.span(1, 4)
    assert view.text[left:right] == "b‹ZWSP›c"


def test_a_span_that_ends_inside_a_run_covers_the_whole_mark() -> None:
    raw = "a\U000e0069\U000e0067b"
    view = shown(raw)
    left, right = view.span(1, 2)
    assert view.text[left:right] == "‹tags:ig›"


def test_a_long_text_is_cut_and_says_so() -> None:
    view = shown("y" * 1_000_000, limit=100)
    assert view.text == "y" * 100 + " ‹999,900 more characters›"
    assert view.left_off == 999_900
    assert view.span(999, 1_200) == (100, 100)


_FORBIDDEN = {"Cc", "Cs", "Zl", "Zp", "Cf"}


@given(st.text(alphabet=st.characters(codec=None), max_size=80))
def test_nothing_invisible_or_active_is_left(raw: str) -> None:
    text = shown_text(raw)
    # Format characters of living scripts (Arabic number signs and the like) have a shape.
    shaped = set(range(0x600, 0x606)) | {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    egyptian = set(range(0x13430, 0x13440))
    left = [
        character
        for character in text
        if unicodedata.category(character) in _FORBIDDEN
        and ord(character) not in shaped
        and ord(character) not in egyptian
    ]
    assert left == []


@given(st.text(max_size=60), st.data())
def test_offsets_never_run_backwards(raw: str, data: st.DataObject) -> None:
    view = shown(raw)
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, len(raw)))
    left, right = view.span(start, end)
    assert 0 <= left <= right <= len(view.text)
    assert view.offset(len(raw)) == len(view.text)
