"""Siblings that are looked for are the siblings that an index finds (spec page 4, Capture)."""

from __future__ import annotations

import random

import pytest

from proofstone.domain.late_siblings import FEW, LateSiblings
from proofstone.domain.siblings import SiblingIndex

WORDS = (
    "atlas", "snapshots", "live", "thirty", "days", "never", "restore", "Orion", "Σίσυφος", "ΟΔΟΣ",
    "it's", "straße", "STRASSE", "v2", "v3", "部署", "在周五", "快照保留三十天", "デプロイ",
    "서버는", "a",
)  # fmt: skip


def made(seed: int) -> tuple[list[str], LateSiblings, SiblingIndex]:
    chance = random.Random(seed)
    texts = [
        chance.choice((" ", "'", ". ", "")).join(chance.choices(WORDS, k=chance.randint(1, 14)))
        for _ in range(150)
    ]
    late, index = LateSiblings(), SiblingIndex()
    for number, text in enumerate(texts):
        for one in (late, index):
            one.add(f"mem-{number % 120}", text, f"{number % 7}")
    for one in (late, index):
        one.remove("mem-3")
        one.remove("mem-none")
    return texts, late, index


@pytest.mark.parametrize("seed", range(6))
def test_they_are_those_of_an_index_before_and_after_one_is_made(seed: int) -> None:
    texts, late, index = made(seed)
    assert len(late) == len(index)
    for text in texts[: FEW + 10]:
        question = late.question(text)
        for k in (1, 3):
            assert question.ranked(k) == index.ranked(text, k)
        allowed = {f"mem-{number}" for number in range(0, 120, 2)}
        assert question.nearest(3, allowed.__contains__, ("mem-4",)) == index.nearest(
            text, 3, allowed.__contains__, ("mem-4",)
        )
    for text in texts[:3]:
        assert late.ranked(text, 3) == index.ranked(text, 3)
        assert late.nearest(text, 3) == index.nearest(text, 3)
    assert len(late) == len(index)


def test_what_is_added_between_two_questions_is_found() -> None:
    late = LateSiblings()
    text = "snapshots of atlas live thirty days"
    assert late.ranked(text, 3) == ()
    late.add("mem-1", text)
    assert [found.id for found in late.ranked(text, 3)] == ["mem-1"]
    late.remove("mem-1")
    assert late.ranked(text, 3) == ()
