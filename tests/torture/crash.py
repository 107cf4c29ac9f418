"""Kill a ruling at every step that changes the disk, for every ruling of the script.

    python -m tests.torture.crash                  every kill point, in two processes
    python -m tests.torture.crash --sample 40      that many, spread over the whole script

Each attempt is made by a process of its own, which sends itself SIGKILL at one step; the recovery
that follows is killed as well, at another step. Then the vault is opened: its notes must be, byte
for byte, those before the ruling or those after it, and its journal must say which and be sound.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from unittest import mock

from proofstone.curation.workspace import Workspace
from proofstone.resources import resource_dir
from proofstone.vault import transaction
from proofstone.vault.files import Files
from proofstone.vault.hmac_key import ensure_key
from proofstone.vault.journal import COMMITTED, ROLLED_BACK, Journal
from proofstone.vault.journal_check import verify_journal
from tests.crash.faulty_disk import Steps, really_kill_at
from tests.torture.script import PURGES, SCRIPT, Step, workspace_at

Tree = dict[str, bytes]
STEPS = (*SCRIPT, *PURGES)
DONE, FAILED = 0, 1
RECOVERY_STEPS = 9
"""Recovery is killed at one of its first so many steps, another one each time."""


@dataclass
class Tally:
    """What came of the attempts."""

    rulings: int = 0
    killed: int = 0
    killed_recovering: int = 0
    before: int = 0
    after: int = 0
    faults: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        self.rulings += other.rulings
        self.killed += other.killed
        self.killed_recovering += other.killed_recovering
        self.before += other.before
        self.after += other.after
        self.faults += other.faults

    def __str__(self) -> str:
        return (
            f"{self.rulings} rulings, {self.killed} kill points ({self.before} found before, "
            f"{self.after} found after the ruling), {self.killed_recovering} of their recoveries "
            f"killed too, {len(self.faults)} faults"
        )


def read_tree(root: Path) -> Tree:
    """Every file below ``root`` but for the lock."""
    found: Tree = {}
    for folder, _, names in os.walk(root):
        for name in names:
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if relative != "_state/vault.lock":
                found[relative] = path.read_bytes()
    return found


def write_tree(root: Path, tree: Tree) -> None:
    """Make ``root`` hold exactly ``tree``; only what differs is written."""
    present = read_tree(root)
    for path in present.keys() - tree.keys():
        (root / path).unlink()
    for path, content in tree.items():
        if present.get(path) != content:
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
    for folder, _, _ in os.walk(root, topdown=False):
        if folder != str(root) and not os.listdir(folder):  # noqa: PTH208 - os.walk gives text
            os.rmdir(folder)  # noqa: PTH106


def notes(tree: Tree) -> Tree:
    """The files that people and agents own; not our state."""
    return {path: data for path, data in tree.items() if not path.startswith("_state/proofstone/")}


def in_child(work: Callable[[], object], files: Files) -> int | None:
    """Do ``work`` on ``files`` in a process of its own: its exit code, or None when killed."""
    sys.stdout.flush()
    sys.stderr.flush()
    child = os.fork()
    if child == 0:
        code = FAILED
        try:
            with mock.patch.object(transaction, "Files", lambda: files):
                work()
            code = DONE
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return None if os.WIFSIGNALED(status) else os.waitstatus_to_exitcode(status)


class Ordeal:
    """One ruling, killed at its steps one after another, in the vault ``root``."""

    def __init__(self, root: Path, place: int, step: Step, before: Tree, after: Tree) -> None:
        self.root = root
        self.place = place
        self.step = step
        self.before = before
        self.after = after
        self.known = set(_states(root, before))
        self.workspace = workspace_at(root, place)
        self.tally = Tally(rulings=1)

    def kill(self, at: int) -> bool:
        """Kill the ruling at step ``at``; False when it has fewer steps and was made."""
        write_tree(self.root, self.before)
        files = Steps(really_kill_at(at))
        outcome = in_child(lambda: self.step.make(self.workspace), files)
        if outcome is not None:
            if outcome == FAILED or notes(read_tree(self.root)) != notes(self.after):
                self.fault(at, "made without a kill, it was not made as before")
            return False
        self.tally.killed += 1
        again = Steps(really_kill_at(1 + at % RECOVERY_STEPS))
        if in_child(lambda: workspace_at(self.root, self.place), again) is None:
            self.tally.killed_recovering += 1
        try:
            self.judge(at, workspace_at(self.root, self.place))
        except Exception:
            self.fault(at, traceback.format_exc())
        return True

    def judge(self, at: int, workspace: Workspace) -> None:
        """Whether the vault, opened again, is whole."""
        found = read_tree(self.root)
        is_after = notes(found) == notes(self.after)
        if not is_after and notes(found) != notes(self.before):
            differing = {
                path
                for path in notes(found).keys() | notes(self.before).keys()
                if notes(found).get(path) != notes(self.before).get(path)
            }
            self.fault(at, f"between before and after: {sorted(differing)}")
            return
        states = _states(self.root, found)
        own = {state for ruling, state in states.items() if ruling not in self.known}
        if own != {COMMITTED} if is_after else not own <= {ROLLED_BACK}:
            self.fault(
                at, f"the journal says {own}, the notes are {'after' if is_after else 'before'}"
            )
        for problem in verify_journal(self.root):
            self.fault(at, f"{problem.code} {problem.path}:{problem.line} {problem.message}")
        for path in found:
            if path.endswith(".tmp"):
                self.fault(at, f"left lying about: {path}")
        if any(problem.code == "unfinished_ruling" for problem in workspace.problems):
            self.fault(at, "the ruling is still unfinished")
        self.tally.after += is_after
        self.tally.before += not is_after

    def fault(self, at: int, what: str) -> None:
        self.tally.faults.append(f"{self.place} {self.step.name}, killed at step {at}: {what}")


def _states(root: Path, tree: Tree) -> dict[str, str]:
    if "_state/proofstone/journal.jsonl" not in tree:
        return {}
    return {entry.ruling_id: entry.state for entry in Journal(root).read()}


def play(root: Path) -> Iterator[tuple[int, Step, Tree, Tree]]:
    """Make the script's rulings one after another: each with the vault before and after it."""
    before = read_tree(root)
    for place, step in enumerate(STEPS):
        step.make(workspace_at(root, place))
        after = read_tree(root)
        yield place, step, before, after
        before = after


def every_point(worker: int, workers: int) -> Tally:
    """Kill every ruling whose place is this worker's at all of its steps."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="proofstone-torture-") as folder:
        played, root = _copies(Path(folder))
        for place, step, before, after in play(played):
            if place % workers != worker:
                continue
            write_tree(root, before)
            ordeal = Ordeal(root, place, step, before, after)
            at = 1
            while ordeal.kill(at):
                at += 1
            tally.add(ordeal.tally)
    return tally


def sample(points: int) -> Tally:
    """Kill ``points`` rulings, spread over the script, each at one step."""
    tally = Tally()
    with tempfile.TemporaryDirectory(prefix="proofstone-torture-") as folder:
        played, root = _copies(Path(folder))
        chosen = {place * len(STEPS) // points for place in range(points)}
        for turn, (place, step, before, after) in enumerate(play(played)):
            if place not in chosen:
                continue
            write_tree(root, before)
            ordeal = Ordeal(root, place, step, before, after)
            # Another step each time; a ruling has at least fifteen.
            ordeal.kill(1 + turn * 7 % 29) or ordeal.kill(1 + turn * 7 % 15)
            tally.add(ordeal.tally)
    return tally


def _copies(folder: Path) -> tuple[Path, Path]:
    """Two copies of the demo vault: one to make the script's rulings in, one to kill them in.

    Both lie at the same place for the program: what is written never names the vault's folder.
    """
    played = Path(shutil.copytree(resource_dir("demo-vault"), folder / "played"))
    # The key of purges is drawn by chance, so both copies must have the same one.
    ensure_key(played)
    return played, Path(shutil.copytree(played, folder / "killed"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=0, metavar="N")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    started = time.monotonic()
    tally = Tally()
    if options.sample:
        tally = sample(options.sample)
    else:
        spawned = multiprocessing.get_context("spawn")
        with spawned.Pool(options.processes) as pool:
            work = [(worker, options.processes) for worker in range(options.processes)]
            for part in pool.starmap(every_point, work):
                tally.add(part)
    for fault in islice(tally.faults, 20):
        print(fault, file=sys.stderr)
    print(f"crash: {tally}, {time.monotonic() - started:.0f} s")
    return 1 if tally.faults else 0


if __name__ == "__main__":
    sys.exit(main())
