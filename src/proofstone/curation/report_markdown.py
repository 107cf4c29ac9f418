"""A report as Markdown: readable as it is, and wherever Markdown is shown.

Every text that is not ours stands in a code span. There no Markdown, HTML, link, mention or
picture can begin, in any dialect.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from proofstone.curation import report_words as ours
from proofstone.curation.ages import in_words
from proofstone.curation.report_values import (
    Count,
    Decision,
    Due,
    Evidence,
    Question,
    Report,
    Twice,
    Waiting,
)
from proofstone.domain.records import Problem
from proofstone.domain.shown import shown_text

_BAR = 24
"""Characters of the longest bar of a plot."""


def markdown_report(report: Report) -> str:
    """The whole report."""
    since = f"Decisions since {_code(report.since)}, the rest" if report.since else "Everything"
    parts = [
        f"# What may be remembered: {_code(report.vault)}",
        f"{since} as of {_time(report.at)}. Times are UTC.",
        "\n".join(f"- {sentence}" for sentence in ours.in_short(report)),
        "## In numbers",
        "\n".join(f"- {count.label}: **{count.number}**" for count in report.figures),
        "## At a glance",
        _plot(f"Decisions per {report.period}", _without_zeros(report.decided)),
        _plot("How long proposals have waited", report.ages),
        _plot("Risk of what waits", report.risks),
        _plot("How it stands to what is held", report.matches),
        _plot("What the verifier says of it", report.verdicts),
        _plot("Where its evidence comes from", report.trust),
        "## What was decided",
        *_decided(report),
        "## What waits",
        *_listed(report, "waiting", map(_proposal, report.waiting), ours.NOTHING_WAITS),
        "## What is open",
        *_open(report),
        "## What is there twice",
        *_listed(
            report,
            "twice",
            map(_pair, report.twice),
            ours.NOTHING_TWICE,
        ),
        "## What is wrong",
        *_listed(
            report,
            "problems",
            map(_problem, report.problems),
            ours.NOTHING_WRONG,
        ),
        "---",
        ours.FOOT,
    ]
    return "\n\n".join(parts) + "\n"


def _spoken(label: str) -> str:
    return label.replace("_", " ").strip() or label


def _without_zeros(counts: Iterable[Count]) -> tuple[Count, ...]:
    return tuple(count for count in counts if count.number)


def _plot(title: str, counts: Sequence[Count]) -> str:
    most = max((count.number for count in counts), default=0)
    if not most:
        return f"### {title}\n\nNone."
    rows = "\n".join(
        f"| {_cell(_spoken(count.label))} | {count.number} "
        f"| {'█' * round(_BAR * count.number / most)} |"
        for count in counts
    )
    return f"### {title}\n\n| | number | |\n|---|---:|---|\n{rows}"


def _decided(report: Report) -> Iterable[str]:
    if report.decisions:
        head = " | ".join(("person", *map(_cell, report.actions), "all"))
        rows = "\n".join(
            f"| {_cell(author)} | {' | '.join(map(str, numbers))} | {sum(numbers)} |"
            for author, numbers in report.people
        )
        yield f"| {head} |\n|---|{'---:|' * (len(report.actions) + 1)}\n{rows}"
    yield from _listed(
        report,
        "decisions",
        map(_decision, report.decisions),
        ours.NOTHING_DECIDED,
    )


def _listed(report: Report, name: str, items: Iterable[str], none: str) -> Iterable[str]:
    listed = list(items)
    yield "\n".join(listed) if listed else none
    yield from _left_off(report, name)


def _left_off(report: Report, name: str) -> Iterable[str]:
    if report.left_off[name]:
        yield f"And {report.left_off[name]:,} more, which are not listed."


def _decision(made: Decision) -> str:
    state = "" if made.state == "in force" else f", {_code(made.state)}"
    return _item(
        f"**Ruling** {_code(made.action)}{state} by {_code(made.author)} at {_time(made.time)} "
        f"({_code(made.via)}) on {_code(made.subject)}",
        _statement(made.statement),
        f"reason: {_code(ours.in_plain_words(made.reason))}" if made.reason else "",
        *_evidence(made.evidence),
    )


def _proposal(waiting: Waiting) -> str:
    until = f", deferred until {_code(waiting.until)}" if waiting.until else ""
    tainted = ", **tainted**" if waiting.tainted else ""
    reasons = ", ".join(map(_code, waiting.reasons))
    return _item(
        f"**Proposal** {_code(waiting.proposal_id)}: {_code(waiting.layer)}, waits "
        f"{in_words(waiting.age)}{until}, {_code(waiting.verdict)}, {_code(waiting.match)}, "
        f"{_code(waiting.risk)} risk{tainted}",
        _statement(waiting.statement),
        f"the verifier: {reasons}" if reasons else "",
        *_evidence(waiting.evidence),
    )


def _open(report: Report) -> Iterable[str]:
    if not report.questions and not report.due:
        yield ours.NOTHING_OPEN
        return
    yield "\n".join([*map(_question, report.questions), *map(_due, report.due)])
    for name in ("questions", "due"):
        yield from _left_off(report, name)


def _question(asked: Question) -> str:
    return _item(
        f"**Inquiry** {_code(asked.inquiry_id)}: {_code(asked.priority)} priority, since "
        f"{_time(asked.opened)}",
        f"asks: {_code(asked.question)}",
        f"context: {_code(asked.context)}" if asked.context.strip() else "",
        *(
            f"about {_code(named.identifier)}"
            + (f": {_code(named.statement)}" if named.statement.strip() else "")
            for named in asked.concerns
        ),
    )


def _due(memory: Due) -> str:
    condition = memory.change_condition
    return _item(
        f"**Review due** since {_time(memory.since)}: {_code(memory.memory_id)}",
        _statement(memory.statement),
        f"to be changed when: {_code(condition)}" if condition.strip() else "",
    )


def _pair(pair: Twice) -> str:
    score = f" ({pair.score:.2f})" if pair.score is not None else ""
    return _item(
        f"**Pair** {_code(pair.how)}{score}: {_code(pair.proposal_id)} and {_code(pair.memory_id)}",
        _statement(pair.statement),
        f"in force: {_code(pair.other)}",
    )


def _problem(problem: Problem) -> str:
    line = f", line {problem.line}" if problem.line is not None else ""
    severity = "note" if problem.severity == "info" else problem.severity
    return _item(
        f"**Finding** {_code(problem.code)} ({_code(severity)}) in {_code(problem.path)}{line}",
        f"what: {_code(problem.message)}",
        f"what to do: {_code(problem.advice)}" if problem.advice else "",
    )


def _item(head: str, *lines: str) -> str:
    return "\n".join([f"- {head}", *(f"  - {line}" for line in lines if line)])


def _statement(statement: str) -> str:
    return f"says: {_code(statement)}" if statement else "its words are no longer held"


def _evidence(evidence: Evidence) -> Iterable[str]:
    for source in evidence.sources:
        words = _code(source.text) if source.text else "no text"
        place = f", {_code(source.place)}" if source.place else ""
        yield f"{_code(source.polarity)} ({_code(source.trust)}{place}): {words}"
    if evidence.more:
        yield f"and {evidence.more} more"
    if evidence.missing:
        yield f"missing: {evidence.missing}"
    if not evidence.sources and not evidence.missing:
        yield "no evidence is recorded"


def _time(time: str) -> str:
    return _code(ours.moment(time))


def _code(text: str) -> str:
    """Untrusted text as a code span that nothing in it can end."""
    line = shown_text(" ".join(text.split()))
    if not line.strip():
        return "(nothing)"
    longest = max(map(len, re.findall("`+", line)), default=0)
    fence = "`" * (longest + 1)
    pad = " " if line[0] in "` " or line[-1] in "` " else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def _cell(text: str) -> str:
    """The same within a table, where a bar would end the cell."""
    return _code(text.replace("|", "¦"))
