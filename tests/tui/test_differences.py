"""Differences between two texts, as they are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Span

from proofstone.tui.words import difference

WORDS = st.lists(st.sampled_from(["Orion", "ships", "on", "Tuesdays", "周四", ","]), max_size=8)


@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        ("on Tuesdays", "on Thursdays", "on Tuesdays Thursdays"),
        ("on Tuesdays, late", "on Thursdays, late", "on Tuesdays Thursdays, late"),
        ("on Tuesdays", "on Tuesdays", "on Tuesdays"),
        ("", "new", "new"),
        ("old", "", "old"),
        ("周二发布", "周四发布", "周二 四发布"),
    ],
)
def test_what_replaces_a_word_stands_apart_from_it(before: str, after: str, shown: str) -> None:
    assert difference(before, after).plain == shown


@given(WORDS, WORDS)
def test_nothing_of_either_text_is_lost(before: list[str], after: list[str]) -> None:
    one, other = " ".join(before), " ".join(after)
    shown = difference(one, other)
    removed = [span for span in shown.spans if "removed" in str(span.style)]
    added = [span for span in shown.spans if "added" in str(span.style)]

    def without(spans: list[Span]) -> str:
        kept = list(shown.plain)
        for span in spans:
            kept[span.start : span.end] = [""] * (span.end - span.start)
        return "".join(kept).replace(" ", "")

    assert without(added) == one.replace(" ", "")
    assert without(removed) == other.replace(" ", "")
