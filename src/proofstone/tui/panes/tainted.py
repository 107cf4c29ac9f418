"""Words that try to steer an agent, marked where they stand, with the rule that found them."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from proofstone.domain.taint import TaintFinding
from proofstone.tui.rows import Row
from proofstone.tui.words import displayed, safe, safe_shown, spoken

TAINT_STYLE = "$taint reverse"
_LISTED = 5


def statement_words(statement: str, findings: Sequence[TaintFinding]) -> Content:
    """A statement with the exact spans of its findings marked."""
    view = displayed(statement, newlines=True)
    words = safe_shown(view, "$ink bold")
    for found in findings:
        words = words.stylize(TAINT_STYLE, *view.span(found.start, found.end))
    return words


def finding_rows(statement: str, findings: Sequence[TaintFinding]) -> list[Row]:
    """Each finding: the rule's name, the words, and where they stand."""
    rows = [
        Row(
            key=f"taint-{number}",
            gutter=Content("  "),
            continuation=Content("  "),
            body=Content.assemble(
                (spoken(found.rule), "$taint bold"),
                " “",
                safe(statement[found.start : found.end], "$ink", limit=200),
                (f"”  {found.start}–{found.end}", "$ink-dim"),
            ),
            wrap=True,
            selectable=False,
        )
        for number, found in enumerate(findings[:_LISTED])
    ]
    more = len(findings) - _LISTED
    if more > 0:
        rows.append(
            Row(
                key="taint-more",
                body=Content.styled(f"  and {more} more", "$ink-dim"),
                selectable=False,
            )
        )
    return rows
