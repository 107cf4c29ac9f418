"""Any sequence of rulings in another program's store, and all of it taken back."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from proofstone.curation import history, rulings
from proofstone.curation.context import Context
from proofstone.curation.foreign import StoreBacking
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.rulings import ACTIONS, Choices, RulingRefused
from proofstone.stores.detect import detect
from proofstone.stores.line_file import LineFile
from proofstone.vault.journal_check import verify_files, verify_journal
from tests.conftest import contents
from tests.pi_checker import faults

SAMPLES = Path(__file__).parent.parent / "data" / "stores"
NOW = datetime(2026, 11, 27, 9, 0, tzinfo=UTC)
REASONS = {"defer": "later", "dismiss": "no_future_value", "tombstone": "invalid"}

words = st.text(
    st.characters(exclude_categories=("Cs",), exclude_characters="\0"), min_size=1, max_size=40
)
Step = tuple[str, int, int, str, str]
steps = st.lists(
    st.tuples(
        st.sampled_from(ACTIONS),
        st.integers(0, 30),
        st.integers(0, 30),
        st.sampled_from(("statement", "title", "tags", "scopes", "kind", "rule_type")),
        words,
    ),
    min_size=1,
    max_size=5,
)
few = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@contextmanager
def copied(name: str) -> Iterator[tuple[Path, Path]]:
    """A copy of a sample store, and a folder for its companion."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(shutil.copytree(SAMPLES / name, Path(folder) / name))
        yield root.resolve(), Path(folder).resolve() / "state"


def opened(root: Path, state: Path, minute: int) -> Workspace:
    now = NOW + timedelta(minutes=minute)
    backing = StoreBacking(detect(root), state)
    context = Context(clock=lambda: now, author="Mira Tal", via="cli")
    return Workspace(backing, backing.read(), context)


def rule(workspace: Workspace, step: Step) -> rulings.Applied | None:
    """Make one ruling on whatever is there; None when it was refused."""
    action, subject, target, key, value = step
    held = workspace.holdings
    memories = [memory.memory_id for memory in held.memories]
    waiting = [proposal.proposal_id for proposal in held.proposals if proposal.is_waiting]
    subjects = [*waiting, *memories]
    if not subjects:
        return None
    chosen = subjects[subject % len(subjects)]
    edited = (f"project:{value}",) if key == "scopes" else (value,) if key == "tags" else value
    choices = Choices(
        reason=REASONS.get(action, value),
        target=(memories[target % len(memories)],) if memories and action == "supersede" else (),
        confirm=chosen,
        edits={key: edited} if action == "edit" else {},
    )
    try:
        return rulings.rule(workspace, action, [chosen], choices)
    except RulingRefused:
        return None


def undo_all(root: Path, state: Path, minute: int) -> None:
    while True:
        minute += 1
        try:
            history.undo(opened(root, state, minute))
        except ProofstoneError as error:
            assert "no ruling is left" in str(error)
            return


@few
@given(steps)
def test_pi_holds_its_invariants_and_comes_back_byte_for_byte(sequence: list[Step]) -> None:
    with copied("pi") as (root, state):
        before = contents(root)
        for number, step in enumerate(sequence):
            # Two rulings in one minute must not share a patch.
            rule(opened(root, state, number // 2), step)
            assert faults(root, SAMPLES / "pi") == []
        again = opened(root, state, 10)
        assert not [one for one in again.problems if one.path.startswith(".companion/")]
        assert verify_journal(state) == ()
        assert verify_files(root, state=state) == ()
        undo_all(root, state, 10)
        assert contents(root) == before


@few
@given(steps)
def test_a_claude_folder_says_what_was_ruled_and_comes_back_byte_for_byte(
    sequence: list[Step],
) -> None:
    with copied("claude-memory") as (root, state):
        before = contents(root)
        for number, step in enumerate(sequence):
            workspace = opened(root, state, number)
            applied = rule(workspace, step)
            if applied is None:
                continue
            again = opened(root, state, number)
            known = {one.code for one in workspace.problems}
            assert {one.code for one in again.problems} <= known
            assert again.holdings == workspace.after(applied.changes).holdings
        undo_all(root, state, 10)
        assert contents(root) == before


@few
@given(steps)
def test_what_a_view_expects_is_what_is_read_afterwards(sequence: list[Step]) -> None:
    with copied("pi") as (root, state):
        for number, step in enumerate(sequence):
            workspace = opened(root, state, number)
            applied = rule(workspace, step)
            if applied is not None:
                expected = workspace.after(applied.changes).holdings
                assert expected == opened(root, state, number).holdings


pieces = st.lists(
    st.sampled_from(
        (
            b"",
            b"\r",
            b"not json",
            b'{"id":"a"}',
            b'{"id":"a","n":1}\r',
            b'{"id":"b"} ',
            b"\xff",
            b"[]",
        )
    ),
    min_size=1,
    max_size=8,
)


@given(pieces, st.booleans(), st.integers(0, 8))
def test_only_the_line_that_is_changed_changes(
    given_lines: list[bytes], has_end: bool, chosen: int
) -> None:
    data = b"\n".join(given_lines) + (b"\n" if has_end else b"")
    file = LineFile("f.jsonl", data)
    assert file.change().after == data
    parts = data.split(b"\n")
    content = parts[chosen % len(parts)].removesuffix(b"\r")
    place = file.find("a", sha256(content).hexdigest())
    assert (place is not None) is (b'"id":"a"' in content)
    if place is None:
        return
    end = parts[place][len(content) :]
    file.replace(place, {"id": "a", "new": True})
    after = file.change().after
    assert after is not None
    now = after.split(b"\n")
    assert [n for n, line in enumerate(now) if line != parts[n]] == [place]
    assert now[place] == b'{"id":"a","new":true}' + end
