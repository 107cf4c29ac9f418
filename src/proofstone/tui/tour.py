"""The guided tour: where it is, going to a step, and leaving and coming back (spec page 7).

The tour only points: while it is on, every key does what it always does. Left with a key, it goes
on at the same step when it is asked for again.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from textual.screen import Screen

from proofstone.tui.personal import PersonalApp

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace
    from proofstone.tui.screens.main import MainScreen
    from proofstone.tui.tour_steps import TourStep
    from proofstone.tui.widgets.line_list import LineList
    from proofstone.tui.widgets.tour_bar import TourWords

PRESENTER_THEME = "high-contrast"
"""What the tour opens with unless a theme is named: it is read from the back row."""


class TourState(StrEnum):
    """Whether there is a tour, and whether it is on."""

    NONE = ""
    OFFERED = "offered"
    ON = "on"


@dataclass(slots=True)
class _Progress:
    state: TourState
    place: int = 0
    begun: bool = False


class TouringApp(PersonalApp):
    """An application that can be shown round.

    Args:
        tour: Whether a tour is offered, or is on from the start.
    """

    workspace: Workspace | None

    def __init__(
        self,
        *,
        folder: Path | None,
        theme: str | None,
        ansi_color: bool | None = None,
        tour: TourState = TourState.NONE,
    ) -> None:
        super().__init__(folder=folder, theme=theme, ansi_color=ansi_color)
        self._tour = _Progress(tour)

    @property
    def tour_state(self) -> TourState:
        """Whether there is a tour, and whether it is on."""
        return self._tour.state

    @property
    def tour_step(self) -> int:
        """The place of the step, from 0."""
        return self._tour.place

    async def begin_tour(self) -> None:
        """Go to the first step, once, if the tour is to be on from the start."""
        if self._tour.state is TourState.ON and not self._tour.begun:
            # The panes have to be laid out before one of them can take the focus.
            self.screen.call_after_refresh(self._go_to_step)

    async def command_tour(self) -> None:
        """Leave the tour, or take it up where it was left."""
        if self._tour.state is TourState.ON:
            self._tour.state = TourState.OFFERED
            await self._show_bars()
            key = self.keymap.label("tour")
            self.notify(f"{key} takes it up again at the same step.", title="tour")
        else:
            self._tour.state = TourState.ON
            await self._go_to_step()

    async def command_tour_next(self) -> None:
        """The next step; after the last, the tour ends and would begin anew."""
        from proofstone.tui.tour_steps import STEPS

        if self._tour.place + 1 < len(STEPS):
            self._tour.place += 1
            await self._go_to_step()
        else:
            self._tour.place = 0
            await self.command_tour()

    async def command_tour_back(self) -> None:
        """The step before."""
        if self._tour.place:
            self._tour.place -= 1
            await self._go_to_step()

    async def _go_to_step(self) -> None:
        from proofstone.tui.tour_steps import STEPS

        self._tour.begun = True
        await self._bring(STEPS[self._tour.place])
        await self._show_bars()

    async def show_tour_bar(self, screen: Screen[None]) -> None:
        """Let the tour speak on this screen, or be silent there."""
        from proofstone.tui.widgets.tour_bar import TourBar

        bars = list(screen.query(TourBar))
        if self._tour.state is not TourState.ON or not self._tour.begun:
            for bar in bars:
                await bar.remove()
        elif bars:
            bars[0].show(self._words())
        else:
            await screen.mount(TourBar(self._words()))

    async def _show_bars(self) -> None:
        from proofstone.tui.screens.base import WorkbenchScreen

        for screen in self.screen_stack:
            if isinstance(screen, WorkbenchScreen) and screen.is_mounted:
                await self.show_tour_bar(screen)
                screen.refresh_bars()

    def _words(self) -> TourWords:
        from proofstone.tui.tour_steps import STEPS
        from proofstone.tui.widgets.tour_bar import TourWords

        place, step = self._tour.place, STEPS[self._tour.place]
        label = self.keymap.label
        last = place + 1 == len(STEPS)
        return TourWords(
            heading=f"Tour {place + 1}/{len(STEPS)} · {step.title}",
            text=self.keymap.told(step.text),
            note=self._missing(step),
            back=f"{label('tour_back')} back",
            onward=f"{label('tour_next')} {'end' if last else 'next'}",
            leave=f"{label('tour')} leave",
        )

    def _missing(self, step: TourStep) -> str:
        """What to say where the step's proposal does not wait any more."""
        if self.workspace is None or not step.proposal or self._waiting(step):
            return ""
        return f"Its proposal was ruled on already; {self.keymap.label('undo')} takes that back."

    def _waiting(self, step: TourStep) -> str:
        queue = self.workspace.queue if self.workspace is not None else ()
        found = (v.proposal_id for v in queue if v.proposal_id.startswith(step.proposal))
        return next(found, "")

    # Going there

    async def _bring(self, step: TourStep) -> None:
        """Put the screen into the state that the step explains."""
        from proofstone.tui.command import MAIN
        from proofstone.tui.screens.base import WorkbenchScreen
        from proofstone.tui.screens.main import MainScreen

        if step.screen != MAIN:
            screen = self.screen
            if isinstance(screen, WorkbenchScreen) and screen.name_in_registry != step.screen:
                await screen.action_command(step.screen)
            return
        while not isinstance(self.screen, MainScreen) and len(self.screen_stack) > 1:
            await self.pop_screen()
        main = self.screen
        if isinstance(main, MainScreen):
            await self._bring_main(main, step)

    async def _bring_main(self, main: MainScreen, step: TourStep) -> None:
        if main.is_filtering:
            main.end_filter(clear=True)
        if main.has_class("-boundary") and not step.boundary:
            await main.command_boundary()
        if step.turn:
            _choose(main, main.turns_pane, step.turn)
        elif step.proposal:
            _choose(main, main.queue_pane, self._waiting(step))
        if step.boundary:
            if not main.has_class("-boundary"):
                await main.command_boundary()
            return
        pane = main.panes[step.pane - 1]
        await getattr(main, f"command_pane_{step.pane}")()
        if step.row is not None:
            _choose(main, pane, step.row(main.turn, main.proposal))


def _choose(main: MainScreen, pane: LineList, key: str) -> None:
    """Choose a row as a person's hand would."""
    from proofstone.tui.widgets.line_list import LineList

    if key and pane.move_to(key):
        main.on_line_list_highlighted(LineList.Highlighted(pane, pane.cursor, key))
