"""What the commands share: the vault argument, the context, and two ways of printing."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from proofstone.curation.context import Context, system_clock
from proofstone.curation.masking import cover_each, cover_secrets
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.late_pattern import late_pattern
from proofstone.domain.shown import shown_text

if TYPE_CHECKING:
    import re

    from proofstone.curation.workspace import Workspace

NOW_VARIABLE = "PROOFSTONE_NOW"
"""A fixed time (RFC 3339) for reproducible screens and outputs."""

# What a terminal would act on, or nobody could see, and JSON would let through as it is.
_TROUBLE = late_pattern(
    "[\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\ud800-\udfff\U000e0000-\U000e01ef]"
)

Command = TypeVar("Command", bound=Callable[..., Any])


def vault_argument(function: Command) -> Command:
    """The vault's folder, as a command's argument."""
    return click.argument("path", type=click.Path(path_type=Path, file_okay=False))(function)


def store_argument(function: Command) -> Command:
    """A vault's folder, or another program's store, as a command's argument."""
    return click.argument("path", type=click.Path(path_type=Path))(function)


def json_option(function: Command) -> Command:
    """``--json``: the same content for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON.")(function)


def author_option(function: Command) -> Command:
    """``--as``: who rules."""
    return click.option("--as", "author", metavar="NAME", help="Who rules.")(function)


def context(author: str | None = None, via: str = "cli") -> Context:
    """The circumstances of this run: the clock, the author, the door."""
    from proofstone.curation.author import resolve_author

    return Context(clock=clock(), author=resolve_author(author), via=via)


def clock() -> Callable[[], datetime]:
    """The system's clock, or the fixed time of ``PROOFSTONE_NOW``.

    Raises:
        ProofstoneError: the variable holds no RFC 3339 time.
    """
    fixed = os.environ.get(NOW_VARIABLE)
    if not fixed:
        return system_clock
    try:
        moment = datetime.fromisoformat(fixed)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ProofstoneError(
            f"{NOW_VARIABLE}={fixed}: not a time; write it like 2026-11-27T09:00:00Z"
        )
    return lambda: moment


def workspace(path: Path, author: str | None = None) -> Workspace:
    """Open the vault, or another program's store, at ``path`` for reading."""
    from proofstone.curation.workspace import Workspace

    return Workspace.open(path, context(author))


def reading(path: Path) -> Workspace:
    """As ``workspace``, for a command that rules nothing: nobody is asked who does."""
    from proofstone.curation.workspace import Workspace

    return Workspace.open(path, Context(clock=clock(), author="", via="cli"))


def print_json(form: object) -> None:
    """Print JSON, readable and with every script as it is.

    Characters that act on a terminal or hide there are written as escapes: the same data for a
    program, and harmless on a screen. What looks like a secret is covered, character by character,
    so that spans stay right.
    """
    form = without_secrets(form)
    text = _TROUBLE.sub(_escaped, json.dumps(form, ensure_ascii=False, indent=2))
    try:
        # There is no stdout at all where whoever started this closed it.
        text.encode(getattr(sys.stdout, "encoding", None) or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(form, indent=2)
    click.echo(text)


def without_secrets(form: Any) -> Any:
    """A JSON form in whose texts the secrets that older stores may hold are covered."""
    texts: list[str] = []
    _collect(form, texts)
    covered = cover_each(texts)
    changed = {text: now for text, now in zip(texts, covered, strict=True) if text != now}
    return _replaced(form, changed) if changed else form


def _collect(form: Any, texts: list[str]) -> None:
    if isinstance(form, str):
        texts.append(form)
    elif isinstance(form, Mapping):
        for value in form.values():
            _collect(value, texts)
    elif isinstance(form, list | tuple):
        for value in form:
            _collect(value, texts)


def _replaced(form: Any, changed: Mapping[str, str]) -> Any:
    if isinstance(form, str):
        return changed.get(form, form)
    if isinstance(form, Mapping):
        return {key: _replaced(value, changed) for key, value in form.items()}
    if isinstance(form, list | tuple):
        return [_replaced(value, changed) for value in form]
    return form


def _escaped(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def print_line(text: str = "") -> None:
    """Print a line in which untrusted text has been made harmless."""
    click.echo(text)


def as_typed(path: Path) -> str:
    """A path as a command to copy has it: one with a space is quoted for the shell."""
    return said(shlex.quote(str(path)))


def said(text: str, limit: int = 0) -> str:
    """Untrusted text as one harmless line, cut to ``limit`` characters when that is not 0.

    What looks like a secret is covered before anything is cut.
    """
    line = shown_text(" ".join(cover_secrets(text).split()))
    if limit and len(line) > limit:
        return line[: limit - 1] + "…"
    return line


def problem_text(message: str, advice: str) -> str:
    """What is wrong and what to do about it, as one line of sentences."""
    ended = message if not message or message[-1] in ".!?" else f"{message}."
    return f"{ended} {advice}".strip()
