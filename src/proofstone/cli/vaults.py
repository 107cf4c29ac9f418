"""``proofstone init`` and ``proofstone check``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import click

from proofstone import __version__
from proofstone.cli.common import (
    as_typed,
    json_option,
    print_json,
    print_line,
    problem_text,
    said,
    store_argument,
    vault_argument,
    workspace,
)
from proofstone.curation import forms
from proofstone.curation.check import check as check_vault
from proofstone.curation.check import is_note
from proofstone.curation.check_formats import github_annotation, path_prefix, sarif
from proofstone.curation.check_since import changed_since, on_changed
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.records import Problem
from proofstone.vault.create import create_vault

_FORMATS = ("plain", "json", "github", "sarif")


@click.command()
@vault_argument
@click.option("--profile", default="", help="Whose memory it is, such as project:orion.")
@click.option("--project", default="", help="The project that captures belong to by default.")
def init(path: Path, profile: str, project: str) -> None:
    """Make a new vault at PATH, or give a memleaf vault the rooms that Proofstone needs."""
    create_vault(path, profile=profile, project=project)
    print_line(f"{said(str(path))} is ready; open it with: proofstone open {as_typed(path)}")


@click.command(
    epilog="""\b
Examples:
  proofstone check .
  proofstone check . --format github --since origin/main
  proofstone check . --format sarif > proofstone.sarif
"""
)
@store_argument
@click.option(
    "--format",
    "output_format",
    type=click.Choice(_FORMATS),
    help="For people, for programs, as GitHub's annotations, or as SARIF 2.1.0.",
)
@click.option(
    "--since", default="", metavar="REV", help="Only what lies in files changed since REV (git)."
)
@json_option
def check(path: Path, output_format: str | None, since: str, as_json: bool) -> None:
    """Verify everything in the vault: notes, links, chain, tombstones, anchors, Gate answers.

    Notes, such as a file changed by another hand since it was ruled on, are listed last and are
    no findings. Exit 0 when it is clean, 1 when there are findings, 2 when it cannot be read.
    """
    if as_json and output_format not in (None, "json"):
        raise ProofstoneError(
            f"check: --json is --format json; leave one of them and --format {output_format} out"
        )
    view = workspace(path)
    changed = changed_since(view.root, since) if since else None
    try:
        found = check_vault(view)
    except OSError as error:
        where = error.filename or path
        raise ProofstoneError(f"check: {where}: cannot be read: {error.strerror}") from error
    if changed is not None:
        found = on_changed(found, changed)
    findings = sum(not is_note(problem) for problem in found)
    _PRINT["json" if as_json else output_format or "plain"](found, view.root, since)
    raise click.exceptions.Exit(1 if findings else 0)


def _print_plain(found: Sequence[Problem], _root: Path, since: str) -> None:
    for problem in found:
        line = f":{problem.line}" if problem.line is not None else ""
        text = problem_text(problem.message, problem.advice)
        print_line(said(f"{problem.path}{line}: {problem.code}: {text}"))
    print_line(_counted(found, since))


def _print_json(found: Sequence[Problem], _root: Path, _since: str) -> None:
    print_json(forms.listing("problems", (forms.problem(problem) for problem in found)))


def _print_github(found: Sequence[Problem], root: Path, since: str) -> None:
    prefix = path_prefix(root, Path.cwd())
    for problem in found:
        print_line(github_annotation(problem, prefix))
    print_line(_counted(found, since))


def _print_sarif(found: Sequence[Problem], root: Path, _since: str) -> None:
    print_json(sarif(found, __version__, path_prefix(root, Path.cwd())))


_PRINT: Mapping[str, Callable[[Sequence[Problem], Path, str], None]] = {
    "plain": _print_plain,
    "json": _print_json,
    "github": _print_github,
    "sarif": _print_sarif,
}


def _counted(found: Sequence[Problem], since: str) -> str:
    notes = sum(is_note(problem) for problem in found)
    findings = len(found) - notes
    counted = f"{findings} finding{'s' * (findings != 1)}" if findings else "clean"
    counted += f", {notes} note{'s' * (notes != 1)}" if notes else ""
    return f"{counted} in what changed since {said(since)}" if since else counted
