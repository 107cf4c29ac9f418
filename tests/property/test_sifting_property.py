"""A filter lets the same memories through, told by their bytes or by records of all."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import fields
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from unittest import mock

from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofstone.curation.context import Context
from proofstone.curation.sifting import Sifting, filterable, filterables, identifiers, sift
from proofstone.curation.workspace import Workspace
from proofstone.domain import filters
from proofstone.domain.filters import Filterable
from proofstone.domain.note_fields import memory_fields
from proofstone.domain.plan import NoteKind
from proofstone.domain.records import Layer, Memory, Ratification, Standing, TrustClass
from proofstone.vault import room_reader
from proofstone.vault.note_writer import NoteValueError, new_note
from proofstone.vault.plain_note import plain_id
from proofstone.vault.rows import RecordList

NOW = datetime(2026, 3, 1, tzinfo=UTC)
CONTEXT = Context(clock=lambda: NOW, author="Mira Tal")
FIELDS = [field.name for field in fields(Filterable)]

HOSTILE = (
    "", "orion", "Orion deploys on Friday", '"', "\\", 'layer: "L1"\n', "\ntainted: true\n",
    '", "', "[]", "---", "\n---\n", "İstanbul ß", "中文词", "a\tb", "\x85", "\u2028", "\u202e",
    "\nratified:\n  by: x\n", "  ", "e\u0301", "\\u0041", "//", "key: value", "🙂",
)  # fmt: skip
texts = st.sampled_from(HOSTILE) | st.text(max_size=12)
some = st.lists(texts, max_size=3).map(tuple)
memories = st.builds(
    Memory,
    memory_id=st.just(""),
    statement=texts,
    title=texts,
    layer=st.sampled_from(Layer),
    standing=st.sampled_from(Standing),
    scopes=some | st.sampled_from([("global",), ("project:orion", "user"), ("Project:X",)]),
    type=st.sampled_from(["fact", "", "other", "FACT"]) | texts,
    tags=some,
    kind=texts,
    trust_class=st.none() | st.sampled_from(TrustClass),
    poisoning_risk=st.sampled_from(["", "low", "medium", "high"]) | texts,
    verification=st.sampled_from(["", "verified", "flagged"]),
    source=texts,
    tainted=st.booleans(),
    created=st.sampled_from(
        [
            "",
            "2026-02-28T00:00:00Z",
            "2026-01-01T00:00:00+08:00",
            "2027-01-01",
            "2026-02-01",
            "soon",
        ]
    ),
    ratified=st.none() | st.just(Ratification(by="Mira Tal", at="2026-02-01", ruling="r-1")),
)
LEGACY = b'---\nmemory_id: "%b"\n---\n\nwords without any of our keys\n'
odd_notes = st.sampled_from(
    [
        b"---\nmemory_id: %b\ntags: [a, 'b']\ntitle: plain # a comment\n---\nwords\n",
        b'---\r\nmemory_id: "%b"\r\nlayer: "L1"\r\n---\r\n\r\nwords\r\n',
        b'---\nmemory_id: "%b"\nlayer: "L3"\nstanding: "active"\n---\n\nof another layer\n',
        b'---\nmemory_id: "%b"\nmemory_id: "%b"\n---\n\ntwice\n',
        b'---\nmemory_id: "%b"\nvalidity: "deprecated"\n---\n\ngone\n',
        b'---\nlayer: "L1"\nmemory_id: "%b"\nstanding: "contested"\n---\n\nother order\n',
        b'---\ntitle: "\xff"\nmemory_id: "%b"\n---\n\nnot text\n',
        b'---\nmemory_id: "%b"\nglobs: **/*\n---\n\norion\n',
        b"",
        LEGACY,
    ]
)
FILTERS = (
    "orion", "-orion", "friady", '"key: value"', "zz", "中文", "layer:L1", "-layer:l2", "risk:high",
    "state:active", "state:dep", "source:o", "trust:user", "type:other", "type:fact", "kind:",
    "scope:project", "scope:global", "-scope:user", "tag:orion", "taint:yes", "reviewed:no",
    "age:>7d", "age:<1d", "orion layer:L2 reviewed:yes", "match:x", "turn:x", "origin:gate",
    "eligible:no", "mem-0", "verdict:fla", "mem-",
)  # fmt: skip


def written(root: Path, notes: Sequence[Memory | bytes]) -> int:
    """Write the notes that can be; how many are in the form that programs write."""
    (root / "knowledge").mkdir(parents=True)
    (root / "proofstone.yaml").write_text("format: 1\n", encoding="utf-8")
    plain = 0
    for number, note in enumerate(notes):
        name = f"mem-{number}"
        if isinstance(note, Memory):
            try:
                made = memory_fields(note) | {"memory_id": name}
                data = new_note(made, note.statement)
            except NoteValueError:
                continue
        else:
            data = note.replace(b"%b", name.encode())
        (root / "knowledge" / f"{name}.md").write_bytes(data)
        plain += plain_id(NoteKind.MEMORY, data) == name if data else 0
    return plain


def opened(root: Path) -> Workspace:
    with mock.patch.object(room_reader, "PLAIN_FROM", 0):
        return Workspace.open(root, CONTEXT)


def made(workspace: Workspace) -> int:
    held = workspace.holdings.memories
    return held.made if isinstance(held, RecordList) else len(held)


@settings(max_examples=60, deadline=None)
@given(st.lists(memories | odd_notes, max_size=6), st.sampled_from(FILTERS))
@example([Memory(memory_id="", statement=" ", standing=Standing.DEPRECATED)], "reviewed:yes")
@example([LEGACY], "layer:L2")
@example([Memory(memory_id="", statement="x", scopes=(), type="")], "scope:global")
@example([Memory(memory_id="", statement="x", tags=('", "', "a, b"))], "tag:orion")
def test_bytes_and_records_say_the_same(notes: list[Memory | bytes], text: str) -> None:
    wanted = filters.parse(text)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "vault"
        plain = written(root, notes)
        told, whole = opened(root), opened(root)
        total = len(told.holdings.memories)
        assert made(told) <= total - plain
        views = told.memories
        before = made(told)
        seen = list(filterables(views))
        expected = [view.filterable for view in whole.memories]
        for field in FIELDS:
            assert [getattr(row, field) for row in seen] == [
                getattr(row, field) for row in expected
            ], field
        kept = sift(views, wanted)
        assert list(identifiers(kept)) == [
            view.memory_id for view in whole.memories if wanted.matches(view.filterable)
        ]
        assert list(identifiers(views)) == [view.memory_id for view in whole.memories]
        assert made(told) == before, "a record was made of what was only looked at"
        assert [view.memory for view in kept] == [
            view.memory for view in whole.memories if wanted.matches(view.filterable)
        ]


def test_pieces_give_what_the_whole_gives(demo_vault: Path) -> None:
    workspace = Workspace.open(demo_vault, CONTEXT)
    for views in (workspace.memories, workspace.queue):
        for text in FILTERS:
            wanted = filters.parse(text)
            sifting = Sifting(views, wanted)
            late = iter([False, False, True] * len(views))
            pieces = [0]
            while not sifting.go_on(3, lambda late=late: next(late)):  # type: ignore[misc]
                pieces.append(sifting.done)
            assert {more - was for was, more in pairwise(pieces)} <= {1, 2, 3}
            expected = [view for view in views if wanted.matches(view.filterable)]
            assert list(sifting.kept) == expected == list(sift(views, wanted))
            assert all(filterable(views, at).identifier for at in range(len(views)))
