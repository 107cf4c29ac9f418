"""Anchors: where in the world a captured statement comes from (spec page 4, Capture).

An anchor is a place in a file (``path:line[:col]``), a document (``doc-<id>``), a reference
(``&<id>``), a pull request (``#12``, ``PR-12``), or a verbatim quote of at most 20 lines. Which
file a path means, and what its bytes are, is the caller's to find out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

MAX_LINES = 20

_FILE = re.compile(r"(?P<path>[^\s:][^:\n]*):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?", re.ASCII)
_DOCUMENT = re.compile(r"doc-(?P<id>\S+)")
_REFERENCE = re.compile(r"&(?P<id>\S+)")
_PULL_REQUEST = re.compile(r"(?:#|PR-)(?P<id>\d{1,9})", re.ASCII)


class AnchorKind(StrEnum):
    """What an anchor points at."""

    FILE = "file"
    DOCUMENT = "document"
    REFERENCE = "reference"
    PULL_REQUEST = "pull_request"
    QUOTE = "quote"


@dataclass(frozen=True, slots=True)
class Anchor:
    """An anchor, read. ``target`` is the path, the id, the number or the quoted words.

    ``line`` and ``column`` are as written, and given for files only.
    """

    kind: AnchorKind
    target: str
    line: int | None = None
    column: int | None = None


def parse(text: str) -> Anchor:
    """Read an anchor. Every text is one: what has no other form is a quote."""
    if match := _FILE.fullmatch(text):
        column = int(match["column"]) if match["column"] else None
        return Anchor(AnchorKind.FILE, match["path"], int(match["line"]), column)
    for kind, pattern in (
        (AnchorKind.DOCUMENT, _DOCUMENT),
        (AnchorKind.REFERENCE, _REFERENCE),
        (AnchorKind.PULL_REQUEST, _PULL_REQUEST),
    ):
        if match := pattern.fullmatch(text):
            return Anchor(kind, match["id"])
    return Anchor(AnchorKind.QUOTE, text)


def line_count(text: str) -> int:
    """Lines of an anchor as it was given: blank ones count, a last newline adds none."""
    return text.count("\n") + (not text.endswith("\n"))


def parts_inside_root(anchor: Anchor) -> tuple[str, ...] | None:
    """The steps of a file anchor's path below the anchor root.

    None when there is no file to hash: another kind of anchor, an absolute path, one with ``..``
    or a drive. Links are for the caller to refuse, step by step.
    """
    if anchor.kind is not AnchorKind.FILE:
        return None
    path = anchor.target.replace("\\", "/")
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.startswith("/") or ".." in steps or not steps or "\0" in path:
        return None
    return tuple(steps)
