"""The guided tour of the demo vault: what each step says, and where it points (spec page 7).

A step names a turn or a proposal of the story, the pane that it explains and, where it matters, the
row. Keys in braces are those that hold now.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from proofstone.curation.views import ProposalView, TurnView
from proofstone.domain.evidence_unit import Partition
from proofstone.domain.verification import Verdict
from proofstone.tui.command import LOG, MAIN

Row = Callable[[TurnView | None, ProposalView | None], str]


def first_unresolved(turn: TurnView | None, _: ProposalView | None) -> str:
    """The first unit of the turn whose source is missing, failed or partial."""
    units = turn.units if turn is not None else ()
    return next((u.unit_id for u in units if u.partition is Partition.UNRESOLVED), "")


def first_flag(_: TurnView | None, view: ProposalView | None) -> str:
    """The first check that asks for a person."""
    findings = view.report.findings if view is not None else ()
    flagged = (found for found in findings if found.verdict is Verdict.FLAG)
    return next((f"finding-{found.check.value}" for found in flagged), "")


@dataclass(frozen=True, slots=True, kw_only=True)
class TourStep:
    """One step.

    ``turn`` is a reference, ``proposal`` the beginning of an id; at most one of them is given.
    ``pane`` is the number of a pane of the main screen, or 0 for a whole screen. ``boundary`` opens
    the boundary view.
    """

    title: str
    text: str
    screen: str = MAIN
    pane: int = 0
    turn: str = ""
    proposal: str = ""
    row: Row | None = None
    boundary: bool = False


STEPS: tuple[TourStep, ...] = (
    TourStep(
        title="What agents heard",
        text="What people and agents said arrives as turns; none of it is a memory yet. The sign "
        "says how far each is: ✓ settled, ○ open, ✗ its answer refused, … no answer yet, "
        "! incomplete.",
        pane=1,
        turn="codex/orion-ci#2",
    ),
    TourStep(
        title="Evidence, in three partitions",
        text="A turn is cut into its exact clauses. P may be cited as evidence. C, what the "
        "assistant said and what memory gave back, is context. U is missing, failed or partial, "
        "and keeps the turn open.",
        pane=3,
        turn="codex/orion-ci#2",
        row=first_unresolved,
    ),
    TourStep(
        title="The evidence boundary",
        text="Left, all that a model is given to judge: the P units, nothing else. Right, what the "
        "host holds back, with the reason. No agent can cite itself, a memory, or a source that "
        "failed. {boundary} opens this at any time.",
        turn="codex/orion-ci#2",
        boundary=True,
    ),
    TourStep(
        title="The Gate accounts for everything",
        text="The model's answer has a row for every unit: candidate, no change or deferred, with "
        "a reason. Each candidate is bound to exact words. The meter shows that nothing was "
        "passed over.",
        pane=4,
        turn="codex/orion-release#3",
    ),
    TourStep(
        title="An answer that was refused",
        text="This answer quoted words that the turn does not hold. It was refused whole: only "
        "stage and reason are kept, never what it claimed. The turn waits for another answer, by "
        "a model or by you.",
        pane=4,
        turn="claude-code/atlas-load#2",
    ),
    TourStep(
        title="A proposal waits for a person",
        text="A candidate becomes a proposal, and nothing is in force before you say so. This one "
        "is clean: {ratify} would ratify it, {undo} takes that back. Its quotes are marked in the "
        "evidence.",
        pane=5,
        proposal="prop-6521b5",
    ),
    TourStep(
        title="Seven checks, always in this order",
        text="Each has its measure and threshold, and they weigh sources, not style. Here a "
        "source is not trusted enough: ratifying asks for your reason in words. ✗ would forbid "
        "it.",
        pane=6,
        proposal="prop-a703a4",
        row=first_flag,
    ),
    TourStep(
        title="What is held already",
        text="Siblings say nearly the same; the words that differ are marked. This proposal "
        "contradicts one: {supersede} puts it in force and sends the old one to history, both "
        "linked.",
        pane=7,
        proposal="prop-b3bdbe",
    ),
    TourStep(
        title="Text that tries to steer you",
        text="A web page told assistants to remember this, with hidden characters: ‹…› makes them "
        "seen, TAINT marks it. It is never preselected. {dismiss} dismisses it, {tombstone} "
        "refuses it for good.",
        pane=2,
        proposal="prop-7ed2e8",
    ),
    TourStep(
        title="Nothing is lost",
        text="Every ruling, with who, when, why and the lines it wrote, in a chain that shows "
        "tampering. {undo} takes back the one under the cursor. Now rule yourself: {tour} ends "
        "the tour, {back} goes to the queue.",
        screen=LOG,
    ),
)
