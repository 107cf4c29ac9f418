"""What every screen of memories can do with the memory that is chosen."""

from __future__ import annotations

from proofstone.tui.screens.listing import ListingScreen


class MemoryRulings(ListingScreen):
    """A listing whose ``subject`` is a memory that can be ruled on."""

    async def command_tombstone(self) -> None:
        """To history as deleted."""
        self.workbench.start_ruling("tombstone", self.subject())

    async def command_edit(self) -> None:
        """Give it a new version."""
        self.workbench.start_ruling("edit", self.subject())

    async def command_contest(self) -> None:
        """Contest it, or take that back."""
        self.workbench.start_ruling("contest", self.subject())
