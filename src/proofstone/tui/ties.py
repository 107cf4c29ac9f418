"""What belongs together: the links between panes (spec page 7, Linked panes).

Pure functions from a choice in one pane to everything that it touches in the others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from proofstone.domain.clusters import Cluster, Waiting, clusters

if TYPE_CHECKING:
    from proofstone.curation.views import ProposalView, TurnView
    from proofstone.domain.gate_types import Claim


Spans = Mapping[str, tuple[tuple[int, int], ...]]
"""Spans to mark within units, by unit id."""


def turn_link(reference: str) -> str:
    """The link of a turn."""
    return f"turn:{reference}"


def unit_link(unit_id: str) -> str:
    """The link of a unit, and of its coverage row."""
    return f"unit:{unit_id}"


def candidate_link(candidate_id: str) -> str:
    """The link of a candidate and of its claims."""
    return f"candidate:{candidate_id}"


def proposal_link(proposal_id: str) -> str:
    """The link of a proposal."""
    return f"proposal:{proposal_id}"


def record_link(evidence_id: str) -> str:
    """The link of an evidence record."""
    return f"record:{evidence_id}"


def memory_link(memory_id: str) -> str:
    """The link of a memory."""
    return f"memory:{memory_id}"


def finding_link(check: str) -> str:
    """The link of a verifier's finding."""
    return f"finding:{check}"


@dataclass(frozen=True, slots=True)
class Ties:
    """What is highlighted, and which spans are marked inside units."""

    links: frozenset[str] = frozenset()
    quotes: Spans = field(default_factory=dict)


NOTHING = Ties()
"""Nothing is highlighted."""


def clusters_of(views: Iterable[ProposalView]) -> tuple[Cluster, ...]:
    """The clusters of what waits, in the queue's order."""
    return clusters(
        Waiting(
            view.proposal_id, view.proposal.statement, view.match.normalized_key, view.is_tainted
        )
        for view in views
    )


class TieIndex:
    """Proposals by the turn, candidate and memory that they belong to, and in clusters."""

    def __init__(self, proposals: Iterable[ProposalView] = ()) -> None:
        views = tuple(proposals)
        self.clusters = clusters_of(views)
        """What waits, in clusters."""
        self._by_turn: dict[str, list[str]] = defaultdict(list)
        self._by_candidate: dict[tuple[str, str], list[str]] = defaultdict(list)
        self._by_memory: dict[str, list[str]] = defaultdict(list)
        for view in views:
            proposal = view.proposal
            if proposal.turn:
                self._by_turn[proposal.turn].append(view.proposal_id)
                if not view.answer_is_replaced:
                    candidate = proposal.turn, proposal.candidate_id
                    self._by_candidate[candidate].append(view.proposal_id)
            for memory_id in view.match.matched:
                self._by_memory[memory_id].append(view.proposal_id)
        self._views = views

    def take_siblings(self) -> None:
        """Take in which memories the proposals resemble; called in a thread, when that is known."""
        by_memory: dict[str, list[str]] = defaultdict(list)
        for view in self._views:
            for memory_id in dict.fromkeys(
                (*view.match.matched, *(found.memory_id for found in view.siblings))
            ):
                by_memory[memory_id].append(view.proposal_id)
        self._by_memory = by_memory

    def of_turn(self, reference: str) -> tuple[str, ...]:
        """Waiting proposals from this turn, in the queue's order."""
        return tuple(self._by_turn.get(reference, ()))

    def of_candidate(self, reference: str, candidate_id: str) -> tuple[str, ...]:
        """Waiting proposals made from this candidate."""
        return tuple(self._by_candidate.get((reference, candidate_id), ()))

    def of_memory(self, memory_id: str) -> tuple[str, ...]:
        """Waiting proposals that match this memory or, once that is known, resemble it."""
        return tuple(self._by_memory.get(memory_id, ()))


def claims_of(turn: TurnView | None, candidate_id: str) -> tuple[Claim, ...]:
    """The claims by which the accepted answer binds a candidate."""
    if turn is None or turn.gate is None or turn.gate.answer is None:
        return ()
    return tuple(
        claim
        for binding in turn.gate.answer.bindings
        if binding.candidate_id == candidate_id
        for claim in binding.claims
    )


def of_turn(turn: TurnView, index: TieIndex) -> Ties:
    """A turn and the proposals that came from it."""
    proposals = map(proposal_link, index.of_turn(turn.reference))
    return Ties(frozenset((turn_link(turn.reference), *proposals)))


def of_proposal(view: ProposalView, turn: TurnView | None) -> Ties:
    """A proposal: its turn, candidate, quoted units, records, match and siblings."""
    proposal = view.proposal
    claims = proposal.bindings or claims_of(turn, proposal.candidate_id)
    links = {proposal_link(view.proposal_id)}
    links.update(unit_link(claim.unit_id) for claim in claims)
    links.update(unit_link(record.unit_id) for record in view.records if record.unit_id)
    links.update(record_link(record.evidence_id) for record in view.records)
    links.update(memory_link(memory_id) for memory_id in view.match.matched)
    if proposal.turn:
        links.add(turn_link(proposal.turn))
    if proposal.candidate_id and not view.answer_is_replaced:
        links.add(candidate_link(proposal.candidate_id))
    return Ties(frozenset(links), _spans(claims))


def of_unit(unit_id: str, turn: TurnView, index: TieIndex) -> Ties:
    """A unit: the candidates that it supports, their proposals, and what is quoted from it."""
    row = turn.dispositions.get(unit_id)
    candidates = row.candidate_ids if row else ()
    links = {unit_link(unit_id), turn_link(turn.reference)}
    quotes: list[Claim] = []
    for candidate_id in candidates:
        links.add(candidate_link(candidate_id))
        links.update(map(proposal_link, index.of_candidate(turn.reference, candidate_id)))
        quotes += [c for c in claims_of(turn, candidate_id) if c.unit_id == unit_id]
    return Ties(frozenset(links), _spans(quotes))


def of_candidate(candidate_id: str, turn: TurnView, index: TieIndex) -> Ties:
    """A candidate: its units with the quoted spans, and the proposals made from it."""
    claims = claims_of(turn, candidate_id)
    links = {candidate_link(candidate_id), turn_link(turn.reference)}
    links.update(unit_link(claim.unit_id) for claim in claims)
    links.update(map(proposal_link, index.of_candidate(turn.reference, candidate_id)))
    return Ties(frozenset(links), _spans(claims))


def of_claim(claim: Claim, candidate_id: str, turn: TurnView, index: TieIndex) -> Ties:
    """One claim: its unit, with only this quote marked."""
    links = {candidate_link(candidate_id), unit_link(claim.unit_id), turn_link(turn.reference)}
    links.update(map(proposal_link, index.of_candidate(turn.reference, candidate_id)))
    return Ties(frozenset(links), _spans((claim,)))


def of_finding(looked_at: Iterable[str], check: str, view: ProposalView) -> Ties:
    """A finding: the records that it measured, the units behind them, the memories it weighed."""
    looked = set(looked_at)
    links = {finding_link(check), proposal_link(view.proposal_id)}
    links.update(map(memory_link, looked))
    measured = [record for record in view.records if record.evidence_id in looked]
    units = {record.unit_id for record in measured if record.unit_id}
    links.update(record_link(record.evidence_id) for record in measured)
    links.update(map(unit_link, units))
    quoted = [claim for claim in view.proposal.bindings if claim.unit_id in units]
    return Ties(frozenset(links), _spans(quoted))


def of_record(evidence_id: str, view: ProposalView) -> Ties:
    """A record: the findings that measured it."""
    findings = [f.check.value for f in view.report.findings if evidence_id in f.looked_at]
    return Ties(
        frozenset(
            (
                record_link(evidence_id),
                proposal_link(view.proposal_id),
                *map(finding_link, findings),
            )
        )
    )


def of_memory(memory_id: str, view: ProposalView | None, index: TieIndex) -> Ties:
    """A sibling: every waiting proposal that matches or resembles it, and the findings on it."""
    links = {memory_link(memory_id), *map(proposal_link, index.of_memory(memory_id))}
    if view is not None:
        links.update(
            finding_link(f.check.value) for f in view.report.findings if memory_id in f.looked_at
        )
    return Ties(frozenset(links))


def _spans(claims: Iterable[Claim]) -> Spans:
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for claim in claims:
        spans[claim.unit_id].append((claim.start, claim.end))
    return {unit_id: tuple(sorted(set(found))) for unit_id, found in spans.items()}
