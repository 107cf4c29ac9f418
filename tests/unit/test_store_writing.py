"""Writing into other programs' stores: lines, topics, indexes, patches, and what is beside them."""

from __future__ import annotations

import hashlib
import json
import shutil
from datetime import UTC, datetime
from pathlib import Path

import pytest

from proofstone.curation import history, rulings
from proofstone.curation.context import Context
from proofstone.curation.foreign import StoreBacking
from proofstone.curation.workspace import Workspace
from proofstone.domain import note_fields
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import CreateNote, NoteKind, NoteRef, Ruling, RulingPlan
from proofstone.domain.records import Memory, ProposalStatus
from proofstone.domain.rulings import Choices, RulingRefused
from proofstone.stores import claude_index, claude_topic
from proofstone.stores.claude_folder import ClaudeFolderStore
from proofstone.stores.companion import companion_folder
from proofstone.stores.detect import detect
from proofstone.stores.line_file import LineFile
from proofstone.stores.pi import PiStore
from proofstone.stores.pi_patch import free_patch_id
from proofstone.vault import transaction
from proofstone.vault.files import Files
from tests.conftest import contents
from tests.pi_checker import faults, lines, objects

SAMPLES = Path(__file__).parent.parent / "data" / "stores"
NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
KNOT, ROPE = "cap_20261010_knot", "mem_20261002_rope"


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    return Path(shutil.copytree(SAMPLES / "pi", tmp_path / "pi"))


def opened(root: Path) -> Workspace:
    """The store at ``root``, with its state in a folder beside it."""
    backing = StoreBacking(detect(root), companion_folder(root, root.parent / "state"))
    context = Context(clock=lambda: NOW, author="Mira Tal", via="cli")
    return Workspace(backing, backing.read(), context)


def digest_of(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def test_a_line_is_changed_and_every_other_byte_stays() -> None:
    data = b'\xef\xbb\xbf{"id":"a","n":1.50}\r\n\r\nbroken {"id":"b"\r\n{"id":"b","x":"\xc3\xa9"}'
    file = LineFile("f.jsonl", data)
    place = file.find("b", digest_of(b'{"id":"b","x":"\xc3\xa9"}'))
    assert place is not None
    file.replace(place, {**file.value(place), "y": [1, "ß"]})
    file.append({"id": "c"})
    assert file.change().before == data
    assert file.change().after == (
        b'\xef\xbb\xbf{"id":"a","n":1.50}\r\n\r\nbroken {"id":"b"\r\n'
        b'{"id":"b","x":"\xc3\xa9","y":[1,"\xc3\x9f"]}\r\n{"id":"c"}\r\n'
    )


def test_a_line_is_found_by_what_it_was_when_it_was_read() -> None:
    first, second = b'{"id":"a"}', b'{"id":"a","again":true}'
    file = LineFile("f.jsonl", first + b"\n" + second + b"\n")
    assert file.find("a", digest_of(second)) == 1
    assert file.find("a", digest_of(b"{}")) is None
    file.replace(0, {"id": "a", "n": 1})
    assert file.find("a", digest_of(first)) == 0
    file.remove(1)
    file.append({"id": "z"})
    assert file.change().after == b'{"id":"a","n":1}\n{"id":"z"}\n'


def test_a_line_with_an_escaped_id_and_half_a_character_is_written_as_json() -> None:
    line = b'{"id":"\\u00e9","t":"\\ud800"}'
    file = LineFile("f.jsonl", line)
    place = file.find("é", digest_of(line))
    assert place == 0
    file.replace(place, {**file.value(place), "n": 1})
    after = file.change().after
    assert after is not None
    assert json.loads(after) == {"id": "é", "t": "\ud800", "n": 1}


def test_a_line_that_names_a_key_twice_is_not_written_again() -> None:
    line = b'{"id":"a","x":{"n":1,"n":2}}'
    file = LineFile("f.jsonl", b"\n" + line)
    place = file.find("a", digest_of(line))
    assert place is not None
    with pytest.raises(ProofstoneError, match=r"f\.jsonl:2: this line names a key twice"):
        file.value(place)


def test_a_file_that_is_not_there_stays_away_until_a_line_is_added() -> None:
    file = LineFile("f.jsonl", None)
    assert (file.change().before, file.change().after) == (None, None)
    file.append({"id": "a"})
    assert (file.change().before, file.change().after) == (None, b'{"id":"a"}\n')


def test_patch_ids_of_one_minute_do_not_collide() -> None:
    taken: list[str] = []
    for expected in ("patch_202611270900", "patch_202611270900_2", "patch_202611270900_3"):
        name = free_patch_id("2026-11-27T09:00:59Z", taken)
        assert name == expected
        taken.append(f"patches/{name}.json")


def test_the_operations_of_a_patch_are_those_of_the_ruling(pi: Path) -> None:
    targets = (ROPE, "mem_20261009_sail")
    chosen = Choices(reason="seen", target=targets)
    rulings.rule(opened(pi), "supersede", ["cap_20261010_buoy"], chosen)
    (path,) = set((pi / "patches").iterdir()) - {
        pi / "patches" / old.name for old in (SAMPLES / "pi/patches").iterdir()
    }
    patch = json.loads(path.read_bytes())
    first, second = patch["ops"]
    assert first["op"] == "supersede"
    assert first["target_id"] == ROPE
    assert first["candidate_id"] == "cap_20261010_buoy"
    assert first["to_record"]["supersedes"] == list(targets)
    assert first["to_record"] in objects(pi, "memory/L2.playbooks.jsonl")
    assert (second["op"], second["target_id"]) == ("update", "mem_20261009_sail")
    assert second["updates"]["superseded_by"] == ["mem_20261010_buoy"]
    assert "Mira Tal" in first["rationale"]


def test_a_tombstone_has_the_form_that_the_program_knows(pi: Path) -> None:
    rulings.rule(opened(pi), "tombstone", [ROPE], Choices(reason="invalid"))
    stone = objects(pi, "memory/tombstones.jsonl")[-1]
    own = hashlib.sha256(f"{ROPE}\n2026-11-27T09:00:00Z".encode()).hexdigest()[:10]
    statement = "Build the harbor image with podman, not docker."
    assert stone == {
        "id": f"tomb_{ROPE}_{own}",
        "deleted_record_id": ROPE,
        "deleted_at": "2026-11-27T09:00:00Z",
        "deletion_mode": "audit_preserving",
        "deletion_reason": "invalid",
        "content_hash": hashlib.sha256(statement.encode()).hexdigest()[:32],
        "content_removed": True,
    }
    assert opened(pi).assessor.tombstones.for_content(statement)


def test_a_record_without_evidence_rests_on_the_ruling(pi: Path) -> None:
    captured = pi / "inbox/captured.jsonl"
    captured.write_bytes(captured.read_bytes().replace(b'["ev_1a2b"]', b'["ev_3c4d"]'))
    rulings.rule(opened(pi), "defer", [KNOT], Choices(reason="later"))
    store = PiStore(pi)
    memory = Memory(memory_id="mem_x", statement="Words.", evidence=("ev_3c4d", "ev_none"))
    (patch, records) = store.render(put_in_force(memory), {})
    assert patch.path.startswith("patches/")
    assert records.after is not None
    (support,) = json.loads(records.after.splitlines()[-1])["evidence"]
    assert support["type"] == "manual"
    assert support["note"] == "Put in force by Mira Tal. because"


def put_in_force(memory: Memory) -> RulingPlan:
    """A plan that does nothing but create ``memory``."""
    return RulingPlan(
        ruling=Ruling(
            ruling_id="rul-1",
            group="grp-1",
            time="2026-11-27T09:00:00Z",
            author="Mira Tal",
            via="cli",
            action="ratify",
            subject=memory.memory_id,
            reason="because",
        ),
        operations=(
            CreateNote(
                ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
                fields=note_fields.memory_fields(memory),
                body=memory.statement,
            ),
        ),
        summary="ratified",
    )


def test_a_batch_sees_what_its_earlier_rows_would_write(pi: Path) -> None:
    workspace = opened(pi)
    previewed = rulings.preview(
        workspace, "dismiss", [KNOT, "cap_20261013_hull"], Choices(reason="no_future_value")
    )
    first, second = ({change.path for change in row.changes} for row in previewed.rows)
    assert {path for path in first & second if path.startswith("patches/")} == set()
    applied = rulings.apply(workspace, previewed)
    now = workspace.after(applied.changes)
    assert now.holdings == opened(pi).holdings
    assert now.proposals[KNOT].status is ProposalStatus.DISMISSED
    history.undo(opened(pi))
    assert contents(pi) == contents(SAMPLES / "pi")


def test_a_line_that_changed_since_it_was_seen_is_not_ruled_on(pi: Path) -> None:
    workspace = opened(pi)
    previewed = rulings.preview(workspace, "dismiss", [KNOT], Choices(reason="no_future_value"))
    captured = pi / "inbox/captured.jsonl"
    captured.write_bytes(captured.read_bytes().replace(b"the linter", b"no linter"))
    before = contents(pi)
    with pytest.raises(ProofstoneError, match="was changed, by another hand"):
        rulings.apply(workspace, previewed)
    with pytest.raises(ProofstoneError, match="was changed, by another hand"):
        rulings.preview(workspace, "dismiss", [KNOT], Choices(reason="no_future_value"))
    assert contents(pi) == before


def test_what_was_tombstoned_meanwhile_is_not_put_in_force(pi: Path) -> None:
    mine, theirs = opened(pi), opened(pi)
    previewed = rulings.preview(mine, "ratify", [KNOT], Choices(reason="seen"))
    stone = {
        "id": "tomb_x",
        "deleted_record_id": "mem_20261010_knot",
        "deleted_at": "2026-11-27T08:00:00Z",
        "deletion_mode": "audit_preserving",
        "deletion_reason": "poisoned",
        "content_removed": True,
    }
    path = pi / "memory/tombstones.jsonl"
    path.write_bytes(path.read_bytes() + json.dumps(stone).encode() + b"\n")
    with pytest.raises(RulingRefused, match="something was tombstoned since"):
        rulings.apply(mine, previewed)
    rulings.rule(theirs, "dismiss", [KNOT], Choices(reason="no_future_value"))


def test_what_the_program_decided_since_counts_more_than_a_deferral(pi: Path) -> None:
    rulings.rule(opened(pi), "defer", [KNOT], Choices(reason="later"))
    assert opened(pi).proposals[KNOT].status is ProposalStatus.DEFERRED
    captured = pi / "inbox/captured.jsonl"
    head, _, rest = captured.read_bytes().partition(b"\n")
    captured.write_bytes(head.replace(b'"status":"new"', b'"status":"rejected"') + b"\n" + rest)
    assert opened(pi).proposals[KNOT].status is ProposalStatus.DISMISSED
    captured.write_bytes(head + b"\n" + rest)
    rulings.rule(opened(pi), "dismiss", [KNOT], Choices(reason="no_future_value"))
    assert opened(pi).proposals[KNOT].ruled_by == "Mira Tal"
    captured.write_bytes(captured.read_bytes().replace(b"rejected", b"new", 1))
    assert opened(pi).proposals[KNOT].status is ProposalStatus.OPEN


@pytest.mark.parametrize("odd", ["../../evil", "mem_a/b", "mem: x\n", "con", "mem_" + "x" * 300])
def test_an_id_that_is_no_file_name_is_ruled_on_all_the_same(pi: Path, odd: str) -> None:
    path = pi / "memory/L2.playbooks.jsonl"
    escaped = json.dumps(odd)[1:-1].encode()
    path.write_bytes(path.read_bytes().replace(b'"id":"mem_20261006_fog"', b'"id":"%s"' % escaped))
    before = contents(pi.parent)
    for action in ("ratify", "contest", "tombstone"):
        rulings.rule(opened(pi), action, [odd], Choices(reason="invalid"))
    assert not [one for one in opened(pi).problems if one.path.startswith(".companion/")]
    new = {Path(path).parts[0] for path in contents(pi.parent).keys() - before.keys()}
    assert new == {"pi", "state"}
    for _ in range(3):
        history.undo(opened(pi))
    assert contents(pi.parent, ["state/"]) == before


def test_a_state_folder_that_cannot_be_made_leaves_the_store_as_it_is(pi: Path) -> None:
    (pi.parent / "state").write_text("a file is in the way")
    with pytest.raises(ProofstoneError, match="nothing was written"):
        rulings.rule(opened(pi), "defer", [KNOT], Choices(reason="later"))
    assert contents(pi) == contents(SAMPLES / "pi")


class Stopped(Exception):  # noqa: N818 - the process is gone, which is no error of its own
    """The process is gone."""


class Stopping(Files):
    """A disk that stops after so many renames."""

    def __init__(self, left: int) -> None:
        self._left = left

    def rename(self, source: Path, target: Path) -> None:
        if not self._left:
            raise Stopped
        self._left -= 1
        super().rename(source, target)


@pytest.mark.parametrize("renames", range(8))
def test_a_ruling_that_is_cut_short_is_finished_or_rolled_back(pi: Path, renames: int) -> None:
    workspace = opened(pi)
    previewed = rulings.preview(workspace, "ratify", [KNOT], Choices(reason="seen"))
    (row,) = previewed.rows
    assert row.plan is not None
    assert row.changes[0].path.startswith("patches/")
    ruling = row.plan.ruling
    workspace.state.mkdir(parents=True)
    is_whole = False
    try:
        transaction.apply_planned(
            pi, lambda: [(ruling, row.changes)], files=Stopping(renames), state=workspace.state
        )
        is_whole = True
    except Stopped:
        changed = lines(pi, "memory/L2.playbooks.jsonl") != lines(
            SAMPLES / "pi", "memory/L2.playbooks.jsonl"
        )
        assert not changed or (pi / row.changes[0].path).exists()
    again = opened(pi)
    if not is_whole:
        assert contents(pi) == contents(SAMPLES / "pi")
        assert {problem.code for problem in again.problems} & {"recovered_ruling"} or not renames
    assert faults(pi, SAMPLES / "pi") == []
    assert not [path for path in pi.rglob("*") if path.name.startswith(".")]


def test_a_store_below_a_link_has_one_companion(tmp_path: Path, pi: Path) -> None:
    (tmp_path / "link").symlink_to(pi)
    assert companion_folder(tmp_path / "link", tmp_path) == companion_folder(pi, tmp_path)
    (pi / "inbox/captured.jsonl").rename(tmp_path / "moved.jsonl")
    (pi / "inbox/captured.jsonl").symlink_to(tmp_path / "moved.jsonl")
    assert KNOT not in opened(pi).proposals


INDEX = (
    "# M\n\n- [A](a.md) — first\n- [B](b.md), see [A](<./a.md>)\nSee [A](a.md#x) too.\n![a](a.md)"
)


def test_the_index_loses_one_topic() -> None:
    assert claude_index.without(INDEX, "a.md") == (
        "# M\n\n- [B](b.md), see A\nSee A too.\n![a](a.md)"
    )
    assert claude_index.without(INDEX, "c.md") == INDEX


def test_the_index_has_a_new_title_for_one_topic() -> None:
    assert claude_index.renamed(INDEX, "b.md", "B [2]") == INDEX.replace("[B]", "[B \\[2\\]]")
    assert claude_index.targets(claude_index.renamed(INDEX, "b.md", "x](y.md)")).count("b.md") <= 1


def test_the_index_gains_a_line_after_its_last() -> None:
    assert claude_index.extended("- [A](a.md)", "b c.md", "B", "two") == (
        "- [A](a.md)\n- [B](b%20c.md) — two\n"
    )
    assert claude_index.extended("# M\r\n\r\n- [A](a.md)\r\n\r\nEnd.\r\n", "b.md", "B", "two") == (
        "# M\r\n\r\n- [A](a.md)\r\n- [B](b.md) — two\r\n\r\nEnd.\r\n"
    )


@pytest.mark.parametrize("nested", [False, True])
def test_a_memory_becomes_a_topic_in_the_shape_that_the_folder_uses(
    nested: bool, tmp_path: Path
) -> None:
    folder = tmp_path / ".claude" / "memory"
    folder.mkdir(parents=True)
    shape = "metadata:\n  type: user\n" if nested else "type: user\n"
    (folder / "a.md").write_text(f"---\nname: A\n{shape}---\n\nWords.\n")
    (folder / "MEMORY.md").write_text("- [A](a.md) — words\n")
    memory = Memory(memory_id="mem-1", statement="Ship it: on Tuesdays.", title="A", kind="fact")
    store = ClaudeFolderStore(folder)
    topic, index = store.render(put_in_force(memory), {})
    assert (topic.path, index.path) == ("a_2.md", "MEMORY.md")
    assert topic.after is not None
    assert (b"metadata:" in topic.after) is nested
    read = store.read_with({topic.path: topic.after, index.path: index.after})
    assert read.problems == ()
    (new,) = [one for one in read.holdings.memories if one.path == "a_2.md"]
    assert (new.statement, new.title, new.kind) == (memory.statement, "A", "fact")


@pytest.mark.parametrize(
    "raw",
    [
        "---\nname: >\n  folded\n  name\n---\nWords.\n",
        "---\rname: a\r---\rWords.\r",
    ],
)
def test_a_header_that_cannot_be_changed_alone_is_left_to_an_editor(raw: str) -> None:
    with pytest.raises(RulingRefused, match="change it in an editor"):
        claude_topic.edited(raw, statement=None, title="new: name", kind=None, modified="")


def test_words_that_would_read_as_a_header_are_refused() -> None:
    with pytest.raises(RulingRefused, match="change it in an editor"):
        claude_topic.edited(
            "Words.\n", statement="---\nname: x\n---\ny", title=None, kind=None, modified=""
        )
    kept = claude_topic.edited(
        "---\ndescription: Old.\n---\n",
        statement="New:\nwords.",
        title=None,
        kind=None,
        modified="",
    )
    assert kept == '---\ndescription: "New:\\nwords."\n---\n'
