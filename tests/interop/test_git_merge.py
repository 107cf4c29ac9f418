"""Two curators' branches of one vault, merged by git: what joins, what conflicts, what checks."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from proofstone.curation.check import check, is_note
from proofstone.curation.context import Context
from proofstone.curation.history import entries, undo
from proofstone.curation.purging import purge
from proofstone.curation.rulings import rule
from proofstone.curation.workspace import Workspace
from proofstone.domain.records import Layer, MatchKind, Problem, ProposalStatus
from proofstone.domain.rulings import Choices
from proofstone.domain.verification import VerificationStatus
from proofstone.vault.journal import Journal
from proofstone.vault.journal_check import verify_journal
from proofstone.vault.layout import JOURNAL
from tests.conftest import NOW

DOCUMENT = (Path(__file__).parents[2] / "docs" / "ci.md").read_text(encoding="utf-8")


def block(language: str, holding: str = "") -> str:
    """The code block of docs/ci.md in that language that has these words."""
    found = re.findall(rf"```{language}\n(.*?)```", DOCUMENT, re.S)
    return next(text for text in found if holding in text)


MIRA, LIN = "Mira Tal", "Lin Qiao"


@dataclass
class Repository:
    """A vault in git, and the two people who curate it."""

    root: Path
    known: tuple[Problem, ...] = ()

    def git(self, *arguments: str, fails: bool = False) -> str:
        """Run git with this repository's settings alone."""
        return self.run(["git", *arguments], fails=fails)

    def shell(self, script: str) -> str:
        """Run commands as a person would type them."""
        return self.run(["sh", "-e", "-c", script])

    def run(self, command: list[str], fails: bool = False) -> str:
        """Run a program with none of the machine's settings; what it printed."""
        done = subprocess.run(
            command,
            cwd=self.root,
            capture_output=True,
            text=True,
            check=False,
            env={
                "PATH": f"{self.root.parent / 'bin'}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.root.parent),
                "GIT_CONFIG_NOSYSTEM": "1",
                "GIT_EDITOR": "true",
                "LC_ALL": "C",
            },
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout + done.stderr

    def commit(self, message: str) -> None:
        """Commit everything."""
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)

    def workspace(self, author: str, minutes: int = 0) -> Workspace:
        """The vault as ``author`` sees it, some minutes into the morning."""
        now: datetime = NOW + timedelta(minutes=minutes)
        return Workspace.open(self.root, Context(clock=lambda: now, author=author, via="cli"))

    def rule(
        self, author: str, minutes: int, action: str, subject: str, choices: Choices | None = None
    ) -> None:
        """Rule and commit."""
        given = choices or Choices(reason="it was said so")
        rule(self.workspace(author, minutes), action, [subject], given)
        self.commit(f"{action} {subject}")

    def findings(self) -> tuple[Problem, ...]:
        """What ``check`` finds, notes left out."""
        return tuple(found for found in check(self.workspace(MIRA)) if not is_note(found))

    def news(self) -> tuple[Problem, ...]:
        """What ``check`` finds or notes that it did not at first."""
        return tuple(found for found in check(self.workspace(MIRA)) if found not in self.known)

    def conflicts(self) -> set[str]:
        """The paths that git wants a person to resolve."""
        listed = self.git("diff", "--name-only", "--diff-filter=U", "-z")
        return {path for path in listed.split("\0") if path}

    def log(self) -> list[tuple[str, str, str]]:
        """Each ruling of the journal, oldest first: who, what, on what."""
        return [
            (entry.ruling.author, entry.ruling.action, entry.ruling.subject)
            for entry in reversed(entries(self.workspace(MIRA)))
        ]


@pytest.fixture
def repository(tmp_path: Path, demo_vault: Path) -> Repository:
    """A clean vault from the demo vault, with one ruling, committed on ``main``."""
    root = tmp_path / "vault"
    shutil.copytree(demo_vault, root)
    found = Repository(root)
    # The command as it is installed, for whoever runs the test.
    command = tmp_path / "bin" / "proofstone"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m proofstone "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    found.git("init", "-q", "-b", "main")
    found.git("config", "user.name", MIRA)
    found.git("config", "user.email", "mira@example.org")
    found.shell(block("sh", "merge.proofstone-journal.driver"))
    (root / ".gitattributes").write_text(block("gitattributes"), encoding="utf-8")
    (root / ".gitignore").write_text(block("gitignore"), encoding="utf-8")
    # The faults that the demo vault has on purpose are not what is looked at here.
    while faults := {problem.path for problem in found.findings()}:
        for path in faults:
            (root / path).unlink()
    found.known = check(found.workspace(MIRA))
    found.commit("the vault")
    found.rule(MIRA, 0, "ratify", eligible(found)[0])
    return found


def eligible(repository: Repository) -> list[str]:
    """Open L2 proposals that say something new and may be ratified, in the queue's order."""
    found = [
        view.proposal_id
        for view in repository.workspace(MIRA).queue
        if view.proposal.layer is Layer.L2
        and view.proposal.status is ProposalStatus.OPEN
        and view.report.status is not VerificationStatus.REJECTED
        and view.match.kind is MatchKind.NEW
    ]
    assert len(found) >= 3
    return found


def branches(
    repository: Repository,
    mira: Callable[[], None],
    lin: Callable[[], None],
) -> None:
    """Mira's rulings on ``main``, Lin's on ``lin``; ``main`` is checked out."""
    repository.git("checkout", "-q", "-b", "lin")
    lin()
    repository.git("checkout", "-q", "main")
    mira()


def test_rulings_on_different_proposals_merge_by_themselves(repository: Repository) -> None:
    first, second, third = eligible(repository)[:3]
    base = repository.log()

    def mira() -> None:
        repository.rule(MIRA, 1, "ratify", first)

    def lin() -> None:
        repository.rule(LIN, 2, "dismiss", second, Choices(reason="no_future_value"))
        repository.rule(LIN, 3, "defer", third, Choices(reason="needs_owner"))

    branches(repository, mira, lin)
    repository.git("merge", "-q", "lin")
    assert repository.conflicts() == set()
    assert repository.news() == ()
    assert repository.log() == [
        *base,
        (MIRA, "ratify", first),
        (LIN, "dismiss", second),
        (LIN, "defer", third),
    ]
    # Each can still be taken back, whoever made it.
    rulings = [entry.ruling.ruling_id for entry in entries(repository.workspace(MIRA))]
    for ruling in rulings[:3]:
        undo(repository.workspace(MIRA, 9), ruling)
    assert repository.news() == ()


def test_merging_again_and_crosswise_and_rebasing_adds_each_row_once(
    repository: Repository,
) -> None:
    first, second, third = eligible(repository)[:3]

    def mira() -> None:
        repository.rule(MIRA, 1, "ratify", first)

    def lin() -> None:
        repository.rule(LIN, 2, "dismiss", second, Choices(reason="no_future_value"))
        repository.rule(LIN, 3, "ratify", third)

    branches(repository, mira, lin)
    repository.git("branch", "mira-alone")
    repository.git("merge", "-q", "lin")
    merged = repository.log()
    # Lin merges main as it was, and then both merges are merged: nothing is there twice.
    repository.git("checkout", "-q", "lin")
    repository.git("branch", "lin-alone")
    repository.git("merge", "-q", "mira-alone")
    assert sorted(repository.log()) == sorted(merged)
    assert repository.findings() == ()
    repository.rule(LIN, 5, "defer", eligible(repository)[0], Choices(reason="later"))
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "lin")
    assert len(repository.log()) == len(merged) + 1
    assert repository.news() == ()
    # Replaying Lin's commits one by one brings the same rows.
    repository.git("checkout", "-q", "lin-alone")
    repository.git("rebase", "-q", "mira-alone")
    assert repository.log() == merged
    assert repository.news() == ()
    # Picking the second of two commits brings its rows alone.
    repository.git("checkout", "-q", "mira-alone")
    repository.git("cherry-pick", "lin-alone")
    assert repository.log() == [*merged[:-2], merged[-1]]
    assert repository.news() == ()


def test_ratified_here_and_dismissed_there_is_a_conflict_for_people(
    repository: Repository,
) -> None:
    first = eligible(repository)[0]
    branches(
        repository,
        lambda: repository.rule(MIRA, 1, "ratify", first),
        lambda: repository.rule(LIN, 2, "dismiss", first, Choices(reason="no_future_value")),
    )
    repository.git("merge", "-q", "lin", fails=True)
    note = f"proposals/ruled/{first}.md"
    assert repository.conflicts() == {note}
    (unreadable,) = (found for found in repository.findings() if found.path == note)
    assert unreadable.code == "unreadable_note"
    assert "merge conflict" in unreadable.message
    assert unreadable.advice
    memory = f"knowledge/{first.replace('prop-', 'mem-')}.md"
    assert (repository.root / memory).is_file()
    # Lin's note alone would leave Mira's memory in force: that is found.
    repository.git("checkout", "--theirs", note)
    assert [found.code for found in repository.findings()] == ["ruled_both_ways"]
    # Agreed that Mira is right: her note, and the vault is clean.
    repository.git("checkout", "--ours", note)
    repository.commit("agreed")
    assert repository.news() != ()
    assert repository.findings() == ()
    assert repository.workspace(MIRA).held.memory(first.replace("prop-", "mem-")) is not None


def test_agreeing_on_the_dismissal_needs_the_memory_gone(repository: Repository) -> None:
    first = eligible(repository)[0]
    branches(
        repository,
        lambda: repository.rule(MIRA, 1, "ratify", first),
        lambda: repository.rule(LIN, 2, "dismiss", first, Choices(reason="no_future_value")),
    )
    repository.git("merge", "-q", "lin", fails=True)
    repository.git("checkout", "--theirs", f"proposals/ruled/{first}.md")
    repository.commit("agreed")
    memory = first.replace("prop-", "mem-")
    rule(repository.workspace(MIRA, 9), "tombstone", [memory], Choices(reason="invalid"))
    assert repository.findings() == ()


def test_the_same_ratification_at_the_same_time_is_one(repository: Repository) -> None:
    first = eligible(repository)[0]
    branches(
        repository,
        lambda: repository.rule(MIRA, 1, "ratify", first),
        lambda: repository.rule(MIRA, 1, "ratify", first),
    )
    before = repository.log()
    repository.git("commit", "-q", "--allow-empty", "-m", "apart")
    repository.git("merge", "-q", "lin")
    assert repository.log() == before
    assert repository.news() == ()


def test_the_same_ratification_by_two_people_differs_only_in_who_and_when(
    repository: Repository,
) -> None:
    first = eligible(repository)[0]
    branches(
        repository,
        lambda: repository.rule(MIRA, 1, "ratify", first),
        lambda: repository.rule(LIN, 2, "ratify", first),
    )
    repository.git("merge", "-q", "lin", fails=True)
    memory = f"knowledge/{first.replace('prop-', 'mem-')}.md"
    assert repository.conflicts() == {memory, f"proposals/ruled/{first}.md"}
    lines = (repository.root / memory).read_text(encoding="utf-8").splitlines()
    inside = False
    differing: list[str] = []
    for line in lines:
        if line.startswith(("<<<<<<<", ">>>>>>>")):
            inside = line.startswith("<")
        elif inside and line != "=======":
            differing.append(line.split(":", 1)[0].strip())
    assert set(differing) <= {"created", "updated", "ratified", "by", "at", "ruling"}
    for path in repository.conflicts():
        repository.git("checkout", "--theirs", path)
    repository.commit("Lin was asked to")
    assert repository.findings() == ()
    kept = repository.workspace(MIRA).held.memory(first.replace("prop-", "mem-"))
    assert kept is not None
    assert kept.ratified is not None
    assert kept.ratified.by == LIN


def test_a_proposal_left_in_both_rooms_is_found(repository: Repository) -> None:
    first = eligible(repository)[0]
    note = repository.root / "proposals" / f"{first}.md"
    kept = note.read_bytes()
    repository.rule(MIRA, 1, "dismiss", first, Choices(reason="no_future_value"))
    note.write_bytes(kept)
    assert [found.code for found in repository.findings()] == ["ruled_and_waiting"]
    note.unlink()
    assert repository.findings() == ()


def test_without_the_driver_the_conflict_is_named_and_can_be_mended(
    repository: Repository,
) -> None:
    first, second = eligible(repository)[:2]
    repository.git("config", "--remove-section", "merge.proofstone-journal")
    branches(
        repository,
        lambda: repository.rule(MIRA, 1, "ratify", first),
        lambda: repository.rule(LIN, 2, "dismiss", second, Choices(reason="no_future_value")),
    )
    repository.git("merge", "-q", "lin", fails=True)
    assert repository.conflicts() == {JOURNAL}
    found = [problem for problem in repository.findings() if problem.code == "journal_conflict"]
    assert found
    assert "merge-journal" in found[0].advice
    repository.shell(block("sh", "git show :1:"))
    repository.commit("merged")
    assert repository.news() == ()


def test_a_forged_branch_is_not_merged(repository: Repository) -> None:
    first, second = eligible(repository)[:2]

    def lin() -> None:
        repository.rule(LIN, 2, "dismiss", second, Choices(reason="no_future_value"))
        journal = repository.root / JOURNAL
        journal.write_text(journal.read_text("utf-8").replace(LIN, MIRA), encoding="utf-8")
        repository.commit("forged")

    branches(repository, lambda: repository.rule(MIRA, 1, "ratify", first), lin)
    ours = (repository.root / JOURNAL).read_bytes()
    said = repository.git("merge", "-q", "lin", fails=True)
    assert "of theirs: this row was changed after it was written" in said
    assert repository.conflicts() == {JOURNAL}
    assert (repository.root / JOURNAL).read_bytes() == ours


def test_a_purge_keeps_its_rows_whichever_branch_it_is_on(repository: Repository) -> None:
    first, second = eligible(repository)[:2]
    memory = first.replace("prop-", "mem-")
    statement = repository.workspace(MIRA).proposal(first).proposal.statement

    def lin() -> None:
        repository.rule(LIN, 2, "ratify", first, Choices(reason=f"It says: {statement}"))
        view = repository.workspace(LIN, 3)
        choices = Choices(reason="privacy_sensitive", confirm=memory.removeprefix("mem-")[:6])
        purge(view, memory, choices)
        repository.commit("purge")

    branches(repository, lambda: repository.rule(MIRA, 1, "ratify", second), lin)
    assert statement not in (repository.git("show", f"lin:{JOURNAL}"))
    repository.git("merge", "-q", "lin")
    assert verify_journal(repository.root) == ()
    assert len(Journal(repository.root).read()) == len(repository.log())
    assert {(MIRA, "ratify", second), (LIN, "ratify", first), (LIN, "purge", memory)} <= set(
        repository.log()
    )
    assert statement not in (repository.root / JOURNAL).read_text(encoding="utf-8")
