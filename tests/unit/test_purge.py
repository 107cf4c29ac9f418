"""What a purge concerns, what it leaves of others' notes, and what it never touches."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofstone.curation import purging
from proofstone.curation.check import check
from proofstone.domain import ids, note_fields
from proofstone.domain.gate_contract import check_answer, projection
from proofstone.domain.gate_types import Claim, ClaimRole, GateAnswer
from proofstone.domain.inventory import inventory
from proofstone.domain.purge_text import (
    FILLER,
    blacked_out_clauses,
    letters,
    occurrences,
    placed_letters,
)
from proofstone.domain.purge_words import PurgedWords
from proofstone.domain.purging import PurgedContents, content_hmac, scope_of
from proofstone.domain.records import (
    EvidenceRecord,
    Holdings,
    Memory,
    Proposal,
    ProposalStatus,
    SourceReference,
    Tombstone,
    TrustClass,
)
from proofstone.domain.rulings import Choices, RulingRefused, short_id
from proofstone.vault.inbox import parse_inbox
from proofstone.vault.note_writer import new_note
from proofstone.vault.purge_inbox import Captured, purged_inbox
from proofstone.vault.purge_notes import purged_note
from proofstone.vault.spoken import spoken
from proofstone.vault.tool_evidence import CapturePolicy
from tests.kept_siblings import PATHS, keep, made_anew, memories_of
from tests.purge_story import TURN, Story, files, tell, workspace

STATEMENT = "Her passport number is X4711-0815, and she keeps it in the blue drawer."


@pytest.fixture(autouse=True)
def quick_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written is looked at here, not whether it survives a power cut."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture
def story(tmp_path: Path) -> Story:
    return tell(tmp_path, STATEMENT)


def purge(story: Story) -> None:
    purging.purge(workspace(story.root), story.subject, story.confirmed)


def note(root: Path, path: str, fields: dict[str, object], body: str = "") -> Path:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_bytes(new_note(fields, body))  # type: ignore[arg-type]
    return root / path


# --- the words ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "form",
    [
        "HER PASSPORT NUMBER IS X4711-0815",
        "her  passport\n> number — is *X4711*0815",
        r"Her \u0070assport n\\u0075mber is \"X4711\"-0815",
        "Her%20passport%20number%2520is+X4711-0815",
        "Her&nbsp;passport number&#32;is &quot;X4711&#x2D;0815",
        "Hér pässport nümber is Ⅹ4711-0815",
    ],
)
def test_words_are_found_in_every_form_and_blacked_out_where_they_stand(form: str) -> None:
    words = PurgedWords.of(["Her passport number is X4711-0815."])
    text = f"<<{form}>>"
    (span,) = words.spans(text)
    assert text[: span[0]] == "<<"
    left = blacked_out_clauses(text, (span,))
    assert len(left) == len(text)
    assert not words.are_in(left)


def test_short_texts_are_not_looked_for_everywhere() -> None:
    words = PurgedWords.of(["He said so."], ["yes", "Mira"])
    assert words.are_in("And then he said so, did he?")
    assert not words.are_in("yes, says Mira")
    assert words.is_whole("He said so!")


def test_what_says_nothing_is_never_found() -> None:
    words = PurgedWords.of(["?!", FILLER * 20])
    assert words.needles == ()
    assert not words.may_be_in("What")
    assert occurrences("anything", ()) == ()


def test_clauses_stay_what_they_were_around_what_is_blacked_out() -> None:
    text = "Before it. My PIN is 1,234. After it, and more."
    left = blacked_out_clauses(text, ((11, 27),))
    assert left == f"Before it. {FILLER * 15}。 After it, and more."


# --- what it concerns ----------------------------------------------------------------------------


def test_everything_that_says_the_same_goes_together() -> None:
    memory = Memory(memory_id="mem-a", statement="Now otherwise.", evidence=("e1",))
    holdings = Holdings(
        memories=(
            memory,
            Memory(memory_id="mem-b", statement=STATEMENT),
            Memory(memory_id="mem-c", statement="A drawer is blue and has nothing in it."),
        ),
        history=(Memory(memory_id="hist-1", statement=STATEMENT, active_memory_id="mem-a"),),
        proposals=(
            Proposal(proposal_id="prop-x", statement="first", memory_id="mem-a"),
            Proposal(proposal_id="prop-y", statement="edited", original_statement="first"),
            Proposal(proposal_id="prop-z", statement="of something else"),
        ),
        evidence=(
            EvidenceRecord(
                evidence_id="e1",
                source_kind="conversation",
                trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
                source_excerpt="an excerpt that is long enough",
            ),
        ),
    )
    scope = scope_of(holdings, "mem-a")
    assert scope.ids == {"mem-a", "mem-b", "prop-x", "prop-y"}
    assert [version.memory_id for version in scope.versions] == ["hist-1"]
    assert "an excerpt that is long enough" in scope.words.texts


def test_a_version_in_history_is_purged_with_its_memory_and_unknown_ids_are_refused() -> None:
    version = Memory(memory_id="hist-1", statement=STATEMENT, active_memory_id="mem-a")
    assert scope_of(Holdings(history=(version,)), "hist-1").memory_ids == {"mem-a"}
    with pytest.raises(RulingRefused, match="neither a proposal nor a memory"):
        scope_of(Holdings(), "mem-a")


def test_a_memory_of_the_same_words_as_an_old_version_does_not_lose_its_other_versions() -> None:
    """A memory that once said the words, and says something else now, stays in force."""
    holdings = Holdings(
        memories=(
            Memory(memory_id="mem-a", statement=STATEMENT),
            Memory(memory_id="mem-b", statement="It says something else by now."),
        ),
        history=(Memory(memory_id="hist-b", statement=STATEMENT, active_memory_id="mem-b"),),
    )
    scope = scope_of(holdings, "mem-a")
    assert scope.memory_ids == {"mem-a"}
    assert [version.memory_id for version in scope.versions] == ["hist-b"]


def test_markers_are_told_by_the_key_alone() -> None:
    stone = Tombstone(
        tombstone_id="tomb-1",
        deleted_id="mem-a",
        deleted_at="",
        content_hmac=content_hmac(b"k" * 32, STATEMENT),
    )
    assert PurgedContents((stone,), b"k" * 32)(STATEMENT) == ("tomb-1",)
    assert PurgedContents((stone,), b"l" * 32)(STATEMENT) == ()
    blind = PurgedContents((stone,), None)
    assert blind(STATEMENT) == ()
    assert blind.is_blind


# --- other notes ---------------------------------------------------------------------------------


def test_another_note_loses_the_words_and_nothing_else() -> None:
    words = PurgedWords.of([STATEMENT])
    fields = {
        "memory_id": "mem-z",
        "title": STATEMENT,
        "tags": ("passport", "drawer"),
        "trust_class": "direct_user_instruction",
        "content_hash": ids.content_hash(f"Note: {STATEMENT} Thus."),
    }
    data = new_note(fields, f"Note: {STATEMENT} Thus.")
    left = purged_note(data.replace(b"tags", b"# kept comment\ntags"), words)
    text = left.decode("utf-8")
    assert not words.are_in(text)
    assert text.startswith('---\nmemory_id: "mem-z"\n')
    assert '# kept comment\ntags: ["passport", "drawer"]\n' in text
    body = text.rpartition("---\n\n")[2].removesuffix("\n")
    assert body.startswith("Note: ") and body.endswith(" Thus.")
    assert ids.content_hash(body) in text


def test_words_that_are_names_of_a_closed_list_harm_no_note() -> None:
    words = PurgedWords.of(["direct user instruction", "redaction status none"])
    data = new_note({"trust_class": "direct_user_instruction", "redaction_status": "none"}, "x")
    assert purged_note(data, words) == data


def test_a_hash_of_the_words_goes_from_other_notes() -> None:
    data = new_note({"memory_id": "mem-z", "content_hash": ids.content_hash(STATEMENT)}, "Other.")
    assert b"content_hash" not in purged_note(data, PurgedWords.of([STATEMENT]))


def test_an_unreadable_note_is_left_alone_and_named(story: Story) -> None:
    odd = story.root / "knowledge/odd.md"
    odd.write_text(f"no header\n{STATEMENT}\n", encoding="utf-8")
    before = odd.read_bytes()
    others = dict(purging.preview_purge(workspace(story.root), story.subject).others)
    assert "knowledge/odd.md" in others
    purge(story)
    assert odd.read_bytes() == before


# --- captured text -------------------------------------------------------------------------------


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_an_inbox_file_keeps_its_line_ends_and_its_other_bytes(story: Story, line_end: str) -> None:
    data = (story.root / "inbox/agent/told.md").read_bytes()
    data = data.replace(b"\n", line_end.encode()) + b"stray \xff bytes" + line_end.encode()
    words = PurgedWords.of([STATEMENT], story.quotes)
    left = purged_inbox(data, words, Captured())
    assert not words.are_in(left.decode("utf-8", "replace"))
    assert left.count(line_end.encode()) == data.count(line_end.encode())
    assert left.endswith(b"stray \xff bytes" + line_end.encode())
    before, after = (
        parse_inbox(each, "agent", "told", "", CapturePolicy()).events for each in (data, left)
    )
    assert [event.event_key for event in after] == [event.event_key for event in before]


def test_a_block_that_cannot_be_read_loses_the_words_too() -> None:
    data = f"<!-- memleaf:event:v2 -->\nnot JSON\n{STATEMENT}\n".encode()
    left = purged_inbox(data, PurgedWords.of([STATEMENT]), Captured())
    assert left.startswith(b"<!-- memleaf:event:v2 -->\nnot JSON\n")
    assert not PurgedWords.of([STATEMENT]).are_in(left.decode("utf-8"))


def test_tool_records_lose_the_words_and_their_digest_is_that_of_what_is_left(
    story: Story,
) -> None:
    purge(story)
    events = workspace(story.root).turn(TURN).turn.events
    (record,) = (item for event in events for item in event.observations)
    assert record.content is not None
    assert FILLER in record.content
    raw = (story.root / "inbox/agent/told.md").read_text(encoding="utf-8")
    assert record.result_digest in raw


def test_a_unit_that_another_memory_rests_on_loses_only_the_words(tmp_path: Path) -> None:
    """Two memories quote one clause, each a part of it; one of them is purged."""
    said = "Her passport number is X4711-0815 and the ledger closes on Fridays"
    story = tell(tmp_path, said)
    for room in (
        "proposals",
        "evidence",
        "knowledge",
        "gate",
        "history",
        "inquiries",
        "_state/proofstone",
    ):
        shutil.rmtree(tmp_path / room)
    (unit,) = (u for u in workspace(tmp_path).turn(TURN).units if u.text == said)
    half = said.index(" and ")
    parts = {"prop-gone": (0, half), "prop-kept": (half + 5, len(said))}
    for name, (start, end) in parts.items():
        claim = Claim(
            unit_id=unit.unit_id,
            quote=said[start:end],
            role=ClaimRole.ASSERTION,
            start=start,
            end=end,
        )
        proposal = Proposal(
            proposal_id=name, statement=f"It is so: {claim.quote}", turn=TURN, bindings=(claim,)
        )
        fields = dict(note_fields.proposal_fields(proposal))
        note(tmp_path, f"proposals/{name}.md", fields, proposal.statement)
    choices = Choices(reason="user_requested", confirm=short_id("prop-gone"))
    purging.purge(workspace(tmp_path), "prop-gone", choices)
    after = workspace(tmp_path)
    (claim,) = after.proposals["prop-kept"].bindings
    units = {u.unit_id: u for u in after.turn(TURN).units}
    assert claim.unit_id != unit.unit_id
    assert units[claim.unit_id].text[claim.start : claim.end] == claim.quote == said[half + 5 :]
    assert units[claim.unit_id].text.startswith(FILLER * half)
    assert story.unaffected <= units.keys()
    assert [p for p in check(after) if p.severity == "error"] == []


def test_the_answer_keeps_the_contract_after_the_purge(story: Story) -> None:
    purge(story)
    view = workspace(story.root).turn(TURN)
    assert view.gate is not None
    assert not view.answer_is_stale
    assert view.gate.answer is not None
    checked = check_answer(
        view.gate.answer,
        turn_event_keys=[event.event_key for event in view.turn.events],
        units=projection(inventory(view.turn.events)),
    )
    assert isinstance(checked, GateAnswer)
    assert checked.missing_unit_ids == ()
    assert checked.candidates == ()


def test_a_memory_that_memleaf_made_is_purged_from_the_events_that_it_names(
    story: Story,
) -> None:
    """It has no bindings: the clauses of its turn that repeat it are found by their words."""
    for room in ("proposals", "evidence", "knowledge", "gate", "history", "inquiries"):
        shutil.rmtree(story.root / room)
    events = workspace(story.root).turn(TURN).turn.events
    memory = Memory(
        memory_id="mem-memleaf",
        statement="The passport number X4711-0815 is hers.",
        title="Passport",
        sources=tuple(
            SourceReference(event_key=e.event_key, session_id="told", turn_id="told-1")
            for e in events
        ),
    )
    path = f"knowledge/{memory.memory_id}.md"
    note(story.root, path, dict(note_fields.memory_fields(memory)), memory.statement)
    choices = Choices(reason="user_requested", confirm=short_id(memory.memory_id))
    purging.purge(workspace(story.root), memory.memory_id, choices)
    assert "X4711" not in (story.root / "inbox/agent/told.md").read_text(encoding="utf-8").upper()


# --- the whole ------------------------------------------------------------------------------------


def test_indexes_go_and_other_programs_files_are_named(story: Story) -> None:
    (story.root / "notes.txt").write_text(json.dumps(STATEMENT.upper()), encoding="utf-8")
    (story.root / "_index/unrelated.json").write_text("{}", encoding="utf-8")
    keep(story.root)
    shown = purging.preview_purge(workspace(story.root), story.subject)
    assert [path for path, _ in shown.others] == ["notes.txt"]
    assert {(path, "an index: removed") for path in PATHS.values()} <= set(shown.files)
    purge(story)
    left = sorted(path.name for path in (story.root / "_index").rglob("*") if path.is_file())
    assert left == ["unrelated.json"]
    assert (story.root / "notes.txt").exists()


def test_an_index_that_was_made_before_it_and_is_written_after_it_has_no_word(
    story: Story,
) -> None:
    siblings = made_anew(memories_of(story.root))
    keep(story.root)
    kept = story.root / PATHS["siblings"]
    words = (b"passport", b"x4711", b"0815", b"drawer")
    assert all(word in kept.read_bytes() for word in words)
    purge(story)
    assert not kept.exists()
    # Other texts make it worth writing.
    for number in range(9):
        note = story.root / f"knowledge/mem-{number}.md"
        note.write_text(f'---\nmemory_id: "mem-{number}"\n---\n\nLeft are these words.\n')
    others = memories_of(story.root)
    for said in spoken(others):
        siblings.add(said.id, said.statement, said.created)
    assert keep(story.root, siblings=siblings, memories=others)
    assert b"words" in kept.read_bytes()
    assert not any(word in kept.read_bytes() for word in words)


def test_it_is_refused_when_what_it_concerns_has_changed_since_it_was_seen(story: Story) -> None:
    view = workspace(story.root)
    path = story.root / f"knowledge/{story.subject}.md"
    path.write_bytes(path.read_bytes() + b"more\n")
    with pytest.raises(Exception, match="has changed since it was shown"):
        purging.purge(view, story.subject, story.confirmed)
    assert path.exists()


def test_a_waiting_proposal_is_purged_and_closed(tmp_path: Path) -> None:
    story = tell(tmp_path, STATEMENT, ruled=False)
    purge(story)
    view = workspace(tmp_path)
    proposal = view.proposals[story.subject]
    assert proposal.status is ProposalStatus.TOMBSTONED
    assert proposal.statement == ""
    assert not (tmp_path / f"proposals/{story.subject}.md").exists()
    assert [p for p in check(view) if p.severity == "error"] == []


def test_a_second_purge_goes_through_what_the_first_one_left(story: Story) -> None:
    other = "Of the ledger the auditor keeps three sealed copies."
    memory = Memory(memory_id="mem-second", statement=other, title="copies")
    fields = dict(note_fields.memory_fields(memory))
    note(story.root, "knowledge/mem-second.md", fields, other)
    purge(story)
    purging.purge(
        workspace(story.root), "mem-second", Choices(reason="other", confirm=short_id("mem-second"))
    )
    view = workspace(story.root)
    assert [p for p in check(view) if p.severity == "error"] == []
    assert view.purged(STATEMENT) and view.purged(other)


def windows(text: str) -> Iterator[bytes]:
    return (text[place : place + 12].encode() for place in range(len(text) - 11))


@pytest.mark.parametrize("seed", range(10))
def test_no_window_of_twelve_characters_of_a_random_memory_is_left(
    tmp_path: Path, seed: int
) -> None:
    draw = random.Random(seed)
    syllables = ["ka", "zo", "mir", "tel", "qu", "ban", "ix", "ürs", "łod", "我", "们", "住", "é"]
    text = " ".join(
        "".join(draw.choice(syllables) for _ in range(draw.randint(1, 4)))
        + draw.choice(["", "", "", ",", ".", "!", "\n-", "\n"])
        for _ in range(draw.randint(3, 60))
    ).strip()
    purge(tell(tmp_path, text))
    for path, data in files(tmp_path):
        for window in windows(text):
            assert window not in data, f"{path} holds {window.decode()!r}"
        assert letters(text) not in letters(data.decode("utf-8", "replace"))


def test_letters_are_the_same_with_and_without_their_places() -> None:
    for text in ("".join(map(chr, range(128))), "A\\u0062%43&#100;É", "ﬁ ½ İ 🦊 ▒", "\\n%zz&nope;"):
        assert letters(text) == placed_letters(text).letters
