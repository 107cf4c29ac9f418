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

    Exit 0 when it is clean, 1 when there are findings, 2 when it cannot be read.
    """
    try:
        findings = check_vault(workspace(path))
    except OSError as error:
        raise ProofstoneError(f"check {path}: cannot be read: {error.strerror}") from error
    if as_json:
        print_json(forms.listing("problems", (forms.problem(found) for found in findings)))
    else:
        for found in findings:
            line = f":{found.line}" if found.line is not None else ""
            text = problem_text(found.message, found.advice)
            print_line(said(f"{found.path}{line}: {found.code}: {text}"))
        count = len(findings)
        print_line(f"{count} finding{'s' * (count != 1)}" if count else "clean")
    raise click.exceptions.Exit(1 if findings else 0)
