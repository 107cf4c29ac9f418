"""``proofstone serve``: the workbench in a browser on this machine."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import click

from proofstone.cli.common import author_option, context, print_line, vault_argument
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError


@click.command()
@vault_argument
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="The port to listen on; 0, the default, takes a free one.",
)
@click.option("--theme", default="", help="A theme's name.")
@author_option
def serve(path: Path, port: int, theme: str, author: str | None) -> None:
    """Serve the workbench on the vault at PATH to a browser on this machine (extra `web`).

    Listens on 127.0.0.1 alone. The URL holds a secret token, made anew for each run: whoever has
    it can rule as you, so pass it to nobody.
    """
    if importlib.util.find_spec("textual_serve") is None:
        raise ProofstoneError(
            "serving needs the extra `web`: pip install 'proofstone[web]', then start again"
        )
    from proofstone.cli import web_server

    circumstances = context(author, via="workbench")
    root = Workspace.open(path, circumstances).root
    command = [sys.executable, "-m", "proofstone", "open", "--as", circumstances.author]
    if theme:
        from proofstone.tui.plain import require_own_theme

        require_own_theme(theme)
        command += ["--theme", theme]
    web_server.serve([*command, "--", str(root)], f"Proofstone · {root.name}", port, _tell)


def _tell(url: str) -> None:
    print_line(url)
    click.echo("ctrl+c ends it", err=True)
    sys.stdout.flush()
