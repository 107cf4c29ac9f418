"""Cleaning killed or refused at every step is not begun, or is finished by the next opening."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from proofstone.curation import cleaning
from proofstone.curation.check import check
from proofstone.vault import transaction
from proofstone.vault.captured_turns import REMOVED_EVENTS
from proofstone.vault.errors import VaultWriteError
from proofstone.vault.files import Files
from proofstone.vault.journal import CLEAN, COMMITTED, ROLLED_BACK
from tests.clean_story import (
    INBOX,
    ONLY_CAPTURED,
    PLAIN,
    PROPOSED,
    capture,
    new_turn,
    session,
    tell,
    workspace,
)
from tests.conftest import contents
from tests.crash.faulty_disk import Killed, Steps, Unplugged, kill_at, refuse

OUR_STATE = ("_state/",)
CleanOn = Callable[[Path, Files], None]


@pytest.fixture(autouse=True)
def quick_syncs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kills are modelled here, so the real disk need not be waited for."""
    monkeypatch.setattr("os.fsync", lambda descriptor: None)


@pytest.fixture
def clean_on(monkeypatch: pytest.MonkeyPatch) -> CleanOn:
    """Cleans the vault in a folder on a disk of the test's."""
    real = transaction.apply_purge

    def clean(root: Path, files: Files) -> None:
        monkeypatch.setattr(
            transaction, "apply_purge", lambda place, plan: real(place, plan, files=files)
        )
        view = workspace(root)
        cleaning.clean(view, cleaning.preview_cleaning(view))

    return clean


@pytest.fixture
def told(tmp_path: Path) -> Path:
    return tell(tmp_path / "told")


def fresh(told: Path, place: Path) -> Path:
    shutil.rmtree(place, ignore_errors=True)
    return Path(shutil.copytree(told, place))


def outcome(root: Path) -> str:
    """What the journal says of the cleaning; nothing when it has no row of it."""
    return next((e.state for e in workspace(root).journal.read() if e.action == CLEAN), "")


def holding(root: Path) -> list[str]:
    """The files that hold words of the cleaned turns that nothing quotes."""
    return [
        path
        for path, data in contents(root).items()
        if any(words.encode() in data for words in ONLY_CAPTURED)
    ]


def require_whole(root: Path, before: dict[str, bytes], at: str) -> str:
    """It is as it was, or done: nothing between, and nothing left over."""
    workspace(root)
    state = outcome(root)
    if state == COMMITTED:
        assert holding(root) == [], at
        assert len((root / REMOVED_EVENTS).read_text().split()) == 4, at
        assert all(workspace(root).turn(name).cleaned_at for name in (PROPOSED, PLAIN)), at
    else:
        assert state in ("", ROLLED_BACK), at
        assert contents(root, OUR_STATE) == before, at
    assert [path for path in contents(root) if path.endswith(".tmp")] == [], at
    assert [p for p in check(workspace(root)) if p.severity == "error"] == [], at
    return state


def steps_of(told: Path, place: Path, clean_on: CleanOn) -> int:
    files = Steps()
    clean_on(fresh(told, place), files)
    return files.step


def test_killed_at_every_step_it_is_not_begun_or_finished(
    told: Path, tmp_path: Path, clean_on: CleanOn
) -> None:
    place, before = tmp_path / "vault", contents(told, OUR_STATE)
    seen = set()
    for step in range(1, steps_of(told, place, clean_on) + 2):
        fresh(told, place)
        with contextlib.suppress(Killed):
            clean_on(place, Steps(kill_at(step)))
        seen.add(require_whole(place, before, f"killed at step {step}"))
    assert seen == {"", ROLLED_BACK, COMMITTED}


def test_without_power_at_every_step_it_is_not_begun_or_finished(
    told: Path, tmp_path: Path, clean_on: CleanOn
) -> None:
    place, before = tmp_path / "vault", contents(told, OUR_STATE)
    for step in range(1, steps_of(told, place, clean_on) + 2):
        fresh(told, place)
        files = Unplugged(kill_at(step))
        with contextlib.suppress(Killed):
            clean_on(place, files)
        files.cut_power()
        require_whole(place, before, f"unplugged at step {step}")


def test_killed_again_while_it_is_being_finished_it_is_finished(
    told: Path, tmp_path: Path, clean_on: CleanOn
) -> None:
    place, before = tmp_path / "vault", contents(told, OUR_STATE)
    for step in range(1, steps_of(told, place, clean_on) + 1, 4):
        for again in range(1, 40, 5):
            fresh(told, place)
            with pytest.raises(Killed):
                clean_on(place, Steps(kill_at(step)))
            with contextlib.suppress(Killed):
                transaction.recover(place, files=Steps(kill_at(again)))
            require_whole(place, before, f"killed at step {step}, then {again}")


@pytest.mark.parametrize("for_ever", [False, True])
def test_a_refusing_disk_leaves_it_not_begun_or_finished_by_the_next_opening(
    told: Path, tmp_path: Path, clean_on: CleanOn, for_ever: bool
) -> None:
    place, before = tmp_path / "vault", contents(told, OUR_STATE)
    seen = set()
    for step in range(1, steps_of(told, place, clean_on) + 1):
        fresh(told, place)
        with pytest.raises(VaultWriteError, match="No space left") as refused:
            clean_on(place, Steps(refuse(step, for_ever=for_ever)))
        state = require_whole(place, before, f"refused at step {step}")
        assert ("the clean has begun" in str(refused.value)) is (state == COMMITTED)
        seen.add(state == COMMITTED)
    assert seen == {True, False}


def test_what_was_captured_between_the_kill_and_the_next_opening_is_there_and_the_rest_gone(
    told: Path, tmp_path: Path, clean_on: CleanOn
) -> None:
    place = tmp_path / "vault"
    committed = 0
    for step in range(1, steps_of(told, place, clean_on) + 1):
        fresh(told, place)
        with pytest.raises(Killed):
            clean_on(place, Steps(kill_at(step)))
        # A session reader takes the lock and not the trouble of finishing what others began.
        added = capture(place, *session(), new_turn("later", "Where is the yak?", "Here."))
        assert added.events == 2, f"step {step}: the text is there, or known to be gone"
        workspace(place)
        assert b"Where is the yak?" in (place / INBOX).read_bytes(), f"step {step}"
        if outcome(place) == COMMITTED:
            assert holding(place) == [], f"step {step}"
            committed += 1
        assert [p for p in check(workspace(place)) if p.severity == "error"] == [], f"step {step}"
    assert committed
