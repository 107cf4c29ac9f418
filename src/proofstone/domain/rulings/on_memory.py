"""Rulings on a memory: confirm, postpone, replace, retire, contest (spec page 6)."""

from __future__ import annotations

from proofstone.domain import ids, inquiries, note_fields
from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    NoteKind,
    NoteRef,
    Operation,
    RulingPlan,
)
from proofstone.domain.records import Inquiry, Layer, Memory, Ratification, Standing
from proofstone.domain.rulings import guards, steps
from proofstone.domain.rulings.on_proposal import require_date
from proofstone.domain.rulings.terms import (
    TOMBSTONE_REASONS,
    Choices,
    Held,
    Need,
    RulingMoment,
    RulingRefused,
)


def confirm(memory: Memory, held: Held, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Confirm a memory after review, and set the next review date."""
    if memory.is_retracted:
        raise RulingRefused("its words were retracted, so there is nothing to confirm")
    if memory.layer is Layer.L1 and memory.ratified is None:
        guards.require_deliberation(memory.memory_id, choices)
    review = steps.next_review(moment, memory.layer, memory.review, choices.until)
    require_date(review.next_review)
    ratified = Ratification(by=moment.author, at=moment.time, ruling=moment.ruling_id)
    return RulingPlan(
        ruling=moment.ruling("ratify", memory.memory_id, choices),
        operations=(
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
                revision=memory.revision,
                set={
                    "review": note_fields.review_fields(review),
                    "ratified": note_fields.ratification_fields(ratified),
                },
            ),
            *steps.answer_inquiries(held.holdings, (memory.memory_id,), moment, "confirmed"),
        ),
        summary=f"confirmed; next review {review.next_review}",
    )


def postpone(memory: Memory, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Move a memory's review to a later date, without confirming it."""
    review = steps.next_review(moment, memory.layer, memory.review, choices.until)
    require_date(review.next_review)
    if memory.review == review:
        raise RulingRefused(f"its review is already set for {review.next_review}")
    return RulingPlan(
        ruling=moment.ruling("defer", memory.memory_id, choices),
        operations=(
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
                revision=memory.revision,
                set={"review": note_fields.review_fields(review)},
            ),
        ),
        summary=f"review postponed to {review.next_review}",
    )


def replace_by(memory: Memory, held: Held, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Send a memory to history in favour of another that is in force."""
    if len(choices.target) != 1:
        raise RulingRefused("choose the one memory that replaces it", Need.TARGET)
    successor = held.target(choices.target[0])
    if successor.memory_id == memory.memory_id:
        raise RulingRefused("a memory cannot replace itself", Need.TARGET)
    return RulingPlan(
        ruling=moment.ruling("supersede", memory.memory_id, choices),
        operations=(
            steps.to_history(
                memory,
                moment,
                standing=Standing.SUPERSEDED,
                superseded_by=successor.memory_id,
            ),
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, successor.memory_id),
                revision=successor.revision,
                set={"supersedes": steps.union(successor.supersedes, (memory.memory_id,))},
            ),
            *steps.answer_inquiries(
                held.holdings, (memory.memory_id,), moment, f"superseded by {successor.memory_id}"
            ),
        ),
        summary=f"{memory.memory_id} superseded by {successor.memory_id}",
    )


def retire(memory: Memory, held: Held, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Delete a memory for audit: its last version goes to history, a marker keeps it out."""
    guards.require_one_of(choices.reason, TOMBSTONE_REASONS, "tombstone")
    return RulingPlan(
        ruling=moment.ruling("tombstone", memory.memory_id, choices),
        operations=(
            steps.to_history(
                memory, moment, standing=Standing.DELETED, invalidated_reason=choices.reason
            ),
            steps.bury(memory.memory_id, memory.statement, moment, choices.reason),
            *steps.answer_inquiries(
                held.holdings, (memory.memory_id,), moment, f"tombstoned ({choices.reason})"
            ),
        ),
        summary=f"{memory.memory_id} tombstoned ({choices.reason}); its text is kept in history",
    )


def contest(memory: Memory, held: Held, choices: Choices, moment: RulingMoment) -> RulingPlan:
    """Mark a memory as contested and open an inquiry, or take it back and close the inquiry."""
    contested = memory.standing is not Standing.CONTESTED
    standing = Standing.CONTESTED if contested else Standing.ACTIVE
    consequence: tuple[Operation, ...]
    if contested:
        consequence = (_asked(memory, held, choices, moment),)
    else:
        answer = choices.reason or "it holds"
        consequence = steps.answer_inquiries(held.holdings, (memory.memory_id,), moment, answer)
    return RulingPlan(
        ruling=moment.ruling("contest", memory.memory_id, choices),
        operations=(
            ChangeNote(
                ref=NoteRef(NoteKind.MEMORY, memory.memory_id),
                revision=memory.revision,
                set={"standing": standing.value},
            ),
            *consequence,
        ),
        summary="contested; an inquiry is open" if contested else "active again",
    )


def _asked(memory: Memory, held: Held, choices: Choices, moment: RulingMoment) -> Operation:
    """The operation that opens the inquiry on a contested memory, or opens it again."""
    question = f"{memory.memory_id} is contested: does it still hold?"
    inquiry = Inquiry(
        inquiry_id=ids.inquiry_id(question, (memory.memory_id,)),
        question=question,
        context=choices.reason,
        concerns=(memory.memory_id,),
        priority="high",
        opened=moment.time,
    )
    ref = NoteRef(NoteKind.INQUIRY, inquiry.inquiry_id)
    for earlier in held.holdings.inquiries:
        if earlier.inquiry_id == inquiry.inquiry_id:
            return ChangeNote(
                ref=ref,
                revision=earlier.revision,
                set={"status": inquiries.OPEN, "opened": moment.time},
                unset=("answered", "answer"),
                body=inquiry.context,
            )
    return CreateNote(ref=ref, fields=note_fields.inquiry_fields(inquiry), body=inquiry.context)
