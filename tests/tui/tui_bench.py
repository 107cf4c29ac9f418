"""A workbench to drive in tests: opened on a vault, pressed, waited for, and read."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual.pilot import Pilot

from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR, DEMO_NOW
from proofstone.curation.views import ProposalView
from proofstone.curation.workspace import Workspace
from proofstone.tui.app import ProofstoneApp
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.snapshot import settled
from proofstone.tui.tour import TourState
from proofstone.tui.widgets.line_list import LineList

__all__ = ["Bench", "Opening", "app_on", "files_of", "go_to", "opened", "settled", "story_context"]


def story_context() -> Context:
    """The story's morning, and its curator."""
    return Context(lambda: DEMO_NOW, DEMO_AUTHOR)


def app_on(
    vault: Path,
    theme: str | None = None,
    *,
    personal: Path | None = None,
    tour: TourState = TourState.NONE,
) -> ProofstoneApp:
    """The workbench on ``vault``, not running yet."""
    context = story_context()
    opener = partial(Workspace.open, vault, context)
    return ProofstoneApp(
        opener, context, theme=theme, vault_name=vault.name, personal=personal, tour=tour
    )


@dataclass
class Bench:
    """A running workbench."""

    pilot: Pilot[None]
    vault: Path

    @property
    def app(self) -> ProofstoneApp:
        assert isinstance(self.pilot.app, ProofstoneApp)
        return self.pilot.app

    @property
    def workspace(self) -> Workspace:
        assert self.app.workspace is not None
        return self.app.workspace

    @property
    def subject(self) -> str:
        """What the screen's actions would be on."""
        assert isinstance(self.app.screen, WorkbenchScreen)
        return self.app.screen.subject()

    async def press(self, *keys: str) -> None:
        """Press keys, and wait after each for what it started."""
        for key in keys:
            await self.pilot.press(key)
            await settled(self.pilot)

    async def write(self, text: str) -> None:
        """Type words."""
        await self.pilot.press(*("space" if letter == " " else letter for letter in text))
        await settled(self.pilot)

    async def select(self, wanted: Callable[[ProposalView], bool]) -> ProposalView:
        """Go to the first proposal of the queue that is wanted."""
        view = next(view for view in self.workspace.queue if wanted(view))
        await go_to(self.pilot, "2", view.proposal_id)
        assert self.subject == view.proposal_id
        return view

    def shown(self, selector: str) -> str:
        """What a list on the present screen shows, line by line."""
        found = self.app.screen.query_one(selector, LineList)
        lines = [found.line(y, found.line_width).text.rstrip() for y in range(found.size.height)]
        return "\n".join(lines)

    def title(self, selector: str) -> str:
        """What stands in a pane's frame."""
        found = self.app.screen.query_one(selector)
        return f"{found.border_title} {found.border_subtitle}"

    @property
    def toasts(self) -> list[str]:
        """What was said."""
        return [notification.message for notification in self.app._notifications]


async def go_to(pilot: Pilot[None], pane: str, row: str) -> None:
    """Go to a pane by its key, and in it to a row as a click would: many ``j`` take seconds."""
    await pilot.press(pane)
    focused = pilot.app.focused
    assert isinstance(focused, LineList)
    place = focused._index_of(row)
    assert place >= 0, row
    focused._go(place)
    await settled(pilot)


Opening = Callable[..., AbstractAsyncContextManager[Bench]]


@asynccontextmanager
async def opened(vault: Path, size: tuple[int, int] = (120, 40)) -> AsyncIterator[Bench]:
    """A workbench on ``vault`` that has come to rest."""
    async with app_on(vault).run_test(size=size) as pilot:
        await settled(pilot)
        yield Bench(pilot, vault)


def files_of(vault: Path) -> Mapping[str, bytes]:
    """Every file of a vault but the program's own state and index."""
    return {
        path.relative_to(vault).as_posix(): path.read_bytes()
        for path in sorted(vault.rglob("*"))
        if path.is_file()
        and not path.relative_to(vault).as_posix().startswith(("_state/", "_index/"))
    }
