"""Wrapping by cells."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from proofstone.tui.wrapping import cut_cells, line_count, wrap_spans


def lines(text: str, width: int, kept_free: int = 0) -> list[str]:
    return [text[start:end] for start, end in wrap_spans(text, width, kept_free)]


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("", 10, [""]),
        ("short", 10, ["short"]),
        ("one two three", 7, ["one two", "three"]),
        ("one\ntwo", 10, ["one", "two"]),
        ("a\n\nb", 10, ["a", "", "b"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("中文没有空格", 6, ["中文没", "有空格"]),
        ("word 中文", 7, ["word 中", "文"]),
        ("  indented line here", 12, ["  indented", "line here"]),
        ("n\u00a0new candidate", 8, ["n\u00a0new", "candidat", "e"]),
        ("press -\u00a0defer", 9, ["press", "-\u00a0defer"]),
    ],
)
def test_examples(text: str, width: int, expected: list[str]) -> None:
    assert lines(text, width) == expected


def test_the_first_line_can_be_narrower() -> None:
    assert lines("one two three four", 9, kept_free=5) == ["one", "two three", "four"]


@given(st.text(max_size=80), st.integers(2, 30), st.integers(0, 10))
def test_lines_fit_and_nothing_but_space_is_lost(text: str, width: int, kept_free: int) -> None:
    spans = wrap_spans(text, width, kept_free)
    assert all(cell_len(text[start:end]) <= max(2, width) for start, end in spans)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert [start for start, _ in spans] == sorted(start for start, _ in spans)


@given(st.text(max_size=40), st.integers(0, 20))
def test_a_cut_fits(text: str, width: int) -> None:
    assert cell_len(text[: cut_cells(text, width)]) <= width


prose = st.lists(st.text("abcde,.–é", max_size=9), max_size=14).map(" ".join)


@given(prose | st.text(max_size=80), st.integers(0, 30), st.integers(0, 10))
def test_lines_are_counted_as_they_are_made(text: str, width: int, kept_free: int) -> None:
    assert line_count(text, width, kept_free) == len(wrap_spans(text, width, kept_free))
