"""Entries from a Markdown text, each titled by the heading that it stands under."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from proofstone.domain.rulings.steps import title_of
from proofstone.stores import markdown
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.markdown import Block, Piece

_LEFT_OUT = {
    Piece.COMMENT: "a comment",
    Piece.IMPORT: "it only names another file; read that file by itself",
    Piece.LEAD_IN: "it only introduces the list below it",
    Piece.HEADING: "a heading with nothing below it",
    Piece.MANAGED: "written by `proofstone render`",
}

Skip = Callable[[Block], str]


def entries(
    text: str,
    *,
    path: str,
    digest: str,
    found: Gathered,
    first_line: int = 1,
    applies_when: tuple[str, ...] = (),
    skip: Skip | None = None,
) -> Iterator[Entry]:
    """An entry for each list item, paragraph and table of ``text``; the rest goes to ``found``.

    ``skip`` gives the reason why a block is no memory in this format, empty when it is one.
    """
    for block in markdown.blocks(text, first_line):
        reason = _LEFT_OUT.get(block.piece) or (skip(block) if skip else "")
        if not reason and not block.text.strip("-*_=# \n"):
            reason = "it holds no words"
        if reason:
            found.leave(path, block.line, reason)
            continue
        yield Entry(
            text=block.text,
            path=path,
            line=block.line,
            digest=digest,
            title=_title(block),
            keywords=block.headings,
            applies_when=applies_when,
        )


def _title(block: Block) -> str:
    words = title_of(block.text)
    return f"{block.headings[-1]}: {words}" if block.headings else words
