"""Beside the form of an edit: the verdict on what is being typed, and what became of the words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from textual.content import Content

from proofstone.domain.verification import VerifierReport
from proofstone.tui.explaining import eligibility_word
from proofstone.tui.rows import Row, spaced, text_row
from proofstone.tui.words import (
    MATCH_SHORT,
    RISK_STYLE,
    STATUS_LOOK,
    difference,
    displayed,
    safe,
    shortened,
    spoken,
)

if TYPE_CHECKING:
    from proofstone.curation.edit_trial import Trial

LABEL_CELLS = 9
_MATCHED_TOLD = 2
_TITLE_TOLD = 48
"""Characters of a memory's title, where it is not what one looks at."""


def verdict_rows(before: Trial, now: Trial) -> list[Row]:
    """How ``now`` is judged, and what that changes against ``before``."""
    if now.fault:
        return [text_row("fault", ("✗ ", "$verdict-block bold"), safe(f"{now.fault}."))]
    if now.report is None or now.match is None or before.report is None or before.match is None:
        return []
    groups = [
        [
            _row("verdict", _changed(_status(before.report), _status(now.report))),
            *_reasons(before.report, now.report),
            _row("risk", _changed(_risk(before.report), _risk(now.report))),
            _row("match", _changed(_match(before), _match(now))),
            _row("then", _changed(_eligible(before.report), _eligible(now.report))),
        ],
        _siblings(before, now),
        _taint(now),
        _words(before, now),
    ]
    return spaced(groups)


def _row(label: str, body: Content) -> Row:
    return Row(
        key=f"trial-{label}",
        gutter=Content.assemble((f"{label:<{LABEL_CELLS}}", "$ink-dim")),
        continuation=Content(" " * LABEL_CELLS),
        body=body,
        wrap=True,
        selectable=False,
    )


def _changed(before: Content, now: Content) -> Content:
    """What it is, and where that is new, what it was."""
    if before.plain == now.plain:
        return now
    return Content.assemble(now, (" ← was ", "$ink-dim"), Content.styled(before.plain, "$ink-dim"))


def _status(report: VerifierReport) -> Content:
    glyph, word, style = STATUS_LOOK[report.status]
    return Content.styled(f"{glyph} {word}", f"{style} bold")


def _risk(report: VerifierReport) -> Content:
    return Content.styled(report.poisoning_risk, RISK_STYLE.get(report.poisoning_risk, "$ink-dim"))


def _match(trial: Trial) -> Content:
    """How it stands to what is held, and the first two memories that this is about."""
    if trial.match is None:
        return Content("")
    # Covered one by one, and before they are cut: a cut could make harmless words of a secret.
    titles = [displayed(title).text for title in trial.matched[:_MATCHED_TOLD]]
    told = [f"“{shortened(title, _TITLE_TOLD)}”" for title in titles]
    more = len(trial.matched) - len(told)
    told += [f"{more} more"] if more > 0 else []
    return Content.assemble(
        (MATCH_SHORT[trial.match.kind], "$match"), " ", (", ".join(told), "$ink")
    )


def _eligible(report: VerifierReport) -> Content:
    return Content.styled(eligibility_word(report), "$ink")


def _reasons(before: VerifierReport, now: VerifierReport) -> Iterable[Row]:
    was, are = before.failure_reasons, now.failure_reasons
    told = [Content.styled(f"+ {spoken(r)}", "$verdict-flag bold") for r in are if r not in was]
    told += [Content.styled(f"  {spoken(r)}", "$verdict-flag") for r in are if r in was]
    told += [Content.styled(f"- {spoken(r)}", "$verdict-pass strike") for r in was if r not in are]
    if told:
        yield _row("because", Content("\n").join(told))


def _siblings(before: Trial, now: Trial) -> list[Row]:
    scores = {found.memory_id: found.score for found in before.siblings}
    rows = []
    for found in now.siblings:
        was = scores.get(found.memory_id)
        note = "" if was == found.score else " new" if was is None else f" was {was:.2f}"
        rows.append(
            _row(
                f"{found.score:.2f}",
                Content.assemble(
                    safe(found.title or found.memory_id, "$ink", limit=120), (note, "$match")
                ),
            )
        )
    if scores and not now.siblings:
        rows.append(_row("siblings", Content.styled("none any more", "$ink-dim")))
    return rows


def _taint(now: Trial) -> list[Row]:
    rules = ", ".join(dict.fromkeys(spoken(found.rule) for found in now.taint))
    return [_row("TAINT", Content.styled(rules, "$taint bold"))] if rules else []


def _words(before: Trial, now: Trial) -> list[Row]:
    if before.statement == now.statement:
        return [text_row("words", ("The words are as they were.", "$ink-dim"))]
    return [text_row("words", difference(before.statement, now.statement))]
