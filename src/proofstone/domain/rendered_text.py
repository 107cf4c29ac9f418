"""Statements as Markdown that cannot be more than a statement (spec page 8, render).

What is rendered goes into files that agents obey. Words that somebody had remembered must not be
able to close the block, begin a heading, open an HTML comment, pull in another file, or hide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from proofstone.domain.shown import shown

INDENT = "  "

_OPENING_FENCE = re.compile(r" {0,3}(?P<mark>`{3,}(?=[^`]*\Z)|~{3,})")
# What begins something else than a paragraph, behind any number of list marks.
_STRUCTURE = re.compile(
    r"\A(?P<space>\s*(?:(?:[-+*]|\d{1,9}[.)])\s+)*)"
    r"(?P<mark>#{1,6}(?=\s|\Z)|>|=+\s*\Z|-+\s*\Z|\*(?:\s*\*){2,}\s*\Z|_(?:\s*_){2,}\s*\Z"
    r"|<(?=[A-Za-z/!?])|`{3,}|~{3,})"
)
_FILE_REFERENCE = re.compile(r"(?<!\S)@(?=\S)")
# Joiners that stand between two letters of the scripts that write with them, or within a picture.
_JOINER = re.compile(
    "((?<=[^\x00-\u02ff\\s\u200b-\u200f])[\u200c\u200d](?=[^\x00-\u02ff\\s\u200b-\u200f]))"
)


def statement_lines(statement: str) -> list[str]:
    """The lines of a statement, safe to stand in a list item; none of them ends in white space."""
    lines = list(_safe_lines(_visible(statement).strip("\n").split("\n")))
    while lines and not lines[-1]:
        lines.pop()
    return lines or ["(no words)"]


def one_line(text: str) -> str:
    """``text`` as one line, safe to stand anywhere in a paragraph."""
    line = " ".join(_visible(text).split())
    return _FILE_REFERENCE.sub(r"\\@", _without_comments(line))


def link_text(text: str) -> str:
    """``text`` as one line, safe between the brackets of a link."""
    return re.sub(r"([\\\[\]])", r"\\\1", one_line(text))


def item(lines: list[str]) -> str:
    """Lines as one list item: the first after its mark, the others indented."""
    first, *rest = lines
    return "\n".join([f"- {first}", *(f"{INDENT}{line}" if line else "" for line in rest)])


def is_fence(line: str) -> bool:
    """Whether a line opens a fenced block."""
    return _OPENING_FENCE.match(line) is not None


def _safe_lines(lines: list[str]) -> Iterator[str]:
    fence = ""
    for line in lines:
        safe = _without_comments(line).rstrip()
        if fence:
            yield safe
            stripped = safe.strip()
            if stripped.startswith(fence) and not stripped.strip(fence[0]):
                fence = ""
            continue
        opening = _OPENING_FENCE.match(safe)
        if opening:
            fence = opening["mark"]
            yield safe.lstrip()
            continue
        yield _FILE_REFERENCE.sub(r"\\@", _STRUCTURE.sub(r"\g<space>\\\g<mark>", safe, count=1))
    if fence:
        yield fence


def _visible(text: str) -> str:
    """Every character that hides, or acts on a terminal, as a visible mark."""
    pieces = _JOINER.split(text.replace("\t", "    "))
    return "".join(
        piece if at % 2 else shown(piece, newlines=True, limit=len(piece) + 1).text
        for at, piece in enumerate(pieces)
    )


def _without_comments(line: str) -> str:
    return line.replace("<!--", "&lt;!--").replace("-->", "--&gt;")
