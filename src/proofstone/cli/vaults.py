"""``proofstone init`` and ``proofstone check``."""

from __future__ import annotations

from pathlib import Path

import click

from proofstone.cli.common import (
    json_option,
    print_json,
    print_line,
    problem_text,
    said,
    vault_argument,
    workspace,
)
from proofstone.curation import forms
from proofstone.curation.check import check as check_vault
from proofstone.curation.check import is_note
from proofstone.domain.errors import ProofstoneError
from proofstone.vault.create import create_vault


@click.command()
@vault_argument
@click.option("--profile", default="", help="Whose memory it is, such as project:orion.")
@click.option("--project", default="", help="The project that captures belong to by default.")
def init(path: Path, profile: str, project: str) -> None:
    """Make a new vault at PATH, or give a memleaf vault the rooms that Proofstone needs."""
    create_vault(path, profile=profile, project=project)
    print_line(f"{said(str(path))} is ready; open it with: proofstone open {said(str(path))}")


@click.command()
@vault_argument
@json_option
def check(path: Path, as_json: bool) -> None:
    """Verify everything in the vault: notes, links, chain, tombstones, anchors, Gate answers.

    Notes, such as a file changed by another hand since it was ruled on, are listed last and are
    no findings. Exit 0 when it is clean, 1 when there are findings, 2 when it cannot be read.
    """
    try:
        found = check_vault(workspace(path))
    except OSError as error:
        raise ProofstoneError(f"check {path}: cannot be read: {error.strerror}") from error
    findings = sum(not is_note(problem) for problem in found)
    if as_json:
        print_json(forms.listing("problems", (forms.problem(problem) for problem in found)))
    else:
        for problem in found:
            line = f":{problem.line}" if problem.line is not None else ""
            text = problem_text(problem.message, problem.advice)
            print_line(said(f"{problem.path}{line}: {problem.code}: {text}"))
        print_line(_counted(findings, len(found) - findings))
    raise click.exceptions.Exit(1 if findings else 0)


def _counted(findings: int, notes: int) -> str:
    counted = f"{findings} finding{'s' * (findings != 1)}" if findings else "clean"
    return f"{counted}, {notes} note{'s' * (notes != 1)}" if notes else counted
