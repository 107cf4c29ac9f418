"""The terminal under the workbench: writing little to it, and painting anew when in doubt."""

from __future__ import annotations

import gc

from textual.app import App
from textual.driver import Driver
from textual.events import AppFocus, Resize

from proofstone.tui.thrift import ThriftyDriver, thrifty_driver


class TerminalApp(App[None]):
    """An application that writes only what changes, as far as it knows what is shown.

    Whenever something else may have written to the terminal, all of it is painted: after a change
    of size, after a stop and a suspension, when the window is looked at again, and on request.
    """

    def get_driver_class(self) -> type[Driver]:
        """The platform's driver, sparing slow links what their terminal shows already."""
        return thrifty_driver(super().get_driver_class())

    def paint_anew(self, width: int = 0) -> None:
        """Paint everything, whatever the terminal shows; ``width`` is new, if it is given."""
        if isinstance(self._driver, ThriftyDriver):
            self._driver.forget(width or self.size.width)
        self.refresh()

    def on_resize(self, event: Resize) -> None:
        """A terminal that was resized, or continued after a stop, may show anything."""
        self.paint_anew(event.size.width)

    def on_app_focus(self, event: AppFocus) -> None:
        """While nobody looked, another program may have written to the terminal."""
        self.paint_anew()

    def keep_what_is_there(self) -> None:
        """Let the garbage collector pass over all that stays: it would stop a key for long.

        Without a terminal nobody waits for a key, and applications come and go in one process.
        """
        if not self.is_headless:
            gc.freeze()

    async def command_redraw(self) -> None:
        """Paint the screen anew, after something else has written over it."""
        self.paint_anew()
