"""``proofstone capture``: what an agent hands in becomes proposals that wait for a person."""

from __future__ import annotations

from pathlib import Path
from typing import IO

import click

from proofstone.cli.common import clock, print_json, vault_argument
from proofstone.curation.context import Context


@click.command(
    epilog="""\b
Example:
  echo '{"content": "Atlas snapshots live 30 days", "source": "chat", "anchor": "doc-7"}' |
    proofstone capture ~/.memleaf
"""
)
@vault_argument
@click.argument("file", type=click.File("rb"), default="-")
@click.option("--client", metavar="NAME", help="Who captures: the default project's name.")
def capture(path: Path, file: IO[bytes], client: str | None) -> None:
    """Capture FILE (JSON; - or nothing for standard input) and print the answer as JSON.

    FILE holds one item, or {"items": [...]}. Exit 0 when anything was captured or known already,
    1 when every item was rejected, 2 when the call itself is refused.
    """
    from proofstone.curation import capture as curation

    # One byte more than is taken tells a payload that is too large from one that just fits.
    data = file.read(curation.MAX_PAYLOAD_BYTES + 1)
    context = Context(clock=clock(), author=curation.AGENT, via="cli")
    answer = curation.capture(path, curation.parse_payload(data), context, client=client)
    print_json(answer)
    rows = answer["outcomes"]
    raise click.exceptions.Exit(1 if rows and answer["rejected"] == len(rows) else 0)
