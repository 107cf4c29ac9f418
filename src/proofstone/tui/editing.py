"""``E``: a note in the person's own editor, and what they changed as an edit (spec page 7).

The editor gets a copy in a private folder. The vault's file is never opened for writing: what came
back goes through the same ruling as the form, with its checks, its journal row and its undo.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.rulings import RulingRefused

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace
    from proofstone.domain.plan import Value
    from proofstone.tui.app import ProofstoneApp

EDITORS = ("VISUAL", "EDITOR")
"""The variables that name a person's editor, in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class Edited:
    """What came back: edits to write, or in words why there are none."""

    edits: Mapping[str, Value] = field(default_factory=dict)
    why: str = ""
    refused: bool = False


def editor_command(environment: Mapping[str, str]) -> list[str]:
    """The person's editor with its arguments.

    Raises:
        RulingRefused: none is named, or it cannot be read as a command.
    """
    for name in EDITORS:
        wanted = environment.get(name, "").strip()
        if not wanted:
            continue
        try:
            return shlex.split(wanted)
        except ValueError as error:
            raise RulingRefused(f"${name} cannot be read as a command: {error}") from error
    raise RulingRefused("no editor is named; set $VISUAL or $EDITOR, or use edit")


def edit_outside(app: ProofstoneApp, workspace: Workspace, subject: str) -> Edited:
    """Hand the note of ``subject`` to the editor, and read what came back. Writes nothing."""
    from proofstone.curation.note_editing import copy_of, edits_from

    try:
        if app.is_headless:
            raise RulingRefused("there is no terminal here that an editor could be given")
        command = editor_command(os.environ)
        copy = copy_of(workspace, subject)
        folder = Path(tempfile.mkdtemp(prefix="proofstone-edit-"))
        path = folder / copy.name
        path.write_bytes(copy.content)
    except (RulingRefused, ProofstoneError, OSError) as error:
        return Edited(why=str(error), refused=True)
    kept = ""
    try:
        code = hand_over(app, [*command, str(path)])
        if code:
            return Edited(why=f"{command[0]} ended with {code}; nothing was taken over")
        edits = edits_from(copy, path.read_bytes())
    except (RulingRefused, ProofstoneError) as error:
        kept = f". Your text is kept in {path}"
        return Edited(why=f"{error}{kept}", refused=True)
    except (OSError, SuspendNotSupported) as error:
        return Edited(why=f"{command[0]}: {error}", refused=True)
    finally:
        if not kept:
            _remove(folder)
    return Edited(edits=edits) if edits else Edited(why="nothing was changed in it")


def open_file(app: ProofstoneApp, path: Path) -> str:
    """Give the terminal to the person's editor on ``path`` itself; why not, where it cannot be."""
    try:
        if app.is_headless:
            return "there is no terminal here that an editor could be given"
        command = editor_command(os.environ)
        path.parent.mkdir(parents=True, exist_ok=True)
        code = hand_over(app, [*command, str(path)])
    except RulingRefused as refused:
        return str(refused)
    except (OSError, SuspendNotSupported) as error:
        return f"{path}: {error}"
    return f"{command[0]} ended with {code}" if code else ""


def hand_over(app: ProofstoneApp, command: list[str]) -> int:
    """Give the terminal to ``command`` until it ends; its exit code."""
    with app.suspend():
        return subprocess.run(command, check=False).returncode


def _remove(folder: Path) -> None:
    """Take away the copy, and what an editor left beside it."""
    import shutil

    shutil.rmtree(folder, ignore_errors=True)
