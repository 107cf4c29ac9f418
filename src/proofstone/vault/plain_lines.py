"""Single lines of a plain note's header, found in its bytes (spec page 9).

A note in the form that programs write (``plain_note``) has each key once, at the start of a line.
To find a few lines is quicker than to go through all.
"""

from __future__ import annotations

import json

END = b"\n---\n"
"""Ends the header. ``data.find(END)`` is what the functions here call ``end``."""

_RATIFIED = b"\nratified:\n"


def line(data: bytes, key: bytes, end: int) -> bytes:
    """What is written after a key, such as ``b"\\ntags: "``; empty when the key is not there."""
    at = data.find(key, 0, end)
    if at < 0:
        return b""
    start = at + len(key)
    return data[start : data.index(b"\n", start)]


def text(written: bytes) -> str:
    """The text that a line holds as a JSON string; empty when there is no line."""
    if b"\\" in written:
        found = json.loads(written)
        return found if isinstance(found, str) else ""
    return written[1:-1].decode()


def texts(written: bytes) -> tuple[str, ...]:
    """The texts that a line holds as a JSON list; none when there is no line."""
    if len(written) <= len(b"[]"):
        return ()
    if b"\\" in written:
        return tuple(json.loads(written))
    # Without an escape no text has a quote in it. Several times as quick as reading JSON.
    return tuple(written[2:-2].decode().split('", "'))


def is_ratified(data: bytes, end: int) -> bool:
    """Whether a memory says that a person has ratified it."""
    return data.find(_RATIFIED, 0, end + 1) >= 0


def body(data: bytes, end: int) -> str:
    """The words below the header."""
    return data[end + len(END) :].decode().removeprefix("\n").removesuffix("\n")
