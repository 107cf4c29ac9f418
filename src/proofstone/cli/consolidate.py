"""``proofstone consolidate``: L1 proposals from stable memories."""

from __future__ import annotations

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
from proofstone.curation.consolidating import consolidate as consolidate_vault


@click.command()
@vault_argument
@click.option("--dry-run", is_flag=True, help="Show what would be proposed, and write nothing.")
@author_option
@json_option
def consolidate(path: Path, dry_run: bool, author: str | None, as_json: bool) -> None:
    """Propose L1 principles from stable L2 memories; a person rules on each.

    Groups of at least two stable, active memories that share profile, key and rule type become one
    proposal that cites them. Contested or tombstoned sources stop it.
    """
    done = consolidate_vault(workspace(path, author), dry_run=dry_run)
    if as_json:
        print_json(
            {
                "schema": "proofstone/consolidation/1",
                "written": bool(done.proposals) and not dry_run,
                "items": [
                    {
                        "proposal_id": proposal.proposal_id,
                        "statement": proposal.statement,
                        "l1_sources": list(proposal.l1_sources),
                        "counterexamples": list(proposal.counterexamples),
                    }
                    for proposal in done.proposals
                ],
                "stopped": [
                    {
                        "key": stopped.key,
                        "sources": list(stopped.sources),
                        "reasons": list(stopped.reasons),
                    }
                    for stopped in done.stopped
                ],
            }
        )
        return
    for proposal in done.proposals:
        print_line(said(f"{proposal.proposal_id}  {proposal.statement}", 96))
        print_line(f"  from {said(', '.join(proposal.l1_sources))}")
        for counterexample in proposal.counterexamples:
            print_line(f"  against it: {said(counterexample)}")
    for stopped in done.stopped:
        print_line(said(f"stopped: {', '.join(stopped.sources)}: {', '.join(stopped.reasons)}"))
    if not done.proposals:
        print_line("nothing new to propose")
