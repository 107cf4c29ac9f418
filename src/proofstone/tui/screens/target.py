"""Choosing the memories that a proposal replaces; matched ones and siblings come first."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input

from proofstone.tui.offering import COMPARED, Offers
from proofstone.tui.rows import JoinedRows, LazyRows, Row
from proofstone.tui.screens.dialog import Dialog
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.widgets.typed import TypedLine
from proofstone.tui.words import difference, safe


class TargetDialog(Dialog[tuple[str, ...]]):
    """Asks which memories are replaced."""

    wide: ClassVar[bool] = True
    keys: ClassVar[str] = "space marks · enter goes on · / narrows · esc cancels"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "mark", show=False),
        Binding("slash", "narrow", "narrow", show=False),
    ]

    def __init__(
        self,
        title: str,
        intro: Content | str,
        offers: Offers,
        *,
        statement: str,
        single: bool = False,
        chosen: str = "",
    ) -> None:
        super().__init__(title, intro)
        self._all = self._offers = offers
        self._words: Sequence[str] = ()
        self._statement = statement
        self._single = single
        self._chosen = chosen
        self._marked: tuple[str, ...] = (chosen,) if chosen and not single else ()

    def compose_fields(self) -> ComposeResult:
        """A line to narrow the list, and the list."""
        yield TypedLine(id="narrow", placeholder="narrow by words in title, statement or tags")
        yield LineList(id="targets", placeholder="No memory in force fits.")

    def on_mount(self) -> None:
        """Offered ones first."""
        super().on_mount()
        self._fill()
        targets = self.query_one(LineList)
        targets.set_marked(self._marked)
        targets.move_to(self._chosen)
        targets.focus()

    def _fill(self) -> None:
        offers = self._offers
        names = offers.identifiers
        # To wrap the words of all of very many, all of them would have to be looked at.
        whole = len(names) if len(names) <= COMPARED else offers.pointed_at

        def cut(index: int) -> Row:
            return replace(self._build(whole + index), wrap=False)

        self.query_one(LineList).set_rows(
            JoinedRows(
                [
                    LazyRows(names[:whole], self._build, fixed_height=None),
                    LazyRows(names[whole:], cut, fixed_height=2),
                ]
            )
        )

    def _build(self, index: int) -> Row:
        offer = self._offers[index]
        head = [safe(offer.title or offer.memory_id, "$ink-title bold", limit=160)]
        if offer.why:
            head.append(Content.styled(f"  {offer.why}", "$match"))
        words = (
            difference(offer.statement, self._statement)
            if offer.why
            else safe(offer.statement, "$ink-dim", limit=300)
        )
        return Row(
            key=offer.memory_id,
            body=Content.assemble(*head, "\n", words),
            gutter=Content(" "),
            continuation=Content(" "),
            wrap=True,
        )

    def action_mark(self) -> None:
        """Mark or unmark the memory under the cursor."""
        key = self.query_one(LineList).cursor_key
        if not key or self._single:
            return
        kept = tuple(marked for marked in self._marked if marked != key)
        self._marked = kept if key in self._marked else (*kept, key)
        self.query_one(LineList).set_marked(self._marked)

    def action_narrow(self) -> None:
        """Go to the line that narrows the list."""
        self.query_one("#narrow").focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Keep what has the words."""
        event.stop()
        self._narrow(event.value.casefold().split())

    @work(exclusive=True, group="read")
    async def _narrow(self, words: Sequence[str]) -> None:
        typed_on = " ".join(words).startswith(" ".join(self._words))
        for found in (self._offers if typed_on else self._all).having(words):
            if found is None:
                await asyncio.sleep(0)
                continue
            self._offers, self._words = found, words
            self._fill()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Back to the list."""
        event.stop()
        self.query_one(LineList).focus()

    def on_line_list_highlighted(self, event: LineList.Highlighted) -> None:
        """Moving chooses nothing yet."""
        event.stop()

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Go on with the marked ones, or with the one under the cursor."""
        event.stop()
        self.dismiss(self._marked or (event.key,))
