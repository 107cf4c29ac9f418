"""What differs between two versions of a large file gives either from the other."""

from __future__ import annotations

import json
import random
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from proofstone.domain.plan import FileChange
from proofstone.vault.deltas import Delta, hunks_between
from proofstone.vault.files import Files
from proofstone.vault.objects import (
    SCHEMA,
    SCHEMA_WITH_DELTAS,
    ObjectDamagedError,
    StoredContents,
    make_object,
    object_path,
    read_object,
    sparing,
)

_FILES = st.lists(st.sampled_from([b"a", b"b", b"cc", b"", b"\r", b"long " * 9]), max_size=30).map(
    b"\n".join
)


def name(data: bytes) -> str:
    return sha256(data).hexdigest()


def change(before: bytes | None, after: bytes | None) -> FileChange:
    return FileChange(path="memory/L2.playbooks.jsonl", before=before, after=after)


@given(_FILES, _FILES)
def test_either_version_is_had_from_the_other(before: bytes, after: bytes) -> None:
    delta = Delta(name(before), name(after), hunks_between(before, after))
    assert delta.forward(before) == after
    assert delta.backward(after) == before


def lines(count: int) -> list[bytes]:
    chance = random.Random(7)
    return [b"%06d %s\n" % (n, chance.randbytes(40).hex().encode()) for n in range(count)]


def test_lines_that_are_changed_taken_out_and_added_are_all_that_is_kept() -> None:
    before = lines(2_000)
    after = [*before, b"added at the end\n"]
    after[10] = b"changed\n"
    del after[1_500]
    after.insert(700, b"put in\n")
    hunks = hunks_between(b"".join(before), b"".join(after))
    assert [(hunk.removed, hunk.added) for hunk in hunks] == [
        (before[10], b"changed\n"),
        (b"", b"put in\n"),
        (before[1_500], b""),
        (b"", b"added at the end\n"),
    ]


def stored_in(root: Path, *changes: FileChange, one_way: bool = False) -> StoredContents:
    stored = make_object("grp-1", *sparing(changes, one_way=one_way))
    path = object_path(root, stored.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(stored.data)
    return read_object(root, stored.name, Files())


def test_a_group_of_rulings_on_one_file_is_gone_back_through(tmp_path: Path) -> None:
    first = lines(500)
    second = [b"one\n", *first[1:]]
    third = [*second[:400], b"two\n", *second[401:]]
    a, b, c = map(b"".join, (first, second, third))
    stored = stored_in(tmp_path, change(a, b), change(b, c), change(None, b"new\n"))
    for present in (a, b, c):
        for wanted in (a, b, c):
            assert stored.holds(name(wanted))
            assert stored.content(name(wanted), present) == wanted
    assert stored.content(name(b"new\n"), None) == b"new\n"
    with pytest.raises(KeyError):
        stored.content(name(a), b"by another hand")
    assert stored.changed_lines(name(b), name(c)) == (first[400], b"two\n")


def test_a_purge_keeps_nothing_of_what_was_there(tmp_path: Path) -> None:
    before = lines(500)
    before[3] = b"the words that go\n"
    after = [*before[:3], b"[deleted]\n", *before[4:]]
    a, b = b"".join(before), b"".join(after)
    stored = stored_in(tmp_path, change(a, b), one_way=True)
    assert stored.content(name(b), a) == b
    assert not stored.holds(name(a))
    (path,) = (tmp_path / "_state/proofstone/objects").iterdir()
    assert b"the words" not in path.read_bytes()


def test_small_files_are_kept_whole_in_the_form_that_there_always_was() -> None:
    contents, deltas = sparing([change(b"a\n", b"b\n"), change(b"c" * 9_000, b"d" * 9_000)])
    assert deltas == []
    header = json.loads(make_object("grp-1", contents).data.split(b"\n")[0])
    assert header["schema"] == SCHEMA
    assert set(header) == {"schema", "group", "contents"}


def test_an_object_that_was_cut_or_changed_is_no_object(tmp_path: Path) -> None:
    before = b"".join(lines(300))
    stored = make_object("grp-1", *sparing([change(before, before + b"more\n")]))
    assert json.loads(stored.data.split(b"\n")[0])["schema"] == SCHEMA_WITH_DELTAS
    assert len(stored.data) < 1_000
    path = object_path(tmp_path, stored.name)
    path.parent.mkdir(parents=True)
    path.write_bytes(stored.data[:-3])
    with pytest.raises(ObjectDamagedError, match="not what its name says"):
        read_object(tmp_path, stored.name, Files())
    cut = stored.data[:-3]
    object_path(tmp_path, name(cut)).write_bytes(cut)
    with pytest.raises(ObjectDamagedError, match="not an object of rulings"):
        read_object(tmp_path, name(cut), Files())
