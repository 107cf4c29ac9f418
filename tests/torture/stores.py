"""Kill rulings, an undo and a purge in another program's store at every step that changes the disk.

    python -m tests.torture.stores

As in ``tests.torture.crash`` each attempt is made by a process of its own, which sends itself
SIGKILL at one step, and the recovery that follows is killed too. The store and its companion
folder must then be as before or as after, the journal sound, and PI's own rules kept.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from proofstone.curation import history, purging
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import Choices
from proofstone.domain.rulings.terms import short_id
from proofstone.stores.companion import STATE_VARIABLE
from proofstone.vault.hmac_key import ensure_key
from proofstone.vault.journal_check import verify_journal
from tests.crash.faulty_disk import Steps, really_kill_at
from tests.pi_checker import purge_faults, record_faults, records
from tests.pi_story import CANDIDATE, OTHER, SUBJECT, tell
from tests.torture.crash import RECOVERY_STEPS, Tree, in_child, read_tree, write_tree
from tests.torture.script import workspace_at

SAMPLE = Path(__file__).parent.parent / "data" / "stores" / "pi"
ROPE, BUOY = "mem_20261002_rope", "cap_20261010_buoy"


def _ruling(action: str, subject: str, **choices: object) -> Callable[[Workspace], object]:
    return lambda view: rule(view, action, [subject], Choices(**choices))  # type: ignore[arg-type]


ACTS: dict[str, Callable[[Workspace], object]] = {
    "ratify": _ruling("ratify", CANDIDATE, reason="seen", target=("new",)),
    "undo": history.undo,
    "redo": history.redo,
    "contest": _ruling("contest", SUBJECT, reason="is it so?"),
    "edit": _ruling("edit", OTHER, edits={"statement": "Ropes are checked on Mondays."}),
    "supersede": _ruling("supersede", BUOY, target=(ROPE,), reason="it moved"),
    "batch": lambda view: rule(
        view,
        "dismiss",
        ["cap_20261013_hull", "cap_20261015_odd"],
        Choices(reason="no_future_value"),
    ),
    "undo the batch": history.undo,
    "purge": lambda view: purging.purge(
        view, SUBJECT, Choices(reason="privacy_sensitive", confirm=short_id(SUBJECT))
    ),
}


def owned(tree: Tree) -> Tree:
    """What people and programs own; not our journal and objects."""
    return {path: data for path, data in tree.items() if "/_state/" not in path}


def main() -> int:
    started = time.monotonic()
    killed = again_killed = 0
    faults: list[str] = []
    with tempfile.TemporaryDirectory(prefix="proofstone-torture-") as folder:
        place = Path(folder)
        os.environ[STATE_VARIABLE] = str(place / "state")
        store = tell(SAMPLE, place / "pi")
        view = workspace_at(store, 0)
        view.state.mkdir(parents=True)
        # The key of purges is drawn by chance, so that it is made before.
        ensure_key(view.state)
        for number, (name, make) in enumerate(ACTS.items()):
            before = read_tree(place)
            make(workspace_at(store, number))
            after = read_tree(place)
            at = 0
            while True:
                at += 1
                write_tree(place, before)
                view = workspace_at(store, number)
                dying = Steps(really_kill_at(at))
                if in_child(partial(make, view), dying) is not None:
                    break
                killed += 1
                recovering = Steps(really_kill_at(1 + at % RECOVERY_STEPS))
                opened = in_child(partial(workspace_at, store, number), recovering)
                again_killed += opened is None
                found = _faults(store, number, place, before, after)
                faults += [f"{name}, killed at step {at}: {fault}" for fault in found]
            write_tree(place, after)
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    print(
        f"stores: {len(ACTS)} acts, {killed} kill points, {again_killed} of their recoveries "
        f"killed too, {len(faults)} faults, {time.monotonic() - started:.0f} s"
    )
    return 1 if faults else 0


def _faults(store: Path, number: int, place: Path, before: Tree, after: Tree) -> list[str]:
    view = workspace_at(store, number)
    tree = read_tree(place)
    found = [f"{p.code} {p.path}" for p in verify_journal(view.state)]
    if owned(tree) not in (owned(before), owned(after)):
        found.append("between before and after")
    found += [f"left lying about: {path}" for path in tree if path.endswith(".tmp")]
    found += [p.code for p in view.problems if p.code == "unfinished_ruling"]
    found += [fault for record in records(store).values() for fault in record_faults(record)]
    return [*found, *purge_faults(store)]


if __name__ == "__main__":
    sys.exit(main())
