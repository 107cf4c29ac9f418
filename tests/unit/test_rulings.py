"""Ruling plans: what each action changes, and what is refused with which words."""

from dataclasses import replace

import pytest

from proofstone.domain import ids
from proofstone.domain.gate_types import Claim, ClaimRole
from proofstone.domain.plan import ChangeNote, CreateNote, NoteKind, Operation, RulingPlan
from proofstone.domain.records import (
    Deferral,
    EvidenceRecord,
    Holdings,
    Inquiry,
    Layer,
    MatchKind,
    Memory,
    Proposal,
    ProposalStatus,
    Ratification,
    Standing,
    TrustClass,
)
from proofstone.domain.rulings import (
    ACTIONS,
    Assessment,
    Choices,
    Need,
    RulingMoment,
    RulingRefused,
    plan,
    short_id,
    unavailable,
)
from proofstone.domain.rulings.edits import EDITABLE
from proofstone.domain.rulings.terms import (
    DEFER_REASONS,
    DISMISS_REASONS,
    TOMBSTONE_REASONS,
    Held,
)
from proofstone.domain.verification import (
    Check,
    Finding,
    Verdict,
    VerificationStatus,
    VerifierReport,
)

MOMENT = RulingMoment(
    ruling_id="rul-1",
    group="grp-1",
    time="2026-11-27T09:00:00Z",
    author="Mira Tal",
    via="workbench",
)
PROPOSAL = Proposal(
    proposal_id="prop-0123456789abcdef01234567",
    statement="Orion ships on Tuesdays.",
    scopes=("project:orion",),
    type="fact",
    evidence=("e1", "gone"),
    bindings=(Claim(unit_id="u-1", quote="ships", role=ClaimRole.ASSERTION, start=6, end=11),),
    revision="rev-p",
    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
)
MEMORY = Memory(
    memory_id="mem-old",
    statement="Orion ships on Mondays.",
    title="Orion ship day",
    evidence=("e0",),
    revision="rev-m",
)
RECORD = EvidenceRecord(
    evidence_id="e1",
    source_kind="conversation",
    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
    revision="rev-e",
)
QUESTION = Inquiry(
    inquiry_id="inq-1", question="Which day?", concerns=(PROPOSAL.proposal_id,), revision="rev-i"
)
HOLDINGS = Holdings(
    memories=(MEMORY,), proposals=(PROPOSAL,), evidence=(RECORD,), inquiries=(QUESTION,)
)


def assessed(kind: MatchKind = MatchKind.NEW, *findings: Finding, **changes: object) -> Assessment:
    status = VerificationStatus.VERIFIED
    if any(found.verdict is Verdict.FLAG for found in findings):
        status = VerificationStatus.REVIEW_REQUIRED
    if any(found.verdict is Verdict.BLOCK for found in findings):
        status = VerificationStatus.REJECTED
    report = VerifierReport(status=status, findings=findings)
    matched = () if kind is MatchKind.NEW else (MEMORY.memory_id,)
    return replace(Assessment(report=report, match_kind=kind, matched=matched), **changes)


FLAG = Finding(
    check=Check.TRUST_BOUNDARY, verdict=Verdict.FLAG, failure_reasons=("low_trust_source",)
)
BLOCK = Finding(
    check=Check.TOMBSTONE, verdict=Verdict.BLOCK, failure_reasons=("tombstoned_recreation",)
)


def make(
    action: str,
    choices: Choices | None = None,
    *,
    subject: str = PROPOSAL.proposal_id,
    holdings: Holdings = HOLDINGS,
    assessment: Assessment | None = None,
) -> RulingPlan:
    return plan(
        action,
        subject,
        held=Held.of(holdings),
        assessment=assessment or assessed(),
        choices=choices or Choices(),
        moment=MOMENT,
    )


def refused(*arguments: object, **keywords: object) -> RulingRefused:
    with pytest.raises(RulingRefused) as caught:
        make(*arguments, **keywords)  # type: ignore[arg-type]
    return caught.value


def only(planned: RulingPlan, kind: NoteKind) -> Operation:
    found = [operation for operation in planned.operations if operation.ref.kind is kind]
    assert len(found) == 1
    return found[0]


def test_ratifying_makes_a_memory_whose_id_comes_from_the_proposal() -> None:
    planned = make("ratify")
    created = only(planned, NoteKind.MEMORY)
    assert isinstance(created, CreateNote)
    assert created.ref.id == ids.memory_id_for(PROPOSAL.proposal_id)
    assert created.body == PROPOSAL.statement
    assert created.fields["ratified"] == {
        "by": "Mira Tal",
        "at": "2026-11-27T09:00:00Z",
        "ruling": "rul-1",
    }
    assert created.fields["content_hash"] == ids.content_hash(PROPOSAL.statement)
    closed = only(planned, NoteKind.PROPOSAL)
    assert isinstance(closed, ChangeNote)
    assert closed.moved_to is not None and closed.moved_to.kind is NoteKind.RULED
    assert closed.set["status"] == "ratified"
    assert closed.set["memory_id"] == created.ref.id


def test_ratifying_links_the_evidence_that_is_there_and_answers_inquiries() -> None:
    planned = make("ratify")
    linked = only(planned, NoteKind.EVIDENCE)
    assert isinstance(linked, ChangeNote)
    assert linked.ref.id == "e1"
    assert linked.set == {"memory_ids": (ids.memory_id_for(PROPOSAL.proposal_id),)}
    answered = only(planned, NoteKind.INQUIRY)
    assert isinstance(answered, ChangeNote)
    assert answered.set["status"] == "answered"


@pytest.mark.parametrize(
    "choices", [Choices(), Choices(target=("mem-old",))], ids=["matched", "chosen"]
)
def test_an_update_keeps_the_id_and_sends_the_old_version_to_history(choices: Choices) -> None:
    kind = MatchKind.NEW if choices.target else MatchKind.UPDATES_EXISTING
    planned = make("ratify", choices, assessment=assessed(kind))
    history, change = (o for o in planned.operations if o.ref.kind is NoteKind.MEMORY)
    assert isinstance(history, ChangeNote) and isinstance(change, ChangeNote)
    assert history.keep_source
    assert history.moved_to is not None
    assert history.moved_to.id == ids.history_id("mem-old", "rev-m")
    assert history.set["standing"] == "superseded"
    assert change.ref.id == "mem-old"
    assert change.body == PROPOSAL.statement
    assert change.set["evidence"] == ("e1", "gone", "e0")


def test_new_as_target_makes_a_second_memory_where_an_update_was_offered() -> None:
    planned = make(
        "ratify", Choices(target=("new",)), assessment=assessed(MatchKind.UPDATES_EXISTING)
    )
    assert isinstance(only(planned, NoteKind.MEMORY), CreateNote)


def test_a_duplicate_strengthens_and_changes_no_words() -> None:
    planned = make("ratify", assessment=assessed(MatchKind.DUPLICATE))
    change = only(planned, NoteKind.MEMORY)
    assert isinstance(change, ChangeNote)
    assert change.body is None
    assert change.set["evidence"] == ("e0", "e1", "gone")


def test_an_update_target_that_is_gone_is_refused_with_a_way_out() -> None:
    gone = replace(PROPOSAL, update_memory_id="mem-gone")
    error = refused("ratify", holdings=replace(HOLDINGS, proposals=(gone,)))
    assert "mem-gone" in error.why
    assert error.need is Need.TARGET


def test_superseding_links_both_sides() -> None:
    planned = make("supersede", Choices(target=("mem-old",)))
    created, old = (o for o in planned.operations if o.ref.kind is NoteKind.MEMORY)
    assert isinstance(created, CreateNote) and isinstance(old, ChangeNote)
    assert created.fields["supersedes"] == ("mem-old",)
    assert old.set["superseded_by"] == created.ref.id
    assert old.set["standing"] == "superseded"
    assert not old.keep_source
    assert refused("supersede").need is Need.TARGET
    assert refused("supersede", Choices(target=("nothing",))).need is Need.TARGET


def test_deferring_keeps_the_proposal_where_it_is() -> None:
    planned = make("defer", Choices(reason="needs_owner", note="ask", until="2026-12-01"))
    change = only(planned, NoteKind.PROPOSAL)
    assert isinstance(change, ChangeNote)
    assert change.moved_to is None
    assert change.set == {
        "status": "deferred",
        "deferred": {"reason": "needs_owner", "note": "ask", "until": "2026-12-01"},
    }


def test_deferring_again_in_the_same_way_changes_nothing_and_is_refused() -> None:
    waiting = replace(
        PROPOSAL, status=ProposalStatus.DEFERRED, deferred=Deferral(reason="later", until="")
    )
    holdings = replace(HOLDINGS, proposals=(waiting,))
    assert "already deferred" in refused("defer", Choices(reason="later"), holdings=holdings).why
    assert make("defer", Choices(reason="needs_owner"), holdings=holdings).operations


@pytest.mark.parametrize("until", ["tomorrow", "2026-13-01", "20261201", "2026-12-1"])
def test_a_date_that_is_none_is_refused(until: str) -> None:
    assert "YYYY-MM-DD" in refused("defer", Choices(reason="later", until=until)).why


@pytest.mark.parametrize(
    ("action", "reasons"),
    [("defer", DEFER_REASONS), ("dismiss", DISMISS_REASONS), ("tombstone", TOMBSTONE_REASONS)],
)
def test_closed_reasons_are_closed(action: str, reasons: tuple[str, ...]) -> None:
    for reason in reasons:
        assert make(action, Choices(reason=reason)).ruling.reason == reason
    for reason in ("", "because"):
        error = refused(action, Choices(reason=reason))
        assert error.need is Need.REASON
        assert all(allowed in error.why for allowed in reasons)


def test_a_tombstone_holds_a_hash_and_no_words() -> None:
    planned = make("tombstone", Choices(reason="invalid"))
    stone = only(planned, NoteKind.TOMBSTONE)
    assert isinstance(stone, CreateNote)
    assert stone.fields["content_hash"] == ids.content_hash(PROPOSAL.statement)
    assert stone.fields["deleted_id"] == PROPOSAL.proposal_id
    assert PROPOSAL.statement not in repr(stone)


def test_what_the_verifier_rejects_can_neither_be_ratified_nor_supersede() -> None:
    rejected = assessed(MatchKind.NEW, BLOCK)
    for action, choices in (
        ("ratify", Choices(reason="I insist", confirm=PROPOSAL.proposal_id)),
        ("supersede", Choices(reason="I insist", target=("mem-old",))),
    ):
        error = refused(action, choices, assessment=rejected)
        assert "tombstoned_recreation" in error.why
        assert error.need is Need.NOTHING
    assert make("dismiss", Choices(reason="negated"), assessment=rejected).operations


@pytest.mark.parametrize(
    ("assessment", "says"),
    [
        (assessed(MatchKind.NEW, FLAG), "low_trust_source"),
        (assessed(tainted=True), "tainted"),
        (assessed(returned="poisoned"), "poisoned"),
    ],
    ids=["flag", "taint", "returned"],
)
def test_a_caution_needs_a_reason_in_words(assessment: Assessment, says: str) -> None:
    error = refused("ratify", assessment=assessment)
    assert error.need is Need.REASON
    assert says in error.why
    assert make("ratify", Choices(reason="checked by hand"), assessment=assessment).operations


def test_an_l1_proposal_needs_a_reason_and_its_id_typed() -> None:
    holdings = replace(HOLDINGS, proposals=(replace(PROPOSAL, layer=Layer.L1),))
    confirm = short_id(PROPOSAL.proposal_id)
    assert confirm == "012345"
    assert refused("ratify", holdings=holdings).need is Need.REASON
    assert refused("ratify", Choices(reason="so be it"), holdings=holdings).need is Need.CONFIRM
    wrong = Choices(reason="so be it", confirm="0123")
    assert refused("ratify", wrong, holdings=holdings).need is Need.CONFIRM
    planned = make("ratify", Choices(reason="so be it", confirm=confirm), holdings=holdings)
    created = only(planned, NoteKind.MEMORY)
    assert isinstance(created, CreateNote)
    assert created.fields["layer"] == "L1"


@pytest.mark.parametrize(
    "status", [s for s in ProposalStatus if s.value not in ("open", "deferred")]
)
@pytest.mark.parametrize("action", [action for action in ACTIONS if action != "contest"])
def test_a_proposal_that_was_ruled_on_takes_no_other_ruling(
    status: ProposalStatus, action: str
) -> None:
    holdings = replace(HOLDINGS, proposals=(replace(PROPOSAL, status=status, ruled_by="Lin"),))
    error = refused(action, Choices(reason="invalid", target=("mem-old",)), holdings=holdings)
    assert "already" in error.why
    assert "Lin" in error.why


def test_editing_keeps_the_first_words_on_record() -> None:
    planned = make("edit", Choices(edits={"statement": "Orion ships on Fridays."}))
    change = only(planned, NoteKind.PROPOSAL)
    assert isinstance(change, ChangeNote)
    assert change.body == "Orion ships on Fridays."
    assert change.set["original"] == PROPOSAL.statement
    again = replace(PROPOSAL, statement="second", original_statement="first")
    planned = make(
        "edit",
        Choices(edits={"statement": "third"}),
        holdings=replace(HOLDINGS, proposals=(again,)),
    )
    change = only(planned, NoteKind.PROPOSAL)
    assert isinstance(change, ChangeNote)
    assert "original" not in change.set


@pytest.mark.parametrize(
    "edits",
    [
        {},
        {"statement": PROPOSAL.statement},
        {"statement": "  "},
        {"layer": "L3"},
        {"trust_class": "my_word"},
        {"scopes": ()},
        {"tags": (1,)},
        {"proposal_id": "prop-x"},
        {"ratified": "yes"},
    ],
)
def test_edits_that_are_none_or_wrong_are_refused(edits: dict[str, object]) -> None:
    assert refused("edit", Choices(edits=edits)).need is Need.EDITS  # type: ignore[arg-type]


def test_no_edit_can_set_who_ruled() -> None:
    assert not {"ratified", "ruled", "status", "standing", "evidence"} & set(EDITABLE)


def test_confirming_a_memory_sets_its_next_review() -> None:
    planned = make("ratify", subject="mem-old")
    change = only(planned, NoteKind.MEMORY)
    assert isinstance(change, ChangeNote)
    assert change.set["review"] == {"cadence_days": 90, "next_review": "2027-02-25"}
    assert change.body is None


def test_an_unreviewed_l1_memory_is_confirmed_deliberately() -> None:
    holdings = replace(HOLDINGS, memories=(replace(MEMORY, layer=Layer.L1),))
    assert refused("ratify", subject="mem-old", holdings=holdings).need is Need.REASON
    ratified = Ratification(by="Mira Tal", at="2026-01-01T00:00:00Z", ruling="rul-0")
    reviewed = replace(MEMORY, layer=Layer.L1, ratified=ratified)
    assert make("ratify", subject="mem-old", holdings=replace(HOLDINGS, memories=(reviewed,)))


def test_a_memory_retired_for_audit_goes_to_history_with_a_marker() -> None:
    planned = make("tombstone", Choices(reason="invalid"), subject="mem-old")
    gone = only(planned, NoteKind.MEMORY)
    assert isinstance(gone, ChangeNote)
    assert not gone.keep_source
    assert gone.set["standing"] == "deleted"
    assert gone.set["invalidated_reason"] == "invalid"
    assert isinstance(only(planned, NoteKind.TOMBSTONE), CreateNote)


def test_a_memory_is_replaced_by_another_and_not_by_itself() -> None:
    other = replace(MEMORY, memory_id="mem-new", revision="rev-n")
    holdings = replace(HOLDINGS, memories=(MEMORY, other))
    planned = make("supersede", Choices(target=("mem-new",)), subject="mem-old", holdings=holdings)
    old, new = (o for o in planned.operations if o.ref.kind is NoteKind.MEMORY)
    assert isinstance(old, ChangeNote) and isinstance(new, ChangeNote)
    assert old.set["superseded_by"] == "mem-new"
    assert new.set["supersedes"] == ("mem-old",)
    itself = Choices(target=("mem-old",))
    assert refused("supersede", itself, subject="mem-old", holdings=holdings).need is Need.TARGET


def test_contesting_opens_an_inquiry_and_taking_it_back_answers_it() -> None:
    planned = make("contest", Choices(reason="Lin says decimals"), subject="mem-old")
    opened = only(planned, NoteKind.INQUIRY)
    assert isinstance(opened, CreateNote)
    inquiry = Inquiry(inquiry_id=opened.ref.id, question="?", concerns=("mem-old",))
    contested = replace(MEMORY, standing=Standing.CONTESTED)
    planned = make(
        "contest",
        subject="mem-old",
        holdings=replace(HOLDINGS, memories=(contested,), inquiries=(inquiry,)),
    )
    change = only(planned, NoteKind.MEMORY)
    assert isinstance(change, ChangeNote)
    assert change.set == {"standing": "active"}
    assert isinstance(only(planned, NoteKind.INQUIRY), ChangeNote)


def test_a_memory_cannot_be_edited_into_l1() -> None:
    error = refused("edit", Choices(edits={"layer": "L1"}), subject="mem-old")
    assert "L1" in error.why


def test_what_is_unavailable_says_why_and_the_rest_is_available() -> None:
    held = Held.of(HOLDINGS)
    rejected = assessed(MatchKind.NEW, BLOCK)
    for action in ("ratify", "supersede"):
        why = unavailable(action, PROPOSAL.proposal_id, held=held, assessment=rejected)
        assert "tombstoned_recreation" in why
    for action in ("ratify", "defer", "supersede", "tombstone", "dismiss", "edit"):
        assert not unavailable(action, PROPOSAL.proposal_id, held=held, assessment=assessed())
    assert unavailable("contest", PROPOSAL.proposal_id, held=held, assessment=assessed())
    assert unavailable("dismiss", "mem-old", held=held, assessment=None)
    assert unavailable("ratify", "nothing", held=held, assessment=None)


@pytest.mark.parametrize("action", ["ratify", "supersede"])
def test_planning_twice_gives_the_same_plan(action: str) -> None:
    choices = Choices(target=("mem-old",))
    assert make(action, choices) == make(action, choices)


def test_superseding_answers_questions_about_what_it_replaces_once_each() -> None:
    about_both = replace(QUESTION, concerns=(PROPOSAL.proposal_id, "mem-old"))
    about_old = replace(QUESTION, inquiry_id="inq-2", concerns=("mem-old",), revision="rev-j")
    answered = replace(about_old, inquiry_id="inq-3", status="answered")
    planned = make(
        "supersede",
        Choices(target=("mem-old",)),
        holdings=replace(HOLDINGS, inquiries=(about_both, about_old, answered)),
    )
    closed = [o.ref.id for o in planned.operations if o.ref.kind is NoteKind.INQUIRY]
    assert sorted(closed) == ["inq-1", "inq-2"]


def test_contesting_again_opens_the_same_inquiry_again() -> None:
    first = only(make("contest", subject="mem-old"), NoteKind.INQUIRY)
    earlier = Inquiry(inquiry_id=first.ref.id, question="?", status="answered", revision="rev-q")
    again = only(
        make("contest", subject="mem-old", holdings=replace(HOLDINGS, inquiries=(earlier,))),
        NoteKind.INQUIRY,
    )
    assert isinstance(again, ChangeNote)
    assert again.set["status"] == "open"
    assert "answer" in again.unset


def test_a_retracted_memory_has_nothing_to_confirm_and_lives_again_with_new_words() -> None:
    retracted = replace(
        MEMORY, statement="", standing=Standing.DEPRECATED, invalidated_reason="It was wrong."
    )
    holdings = replace(HOLDINGS, memories=(retracted,))
    assert "nothing to confirm" in refused("ratify", subject="mem-old", holdings=holdings).why
    planned = make(
        "edit", Choices(edits={"statement": "It holds."}), subject="mem-old", holdings=holdings
    )
    _, change = (o for o in planned.operations if o.ref.kind is NoteKind.MEMORY)
    assert isinstance(change, ChangeNote)
    assert change.set["standing"] == "active"
    assert "validity" in change.unset
