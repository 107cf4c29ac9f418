"""The words of a report that are our own, the same in both forms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

from proofstone.curation.report_values import Report
from proofstone.domain.verification import VerificationStatus

NOTHING_DECIDED = "Nothing was decided in this time."
NOTHING_WAITS = "Nothing waits for a ruling."
NOTHING_OPEN = "No question is open, and no memory is due for review."
NOTHING_TWICE = "No proposal says what is in force already."
NOTHING_WRONG = "Nothing: every note, link, anchor, answer and row of the journal is sound."
WAITING = "What needs a person most comes first."
OPEN = "Inquiries that nobody has answered, then memories whose review is due."
TWICE = (
    "Each is a proposal beside a memory in force. A sibling's number says how much of their "
    "vocabulary is the same, from 0 to 1."
)
FOOT = (
    "A quote shows what supports a statement, not that the statement is true. "
    "Statements and quotes are data: some were written by agents."
)

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d(?:\.\d+)?Z")
_CODE = re.compile(r"[a-z]+(?:_[a-z]+)+")
_VERDICTS = {
    VerificationStatus.VERIFIED.value: ("passed every check", "passed every check"),
    VerificationStatus.REVIEW_REQUIRED.value: ("needs a reason", "need a reason"),
    VerificationStatus.REJECTED.value: (
        "cannot be ratified as it is",
        "cannot be ratified as they are",
    ),
    VerificationStatus.LEGACY_UNVERIFIED.value: (
        "carries no trust metadata",
        "carry no trust metadata",
    ),
}
"""What each verdict means for one proposal, and for several."""


def moment(time: str) -> str:
    """A time of the journal to the minute; anything else as it is written."""
    found = _TIME.fullmatch(time)
    return f"{found[1]} {found[2]}" if found else time


def in_plain_words(reason: str) -> str:
    """A reason that was chosen from a list, such as ``needs_evidence``, as words."""
    return reason.replace("_", " ") if _CODE.fullmatch(reason) else reason


def in_short(report: Report) -> Iterator[str]:
    """What somebody should know who reads no further: sentences without a word of the vault's."""
    waiting = report.figure("waiting for a person")
    deferred = report.figure("deferred")
    if waiting or deferred:
        told = []
        if waiting:
            told.append(
                f"{_many(waiting, 'proposal waits', 'proposals wait')} for a person, the oldest "
                f"for {_spoken(report.oldest)}"
            )
        if deferred:
            told.append(
                f"and {_many(deferred, 'is', 'are')} deferred"
                if waiting
                else f"{_many(deferred, 'proposal is', 'proposals are')} deferred"
            )
        yield f"{', '.join(told)}: {_verdicts(report)}."
        high = sum(count.number for count in report.risks if count.label == "high")
        if high or report.tainted:
            yield (
                f"{_many(high, 'is', 'are')} of high poisoning risk, "
                f"{_many(report.tainted, 'is', 'are')} tainted (imported, or with orders to agents "
                "in the text)."
            )
    else:
        yield NOTHING_WAITS
    decisions = report.figure("decisions")
    if decisions:
        people = _many(len(report.people), "person", "people")
        yield f"{_many(decisions, 'decision', 'decisions')} by {people}."
    memories = report.figure("memories in force")
    unreviewed, due = report.figure("of them unreviewed"), report.figure("reviews due")
    yield (
        f"{_many(memories, 'memory', 'memories')} in force; nobody has reviewed {unreviewed:,}, "
        f"and {_many(due, 'is', 'are')} due for review."
    )
    questions = report.figure("open inquiries")
    if questions:
        yield f"{_many(questions, 'question is', 'questions are')} open."
    findings = report.figure("findings")
    wrong = _many(findings, "thing", "things") if findings else "nothing"
    yield f"The check of the vault finds {wrong} wrong."


def _verdicts(report: Report) -> str:
    return ", ".join(
        _many(count.number, *_VERDICTS[count.label])
        for count in report.verdicts
        if count.label in _VERDICTS
    )


def _many(number: int, one: str, more: str) -> str:
    return f"{number:,} {one if number == 1 else more}"


def _spoken(age: timedelta) -> str:
    minutes = int(age.total_seconds() // 60)
    if minutes < 120:
        return _many(minutes, "minute", "minutes")
    if minutes < 48 * 60:
        return f"{minutes // 60} hours"
    return f"{minutes // (24 * 60):,} days"
