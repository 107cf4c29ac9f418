"""Who rules, when nobody said so (spec page 6, Author)."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping

AUTHOR_VARIABLE = "PROOFSTONE_AUTHOR"
_GIT_SECONDS = 2.0


def resolve_author(chosen: str | None, environment: Mapping[str, str] | None = None) -> str:
    """``chosen``, else ``PROOFSTONE_AUTHOR``, else git's ``user.name``, else the login name."""
    variables = os.environ if environment is None else environment
    sources: tuple[Callable[[], str | None], ...] = (
        lambda: chosen,
        lambda: variables.get(AUTHOR_VARIABLE),
        _git_name,
        _login_name,
    )
    # One after the other: asking git takes a process, for a name that may be known already.
    for source in sources:
        name = source()
        if name and name.strip():
            return " ".join(name.split())
    return "unknown"


def _git_name() -> str:
    import subprocess

    try:
        answer = subprocess.run(
            ["git", "config", "user.name"],
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return ""
    return answer.stdout.strip()


def _login_name() -> str:
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return ""
