"""The dialog of a privacy purge: what it cannot do comes first, then every file that it touches."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.content import Content
from textual.events import Resize
from textual.widgets import Input, Static

from proofstone.domain.rulings import Choices
from proofstone.domain.rulings.terms import TOMBSTONE_REASONS
from proofstone.tui.rows import Row, Rows, text_row
from proofstone.tui.screens.dialog import REASON_WORDS, Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import count, safe, spoken

if TYPE_CHECKING:
    from proofstone.curation.purging import PurgePreview


_SHORT = 30


class PurgeDialog(Dialog[Choices]):
    """Asks for a reason and the typed short id; gives back both, or None.

    Args:
        shown: What the purge would do.
        words: The statement that goes.
    """

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "tab moves on · enter after the short id purges · esc leaves all as it is"
    DEFAULT_CSS = """
    PurgeDialog {
        & > #box.-wide #files { height: 1fr; min-height: 2; }
        & > #box.-wide #reasons { height: 5; }
        &.-short > #box.-wide #reasons { height: 3; }
        & #files:focus, & #reasons:focus { background: $ground-cursor-idle; }
    }
    """

    def __init__(self, shown: PurgePreview, words: str) -> None:
        intro = Content.assemble(
            safe(shown.warning, "$verdict-block bold", limit=1_000),
            "\n",
            safe(words, "$ink bold", limit=240),
        )
        super().__init__(f"Purge {shown.short_id}", intro)
        self._shown = shown

    def compose_fields(self) -> ComposeResult:
        """Files, reasons, and the line for the short id."""
        shown = self._shown
        told = f"{count(len(shown.files), 'file is', 'files are')} changed, removed or made"
        if shown.others:
            told += f" · {len(shown.others):,} left alone"
        yield Static(told, classes="label", markup=False)
        yield LineList(id="files")
        yield Static("Purge, because…", classes="label", markup=False)
        yield LineList(id="reasons")
        yield Static(
            f"To purge it for good, type its short id: {shown.short_id}",
            classes="label",
            markup=False,
        )
        yield Input(id="confirm", max_length=80)

    def on_mount(self) -> None:
        """Start with the reasons; the files can be scrolled."""
        super().on_mount()
        self.query_one("#files", LineList).set_rows(Rows(_file_rows(self._shown)))
        widest = max(len(spoken(reason)) for reason in TOMBSTONE_REASONS)
        reasons = self.query_one("#reasons", LineList)
        reasons.set_rows(
            Rows(
                [
                    Row(
                        key=reason,
                        body=Content.assemble(
                            (f"{spoken(reason):<{widest}}", "$ink bold"),
                            "  ",
                            (REASON_WORDS.get(reason, ""), "$ink-dim"),
                        ),
                    )
                    for reason in TOMBSTONE_REASONS
                ]
            )
        )
        reasons.focus()

    def on_resize(self, event: Resize) -> None:
        """Where there is little room, the files have more need of it than the reasons."""
        super().on_resize(event)
        self.set_class(event.size.height < _SHORT, "-short")

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Moving chooses nothing yet."""
        event.stop()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter on a reason goes on to the short id: nothing is purged by enter alone."""
        event.stop()
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Purge, if what was typed is the short id."""
        event.stop()
        typed = event.value.strip()
        if typed != self._shown.short_id:
            self.say_fault(f"Type {self._shown.short_id} to purge it; esc leaves all as it is.")
            return
        reason = self.query_one("#reasons", LineList).cursor_key
        self.dismiss(Choices(reason=reason, confirm=typed))


def _file_rows(shown: PurgePreview) -> list[Row]:
    rows = [
        text_row(
            f"file-{place}",
            ("✗ ", "$verdict-block bold"),
            safe(path, "$ink bold", limit=200),
            "  ",
            safe(what, "$ink-dim", limit=300),
        )
        for place, (path, what) in enumerate(shown.files)
    ]
    rows += [
        text_row(
            f"other-{place}",
            ("! left alone: ", "$verdict-flag bold"),
            safe(path, "$ink bold", limit=200),
            "  ",
            safe(why, "$ink-dim", limit=300),
        )
        for place, (path, why) in enumerate(shown.others)
    ]
    return rows
