"""What stands in a file against what was expected there, for refusals to show."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

MAX_DIFFERENCE_LINES = 60
"""A longer difference is cut, and says by how many lines (docs/limits.md)."""
MAX_DIFFERENCE_BYTES = 256 * 1024
"""Of a larger file only the size is compared: lines are matched in more than linear time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A file that is not what was expected. None means that there is, or should be, no file."""

    path: str
    expected: bytes | None
    present: bytes | None

    @property
    def lines(self) -> tuple[str, ...]:
        """A short unified difference: untrusted text, one line each, without line ends."""
        if self.expected is None:
            return (f"{self.path}: there should be no file, and there is one",)
        if self.present is None:
            return (f"{self.path}: the file is gone",)
        if max(len(self.expected), len(self.present)) > MAX_DIFFERENCE_BYTES:
            sizes = f"{len(self.expected):,} bytes were expected, {len(self.present):,} are there"
            return (f"{self.path}: too large to compare line by line: {sizes}",)
        found = difflib.unified_diff(
            _lines(self.expected),
            _lines(self.present),
            fromfile=f"{self.path} as the ruling left it",
            tofile=f"{self.path} as it is now",
            n=1,
            lineterm="",
        )
        lines = list(found)
        left_off = len(lines) - MAX_DIFFERENCE_LINES
        if left_off > 0:
            lines[MAX_DIFFERENCE_LINES:] = [f"({left_off} more lines differ)"]
        return tuple(lines)


def _lines(content: bytes) -> list[str]:
    """The lines of a file; a last line that does not end says so, lest it look like the others."""
    text = content.decode("utf-8", "backslashreplace")
    lines = text.split("\n")
    if lines[-1]:
        lines[-1] += " (no line end)"
    else:
        lines.pop()
    return lines
