"""``proofstone gate``: what a model sees, asking one, and checking what it answered."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from proofstone.cli.common import (
    author_option,
    json_option,
    print_json,
    print_line,
    problem_text,
    said,
    vault_argument,
    workspace,
)
from proofstone.cli.gate_run import run
from proofstone.curation import forms, gate_replay, gate_view
from proofstone.curation import gate as curation

RULE = "─" * 78


@click.group()
def gate() -> None:
    """Put a turn before the Gate: a model or a person that decides what each unit is."""


gate.add_command(run)


@gate.command()
@vault_argument
@click.argument("turn")
def prompt(path: Path, turn: str) -> None:
    """Print what a model would be sent for TURN (source/session#index), exactly."""
    click.echo(curation.prompt(workspace(path), turn))


@gate.command()
@vault_argument
@click.argument("turn")
@json_option
def view(path: Path, turn: str, as_json: bool) -> None:
    """Show what a model sees of TURN, exactly, and what is held back from it and why."""
    seen = gate_view.model_view(workspace(path), turn)
    if as_json:
        print_json(gate_view.form(seen))
        return
    if seen.incomplete_reason:
        print_line(f"{said(turn)} is sent to no model: {seen.incomplete_reason}")
    else:
        print_line(f"{said(turn)}: {_sent(seen.was_sent)}")
        print_line(RULE)
        print_line(seen.prompt)
        print_line(RULE)
    units = len(seen.offered)
    print_line(f"{units} unit{'s' * (units != 1)} may be cited; {len(seen.held_back)} held back:")
    for item in seen.held_back:
        name = item.unit_id or item.origin
        print_line(f"  {said(name)}  {said(item.text, 60)}")
        print_line(f"    {item.why}")


@gate.command()
@vault_argument
@json_option
def verify(path: Path, as_json: bool) -> None:
    """Check every stored answer again, against what the vault holds of its turn.

    Exit 0 when all are borne out, 1 when one is not.
    """
    replayed = gate_replay.replay(workspace(path))
    if as_json:
        print_json(gate_replay.form(replayed))
    else:
        for problem in (*replayed.findings, *replayed.notes):
            text = problem_text(problem.message, problem.advice)
            print_line(said(f"{problem.path}: {problem.code}: {problem.subject}: {text}"))
        print_line(_standings([standing for _, standing in replayed.answers]))
    raise click.exceptions.Exit(1 if replayed.findings else 0)


@gate.command()
@vault_argument
@click.argument("turn")
@click.argument("file", type=click.File("rb"))
@click.option("--by", "answered_by", default="", metavar="NAME", help="Who gave the answer.")
@click.option("--person", is_flag=True, help="A person gave it, and not a model.")
@click.option(
    "--replace",
    is_flag=True,
    help="Put it in the place of the answer that the turn has; that one stands unless this one is "
    "whole and accepted.",
)
@author_option
@json_option
def submit(
    path: Path,
    turn: str,
    file: IO[bytes],
    answered_by: str,
    person: bool,
    replace: bool,
    author: str | None,
    as_json: bool,
) -> None:
    """Check the answer in FILE (- for standard input) against the contract and store it.

    Exit 1, with the identifier, when it is refused; nothing of a refused answer is kept.
    """
    view = workspace(path, author)
    by = answered_by or (view.context.author if person else "")
    kind = "person" if person else "model"
    result = curation.submit(view, turn, file.read(), answered_by=by, kind=kind, in_place=replace)
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
                "replaced": result.replaced,
                "left_waiting": list(result.left),
            }
        )
    elif result.refusal is not None:
        click.echo(f"refused: {result.refusal.identifier}", err=True)
    else:
        print_line(said(result.summary))
        for proposal_id in result.proposals:
            print_line(f"  {said(proposal_id)}")
        if result.left:
            print_line("of the answer before, these still wait:")
        for proposal_id in result.left:
            print_line(f"  {said(proposal_id)}")
        if result.correction:
            print_line(result.correction)
    raise click.exceptions.Exit(0 if result.refusal is None else 1)


def _sent(was_sent: bool | None) -> str:
    if was_sent is None:
        return "what a model would be sent"
    if was_sent:
        return "what the model was sent, to the character"
    return (
        "what a model would be sent today; the answer was given to something else, before the "
        "captured text or Proofstone's instructions changed"
    )


def _standings(standings: list[gate_replay.Standing]) -> str:
    words = {
        gate_replay.Standing.HOLDS: "hold",
        gate_replay.Standing.SPANS_HOLD: "hold by their quotes alone",
        gate_replay.Standing.CLEANED: "of turns whose text was removed",
        gate_replay.Standing.BROKEN: "do not hold",
    }
    parts = [f"{count} {word}" for key, word in words.items() if (count := standings.count(key))]
    return f"{len(standings)} answers: {', '.join(parts)}" if parts else "no answers"
