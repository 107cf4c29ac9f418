"""What holds of keys, words and matching for any input (spec page 3, Matching)."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain import cues, normalized_key, tokens
from proofstone.domain.matching import MemoryIndex, match
from proofstone.domain.records import MatchKind, Memory, Proposal, Standing

WORDS = st.sampled_from(
    [
        *("run", "never", "don’t", "orion", "suite", "pnpm", "instead", "of"),
        *("before", "after", "enable", "不要", "发布", "测试", "启用", "nunca"),
        *("evita", "v2", "v3", "80"),
    ]
)
TEXTS = st.lists(WORDS, max_size=8).map(" ".join) | st.text(max_size=30)
TAGS = st.lists(st.sampled_from(["orion", "发布", "workflow", "supersedes:mem-1"]), max_size=2)
PROFILES = st.sampled_from(["", "p", "q"])
MEMORIES = st.lists(
    st.builds(
        Memory,
        memory_id=st.integers(0, 9).map(lambda number: f"mem-{number}"),
        statement=TEXTS,
        tags=TAGS.map(tuple),
        profile=PROFILES,
        standing=st.sampled_from([Standing.ACTIVE, Standing.ACTIVE, Standing.CONTESTED]),
    ),
    max_size=8,
    unique_by=lambda memory: memory.memory_id,
)
PROPOSALS = st.builds(
    Proposal,
    proposal_id=st.just("prop-1"),
    statement=TEXTS,
    tags=TAGS.map(tuple),
    profile=PROFILES,
    update_memory_id=st.sampled_from(["", "mem-2"]),
)


@given(PROPOSALS, MEMORIES)
def test_a_match_is_repeatable_and_keeps_profiles_apart(proposal, memories) -> None:
    found = match(proposal, MemoryIndex.of(memories))
    assert found == match(proposal, MemoryIndex.of(memories))
    by_id = {memory.memory_id: memory for memory in memories}
    assert all(
        not proposal.profile or by_id[id].profile in ("", proposal.profile) for id in found.matched
    )
    assert bool(found.matched) is (found.kind is not MatchKind.NEW)
    assert found.reasons


@given(PROPOSALS, MEMORIES, MEMORIES)
def test_an_index_kept_up_to_date_equals_one_made_anew(proposal, before, after) -> None:
    index = MemoryIndex.of(before)
    for memory in before:
        index.drop(memory.memory_id)
    for memory in after:
        index.put(replace(memory, tags=()))
        index.put(memory)
    assert match(proposal, index) == match(proposal, MemoryIndex.of(after))
    assert match(proposal, index) == match(proposal, MemoryIndex.of(reversed(after)))


@given(TEXTS, TEXTS)
def test_opposition_is_mutual_and_nothing_opposes_itself(one, other) -> None:
    assert bool(cues.opposition(one, other)) is bool(cues.opposition(other, one))
    assert cues.opposition(one, one) == ""


@given(TEXTS, TEXTS)
def test_jaccard_is_a_similarity(one, other) -> None:
    likeness = tokens.jaccard(one, other)
    assert 0.0 <= likeness <= 1.0
    assert likeness == tokens.jaccard(other, one)
    assert tokens.jaccard(one, one) == 1.0


@given(st.text(max_size=40))
def test_a_key_part_is_stable_under_being_made_again(text) -> None:
    part = normalized_key.part(text)
    assert normalized_key.part(part) == part
    assert normalized_key.SEPARATOR not in part


@given(PROPOSALS)
def test_a_key_has_five_parts(proposal) -> None:
    assert normalized_key.key_of(proposal).count(normalized_key.SEPARATOR) == 4
