"""Word-level differences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain import worddiff
from proofstone.domain.worddiff import Change, DiffPart, word_diff


def _told(before: str, after: str) -> str:
    """A difference in one line: removals in brackets, additions in braces."""
    wrap = {Change.SAME: "{}", Change.REMOVED: "[-{}]", Change.ADDED: "[+{}]"}
    return "".join(wrap[part.change].format(part.text) for part in word_diff(before, after))


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ("", "", ""),
        ("same words", "same words", "same words"),
        ("use tabs here", "use spaces here", "use [-tabs][+spaces] here"),
        ("", "new", "[+new]"),
        ("old", "", "[-old]"),
        ("deploy on Fridays", "never deploy on Fridays", "[+never ]deploy on Fridays"),
        ("缩进用制表符", "缩进用空格", "缩进用[-制表符][+空格]"),
        ("version 2", "version 3", "version [-2][+3]"),
        ("a b c", "x y c", "[-a b][+x y] c"),
    ],
)
def test_differences_read_as_a_person_would_tell_them(before: str, after: str, told: str) -> None:
    assert _told(before, after) == told


_WORDS = st.lists(st.sampled_from(["a", "b", "no", " ", "  ", "是", "的", ".", "\n"]), max_size=25)


@given(_WORDS.map("".join), _WORDS.map("".join))
def test_both_texts_can_be_read_back(before: str, after: str) -> None:
    parts = word_diff(before, after)
    assert "".join(p.text for p in parts if p.change is not Change.ADDED) == before
    assert "".join(p.text for p in parts if p.change is not Change.REMOVED) == after
    assert all(part.text for part in parts)


def test_very_long_texts_are_compared_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worddiff, "TOKEN_LIMIT", 4)
    parts = word_diff("head a b c d e tail", "head v w x y z tail")
    assert parts == (
        DiffPart(Change.SAME, "head "),
        DiffPart(Change.REMOVED, "a b c d e"),
        DiffPart(Change.ADDED, "v w x y z"),
        DiffPart(Change.SAME, " tail"),
    )
