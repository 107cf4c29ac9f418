"""What an accepted Gate answer gives rise to (spec page 3, Evidence record)."""

from __future__ import annotations

from dataclasses import replace

from proofstone.domain.conversation import Turn
from proofstone.domain.evidence_unit import EvidenceUnit, Origin
from proofstone.domain.gate_types import Binding, Candidate, Claim, ClaimRole, GateAnswer
from proofstone.domain.proposing import propose

SAID = "Store amounts as decimals."
UNIT = EvidenceUnit(
    unit_id="u-1",
    event_key="event-1",
    source_role="user",
    origin=Origin.USER_ASSERTION,
    start=0,
    end=len(SAID),
    text=SAID,
)
TURN = Turn(source="agent", session_id="money", turn_key="t", turn_index=1)
FIRST = Candidate(
    candidate_id="c1",
    memory="Atlas stores amounts as decimals.",
    evidence_event_ids=("event-1",),
    worth=True,
    duplicate=False,
    type="decision",
    scopes=("project:atlas",),
    scope_source="user",
)
SECOND = replace(
    FIRST, candidate_id="c2", memory="Amounts are stored as decimals.", scopes=("global",)
)


def test_words_that_two_candidates_cite_are_one_record_that_reaches_as_far_as_both() -> None:
    claim = Claim(unit_id="u-1", quote=SAID, role=ClaimRole.ASSERTION, start=0, end=len(SAID))
    for candidates in ((FIRST, SECOND), (SECOND, FIRST)):
        answer = GateAnswer(
            candidates=candidates,
            bindings=tuple(
                Binding(candidate_id=one.candidate_id, claims=(claim,)) for one in candidates
            ),
        )
        made = propose(TURN, [UNIT], answer, profile="mira", now="2026-11-27T09:00:00Z")
        (record,) = made.records
        assert set(record.scopes) == {"project:atlas", "global"}
        assert [one.evidence for one in made.proposals] == [(record.evidence_id,)] * 2
