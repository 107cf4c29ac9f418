"""Ids from content (spec pages 5 and 6)."""

from __future__ import annotations

import hashlib

import pytest

from proofstone.domain import ids
from proofstone.domain.records import Layer


def test_the_same_proposal_twice_is_one() -> None:
    one = ids.proposal_id("Use pnpm.", profile="p", scopes=("b", "a"))
    assert one == ids.proposal_id("Use pnpm.", profile="p", scopes=("a", "b", "a"))
    assert ids.memory_id_for(one) == "mem-" + one.removeprefix("prop-")


@pytest.mark.parametrize(
    "other",
    [
        ids.proposal_id("Use pnpm"),
        ids.proposal_id("Use pnpm.", profile="p"),
        ids.proposal_id("Use pnpm.", scopes=("project:orion",)),
        ids.proposal_id("Use pnpm.", layer=Layer.L1),
    ],
)
def test_whatever_differs_makes_another(other: str) -> None:
    assert other != ids.proposal_id("Use pnpm.")


def test_parts_cannot_run_into_each_other() -> None:
    assert ids.history_id("mem-a", "b") != ids.history_id("mem-", "ab")
    assert ids.inquiry_id("q", ("a,b",)) != ids.inquiry_id("q", ("a", "b"))


def test_content_hash_is_of_the_bytes() -> None:
    assert ids.content_hash("使用") == hashlib.sha256("使用".encode()).hexdigest()
    assert len(ids.content_hash("\ud800")) == 64
