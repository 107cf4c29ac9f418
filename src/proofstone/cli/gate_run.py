"""``proofstone gate run``: asking an endpoint about the turns that wait."""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path
from typing import Any

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
from proofstone.curation.gate_results import GateProgress, Outcome, Stage, TurnResult
from proofstone.curation.own_folder import own_folder
from proofstone.gate.settings import DEFAULT_LIMIT, DEFAULT_TIMEOUT, MAX_LIMIT


@click.command()
@vault_argument
@click.argument("turns", nargs=-1, metavar="[TURN]...")
@click.option("--base-url", metavar="URL", help="Such as http://127.0.0.1:11434/v1.")
@click.option("--model", metavar="NAME", help="The endpoint's name of the model.")
@click.option(
    "--limit",
    type=int,
    metavar="N",
    help=f"How many turns to ask about at once, 1 to {MAX_LIMIT}; else {DEFAULT_LIMIT}.",
)
@click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    help=f"How long to wait for one answer; else {DEFAULT_TIMEOUT:g}.",
)
@click.option(
    "--again",
    is_flag=True,
    help="Ask also about the named turns that have an answer; without names, about those whose "
    "captured text has changed since. The answer stands until a whole new one is accepted.",
)
@author_option
@json_option
def run(
    path: Path,
    turns: tuple[str, ...],
    base_url: str | None,
    model: str | None,
    limit: int | None,
    timeout: float | None,
    again: bool,
    author: str | None,
    as_json: bool,
) -> None:
    """Ask an OpenAI-compatible endpoint about the turns that wait for the Gate.

    Each TURN is source/session#index; without any, all turns that were never answered. Answers
    are stored as they come, so an interrupted run goes on where it stopped. Endpoint and model
    come from the options, else PROOFSTONE_GATE_URL and PROOFSTONE_GATE_MODEL, else gate.yaml in
    your settings folder. A key comes from PROOFSTONE_GATE_KEY, else OPENAI_API_KEY, and from
    nowhere else. Needs the extra "gate".

    Exit 0 when every answer was accepted, 1 when one was refused, 2 when one did not come, 130
    when the run was stopped.

    \b
    Examples:
      proofstone gate run ~/memories --base-url http://127.0.0.1:11434/v1 --model qwen3
      proofstone gate run . 'codex/orion-ci#2' --base-url https://api.openai.com/v1 --model gpt-5
      proofstone gate run ~/memories --again
    """
    from proofstone.curation.gate_pending import outdated, unanswered
    from proofstone.curation.gate_run import run_turns
    from proofstone.gate.configured import endpoint

    settings = endpoint(
        environment=os.environ,
        folder=own_folder(),
        given={"base_url": base_url, "model": model, "timeout": timeout, "limit": limit},
    )
    opened = workspace(path, author)
    opened.require_vault("the Gate")
    changed = outdated(opened) if again and not turns else ()
    wanted = turns or (*unanswered(opened), *changed)
    with _Stopping() as stopping:
        results = run_turns(
            opened,
            wanted,
            settings,
            on_progress=_quiet if as_json else _told,
            cancelled=stopping.is_set,
            again=(turns or changed) if again else (),
        )
    if as_json:
        print_json({"schema": "proofstone/gate-run/1", "items": [_form(r) for r in results]})
    else:
        print_line(_sum(results))
    raise click.exceptions.Exit(_code(results))


class _Stopping:
    """While it is open, the first interrupt asks the run to stop; a second one ends it at once."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._before: Any = None

    def __enter__(self) -> threading.Event:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGINT, self._interrupted)
        return self._event

    def __exit__(self, *error: object) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _interrupted(self, number: int, frame: object) -> None:
        if self._event.is_set():
            raise KeyboardInterrupt
        self._event.set()


def _quiet(progress: GateProgress) -> None:
    """JSON stands alone on standard output."""


def _told(progress: GateProgress) -> None:
    if progress.stage is Stage.WAITING:
        wait = f"the endpoint asks us to wait {progress.seconds:g} s"
        click.echo(f"{said(progress.turn)}: {wait}", err=True)
    elif progress.result is not None:
        place = f"[{progress.done}/{progress.total}]"
        print_line(f"{place} {said(progress.turn)}: {said(_line(progress.result))}")


def _line(result: TurnResult) -> str:
    """What came of a turn, in words."""
    if result.outcome is not Outcome.ACCEPTED:
        why = result.why or (result.refusal.identifier if result.refusal is not None else "")
        return f"{result.outcome.value}: {why}" if why else result.outcome.value
    text = result.result.summary if result.result is not None else ""
    text = text or "answered already, in part"
    if result.correction is not None:
        why = result.correction_why or (result.refusal.identifier if result.refusal else "")
        text += f"; correction {result.correction.value}{': ' * bool(why)}{why}"
    return text


def _form(result: TurnResult) -> dict[str, Any]:
    """A result as JSON (docs/json.md)."""
    stored = result.result
    return {
        "turn": result.turn,
        "outcome": result.outcome.value,
        "why": result.why,
        "refusal": None if result.refusal is None else forms.refusal(result.refusal),
        "proposals": list(result.proposals),
        "withheld": [] if stored is None else list(stored.withheld),
        "replaced": stored is not None and stored.replaced,
        "left_waiting": [] if stored is None else list(stored.left),
        "missing_unit_ids": list(result.missing_unit_ids),
        "correction": None if result.correction is None else result.correction.value,
        "correction_why": result.correction_why,
    }


def _sum(results: tuple[TurnResult, ...]) -> str:
    if not results:
        return "no turn waits for the Gate"
    counts = {outcome: sum(result.outcome is outcome for result in results) for outcome in Outcome}
    said_of = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
    proposals = sum(len(result.proposals) for result in results)
    return f"{said_of}; {proposals} new proposal{'s' * (proposals != 1)}"


def _code(results: tuple[TurnResult, ...]) -> int:
    came = {result.outcome for result in results} | {
        result.correction for result in results if result.correction is not None
    }
    if Outcome.CANCELLED in came:
        return 130
    if Outcome.FAILED in came:
        return 2
    return 1 if Outcome.REFUSED in came else 0
