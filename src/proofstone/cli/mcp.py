"""``proofstone mcp``: a server through which agents capture, and read what was ratified."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import click

from proofstone.cli.common import clock, vault_argument
from proofstone.curation.capture import AGENT
from proofstone.curation.context import Context
from proofstone.domain.errors import ProofstoneError


@click.command(
    epilog="""\b
Examples:
  claude mcp add proofstone -- proofstone mcp ~/.memleaf
  codex mcp add proofstone -- proofstone mcp ~/.memleaf
"""
)
@vault_argument
def mcp(path: Path) -> None:
    """Serve the vault at PATH to one agent, on standard input and output (extra `mcp`).

    Agents capture proposals and read ratified memories. No tool rules on anything.
    """
    if importlib.util.find_spec("mcp") is None:
        raise ProofstoneError(
            "the MCP server needs the extra `mcp`: pip install 'proofstone[mcp]', then start again"
        )
    from proofstone.mcp.server import serve

    serve(path, Context(clock=clock(), author=AGENT, via="mcp"))
