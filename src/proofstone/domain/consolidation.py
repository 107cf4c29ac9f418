"""Consolidation: L1 proposals from stable L2 memories (spec page 3, L1).

It writes proposals and never memories. The words of a proposal are those of one of its sources:
the host owns no meaning, and a person edits before ratifying. A search for counterexamples is made
first and stored with the proposal; a tombstoned or contested source stops it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from proofstone.domain import evidence_records, ids, inquiries, normalized_key, tokens, trust
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Holdings,
    Layer,
    Memory,
    Proposal,
    Redaction,
    Standing,
)
from proofstone.domain.tombstone_index import TombstoneIndex

LEAST_SOURCES = 2
STABLE = "stable"
ORIGIN = "consolidation"

NARROWEST_FIRST: tuple[Durability, ...] = (
    Durability.TEMPORARY,
    Durability.TASK,
    Durability.SESSION,
    Durability.UNKNOWN,
    Durability.PROJECT,
    Durability.REPOSITORY,
    Durability.USER_GLOBAL,
    Durability.LONG_TERM,
)

_REPRESENTATIVES_COMPARED = 50
"""Sources compared with each other to choose the words; the rest are only cited."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Sources that would have made a proposal, and why they did not."""

    key: str
    sources: tuple[str, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Consolidation:
    """What a run offers, and what was stopped."""

    proposals: tuple[Proposal, ...]
    stopped: tuple[Stopped, ...]


def consolidate(
    holdings: Holdings, *, created: str = "", tombstones: TombstoneIndex | None = None
) -> tuple[Proposal, ...]:
    """The new L1 proposals, by key; see ``survey``."""
    return survey(holdings, created=created, tombstones=tombstones).proposals


def survey(
    holdings: Holdings, *, created: str = "", tombstones: TombstoneIndex | None = None
) -> Consolidation:
    """Look at every group of stable active L2 memories of one profile and key.

    ``created`` is the time given to new proposals. ``tombstones`` brings the vault's index, which
    also knows purged content; without it the holdings' own tombstones are used. What was proposed
    before, or is in force, is not proposed again.
    """
    search = _Search(holdings, tombstones or TombstoneIndex.of(holdings.tombstones))
    known = {proposal.proposal_id for proposal in holdings.proposals}
    known_memories = {memory.memory_id for memory in holdings.memories}
    proposals: list[Proposal] = []
    stopped: list[Stopped] = []
    for (profile, key), sources in sorted(_groups(holdings.memories).items()):
        cited = tuple(source.memory_id for source in sources)
        reasons = search.stops(profile, key, sources)
        if reasons:
            stopped.append(Stopped(key, cited, reasons))
            continue
        proposal = _proposal(sources, key, search, created)
        if (
            proposal.proposal_id not in known
            and ids.memory_id_for(proposal.proposal_id) not in known_memories
        ):
            proposals.append(proposal)
    return Consolidation(tuple(proposals), tuple(stopped))


def _groups(memories: Iterable[Memory]) -> dict[tuple[str, str], tuple[Memory, ...]]:
    """Sources by profile and key, contested ones too; the key's last part is the rule type."""
    groups: defaultdict[tuple[str, str], list[Memory]] = defaultdict(list)
    for memory in memories:
        if (
            memory.layer is Layer.L2
            # Contested ones count here, so that what they stop is said and not passed over.
            and memory.standing in (Standing.ACTIVE, Standing.CONTESTED)
            and memory.stability == STABLE
            and not memory.is_history
        ):
            groups[memory.profile, normalized_key.key_of(memory)].append(memory)
    return {
        group: tuple(sorted(found, key=lambda memory: (memory.created, memory.memory_id)))
        for group, found in groups.items()
        if len(found) >= LEAST_SOURCES
    }


class _Search:
    """The search for counterexamples, over indexes that are made once."""

    def __init__(self, holdings: Holdings, tombstones: TombstoneIndex) -> None:
        self._tombstones = tombstones
        self._inquiries = sorted(holdings.inquiries, key=lambda inquiry: inquiry.inquiry_id)
        self.records = evidence_records.by_id(holdings.evidence)
        self._by_subject: defaultdict[str, list[Memory]] = defaultdict(list)
        for memory in sorted(holdings.memories, key=lambda held: held.memory_id):
            if memory.standing in (Standing.ACTIVE, Standing.CONTESTED):
                key = normalized_key.without_profile(normalized_key.key_of(memory))
                self._by_subject[key].append(memory)

    def stops(self, profile: str, key: str, sources: Sequence[Memory]) -> tuple[str, ...]:
        """Why the sources may not become a proposal: contested or tombstoned ones."""
        contested = [
            f"contested:{memory.memory_id}"
            for memory in self._subject(key)
            if memory.standing is Standing.CONTESTED and memory.profile == profile
        ]
        return (*contested, *self._buried(sources))

    def counterexamples(self, profile: str, key: str, sources: Sequence[Memory]) -> tuple[str, ...]:
        """What speaks against the principle without stopping it, as ``what:id``, in fixed order."""
        cited = [source.memory_id for source in sources]
        questions = inquiries.concerning(self._inquiries, cited)
        removed = [
            record.evidence_id
            for record in self.cited(sources)
            if record.redaction_status is not Redaction.NONE
        ]
        others = [memory for memory in self._subject(key) if memory.profile != profile]
        return (
            *(f"inquiry:{inquiry.inquiry_id}" for inquiry in questions),
            *(f"redacted_evidence:{evidence_id}" for evidence_id in removed),
            *(
                f"{'contested' if m.standing is Standing.CONTESTED else 'other_profile'}:"
                f"{m.memory_id}"
                for m in others
            ),
        )

    def cited(self, sources: Iterable[Memory]) -> list[EvidenceRecord]:
        """The evidence records behind the sources, once each, as far as they are there."""
        wanted = dict.fromkeys(id for source in sources for id in source.evidence)
        return [self.records[id] for id in wanted if id in self.records]

    def _subject(self, key: str) -> list[Memory]:
        return self._by_subject.get(normalized_key.without_profile(key), [])

    def _buried(self, sources: Iterable[Memory]) -> tuple[str, ...]:
        found: dict[str, None] = {}
        for source in sources:
            stone = self._tombstones.for_id(source.memory_id)
            if stone:
                found[f"tombstone:{stone.tombstone_id}"] = None
            for tombstone_id in self._tombstones.for_content(source.statement):
                found[f"tombstone:{tombstone_id}"] = None
        return tuple(found)


def _proposal(sources: tuple[Memory, ...], key: str, search: _Search, created: str) -> Proposal:
    chosen = _representative(sources)
    scopes = _union(source.scopes for source in sources)
    classes = [source.trust_class for source in sources if source.trust_class]
    trust_class = min(classes, key=lambda found: trust.TRUST[found].weight) if classes else None
    signals = [source.durability_signal or Durability.UNKNOWN for source in sources]
    durability = min(signals, key=NARROWEST_FIRST.index)
    confidences = [source.confidence for source in sources if source.confidence is not None]
    whole = [r for r in search.cited(sources) if r.redaction_status is Redaction.NONE]
    return Proposal(
        proposal_id=ids.proposal_id(
            chosen.statement, profile=chosen.profile, scopes=scopes, layer=Layer.L1
        ),
        origin=ORIGIN,
        layer=Layer.L1,
        statement=chosen.statement,
        title=chosen.title,
        profile=chosen.profile,
        scopes=scopes,
        scope_source=chosen.scope_source,
        type=chosen.type,
        kind=chosen.kind,
        rule_type=chosen.rule_type,
        normalized_key=key,
        tags=_union(source.tags for source in sources),
        confidence=min(confidences) if confidences else None,
        stability=STABLE,
        evidence=tuple(record.evidence_id for record in whole),
        trust_class=trust_class,
        durability_signal=durability,
        poisoning_risk=trust.poisoning(trust_class, durability)[0],
        applies_when=_union(source.applies_when for source in sources),
        does_not_apply_when=_union(source.does_not_apply_when for source in sources),
        known_exceptions=_union(source.known_exceptions for source in sources),
        content_hash=ids.content_hash(chosen.statement),
        tainted=any(source.tainted for source in sources),
        created=created,
        l1_sources=tuple(source.memory_id for source in sources),
        counterexamples=search.counterexamples(chosen.profile, key, sources),
    )


def _representative(sources: Sequence[Memory]) -> Memory:
    """The source whose words have the most in common with the others'.

    Ties go to the more confident, then to the older one.
    """
    compared = sources[:_REPRESENTATIVES_COMPARED]

    def rank(position: int) -> tuple[float, float, int]:
        source = compared[position]
        likeness = sum(
            tokens.jaccard(source.statement, other.statement)
            for other in compared
            if other is not source
        )
        return (-round(likeness, 9), -(source.confidence or 0.0), position)

    return compared[min(range(len(compared)), key=rank)]


def _union(lists: Iterable[Iterable[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for entries in lists for item in entries))
