"""The quick way from bytes to a record gives what the careful way gives, or nothing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofstone.domain.note_fields import evidence_fields, memory_fields, proposal_fields
from proofstone.domain.plan import NoteKind, Value
from proofstone.domain.records import EvidenceRecord, Memory, Proposal
from proofstone.vault.frontmatter import parse
from proofstone.vault.layout import ROOMS
from proofstone.vault.note_writer import NoteValueError, new_note
from proofstone.vault.plain_note import plain_id
from proofstone.vault.quick_record import QuickReader
from proofstone.vault.records import Record, read_record
from proofstone.vault.rows import id_of
from proofstone.vault.spoken import of_plain_note, of_record

DEMO = Path(__file__).parents[2] / "demo-vault"

KEYS = (
    "title", "memory_id", "proposal_id", "evidence_id", "tags", "type", "scopes", "sources",
    "created", "updated", "hit_count", "status", "layer", "standing", "kind", "confidence",
    "trust_class", "durability_signal", "tainted", "review", "ratified", "ruled", "deferred",
    "bindings", "origin", "match_kind", "original", "evidence", "superseded_by", "polarity",
    "redaction_status", "source_kind", "source_excerpt", "start", "end", "memory_ids",
    "due_date", "unknown", "x-y",
)  # fmt: skip
WORDS = (
    "L1", "L2", "active", "contested", "open", "deferred", "fact", "project:orion",
    "user_correction", "supports", "none", "gate", "new", "true", "false", "yes", "null", "~",
    "0", "1", "1.5", ".5", "-1", "0x1f", "1e3", "2026-01-01", "note", "中文", "é",
)  # fmt: skip
ODD_VALUES = (
    "'x'", '"a\\"b"', '"\\u00e9"', '"a', 'a"', "[", "a: b", "a #b", "# c", "", " ", '"x" ', "&a x",
    "*a", "|", ">", "{}", "{a: 1}", '"\\x41"', '"\\/"', '"\\e"', "\u2028", "\t", '""',
)  # fmt: skip
scalars = st.sampled_from((*WORDS, *(f'"{word}"' for word in WORDS), *ODD_VALUES))
lists = st.lists(scalars, max_size=3).map(lambda items: f"[{', '.join(items)}]")
INNER_KEYS = (
    "event_key", "session_id", "turn_id", "conversation_title", "by", "at", "ruling",
    "reason", "note", "until", "unit", "quote", "start", "end", "role", "cadence_days",
    "next_review", "other",
)  # fmt: skip
inner = st.builds(
    "{}: {}".format,
    st.sampled_from(INNER_KEYS),
    scalars | st.sampled_from(["user_confirmation", '"user_claim"', "3", '"s"']),
)
maps = st.lists(inner, min_size=1, max_size=5).map(
    lambda rows: "".join(f"\n  {row}" for row in rows)
)
lists_of_maps = st.lists(st.lists(inner, min_size=1, max_size=4), min_size=1, max_size=3).map(
    lambda items: "".join("\n  - " + "\n    ".join(rows) for rows in items)
)
lines = st.builds(
    "{}:{}{}".format,
    st.sampled_from(KEYS),
    st.sampled_from([" ", " ", " ", "", "  "]),
    scalars | lists | maps | lists_of_maps,
)
bodies = st.sampled_from(
    [
        "\nwords\n",
        "words",
        "",
        "\n\n",
        "\n---\na: 1\n---\n",
        "<<<<<<< x",
        "\r\n",
        "\n中文\n",
        "--- x",
    ]
)
kinds = st.sampled_from(list(ROOMS))
NAMES = {NoteKind.PROPOSAL: "prop-n", NoteKind.RULED: "prop-n", NoteKind.EVIDENCE: "0123abcd"}


def agrees(kind: NoteKind, data: bytes, path: str, reader: QuickReader) -> bool:
    """Whether the quick way gave a record; fails when it is not the careful way's.

    A note that is plain must have a record by the quick way, under the id that was found.
    """
    quick = reader.read(kind, data, path, "revision")
    identifier = plain_id(kind, data)
    if identifier:
        own = reader.read(kind, data, f"{ROOMS[kind]}/{identifier}.md", "revision")
        assert own is not None
        assert id_of(own) == identifier
        if isinstance(own, Memory):
            assert of_plain_note(identifier, data) == of_record(own)
    if quick is None:
        return False
    careful, problems = read_record(kind, parse(data), path, "revision")
    assert quick == careful
    assert repr(quick) == repr(careful)  # 1, 1.0 and True differ
    assert problems == ()
    return True


@settings(max_examples=600)
@given(kinds, st.lists(lines, max_size=8), bodies, st.sampled_from(["---\n", "---", "--- \n"]))
@example(NoteKind.MEMORY, ['memory_id: "mem-n"', "status: [a"], "\nwords\n", "---\n")
@example(NoteKind.PROPOSAL, ['proposal_id: "prop-n"', "deferred: x"], "\nwords\n", "---\n")
@example(NoteKind.MEMORY, ['memory_id: "mem-n"', "created: 1", "type: "], "\nwords\n", "---\n")
def test_any_header_is_read_the_same_or_left_alone(
    kind: NoteKind, rows: list[str], body: str, closing: str
) -> None:
    reader = QuickReader()
    own = {
        NoteKind.PROPOSAL: 'proposal_id: "prop-n"',
        NoteKind.RULED: 'proposal_id: "prop-n"',
        NoteKind.EVIDENCE: 'evidence_id: "0123abcd"\nsource_kind: "x"\n'
        'trust_class: "agent_inference"',
    }.get(kind, 'memory_id: "mem-n"\nstanding: "active"')
    for header in (rows, [own, *rows], [*rows, own]):
        data = ("---\n" + "".join(f"{row}\n" for row in header) + closing + body).encode()
        for _ in range(2):  # the second time from kept lines
            agrees(kind, data, f"{ROOMS[kind]}/{NAMES.get(kind, 'mem-n')}.md", reader)


@given(st.text(max_size=60), st.text(max_size=60), st.lists(st.text(max_size=9), max_size=3))
def test_any_text_that_is_written_is_read_the_same(title: str, body: str, tags: list[str]) -> None:
    try:
        data = new_note({"title": title, "memory_id": "mem-n", "tags": tags, "hit_count": 3}, body)
    except NoteValueError:
        return
    agrees(NoteKind.MEMORY, data, "knowledge/mem-n.md", QuickReader())


@settings(max_examples=300)
@given(st.data())
def test_a_real_note_with_a_few_bytes_changed_is_read_the_same(data: st.DataObject) -> None:
    kind = data.draw(kinds)
    files = sorted((DEMO / ROOMS[kind]).glob("*.md"))
    file = data.draw(st.sampled_from(files))
    content = bytearray(file.read_bytes())
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(content) - 1))
        content[place] = data.draw(st.sampled_from(b'\n\r\t "\\:-[]{}#aZ09,\0\x85\xc2\xe2'))
    agrees(kind, bytes(content), f"{ROOMS[kind]}/{file.name}", QuickReader())


def test_notes_that_programs_write_are_read_the_quick_way() -> None:
    reader = QuickReader()
    read = [
        (path.name, agrees(kind, path.read_bytes(), f"{ROOMS[kind]}/{path.name}", reader))
        for kind in (NoteKind.HISTORY, NoteKind.PROPOSAL, NoteKind.RULED, NoteKind.EVIDENCE)
        for path in sorted((DEMO / ROOMS[kind]).glob("*.md"))
    ]
    assert len(read) > 60
    assert [name for name, was_quick in read if not was_quick] == []


def test_notes_that_proofstone_writes_are_plain() -> None:
    count = 0
    for kind in (NoteKind.MEMORY, NoteKind.HISTORY, NoteKind.PROPOSAL, NoteKind.EVIDENCE):
        for path in sorted((DEMO / ROOMS[kind]).glob("*.md")):
            record, _ = read_record(kind, parse(path.read_bytes()), path.name, "r")
            if record is None:
                continue  # one of the demo vault's unreadable notes
            fields, body = _as_written(record)
            identifier = plain_id(kind, new_note(fields, body))
            assert identifier == id_of(record), path.name
            count += 1
    assert count > 60


def _as_written(record: Record) -> tuple[Mapping[str, Value], str]:
    match record:
        case Memory():
            return memory_fields(record), record.statement
        case Proposal():
            return proposal_fields(record), record.statement
        case EvidenceRecord():
            return evidence_fields(record), ""
    raise AssertionError(record)


def test_other_names_and_missing_standings_are_left_to_the_careful_way() -> None:
    note = new_note({"memory_id": "n", "title": "T"}, "words")
    reader = QuickReader()
    assert reader.read(NoteKind.MEMORY, note, "knowledge/n.md", "r") is not None
    assert reader.read(NoteKind.MEMORY, note, "knowledge/m.md", "r") is None
    assert reader.read(NoteKind.HISTORY, note, "history/n.md", "r") is None
    assert reader.read(NoteKind.MEMORY, note.replace(b"\n", b"\r\n"), "knowledge/n.md", "r") is None
