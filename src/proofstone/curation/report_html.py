"""A report as one HTML file: no script, nothing from elsewhere, every text escaped."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from proofstone.curation import report_words as ours
from proofstone.curation.ages import in_words
from proofstone.curation.report_plots import are_told, bars, columns
from proofstone.curation.report_style import style_sheet
from proofstone.curation.report_values import (
    Count,
    Decision,
    Due,
    Evidence,
    Named,
    Question,
    Report,
    Twice,
    Waiting,
)
from proofstone.domain.records import Problem
from proofstone.domain.shown import shown_text
from proofstone.domain.worddiff import Change, word_diff

# Even if a text got through, nothing could run or be fetched.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_SECTIONS = (
    ("glance", "At a glance"),
    ("decided", "What was decided"),
    ("waiting", "What waits"),
    ("open", "What is open"),
    ("twice", "What is there twice"),
    ("problems", "What is wrong"),
)
Plot = Callable[[str, Sequence[Count], str], str]

_ALL_ROWS = 12
"""Rows up to which a table of numbers has its zeros too."""
_BAD = ("rejected", "high", "error")
_WARN = ("review_required", "medium", "warning", "undone", "rolled back")
_GOOD = ("verified",)


def html_report(report: Report) -> str:
    """The whole page."""
    title = f"Proofstone report: {_text(report.vault)}"
    since = f"Decisions since {_text(report.since)}, the rest" if report.since else "Everything"
    links = "".join(f'<li><a href="#{name}">{words}</a></li>' for name, words in _SECTIONS)
    bodies = (_glance, _decided, _waiting, _open, _twice, _problems)
    sections = "".join(
        f'<section id="{name}" aria-labelledby="{name}-h"><h2 id="{name}-h">{words}</h2>'
        f"{body(report)}</section>\n"
        for (name, words), body in zip(_SECTIONS, bodies, strict=True)
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{title}</title>\n<style>\n{style_sheet()}</style>\n</head>\n<body>\n"
        '<a class="skip" href="#content">To the content</a>\n<div class="page">\n'
        f"<header>\n<h1>What may be remembered: <bdi>{_text(report.vault)}</bdi></h1>\n"
        f'<p class="dim">{since} as of {_time(report.at)}. Times are UTC.</p>\n'
        f'<nav aria-label="Sections"><ul>{links}</ul></nav>\n'
        f"{_short(report)}{_figures(report.figures)}</header>\n"
        f'<main id="content">\n{sections}</main>\n'
        f"<footer><p>{ours.FOOT}</p></footer>\n"
        "</div>\n</body>\n</html>\n"
    )


def _short(report: Report) -> str:
    sentences = "".join(f"<li>{sentence}</li>" for sentence in ours.in_short(report))
    return f'<ul class="short">{sentences}</ul>\n'


def _figures(figures: Iterable[Count]) -> str:
    shown = "".join(
        f"<div><dt>{_text(count.label)}</dt><dd>{count.number}</dd></div>" for count in figures
    )
    return f'<dl class="figures">{shown}</dl>\n'


def _glance(report: Report) -> str:
    plots = (
        (f"Decisions per {report.period}", columns, report.decided),
        ("How long proposals have waited", bars, report.ages),
        ("Risk of what waits", bars, report.risks),
        ("How it stands to what is held", bars, report.matches),
        ("What the verifier says of it", bars, report.verdicts),
        ("Where its evidence comes from", bars, report.trust),
    )
    shown = "".join(
        f'<figure class="{_told(draw, counts)}"><h3>{title}</h3>'
        f"{draw(title, counts, f'plot{place}')}"
        f"<details><summary>The numbers</summary>{_numbers(title, counts)}</details></figure>"
        if any(count.number for count in counts)
        else f'<figure><h3>{title}</h3><p class="dim">None.</p></figure>'
        for place, (title, draw, counts) in enumerate(plots)
    )
    return f'<div class="plots">{shown}</div>'


def _told(draw: Plot, counts: Sequence[Count]) -> str:
    """Whether a plot says all its numbers, so that a print needs no table of them."""
    return "told" if draw is bars or are_told(counts) else "untold"


def _numbers(title: str, counts: Sequence[Count]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{_word(count.label)}</th><td class="n">{count.number}</td></tr>'
        for count in counts
        if count.number or len(counts) <= _ALL_ROWS
    )
    return f"<table><caption>{title}</caption><tbody>{rows}</tbody></table>"


def _decided(report: Report) -> str:
    if not report.decisions:
        return f"<p>{ours.NOTHING_DECIDED}</p>"
    heads = "".join(f'<th scope="col" class="n">{_word(action)}</th>' for action in report.actions)
    rows = "".join(
        f'<tr><th scope="row"><bdi>{_text(author)}</bdi></th>'
        + "".join(f'<td class="n">{number}</td>' for number in numbers)
        + f'<td class="n">{sum(numbers)}</td></tr>'
        for author, numbers in report.people
    )
    table = (
        '<div class="scroll" role="region" aria-label="Who decided" tabindex="0"><table>'
        "<caption>Who decided, and how often</caption>"
        f'<thead><tr><th scope="col">person</th>{heads}<th scope="col" class="n">all</th></tr>'
        f"</thead><tbody>{rows}</tbody></table></div>"
    )
    return table + _cards(map(_decision, report.decisions)) + _more(report, "decisions")


def _decision(made: Decision) -> str:
    state = "" if made.state == "in force" else _tag(made.state)
    words = ours.in_plain_words(made.reason)
    reason = f"<p>Reason: <bdi>{_text(words)}</bdi></p>" if words else ""
    return (
        f'<p class="meta">{_tag(made.action)}{state}<bdi>{_text(made.author)}</bdi> · '
        f"{_time(made.time)} · {_text(made.via)} · <code>{_text(made.subject)}</code></p>"
        f"{_statement(made.statement)}{reason}{_evidence(made.evidence)}"
    )


def _waiting(report: Report) -> str:
    if not report.waiting:
        return f"<p>{ours.NOTHING_WAITS}</p>"
    return (
        f'<p class="dim">{ours.WAITING}</p>'
        + _cards(map(_proposal, report.waiting))
        + _more(report, "waiting")
    )


def _proposal(waiting: Waiting) -> str:
    tainted = _tag("tainted", "bad") if waiting.tainted else ""
    until = f" · deferred until {_time(waiting.until)}" if waiting.until else ""
    reasons = ", ".join(map(_word, waiting.reasons))
    return (
        f'<p class="meta">{_tag(waiting.verdict)}{tainted}{_text(waiting.layer)} · '
        f"waits {in_words(waiting.age)}{until} · {_word(waiting.match)} · "
        f"{_word(waiting.risk)} risk · <code>{_text(waiting.proposal_id)}</code></p>"
        f"{_statement(waiting.statement)}"
        + (f"<p>The verifier: {reasons}</p>" if waiting.reasons else "")
        + _evidence(waiting.evidence)
    )


def _open(report: Report) -> str:
    if not report.questions and not report.due:
        return f"<p>{ours.NOTHING_OPEN}</p>"
    return (
        f'<p class="dim">{ours.OPEN}</p>'
        + _cards([*map(_question, report.questions), *map(_due, report.due)])
        + _more(report, "questions")
        + _more(report, "due")
    )


def _question(asked: Question) -> str:
    concerns = "".join(map(_named, asked.concerns))
    return (
        f'<p class="meta">{_tag("inquiry")}{_word(asked.priority)} priority · since '
        f"{_time(asked.opened)} · <code>{_text(asked.inquiry_id)}</code></p>"
        f"{_statement(asked.question)}"
        + (f'<p dir="auto">{_text(asked.context)}</p>' if asked.context.strip() else "")
        + (f'<ul class="sources">{concerns}</ul>' if concerns else "")
    )


def _named(named: Named) -> str:
    words = f'<bdi dir="auto">{_text(named.statement)}</bdi> ' if named.statement.strip() else ""
    return f"<li>{words}<code>{_text(named.identifier)}</code></li>"


def _due(memory: Due) -> str:
    condition = memory.change_condition.strip()
    return (
        f'<p class="meta">{_tag("review due", "warn")}since {_time(memory.since)} · '
        f"<code>{_text(memory.memory_id)}</code></p>{_statement(memory.statement)}"
        + (
            f'<p>To be changed when: <bdi dir="auto">{_text(condition)}</bdi></p>'
            if condition
            else ""
        )
    )


def _twice(report: Report) -> str:
    if not report.twice:
        return f"<p>{ours.NOTHING_TWICE}</p>"
    return (
        f'<p class="dim">{ours.TWICE}</p>'
        + _cards(map(_pair, report.twice))
        + _more(report, "twice")
    )


def _pair(pair: Twice) -> str:
    score = f"{pair.score:.2f} · " if pair.score is not None else ""
    held, proposed = _marked(pair.other, pair.statement)
    return (
        f'<p class="meta">{_tag(pair.how)}{score}<code>{_text(pair.proposal_id)}</code> · '
        f'<code>{_text(pair.memory_id)}</code></p><p class="words" dir="auto">{proposed}</p>'
        f'<p>In force: <bdi dir="auto">{held}</bdi></p>'
    )


def _marked(before: str, after: str) -> tuple[str, str]:
    """Two texts, with what the other does not have marked in each."""
    old, new = "", ""
    for part in word_diff(" ".join(before.split()), " ".join(after.split())):
        text = escape(shown_text(part.text))
        if part.change is Change.SAME:
            old, new = old + text, new + text
        elif part.change is Change.REMOVED:
            old += f"<mark>{text}</mark>"
        else:
            new += f"<mark>{text}</mark>"
    return old, new


def _problems(report: Report) -> str:
    if not report.problems:
        return f"<p>{ours.NOTHING_WRONG}</p>"
    return _cards(map(_problem, report.problems)) + _more(report, "problems")


def _problem(problem: Problem) -> str:
    line = f":{problem.line}" if problem.line is not None else ""
    severity = "note" if problem.severity == "info" else problem.severity
    return (
        f'<p class="meta">{_tag(severity)}{_word(problem.code)} · '
        f"<code>{_text(problem.path)}{line}</code></p>"
        f"<p>{_text(problem.message)}</p>"
        + (f'<p class="dim">{_text(problem.advice)}</p>' if problem.advice else "")
    )


def _cards(cards: Iterable[str]) -> str:
    return f'<ol class="cards">{"".join(f"<li>{card}</li>" for card in cards)}</ol>'


def _more(report: Report, name: str) -> str:
    count = report.left_off[name]
    return f'<p class="dim">And {count:,} more, which are not listed.</p>' if count else ""


def _statement(statement: str) -> str:
    if not statement:
        return '<p class="words dim">(its words are no longer held)</p>'
    return f'<p class="words" dir="auto">{_text(statement)}</p>'


def _evidence(evidence: Evidence) -> str:
    shown = [
        f"<li>{_word(source.polarity)} ({_word(source.trust)}): "
        + (f'<q dir="auto">{_text(source.text)}</q>' if source.text else "no text")
        + (f' <span class="dim">{_text(source.place)}</span>' if source.place else "")
        + "</li>"
        for source in evidence.sources
    ]
    if evidence.more:
        shown.append(f'<li class="dim">and {evidence.more} more</li>')
    if evidence.missing:
        shown.append(f'<li class="warn">missing: {evidence.missing}</li>')
    if not shown:
        return '<p class="sources dim">No evidence is recorded.</p>'
    return f'<ul class="sources">{"".join(shown)}</ul>'


def _tag(word: str, kind: str = "") -> str:
    found = kind or next(
        (
            name
            for name, words in (("bad", _BAD), ("warn", _WARN), ("good", _GOOD))
            if word in words
        ),
        "dim",
    )
    return f'<span class="tag {found}">{_word(word)}</span> '


def _time(time: str) -> str:
    return f"<time>{_text(ours.moment(time))}</time>"


def _word(text: str) -> str:
    return _text(text.replace("_", " "))


def _text(text: str) -> str:
    """Untrusted text: nothing hidden in it, and no markup."""
    return escape(shown_text(" ".join(text.split())))
