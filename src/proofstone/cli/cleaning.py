"""``proofstone clean``: the captured text of settled turns past retention, removed (page 8)."""

from __future__ import annotations

import sys
from pathlib import Path

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
from proofstone.curation import cleaning
from proofstone.curation.cleaning import CleaningDone, CleaningPreview
from proofstone.domain.errors import ProofstoneError

SCHEMA = "proofstone/clean/1"


@click.command(
    epilog="""\b
Examples:
  proofstone clean . --dry-run       what would be removed, and what is kept and why
  proofstone clean .                 asks first
  proofstone clean . --yes --json    for scripts
"""
)
@vault_argument
@click.option("--dry-run", is_flag=True, help="Remove nothing; say what would be.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option(
    "--unprocessed",
    is_flag=True,
    help="Also turns that memleaf captured and has not processed: it stops at the gap.",
)
@author_option
@json_option
def clean(
    path: Path, dry_run: bool, yes: bool, unprocessed: bool, author: str | None, as_json: bool
) -> None:
    """Remove the captured text of settled turns whose retention has passed.

    A turn with anything deferred, unresolved or waiting keeps its text. It cannot be undone.
    """
    view = workspace(path, author)
    previewed = cleaning.preview_cleaning(view, unprocessed=unprocessed)
    if not as_json:
        _print_preview(previewed)
    done = CleaningDone()
    if previewed.due and not dry_run:
        if not yes and not _is_confirmed(len(previewed.due), as_json=as_json):
            print_line("nothing was removed")
            raise click.exceptions.Exit(1)
        done = cleaning.clean(view, previewed)
    if as_json:
        print_json(_form(previewed, done))
    elif done.turns:
        print_line(f"removed: the text of {_turns(len(done.turns))}, still listed as settled")


def _is_confirmed(count: int, *, as_json: bool) -> bool:
    """Ask the person. Raises ProofstoneError where there is none to ask."""
    if as_json or not is_terminal():
        raise ProofstoneError(
            f"clean: {_turns(count)} would lose the captured text, and nobody can be asked here; "
            "add --yes, or --dry-run to look"
        )
    return click.confirm(f"Remove the text of {_turns(count)} for good?", default=False)


def is_terminal() -> bool:
    """Whether a person is there who reads what is printed and can answer."""
    return sys.stdin.isatty() and sys.stdout.isatty()


def _print_preview(previewed: CleaningPreview) -> None:
    for turn in previewed.due:
        files = ", ".join(turn.files)
        print_line(
            f"{said(turn.reference)}  settled {said(turn.settled_at)}  "
            f"{len(turn.view.turn.events)} events in {said(files)}"
        )
    for held in previewed.held:
        print_line(f"kept  {said(held.reference)}  {said(held.why)}")
    print_line(previewed.warning if previewed.due else "no settled turn is due to be cleaned")


def _turns(count: int) -> str:
    return f"{count} turn{'s' * (count != 1)}"


def _form(previewed: CleaningPreview, done: CleaningDone) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "warning": previewed.warning,
        "due": [
            {
                "turn": turn.reference,
                "settled_at": turn.settled_at,
                "event_keys": [event.event_key for event in turn.view.turn.events],
                "files": list(turn.files),
            }
            for turn in previewed.due
        ],
        "held": [
            {"turn": held.reference, "settled_at": held.settled_at, "why": held.why}
            for held in previewed.held
        ],
        "cleaned": list(done.turns),
        "ruling": done.ruling,
        "changed": list(done.files),
    }
