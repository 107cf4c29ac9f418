"""The Inquiries screen: questions that conflicts, supersessions and ambiguous matches left open."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.content import Content

from proofstone.curation.ages import age_of, in_words
from proofstone.domain.records import Inquiry, Proposal
from proofstone.tui.command import INQUIRIES
from proofstone.tui.commands import bindings_for
from proofstone.tui.panes.proposal import fact_row
from proofstone.tui.rows import LazyRows, Row, spaced, text_row
from proofstone.tui.screens.listing import ListingScreen
from proofstone.tui.widgets.line_list import LineList
from proofstone.tui.words import count, safe, without_secrets

if TYPE_CHECKING:
    from proofstone.curation.workspace import Workspace

OPEN = "open"
_PRIORITIES = ("high", "medium", "low")
_PRIORITY_STYLE = {"high": "$verdict-flag bold", "medium": "$ink", "low": "$ink-dim"}
_NAME_LETTERS = 40
_EMPTY = (
    "No inquiry was opened yet.\n\n"
    "One is opened when a proposal conflicts with a memory, would supersede one, or matches "
    "several, and when a memory is contested. Rulings close them."
)


class InquiriesScreen(ListingScreen):
    """Open questions first, answered ones below."""

    name_in_registry: ClassVar[str] = INQUIRIES
    title_of_detail: ClassVar[str] = "Inquiry"
    title_in_header: ClassVar[str] = "Inquiries"
    about: ClassVar[str] = (
        "Questions that only a person can answer: which of two holds, whether one replaces the "
        "other, which one is meant. ? open, the most pressing and then the oldest first · "
        "✓ answered, the latest first. A ruling on what an inquiry concerns answers it: enter "
        "goes to the first that waits or is in force; tab to the right and enter to any of them."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(INQUIRIES)

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw the inquiries."""
        ordered = in_order(workspace.holdings.inquiries)
        self._inquiries: dict[str, Inquiry] = {found.inquiry_id: found for found in ordered}
        self._order = list(self._inquiries)
        waiting = sum(found.status == OPEN for found in ordered)
        self.fill(
            LazyRows(self._order, self._build, fixed_height=2),
            detail=f"{waiting:,} open of {len(ordered):,}" if ordered else "",
            placeholder=_EMPTY,
        )

    def _build(self, index: int) -> Row:
        inquiry = self._inquiries[self._order[index]]
        is_open = inquiry.status == OPEN
        glyph, style = ("?", "$verdict-flag bold") if is_open else ("✓", "$verdict-pass")
        told = [
            Content.styled(f"{inquiry.status} · ", "$ink-dim"),
            safe(f"{inquiry.priority} priority", self._priority_style(inquiry), limit=40),
            Content.styled(f" · concerns {len(inquiry.concerns)}", "$ink-dim"),
        ]
        return Row(
            key=inquiry.inquiry_id,
            gutter=Content.assemble((glyph, style), " "),
            continuation=Content("  "),
            body=Content.assemble(
                safe(
                    self._readable(inquiry, _NAME_LETTERS),
                    "$ink" if is_open else "$ink-dim",
                    limit=300,
                ),
                "\n",
                *told,
            ),
            trailing=safe(self._age(inquiry.opened), "$ink-dim", limit=8),
        )

    @staticmethod
    def _priority_style(inquiry: Inquiry) -> str:
        if inquiry.status != OPEN:
            return "$ink-dim"
        return _PRIORITY_STYLE.get(inquiry.priority, "$ink")

    def _age(self, opened: str) -> str:
        return in_words(age_of(opened, self.workbench.context.now())) if opened else ""

    def _says(self, identifier: str) -> tuple[str, str]:
        """The words of what an inquiry concerns, and where it is now."""
        workspace = self.workspace
        found = workspace.named(identifier) if workspace is not None else None
        if workspace is None or found is None:
            return "", "not in this vault"
        if isinstance(found, Proposal):
            state = "waits" if found.is_waiting else f"{found.status.value} already"
            return found.statement, f"proposal, {state}"
        is_held = found is workspace.in_force(identifier)
        return found.statement, f"memory, {found.standing.value}" if is_held else "in history"

    def _readable(self, inquiry: Inquiry, letters: int = 400) -> str:
        """The question with words in the place of ids, at most ``letters`` of each statement."""
        question = inquiry.question
        for identifier in inquiry.concerns:
            words, _ = self._says(identifier)
            if words:
                # Covered before they are cut, so that no half of a secret is left.
                said = without_secrets(words).rstrip(".")
                short = said if len(said) <= letters else f"{said[:letters].rstrip()}…"
                question = question.replace(identifier, f"“{short}”")
        return question

    def detail_rows(self, key: str) -> list[Row]:
        """The question in full, what it is about, and what became of it."""
        inquiry = self._inquiries[key]
        age = self._age(inquiry.opened)
        standing = text_row(
            "standing",
            safe(inquiry.status, "$ink", limit=40),
            (" · ", "$ink-dim"),
            safe(f"{inquiry.priority} priority", self._priority_style(inquiry), limit=40),
            (f" · {age} ago" if age else "", "$ink-dim"),
        )
        facts = [
            ("opened", _minute(inquiry.opened)),
            ("answered", _minute(inquiry.answered)),
            ("answer", inquiry.answer),
            ("id", inquiry.inquiry_id),
        ]
        context = [
            text_row("context-title", ("Why it was asked", "$ink-title bold")),
            text_row("context", safe(inquiry.context, "$ink", newlines=True)),
        ]
        concerned = [
            text_row("concerns", (f"Concerns ({len(inquiry.concerns)})", "$ink-title bold"))
        ]
        concerned += [self._concerned(identifier) for identifier in inquiry.concerns]
        return spaced(
            [
                [text_row("question", safe(self._readable(inquiry), "$ink bold", newlines=True))],
                [standing],
                concerned if inquiry.concerns else [],
                context if inquiry.context else [],
                [fact_row(name, value) for name, value in facts if value],
            ]
        )

    def _concerned(self, identifier: str) -> Row:
        words, where = self._says(identifier)
        return Row(
            key=identifier,
            gutter=Content.styled("▌ ", "$link"),
            continuation=Content.styled("▌ ", "$link"),
            body=Content.assemble(
                safe(where, "$ink-title", limit=60),
                (" · ", "$ink-dim"),
                safe(identifier, "$ink-dim", limit=80),
                "\n" if words else "",
                safe(words, "$ink", limit=600),
            ),
            wrap=True,
        )

    def on_line_list_selected(self, event: LineList.Selected) -> None:
        """Enter goes to what is concerned."""
        event.stop()
        event.prevent_default()  # a listing goes to the detail
        if event.line_list is self._detail:
            self.workbench.go_to(event.key)
            return
        inquiry = self._inquiries[event.key]
        reachable = [name for name in inquiry.concerns if self.workbench.can_go_to(name)]
        if reachable:
            self.workbench.go_to(reachable[0])
        else:
            told = f"None of {count(len(inquiry.concerns), 'thing')} that it concerns waits now"
            self.app.notify(f"{told} or is in force.", title="nowhere to go", markup=False)


def in_order(inquiries: tuple[Inquiry, ...]) -> list[Inquiry]:
    """Open ones by priority and age, then answered ones with the latest first."""
    rank = {priority: place for place, priority in enumerate(_PRIORITIES)}

    def pressing(inquiry: Inquiry) -> tuple[int, str, str]:
        return rank.get(inquiry.priority, 1), inquiry.opened, inquiry.inquiry_id

    waiting = sorted((found for found in inquiries if found.status == OPEN), key=pressing)
    closed = [found for found in inquiries if found.status != OPEN]
    closed.sort(key=lambda found: (found.answered or found.opened, found.inquiry_id), reverse=True)
    return waiting + closed


def _minute(time: str) -> str:
    return time[:16].replace("T", " ")
