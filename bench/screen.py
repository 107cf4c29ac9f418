"""What stands on a terminal after what was written to it: the words, without their colours.

Only cells that change are written, so a word that appears need not be in what was written.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder

from rich.cells import cell_len

_TOKEN = re.compile(
    r"\x1b\[(?P<row>[0-9]+);(?P<column>[0-9]+)H|\x1b\[(?P<steps>[0-9]*)C"
    r"|\x1b\[(?P<erased>[0-9]+)X|(?P<down>\x1b\[B)"
    r"|(?P<other>\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]P][^\x07\x1b]*(?:\x07|\x1b\\)|[^\[\]P]))"
    r"|(?P<back>\x08)|(?P<text>[^\x1b\x08]+)"
)
_LONGEST = 4_096
"""Characters after which a sequence that has no end is none."""


class Screen:
    """The words on a terminal of so many columns and rows."""

    def __init__(self, columns: int, rows: int) -> None:
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0
        self._decoded = getincrementaldecoder("utf-8")("replace").decode
        self._left = ""

    def write(self, data: bytes) -> None:
        """Take in what was written; what is cut off waits for its end."""
        text = self._left + self._decoded(data)
        last = text.rfind("\x1b")
        is_cut = 0 <= len(text) - last < _LONGEST and last >= 0 and not _TOKEN.match(text, last)
        text, self._left = (text[:last], text[last:]) if is_cut else (text, "")
        for token in _TOKEN.finditer(text):
            if token["row"]:
                self._row, self._column = int(token["row"]) - 1, int(token["column"]) - 1
            elif token["steps"] is not None:
                self._column += int(token["steps"] or 1)
            elif token["erased"]:
                column = self._column
                self._put(" " * int(token["erased"]))
                self._column = column
            elif token["down"]:
                self._row += 1
            elif token["back"]:
                self._column -= 1
            elif token["text"]:
                self._put(token["text"])

    def _put(self, text: str) -> None:
        if not 0 <= self._row < len(self._cells):
            return
        line = self._cells[self._row]
        for character in text:
            for cell in (character, "")[: cell_len(character)]:
                if 0 <= self._column < len(line):
                    line[self._column] = cell
                self._column += 1

    def __contains__(self, word: str) -> bool:
        return any(word in "".join(line) for line in self._cells)
