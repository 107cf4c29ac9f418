"""Any screen as plain text in reading order, for screen readers and pipes (spec page 9).

Made of the very rows that the panes draw, pane after pane: signs become words, what is set off by
colour or line is set off by brackets, and nothing is cut or drawn with boxes.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from textual.content import Content
from textual.screen import Screen

from proofstone.curation.context import Context
from proofstone.domain.shown import shown_text
from proofstone.tui.personal import personal_folder, require_theme
from proofstone.tui.rows import Row
from proofstone.tui.snapshot import at_screen, headless
from proofstone.tui.widgets.bars import VaultHeader
from proofstone.tui.widgets.line_list import LineList

_ROOM = (200, 60)
"""Room enough for every pane to be laid out; no text is cut to it."""

_DRAWING = re.compile("[\u2500-\u259f]+")
_SPACES = re.compile("[ \t]{2,}")

_VERDICTS = {"✓": "pass", "!": "flag", "✗": "block", "–": "not applicable"}
_SIGNS: Mapping[str, Mapping[str, str]] = {
    "turns": dict.fromkeys("!…✗○✓✎", ""),  # the second line says it in words
    "queue": {"✓": "clean", "!": "flagged", "✗": "rejected", "?": "unverified"},
    "verifier": _VERDICTS,
    "memories": {"●": "reviewed", "○": "unreviewed"},
    "log": {"●": "in force", "○": "undone", "✗": "cut short"},
    "problems": {"✗": "error", "!": "warning"},
}
"""What the sign before a row means, by pane or screen; elsewhere signs stay as they are."""

_SET_OFF = (
    ("$diff-removed strike", "[-", "-]"),
    ("$diff-added bold underline", "{+", "+}"),
    ("$ink-quote on $ground-quote underline", "«", "»"),
)
"""Styles that say something, and the brackets that say it in plain text."""


def plain(path: Path, context: Context, *, screen: str = "main") -> str:
    """A screen of the workbench on the vault at ``path``, as text.

    Raises:
        ProofstoneError: there is no such screen, or the vault cannot be opened.
    """
    app = headless(path, context, screen=screen)

    async def read() -> str:
        async with app.run_test(size=_ROOM) as pilot:
            await at_screen(pilot, screen)
            return "\n".join(lines_of(app.screen, screen)) + "\n"

    return asyncio.run(read())


def require_own_theme(name: str) -> None:
    """Refuse a theme that is neither shipped nor the person's, where none is painted either.

    Raises:
        ThemeError: there is no such theme.
    """
    require_theme(name, personal_folder())


def lines_of(screen: Screen[object], name: str) -> Iterator[str]:
    """The lines of what a screen shows, its header first."""
    for header in screen.query(VaultHeader):
        yield _cleaned(header.render().plain)
    within = screen.query("BoundaryView LineList" if name == "boundary" else "LineList")
    lists = [found for found in within.results(LineList) if found.region.area]
    for found in lists:
        yield ""
        yield from _pane_lines(found, name)


def _pane_lines(found: LineList, screen: str) -> Iterator[str]:
    title = _cleaned(_plain_markup(found.border_title)) or screen.capitalize()
    subtitle = _cleaned(_plain_markup(found.border_subtitle))
    yield f"{title} ({subtitle})" if subtitle else title
    if not len(found.source):
        yield from (f"  {_cleaned(line)}" for line in found.placeholder.splitlines() if line)
    signs = _SIGNS.get(found.id or "") or (_SIGNS.get(screen, {}) if found.id == "items" else {})
    chosen = found.cursor if found.can_focus else -1
    for index in range(len(found.source)):
        yield from _row_lines(found.source.row(index), signs, chosen=index == chosen)


def _row_lines(row: Row, signs: Mapping[str, str], *, chosen: bool) -> Iterator[str]:
    before = _cleaned(row.gutter.plain)
    before = signs.get(before, before)
    after = _cleaned(row.trailing.plain)
    first, *rest = (_cleaned(line) for line in _with_brackets(row.body).split("\n"))
    told = f"{before}: {first}" if before and first else before or first
    if after:
        told = f"{told} ({after})"
    if told:
        yield f"  {'selected: ' if chosen else ''}{told}"
    yield from (f"    {line}" for line in rest if line)


def _with_brackets(body: Content) -> str:
    """The text, with brackets around what styles alone would set off."""
    marks: list[tuple[int, int, str]] = []
    for span in body.spans:
        for style, opening, closing in _SET_OFF:
            if span.style == style and body.plain[span.start : span.end].strip():
                marks += [(span.start, 1, opening), (span.end, 0, closing)]
    text, at = "", 0
    for place, _, bracket in sorted(marks):
        text += body.plain[at:place] + bracket
        at = place
    return text + body.plain[at:]


def _plain_markup(title: str | None) -> str:
    return Content.from_markup(title).plain if title else ""


def _cleaned(line: str) -> str:
    """A line without drawn signs, and harmless to any terminal or reader."""
    return _SPACES.sub(" ", _DRAWING.sub("", shown_text(line))).strip()
