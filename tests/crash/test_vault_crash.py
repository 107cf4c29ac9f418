"""A ruling killed, refused or cut from power at every step leaves the vault before or after."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from proofstone.domain.plan import FileChange, Ruling
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.journal import COMMITTED, ROLLED_BACK, Journal
from proofstone.vault.journal_check import verify_files, verify_journal
from proofstone.vault.transaction import apply, recover, write_files
from tests.crash.faulty_disk import Killed, Steps, Unplugged, kill_at, refuse


@pytest.fixture(autouse=True)
def quick_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a sync keeps is modelled here, so the real disk need not be waited for."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


def ruling(name: str, group: str) -> Ruling:
    return Ruling(
        ruling_id=name,
        group=group,
        time="2026-11-30T09:00:00Z",
        author="Mira",
        via="cli",
        action="ratify",
        subject="prop-1",
        reason="it is so",
    )


# A group of two rulings that creates, changes twice, moves and removes, in five folders.
GROUP = (
    (
        ruling("rul-1", "grp-2"),
        (
            FileChange(path="knowledge/mem-1.md", before=None, after=b"the memory\n"),
            FileChange(path="proposals/prop-1.md", before=b"the proposal\n", after=None),
            FileChange(
                path="proposals/ruled/prop-1.md", before=None, after=b"the proposal, ruled\n"
            ),
            FileChange(path="evidence/e1.md", before=b"a quote\n", after=b"a quote, used\n"),
        ),
    ),
    (
        ruling("rul-2", "grp-2"),
        (
            FileChange(path="evidence/e1.md", before=b"a quote, used\n", after=b"used twice\n"),
            FileChange(path="history/hist-1.md", before=b"old\n", after=None),
            FileChange(path="inquiries/new/inq-1.md", before=None, after=b"a question\n"),
        ),
    ),
)
BEFORE = {
    "proposals/prop-1.md": b"the proposal\n",
    "evidence/e1.md": b"a quote\n",
    "history/hist-1.md": b"old\n",
    "knowledge/other.md": b"another memory\n",
}
AFTER = {
    "knowledge/mem-1.md": b"the memory\n",
    "proposals/ruled/prop-1.md": b"the proposal, ruled\n",
    "evidence/e1.md": b"used twice\n",
    "inquiries/new/inq-1.md": b"a question\n",
    "knowledge/other.md": b"another memory\n",
}


def make_vault(root: Path, *, first: bool = False) -> Path:
    """A vault in the state BEFORE; unless ``first``, its journal has a ruling already."""
    shutil.rmtree(root, ignore_errors=True)
    for path, content in BEFORE.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    if not first:
        seed = FileChange(path="tombstones/t.md", before=None, after=b"gone\n")
        apply(root, [(ruling("rul-0", "grp-1"), (seed,))])
        (root / "tombstones/t.md").unlink()
        (root / "tombstones").rmdir()
    return root


def notes(root: Path) -> dict[str, bytes]:
    """Every file that is not state, temporary files included."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and "_state" not in path.relative_to(root).parts
    }


def state_files(root: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in root.rglob("*") if path.is_file()}


def assert_whole(root: Path, message: str) -> None:
    """The vault is before or after, its journal says which, and nothing is left lying about."""
    found = notes(root)
    assert found in (BEFORE, AFTER), message
    mine = [entry for entry in Journal(root).read() if entry.group == "grp-2"]
    expected = {COMMITTED} if found == AFTER else {ROLLED_BACK}
    if mine or found == AFTER:
        assert {entry.state for entry in mine} == expected, message
    assert verify_journal(root) == (), message
    leftovers = [path for path in (root / "_state").rglob("*") if path.name.endswith(".tmp")]
    assert leftovers == [], message


def count_steps(tmp_path: Path) -> int:
    files = Steps()
    apply(make_vault(tmp_path / "counted"), GROUP, files=files)
    return files.step


@pytest.mark.parametrize("first", [True, False])
def test_killed_at_every_step_it_is_before_or_after(tmp_path: Path, first: bool) -> None:
    root = tmp_path / "vault"
    seen = set()
    for step in range(1, count_steps(tmp_path) + 10):
        make_vault(root, first=first)
        try:
            apply(root, GROUP, files=Steps(kill_at(step)))
        except Killed:
            recover(root)
        assert_whole(root, f"killed at step {step}")
        settled = state_files(root)
        assert recover(root) == ()
        assert state_files(root) == settled
        seen.add(notes(root) == AFTER)
    assert seen == {True, False}


def test_killed_again_while_recovering_it_is_still_before_or_after(tmp_path: Path) -> None:
    root, copy = tmp_path / "vault", tmp_path / "copy"
    for step in range(1, count_steps(tmp_path) + 1):
        make_vault(copy)
        with pytest.raises(Killed):
            apply(copy, GROUP, files=Steps(kill_at(step)))
        again = 0
        while True:
            again += 1
            shutil.rmtree(root, ignore_errors=True)
            shutil.copytree(copy, root)
            try:
                recover(root, files=Steps(kill_at(again)))
            except Killed:
                recover(root)
                assert_whole(root, f"killed at step {step}, then at step {again} of recovery")
                continue
            break
        assert_whole(root, f"killed at step {step}, recovered")


def test_after_any_kill_the_next_ruling_finds_a_sound_vault(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    for step in range(1, count_steps(tmp_path) + 1):
        make_vault(root)
        with pytest.raises(Killed):
            apply(root, GROUP, files=Steps(kill_at(step)))
        change = FileChange(path="knowledge/other.md", before=b"another memory\n", after=b"new\n")
        assert apply(root, [(ruling("rul-9", "grp-9"), (change,))]) == ("rul-9",)
        assert verify_journal(root) == ()
        (root / "knowledge/other.md").write_bytes(b"another memory\n")
        assert notes(root) in (BEFORE, AFTER), f"killed at step {step}"


@pytest.mark.parametrize("for_ever", [False, True])
def test_a_refusing_disk_leaves_everything_as_it_was(tmp_path: Path, for_ever: bool) -> None:
    root = tmp_path / "vault"
    written = False
    for step in range(1, count_steps(tmp_path) + 1):
        make_vault(root)
        try:
            apply(root, GROUP, files=Steps(refuse(step, for_ever=for_ever)))
        except VaultWriteError as error:
            assert "No space left" in str(error)
            if for_ever:
                recover(root)
                assert notes(root) in (BEFORE, AFTER), f"refused from step {step}"
            else:
                assert notes(root) == BEFORE, f"refused at step {step}"
        else:
            # Only the closing row was refused: the ruling stands, and the next opening says so.
            written = True
            recover(root)
            assert notes(root) == AFTER
        assert verify_journal(root) == ()
    assert written


def test_a_power_cut_at_every_step_loses_no_confirmed_ruling(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    for step in range(1, count_steps(tmp_path) + 2):
        make_vault(root)
        files = Unplugged(kill_at(step))
        confirmed = False
        try:
            apply(root, GROUP, files=files)
            confirmed = True
        except Killed:
            pass
        files.cut_power()
        recover(root)
        assert_whole(root, f"power cut at step {step}")
        assert not confirmed or notes(root) == AFTER


def test_a_file_changed_by_another_hand_after_a_kill_is_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    for step in range(1, count_steps(tmp_path) + 1):
        make_vault(root)
        with pytest.raises(Killed):
            apply(root, GROUP, files=Steps(kill_at(step)))
        (root / "evidence/e1.md").write_bytes(b"edited meanwhile\n")
        recover(root)
        found = notes(root)
        assert found.pop("evidence/e1.md") == b"edited meanwhile\n"
        others = [{k: v for k, v in s.items() if k != "evidence/e1.md"} for s in (BEFORE, AFTER)]
        assert found in others, f"killed at step {step}"
        assert verify_journal(root) == ()


def test_files_without_a_ruling_are_each_whole_or_absent(tmp_path: Path) -> None:
    root = tmp_path / "vault"
    changes = (
        FileChange(path="evidence/e2.md", before=None, after=b"quote two\n"),
        FileChange(path="proposals/prop-2.md", before=None, after=b"proposal two\n"),
    )
    files = Steps()
    write_files(make_vault(root), changes, files=files)
    for step in range(1, files.step + 1):
        make_vault(root)
        with pytest.raises(Killed):
            write_files(root, changes, files=Steps(kill_at(step)))
        names = notes(root).keys() - BEFORE.keys()
        whole = {name for name in names if not name.endswith(".tmp")}
        assert whole in (set(), {"evidence/e2.md"}, {"evidence/e2.md", "proposals/prop-2.md"})
        make_vault(root)
        with pytest.raises(VaultWriteError):
            write_files(root, changes, files=Steps(refuse(step, for_ever=False)))
        assert notes(root) == BEFORE


def test_the_sync_calls_stay_within_two_per_file_and_three(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    (root / "inquiries/new").mkdir(parents=True)
    (root / "proposals/ruled").mkdir(parents=True)
    files = Steps()
    apply(root, GROUP, files=files)
    assert files.syncs <= 2 * 6 + 3
    single = Steps()
    change = FileChange(path="knowledge/other.md", before=b"another memory\n", after=b"x\n")
    apply(root, [(ruling("rul-3", "grp-3"), (change,))], files=single)
    assert single.syncs <= 2 + 3


def test_a_batch_of_a_hundred_shares_its_journal_and_folder_syncs(tmp_path: Path) -> None:
    root = make_vault(tmp_path / "vault")
    batch = [
        (
            ruling(f"rul-{number}", "grp-batch"),
            (FileChange(path=f"knowledge/m{number}.md", before=None, after=b"x\n"),),
        )
        for number in range(100)
    ]
    files = Steps()
    assert len(apply(root, batch, files=files)) == 100
    assert files.syncs <= 100 + 4
    assert verify_journal(root) == ()
    assert verify_files(root)[0].subject == "rul-0"
