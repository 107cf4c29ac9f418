"""A disk that refuses, or loses power, under whole rulings: all as it was, and one clear line."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.vault import lock, transaction
from proofstone.vault.files import Files
from proofstone.vault.journal_check import verify_journal
from tests.conftest import Outcome, Proofstone, contents
from tests.crash.faulty_disk import Killed, Steps, Unplugged, kill_at, refuse
from tests.torture.script import SCRIPT, Step, workspace_at

STATE = ("_state/proofstone", "_state/vault.lock")
KINDS = ("ratify", "supersede", "tombstone", "edit", "contest", "submit", "capture", "undo")


def first_of(kind: str) -> tuple[int, Step]:
    """The script's first ruling of a kind that can be made on the fresh demo vault."""
    return next((place, step) for place, step in enumerate(SCRIPT) if step.name.split()[0] == kind)


def notes_of(root: Path) -> dict[str, bytes]:
    """Every file but our state and what was staged and cannot be removed now."""
    return {p: data for p, data in contents(root, STATE).items() if not p.endswith(".tmp")}


@pytest.fixture(autouse=True)
def quick_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a sync keeps is modelled here, so the real disk need not be waited for."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> Callable[[Files], None]:
    """Makes every ruling from now on write to the disk given."""

    def use(files: Files) -> None:
        monkeypatch.setattr(transaction, "Files", lambda: files)

    return use


def made_on(root: Path, kind: str) -> tuple[Callable[[], object], dict[str, bytes]]:
    """The ruling of ``kind``, ready to be made, and the vault's notes before it."""
    place, step = first_of(kind)
    if kind == "undo":
        SCRIPT[0].make(workspace_at(root, 0))
    if kind == "submit":
        step = next(s for s in SCRIPT if s.name == "submit claude-code/atlas-load#2")
    workspace = workspace_at(root, place)
    return (lambda: step.make(workspace)), contents(root, STATE)


def attempts(
    root: Path, kind: str, files: Callable[[int], Steps], on_disk: Callable[[Files], None]
) -> Iterator[tuple[int, Steps, ProofstoneError | None, dict[str, bytes]]]:
    """Make a ruling until it is made, the disk failing one step later each time."""
    make, before = made_on(root, kind)
    for step in range(1, 200):
        disk = files(step)
        on_disk(disk)
        try:
            make()
        except ProofstoneError as error:
            yield step, disk, error, before
            continue
        yield step, disk, None, before
        return
    raise AssertionError("the ruling is never made")


@pytest.mark.parametrize(
    ("kind", "number"),
    [
        *((kind, errno.ENOSPC) for kind in KINDS),
        *(("contest", number) for number in (errno.EIO, errno.EROFS, errno.EACCES)),
    ],
)
def test_a_refused_step_leaves_everything_as_it_was(
    kind: str, number: int, demo_vault: Path, on_disk: Callable[[Files], None]
) -> None:
    refused = 0

    def disk(step: int) -> Steps:
        return Steps(refuse(step, for_ever=False, number=number))

    for step, used, error, before in attempts(demo_vault, kind, disk, on_disk):
        on_disk(Files())
        if error is None:
            # The last step is the closing row: without it the ruling stands all the same.
            assert used.step <= step
            break
        refused += 1
        assert os.strerror(number) in str(error)
        assert "\n" not in str(error)
        assert contents(demo_vault, STATE) == before, f"step {step}"
        assert verify_journal(demo_vault) == (), f"step {step}"
        assert not list(demo_vault.rglob("*.tmp")), f"step {step}"
    assert refused >= 8


@pytest.mark.parametrize("kind", KINDS)
def test_a_disk_that_fails_for_good_says_whether_the_vault_is_as_it_was(
    kind: str, demo_vault: Path, on_disk: Callable[[Files], None]
) -> None:
    as_it_was = unsure = 0

    def disk(step: int) -> Steps:
        return Steps(refuse(step, for_ever=True, number=errno.EIO))

    for step, _, error, before in attempts(demo_vault, kind, disk, on_disk):
        on_disk(Files())
        if error is None:
            break
        if "everything is as it was" in str(error):
            as_it_was += 1
            assert notes_of(demo_vault) == before, f"step {step}"
        else:
            unsure += 1
            assert "when it is opened next" in str(error)
        recovered = transaction.recover(demo_vault)
        assert verify_journal(demo_vault) == (), f"step {step}"
        assert not list(demo_vault.rglob("*.tmp")), f"step {step}"
        if contents(demo_vault, STATE) != before:
            # All files had been swapped, so the ruling was finished, which opening says.
            assert any("was finished" in problem.message for problem in recovered)
            break
    assert as_it_was >= 1
    assert unsure >= 1


@pytest.mark.parametrize("kind", KINDS)
def test_a_power_cut_at_any_step_loses_no_confirmed_ruling(
    kind: str, demo_vault: Path, on_disk: Callable[[Files], None]
) -> None:
    make, before = made_on(demo_vault, kind)
    confirmed = False
    step = 0
    while not confirmed:
        step += 1
        disk = Unplugged(kill_at(step))
        on_disk(disk)
        try:
            make()
            confirmed = True
        except Killed:
            pass
        disk.cut_power()
        on_disk(Files())
        transaction.recover(demo_vault)
        assert verify_journal(demo_vault) == (), f"step {step}"
        if contents(demo_vault, STATE) != before:
            # It was finished on opening, or it was confirmed; it cannot be made again.
            break
        assert not confirmed, "a ruling that was confirmed is gone"
    assert step > 5


def test_the_command_says_it_in_one_line(
    demo_vault: Path, proofstone: Proofstone, on_disk: Callable[[Files], None]
) -> None:
    before = contents(demo_vault, STATE)
    memory = next(path.stem for path in (demo_vault / "knowledge").glob("mem-20261006*.md"))

    def rule() -> Outcome:
        return proofstone(
            "rule", "contest", demo_vault, memory, "--reason", "x", "--as", "M", code=None
        )

    on_disk(Steps(refuse(3, for_ever=False)))
    refused = rule()
    assert refused.code == 2
    assert refused.out == ""
    assert len(refused.err.splitlines()) == 1
    assert "No space left on device" in refused.err
    assert contents(demo_vault, STATE) == before
    on_disk(Files())
    assert rule().code == 0


def test_a_folder_that_cannot_be_locked_is_one_line(
    demo_vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*arguments: object) -> int:
        raise OSError(errno.EROFS, "Read-only file system")

    step = SCRIPT[0]
    workspace = workspace_at(demo_vault, 0)
    with monkeypatch.context() as patched:
        patched.setattr(lock.os, "open", read_only)
        with pytest.raises(ProofstoneError, match="Read-only file system"):
            step.make(workspace)
    assert isinstance(Workspace.open(demo_vault, workspace.context), Workspace)
