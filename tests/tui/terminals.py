"""The workbench with two small terminals under it: one told everything, one as it is spared."""

from __future__ import annotations

from pathlib import Path

from model_terminal import ModelTerminal
from textual.driver import Driver
from textual.drivers.headless_driver import HeadlessDriver
from tui_bench import app_on

from proofstone.tui.app import ProofstoneApp
from proofstone.tui.thrift import thrifty_driver

SIZE = (120, 40)


class Terminals:
    """What both terminals show, and how much was written to each."""

    def __init__(self) -> None:
        self.plain, self.spared = ModelTerminal(*SIZE), ModelTerminal(*SIZE)
        self.plain_bytes = self.spared_bytes = 0

    def told(self, data: str) -> None:
        """What Textual writes."""
        self.plain_bytes += len(data.encode())
        self.plain.write(data)

    def written(self, data: str) -> None:
        """What is let through."""
        self.spared_bytes += len(data.encode())
        self.spared.write(data)

    def disturb(self) -> None:
        """Another program writes over both."""
        self.plain.disturb()
        self.spared.disturb()

    def driver(self) -> type[Driver]:
        """A driver that writes to the two, for an application that is run by a test."""
        told, written = self.told, self.written

        class ModelDriver(HeadlessDriver):
            """A terminal that is there, though nobody looks at it."""

            @property
            def is_headless(self) -> bool:
                return False

            def write(self, data: str) -> None:
                written(data)

        class Overheard(thrifty_driver(ModelDriver)):  # type: ignore[misc]
            """Keeps what is written before anything of it is left out."""

            def write(self, data: str) -> None:
                told(data)
                super().write(data)

        return Overheard


def app_in(terminals: Terminals, vault: Path) -> ProofstoneApp:
    """The workbench on ``vault``, writing to ``terminals``; run it with ``headless=False``."""
    app = app_on(vault)
    app.driver_class = terminals.driver()
    return app
