"""A picture of a screen without a terminal: for documents, reports and tests."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from textual.pilot import Pilot

from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.errors import ProofstoneError
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.screens.base import WorkbenchScreen

ROUNDS = 400
"""Turns of the event loop within which everything that was started must have ended."""

_AWAITED = ("read", "plan", "write", "sift", "find")
"""What is started by a key, and ends without another one."""

_FAR_FONT = re.compile(r',?\s*url\("https?://[^"]*"\)\s*format\("[^"]*"\)')

SCREENS: Mapping[str, tuple[str, ...]] = {
    "main": (),
    "boundary": ("boundary",),
    "memories": ("memories",),
    "log": ("log",),
    "inquiries": ("inquiries",),
    "duplicates": ("duplicates",),
    "problems": ("problems",),
    "settings": ("settings",),
    "help": ("help",),
}
"""Each screen by name, with the commands that lead to it from the main one."""


def snapshot(
    path: Path,
    context: Context,
    *,
    screen: str = "main",
    size: tuple[int, int] = (120, 40),
    theme: str | None = None,
    keys: Sequence[str] = (),
) -> str:
    """A screen of the workbench on the vault at ``path``, as SVG.

    ``size`` is in columns and rows; ``keys`` are pressed once the screen is there. The picture
    needs no network: it is drawn with a font of whoever shows it.

    Raises:
        ProofstoneError: there is no such screen, or the vault cannot be opened.
    """
    app = headless(path, context, screen=screen, theme=theme)
    return asyncio.run(_drawn(app, screen, keys, size))


def headless(
    path: Path, context: Context, *, screen: str = "main", theme: str | None = None
) -> ProofstoneApp:
    """The workbench on the vault at ``path``, to be run without a terminal.

    Raises:
        ProofstoneError: there is no such screen, or the vault cannot be opened.
    """
    if screen not in SCREENS:
        raise ProofstoneError(f"--screen {screen}: there are {', '.join(SCREENS)}")
    Workspace.open(path, context)
    return ProofstoneApp(
        lambda: Workspace.open(path, context), context, theme=theme, vault_name=path.resolve().name
    )


async def at_screen(pilot: Pilot[None], screen: str) -> None:
    """Wait for the vault, and go to a screen from the main one, whatever its key is."""
    await settled(pilot)
    for command_id in SCREENS[screen]:
        assert isinstance(pilot.app.screen, WorkbenchScreen)
        await pilot.app.screen.action_command(command_id)
        await settled(pilot)


async def settled(pilot: Pilot[None]) -> None:
    """Wait until the workbench reads, plans and writes nothing any more.

    Raises:
        RuntimeError: it does not come to rest.
    """
    app = pilot.app
    assert isinstance(app, ProofstoneApp)
    for _ in range(ROUNDS):
        await pilot.pause()
        busy = [w for w in app.workers if w.group in _AWAITED and w.is_running]
        if busy:
            await app.workers.wait_for_complete(busy)
            continue
        asking = any(w.group == "ruling" and not w.is_finished for w in app.workers)
        waits_for_nobody = asking and isinstance(app.screen, WorkbenchScreen)
        if not app.writing and not app.reading and not waits_for_nobody:
            await pilot.pause()
            return
    raise RuntimeError("the workbench did not come to rest")


async def _drawn(
    app: ProofstoneApp, screen: str, keys: Sequence[str], size: tuple[int, int]
) -> str:
    async with app.run_test(size=size) as pilot:
        await at_screen(pilot, screen)
        for key in keys:
            await pilot.press(key)
            await settled(pilot)
        return without_far_fonts(app.export_screenshot(title="Proofstone"))


def without_far_fonts(svg: str) -> str:
    """A picture without fonts from a network; what draws it has a monospaced one."""
    return _FAR_FONT.sub("", svg)
