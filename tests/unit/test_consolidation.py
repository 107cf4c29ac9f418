"""L1 proposals from stable L2 memories (spec page 3, L1)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from proofstone.domain import ids
from proofstone.domain.consolidation import consolidate, survey
from proofstone.domain.evidence_records import redacted
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Holdings,
    Inquiry,
    Layer,
    Memory,
    Standing,
    Tombstone,
    TrustClass,
)
from proofstone.domain.tombstone_index import TombstoneIndex

ONE = Memory(
    memory_id="mem-1",
    statement="Prefer small commits with one purpose.",
    title="Small commits",
    tags=("commits",),
    profile="p",
    stability="stable",
    evidence=("e1",),
    trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
    durability_signal=Durability.USER_GLOBAL,
    confidence=0.9,
    applies_when=("writing code",),
    known_exceptions=("generated files",),
    created="2026-01-01",
)
TWO = replace(
    ONE,
    memory_id="mem-2",
    statement="Prefer small commits.",
    evidence=("e2", "e1"),
    trust_class=TrustClass.EXISTING_PROJECT_CONVENTION,
    durability_signal=Durability.PROJECT,
    confidence=0.7,
    applies_when=("reviewing", "writing code"),
    known_exceptions=(),
    does_not_apply_when=("a spike",),
    created="2026-02-01",
)
THREE = replace(
    ONE, memory_id="mem-3", statement="Prefer small commits always.", created="2026-03-01"
)


def record(evidence_id: str) -> EvidenceRecord:
    return EvidenceRecord(
        evidence_id=evidence_id,
        source_kind="conversation",
        trust_class=TrustClass.DIRECT_USER_INSTRUCTION,
        source_excerpt="Small commits, please.",
    )


HELD = Holdings(memories=(TWO, ONE), evidence=(record("e1"), record("e2")))


def test_two_stable_memories_with_one_key_become_one_proposal() -> None:
    (proposal,) = consolidate(HELD, created="2026-08-10T12:00:00Z")
    assert proposal.layer is Layer.L1
    assert proposal.origin == "consolidation"
    assert proposal.l1_sources == ("mem-1", "mem-2")
    assert proposal.evidence == ("e1", "e2")
    assert proposal.statement == ONE.statement
    assert proposal.applies_when == ("writing code", "reviewing")
    assert proposal.does_not_apply_when == ("a spike",)
    assert proposal.known_exceptions == ("generated files",)
    assert proposal.counterexamples == ()
    assert proposal.created == "2026-08-10T12:00:00Z"


def test_it_claims_no_more_than_its_weakest_source() -> None:
    (proposal,) = consolidate(HELD)
    assert proposal.trust_class is TrustClass.EXISTING_PROJECT_CONVENTION
    assert proposal.durability_signal is Durability.PROJECT
    assert proposal.confidence == 0.7


def test_the_words_are_those_that_have_most_in_common() -> None:
    (proposal,) = consolidate(replace(HELD, memories=(ONE, TWO, THREE)))
    assert proposal.statement in {TWO.statement, THREE.statement}
    again = consolidate(replace(HELD, memories=(THREE, ONE, TWO)))
    assert again == (proposal,)


@pytest.mark.parametrize(
    "other",
    [
        replace(TWO, stability="semi-stable"),
        replace(TWO, standing=Standing.DEPRECATED),
        replace(TWO, layer=Layer.L1),
        replace(TWO, profile="q"),
        replace(TWO, rule_type="workflow"),
        replace(TWO, tags=("merges",)),
        replace(TWO, scopes=("project:orion",)),
    ],
)
def test_what_is_not_stable_active_or_alike_makes_none(other: Memory) -> None:
    assert consolidate(replace(HELD, memories=(ONE, other))) == ()


def test_what_was_proposed_before_or_is_in_force_is_not_proposed_again() -> None:
    (proposal,) = consolidate(HELD)
    assert consolidate(replace(HELD, proposals=(proposal,))) == ()
    ratified = replace(ONE, memory_id=ids.memory_id_for(proposal.proposal_id), layer=Layer.L1)
    assert consolidate(replace(HELD, memories=(ONE, TWO, ratified))) == ()


def stone(deleted_id: str, content: str = "") -> Tombstone:
    return Tombstone(
        tombstone_id="tomb-1",
        deleted_id=deleted_id,
        deleted_at="2026-08-01T00:00:00Z",
        content_hash=ids.content_hash(content) if content else "",
    )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"tombstones": (stone("mem-2"),)}, "tombstone:tomb-1"),
        ({"tombstones": (stone("x", TWO.statement),)}, "tombstone:tomb-1"),
        (
            {"memories": (ONE, TWO, replace(THREE, standing=Standing.CONTESTED))},
            "contested:mem-3",
        ),
    ],
)
def test_a_tombstoned_or_contested_source_stops_it(change: dict[str, object], reason: str) -> None:
    found = survey(replace(HELD, **change))
    assert found.proposals == ()
    (stopped,) = found.stopped
    assert stopped.reasons == (reason,)
    assert set(stopped.sources) >= {"mem-1", "mem-2"}


def test_purged_content_stops_it_too() -> None:
    index = TombstoneIndex.of((), lambda words: ("tomb-p",) if words == TWO.statement else ())
    assert survey(HELD, tombstones=index).stopped[0].reasons == ("tombstone:tomb-p",)


def test_counterexamples_are_searched_for_and_stored() -> None:
    question = Inquiry(inquiry_id="inq-1", question="Still true?", concerns=("mem-1",))
    elsewhere = replace(ONE, memory_id="mem-9", profile="q", statement="Prefer large commits.")
    found = consolidate(
        replace(
            HELD,
            memories=(ONE, TWO, elsewhere),
            evidence=(record("e1"), redacted(record("e2"))),
            inquiries=(question, replace(question, inquiry_id="inq-2", status="answered")),
        )
    )
    assert found[0].counterexamples == (
        "inquiry:inq-1",
        "redacted_evidence:e2",
        "other_profile:mem-9",
    )
    assert found[0].evidence == ("e1",)


def test_a_tainted_source_taints_it() -> None:
    (proposal,) = consolidate(replace(HELD, memories=(ONE, replace(TWO, tainted=True))))
    assert proposal.tainted
