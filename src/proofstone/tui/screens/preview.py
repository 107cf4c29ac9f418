"""What a ruling would write, file by file and line by line, before it is written."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content

from proofstone.curation.rulings import Preview, PreviewRow
from proofstone.domain.plan import FileChange
from proofstone.tui.rows import Row, Rows, text_row
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import count, safe, spoken

_CONTEXT_LINES = 2
_LINES_PER_FILE = 400


class PreviewDialog(Dialog[bool]):
    """Shows the changes; where asked to, takes the confirmation that writes them."""

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "enter writes it · esc leaves everything as it was"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "accept", "write it", show=False, priority=True),
        Binding("q", "close", "close", show=False),
        Binding("p", "close", "close", show=False),
    ]

    def __init__(
        self,
        title: str,
        preview: Preview,
        *,
        confirm: bool,
        words: Mapping[str, str] | None = None,
    ) -> None:
        self._confirm = confirm and bool(preview.allowed)
        self._preview = preview
        self._words = words or {}
        files = len({change.path for row in preview.rows for change in row.changes})
        told = f"{count(files, 'file')} would change."
        if len(preview.rows) > 1:
            told = f"{len(preview.allowed)} of {len(preview.rows)} can be ruled on; {told}"
        super().__init__(title, told)

    def told_keys(self) -> str:
        """Where nothing is asked there is nothing to confirm."""
        return super().told_keys() if self._confirm else "esc closes"

    def compose_fields(self) -> ComposeResult:
        """The list of changes."""
        yield LineList(id="changes", placeholder="Nothing would change.")

    def on_mount(self) -> None:
        """Draw every file's difference."""
        super().on_mount()
        rows = [self._verdict_row(part) for part in self._preview.rows if self._is_told(part)]
        for part in self._preview.rows:
            if part.changes and rows:
                rows.append(text_row(f"{part.subject}-gap", ""))
            rows += change_rows(part.changes, prefix=part.subject)
        changes = self.query_one(LineList)
        changes.set_rows(Rows(rows))
        changes.focus()

    def _is_told(self, part: PreviewRow) -> bool:
        """In a batch every row has its verdict; a single one only when it is left out."""
        return len(self._preview.rows) > 1 or not part.allowed

    def _verdict_row(self, part: PreviewRow) -> Row:
        """What becomes of one subject: its summary, or why it is left out."""
        if part.allowed:
            sign, style, told = "✓", "$verdict-pass", part.plan.summary if part.plan else ""
        else:
            sign, style, told = "✗", "$verdict-flag", f"left out: {part.why}"
        return Row(
            key=f"verdict-{part.subject}",
            gutter=Content.assemble((sign, f"{style} bold"), " "),
            continuation=Content("  "),
            body=Content.assemble(
                safe(self._words.get(part.subject, part.subject), "$ink bold", limit=300),
                "\n",
                safe(spoken(told), style, limit=400),
            ),
            wrap=True,
            selectable=False,
        )

    def action_enter(self) -> None:
        """There is nothing to choose among the changes."""
        self.action_accept()

    def action_accept(self) -> None:
        """Write it, where this is a confirmation; otherwise close."""
        self.dismiss(self._confirm)


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
    before, after = _text_lines(change.before), _text_lines(change.after)
    if change.before is None:
        yield from (("+", line) for line in after)
    elif change.after is None:
        yield from (("-", line) for line in before)
    else:
        for line in difflib.unified_diff(before, after, n=_CONTEXT_LINES, lineterm=""):
            if line.startswith(("---", "+++")):
                continue
            yield ("@", "⋯") if line.startswith("@@") else (line[:1], line[1:])


def _text_lines(content: bytes | None) -> list[str]:
    """The lines of a file, secrets covered: before they are cut into lines, to be known whole."""
    from proofstone.curation.masking import cover_each

    return cover_each([(content or b"").decode("utf-8", "replace")])[0].splitlines()


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
