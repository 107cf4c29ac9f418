"""Rulings and purges in another program's store, killed at every step, are made or not begun.

The sample's files are large enough that only their changed lines are kept for going back.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from proofstone.curation import history, purging
from proofstone.curation.context import Context
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import Choices
from proofstone.domain.rulings.terms import short_id
from proofstone.vault import transaction
from proofstone.vault.files import Files
from proofstone.vault.hmac_key import ensure_key
from proofstone.vault.journal import COMMITTED, ROLLED_BACK
from proofstone.vault.journal_check import verify_journal
from tests.conftest import NOW, contents
from tests.crash.faulty_disk import Killed, Steps, kill_at, refuse
from tests.pi_checker import faults, purge_faults
from tests.pi_story import CANDIDATE, SUBJECT, tell

SAMPLE = Path(__file__).parent.parent / "data" / "stores" / "pi"
RATIFIED = Choices(reason="seen", target=("new",))
PURGED = Choices(reason="privacy_sensitive", confirm=short_id(SUBJECT))

Make = Callable[[Workspace], object]
MAKES: dict[str, Make] = {
    "ratify": lambda view: rule(view, "ratify", [CANDIDATE], RATIFIED),
    "undo": history.undo,
    "purge": lambda view: purging.purge(view, SUBJECT, PURGED),
}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Kills are modelled here, so the real disk need not be waited for."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)
    folder = tmp_path / "place" / "state"
    monkeypatch.setenv("PROOFSTONE_STATE", str(folder))
    return folder


class Place:
    """A store and its companion folder, put back to how they were as often as wanted."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.store = folder / "pi"
        self._kept = folder.with_name("kept")
        self._patch = monkeypatch

    def keep(self) -> None:
        shutil.copytree(self.folder, self._kept)

    def restore(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self._kept, self.folder)

    def open(self) -> Workspace:
        return Workspace.open(self.store, Context(clock=lambda: NOW, author="Mira", via="cli"))

    def on(self, files: Files, work: Callable[[], object]) -> None:
        with self._patch.context() as patch:
            patch.setattr(transaction, "Files", lambda: files)
            work()

    def tree(self) -> dict[str, bytes]:
        """What people and programs own; not our journal and objects."""
        return {p: d for p, d in contents(self.folder).items() if "/_state/" not in p}


@pytest.fixture(params=MAKES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def place(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """The store before the act of that name."""
    place = Place(tmp_path / "place", monkeypatch)
    place.folder.mkdir()
    tell(SAMPLE, place.store)
    view = place.open()
    if name != "ratify":
        MAKES["ratify"](view)
    # The key of purges is drawn by chance, so that it is made before.
    view.state.mkdir(parents=True, exist_ok=True)
    ensure_key(view.state)
    place.keep()
    return place


def test_killed_at_every_step_it_is_made_or_not_begun(name: str, place: Place) -> None:
    before = place.tree()
    steps = Steps()
    place.on(steps, lambda: MAKES[name](place.open()))
    after = place.tree()
    assert after != before
    earlier = place.folder.with_name("kept") / "pi"
    seen = set()
    for step in range(1, steps.step + 1, 2 if name == "purge" else 1):
        place.restore()
        view = place.open()
        with contextlib.suppress(Killed):
            place.on(Steps(kill_at(step)), lambda view=view: MAKES[name](view))  # type: ignore[misc]
        with contextlib.suppress(Killed):
            place.on(Steps(kill_at(1 + step % 7)), place.open)
        found = place.open()
        assert not [p for p in found.problems if p.code == "unfinished_ruling"], step
        assert place.tree() in (before, after), f"killed at step {step}"
        is_after = place.tree() == after
        last = found.journal.read()[-1:]
        if is_after:
            assert [entry.state for entry in last] == [COMMITTED]
        assert verify_journal(found.state) == (), f"killed at step {step}"
        assert not [path for path in contents(place.folder) if path.endswith(".tmp")], step
        if name != "undo":
            assert faults(place.store, earlier) == []
        if name == "purge" and is_after:
            assert purge_faults(place.store) == []
        seen.add(is_after)
        if not is_after and last and last[0].state == ROLLED_BACK and step % 4 == 0:
            MAKES[name](found)
            # Its id is another one now, and nothing else.
            assert place.tree().keys() == after.keys(), f"made again after a kill at step {step}"
    assert seen == {True, False}


def test_a_refusing_disk_leaves_it_not_begun_or_finished_by_the_next_opening(
    name: str, place: Place
) -> None:
    before = place.tree()
    steps = Steps()
    place.on(steps, lambda: MAKES[name](place.open()))
    after = place.tree()
    for step in range(1, steps.step + 1, 7):
        place.restore()
        view = place.open()
        with contextlib.suppress(transaction.VaultWriteError):
            disk = Steps(refuse(step, for_ever=step % 3 == 0))
            place.on(disk, lambda view=view: MAKES[name](view))  # type: ignore[misc]
        place.open()
        assert place.tree() in (before, after), f"refused at step {step}"
