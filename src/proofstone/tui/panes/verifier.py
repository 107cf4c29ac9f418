"""The Verifier pane: seven findings in order, what follows from them, what would lift a block."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from textual.content import Content

from proofstone.domain.verification import Check, Eligibility, Finding, Verdict, VerifierReport
from proofstone.tui.panes.base import Pane
from proofstone.tui.rows import Row, Rows, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import finding_link
from proofstone.tui.words import (
    ELIGIBILITY_WORD,
    RISK_STYLE,
    STATUS_LOOK,
    VERDICT_GLYPH,
    safe,
    spoken,
)

_WORD = {
    Check.SOURCE_SUPPORT: "source support",
    Check.TRUST_BOUNDARY: "trust boundary",
    Check.DURABILITY: "durability",
    Check.POISONING: "poisoning",
    Check.CONFLICT: "conflict",
    Check.REDACTION: "redaction",
    Check.TOMBSTONE: "tombstone",
}
_NAME_CELLS = 16
_SHORT = 16
"""Cells that a threshold may take beside what was measured."""


class VerifierPane(Pane):
    """What the deterministic verifier found."""

    shows_idle_cursor: ClassVar[bool] = False
    number: ClassVar[int] = 6
    title: ClassVar[str] = "Verifier"
    about: ClassVar[str] = (
        "Seven checks, always in this order: ✓ pass · ! flag, ratifying needs a reason in words · "
        "✗ block, it cannot be ratified · – not applicable. Each with what was measured against "
        "its threshold, and what would lift a flag or block. It says that words stand in the "
        "evidence, never that they are true."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: VerifierReport | None = None
        self._findings: dict[str, Finding] = {}

    def finding(self, key: str) -> Finding | None:
        """The finding of the row with this key, or None for the lines around them."""
        return self._findings.get(key)

    def show(self, scene: Scene) -> None:
        """Draw the proposal's report."""
        view = scene.proposal
        report = view.report if view else None
        if report is not self._drawn or report is None:
            self._drawn = report
            self._draw(report, anew=self.starts_anew(view.proposal_id if view else ""))
        self.set_linked(scene.ties.links)

    def _draw(self, report: VerifierReport | None, *, anew: bool) -> None:
        if report is None:
            self._findings = {}
            self.set_rows(Rows(), placeholder="Nothing to verify.")
            self.set_titles()
            return
        self._findings = {f"finding-{found.check.value}": found for found in report.findings}
        rows = [_finding_row(found) for found in report.findings]
        self.set_rows(Rows([_status_row(report), *rows, *_consequences(report)]), anew=anew)
        self.set_titles(STATUS_LOOK[report.status][1])


def _status_row(report: VerifierReport) -> Row:
    glyph, word, style = STATUS_LOOK[report.status]
    risk = report.poisoning_risk
    return text_row(
        "status",
        (f"{glyph} {word}", f"{style} bold"),
        (" · risk ", "$ink-dim"),
        (risk, f"{RISK_STYLE.get(risk, '$ink-dim')} bold"),
        wrap=False,
    )


def _finding_row(found: Finding) -> Row:
    glyph, style = VERDICT_GLYPH[found.verdict]
    questioned = found.verdict in (Verdict.FLAG, Verdict.BLOCK)
    measure = _measure(found)
    # A long measure starts beside its name, where the column would break it.
    cells = _NAME_CELLS if len(measure) <= _SHORT else 0
    head = Content.assemble(
        (f"{_WORD[found.check]:<{cells}}", "$ink bold" if questioned else "$ink"),
        (measure if cells else f"  {measure}", "$ink-dim"),
    )
    lines = [head, *(_questioned(found, style) if questioned else ()), *_words(found)]
    return Row(
        key=f"finding-{found.check.value}",
        link=finding_link(found.check.value),
        gutter=Content.assemble((glyph, f"{style} bold"), " "),
        continuation=Content("  "),
        body=Content("\n").join(lines),
        wrap=questioned,
    )


def _questioned(found: Finding, style: str) -> Iterator[Content]:
    """Why a check flags or blocks, against what, and what would lift that."""
    threshold = _value(found.threshold)
    if len(threshold) > _SHORT:
        yield Content.assemble(("passes with: ", "$ink-title"), (threshold, "$ink-dim"))
    reasons = ", ".join(spoken(reason) for reason in found.failure_reasons)
    if reasons:
        yield Content.styled(reasons, style)
    if found.explanation:
        yield safe(found.explanation, "$ink-dim", limit=400)
    if found.lifts:
        yield Content.assemble(("lifts: ", "$ink-title"), safe(found.lifts, "$ink", limit=400))


def _words(found: Finding) -> Iterator[Content]:
    """The words that were found in the evidence; those only inside longer words are weak."""
    firm = [word for word in found.matched if word not in found.weak]
    for label, words in (("words", firm), ("only inside longer words", found.weak)):
        if words:
            style = "$verdict-flag" if words is found.weak else "$ink-dim"
            yield safe(f"{label}: {', '.join(words)}", style, limit=300)
    if found.qualified_by:
        yield safe(f"qualified by {', '.join(found.qualified_by)}", "$verdict-flag", limit=200)


def _measure(found: Finding) -> str:
    """What was measured, against what."""
    measured, threshold = _value(found.measured), _value(found.threshold)
    if found.verdict is Verdict.NOT_APPLICABLE:
        return "not applicable"
    if not threshold or len(threshold) > _SHORT or not measured:
        return measured
    if isinstance(found.measured, str) or isinstance(found.threshold, str):
        return f"{measured} · flag: {threshold}"
    if not found.threshold:
        return f"{measured} found"
    reached = float(found.measured or 0) >= float(found.threshold or 0)
    return f"{measured} {'≥' if reached else '<'} {threshold}"


def _value(value: str | float | None) -> str:
    """A measure in words, or a number with two decimals; counts stay whole."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.2f}"
    return safe(spoken(str(value)), limit=200).plain


def _consequences(report: VerifierReport) -> Iterator[Row]:
    yield text_row("blank", "")
    may = report.eligible or report.promotion_eligibility is not Eligibility.AUTO_CANDIDATE
    word = ELIGIBILITY_WORD[report.promotion_eligibility] if may else "not preselected"
    reasons = ", ".join(spoken(reason) for reason in report.eligibility_reasons)
    yield Row(
        key="eligibility",
        gutter=Content.styled(f"{'eligible':<{_NAME_CELLS + 2}}", "$ink-dim"),
        continuation=Content(" " * (_NAME_CELLS + 2)),
        body=Content.assemble(
            (word, "$ink"), safe(f": {reasons}" if reasons else "", "$ink-dim", limit=400)
        ),
        wrap=True,
        selectable=False,
    )
    if report.poisoning_reasons:
        told = ", ".join(spoken(reason) for reason in report.poisoning_reasons)
        yield Row(
            key="poisoning",
            gutter=Content.styled(f"{'risk because':<{_NAME_CELLS + 2}}", "$ink-dim"),
            continuation=Content(" " * (_NAME_CELLS + 2)),
            body=safe(told, "$ink", limit=400),
            wrap=True,
            selectable=False,
        )
