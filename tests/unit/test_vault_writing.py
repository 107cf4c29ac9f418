"""Rendering and applying rulings: exact bytes, stale views, links, modes, undo and the journal."""

from __future__ import annotations

import json
import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    FileChange,
    NoteKind,
    NoteRef,
    Operation,
    RemoveNote,
    Ruling,
    RulingPlan,
    inverse,
)
from proofstone.vault.errors import StaleError, VaultLockedError, VaultWriteError
from proofstone.vault.journal import Journal
from proofstone.vault.journal_check import verify_files, verify_journal
from proofstone.vault.layout import JOURNAL, OBJECTS, UnsafeNameError
from proofstone.vault.lock import VaultLock
from proofstone.vault.note_writer import NoteEditError, NoteValueError, edit_note, new_note
from proofstone.vault.render import render
from proofstone.vault.transaction import apply, recover, write_files
from proofstone.vault.vault import Vault

PROPOSAL = b'---\r\nproposal_id: "p1" # mine\r\nstatus: open\r\nodd:   [x,y]\r\n---\r\nTea.'


def ruling(number: int = 1, **more: str) -> Ruling:
    return Ruling(
        ruling_id=f"rul-{number}", group=f"grp-{number}", time="2026-11-30T09:00:00Z",
        author="Mira", via="cli", action="ratify", subject="p1", reason="so 中文 \ud800",
        choices={"target": ("a", "b")}, **more,
    )  # fmt: skip


def plan(*operations: Operation, number: int = 1) -> RulingPlan:
    return RulingPlan(ruling=ruling(number), operations=operations, summary="done")


def revision(data: bytes) -> str:
    return sha256(data).hexdigest()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "proposals").mkdir()
    (tmp_path / "proposals/p1.md").write_bytes(PROPOSAL)
    return tmp_path


REF = NoteRef(NoteKind.PROPOSAL, "p1")
RULED = NoteRef(NoteKind.RULED, "p1")
MEMORY = NoteRef(NoteKind.MEMORY, "m1")


def ratify(root: Path) -> tuple[FileChange, ...]:
    return render(
        root,
        plan(
            CreateNote(ref=MEMORY, fields={"memory_id": "m1"}, body="Tea."),
            ChangeNote(
                ref=REF, revision=revision(PROPOSAL), set={"status": "ratified"}, moved_to=RULED
            ),
        ),
    )


def test_a_plan_is_rendered_to_exact_bytes(root: Path) -> None:
    memory, gone, ruled = sorted(ratify(root), key=lambda change: change.path)
    assert (memory.path, memory.before) == ("knowledge/m1.md", None)
    assert memory.after == b'---\nmemory_id: "m1"\n---\n\nTea.\n'
    assert (gone.path, gone.before, gone.after) == ("proposals/p1.md", PROPOSAL, None)
    assert ruled.path == "proposals/ruled/p1.md"
    assert ruled.after == PROPOSAL.replace(b"status: open", b'status: "ratified"')
    assert not (root / "knowledge").exists()


def test_operations_on_one_note_are_composed(root: Path) -> None:
    seen = revision(PROPOSAL)
    history = NoteRef(NoteKind.HISTORY, "h1")
    changes = render(
        root,
        plan(
            ChangeNote(ref=REF, revision=seen, set={"k": 1}, moved_to=history, keep_source=True),
            ChangeNote(ref=REF, revision=seen, set={"status": "deferred"}),
            ChangeNote(ref=REF, revision=seen, set={"note": "n"}, body="Coffee."),
        ),
    )
    by_path = {change.path: change.after for change in changes}
    assert by_path["history/h1.md"] == PROPOSAL.replace(b"y]\r\n", b"y]\r\nk: 1\r\n")
    assert by_path["proposals/p1.md"] == PROPOSAL.replace(b"open", b'"deferred"').replace(
        b"y]\r\n", b'y]\r\nnote: "n"\r\n'
    ).replace(b"Tea.", b"Coffee.")


def test_what_changes_nothing_is_no_change_and_not_journalled(root: Path) -> None:
    changes = render(root, plan(ChangeNote(ref=REF, revision=revision(PROPOSAL))))
    assert changes == ()
    assert apply(root, [(ruling(), changes)]) == ()
    assert not (root / JOURNAL).exists()
    note = new_note({"a": 1}, "x")
    (root / "knowledge").mkdir()
    (root / "knowledge/m1.md").write_bytes(note)
    assert render(root, plan(CreateNote(ref=MEMORY, fields={"a": 1}, body="x"))) == ()


def test_rendering_refuses_what_the_person_did_not_see(root: Path) -> None:
    stale = [
        ChangeNote(ref=REF, revision="0" * 64, set={"a": 1}),
        RemoveNote(ref=REF, revision="0" * 64),
        RemoveNote(ref=RULED, revision=revision(PROPOSAL)),
        CreateNote(ref=REF, fields={"proposal_id": "p1"}, body="other"),
    ]
    for operation in stale:
        with pytest.raises(StaleError) as refusal:
            render(root, plan(operation))
        assert refusal.value.path.startswith("proposals/")
    with pytest.raises(UnsafeNameError):
        render(root, plan(CreateNote(ref=NoteRef(NoteKind.MEMORY, "../x"), fields={})))


def test_a_note_is_found_where_it_really_is(root: Path) -> None:
    (root / "proposals/sub").mkdir()
    (root / "proposals/p1.md").rename(root / "proposals/sub/odd name.md")
    operation = ChangeNote(ref=REF, revision=revision(PROPOSAL), set={"a": 1})
    (change,) = render(root, plan(operation), paths={REF: "proposals/sub/odd name.md"})
    assert change.path == "proposals/sub/odd name.md"


def test_applying_writes_the_preview_and_keeps_modes(root: Path) -> None:
    os.chmod(root / "proposals/p1.md", 0o640)  # noqa: PTH101
    changes = ratify(root)
    assert apply(root, [(ruling(), changes)]) == ("rul-1",)
    for change in changes:
        assert Vault(root).bytes_of(change.path) == change.after
    assert (root / "knowledge/m1.md").stat().st_mode & 0o777 == 0o600
    assert (root / "knowledge").stat().st_mode & 0o777 == 0o700
    assert (root / JOURNAL).stat().st_mode & 0o777 == 0o600
    kept = FileChange(path="knowledge/m1.md", before=changes[0].after, after=b"x")
    os.chmod(root / "knowledge/m1.md", 0o644)  # noqa: PTH101
    apply(root, [(ruling(2), (kept,))])
    assert (root / "knowledge/m1.md").stat().st_mode & 0o777 == 0o644


def test_a_file_changed_since_the_preview_refuses_the_whole_group(root: Path) -> None:
    changes = ratify(root)
    (root / "proposals/p1.md").write_bytes(PROPOSAL + b"!")
    with pytest.raises(StaleError) as refusal:
        apply(root, [(ruling(), changes)])
    assert (refusal.value.seen, refusal.value.present) == (PROPOSAL, PROPOSAL + b"!")
    assert not (root / "knowledge/m1.md").exists()
    assert not (root / JOURNAL).exists()


def test_undo_and_redo_come_from_the_journal_across_restarts(root: Path) -> None:
    changes = ratify(root)
    apply(root, [(ruling(), changes)])
    (first,) = Journal(root).read()
    assert Journal(root).changes(first) == changes
    apply(root, [(ruling(2, undoes="rul-1"), inverse(Journal(root).changes(first)))])
    assert (root / "proposals/p1.md").read_bytes() == PROPOSAL
    assert not (root / "knowledge/m1.md").exists()
    second = Journal(root).read()[1]
    assert (second.undoes, second.state, second.reason) == ("rul-1", "committed", first.reason)
    apply(root, [(ruling(3, redoes="rul-1"), inverse(Journal(root).changes(second)))])
    assert (root / "knowledge/m1.md").read_bytes() == changes[0].after
    assert verify_journal(root) == ()


def test_rulings_of_a_group_may_follow_each_other_on_one_file(root: Path) -> None:
    first = FileChange(path="inquiries/i.md", before=None, after=b"1")
    second = FileChange(path="inquiries/i.md", before=b"1", after=b"2")
    one, two = ruling(1), Ruling(**{**_fields(ruling(2)), "group": "grp-1"})
    apply(root, [(one, (first,)), (two, (second,))])
    assert (root / "inquiries/i.md").read_bytes() == b"2"
    assert [Journal(root).changes(entry) for entry in Journal(root).read()] == [(first,), (second,)]
    with pytest.raises(StaleError):
        apply(root, [(one, (second,)), (two, (second,))])
    with pytest.raises(ValueError, match="one group"):
        apply(root, [(one, (first,)), (ruling(9), (second,))])


def test_links_and_foreign_places_are_never_written(
    root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    (outside / "x.md").write_bytes(b"theirs")
    (root / "knowledge").symlink_to(outside)
    (root / "proposals/link.md").symlink_to(outside / "x.md")
    for path, before in (
        ("knowledge/m1.md", None),
        ("proposals/link.md", b"theirs"),
        ("../x.md", None),
        ("proposals/../../x.md", None),
        ("/x.md", None),
        ("config.yaml", None),
        ("README.md", None),
        ("_state/processed.json", None),
        ("other/x.md", None),
        ("proposals", None),
        ("proposals\\x.md", None),
    ):
        with pytest.raises(VaultWriteError):
            apply(root, [(ruling(), (FileChange(path=path, before=before, after=b"ours"),))])
    assert (outside / "x.md").read_bytes() == b"theirs"
    assert sorted(path.name for path in outside.iterdir()) == ["x.md"]


def test_a_held_lock_is_waited_for_and_then_named(root: Path) -> None:
    with VaultLock(root):
        with pytest.raises(VaultLockedError, match="try again"):
            apply(root, [(ruling(), ratify(root))], timeout=0)
        with pytest.raises(VaultLockedError):
            write_files(root, ratify(root), timeout=0)
    assert apply(root, [(ruling(), ratify(root))]) == ("rul-1",)


def test_a_lock_that_is_lost_is_noticed(root: Path) -> None:
    with VaultLock(root) as lock:
        lock.check()
        (root / "_state/vault.lock").unlink()
        with pytest.raises(VaultWriteError, match="lost"):
            lock.check()


def test_files_without_a_ruling_are_written_and_not_journalled(root: Path) -> None:
    change = FileChange(path="proposals/p2.md", before=None, after=b"x")
    write_files(root, [change])
    assert (root / "proposals/p2.md").read_bytes() == b"x"
    assert not (root / JOURNAL).exists()
    with pytest.raises(StaleError):
        write_files(root, [FileChange(path="proposals/p2.md", before=None, after=b"y")])


def three_rulings(root: Path) -> list[bytes]:
    for number in (1, 2, 3):
        change = FileChange(path=f"knowledge/m{number}.md", before=None, after=b"x%d" % number)
        apply(root, [(ruling(number), (change,))])
    assert verify_journal(root) == ()
    return (root / JOURNAL).read_bytes().splitlines(keepends=True)


def codes(root: Path) -> set[str]:
    return {problem.code for problem in verify_journal(root)}


def test_a_changed_row_is_found(root: Path) -> None:
    lines = three_rulings(root)
    for index, line in enumerate(lines):
        row = json.loads(line)
        changed = {**row, "ruling": "rul-x"}
        for data in (
            json.dumps(changed, sort_keys=True, separators=(",", ":")).encode() + b"\n",
            line.replace(b'"seq":', b'"seq": '),
            b"words\n",
        ):
            (root / JOURNAL).write_bytes(b"".join([*lines[:index], data, *lines[index + 1 :]]))
            assert "journal_row_changed" in codes(root), (index, data)


def test_dropped_moved_repeated_and_forged_rows_are_found(root: Path) -> None:
    lines = three_rulings(root)
    for index in range(len(lines)):
        (root / JOURNAL).write_bytes(b"".join(lines[:index] + lines[index + 1 :]))
        assert codes(root), f"row {index} dropped"
        (root / JOURNAL).write_bytes(b"".join(lines[: index + 1] + lines[index:]))
        assert codes(root), f"row {index} repeated"
    (root / JOURNAL).write_bytes(b"".join([*lines[2:4], *lines[:2], *lines[4:]]))
    assert "journal_chain_broken" in codes(root)
    (root / JOURNAL).write_bytes(b"".join(lines[:4]))
    assert codes(root) == {"journal_rows_missing"}
    (root / JOURNAL).unlink()
    assert codes(root) == {"journal_rows_missing"}


def test_a_torn_row_is_found_and_put_right_on_opening(root: Path) -> None:
    lines = three_rulings(root)
    (root / JOURNAL).write_bytes(b"".join(lines) + b'{"row":"op')
    assert codes(root) == {"journal_torn"}
    assert recover(root) == ()
    assert (root / JOURNAL).read_bytes() == b"".join(lines)


def test_an_object_that_is_not_what_its_name_says_is_found(root: Path) -> None:
    three_rulings(root)
    objects = sorted((root / OBJECTS).iterdir())
    objects[0].write_bytes(objects[0].read_bytes().replace(b"x", b"y"))
    objects[1].unlink()
    (root / OBJECTS / "stray").write_bytes(b"")
    assert codes(root) == {"object_damaged", "journal_rows_missing"}
    damaged = [entry for entry in Journal(root).read() if entry.objects == objects[0].name]
    with pytest.raises(VaultWriteError, match="not what its name says"):
        Journal(root).changes(damaged[0])


def test_files_changed_by_another_hand_are_named(root: Path) -> None:
    three_rulings(root)
    assert verify_files(root) == ()
    (root / "knowledge/m2.md").write_bytes(b"other")
    (problem,) = verify_files(root)
    assert (problem.path, problem.subject) == ("knowledge/m2.md", "rul-2")


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.binary(max_size=200) | st.lists(st.sampled_from(
    [b'{"row":"open","ruling":"r","group":"g","changes":[]}', b"{}", b"[]", b"\xff", b"{",
     b'{"row":"close","ruling":"r","group":"g","state":"committed"}', b'{"seq":-1}']
)).map(b"\n".join))  # fmt: skip
def test_no_bytes_make_reading_the_journal_raise(root: Path, data: bytes) -> None:
    (root / JOURNAL).parent.mkdir(parents=True, exist_ok=True)
    (root / JOURNAL).write_bytes(data)
    entries = Journal(root).read()
    tail = Journal(root).tail()
    assert tail.whole <= tail.size == len(data)
    assert all(entry.ruling_id for entry in entries)
    assert verify_journal(root) or not data


def test_a_long_journal_is_appended_to_without_being_read(root: Path) -> None:
    batch = []
    for number in range(1500):
        change = FileChange(path=f"knowledge/b{number}.md", before=None, after=b"x")
        batch.append((Ruling(**{**_fields(ruling(number)), "group": "grp"}), (change,)))
    write_seconds = apply(root, batch)
    assert len(write_seconds) == 1500
    assert (root / JOURNAL).stat().st_size > 512 * 1024
    apply(root, [(ruling(9999), (FileChange(path="knowledge/z.md", before=None, after=b"z"),))])
    assert verify_journal(root) == ()


@pytest.mark.parametrize(
    ("fields", "body", "word"),
    [
        ({"bad key": 1}, "", "cannot have the key"),
        ({"a": float("nan")}, "", "finite"),
        ({"a": {}}, "", "empty map"),
        ({"a": ({},)}, "", "empty map"),
        ({"a": {"b c": 1}}, "", "cannot hold the key"),
        ({"a": ("x", {"b": 1})}, "", "mixes"),
        ({"a": object()}, "", "object"),
        ({"a": "\ud800"}, "", "half a character"),
        ({}, "nul \0", "NUL"),
        ({}, "x" * 9_000_000, "at most"),
    ],
)
def test_what_a_note_cannot_hold_is_refused(
    fields: dict[str, object], body: str, word: str
) -> None:
    with pytest.raises(NoteValueError, match=word):
        new_note(fields, body)


@pytest.mark.parametrize(
    ("header", "set_", "unset", "expected"),
    [
        ("a: 1 # keep\n", {"a": 2}, (), "a: 2 # keep\n"),
        ("a:   # keep\nb: 1\n", {"a": "x"}, (), 'a: "x"   # keep\nb: 1\n'),
        ("a: 'it''s'\nb: 1\n", {"b": 2}, (), "a: 'it''s'\nb: 2\n"),
        ("a:  # c\n  - x\n  - y\n# z\nb: 1\n", {"a": ("q",)}, (), 'a: ["q"]  # c\n# z\nb: 1\n'),
        ("a: [x,\n  y] # c\nb: 1\n", {"a": 1}, (), "a: 1 # c\nb: 1\n"),
        ("a: |\n  x\n\n\nb: 1\n", {"a": "y"}, (), 'a: "y"\n\n\nb: 1\n'),
        ("a: 1 # c\nb: 2\n", {"a": {"k": "v"}}, (), 'a: # c\n  k: "v"\nb: 2\n'),
        ("a: # c\n  k: v\nb: 2\n", {"a": {"k": 2}}, (), "a: # c\n  k: 2\nb: 2\n"),
        ("a: 1\n\n# about b\nb: 2\n\n# end\n", {}, ("a",), "\n# about b\nb: 2\n\n# end\n"),
        ("a:\n- x\n- y\nb: 2\n", {}, ("a",), "b: 2\n"),
        ("globs: **/*\nb: 2\n", {"b": 3}, (), "globs: **/*\nb: 3\n"),
        ("globs: **/*\nb: 2\n", {"globs": ("**/*",)}, (), 'globs: ["**/*"]\nb: 2\n'),
        ("globs: **/*\n\n# b\nb: 2\n", {}, ("globs",), "\n# b\nb: 2\n"),
        ("x: {{\n  y\n# b\nb: 2\n", {"x": {"k": 1}}, (), "x:\n  k: 1\n# b\nb: 2\n"),
        ("a: &x [1]\nb: *x\n", {"c": 1}, (), "a: &x [1]\nb: *x\nc: 1\n"),
    ],
)
def test_an_edit_changes_only_what_was_asked(
    header: str, set_: dict[str, object], unset: tuple[str, ...], expected: str
) -> None:
    for newline in ("\n", "\r\n"):
        data = f"---\n{header}---\n\nBody \n".replace("\n", newline).encode()
        wanted = f"---\n{expected}---\n\nBody \n".replace("\n", newline).encode()
        assert edit_note(data, set_, unset) == wanted


@pytest.mark.parametrize(
    ("data", "set_", "unset"),
    [
        (b"no header", {"a": 1}, ()),
        (b"---\na: 1\na: 2\n---\n", {"a": 1}, ()),
        (b"---\n{a: 1, b: 2}\n---\n", {"a": 3}, ()),
        (b"---\n{a: 1, b: 2}\n---\n", {"c": 3}, ()),
        (b"---\na: &x [1]\nb: *x\n---\n", {}, ("a",)),
        (b"---\n? a\n: 1\n---\n", {"a": 2}, ()),
    ],
)
def test_an_edit_that_cannot_be_made_alone_is_refused(
    data: bytes, set_: dict[str, object], unset: tuple[str, ...]
) -> None:
    with pytest.raises(NoteEditError):
        edit_note(data, set_, unset)


def _fields(item: Ruling) -> dict[str, object]:
    return {name: getattr(item, name) for name in item.__dataclass_fields__}
