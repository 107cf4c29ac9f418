"""What a report says of a vault: decided, waiting, at risk, twice there, wrong (spec page 8).

A report is a value: the same vault at the same time gives the same one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from proofstone.curation.check import check, is_note
from proofstone.curation.history import Entry, entries
from proofstone.curation.masking import mask_secrets
from proofstone.curation.queue import QueueCounts, oldest
from proofstone.curation.report_values import (
    SIBLING,
    Count,
    Decision,
    Due,
    Evidence,
    Named,
    Question,
    Report,
    Source,
    Twice,
    Waiting,
)
from proofstone.curation.views import ProposalView
from proofstone.curation.workspace import Workspace
from proofstone.domain.records import (
    EvidenceRecord,
    Inquiry,
    MatchKind,
    Memory,
    Proposal,
    TrustClass,
)
from proofstone.domain.verification import VerificationStatus

LISTED = 200
"""How many decisions, proposals, duplicates and findings a report lists of each; it counts all."""
_WORDS = 400
"""Characters of a statement that are shown."""
_QUOTE = 200
_SHORT = 90
"""Characters of a statement that stands within a question."""
_SOURCES = 3
_BARS = 45
"""The most bars of the plot of decisions; longer periods are counted by week, then by month."""

_AGES = (
    ("under a day", timedelta(days=1)),
    ("1–2 days", timedelta(days=3)),
    ("3–6 days", timedelta(days=7)),
    ("1–4 weeks", timedelta(days=28)),
    ("over 4 weeks", timedelta.max),
)
_RISKS = ("low", "medium", "high")
_TWICE = (MatchKind.DUPLICATE, MatchKind.STRENGTHENS_EXISTING)
_HOW = (*(kind.value for kind in _TWICE), SIBLING)
_ALIKE = 0.5
"""A sibling from this score on is shown as nearly the same."""


def make_report(workspace: Workspace, since: date | None = None) -> Report:
    """The report of a vault as it is, with what was decided from the day ``since`` (UTC) on."""
    now = workspace.context.now()
    made = [
        entry
        for entry in entries(workspace)
        if (entry.is_ruling or entry.is_purge) and _is_from(entry, since)
    ]
    queue = workspace.queue
    waiting = QueueCounts.of(workspace.holdings.proposals)
    memories = workspace.memories
    problems = check(workspace)
    twice = sorted(_twice(workspace, queue), key=_closeness)
    questions = sorted(
        (found for found in workspace.holdings.inquiries if found.status == "open"),
        key=lambda found: (found.priority != "high", found.opened),
    )
    due = [view.memory for view in memories if view.review_is_due]
    period, decided = _per_period([entry.ruling.time for entry in made], since, now.date())
    actions = tuple(sorted({entry.ruling.action for entry in made}))
    subjects = _subjects(workspace)
    lists: Mapping[str, Sequence[object]] = {
        "decisions": made,
        "waiting": queue,
        "questions": questions,
        "due": due,
        "twice": twice,
        "problems": problems,
    }
    return Report(
        vault=workspace.root.name,
        at=workspace.context.timestamp(),
        since=since.isoformat() if since else "",
        figures=(
            Count("decisions", len(made)),
            Count("waiting for a person", waiting.open),
            Count("deferred", waiting.deferred),
            Count("memories in force", len(memories)),
            Count("of them unreviewed", sum(not view.is_reviewed for view in memories)),
            Count("reviews due", len(due)),
            Count("open inquiries", len(questions)),
            Count("tombstones", len(workspace.holdings.tombstones)),
            Count("findings", sum(not is_note(problem) for problem in problems)),
        ),
        period=period,
        decided=decided,
        oldest=oldest(queue),
        tainted=sum(view.is_tainted for view in queue),
        ages=_ages(view.age for view in queue),
        risks=_counted((view.report.poisoning_risk for view in queue), _RISKS),
        matches=_counted((view.match.kind.value for view in queue), [m.value for m in MatchKind]),
        verdicts=_occurring(
            (view.report.status.value for view in queue), [v.value for v in VerificationStatus]
        ),
        trust=_occurring(
            (record.trust_class.value for view in queue for record in view.records),
            [trust.value for trust in TrustClass],
        ),
        actions=actions,
        people=_people(made, actions),
        decisions=tuple(_decision(workspace, subjects, entry) for entry in made[:LISTED]),
        waiting=tuple(_waiting(view) for view in queue[:LISTED]),
        questions=tuple(_question(subjects, asked) for asked in questions[:LISTED]),
        due=tuple(map(_due, due[:LISTED])),
        twice=tuple(twice[:LISTED]),
        problems=problems[:LISTED],
        left_off={name: max(0, len(items) - LISTED) for name, items in lists.items()},
    )


def said(text: str, limit: int = _WORDS) -> str:
    """``text`` with its secrets masked, cut to ``limit`` characters."""
    masked = mask_secrets(text)
    return masked if len(masked) <= limit else f"{masked[: limit - 1]}…"


def _is_from(entry: Entry, since: date | None) -> bool:
    """A ruling without a readable time is never left out."""
    day = _day(entry.ruling.time)
    return since is None or day is None or day >= since


def _day(time: str) -> date | None:
    try:
        moment = datetime.fromisoformat(time)
        return (moment.astimezone(UTC) if moment.tzinfo else moment).date()
    except (ValueError, OverflowError):
        return None


def _per_period(
    times: Iterable[str], since: date | None, until: date
) -> tuple[str, tuple[Count, ...]]:
    """How many of ``times`` lie in each day (or week, month, year), those without any included.

    A time that lies ahead, as another machine's clock may have it, counts as today.
    """
    days = [min(day, until) for time in times if (day := _day(time)) is not None]
    if not days and since is None:
        return "day", ()
    first = min([*days, min(since or until, until)])
    name, start_of, starts = "", _PERIODS[0].start_of, list[date]()
    for period in _PERIODS:
        name, start_of = period.name, period.start_of
        starts = _starts(period, first, until)
        if len(starts) <= _BARS:
            break
    counted = Counter(start_of(day) for day in days)
    return name, tuple(Count(start.isoformat(), counted[start]) for start in starts)


@dataclass(frozen=True, slots=True)
class _Period:
    """A stretch of time: its name, the start of the one that a day is in, the next one's start."""

    name: str
    start_of: Callable[[date], date]
    after: Callable[[date], date]


_PERIODS = (
    _Period("day", lambda day: day, lambda day: day + timedelta(days=1)),
    _Period(
        "week",
        lambda day: day - timedelta(days=min(day.weekday(), day.toordinal() - 1)),
        lambda day: day + timedelta(days=7),
    ),
    _Period(
        "month",
        lambda day: day.replace(day=1),
        lambda day: (day + timedelta(days=31)).replace(day=1),
    ),
    _Period(
        "year",
        lambda day: day.replace(month=1, day=1),
        lambda day: day.replace(year=day.year + 1),
    ),
)


def _starts(period: _Period, first: date, last: date) -> list[date]:
    starts = [period.start_of(first)]
    while (following := period.after(starts[-1])) <= last:
        starts.append(following)
    return starts


def _ages(ages: Iterable[timedelta]) -> tuple[Count, ...]:
    names = (next(name for name, limit in _AGES if age < limit) for age in ages)
    return _counted(names, [name for name, _ in _AGES])


def _counted(labels: Iterable[str], order: Sequence[str] = ()) -> tuple[Count, ...]:
    """Each of ``order``, none left out, and after them by name whatever else occurs."""
    counted = Counter(labels)
    further = sorted(set(counted) - set(order))
    return tuple(Count(label, counted[label]) for label in (*order, *further))


def _occurring(labels: Iterable[str], order: Sequence[str]) -> tuple[Count, ...]:
    """The same, without those that do not occur."""
    return tuple(count for count in _counted(labels, order) if count.number)


def _people(
    made: Sequence[Entry], actions: Sequence[str]
) -> tuple[tuple[str, tuple[int, ...]], ...]:
    counted = Counter((entry.ruling.author, entry.ruling.action) for entry in made)
    authors = sorted({author for author, _ in counted})
    return tuple(
        (author, tuple(counted[author, action] for action in actions)) for author in authors
    )


def _subjects(workspace: Workspace) -> Mapping[str, Memory | Proposal]:
    """What a ruling can have been on, by id: what is in force before what it was before."""
    holdings = workspace.holdings
    found: dict[str, Memory | Proposal] = {}
    for version in holdings.history:
        found[version.memory_id] = version
        found[version.active_memory_id] = version
    for memory in holdings.memories:
        found[memory.memory_id] = memory
    for proposal in holdings.proposals:
        found[proposal.proposal_id] = proposal
    return found


def _decision(
    workspace: Workspace, subjects: Mapping[str, Memory | Proposal], entry: Entry
) -> Decision:
    ruling = entry.ruling
    subject = subjects.get(ruling.subject)
    records, missing = workspace.assessor.records_of(subject.evidence if subject else ())
    return Decision(
        ruling_id=ruling.ruling_id,
        time=ruling.time,
        author=ruling.author,
        via=ruling.via,
        action=ruling.action,
        subject=ruling.subject,
        statement=said(subject.statement) if subject else "",
        reason=said(ruling.reason),
        state=entry.state,
        evidence=_evidence(tuple(records.values()), missing),
    )


def _waiting(view: ProposalView) -> Waiting:
    proposal = view.proposal
    return Waiting(
        proposal_id=proposal.proposal_id,
        statement=said(proposal.statement),
        layer=proposal.layer.value,
        age=view.age,
        verdict=view.report.status.value,
        risk=view.report.poisoning_risk,
        match=view.match.kind.value,
        reasons=view.report.failure_reasons,
        tainted=view.is_tainted,
        until=proposal.deferred.until if proposal.deferred else "",
        evidence=_evidence(view.records, view.missing_evidence),
    )


def _question(subjects: Mapping[str, Memory | Proposal], inquiry: Inquiry) -> Question:
    concerns = tuple(
        Named(
            identifier=identifier,
            statement=said(subjects[identifier].statement) if identifier in subjects else "",
        )
        for identifier in inquiry.concerns
    )
    question = inquiry.question
    # The longest first: an id may be the beginning of another one.
    for named in sorted(concerns, key=lambda found: -len(found.identifier)):
        if named.statement:
            words = said(named.statement, _SHORT)
            question = question.replace(named.identifier, f"“{words}”")
    return Question(
        inquiry_id=inquiry.inquiry_id,
        question=said(question),
        context=said(inquiry.context),
        priority=inquiry.priority,
        opened=inquiry.opened,
        concerns=concerns,
    )


def _due(memory: Memory) -> Due:
    return Due(
        memory_id=memory.memory_id,
        statement=said(memory.statement),
        since=memory.review.next_review if memory.review else "",
        change_condition=said(memory.review.change_condition) if memory.review else "",
    )


def _evidence(records: Sequence[EvidenceRecord], missing: Sequence[str]) -> Evidence:
    sources = tuple(
        Source(
            trust=record.trust_class.value,
            polarity=record.polarity.value,
            text=said(record.source_excerpt or record.source_summary, _QUOTE),
            place=record.source_ref or record.source_session,
        )
        for record in records[:_SOURCES]
    )
    return Evidence(sources=sources, more=len(records) - len(sources), missing=len(missing))


def _twice(workspace: Workspace, queue: Iterable[ProposalView]) -> Iterable[Twice]:
    """Waiting proposals that say what is in force already, by their match or by a sibling."""
    for view in queue:
        matched = view.match.matched if view.match.kind in _TWICE else ()
        scores = {sibling.memory_id: sibling.score for sibling in view.siblings}
        alike = {memory_id: SIBLING for memory_id, score in scores.items() if score >= _ALIKE}
        named = dict.fromkeys(matched, view.match.kind.value)
        for memory_id, how in (alike | named).items():
            memory = workspace.held.memory(memory_id)
            yield Twice(
                proposal_id=view.proposal_id,
                statement=said(view.proposal.statement),
                memory_id=memory_id,
                other=said(memory.statement) if memory else "",
                how=how,
                score=scores.get(memory_id),
            )


def _closeness(pair: Twice) -> tuple[int, float]:
    """Duplicates first, then what strengthens, then siblings, each with the closest first."""
    return _HOW.index(pair.how), -(pair.score or 0)
