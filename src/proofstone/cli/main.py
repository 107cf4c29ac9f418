"""The entry point: subcommands that load when they are asked for, and errors in one line."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Sequence

import click

from proofstone import __version__

_COMMANDS = {
    "open": ("workbench:open_vault", "Open the workbench on a vault or another program's store."),
    "demo": ("workbench:demo", "Open the workbench on a fresh copy of the demo vault."),
    "snapshot": ("workbench:snapshot", "Draw a screen of the workbench to an SVG file."),
    "init": ("vaults:init", "Make a new vault, or give a memleaf vault its settings."),
    "check": ("vaults:check", "Verify notes, links, chain and objects of a vault."),
    "report": ("report:report", "Write what was decided, by whom and on what evidence."),
    "merge-journal": (
        "merging:merge_journal",
        "Merge two branches' journals, as a git merge driver.",
    ),
    "show": ("show:show", "List what a vault holds, for people or as JSON."),
    "sessions": ("sessions:sessions", "Capture turns from agents' own session files."),
    "capture": ("capture:capture", "Put statements into the queue, from JSON."),
    "gate": ("gate:gate", "Put a turn before the Gate, and take its answer."),
    "consolidate": ("consolidate:consolidate", "Propose L1 principles from stable L2 memories."),
    "rule": ("rulings:rule", "Make a ruling on proposals or memories."),
    "undo": ("rulings:undo", "Take back the last ruling, or the one named."),
    "redo": ("rulings:redo", "Make again the ruling that was undone."),
    "log": ("rulings:log", "List the rulings, newest first."),
    "mcp": ("mcp:mcp", "Serve a vault to one agent."),
    "serve": ("serve:serve", "Serve the workbench to a browser on this machine."),
    "import": ("importing:import_memories", "Bring in the memories of other programs."),
    "render": ("rendering:render", "Write the ratified memories into an agent's file."),
    "clean": ("cleaning:clean", "Remove the captured text of settled turns."),
    "bench": ("bench:bench", "Measure the promised figures, in a checkout."),
}
"""Each command's module and attribute, and what it does, for the list of all commands.

Loading late keeps ``show`` free of Textual's start-up, and ``--help`` free of everything.
"""

EXAMPLES = """\b
Examples:
  proofstone demo                          the workbench on a fresh copy of the demo vault
  proofstone open ~/.memleaf               your own vault
  proofstone show proposals . --json       what waits, for a script
  proofstone rule ratify . prop-1a2b3c…    rule without a screen
"""


class LateGroup(click.Group):
    """A group whose commands are imported when one is run or asked for help."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click does it; a name that is no command is answered with those that are like it."""
        name = args[0]
        if name not in _COMMANDS and not name.startswith("-"):
            from difflib import get_close_matches

            near = " or ".join(f"`{one}`" for one in get_close_matches(name, _COMMANDS, 2))
            hint = f" Did you mean {near}?" if near else ""
            raise click.UsageError(f"There is no command “{name}”.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All commands, in the order in which people meet them."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command's module."""
        place = _COMMANDS.get(cmd_name)
        if place is None:
            return None
        module, _, attribute = place[0].partition(":")
        found = getattr(importlib.import_module(f"proofstone.cli.{module}"), attribute)
        assert isinstance(found, click.Command)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of all commands, without importing one."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, told) for name, (_, told) in _COMMANDS.items()])


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
        click.echo(
            f"proofstone: {one_line(error.format_message() + _where_to_look(error))}", err=True
        )
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


def _where_to_look(error: click.ClickException) -> str:
    """The help of the command that was called with words that it does not take."""
    is_of_a_value = isinstance(error, click.BadParameter)
    if not isinstance(error, click.UsageError) or error.ctx is None:
        return ""
    if is_of_a_value and not isinstance(error, click.MissingParameter):
        return ""
    return f" See: {error.ctx.command_path} --help"


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
