"""The lines above and below: what is open, which panes there are, which keys do what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len
from textual.content import Content
from textual.events import Click, Resize
from textual.geometry import Region, Size
from textual.message import Message
from textual.widget import Widget

from proofstone.tui.command import OPTIONAL, Command, label
from proofstone.tui.counts import Counts
from proofstone.tui.words import safe

_HIGH = 36
"""Lines of a window that can spare one for the keys that are offered only where there is room."""
_SPARED_LINES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What the header says of the vault."""

    name: str = ""
    author: str = ""
    screen: str = ""
    counts: Counts | None = None
    """None while the vault is being read."""
    note: str = ""
    """What is going on just now, such as a ruling being written."""


class VaultHeader(Widget):
    """Vault, counts and author, on one line."""

    DEFAULT_CSS = """
    VaultHeader { height: 1; dock: top; background: $ground-bar; color: $ink; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._standing = Standing()

    def show(self, standing: Standing) -> None:
        """Say something else."""
        if standing != self._standing:
            self._standing = standing
            self.refresh()

    def render(self) -> Content:
        """The line, cut to the width that there is: first the author goes, then counts, the
        last one first."""
        said = self._standing
        width = self.size.width
        left = Content.assemble(
            (" Proofstone ", "$ink-key bold"),
            safe(said.name, "$ink bold", limit=60),
            (f" › {said.screen}" if said.screen else "", "$ink-title"),
        )
        note = Content.assemble("   ", safe(said.note, "$ink-dim", limit=80)) if said.note else ""
        told = self._counts()
        while True:
            counts = Content.styled(" · ", "$ink-dim").join(told)
            middle = Content.assemble("   ", counts, note)
            if not told or left.cell_length + middle.cell_length <= width:
                break
            told.pop()
        right = Content.assemble(("as ", "$ink-dim"), safe(said.author, "$ink", limit=40), " ")
        room = width - left.cell_length - middle.cell_length
        if room < 0:
            return left
        if room < right.cell_length + 2:
            return left + middle
        return left + middle + Content(" " * (room - right.cell_length)) + right

    def _counts(self) -> list[Content]:
        counts = self._standing.counts
        if counts is None:
            return []
        parts = [
            (counts.waiting, "waiting", "$ink"),
            (counts.deferred, "deferred", "$decision-deferred"),
            (counts.unreviewed, "unreviewed", "$verdict-flag"),
            (counts.problems, "problem" if counts.problems == 1 else "problems", "$verdict-block"),
        ]
        told = [
            Content.assemble((f"{number:,}", f"{style} bold"), (f" {word}", "$ink-dim"))
            for number, word, style in parts
            if number or word == "waiting"
        ]
        if counts.backlog:
            told.insert(1, Content.styled(f"! {counts.backlog}", "$verdict-flag bold"))
        return told


class KeyBar(Widget):
    """Keys and what they do; what cannot run now is dimmed and in brackets."""

    DEFAULT_CSS = """
    KeyBar { height: auto; dock: bottom; background: $ground-bar; color: $ink; padding: 0 1; }
    """

    class Pressed(Message):
        """An entry was clicked."""

        def __init__(self, command_id: str) -> None:
            super().__init__()
            self.command_id = command_id

    def __init__(self) -> None:
        super().__init__()
        self._entries: tuple[tuple[Command, bool], ...] = ()

    def show(self, entries: Sequence[tuple[Command, bool]]) -> None:
        """Offer these commands; the flag says whether each can run now."""
        now = tuple(entries)
        if now != self._entries:
            relayout = [c for c, _ in now] != [c for c, _ in self._entries]
            self._entries = now
            self.refresh(layout=relayout)

    def _lines(self, width: int) -> list[list[tuple[Command, bool]]]:
        lines: list[list[tuple[Command, bool]]] = [[]]
        used = 0
        spared = _SPARED_LINES if self.app.size.height >= _HIGH else 1
        for command, can_run in self._entries:
            cells = _entry_cells(command)
            if used and used + cells > width:
                if command.footer >= OPTIONAL and len(lines) >= spared:
                    continue
                lines.append([])
                used = 0
            lines[-1].append((command, can_run))
            used += cells
        return lines

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """One line, or two where they do not fit."""
        return len(self._lines(width))

    def render(self) -> Content:
        """The entries."""
        return Content("\n").join(
            Content("").join(_entry(command, can_run) for command, can_run in line)
            for line in self._lines(self.content_size.width)
        )

    async def _on_click(self, event: Click) -> None:
        offset = event.get_content_offset_capture(self)
        lines = self._lines(self.content_size.width)
        if not 0 <= offset.y < len(lines):
            return
        at = 0
        for command, _ in lines[offset.y]:
            at += _entry_cells(command)
            if offset.x < at:
                self.post_message(self.Pressed(command.id))
                return

    def _on_resize(self, event: Resize) -> None:
        self.refresh(layout=True)


def _entry_cells(command: Command) -> int:
    return cell_len(label(command.keys[0])) + 1 + cell_len(command.title) + 2


def _entry(command: Command, can_run: bool) -> Content:
    key = label(command.keys[0])
    if can_run:
        return Content.assemble((key, "$ink-key bold"), f" {command.title}  ")
    # Struck through as well as dimmed: the difference must not hang on colour.
    return Content.assemble((key, "$ink-dim"), " ", (command.title, "$ink-dim strike"), "  ")


class TabStrip(Widget):
    """The panes as tabs, where there is no room to show them side by side."""

    DEFAULT_CSS = """
    TabStrip { height: 1; display: none; background: $ground; color: $ink; padding: 0 1; }
    """

    class Pressed(Message):
        """A tab was clicked."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, titles: Sequence[tuple[int, str]]) -> None:
        super().__init__()
        self._titles = titles
        self._active = 0

    def show(self, active: int) -> None:
        """Mark the active tab."""
        if active != self._active:
            self._active = active
            self.refresh()

    def _tabs(self) -> list[str]:
        return [f" {number} {title} " for number, title in self._titles]

    def render(self) -> Content:
        """The tabs; the active one is set off by more than colour."""
        return Content("").join(
            Content.styled(tab, "$ink-key bold reverse" if number == self._active else "$ink-dim")
            for (number, _), tab in zip(self._titles, self._tabs(), strict=True)
        )

    def places(self) -> dict[int, Region]:
        """Where each tab stands on the screen, by its number; nowhere where it has no room."""
        inside, found, at = self.content_region, {}, 0
        for (number, _), tab in zip(self._titles, self._tabs(), strict=True):
            region = Region(inside.x + at, inside.y, cell_len(tab), 1)
            found[number] = region if region.right <= inside.right else Region()
            at += region.width
        return found

    async def _on_click(self, event: Click) -> None:
        at = 0
        x = event.get_content_offset_capture(self).x
        for (number, _), tab in zip(self._titles, self._tabs(), strict=True):
            at += cell_len(tab)
            if x < at:
                self.post_message(self.Pressed(number))
                return
