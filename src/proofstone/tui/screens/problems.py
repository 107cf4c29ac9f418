"""The Problems screen: what could not be read, or not wholly, and what to do about it."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content

from proofstone.curation.workspace import Workspace
from proofstone.domain.records import Problem
from proofstone.tui.command import PROBLEMS
from proofstone.tui.commands import bindings_for
from proofstone.tui.panes.proposal import fact_row
from proofstone.tui.rows import LazyRows, Row, spaced, text_row
from proofstone.tui.screens.listing import ListingScreen
from proofstone.tui.words import safe, spoken

_LOOK = {"error": ("✗", "$verdict-block"), "warning": ("!", "$verdict-flag")}


class ProblemsScreen(ListingScreen):
    """What a person should look at."""

    name_in_registry: ClassVar[str] = PROBLEMS
    title_of_detail: ClassVar[str] = "Problem"
    title_in_header: ClassVar[str] = "Problems"
    about: ClassVar[str] = (
        "Notes and blocks that cannot be read, or not wholly. Each is kept exactly as it is; "
        "nothing here is rewritten, moved or counted as absent. Mend the file in an editor, then "
        "{reload} reads the vault again."
    )
    BINDINGS: ClassVar[list[BindingType]] = bindings_for(PROBLEMS)

    def show_workspace(self, workspace: Workspace, prefer: str = "") -> None:
        """Draw the problems."""
        self._problems: dict[str, Problem] = {
            f"{number}": problem for number, problem in enumerate(workspace.problems)
        }
        self.fill(
            LazyRows(list(self._problems), self._build, fixed_height=2),
            detail=f"{len(self._problems):,}" if self._problems else "",
            placeholder="No problems: every note and every block could be read.",
        )

    def _build(self, index: int) -> Row:
        problem = self._problems[f"{index}"]
        glyph, style = _LOOK.get(problem.severity, ("–", "$ink-dim"))
        return Row(
            key=f"{index}",
            gutter=Content.assemble((glyph, f"{style} bold"), " "),
            continuation=Content("  "),
            body=Content.assemble(
                safe(_where(problem), "$ink", limit=200),
                "\n",
                safe(problem.message, "$ink-dim", limit=300),
            ),
        )

    def detail_rows(self, key: str) -> list[Row]:
        """The problem in full."""
        problem = self._problems[key]
        facts = [
            fact_row("where", _where(problem)),
            fact_row("what", spoken(problem.code)),
        ]
        if problem.subject:
            facts.append(fact_row("concerns", problem.subject))
        advice = [text_row("advice", ("What to do: ", "$ink-title bold"), safe(problem.advice))]
        return spaced(
            [
                [text_row("message", safe(problem.message, "$ink bold", newlines=True))],
                facts,
                advice if problem.advice else [],
            ]
        )


def _where(problem: Problem) -> str:
    return f"{problem.path}:{problem.line}" if problem.line is not None else problem.path
