"""What a report says, as values: each form, HTML and Markdown, is made from these alone.

Texts are as the vault holds them, secrets masked and long ones cut; how they are made harmless is
for each form to do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from proofstone.domain.records import Problem

SIBLING = "sibling"
"""How a proposal stands to a memory that it is not matched with and that has much of its words."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many there are of something."""

    label: str
    number: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What supports a statement: the words, where they stand, and the authority they have."""

    trust: str
    polarity: str
    text: str
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The first sources of a statement, how many there are besides, and how many are missing."""

    sources: tuple[Source, ...] = ()
    more: int = 0
    missing: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One ruling, and the evidence that its subject has."""

    ruling_id: str
    time: str
    author: str
    via: str
    action: str
    subject: str
    statement: str
    reason: str
    state: str
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One proposal that nobody has ruled on, and what bears on it."""

    proposal_id: str
    statement: str
    layer: str
    age: timedelta
    verdict: str
    risk: str
    match: str
    reasons: tuple[str, ...]
    tainted: bool
    until: str
    evidence: Evidence


@dataclass(frozen=True, slots=True, kw_only=True)
class Twice:
    """A proposal beside the memory that says the same, or nearly.

    ``how`` is the proposal's kind of match, or ``SIBLING``; ``score`` is that of the siblings, from
    0 to 1, where they are siblings.
    """

    proposal_id: str
    statement: str
    memory_id: str
    other: str
    how: str
    score: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """An id that a text names, and the statement that it stands for."""

    identifier: str
    statement: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """An inquiry that nobody has answered: since when, how urgent, and what it is about.

    ``question`` has statements in the place of ids.
    """

    inquiry_id: str
    question: str
    context: str
    priority: str
    opened: str
    concerns: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A memory in force that was to be looked at again by now."""

    memory_id: str
    statement: str
    since: str
    change_condition: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A report. Lists hold the first ``LISTED`` of each kind; the figures count all.

    ``period`` names the days, weeks, months or years that ``decided`` counts by; ``trust`` counts
    the evidence records of what waits, strongest class first; ``oldest`` is how long the oldest has
    waited and ``tainted`` how many are tainted; ``people`` has for each author how often they took
    each of ``actions``.
    """

    vault: str
    at: str
    since: str
    figures: tuple[Count, ...]
    period: str
    decided: tuple[Count, ...]
    oldest: timedelta
    tainted: int
    ages: tuple[Count, ...]
    risks: tuple[Count, ...]
    matches: tuple[Count, ...]
    verdicts: tuple[Count, ...]
    trust: tuple[Count, ...]
    actions: tuple[str, ...]
    people: tuple[tuple[str, tuple[int, ...]], ...]
    decisions: tuple[Decision, ...]
    waiting: tuple[Waiting, ...]
    questions: tuple[Question, ...]
    due: tuple[Due, ...]
    twice: tuple[Twice, ...]
    problems: tuple[Problem, ...]
    left_off: Mapping[str, int]
    """How many more there are of each of these lists."""

    def figure(self, label: str) -> int:
        """The figure of that label, 0 where there is none."""
        return next((count.number for count in self.figures if count.label == label), 0)
