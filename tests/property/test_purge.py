"""After a purge no file holds the words, in any form; everything else is as it was."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from memleaf.inbox import parse_inbox_file

from proofstone.curation.check import check
from proofstone.curation.purging import purge
from proofstone.domain.clauses import placed_clauses
from proofstone.domain.purge_text import FILLER, blacked_out_clauses, letters, occurrences, says
from proofstone.domain.purge_words import PurgedWords, weight
from tests.kept_siblings import keep, made_anew, memories_of
from tests.purge_story import OTHER_STATEMENT, Story, files, forms, tell, workspace

_WORDS = st.sampled_from(
    [
        *(
            "passport",
            "Żółw",
            "O'Hara",
            '"quoted"',
            "back\\slash",
            "C:\\new\\table",
            "100%25",
            "a&b",
        ),
        *("<b>", "&lt;", "key: value", "- item", "# no comment", "{{x}}", "@home", "%TAG", "!tag"),
        *(
            "*anchor",
            "住在",
            "榆树街五号",
            "護照",
            "여권",
            "🦊",
            "👩‍👩‍👧",
            "na\u0301ive",
            "ﬁne",
            "İstanbul",
        ),
        *("1,234.5", "v1.2.3", "end.", "done。", "what?", "no!", "x;y", "\u202eevil", "\x1b[31m"),
        *("\x85", "\u2028", "\ufeff", "\x7f", "\t", "\\u0041", "%41%42", "\\\\n", "..", "--", "'"),
    ]
)
_LINES = st.sampled_from(
    ["\n", "\r\n", "\n\n", "\n- ", "\n> ", "\n```\n", "\n# ", " ", " ", " ", ", "]
)
PHRASES = st.lists(st.tuples(_WORDS, _LINES), min_size=1, max_size=60).map(
    lambda pairs: "".join(word + gap for word, gap in pairs).strip()
)
TEXTS = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0" + FILLER), max_size=2000
).map(str.strip)
STATEMENTS = (
    st.one_of(PHRASES, TEXTS, st.builds("{} {}".format, PHRASES, TEXTS))
    .map(str.strip)
    .filter(lambda text: 0 < len(text) <= 2000)
)


@pytest.fixture(autouse=True)
def quick_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written is looked at here, not whether it survives a power cut."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture
def place() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="purge-"))
    yield folder
    shutil.rmtree(folder)


def fresh(place: Path) -> Path:
    root = place / "vault"
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir()
    return root


def is_sought(text: str) -> bool:
    """Whether a text says enough to be looked for everywhere, and is no row of one character."""
    found = letters(text)
    return weight(found) >= 12 and len(set(found)) > 4


def assert_gone(story: Story) -> None:
    sought = [text for text in (story.statement, *story.quotes) if is_sought(text)]
    for path, data in files(story.root):
        for text in sought:
            for what, form in forms(text):
                assert form not in data, f"{path} holds {what} {text!r}"
                assert form not in path.encode(), f"{path} says {what} {text!r}"
            assert letters(text) not in letters(data.decode("utf-8", "replace")), path


def assert_the_rest_is_there(story: Story) -> None:
    view = workspace(story.root)
    units = {unit.unit_id for turn in view.turns for unit in turn.units}
    assert story.unaffected <= units
    other = view.held.memory("mem-other")
    assert other is not None
    assert other.statement == OTHER_STATEMENT


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(statement=STATEMENTS)
def test_no_file_holds_the_words_and_everything_else_stays(place: Path, statement: str) -> None:
    story = tell(fresh(place), statement)
    inboxes = sorted((story.root / "inbox").rglob("*.md"))
    read_before = [[t.event_keys for t in parse_inbox_file(path)] for path in inboxes]
    found_before = set(check(workspace(story.root)))
    memories = memories_of(story.root)
    siblings = made_anew(memories)
    keep(story.root)
    purge(workspace(story.root), story.subject, story.confirmed)
    assert_gone(story)
    # Nor does it come back by an index that somebody had made before and writes now.
    keep(story.root, siblings=siblings, memories=memories)
    assert_gone(story)
    assert_the_rest_is_there(story)
    assert [[t.event_keys for t in parse_inbox_file(path)] for path in inboxes] == read_before
    after = workspace(story.root)
    assert not {p.code for p in check(after)} - {p.code for p in found_before}, check(after)
    for memory in (*after.holdings.memories, *after.holdings.history):
        assert memory.statement != statement
    for unit in (unit for turn in after.turns for unit in turn.units):
        assert unit.text != statement or not says(statement)
    assert after.purged(statement) or not says(statement)


@settings(max_examples=200, deadline=None)
@given(before=PHRASES, text=STATEMENTS, after=PHRASES, data=st.data())
def test_a_text_falls_into_the_same_clauses_when_a_part_is_blacked_out(
    before: str, text: str, after: str, data: st.DataObject
) -> None:
    whole = f"{before} {text} {after}"
    # A clause that also stands in a line that opens code is found there, as memleaf finds it.
    assume("```" not in whole and "~~~" not in whole)
    clauses = list(placed_clauses(whole))
    assume(clauses)
    start, clause, _, _ = data.draw(st.sampled_from(clauses))
    end = start + len(clause)
    left = blacked_out_clauses(whole, ((start, end),))
    assert len(left) == len(whole)
    kept = {(at, said) for at, said, _, _ in clauses if at + len(said) <= start or at >= end}
    now = list(placed_clauses(left))
    assert kept <= {(at, said) for at, said, _, _ in now}
    assert [at for at, _, _, _ in now] == [at for at, _, _, _ in clauses]


@settings(max_examples=300, deadline=None)
@given(text=STATEMENTS)
def test_every_form_of_a_text_has_its_letters(text: str) -> None:
    assume(weight(letters(text)) >= 12)
    for what, form in forms(text):
        read = form.decode("utf-8")
        assert occurrences(f'"before {read} after"', (letters(text),)), what


@settings(max_examples=200, deadline=None)
@given(text=STATEMENTS, around=PHRASES)
def test_what_is_blacked_out_is_no_longer_found(text: str, around: str) -> None:
    words = PurgedWords.of((text,))
    whole = f"{around}\n{text}\n{around}"
    left = blacked_out_clauses(whole, words.spans(whole))
    assert not words.are_in(left)
    assert len(left) == len(whole)
