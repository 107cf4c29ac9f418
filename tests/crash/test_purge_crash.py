"""A purge killed or refused at every step is not begun, or is finished by the next opening."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from proofstone.curation import purging
from proofstone.curation.check import check
from proofstone.domain.purge_text import letters
from proofstone.vault import transaction
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.hmac_key import ensure_key
from proofstone.vault.journal import COMMITTED, PURGE, ROLLED_BACK
from tests.conftest import contents
from tests.crash.faulty_disk import Killed, Steps, kill_at, refuse
from tests.purge_story import Story, tell, workspace

STATEMENT = "Her passport number is X4711-0815, and she keeps it in the blue drawer."
OUR_STATE = ("_state/",)
PurgeOn = Callable[[Story, Files], None]


@pytest.fixture(autouse=True)
def quick_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kills are modelled here, so the real disk need not be waited for."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture
def purge_on(monkeypatch: pytest.MonkeyPatch) -> PurgeOn:
    """Purges a story's subject on a disk of the test's."""
    real = transaction.apply_purge

    def purge(story: Story, files: Files) -> None:
        monkeypatch.setattr(
            transaction, "apply_purge", lambda root, plan: real(root, plan, files=files)
        )
        purging.purge(workspace(story.root), story.subject, story.confirmed)

    return purge


@pytest.fixture
def told(tmp_path: Path) -> Story:
    """The vault before the purge. Its key is there, so that every purge writes the same."""
    root = tmp_path / "told"
    root.mkdir()
    story = tell(root, STATEMENT)
    ensure_key(root)
    return story


def fresh(told: Story, place: Path) -> Story:
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(told.root, place)
    return Story(place, told.subject, told.statement, told.quotes, told.unaffected)


def holding(root: Path) -> list[str]:
    """The files that hold the words."""
    sought = letters(STATEMENT)
    return [
        path
        for path, data in contents(root).items()
        if sought in letters(data.decode("utf-8", "replace"))
    ]


def leftovers(root: Path) -> list[str]:
    return [path for path in contents(root) if path.endswith(".tmp")]


def outcome(root: Path) -> str:
    """What the journal says of the purge; nothing when it has no row of it."""
    return next((e.state for e in workspace(root).journal.read() if e.action == PURGE), "")


def count_steps(told: Story, place: Path, purge_on: PurgeOn) -> int:
    files = Steps()
    purge_on(fresh(told, place), files)
    return files.step


def test_killed_at_every_step_it_is_not_begun_or_finished(
    told: Story, tmp_path: Path, purge_on: PurgeOn
) -> None:
    place = tmp_path / "vault"
    before = contents(told.root, OUR_STATE)
    purged: dict[str, bytes] = {}
    seen = set()
    for step in range(1, count_steps(told, place, purge_on) + 2):
        story = fresh(told, place)
        with contextlib.suppress(Killed):
            purge_on(story, Steps(kill_at(step)))
        view = workspace(place)
        state = outcome(place)
        if state == COMMITTED:
            assert holding(place) == [], f"killed at step {step}"
            purged = purged or contents(place, OUR_STATE)
            assert contents(place, OUR_STATE) == purged, f"killed at step {step}"
        else:
            assert state in ("", ROLLED_BACK)
            assert contents(place, OUR_STATE) == before, f"killed at step {step}"
        assert leftovers(place) == [], f"killed at step {step}"
        errors = [p for p in check(workspace(place)) if p.severity == "error"]
        assert errors == [], f"killed at step {step}"
        assert all(p.code == "recovered_ruling" for p in view.problems), view.problems
        seen.add(state)
    assert seen == {"", ROLLED_BACK, COMMITTED}


def test_killed_again_while_it_is_being_finished_it_is_finished(
    told: Story, tmp_path: Path, purge_on: PurgeOn
) -> None:
    place = tmp_path / "vault"
    last = count_steps(told, place, purge_on)
    for step in range(1, last + 1, 6):
        for again in range(2, 40, 7):
            story = fresh(told, place)
            with pytest.raises(Killed):
                purge_on(story, Steps(kill_at(step)))
            try:
                transaction.recover(place, files=Steps(kill_at(again)))
            except Killed:
                transaction.recover(place)
            state = outcome(place)
            assert (holding(place) == []) is (state == COMMITTED), f"{step}, then {again}"
            assert leftovers(place) == [], f"killed at step {step}, then {again}"
            errors = [p for p in check(workspace(place)) if p.severity == "error"]
            assert errors == [], f"killed at step {step}, then {again}"


@pytest.mark.parametrize("for_ever", [False, True])
def test_a_refusing_disk_leaves_it_not_begun_or_finished_by_the_next_opening(
    told: Story, tmp_path: Path, purge_on: PurgeOn, for_ever: bool
) -> None:
    place = tmp_path / "vault"
    before = contents(told.root, OUR_STATE)
    refusals = set()
    for step in range(1, count_steps(told, place, purge_on) + 1):
        story = fresh(told, place)
        with pytest.raises(VaultWriteError, match="No space left") as refused:
            purge_on(story, Steps(refuse(step, for_ever=for_ever)))
        workspace(place)
        if outcome(place) == COMMITTED:
            assert "has begun" in str(refused.value)
            assert holding(place) == [], f"refused at step {step}"
        else:
            assert contents(place, OUR_STATE) == before, f"refused at step {step}"
        assert leftovers(place) == [], f"refused at step {step}"
        assert [p for p in check(workspace(place)) if p.severity == "error"] == []
        refusals.add(outcome(place) == COMMITTED)
    assert refusals == {True, False}


def test_a_file_changed_between_the_kill_and_the_next_opening_is_left_alone_and_named(
    told: Story, tmp_path: Path, purge_on: PurgeOn
) -> None:
    place = tmp_path / "vault"
    named = 0
    for step in range(1, count_steps(told, place, purge_on) + 1, 2):
        story = fresh(told, place)
        with pytest.raises(Killed):
            purge_on(story, Steps(kill_at(step)))
        other = place / "inbox/agent/told.md"
        changed = other.read_bytes() + b"\nappended meanwhile\n"
        other.write_bytes(changed)
        problems = workspace(place).problems
        assert other.read_bytes() == changed
        if outcome(place) == COMMITTED and "▒".encode() not in changed:
            assert any("inbox/agent/told.md" in p.message for p in problems), f"step {step}"
            named += 1
    assert named
