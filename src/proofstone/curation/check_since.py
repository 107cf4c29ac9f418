"""Findings on what changed since a revision, for a vault in git (spec page 8, check --since)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Problem

# Set while git runs a hook, and about another folder than the one that is asked about.
_OF_HOOKS = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")


def work_tree_of(folder: Path) -> Path | None:
    """The nearest folder above ``folder``, or itself, that is a git work tree; None without."""
    here = folder.resolve()
    return next((place for place in (here, *here.parents) if (place / ".git").exists()), None)


def changed_since(root: Path, revision: str) -> frozenset[str]:
    """The vault's files that differ from ``revision``, or are not tracked, by their paths in it.

    Raises:
        ProofstoneError: the vault is in no git work tree, or git has no such revision.
    """
    if work_tree_of(root) is None:
        raise ProofstoneError(
            f"--since {revision}: {root} is not in a git work tree; check it without --since"
        )
    commit = _git(root, ("rev-parse", "--verify", "--quiet", "--end-of-options"), revision)
    if commit is None or not commit.strip():
        raise ProofstoneError(
            f"--since {revision}: git has no such revision here; "
            "a shallow clone needs its history fetched first"
        )
    named = _git(root, ("diff", "--name-only", "--no-renames", "--relative", "-z"), commit.strip())
    others = _git(root, ("ls-files", "--others", "--exclude-standard", "-z"))
    if named is None or others is None:
        raise ProofstoneError(f"--since {revision}: git cannot compare the files of {root}")
    return frozenset(path for path in (named + others).split("\0") if path)


def on_changed(problems: Iterable[Problem], changed: frozenset[str]) -> tuple[Problem, ...]:
    """The problems that lie in one of the files ``changed``."""
    return tuple(problem for problem in problems if problem.path in changed)


def _git(root: Path, command: Sequence[str], revision: str = "") -> str | None:
    """What git prints, None when it refuses. Raises ProofstoneError when there is no git."""
    environment = {name: value for name, value in os.environ.items() if name not in _OF_HOOKS}
    arguments = ["git", "-C", str(root), *command, *((revision,) if revision else ())]
    try:
        answer = subprocess.run(arguments, capture_output=True, check=False, env=environment)
    except OSError as error:
        raise ProofstoneError(f"--since: git cannot be run: {error.strerror}") from error
    if answer.returncode:
        return None
    return answer.stdout.decode("utf-8", "surrogateescape")
