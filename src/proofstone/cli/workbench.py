"""``proofstone open``, ``demo`` and ``snapshot``: everything that draws a screen."""

from __future__ import annotations

import codecs
import os
import sys
import tempfile
from pathlib import Path

import click

from proofstone.cli.common import (
    NOW_VARIABLE,
    Command,
    author_option,
    clock,
    context,
    print_line,
    said,
)
from proofstone.curation.author import AUTHOR_VARIABLE
from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR, copy_demo, story_clock
from proofstone.curation.places import default_vault, require_something
from proofstone.domain.errors import ProofstoneError

_PAINTS_A_SECOND = "240"
"""How often the screen may be painted, for Textual. A key leads to two paints, first the cursor and
then what follows it, and at Textual's usual 60 each would wait for 17 ms."""


def plain_options(function: Command) -> Command:
    """``--plain`` and ``--screen``: a screen as text, for screen readers and pipes."""
    screen = click.option("--screen", metavar="NAME", help="Which screen --plain prints.")
    plain = click.option("--plain", is_flag=True, help="Print a screen as plain text.")
    return plain(screen(function))


@click.command("open")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--theme", default="", help="A theme's name.")
@plain_options
@author_option
def open_vault(
    path: Path | None, theme: str, plain: bool, screen: str | None, author: str | None
) -> None:
    """Open the workbench on a vault (without a terminal: print a summary)."""
    vault = path or _default()
    _show(vault, context(_ruler(author), via="workbench"), theme, _as_text(plain, screen))


def open_default() -> None:
    """What ``proofstone`` alone does."""
    _show(_default(), context(_ruler(None), via="workbench"), "", "")


def _ruler(author: str | None) -> str | None:
    """Who rules, where the command, the environment or the person's own settings say so."""
    if author or os.environ.get(AUTHOR_VARIABLE, "").strip():
        return author
    from proofstone.curation.own_folder import own_folder
    from proofstone.curation.own_settings import own_author

    return own_author(own_folder()) or None


@click.command()
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Copy the demo vault here and keep it.",
)
@click.option("--tour", is_flag=True, help="Be shown round, in ten steps.")
@click.option("--theme", default="", help="A theme's name.")
@plain_options
@author_option
def demo(
    keep: Path | None, tour: bool, theme: str, plain: bool, screen: str | None, author: str | None
) -> None:
    """Open the workbench on a fresh copy of the demo vault.

    Rulings are really written, to the copy. The story's clock starts on the morning of 27 November
    2026, so that deferrals and ages are what docs/demo-vault.md says.
    """
    ticking = clock() if os.environ.get(NOW_VARIABLE) else story_clock(clock())
    text_of = _as_text(plain, screen)
    circumstances = Context(clock=ticking, author=author or DEMO_AUTHOR, via="workbench")
    if keep is not None:
        _show(copy_demo(keep), circumstances, theme, text_of, tour="on" if tour else "offered")
        print_line(f"kept in {said(str(keep))}")
        return
    with tempfile.TemporaryDirectory(prefix="proofstone-demo-") as folder:
        copy = copy_demo(Path(folder) / "demo-vault")
        _show(copy, circumstances, theme, text_of, tour="on" if tour else "offered")
    print_line("this copy is gone now; `proofstone demo --keep DIR` makes one that stays")


@click.command()
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--screen", default="main", show_default=True, help="Which screen.")
@click.option("--size", default="120x40", show_default=True, metavar="WxH", help="In characters.")
@click.option("--theme", default="", help="A theme's name.")
@click.option("--keys", default="", help="Keys to press first, separated by commas.")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The SVG file to write.",
)
@author_option
def snapshot(
    path: Path, screen: str, size: str, theme: str, keys: str, output: Path, author: str | None
) -> None:
    """Draw a screen of the workbench to an SVG file, without a terminal."""
    from proofstone.tui.snapshot import snapshot as draw

    svg = draw(
        path,
        context(author, via="workbench"),
        screen=screen,
        size=_size(size),
        theme=theme or None,
        keys=[key for key in keys.split(",") if key],
    )
    try:
        output.write_text(svg, encoding="utf-8")
    except OSError as error:
        raise ProofstoneError(f"{output}: cannot be written: {error.strerror}") from error


def _as_text(plain: bool, screen: str | None) -> str:
    """The screen to print, or nothing where the workbench is to open."""
    if screen is not None and not plain:
        raise ProofstoneError(f"--screen {screen}: goes with --plain alone")
    return (screen or "main") if plain else ""


def _show(path: Path, circumstances: Context, theme: str, text_of: str, *, tour: str = "") -> None:
    opens = not text_of and (_is_served() or _is_terminal())
    if theme and not opens:
        # Nothing is painted; a name that is mistyped is told all the same.
        from proofstone.tui.plain import require_own_theme

        require_own_theme(theme)
    if text_of:
        from proofstone.tui.plain import plain

        click.echo(plain(path, circumstances, screen=text_of), nl=False)
        return
    if opens:
        # A wrong path is better said beside what was typed than on an empty screen.
        require_something(path)
        os.environ.setdefault("TEXTUAL_FPS", _PAINTS_A_SECOND)  # Textual reads it when imported
        from proofstone.tui.app import run

        run(path, circumstances, theme=theme or None, tour=tour)
        return
    from proofstone.curation.summary import summary
    from proofstone.curation.workspace import Workspace

    click.echo(summary(Workspace.open(path, circumstances)))


def _is_terminal() -> bool:
    """Whether a screen can be painted here: not on one that cannot move its cursor.

    Raises:
        ProofstoneError: the terminal's text is not UTF-8, so that every frame and mark would be
            written as an escape.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") == "dumb":
        return False
    encoding = getattr(sys.__stderr__, "encoding", None) or "utf-8"  # Textual paints on stderr
    if codecs.lookup(encoding).name != "utf-8":
        raise ProofstoneError(
            f"the workbench needs a terminal of UTF-8 text, and this one's is {encoding}: set "
            "LC_ALL=C.UTF-8 (or PYTHONUTF8=1), or add --plain"
        )
    return True


def _is_served() -> bool:
    """Whether ``proofstone serve`` started this workbench and carries its screen to a browser."""
    return os.environ.get("TEXTUAL_DRIVER", "").startswith("textual.drivers.web_driver:")


def _default() -> Path:
    return default_vault(os.environ, Path.cwd(), Path.home())


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.lower().partition("x")
    if not (cross and width.isdigit() and height.isdigit()):
        raise ProofstoneError(f"--size {text}: write it like 120x40")
    columns, rows = int(width), int(height)
    if not (20 <= columns <= 1000 and 10 <= rows <= 1000):
        raise ProofstoneError(f"--size {text}: between 20x10 and 1000x1000")
    return columns, rows
