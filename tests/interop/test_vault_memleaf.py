"""The same folder under Proofstone and memleaf 0.2.30: each reads what the other wrote."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memleaf.inbox import parse_inbox_file, parse_inbox_text
from memleaf.locking import VaultLock as MemleafLock
from memleaf.service import Memleaf

from proofstone.domain.conversation import Event, Observation, Role
from proofstone.domain.note_fields import memory_fields
from proofstone.domain.plan import FileChange, NoteKind, NoteRef, Ruling
from proofstone.domain.records import (
    Durability,
    Layer,
    Memory,
    Ratification,
    Review,
    SourceReference,
    Standing,
    TrustClass,
)
from proofstone.vault.errors import VaultLockedError
from proofstone.vault.inbox import parse_inbox, turns
from proofstone.vault.inbox_writer import append_event, event_block, id_key
from proofstone.vault.layout import note_path
from proofstone.vault.lock import VaultLock
from proofstone.vault.note_writer import edit_note, new_note
from proofstone.vault.tool_evidence import CapturePolicy
from proofstone.vault.transaction import apply
from proofstone.vault.vault import Vault


@pytest.fixture
def memleaf(tmp_path: Path) -> Memleaf:
    return Memleaf(tmp_path / "vault")


def memory(**changes: object) -> Memory:
    values: dict[str, object] = {
        "memory_id": "mem-0123456789abcdef01234567",
        "statement": "Deploys of Orion happen on Tuesdays.\n\nAlways with 中文 notes: yes.",
        "title": 'Orion: deploy "day" #1 [draft] 中文',
        "scopes": ("project:orion",),
        "tags": ("deploy", "a, b", "it's"),
        "type": "fact",
        "sources": (SourceReference(event_key="a" * 64, session_id="s", turn_id="t"),),
        "created": "2026-11-01T00:00:00Z",
        "updated": "2026-11-02T00:00:00Z",
        "layer": Layer.L2,
        "confidence": 0.8,
        "evidence": ("e1", "e2"),
        "trust_class": TrustClass.USER_CORRECTION,
        "durability_signal": Durability.PROJECT,
        "review": Review(cadence_days=90, next_review="2027-02-01", change_condition="a move"),
        "ratified": Ratification(by="Mira", at="2026-11-02T00:00:00Z", ruling="rul-1"),
        "tainted": True,
    }
    return Memory(**{**values, **changes})  # type: ignore[arg-type]


def write(vault: Path, record: Memory) -> Path:
    path = vault / note_path(NoteRef(NoteKind.MEMORY, record.memory_id))
    path.write_bytes(new_note(memory_fields(record), record.statement))
    return path


def test_memleaf_reads_and_finds_a_memory_that_we_wrote(memleaf: Memleaf) -> None:
    record = memory(known_exceptions=("a line\u2028separator\x85 and\nmore",))
    write(memleaf.vault.root, record)
    read = memleaf.read(record.memory_id)
    assert read is not None
    assert read.title == record.title
    assert read.body == record.statement
    assert read.tags == list(record.tags)
    assert read.extra["trust_class"] == "user_correction"
    assert read.extra["review"]["cadence_days"] == 90
    assert read.extra["known_exceptions"] == list(record.known_exceptions)
    found = memleaf.search("deploys of Orion")
    assert [hit.memory_id for hit in found] == [record.memory_id]


def test_we_read_a_memory_as_we_wrote_it_and_as_memleaf_rewrites_it(memleaf: Memleaf) -> None:
    record = memory()
    path = write(memleaf.vault.root, record)
    first = Vault(memleaf.vault.root).read().holdings.memories
    read = memleaf.read(record.memory_id)
    assert read is not None
    path.write_text(read.to_markdown(), encoding="utf-8")
    second = Vault(memleaf.vault.root).read().holdings.memories
    for (got,) in (first, second):
        assert memory(path=got.path, revision=got.revision) == got


def test_a_memory_of_memleafs_own_is_a_legacy_memory_in_force(memleaf: Memleaf) -> None:
    made = memleaf.create_memory(title="Tea", body="Mira drinks tea.", tags=["drink"])
    contents = Vault(memleaf.vault.root).read()
    (read,) = contents.holdings.memories
    assert contents.problems == ()
    assert (read.memory_id, read.title, read.statement) == (made.memory_id, "Tea", made.body)
    assert (read.layer, read.standing) == (Layer.L2, Standing.ACTIVE)
    assert (read.trust_class, read.durability_signal, read.ratified) == (None, None, None)


def test_memleaf_reads_a_note_that_we_changed(memleaf: Memleaf) -> None:
    made = memleaf.create_memory(title="Tea", body="Mira drinks tea.")
    path = memleaf.vault.memory_path(made.memory_id)
    path.write_bytes(
        edit_note(path.read_bytes(), {"standing": "contested", "evidence": ("e1",)}, (), "Coffee.")
    )
    read = memleaf.read(made.memory_id)
    assert read is not None
    assert (read.body, read.title) == ("Coffee.", "Tea")
    assert read.extra["standing"] == "contested"


def captured(memleaf: Memleaf) -> Path:
    for turn, (question, answer) in enumerate(
        [
            ("Where is it?\r\n<!-- memleaf:event-end -->\nhere", "There."),
            ("记住：周二发布。", "好。"),
        ]
    ):
        memleaf.capture("codex", "s1", f"t{turn}", "user", question)
        memleaf.capture(
            "codex",
            "s1",
            f"t{turn}",
            "assistant",
            answer,
            tool_evidence=[
                {
                    "tool_name": "read",
                    "call_id": f"c{turn}",
                    "kind": "external_observation",
                    "result_status": "success",
                    "execution_status": "success",
                    "completeness": "complete",
                    "content": "password=hunter2 and text",
                }
            ],
        )
    return memleaf.vault.root / "inbox/codex/s1.md"


def assert_same_turns(path: Path) -> None:
    ours = turns(parse_inbox(path.read_bytes(), "codex", "s1", "p", CapturePolicy()).events)
    theirs = parse_inbox_file(path)
    assert [(t.turn_key, t.turn_index, t.source, t.session_id) for t in ours] == [
        (t.turn_key, t.turn_index, t.source, t.session_id) for t in theirs
    ]
    for our, their in zip(ours, theirs, strict=True):
        assert our.is_complete == their.complete
        for event, other in zip(our.events, their.events, strict=True):
            assert event.event_key == other.event_key
            assert event.role == other.role
            assert event.content == other.content
            assert (event.turn_id, event.timestamp) == (other.turn_id, other.timestamp)
            assert [_given(item) for item in event.observations] == list(other.tool_evidence)


def _given(observation: Observation) -> dict[str, str]:
    return {
        name: value
        for name in observation.__dataclass_fields__
        if (value := getattr(observation, name))
    }


def test_we_read_the_turns_that_memleaf_captured(memleaf: Memleaf) -> None:
    path = captured(memleaf)
    assert_same_turns(path)
    contents = Vault(memleaf.vault.root).read()
    assert [turn.reference for turn in contents.turns] == ["codex/s1#1", "codex/s1#2"]
    assert contents.problems == ()


def test_an_inbox_with_cr_lf_is_read_as_memleaf_reads_it(memleaf: Memleaf) -> None:
    path = captured(memleaf)
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert_same_turns(path)


def test_memleaf_pairs_an_event_that_we_append_with_its_own(memleaf: Memleaf) -> None:
    path = captured(memleaf)
    event = Event(
        event_key=id_key("codex/s1/t9/user"),
        role=Role.USER,
        content="Ours: <!-- memleaf:event:v2 --> stays text\n\n",
        source="codex",
        session_id="s1",
        turn_id="t9",
        turn_key=id_key("t9"),
        turn_index=3,
        timestamp="2026-11-30T09:00:00Z",
        observations=(Observation(tool_name="read", call_id="c", content="x", kind="unknown"),),
    )
    path.write_bytes(append_event(path.read_bytes(), event))
    assert_same_turns(path)
    memleaf.capture("codex", "s1", "t9", "assistant", "Understood.")
    assert_same_turns(path)
    last = parse_inbox_file(path)[-1]
    assert last.complete
    assert last.turn_index == 3


@given(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
    | st.sampled_from(
        ["<!-- memleaf:content -->", "a\n<!-- memleaf:event-end -->\nb", "<!-- event_id: x -->"]
    )
)
def test_any_text_that_we_capture_is_read_alike(content: str) -> None:
    event = Event(
        event_key="a" * 64, role=Role.USER, content=content, source="s", session_id="x",
        turn_id="t", turn_key="b" * 64, turn_index=1, timestamp="2026-11-30T09:00:00Z",
    )  # fmt: skip
    data = append_event(None, event) + event_block(event)
    ours = parse_inbox(data, "s", "x", "p", CapturePolicy())
    text = data.decode().replace("\r\n", "\n").replace("\r", "\n")
    (theirs,) = parse_inbox_text(text, source="s", session_id="x")
    assert ours.problems == ()
    assert [item.content for item in ours.events] == [item.content for item in theirs.events]


def test_memleafs_outcome_of_a_turn_is_shown_beside_ours(memleaf: Memleaf) -> None:
    captured(memleaf)
    state = memleaf.vault.processed_state_path
    turn_key = id_key("t0")
    text = state.read_text(encoding="utf-8")
    assert '"sessions"' in text
    value = json.loads(text)
    value["sessions"]["codex/s1"]["processing"] = {
        "status": "failed", "failed_at": "2026-11-30T09:00:00Z", "failure_code": "invalid_evidence",
        "failure_stage": "gate", "evidence_check": "unknown_unit", "turn_keys": [turn_key],
    }  # fmt: skip
    state.write_text(json.dumps(value), encoding="utf-8")
    before = state.read_bytes()
    outcome = Vault(memleaf.vault.root).read().memleaf["codex/s1#1"]
    assert (outcome.status, outcome.evidence_check) == ("failed", "unknown_unit")
    assert state.read_bytes() == before


def test_the_lock_is_memleafs_lock(memleaf: Memleaf) -> None:
    root = memleaf.vault.root
    with MemleafLock(memleaf.vault.lock_path), pytest.raises(VaultLockedError, match="written by"):
        VaultLock(root, timeout=0).__enter__()
    with VaultLock(root):
        taken = threading.Event()

        def wait() -> None:
            with MemleafLock(memleaf.vault.lock_path):
                taken.set()

        thread = threading.Thread(target=wait, daemon=True)
        thread.start()
        assert not taken.wait(0.1)
    assert taken.wait(10)
    thread.join(10)


def test_memleaf_and_a_ruling_take_turns(memleaf: Memleaf) -> None:
    root = memleaf.vault.root
    made = memleaf.create_memory(title="Tea", body="Mira drinks tea.")
    path = f"knowledge/{made.memory_id}.md"
    before = (root / path).read_bytes()
    after = edit_note(before, {"standing": "contested"})
    ruling = Ruling(
        ruling_id="rul-1", group="grp-1", time="2026-11-30T09:00:00Z", author="Mira",
        via="cli", action="contest", subject=made.memory_id,
    )  # fmt: skip
    apply(root, [(ruling, (FileChange(path=path, before=before, after=after),))])
    memleaf.create_memory(title="Coffee", body="Lin drinks coffee.")
    assert {m.title for m in memleaf.search("drinks")} == {"Tea", "Coffee"}
    assert Vault(root).read().problems == ()
