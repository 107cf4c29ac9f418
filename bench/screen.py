"""What stands on a terminal after what was written to it: the words, without their colours.

Only cells that change are written, so a word that appears need not be in what was written.
"""

from __future__ import annotations

import re

from rich.cells import cell_len

_TOKEN = re.compile(
    r"\x1b\[(?P<row>[0-9]+);(?P<column>[0-9]+)H|\x1b\[(?P<steps>[0-9]*)C"
    r"|\x1b[\[\]P_][^\x07\x1b]*?(?:[@-Z\\^-~]|\x07)|\x1b.|(?P<text>[^\x1b]+)",
    re.DOTALL,
)


class Screen:
    """The words on a terminal of so many columns and rows."""

    def __init__(self, columns: int, rows: int) -> None:
        self._cells = [[" "] * columns for _ in range(rows)]
        self._row = self._column = 0
        self._left = b""

    def write(self, data: bytes) -> None:
        """Take in what was written; a character or sequence that is cut waits for its end."""
        whole = self._left + data
        cut = whole.rfind(b"\x1b")
        is_cut = cut >= 0 and len(whole) - cut < 40 and not _TOKEN.fullmatch(_decoded(whole[cut:]))
        end = cut if is_cut and b"m" not in whole[cut:] else len(whole)
        self._left = whole[end:]
        for token in _TOKEN.finditer(_decoded(whole[:end])):
            if token["row"]:
                self._row, self._column = int(token["row"]) - 1, int(token["column"]) - 1
            elif token["steps"] is not None:
                self._column += int(token["steps"] or 1)
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


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")
