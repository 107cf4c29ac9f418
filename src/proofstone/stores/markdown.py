"""Markdown instructions as entries: top-level list items, paragraphs and tables under headings.

A list item keeps what is nested in it, and a fenced block belongs to what stands right before it:
an entry is what a person would call one instruction.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto

from proofstone.domain import managed_block

_HEADING = re.compile(r"(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*\Z")
_SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*\Z")
_ITEM = re.compile(r" {0,3}(?:[-+*]|\d{1,9}[.)])(?:[ \t]+|\Z)")
_FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})")
_RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})\Z")
_IMPORT = re.compile(r"@[^\s@]+\Z")
_INDENTED = re.compile(r"(?:[ ]{2,}|\t)\S")
_LEAD_IN = (":", "：")


class Piece(Enum):
    """What a piece of Markdown is."""

    ITEM = auto()
    PARAGRAPH = auto()
    COMMENT = auto()
    IMPORT = auto()
    LEAD_IN = auto()
    MANAGED = auto()
    HEADING = auto()
    """A heading with nothing below it; any other belongs to what it heads."""


@dataclass(slots=True)
class Block:
    """A piece with its first line, from 1, its words without the list mark, and its headings.

    ``width`` is how far a list item's text is indented, and the level of a heading.
    """

    piece: Piece
    line: int
    lines: list[str]
    headings: tuple[str, ...]
    width: int = 0

    @property
    def text(self) -> str:
        """The words; the lines of a list item lose the item's indentation."""
        width = self.width if self.piece is Piece.ITEM else 0
        kept = [line[width:] if line[:width].isspace() else line for line in self.lines]
        return "\n".join(line.rstrip() for line in kept).strip("\n")


def blocks(text: str, first_line: int = 1) -> list[Block]:
    """All pieces of ``text``, whose line ends are LF, in order."""
    reader = _Reader(first_line)
    for line in text.split("\n"):
        reader.read(line)
    reader.close()
    return [
        _named(block, after)
        for block, after in _with_next(reader.found)
        if block.piece is not Piece.HEADING or _heads_nothing(block, after)
    ]


@dataclass(slots=True)
class _Reader:
    """A pass over lines: one block is open at a time."""

    number: int
    found: list[Block] = field(default_factory=list)
    headings: list[tuple[int, str]] = field(default_factory=list)
    open: Block | None = None
    fence: str = ""
    blank: bool = False
    inside: Piece | None = None

    def read(self, line: str) -> None:
        number = self.number
        self.number += 1
        if self.inside is not None:
            self._read_enclosed(line)
        elif self.fence:
            self._append(line)
            if line.strip().startswith(self.fence) and not line.strip().strip(self.fence[0]):
                self.fence = ""
        elif managed_block.is_begin(line):
            self._start(Piece.MANAGED, number, line)
            self.inside = Piece.MANAGED
        elif not line.strip():
            self.blank = True
        else:
            self._read_words(line, number)
            self.blank = False

    def close(self) -> None:
        self.open = None
        self.inside = None
        self.fence = ""

    def _read_enclosed(self, line: str) -> None:
        self._append(line)
        ended = managed_block.is_end(line) if self.inside is Piece.MANAGED else "-->" in line
        if ended:
            self.close()

    def _read_words(self, line: str, number: int) -> None:
        fence = _FENCE.match(line)
        belongs = self.open is not None and (not self.blank or _INDENTED.match(line) is not None)
        if fence:
            self._read_fence(line, fence[1], number)
        elif heading := _HEADING.match(line):
            self._enter(len(heading[1]), heading[2], number)
        elif line.startswith("<!--"):
            self._start(Piece.COMMENT, number, line)
            self.inside = None if "-->" in line[4:] else Piece.COMMENT
            if self.inside is None:
                self.open = None
        elif self._is_setext(line):
            title = self.found.pop()
            self._enter(1 if "=" in line else 2, title.text, title.line)
        elif _RULE.match(line):
            self.open = None
        elif self._begins_item(line):
            self._start_item(line, number)
        elif _IMPORT.match(line.strip()):
            self._start(Piece.IMPORT, number, line)
            self.open = None
        elif belongs:
            self._append_after_blank(line)
        else:
            self._start(Piece.PARAGRAPH, number, line)

    def _read_fence(self, line: str, mark: str, number: int) -> None:
        """A fenced block goes with the paragraph before it, or with the item that it is part of."""
        is_apart = self.blank and _INDENTED.match(line) is None
        if self.open is None or (is_apart and self.open.piece is not Piece.PARAGRAPH):
            self._start(Piece.PARAGRAPH, number, line)
        else:
            self._append_after_blank(line)
        self.fence = mark

    def _is_setext(self, line: str) -> bool:
        return (
            not self.blank
            and self.open is not None
            and self.open.piece is Piece.PARAGRAPH
            and len(self.open.lines) == 1
            and not self.open.lines[0].startswith("|")
            and _SETEXT.match(line) is not None
        )

    def _begins_item(self, line: str) -> bool:
        """Whether a top-level list item begins: no nested one, and no year that ends a sentence."""
        match = _ITEM.match(line)
        if match is None or self.open is None:
            return match is not None
        if self.open.piece is Piece.ITEM:
            return len(line) - len(line.lstrip()) < 2
        number = match[0].strip().rstrip(".)")
        return self.blank or not number.isdigit() or number == "1"

    def _start_item(self, line: str, number: int) -> None:
        match = _ITEM.match(line)
        assert match is not None
        self._start(Piece.ITEM, number, line[match.end() :])
        assert self.open is not None
        self.open.width = match.end()

    def _start(self, piece: Piece, number: int, line: str) -> None:
        names = tuple(name for _, name in self.headings)
        self.open = Block(piece, number, [line], names)
        self.found.append(self.open)

    def _append(self, line: str) -> None:
        assert self.open is not None
        self.open.lines.append(line)

    def _append_after_blank(self, line: str) -> None:
        if self.blank:
            self._append("")
        self._append(line)

    def _enter(self, level: int, name: str, number: int) -> None:
        while self.headings and self.headings[-1][0] >= level:
            self.headings.pop()
        self.headings.append((level, name))
        names = tuple(heading for _, heading in self.headings)
        self.found.append(Block(Piece.HEADING, number, [name], names, width=level))
        self.open = None


def _with_next(found: list[Block]) -> Iterator[tuple[Block, Block | None]]:
    for index, block in enumerate(found):
        yield block, found[index + 1] if index + 1 < len(found) else None


def _heads_nothing(heading: Block, after: Block | None) -> bool:
    return after is None or (after.piece is Piece.HEADING and after.width <= heading.width)


def _named(block: Block, after: Block | None) -> Block:
    """A paragraph that only introduces the list below it says nothing by itself."""
    introduces = (
        block.piece is Piece.PARAGRAPH
        and after is not None
        and after.piece is Piece.ITEM
        and after.headings == block.headings
        and len(block.lines) <= 2
        and block.text.rstrip("* _").endswith(_LEAD_IN)
    )
    if introduces:
        block.piece = Piece.LEAD_IN
    return block
