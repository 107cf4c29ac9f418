"""``proofstone report``: what was decided and what waits, as a page or as Markdown."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import click

from proofstone.cli.common import print_line, said, vault_argument, workspace
from proofstone.curation.report_file import write_report
from proofstone.domain.errors import ProofstoneError


@click.command(
    epilog="""\b
Examples:
  proofstone report . -o report.html
  proofstone report . -o week.md --since 2026-11-20
"""
)
@vault_argument
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="FILE.html, a page that needs no network, or FILE.md.",
)
@click.option("--since", default="", metavar="DATE", help="Decisions from this day on (UTC).")
def report(path: Path, output: Path, since: str) -> None:
    """Write what was decided, by whom and on what evidence, and what waits.

    With it come ages, risks, matches, duplicates and findings. An existing FILE is replaced.
    """
    write_report(workspace(path), output, _day(since))
    print_line(f"written: {said(str(output))}")


def _day(text: str) -> date | None:
    if not text:
        return None
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        raise ProofstoneError(f"--since {text}: not a day; write it like 2026-11-20") from None
