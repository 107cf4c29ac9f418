"""Whatever bytes a store holds: no crash, no silent loss, nothing written, the same ids again."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from proofstone.stores import headers, markdown
from proofstone.stores.claude_folder import ClaudeFolderStore
from proofstone.stores.codex import CodexStore
from proofstone.stores.cursor import CursorStore
from proofstone.stores.files import StoreReadError
from proofstone.stores.hermes import HermesStore
from proofstone.stores.instructions import InstructionsStore
from proofstone.stores.knowledge_graph import KnowledgeGraphStore
from proofstone.stores.letta import LettaStore
from proofstone.stores.mem0 import Mem0Store
from proofstone.stores.notes import NotesStore
from proofstone.stores.pi import CAPTURED, L2, PiStore
from proofstone.stores.port import Store, StoreContents

_PIECES = st.sampled_from(
    [
        b"---\n",
        b"name: x\n",
        b"globs: **/*\n",
        b"a: [b\n",
        b"metadata: \n  type: user\n",
        b"# H\n",
        b"- item\n",
        b"  more\n",
        b"1. one\n",
        b"```\n",
        b"<!--\n",
        b"-->\n",
        b"<!-- proofstone:begin -->\n",
        b"<!-- proofstone:end -->\n",
        "§\n".encode(),
        b"- [fact] seen #tag\n",
        b"- [a](b.md)\n",
        b"===\n",
        b"words\n",
        b"\n",
        b"\r\n",
        b"\xff",
        b"\0",
        "中文\n".encode(),
        b"&a *a\n",
        b"!!python/object:os.system x: y\n",
    ]
)
TEXTS = st.lists(_PIECES, max_size=14).map(b"".join) | st.binary(max_size=60)

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner),
    max_leaves=6,
)
_KEYS = st.sampled_from(
    [
        "id",
        "layer",
        "scope",
        "tags",
        "statement",
        "evidence",
        "confidence",
        "stability",
        "created_at",
        "updated_at",
        "review",
        "status",
        "supersedes",
        "superseded_by",
        "text",
        "type",
        "name",
        "observations",
        "entityType",
        "from",
        "to",
        "relationType",
        "memory",
        "payload",
        "data",
        "label",
        "value",
        "blocks",
        "core_memory",
        "agents",
        "results",
        "memories",
    ]
)
OBJECTS = st.dictionaries(_KEYS, JSON, max_size=8)
LINES = st.lists(
    st.one_of(
        OBJECTS.map(lambda value: json.dumps(value).encode()),
        st.binary(max_size=20).filter(lambda raw: b"\n" not in raw),
        st.sampled_from([b"", b"{}", b"[" * 5_000, b'{"id": NaN}', b'{"a":1e999}', b"1" * 5_000]),
    ),
    max_size=6,
).map(b"\n".join)

ONE_FILE: list[tuple[Callable[[Path], Store], str]] = [
    (ClaudeFolderStore, "topic.md"),
    (ClaudeFolderStore, "MEMORY.md"),
    (InstructionsStore, "CLAUDE.md"),
    (CodexStore, "MEMORY.md"),
    (HermesStore, "MEMORY.md"),
    (NotesStore, "note.md"),
    (CursorStore, "rule.mdc"),
]


def accounted(contents: StoreContents, path: str) -> bool:
    paths = [memory.path for memory in contents.holdings.memories]
    paths += [problem.path for problem in contents.problems]
    paths += [left.path for left in contents.left_out]
    return path in paths


@pytest.mark.parametrize(("store", "name"), ONE_FILE)
@settings(max_examples=50)
@given(data=TEXTS)
def test_any_text_is_read_or_told(store: Callable[[Path], Store], name: str, data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name)
        file.write_bytes(data)
        contents = store(Path(folder)).read()
        assert contents == store(Path(folder)).read()
        assert file.read_bytes() == data
    assert accounted(contents, name) or not _has_words(data)


def _has_words(data: bytes) -> bool:
    """Whether anything but a header, blank lines and rules stands in a text."""
    body = headers.split(data.decode().removeprefix("\ufeff").replace("\r", "\n")).body
    return bool("".join(body.split()).strip("-*_=#"))


@given(LINES)
def test_every_line_of_a_pi_store_is_a_record_or_a_problem(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for path in (L2, CAPTURED):
            Path(folder, path).parent.mkdir(exist_ok=True)
            Path(folder, path).write_bytes(data)
        contents = PiStore(Path(folder)).read()
    for path in (L2, CAPTURED):
        told = {problem.line for problem in contents.problems if problem.path == path}
        told |= {place.line for place in contents.places.values() if place.path == path}
        wanted = {
            number
            for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
            if line.strip()
        }
        assert told == wanted


@given(LINES)
def test_every_line_of_a_graph_is_told(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "memory.jsonl")
        file.write_bytes(data)
        contents = KnowledgeGraphStore(file).read()
    told = {problem.line for problem in contents.problems}
    told |= {place.line for place in contents.places.values()}
    told |= {left.line for left in contents.left_out}
    lines = enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1)
    assert told == {number for number, line in lines if line.strip()}


@pytest.mark.parametrize("store", [Mem0Store, LettaStore])
@given(value=OBJECTS | st.lists(OBJECTS, max_size=3))
def test_any_document_is_read_or_refused_in_one_line(
    store: Callable[[Path], Store], value: Any
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "export.json")
        file.write_text(json.dumps(value), encoding="utf-8")
        try:
            contents = store(file).read()
        except StoreReadError as error:
            assert "\n" not in str(error)
        else:
            assert all(memory.statement.strip() for memory in contents.holdings.memories)


@given(st.text(max_size=120) | TEXTS.map(lambda data: data.decode("utf-8", "replace")))
@example("---\n" + "- " * 3_000 + "\n---\n")
@example("---\na: " + "[" * 3_000 + "\n---\n")
@example("---\na: &a [x]\nb: *a\n---\nwords\n")
def test_a_header_never_swallows_the_body(text: str) -> None:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    note = headers.split(text)
    assert text.endswith(note.body)
    assert text[: len(text) - len(note.body)].count("\n") == note.body_line - 1


@given(TEXTS.map(lambda data: data.decode("utf-8", "replace").replace("\r", "")))
def test_blocks_come_in_order_and_from_lines_that_are_there(text: str) -> None:
    found = markdown.blocks(text)
    lines = text.split("\n")
    assert [block.line for block in found] == sorted(block.line for block in found)
    for block in found:
        assert block.lines[0] in lines[block.line - 1]
