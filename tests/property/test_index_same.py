"""Whatever happens to files and index, a vault reads the same with an index and without."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from unittest import mock

from hypothesis import given, settings
from hypothesis import strategies as st

from proofstone.domain.records import Memory
from proofstone.vault import room_reader, survey
from proofstone.vault.layout import ROOMS
from proofstone.vault.vault import Vault
from tests.kept_siblings import PATHS, assert_as_made_anew, keep

NAMES = ("mem-a", "mem-b", "mem-c", "prop-a", "0a1b2c3d", "other", "sub/mem-d", ".hidden")
BODIES = (
    b"",
    b"\nwords\n",
    b"\nother\n",
    b"\n---\nx: 1\n---\n",
    "\n中文\n".encode(),
    b"\xff",
    b"\nthe nightly backup goes to the second node\n",
    b"\nthe backup goes to the third node\n",
)
HEADERS = (
    b'title: "Backup"\nmemory_id: "%b"\ntags: ["a"]\nstanding: "active"\nprofile: "work"\n',
    b'title: "Anchor"\nmemory_id: "%b"\nratified:\n  by: "Mira Tal"\n  at: "x"\n  ruling: "y"\n',
    b'title: "Clock"\nmemory_id: "%b"\nstanding: "deprecated"\nnormalized_key: "a|b|c|d|e"\n',
    b'memory_id: "%b"\ntags: ["a"]\nlayer: "L2"\nstanding: "active"\n',
    b'memory_id: "%b"\nstanding: "gone"\n',
    b'proposal_id: "%b"\nstatus: "open"\n',
    b'evidence_id: "%b"\nsource_kind: "x"\ntrust_class: "agent_inference"\n',
    b"title: plain words # a comment\nhit_count: many\nmemory_id: '%b'\n",
    b"a: [1\n# %b\n",
)

rooms = st.sampled_from([*ROOMS.values()])
names = st.sampled_from(NAMES)
paths = st.sampled_from([*PATHS.values()])
notes = st.builds(
    lambda header, name, body: b"---\n" + header % name.encode() + b"---\n" + body,
    st.sampled_from(HEADERS),
    st.sampled_from(("mem-a", "mem-b", "prop-a", "0a1b2c3d", "other")),
    st.sampled_from(BODIES),
)
steps = st.one_of(
    st.tuples(st.just("write"), rooms, names, notes),
    st.tuples(st.just("remove"), rooms, names),
    st.tuples(st.just("link"), rooms, names),
    st.tuples(st.just("update")),
    st.tuples(st.just("damage"), paths, st.integers(0, 3000), st.integers(0, 255)),
    st.tuples(st.just("cut"), paths, st.integers(0, 3000)),
    st.tuples(st.just("delete")),
    st.tuples(st.just("read")),
)


def carry_out(root: Path, step: tuple[object, ...], moment: int) -> None:
    match step:
        case "write", str(room), str(name), bytes(data):
            file = root / room / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            file.write_bytes(data)
            os.utime(file, ns=(moment, moment))
        case "remove", str(room), str(name):
            (root / room / f"{name}.md").unlink(missing_ok=True)
        case "link", str(room), str(name):
            file = root / room / f"{name}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.unlink(missing_ok=True)
            file.symlink_to("elsewhere.md")
        case ("update",):
            keep(root)
        case "damage", str(path), int(place), int(value):
            if (root / path).exists():
                data = bytearray((root / path).read_bytes())
                if data:
                    data[place % len(data)] = value
                (root / path).write_bytes(data)
        case "cut", str(path), int(length):
            if (root / path).exists():
                os.truncate(root / path, length)
        case ("delete",):
            shutil.rmtree(root / "_index", ignore_errors=True)


def told_of(memories: Sequence[Memory]) -> tuple[object, ...]:
    """All that is asked of memories at once, in either order."""
    if len(memories) % 2:
        survey.count_unreviewed(memories)
    return (
        list(survey.sketches(memories)),
        survey.count_unreviewed(memories),
        [memory.memory_id for memory in survey.in_title_order(memories)],
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(steps, max_size=14), st.sampled_from([0, 200]))
def test_with_an_index_and_without_everything_is_the_same(
    taken: list[tuple[object, ...]], plain_from: int
) -> None:
    with (
        tempfile.TemporaryDirectory() as folder,
        mock.patch.object(room_reader, "PLAIN_FROM", plain_from),
    ):
        root = Path(folder) / "vault"
        (root / "knowledge").mkdir(parents=True)
        (root / "_state").mkdir()
        vault = Vault(root)
        for number, step in enumerate([*taken, ("update",), ("read",)]):
            carry_out(root, step, 1_700_000_000_000_000_000 + number * 10**9)
            if step == ("read",):
                assert_as_made_anew(root)
                known = Vault(root).read()
                again = vault.read()
                hidden = root / "_index"
                if hidden.exists():
                    hidden.rename(root / "_elsewhere")
                plain = Vault(root).read()
                if (root / "_elsewhere").exists():
                    (root / "_elsewhere").rename(hidden)
                # Asked before any record is made, of what an index or an earlier reading told.
                told = [told_of(one.holdings.memories) for one in (known, again, plain)]
                expected = told_of(tuple(plain.holdings.memories))
                assert told == [expected] * 3
                assert known == plain
                assert again == plain
