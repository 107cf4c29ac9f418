"""The part of another program's file that Proofstone writes: one block between two markers.

Everything outside the markers belongs to others and stays byte for byte. A file whose markers are
damaged is refused rather than guessed at (spec page 8, render).
"""

from __future__ import annotations

import re

from proofstone.domain.errors import ProofstoneError

BEGIN = "<!-- proofstone:begin -->"
END = "<!-- proofstone:end -->"

_MARKER = re.compile(r"<!--[ \t]*proofstone:(?:begin|end)\b")
_LINE = re.compile(
    r"^\ufeff?[ \t]*(?P<marker><!--[ \t]*proofstone:(?P<which>begin|end)\b[^\r\n>]*-->)"
    r"[ \t]*(?=\r|\n|\Z)",
    re.M,
)
_BOM = "\ufeff"


class DamagedMarkersError(ProofstoneError):
    """The markers do not enclose exactly one block."""


def is_begin(line: str) -> bool:
    """Whether ``line`` opens a managed block."""
    match = _LINE.match(line)
    return match is not None and match["which"] == "begin"


def is_end(line: str) -> bool:
    """Whether ``line`` closes a managed block."""
    match = _LINE.match(line)
    return match is not None and match["which"] == "end"


def framed(body: str) -> str:
    """The whole block: ``body`` between the markers, without a last line end."""
    return f"{BEGIN}\n{body}\n{END}"


def find(text: str) -> tuple[int, int] | None:
    """Where the managed block of a file stands, from marker to marker, or None without one.

    Raises:
        DamagedMarkersError: a marker stands alone, twice, in the wrong order, or within a line.
    """
    lines = list(_LINE.finditer(text))
    whole = {match.start("marker") for match in lines}
    for match in _MARKER.finditer(text):
        if match.start() not in whole:
            raise DamagedMarkersError(
                f"line {_line(text, match.start())}: a proofstone marker is cut short or shares"
                " its line with other text; put it on a line of its own, or remove it"
            )
    if not lines:
        return None
    if [match["which"] for match in lines] != ["begin", "end"]:
        where = ", ".join(f"{match['which']} in line {_line(text, match.end())}" for match in lines)
        raise DamagedMarkersError(
            f"the proofstone markers do not enclose exactly one block ({where});"
            " leave one begin marker and one end marker after it, or remove them all"
        )
    return lines[0].start("marker"), lines[1].end("marker")


def splice(text: str, block: str) -> str:
    """``text`` with its managed block replaced by ``block``, or with ``block`` after its end.

    ``block`` has LF line ends; it takes those of the block that it replaces, else the file's. What
    stands outside the markers is kept as it is.

    Raises:
        DamagedMarkersError: as `find`.
    """
    place = find(text)
    if place is not None:
        newline = newline_of(text[place[0] : place[1]])
        return text[: place[0]] + block.replace("\n", newline) + text[place[1] :]
    newline = newline_of(text)
    block = block.replace("\n", newline)
    words = text.removeprefix(_BOM)
    # A blank file needs no line of its own between; any other gets a blank one.
    wanted = 2 if words.strip() else 1 if words else 0
    breaks = words[len(words.rstrip()) :].count(newline)
    if wanted and not words.endswith(newline):
        breaks = 0
    return f"{text}{newline * max(0, wanted - breaks)}{block}{newline}"


def newline_of(text: str) -> str:
    """The line end that a text uses first; LF when it has none."""
    match = re.search(r"\r\n|\n", text)
    return match[0] if match else "\n"


def _line(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1
