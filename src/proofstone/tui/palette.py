"""The command palette: every command of a screen by name, those that cannot run with the reason."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from functools import partial

from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider, SearchIcon
from textual.content import Content

from proofstone.tui.commands import commands_for
from proofstone.tui.screens.base import WorkbenchScreen
from proofstone.tui.words import safe

OWN_COMMAND = "palette"
"""The command that opens the palette; it is not listed in it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A command as the palette lists it; ``why_not`` is empty where it can run."""

    command_id: str
    title: str
    help: str
    why_not: str

    def prompt(self, title: Content) -> Content:
        """The entry's lines under ``title``; what cannot run is struck through and says why.

        Of the help there is room for a first sentence; the help sheet has all of it.
        """
        if self.why_not:
            reason = safe(f"Not now: {self.why_not}", "$verdict-flag not bold", limit=300)
            return Content.assemble(title.stylize("$ink-dim strike"), "\n", reason)
        first, stop, _ = self.help.partition(". ")
        told = f"{first}." if stop else first
        return Content.assemble(title, "\n", safe(told, "$ink-dim not bold", limit=300))


def entries(screen: WorkbenchScreen) -> Iterator[Entry]:
    """What can be asked of ``screen`` now, in the registry's order."""
    now, keymap = screen.situation(), screen.workbench.keymap
    for listed in commands_for(screen.name_in_registry):
        if listed.id != OWN_COMMAND and listed.offered(now):
            command = keymap.live(listed)
            title = f"{command.title} ({command.key_label})"
            yield Entry(command.id, title, command.help, command.why_not(now))


class Palette(CommandPalette):
    """The palette with a sign that every terminal draws one cell wide."""

    def on_mount(self) -> None:
        """A picture of a glass is wider in some terminals than in others."""
        self.query_one(SearchIcon).icon = "/"


class CommandsProvider(Provider):
    """Gives the palette the commands of the registry."""

    def _entries(self) -> Iterator[Entry]:
        if isinstance(self.screen, WorkbenchScreen):
            yield from entries(self.screen)

    async def discover(self) -> Hits:
        """Every command, before anything is typed; first those that can run."""
        for entry in sorted(self._entries(), key=lambda entry: bool(entry.why_not)):
            prompt = entry.prompt(Content(entry.title))
            yield DiscoveryHit(prompt, self._run(entry), text=entry.title)

    async def search(self, query: str) -> Hits:
        """The commands whose names match; those that can run before those that cannot."""
        matcher = self.matcher(query)
        for entry in self._entries():
            score = matcher.match(entry.title)
            if score > 0:
                prompt = entry.prompt(matcher.highlight(entry.title))
                rank = score / 2 if entry.why_not else score
                yield Hit(rank, prompt, self._run(entry), text=entry.title)

    def _run(self, entry: Entry) -> Callable[[], Awaitable[None]]:
        assert isinstance(self.screen, WorkbenchScreen)
        return partial(self.screen.action_command, entry.command_id)
