"""Words, keys, cues and support are found by short cuts; here beside plain ways to them."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from proofstone.domain import cue_words, cues, normalized_key, support, tokens
from proofstone.domain.records import Memory
from tests.taint_words import is_needed

PIECES = st.sampled_from(
    [
        *("run", "It", "v2", "80", "never", "don’t", "don't", "Don`t", "instead of", "enable"),
        *("不要发布", "测试", "启用", "停用", "ひらがな", "カナ", "한국어", "ภาษาไทย", "हिन्दी"),
        *("cafe\u0301", "ﬁne", "İst", "Straße", "０１２", "ＡＢ", "x_y", "\u200b", "\u0345", "👍"),
    ]
)
TEXTS = st.lists(PIECES, max_size=8).map(" ".join) | st.lists(PIECES).map("".join) | st.text()
SCOPES = st.lists(st.sampled_from(["global", "project:a", "project:É", ":x", "", "repo"]))
TAGS = st.lists(st.sampled_from(["orion", "发布", "workflow", "supersedes:mem-1", "Ａ b", "!!"]))


def plain_words(text: str) -> list[str]:
    """Character by character, as page 3 tells it."""
    invisible = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
    folded = unicodedata.normalize("NFKC", invisible.sub("", text)).casefold()
    found: list[str] = []
    sort = ""
    for character in f"{folded} ":
        is_word = re.fullmatch(rf"[^\W_]|[{tokens._MARKS}]", character)
        now = ("pairs" if tokens.is_unspaced(character) else "whole") if is_word else ""
        if now and now == sort:
            found[-1] += character
        elif now:
            found.append(character)
        sort = now
    return [
        word
        for run in found
        for word in (
            [run[place : place + 2] for place in range(len(run) - 1)]
            if tokens.is_unspaced(run) and len(run) > 1
            else [run]
        )
    ]


def plain_support(statement: str, evidence: str, short_words: bool) -> support.Support:
    """Word by word, with nothing left out."""
    text = tokens.fold(evidence)
    whole = plain_words(evidence)
    counted = [
        word
        for word in plain_words(statement)
        if not re.fullmatch("[\u3041-\u309f]{2}", word)
        if len(word) >= (4 if word.isascii() else 2 if tokens.is_unspaced(word) else 3)
    ]
    by_part = bool(counted)
    if not counted and short_words:
        counted = plain_words(statement)
    found = [word for word in counted if word in whole or (by_part and word in text)]
    return support.Support(
        counted=len(counted),
        found=len(found),
        matched=tuple(dict.fromkeys(found)),
        weak=tuple(word for word in dict.fromkeys(found) if word not in whole),
        unmatched=tuple(word for word in dict.fromkeys(counted) if word not in found),
    )


@given(TEXTS)
@example("हिन्दी ภาษา")
def test_words_are_those_that_reading_by_the_character_gives(text: str) -> None:
    expected = plain_words(text)
    assert list(tokens.words(text)) == expected
    long = {word for word in expected if len(word) > (2 if word.isascii() else 1)}
    assert tokens.distinctive(text) == (long or set(expected))
    assert tokens.distinctive_of(expected) == (long or set(expected))
    assert cues.Words.of(text) == (text, tuple(expected), tokens.distinctive(text))


@given(TEXTS, TEXTS, st.booleans())
def test_support_is_what_counting_word_by_word_gives(one: str, other: str, short: bool) -> None:
    for evidence in (other, one, f" {one}", f"{one} {other}", one.swapcase()):
        expected = plain_support(one, evidence, short)
        assert support.measure(one, [evidence], short_words=short) == expected


@given(TEXTS, TAGS, SCOPES, st.sampled_from(["", "p", "É q"]), st.sampled_from(["", "a|b|c|d|e"]))
def test_a_key_is_made_of_its_parts_one_by_one(
    text: str, tags: list[str], scopes: list[str], profile: str, stored: str
) -> None:
    memory = Memory(
        memory_id="mem-1",
        statement=text,
        tags=tuple(tags),
        scopes=tuple(scopes),
        profile=profile,
        normalized_key=stored,
    )
    level, reference = normalized_key.scope(scopes)
    made = normalized_key.create(
        profile=profile,
        scope_level=level,
        scope_reference=reference,
        topic=normalized_key.topic(tags, text),
        rule_type=memory.rule_type,
    )
    key = normalized_key.key_of(memory)
    assert key == (stored or made)
    assert normalized_key.subject_of(memory) == normalized_key.without_profile(key)


@given(TEXTS, TEXTS)
def test_words_found_before_tell_the_same_opposition(one: str, other: str) -> None:
    said = cues.Words.of(one), cues.Words.of(other)
    for text, words in zip((one, other), said, strict=True):
        plain = cues.plain(text)
        if "n't" not in plain:
            assert cues._Side.of(words).words == tokens.words(plain)
    assert cues.opposed(*said) == cues.opposition(one, other)


def test_no_cue_is_missed_for_want_of_a_part() -> None:
    for pattern, parts in (
        (cue_words.CONTRADICTION_LATIN, cue_words.CONTRADICTION_NEEDS),
        (cue_words.UPDATE_LATIN, cue_words.UPDATE_NEEDS),
        (cue_words.CONTRAST, cue_words.CONTRAST_NEEDS),
    ):
        assert is_needed(parts, pattern.pattern)
        assert not is_needed(parts[:-1], pattern.pattern)
