"""What a ruling would write, file by file and line by line, before it is written."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from proofstone.curation.rulings import Preview
from proofstone.domain.plan import FileChange
from proofstone.tui.rows import Row, Rows, text_row
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import count, safe

_CONTEXT_LINES = 2
_LINES_PER_FILE = 400


class PreviewDialog(Dialog[bool]):
    """Shows the changes; where asked to, takes the confirmation that writes them."""

    wide: ClassVar[bool] = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "write it", show=False, priority=True),
        Binding("q", "close", "close", show=False),
        Binding("p", "close", "close", show=False),
    ]

    def __init__(self, title: str, preview: Preview, *, confirm: bool, note: str = "") -> None:
        self._confirm = confirm
        self._preview = preview
        files = sum(len(row.changes) for row in preview.rows)
        told = f"{count(files, 'file')} would change. {note}".strip()
        super().__init__(title, told)

    def compose_fields(self) -> ComposeResult:
        """The list of changes."""
        yield LineList(id="changes", placeholder="Nothing would change.")

    def on_mount(self) -> None:
        """Draw every file's difference."""
        super().on_mount()
        self.query_one("#box").border_subtitle = Content(
            "enter writes it · esc leaves everything as it was" if self._confirm else "esc closes"
        )
        rows = [row for part in self._preview.rows for row in _subject_rows(part.subject, part.why)]
        for part in self._preview.rows:
            rows += change_rows(part.changes, prefix=part.subject)
        changes = self.query_one(LineList)
        changes.set_rows(Rows(rows))
        changes.focus()

    def action_accept(self) -> None:
        """Write it, where this is a confirmation; otherwise close."""
        self.dismiss(self._confirm)


def _subject_rows(subject: str, why: str) -> Iterator[Row]:
    if why:
        yield text_row(
            f"out-{subject}", ("left out  ", "$verdict-flag bold"), safe(f"{subject}: {why}")
        )


def change_rows(changes: Sequence[FileChange], prefix: str = "") -> list[Row]:
    """Each file with its removed and added lines."""
    rows: list[Row] = []
    for number, change in enumerate(changes):
        if rows:
            rows.append(text_row(f"{prefix}-gap-{number}", ""))
        word, style = _sort(change)
        rows.append(
            text_row(
                f"{prefix}-file-{number}",
                (f"{word:<8}", f"{style} bold"),
                safe(change.path, "$ink-title bold", limit=200),
                wrap=False,
            )
        )
        lines = list(_lines(change))
        for place, (sign, text) in enumerate(lines[:_LINES_PER_FILE]):
            rows.append(_line_row(f"{prefix}-{number}-{place}", sign, text))
        if len(lines) > _LINES_PER_FILE:
            left = count(len(lines) - _LINES_PER_FILE, "more line")
            rows.append(text_row(f"{prefix}-{number}-rest", (f"  … {left}", "$ink-dim")))
    return rows


def _sort(change: FileChange) -> tuple[str, str]:
    if change.before is None:
        return "new", "$diff-added"
    if change.after is None:
        return "removed", "$diff-removed"
    return "changed", "$ink-key"


def _lines(change: FileChange) -> Iterator[tuple[str, str]]:
    before = (change.before or b"").decode("utf-8", "replace").splitlines()
    after = (change.after or b"").decode("utf-8", "replace").splitlines()
    if change.before is None:
        yield from (("+", line) for line in after)
    elif change.after is None:
        yield from (("-", line) for line in before)
    else:
        for line in difflib.unified_diff(before, after, n=_CONTEXT_LINES, lineterm=""):
            if line.startswith(("---", "+++")):
                continue
            yield ("@", "⋯") if line.startswith("@@") else (line[:1], line[1:])


def _line_row(key: str, sign: str, text: str) -> Row:
    style = {"+": "$diff-added", "-": "$diff-removed"}.get(sign, "$ink-dim")
    return Row(
        key=key,
        gutter=Content.assemble((f"  {sign if sign in '+-' else ' '} ", style)),
        continuation=Content("    "),
        body=safe(text, style, limit=1_000),
        wrap=True,
        selectable=False,
    )
