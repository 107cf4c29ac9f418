"""Single lines of a plain note's header, found in its bytes (spec page 9).

A note in the form that programs write (``plain_note``) has each key once, at the start of a line.
To find a few lines is quicker than to go through all.
"""

from __future__ import annotations

import json

END = b"\n---\n"
"""Ends the header. ``data.find(END)`` is what the functions here call ``end``."""


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
    """The texts that a line holds as a JSON list."""
    return tuple(json.loads(written)) if written else ()


def body(data: bytes, end: int) -> str:
    """The words below the header."""
    return data[end + len(END) :].decode().removeprefix("\n").removesuffix("\n")
