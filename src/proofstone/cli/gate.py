"""``proofstone gate``: what a model would be sent, and checking what it answered."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from proofstone.cli.common import (
    author_option,
    json_option,
    print_json,
    print_line,
    said,
    vault_argument,
    workspace,
)
from proofstone.curation import forms
from proofstone.curation import gate as curation


@click.group()
def gate() -> None:
    """Put a turn before the Gate: a model or a person that decides what each unit is."""


@gate.command()
@vault_argument
@click.argument("turn")
def prompt(path: Path, turn: str) -> None:
    """Print what a model would be sent for TURN (source/session#index), exactly."""
    click.echo(curation.prompt(workspace(path), turn))


@gate.command()
@vault_argument
@click.argument("turn")
@click.argument("file", type=click.File("rb"))
@click.option("--by", "answered_by", default="", metavar="MODEL", help="Who gave the answer.")
@author_option
@json_option
def submit(
    path: Path,
    turn: str,
    file: IO[bytes],
    answered_by: str,
    author: str | None,
    as_json: bool,
) -> None:
    """Check the answer in FILE (- for standard input) against the contract and store it.

    Exit 1, with the identifier, when it is refused; nothing of a refused answer is kept.
    """
    result = curation.submit(
        workspace(path, author), turn, file.read(), answered_by=answered_by, kind="model"
    )
    if as_json:
        print_json(
            {
                "schema": "proofstone/gate-result/1",
                "turn": result.turn,
                "accepted": result.refusal is None,
                "refusal": None if result.refusal is None else forms.refusal(result.refusal),
                "proposals": list(result.proposals),
                "missing_unit_ids": list(result.missing_unit_ids),
                "changed": result.changed,
            }
        )
    elif result.refusal is not None:
        click.echo(f"refused: {result.refusal.identifier}", err=True)
    else:
        print_line(said(result.summary))
        for proposal_id in result.proposals:
            print_line(f"  {said(proposal_id)}")
        if result.correction:
            print_line(result.correction)
    raise click.exceptions.Exit(0 if result.refusal is None else 1)
