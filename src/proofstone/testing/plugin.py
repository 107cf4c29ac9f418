"""A pytest plugin: the demo vault, its clock, and the workbench at a size (docs/testing.md).

It is found through the entry point ``pytest11``, so a project that has Proofstone installed has the
fixtures. Nothing of Proofstone is imported before a fixture asks for it, and Textual not before
``proofstone_app`` does: the plugin costs other projects nothing.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from datetime import datetime

    from textual.pilot import Pilot

    from proofstone.curation.context import Context

    OpenApp = Callable[..., AbstractAsyncContextManager[Pilot[None]]]


@pytest.fixture
def proofstone_demo_vault(tmp_path: Path) -> Path:
    """A fresh copy of the demo vault, which the test may change."""
    from proofstone.curation.demo import copy_demo

    return copy_demo(tmp_path / "demo-vault")


@pytest.fixture
def proofstone_clock() -> Callable[[], datetime]:
    """A clock that stands at the demo story's morning, 2026-11-27 09:00 UTC."""
    from proofstone.curation.demo import DEMO_NOW

    return lambda: DEMO_NOW


@pytest.fixture
def proofstone_context(proofstone_clock: Callable[[], datetime]) -> Context:
    """Who acts and when: the story's curator, at the story's morning."""
    from proofstone.curation.context import Context
    from proofstone.curation.demo import DEMO_AUTHOR

    return Context(clock=proofstone_clock, author=DEMO_AUTHOR, via="workbench")


@pytest.fixture
def proofstone_app(proofstone_context: Context) -> OpenApp:
    """Opens the workbench on a vault, at a size, without a terminal.

    ``async with proofstone_app(path, size=(120, 40), theme=None) as pilot:`` gives Textual's pilot
    once the vault is read and drawn; ``pilot.app`` is the application. After each key, wait with
    ``proofstone.tui.snapshot.settled(pilot)`` for what it started. The person's own keys and themes
    do not count, so that every machine sees the same.
    """

    @asynccontextmanager
    async def opened(
        vault: Path, *, size: tuple[int, int] = (120, 40), theme: str | None = None
    ) -> AsyncIterator[Pilot[None]]:
        from proofstone.tui.snapshot import headless, settled

        app = headless(vault, proofstone_context, theme=theme)
        async with app.run_test(size=size) as pilot:
            await settled(pilot)
            yield pilot

    return opened
