"""Notes become records, and what does not fit becomes a problem, never an exception."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain import note_fields
from proofstone.domain.gate_types import Claim, ClaimRole
from proofstone.domain.plan import NoteKind
from proofstone.domain.records import (
    Deferral,
    Durability,
    EvidenceRecord,
    Inquiry,
    Layer,
    MatchKind,
    Memory,
    Problem,
    Proposal,
    ProposalStatus,
    Standing,
    Tombstone,
    TrustClass,
)
from proofstone.vault.frontmatter import parse
from proofstone.vault.note_writer import new_note
from proofstone.vault.records import Record, read_record


def read(
    kind: NoteKind, header: str, body: str = "Words.", name: str = "x"
) -> tuple[Record | None, tuple[Problem, ...]]:
    data = f"---\n{header}\n---\n\n{body}\n".encode()
    return read_record(kind, parse(data), f"room/{name}.md", "rev")


def test_every_record_survives_writing_and_reading() -> None:
    proposal = Proposal(
        proposal_id="x", statement="A\n\nb", status=ProposalStatus.DEFERRED, origin="capture",
        layer=Layer.L1, title="T", scopes=("project:x",), tags=("a",), turn="codex/s#1",
        candidate_id="c1", bindings=(Claim(unit_id="u-1", quote='q "x"', role=ClaimRole.ASSERTION,
        start=0, end=5),), evidence=("e1",), update_memory_id="m", match_kind=MatchKind.DUPLICATE,
        matched=("m",), deferred=Deferral(reason="later", note="n", until="2026-12-01"),
        original_statement="Old", counterexamples=("c",), l1_sources=("m1", "m2"), memory_id="m9",
        ruled_by="Mira", ruled_at="2026-11-30T09:00:00Z", ruling="rul-1", ruling_reason="why",
        trust_class=TrustClass.REPOSITORY_TEXT, durability_signal=Durability.TASK, tainted=True,
        confidence=0.0, known_exceptions=("on Fridays",), valid_from="2026-01-01",
        path="room/x.md", revision="rev",
    )  # fmt: skip
    evidence = EvidenceRecord(
        evidence_id="x", source_kind="file", trust_class=TrustClass.REPOSITORY_TEXT,
        source_excerpt="line\nline", start=0, end=9, memory_ids=("m",), path="room/x.md",
        revision="rev",
    )  # fmt: skip
    tombstone = Tombstone(
        tombstone_id="x", deleted_id="m", deleted_at="2026-11-30", content_hash="a" * 64,
        path="room/x.md", revision="rev",
    )  # fmt: skip
    inquiry = Inquiry(
        inquiry_id="x", question="Which?", context="Both say so.", concerns=("a", "b"),
        path="room/x.md", revision="rev",
    )  # fmt: skip
    for kind, record, fields, body in (
        (NoteKind.PROPOSAL, proposal, note_fields.proposal_fields(proposal), proposal.statement),
        (NoteKind.EVIDENCE, evidence, note_fields.evidence_fields(evidence), ""),
        (NoteKind.TOMBSTONE, tombstone, note_fields.tombstone_fields(tombstone), ""),
        (NoteKind.INQUIRY, inquiry, note_fields.inquiry_fields(inquiry), inquiry.context),
    ):
        got, problems = read_record(kind, parse(new_note(fields, body)), "room/x.md", "rev")
        assert problems == ()
        assert got == record


def test_a_memory_without_our_keys_is_active_l2_without_trust_metadata() -> None:
    memory, problems = read(NoteKind.MEMORY, 'title: "Tea"\nmemory_id: "x"\nhit_count: 3')
    assert isinstance(memory, Memory)
    assert problems == ()
    assert (memory.layer, memory.standing) == (Layer.L2, Standing.ACTIVE)
    assert (memory.trust_class, memory.durability_signal, memory.ratified) == (None, None, None)
    assert (memory.scopes, memory.hit_count) == (("global",), 3)


def test_text_is_what_was_written_whatever_it_looks_like() -> None:
    memory, _ = read(
        NoteKind.MEMORY,
        "title: 1.10\ntags: [2.0, no, true]\nvalid_from: 2026-01-02\nsource: null\n"
        "sources:\n  - session_id: 007\n    turn_id: 1.50",
    )
    assert isinstance(memory, Memory)
    assert (memory.title, memory.tags) == ("1.10", ("2.0", "no", "true"))
    assert (memory.valid_from, memory.source) == ("2026-01-02", "")
    assert (memory.sources[0].session_id, memory.sources[0].turn_id) == ("007", "1.50")


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("title: [a, b]", "title"),
        ("tags: {a: b}", "tags"),
        ("hit_count: many", "hit_count"),
        ("confidence: 1.5", "confidence"),
        ("confidence: high", "confidence"),
        ("trust_class: friend", "trust_class"),
        ("durability_signal: [x]", "durability_signal"),
        ("sources: words", "sources"),
        ("review: soon", "review"),
        ("ratified: yes", "ratified"),
        ("tainted: maybe", "tainted"),
        ("globs: **/*", "globs"),
    ],
)
def test_a_wrongly_typed_key_is_a_problem_that_shows_what_stands_there(line: str, key: str) -> None:
    memory, (problem,) = read(NoteKind.MEMORY, f"memory_id: x\n{line}")
    assert isinstance(memory, Memory)
    assert (problem.subject, problem.line, problem.path) == (key, 3, "room/x.md")
    assert memory.statement == "Words."


def test_a_taint_that_cannot_be_read_counts_as_taint() -> None:
    for line in ("tainted: maybe", "tainted: {{ x }}"):
        memory, _ = read(NoteKind.MEMORY, f"memory_id: x\n{line}")
        assert isinstance(memory, Memory)
        assert memory.tainted


@pytest.mark.parametrize(
    ("kind", "header"),
    [
        (NoteKind.MEMORY, "memory_id: x\nstanding: gone"),
        (NoteKind.MEMORY, "memory_id: x\nstanding: {{ s }}"),
        (NoteKind.MEMORY, "memory_id: [x]"),
        (NoteKind.MEMORY, "memory_id: x\nlayer: L9"),
        (NoteKind.PROPOSAL, "proposal_id: x\nstatus: maybe"),
        (NoteKind.PROPOSAL, "proposal_id: {{ id }}\nstatus: open"),
        (NoteKind.EVIDENCE, "evidence_id: x"),
        (NoteKind.EVIDENCE, "evidence_id: x\ntrust_class: repository_text\nredaction_status: ?x"),
        (NoteKind.TOMBSTONE, "tombstone_id: x"),
    ],
)
def test_a_key_that_decides_what_a_note_is_makes_it_unreadable(kind: NoteKind, header: str) -> None:
    record, problems = read(kind, header)
    assert record is None
    assert problems[0].code == "unreadable_note"


def test_an_id_that_cannot_be_a_file_name_is_reported() -> None:
    memory, (problem,) = read(NoteKind.MEMORY, 'memory_id: "../../etc/passwd"')
    assert isinstance(memory, Memory)
    assert "cannot name a file" in problem.message


def test_an_id_that_differs_from_the_file_is_reported_and_a_missing_one_is_the_file_name() -> None:
    memory, (problem,) = read(NoteKind.MEMORY, "memory_id: other")
    assert isinstance(memory, Memory)
    assert (memory.memory_id, problem.subject) == ("other", "memory_id")
    memory, problems = read(NoteKind.MEMORY, 'title: "x"', name="mem-7")
    assert isinstance(memory, Memory)
    assert (memory.memory_id, problems) == ("mem-7", ())


def test_history_of_memleafs_own_is_superseded_or_deleted() -> None:
    kept, _ = read(NoteKind.HISTORY, "memory_id: x\nsuperseded_by: m\narchived_at: t")
    gone, _ = read(NoteKind.HISTORY, "memory_id: x\ninvalidated_reason: scope\narchived_at: t")
    ours, _ = read(NoteKind.HISTORY, "memory_id: x\nstanding: deprecated\narchived_at: t")
    assert isinstance(kept, Memory)
    assert (kept.standing, kept.superseded_by) == (Standing.SUPERSEDED, ("m",))
    assert isinstance(gone, Memory)
    assert gone.standing is Standing.DELETED
    assert isinstance(ours, Memory)
    assert ours.standing is Standing.DEPRECATED


def test_a_binding_that_cannot_be_read_is_a_problem_and_the_others_stay() -> None:
    rows = (
        "bindings:\n  - unit: u-1\n    quote: a\n    start: 0\n    end: 1\n    role: assertion\n"
        "  - unit: u-2\n    quote: b\n    start: x\n    end: 1\n    role: assertion"
    )
    proposal, (problem,) = read(NoteKind.PROPOSAL, f"proposal_id: x\n{rows}")
    assert isinstance(proposal, Proposal)
    assert [claim.unit_id for claim in proposal.bindings] == ["u-1"]
    assert problem.subject == "bindings"


@given(st.sampled_from(list(NoteKind)), st.binary(max_size=200))
def test_no_bytes_make_reading_a_record_raise(kind: NoteKind, data: bytes) -> None:
    for candidate in (data, b"---\n" + data + b"\n---\n"):
        record, problems = read_record(kind, parse(candidate), "room/x.md", "rev")
        assert record is not None or problems
