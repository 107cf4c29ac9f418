"""``proofstone render``: ratified memories as a managed block in agents' own files."""

from __future__ import annotations

from pathlib import Path

import click

from proofstone.cli.common import (
    json_option,
    print_json,
    print_line,
    said,
    vault_argument,
    workspace,
)
from proofstone.curation import rendering, secrets
from proofstone.curation.rendering import Format, RenderPlan
from proofstone.domain.rendering import MARKABLE

SCHEMA = "proofstone/render/1"


@click.command(
    epilog="""\b
Examples:
  proofstone render . --into CLAUDE.md --scope global --scope project:orion
  proofstone render . --into .cursor/rules/proofstone.mdc
  proofstone render . --into ~/.claude/projects/-home-me-orion/memory --format claude-folder
  proofstone render . --into AGENTS.md --check        exit 1 when the block is out of date
"""
)
@vault_argument
@click.option(
    "--into",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="The file, or the memory folder, that agents read.",
)
@click.option(
    "--format",
    "format_name",
    type=click.Choice(["auto", *(one.value for one in Format)]),
    default="auto",
    help="How to write; auto goes by the name of the target.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when it is out of date.")
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="BYTES",
    help="The largest size of the managed block.",
)
@click.option("--scope", "scopes", multiple=True, metavar="SCOPE", help="Only this scope; repeat.")
@click.option(
    "--mark",
    "marked",
    multiple=True,
    type=click.Choice(MARKABLE),
    help="Show these with a mark instead of leaving them out; repeat.",
)
@json_option
def render(
    path: Path,
    into: Path,
    format_name: str,
    check: bool,
    budget: int | None,
    scopes: tuple[str, ...],
    marked: tuple[str, ...],
    as_json: bool,
) -> None:
    """Write the ratified memories of the vault at PATH into a file that agents read.

    Only the block between the proofstone markers is written; the rest of the file stays as it is.
    """
    plan = rendering.plan(
        workspace(path),
        into,
        format=None if format_name == "auto" else Format(format_name),
        budget=budget,
        scopes=scopes,
        marked=marked,
    )
    if not check:
        rendering.write(plan)
    if as_json:
        print_json(_form(plan, check))
    else:
        _print(plan, check)
    if check and not plan.is_up_to_date:
        raise click.exceptions.Exit(1)


def _print(plan: RenderPlan, check: bool) -> None:
    count = len(plan.rendered)
    memories = f"{count} {'memory' if count == 1 else 'memories'}"
    for file in plan.files:
        verb = f"would be {file.change}" if check else file.change
        print_line(f"{said(str(file.path))}: {verb}")
    if plan.is_up_to_date:
        print_line(f"{said(str(plan.into))}: up to date, {memories}")
    else:
        print_line(f"{memories} rendered" if not check else f"out of date, {memories} to render")
    for omission in plan.omitted:
        line = f"left out  {said(omission.memory_id)}  {said(omission.reason)}"
        print_line(f"{line}  {said(secrets.masked(omission.title), 60)}")
    for warning in plan.warnings:
        click.echo(f"proofstone: {said(warning)}", err=True)


def _form(plan: RenderPlan, check: bool) -> dict[str, object]:
    return {
        "schema": SCHEMA,
        "into": str(plan.into),
        "format": plan.format.value,
        "check": check,
        "up_to_date": plan.is_up_to_date,
        "files": [{"path": str(file.path), "change": file.change} for file in plan.files],
        "rendered": [
            {
                "memory_id": one.memory.memory_id,
                "layer": one.memory.layer.value,
                "scopes": list(one.memory.scopes),
                "title": secrets.masked(one.memory.title),
                **({"mark": one.mark} if one.mark else {}),
            }
            for one in plan.rendered
        ],
        "left_out": [
            {
                "memory_id": one.memory_id,
                "title": secrets.masked(one.title),
                "reason": one.reason,
            }
            for one in plan.omitted
        ],
        "warnings": list(plan.warnings),
    }
