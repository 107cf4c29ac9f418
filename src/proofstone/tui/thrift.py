"""Fewer bytes to the terminal for the same picture: what a slow link feels at every key.

Textual paints whole panes and repeats every style. ``Thrift`` stands before the driver: of every
update it lets through only what changes the picture (``picture``). What does not paint, such as
mouse reporting or the clipboard, passes as it is; after anything else, and whenever somebody else
may have written to the terminal, the picture counts as unknown and is painted in full.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from threading import RLock

from textual.driver import Driver

from proofstone.tui.picture import Picture

SYNC_START, SYNC_END = "\x1b[?2026h", "\x1b[?2026l"
CHUNK = 8_192
"""Characters that are written at once on Windows, whose console fails on long writes."""

_HARMLESS = re.compile(
    r"\x1b\[\?(?:7|25|100[0-6]|101[56]|2004|2026|2048)[hl]"  # modes of input, cursor, wrapping
    r"|\x1b\[\?[0-9]+\$p|\x1b\[6n|\x1b\[c"  # questions
    r"|\x1b\[[<>=][0-9;]*u"  # how keys are reported
    r"|\x1b\[[0-9]* q"  # the cursor's shape
    r"|\x1b\](?:0|2|22|52);[^\x07\x1b]*(?:\x07|\x1b\\)"  # title, pointer, clipboard
    r"|\x1bPtmux;\x1b\x1b\]52;[^\x07\x1b]*(?:\x07\x1b\\|\x1b\x1b\\\\\x1b\\)"  # clipboard, in tmux
    r"|\x07"
)
"""Controls that paint nothing and leave the cursor where it is."""
_BEGINS_UPDATE = re.compile(r"\x1b\[[0-9]+;[0-9]+H")
_ENDS_UPDATE = re.compile(r"\x1b\[[0-9]+;[0-9]+H\Z")

_ERASE_IN_COLOUR = (
    "xterm", "tmux", "linux", "alacritty", "foot", "ghostty", "gnome", "kitty", "konsole", "rxvt",
    "st-", "vte", "wezterm",
)  # fmt: skip
"""Terminals, by how their names begin, in which erased cells take the colour of the ground."""


def erases_in_colour(environ: Mapping[str, str]) -> bool:
    """Whether cells that the terminal erases are known to take the colour of the ground.

    In GNU Screen, whose name tmux may go by too, they do not.
    """
    name = environ.get("TERM", "")
    return name.startswith(_ERASE_IN_COLOUR) or (
        name.startswith("screen") and bool(environ.get("TMUX"))
    )


class Thrift:
    """Between Textual and the driver: takes what is written, and gives what has to be."""

    def __init__(self, *, erases: bool = False) -> None:
        self._picture = Picture(erases=erases)
        self._held = ""
        self._sync_waits = False
        self._sync_is_on = False

    def forget(self, width: int = 0) -> None:
        """The terminal may show anything now; it has so many columns, or 0 if nobody knows."""
        self._picture.forget(width)

    def written(self, data: str) -> str:
        """What has to be written for ``data``.

        An update may come in several parts, as it does on Windows: it is held until it is whole,
        which a last move of the cursor shows, or something else comes.
        """
        is_harmless = bool(_HARMLESS.fullmatch(data))
        if not is_harmless and (self._held or _BEGINS_UPDATE.match(data)):
            self._held += data
            return self.flushed() if _ENDS_UPDATE.search(self._held[-16:]) else ""
        before = self.flushed()
        if data == SYNC_START:
            # An update that changes nothing needs no marks around it either.
            self._sync_waits = True
            return before
        if data == SYNC_END:
            self._sync_waits = False
            told, self._sync_is_on = (data if self._sync_is_on else ""), False
            return before + told
        return before + (self._begun(data) if is_harmless else self._update(data))

    def flushed(self) -> str:
        """What has to be written for what was held."""
        data, self._held = self._held, ""
        return self._update(data) if data else ""

    def _update(self, data: str) -> str:
        changed = self._picture.change(data)
        return self._begun(data if changed is None else changed)

    def _begun(self, data: str) -> str:
        if not data or not self._sync_waits:
            return data
        self._sync_waits, self._sync_is_on = False, True
        return SYNC_START + data


class ThriftyDriver:
    """What a thrifty driver can do beside what every driver can."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)
        self._thrift = Thrift(erases=erases_in_colour(os.environ))
        # Mouse reporting is switched on from the thread that reads keys, and a signal may bring
        # the terminal back in the middle of a write.
        self._lock = RLock()

    def forget(self, width: int) -> None:
        """Paint in full what is painted next: the terminal, so many columns wide, may show
        anything."""
        self._thrift.forget(width)


def thrifty_driver(base: type[Driver]) -> type[Driver]:
    """The platform's driver, leaving out what the terminal shows already."""

    class Thrifty(ThriftyDriver, base):  # type: ignore[misc, valid-type]
        """Writes to the terminal what ``Thrift`` gives."""

        def write(self, data: str) -> None:
            with self._lock:
                self._pass_on(self._thrift.written(data))

        def flush(self) -> None:
            with self._lock:
                self._pass_on(self._thrift.flushed())
                super().flush()

        def _pass_on(self, data: str) -> None:
            length = CHUNK if sys.platform == "win32" else max(1, len(data))
            for start in range(0, len(data), length):
                super().write(data[start : start + length])

    return Thrifty
