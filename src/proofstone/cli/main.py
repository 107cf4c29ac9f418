"""The entry point: subcommands that load when they are asked for, and errors in one line."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence

import click

from proofstone import __version__

_COMMANDS = {
    "open": "workbench:open_vault",
    "demo": "workbench:demo",
    "snapshot": "workbench:snapshot",
    "init": "vaults:init",
    "check": "vaults:check",
    "report": "report:report",
    "merge-journal": "merging:merge_journal",
    "show": "show:show",
    "sessions": "sessions:sessions",
    "capture": "capture:capture",
    "gate": "gate:gate",
    "consolidate": "consolidate:consolidate",
    "rule": "rulings:rule",
    "undo": "rulings:undo",
    "redo": "rulings:redo",
    "log": "rulings:log",
    "mcp": "mcp:mcp",
    "serve": "serve:serve",
    "import": "importing:import_memories",
    "render": "rendering:render",
    "clean": "cleaning:clean",
}
"""Each command's module and attribute. Loading late keeps ``show`` free of Textual's start-up."""

EXAMPLES = """\b
Examples:
  proofstone demo                          the workbench on a fresh copy of the demo vault
  proofstone open ~/.memleaf               your own vault
  proofstone show proposals . --json       what waits, for a script
  proofstone rule ratify . prop-1a2b3c…    rule without a screen
"""


class LateGroup(click.Group):
    """A group whose commands are imported when one is run or asked for help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which people meet them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        place = _COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        found = getattr(importlib.import_module(f"proofstone.cli.{module}"), attribute)
        assert isinstance(found, click.Command)
        return found


@click.group(
    cls=LateGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXAMPLES,
)
@click.version_option(__version__, prog_name="proofstone")
@click.pass_context
def cli(context: click.Context) -> None:
    """Decide what AI agents may remember.

    Without a command: opens $PROOFSTONE_VAULT, else the vault that holds the current folder, else
    ~/.memleaf.
    """
    if context.invoked_subcommand is None:
        from proofstone.cli.workbench import open_default

        open_default()


def main() -> None:
    """The console script."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: Sequence[str]) -> int:
    """Run the command line and give its exit code; every foreseen error is one line on stderr."""
    from proofstone.domain.errors import ProofstoneError

    _let_nothing_stop_printing()
    try:
        code = cli.main(list(arguments), prog_name="proofstone", standalone_mode=False)
    except click.Abort:
        click.echo("stopped", err=True)
        return 130
    except click.ClickException as error:
        click.echo(f"proofstone: {one_line(error.format_message())}", err=True)
        return 2
    except ProofstoneError as error:
        click.echo(f"proofstone: {one_line(str(error))}", err=True)
        return 2
    except BrokenPipeError:
        # The reader has gone (a pager, head): nothing is left to say, not even at exit.
        sys.stderr.close()
        return 141
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"proofstone: {one_line(where + (error.strerror or str(error)))}", err=True)
        return 2
    return code if isinstance(code, int) else 0


def _let_nothing_stop_printing() -> None:
    """What a terminal's encoding lacks is printed as an escape, and is no error."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def one_line(text: str) -> str:
    """``text`` as one line that cannot move the cursor, whatever names and words it quotes."""
    from proofstone.curation.masking import cover_secrets
    from proofstone.domain.shown import shown_text

    return shown_text(" ".join(cover_secrets(text).split()))
