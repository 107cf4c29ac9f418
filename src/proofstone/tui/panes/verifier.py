"""The Verifier pane: seven findings in order, what follows, what would lift them; and records."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from textual.content import Content
from textual.events import Resize

from proofstone.domain.governance import REVIEW_REASONS
from proofstone.domain.records import EvidenceRecord, Redaction
from proofstone.domain.verification import Check, Finding, Verdict, VerifierReport
from proofstone.tui.explaining import (
    ELIGIBILITY_MEANING,
    FAILURE_MEANING,
    MATCH_MEANING,
    POLARITY_LOOK,
    REDACTION_MEANING,
    STATUS_MEANING,
    eligibility_word,
)
from proofstone.tui.panes.base import Pane
from proofstone.tui.rows import Row, Rows, text_row
from proofstone.tui.scene import Scene
from proofstone.tui.ties import finding_link, record_link
from proofstone.tui.words import (
    RISK_STYLE,
    STATUS_LOOK,
    VERDICT_GLYPH,
    safe,
    spoken,
)

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView

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
_MEASURE_CELLS = len("0.00 ≥ 0.00")
_BAR_CELLS = 10
_LEAST_BAR_CELLS = 3
_FULL, _REST, _THRESHOLD = "█", "░", "┃"
_EXCERPT = 160
_EMPTY = "Nothing to verify."
_UNREAD = "What waits is judged when the vault has been read."


class VerifierPane(Pane):
    """What the deterministic verifier found."""

    shows_idle_cursor: ClassVar[bool] = False
    number: ClassVar[int] = 6
    title: ClassVar[str] = "Verifier"
    about: ClassVar[str] = (
        "Seven checks, always in this order: ✓ pass · ! flag, ratifying needs a reason in words · "
        "✗ block, it cannot be ratified · – not applicable. Each with what was measured against "
        "its threshold (┃ in a bar), and what would lift a flag or block. Then the records "
        "that it rests on: + supports · ~ qualifies · − contradicts. {trust_class} changes the "
        "trust class, {durability} the durability. It says that words stand in the evidence, "
        "never that they are true."
    )

    def __init__(self) -> None:
        super().__init__()
        self._drawn: ProposalView | None = None
        self._findings: dict[str, Finding] = {}
        self._bar_cells = _BAR_CELLS
        self._empty = _EMPTY

    def finding(self, key: str) -> Finding | None:
        """The finding of the row with this key, or None for the lines around them."""
        return self._findings.get(key)

    def on_resize(self, event: Resize) -> None:
        """Draw shorter or longer bars where there is another width."""
        if self._cells_for_bars() != self._bar_cells and self._drawn is not None:
            self._draw(self._drawn, anew=False)

    def _cells_for_bars(self) -> int:
        """How long a bar beside name and measure may be; its threshold takes a cell more."""
        if not self.size:
            return _BAR_CELLS
        beside = 2 + _NAME_CELLS + _MEASURE_CELLS + len(" ┃")
        return max(_LEAST_BAR_CELLS, min(_BAR_CELLS, self._text_width - beside))

    def show(self, scene: Scene) -> None:
        """Draw the proposal's report."""
        view = scene.proposal
        if view is not self._drawn or view is None:
            self._drawn = view
            self._empty = _UNREAD if scene.is_unread else _EMPTY
            self._draw(view, anew=self.starts_anew(view.proposal_id if view else ""))
        self.set_linked(scene.ties.links)

    def _draw(self, view: ProposalView | None, *, anew: bool) -> None:
        if view is None:
            self._findings = {}
            self.set_rows(Rows(), placeholder=self._empty)
            self.set_titles()
            return
        from proofstone.curation.covered import covered_report

        report = covered_report(view.proposal.statement, view.report)
        self._findings = {f"finding-{found.check.value}": found for found in report.findings}
        self._bar_cells = self._cells_for_bars()
        rows = [_finding_row(found, self._bar_cells) for found in report.findings]
        self.set_rows(
            Rows([_status_row(report), *rows, *_consequences(view), *_records(view)]), anew=anew
        )
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


def _finding_row(found: Finding, bar_cells: int) -> Row:
    glyph, style = VERDICT_GLYPH[found.verdict]
    questioned = found.verdict in (Verdict.FLAG, Verdict.BLOCK)
    measure = _measure(found)
    # A long measure starts beside its name, where the column would break it.
    cells = _NAME_CELLS if len(measure) <= _SHORT else 0
    head = Content.assemble(
        (f"{_WORD[found.check]:<{cells}}", "$ink bold" if questioned else "$ink"),
        (measure if cells else f"  {measure}", "$ink-dim"),
    )
    bar = _bar(found, bar_cells)
    if bar:
        head = Content.assemble(head, "  " if bar_cells == _BAR_CELLS else " ", bar)
    lines = [head, *(_questioned(found, style) if questioned else ()), *_words(found)]
    return Row(
        key=f"finding-{found.check.value}",
        link=finding_link(found.check.value),
        gutter=Content.assemble((glyph, f"{style} bold"), " "),
        continuation=Content("  "),
        body=Content("\n").join(lines),
        wrap=questioned,
    )


def _bar(found: Finding, cells_of_all: int) -> str:
    """A measure from 0 to 1 against its threshold; empty for counts and words."""
    measured, threshold = found.measured, found.threshold
    if not (isinstance(measured, float) and isinstance(threshold, float)):
        return ""
    if not (0 <= measured <= 1 and 0 < threshold <= 1) or found.verdict is Verdict.NOT_APPLICABLE:
        return ""
    full = round(measured * cells_of_all)
    mark = min(round(threshold * cells_of_all), cells_of_all - 1)
    cells = [_FULL] * full + [_REST] * (cells_of_all - full)
    return "".join((*cells[:mark], _THRESHOLD, *cells[mark:]))


def _questioned(found: Finding, style: str) -> Iterator[Content]:
    """Why a check flags or blocks, against what, and what would lift that."""
    threshold = _value(found.threshold)
    if len(threshold) > _SHORT:
        yield Content.assemble(("passes with: ", "$ink-title"), (threshold, "$ink-dim"))
    for reason in found.failure_reasons:
        meaning = FAILURE_MEANING.get(reason, "")
        yield Content.assemble(
            (spoken(reason), f"{style} bold"), (f": {meaning}." if meaning else "", "$ink")
        )
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


def _consequences(view: ProposalView) -> Iterator[Row]:
    """In words: the status, how it stands to what is held, and whether it may be preselected."""
    report, match = view.report, view.match.kind
    yield text_row("blank", "")
    yield _told("means", "status", safe(STATUS_MEANING[report.status], "$ink"))
    matched = safe(f"{spoken(match.value)}: {MATCH_MEANING[match]}", "$ink")
    yield _told("match", "match", matched)
    promotion = report.promotion_eligibility
    lines = [Content.styled(eligibility_word(report), "$ink")]
    lines.append(
        safe(f"{spoken(promotion.value)}: {ELIGIBILITY_MEANING[promotion]}", "$ink-dim", limit=300)
    )
    for reason in report.eligibility_reasons:
        meaning = REVIEW_REASONS.get(reason, "")
        if reason != promotion.value:
            told = f"{spoken(reason)}: {meaning}" if meaning else spoken(reason)
            lines.append(safe(told, "$ink-dim", limit=300))
    yield _told("eligibility", "eligible", Content("\n").join(lines))
    if report.poisoning_reasons:
        told = ", ".join(spoken(reason) for reason in report.poisoning_reasons)
        yield _told("poisoning", "risk because", safe(told, "$ink", limit=400))


def _told(key: str, label: str, body: Content) -> Row:
    return Row(
        key=key,
        gutter=Content.styled(f"{label:<{_NAME_CELLS + 2}}", "$ink-dim"),
        continuation=Content(" " * (_NAME_CELLS + 2)),
        body=body,
        wrap=True,
        selectable=False,
    )


def _records(view: ProposalView) -> Iterator[Row]:
    """The evidence that it cites, and what each does to the statement."""
    if not view.records and not view.missing_evidence:
        return
    yield text_row("records-blank", "")
    yield text_row("records", ("It rests on", "$ink-title bold"))
    yield from (_record_row(record) for record in view.records)
    for evidence_id in view.missing_evidence:
        yield Row(
            key=f"missing-{evidence_id}",
            link=record_link(evidence_id),
            gutter=Content.styled("? ", "$verdict-flag bold"),
            continuation=Content("  "),
            body=Content.assemble(
                ("missing: it is not in the vault  ", "$verdict-flag"),
                safe(evidence_id, "$ink-dim", limit=80),
            ),
            wrap=True,
        )


def _record_row(record: EvidenceRecord) -> Row:
    sign, style = POLARITY_LOOK[record.polarity]
    if record.redaction_status is Redaction.NONE:
        words = safe(record.source_excerpt or record.source_summary, "$ink", limit=_EXCERPT)
    else:
        words = Content.styled(f"‹{REDACTION_MEANING[record.redaction_status]}›", "$verdict-block")
    return Row(
        key=f"record-{record.evidence_id}",
        link=record_link(record.evidence_id),
        gutter=Content.styled(f"{sign} ", f"{style} bold"),
        continuation=Content("  "),
        body=Content.assemble(
            (record.polarity.value, style),
            (f" · {spoken(record.trust_class.value)}", "$ink-dim"),
            (f" · {spoken(record.durability_signal.value)}\n", "$ink-dim"),
            words,
        ),
        wrap=True,
    )
