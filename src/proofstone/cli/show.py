"""``proofstone show``: any list of the vault, for people or for programs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from proofstone.cli.common import (
    json_option,
    print_json,
    print_line,
    problem_text,
    reading,
    said,
    store_argument,
)
from proofstone.curation import show as shows

if TYPE_CHECKING:
    from proofstone.curation.forms import Json

_WIDTH = 96
_STEP = 1_000


def _turn(form: Json) -> tuple[str, str]:
    counts = form["counts"]
    state = form["state"]
    if form.get("incomplete_reason"):
        state += f": {form['incomplete_reason']}"
    if form.get("cleaned_at"):
        state += ", its text removed"
    return (
        form["turn"],
        f"{state} · {counts['units']} unit{'s' * (counts['units'] != 1)}, "
        f"{counts['covered']}/{counts['physical']} covered, "
        f"{counts['unresolved']} unresolved, {counts['waiting']} waiting",
    )


def _unit(form: Json) -> tuple[str, str]:
    mark = form["partition"][0].upper()
    return form["unit_id"], f"{mark} {form['origin']} {form['start']}–{form['end']}  {form['text']}"


def _gate(form: Json) -> tuple[str, str]:
    if form["answer"] is not None:
        state = f"answered by {form['answered_by']} ({form['answered_by_kind']})"
    else:
        state = "no accepted answer"
    refused = [
        item.get("evidence_check")
        or item.get("validation_detail")
        or item.get("validation_reason")
        or item["stage"]
        for item in form["refusals"]
    ]
    return form["turn"], state + (f" · refused: {', '.join(refused)}" if refused else "")


def _proposal(form: Json) -> tuple[str, str]:
    taint = " · tainted" if form["tainted"] else ""
    return (
        form["proposal_id"],
        f"{form['status']} {form['layer']} · {form['verifier']['status']} · {form['match_kind']}"
        f"{taint}  {form['statement']}",
    )


def _memory(form: Json) -> tuple[str, str]:
    reviewed = "" if form["reviewed"] else " · unreviewed"
    return (
        form["memory_id"],
        f"{form['layer']} {form['standing']}{reviewed}  {form['statement']}",
    )


def _evidence(form: Json) -> tuple[str, str]:
    text = form.get("source_excerpt") or form.get("source_summary") or "(no text)"
    return form["evidence_id"], f"{form['trust_class']} {form['polarity']}  {text}"


def _sibling(form: Json) -> tuple[str, str]:
    return form["proposal_id"], f"{form['score']:.2f} {form['id']}  {form['statement']}"


def _duplicates(form: Json) -> tuple[str, str]:
    ids = ", ".join(member["id"] for member in form["members"][1:4])
    more = f" and {form['size'] - 4} more" if form["size"] > 4 else ""
    first = form["members"][0]
    return first["id"], f"{form['score']:.2f} {ids}{more}  {first['statement']}"


def _verify(form: Json) -> tuple[str, str]:
    reasons = ", ".join(form["failure_reasons"]) or "nothing flagged"
    return (
        form["proposal_id"],
        f"{form['status']} · risk {form['poisoning_risk']} · "
        f"{form['promotion_eligibility']} · {reasons}",
    )


def _inquiry(form: Json) -> tuple[str, str]:
    return form["inquiry_id"], f"{form['status']} {form['priority']}  {form['question']}"


def _tombstone(form: Json) -> tuple[str, str]:
    return form["tombstone_id"], f"{form['mode']} {form['reason']}  {form['deleted_id']}"


def _problem(form: Json) -> tuple[str, str]:
    line = f":{form['line']}" if form["line"] is not None else ""
    return f"{form['path']}{line}", problem_text(form["message"], form["advice"])


_LINES: Mapping[str, Callable[[Json], tuple[str, str]]] = {
    "turns": _turn,
    "units": _unit,
    "gate": _gate,
    "proposals": _proposal,
    "memories": _memory,
    "evidence": _evidence,
    "siblings": _sibling,
    "duplicates": _duplicates,
    "verify": _verify,
    "inquiries": _inquiry,
    "tombstones": _tombstone,
    "problems": _problem,
}


def _progress() -> Callable[[int, int], None] | None:
    """How far a long work has come, on a terminal that would otherwise stand still."""
    if not sys.stderr.isatty():
        return None

    def told(done: int, of: int) -> None:
        if done == of:
            click.echo("\r\x1b[K", nl=False, err=True)
        elif done % _STEP == 0:
            click.echo(f"\r{done:,} of {of:,} compared", nl=False, err=True)

    return told


@click.command(
    epilog="""\b
Examples:
  proofstone show proposals . --filter "risk:high match:conflict"
  proofstone show units . codex/s-1#1 --json
"""
)
@click.argument("kind", metavar="KIND", type=click.Choice(list(shows.KINDS)))
@store_argument
@click.argument("identifier", metavar="[ID]", default="")
@json_option
@click.option("--filter", "filter_text", metavar="EXPR", default="", help="As in the workbench.")
def show(kind: str, path: Path, identifier: str, as_json: bool, filter_text: str) -> None:
    """List what a vault holds: KIND, the vault's PATH, and one ID if you want just that."""
    view = reading(path)
    if view.unread.why_not and kind != "problems":
        click.echo(f"proofstone: {said(view.unread.why_not)}", err=True)
    if as_json:
        print_json(shows.listing(view, kind, identifier, filter_text, _progress()))
        return
    rows = shows.select(view, kind, identifier, filter_text, _progress())
    is_empty = True
    for row in rows:
        is_empty = False
        name, text = _LINES[kind](row.form)
        print_line(f"{said(name)}  {said(text, 0 if identifier else _WIDTH)}")
    if is_empty:
        print_line(f"no {kind}" + (" match the filter" if filter_text else ""))
