"""``proofstone merge-journal``: git's merge driver for the journal (docs/ci.md)."""

from __future__ import annotations

from pathlib import Path

import click

from proofstone.cli.common import print_line
from proofstone.curation.merging import merge_journal_files

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command(
    epilog="""\b
As git's merge driver:
  git config merge.proofstone-journal.name "Proofstone's journal"
  git config merge.proofstone-journal.driver "proofstone merge-journal %O %A %B"
"""
)
@click.argument("base", type=_FILE)
@click.argument("ours", type=_FILE)
@click.argument("theirs", type=_FILE)
def merge_journal(base: Path, ours: Path, theirs: Path) -> None:
    """Merge two branches' journals: into OURS, the rows that THEIRS added since BASE.

    Every row stays verifiable. Exit 2 when a journal is broken, with OURS left as it is.
    """
    merged = merge_journal_files(base, ours, theirs)
    rows = "row" if merged.added == 1 else "rows"
    print_line(f"journal: {merged.added} {rows} taken over from the other branch")
