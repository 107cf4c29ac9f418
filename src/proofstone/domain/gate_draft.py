"""A Gate answer that a person puts together, step by step (spec page 6, Person as Gate).

A draft is a value: every step gives another draft, so that a step is taken back by keeping the one
before. What the steps let through, once complete, keeps the Gate's contract; only what a draft
cannot know, such as which memories are in force, is left to the contract's own check.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.evidence_unit import EvidenceUnit, Origin, Partition
from proofstone.domain.gate_stored import answer_to_json
from proofstone.domain.gate_types import (
    CANDIDATE_TYPES,
    DEFERRED_REASONS,
    NO_CHANGE_REASONS,
    Binding,
    Candidate,
    Claim,
    ClaimRole,
    CoverageRow,
    Decision,
    GateAnswer,
)
from proofstone.domain.late_pattern import late_pattern

UNSCOPED = "unscoped"
"""The scope of a statement of which nobody can say where it holds; it stands alone."""

_SCOPE = late_pattern(r"global|unscoped|(?:domain|portfolio|project):(?!\.{1,2}$)[^\s/\\:\x00]+")
_NOT_IN_A_LINE = late_pattern(r"[\x00\n\r]")
_QUOTATIONS = frozenset((Origin.USER_DOCUMENT, Origin.QUOTED_OR_EXAMPLE))


class DraftError(ProofstoneError):
    """A step that the contract would not let stand; the draft is as it was."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftCandidate:
    """A statement of the draft, with the exact words that support it so far."""

    candidate_id: str
    memory: str
    type: str
    scopes: tuple[str, ...]
    update_memory_id: str = ""
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDraft:
    """What a person has decided of a turn so far.

    ``units`` are those that await a row, in the inventory's order; ``taken`` are candidate ids
    that an earlier answer to the same turn uses; ``reasons`` are pairs of unit id and reason.
    """

    units: tuple[EvidenceUnit, ...]
    taken: tuple[str, ...] = ()
    candidates: tuple[DraftCandidate, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    places: Mapping[str, int] = field(default_factory=dict, compare=False, repr=False)
    """Where each unit stands among ``units``, by id; made by ``of``, and the same at every step."""

    @classmethod
    def of(cls, units: Iterable[EvidenceUnit], taken: Iterable[str] = ()) -> GateDraft:
        """An empty draft over those of ``units`` that may be cited."""
        offered = tuple(unit for unit in units if unit.partition is Partition.PHYSICAL)
        places = {unit.unit_id: place for place, unit in enumerate(offered)}
        return cls(units=offered, taken=tuple(taken), places=places)

    # What it says

    @property
    def is_empty(self) -> bool:
        """Whether nothing was decided yet."""
        return not self.candidates and not self.reasons

    @property
    def uncovered(self) -> tuple[EvidenceUnit, ...]:
        """The units of which nothing was said yet."""
        said = self.said
        return tuple(unit for unit in self.units if unit.unit_id not in said)

    @property
    def said(self) -> frozenset[str]:
        """The units of which something was said."""
        bound = (claim.unit_id for item in self.candidates for claim in item.claims)
        return frozenset((*(unit_id for unit_id, _ in self.reasons), *bound))

    @property
    def open_count(self) -> int:
        """How many units nothing was said of; what it costs follows from what was said."""
        return len(self.units) - len(self.said)

    def open_after(self, unit_id: str) -> EvidenceUnit | None:
        """The next unit in the inventory's order of which nothing was said."""
        said, here = self.said, self.places.get(unit_id, -1)
        following = (self.units[place] for place in range(here + 1, len(self.units)))
        return next((unit for unit in following if unit.unit_id not in said), None)

    @property
    def unbound(self) -> tuple[DraftCandidate, ...]:
        """The candidates that no words support."""
        return tuple(item for item in self.candidates if not item.claims)

    @property
    def is_complete(self) -> bool:
        """Whether every unit is accounted for and every candidate supported."""
        return not self.open_count and not self.unbound

    def unit(self, unit_id: str) -> EvidenceUnit | None:
        """The unit with this id, when it awaits a row."""
        place = self.places.get(unit_id)
        return self.units[place] if place is not None else None

    def candidate(self, candidate_id: str) -> DraftCandidate | None:
        """The candidate with this id."""
        return next((c for c in self.candidates if c.candidate_id == candidate_id), None)

    def reason_of(self, unit_id: str) -> str:
        """The reason given for a unit, or an empty string."""
        return dict(self.reasons).get(unit_id, "")

    # Steps

    def with_candidate(
        self, memory: str, *, type: str, scopes: Iterable[str], update_memory_id: str = ""
    ) -> GateDraft:
        """The draft with one more candidate, last, that no words support yet.

        Raises:
            DraftError: the contract has no such statement, type, scope or target.
        """
        used = {name.casefold() for name in self.taken}
        used.update(item.candidate_id for item in self.candidates)
        number = 1
        while f"c{number}" in used:
            number += 1
        fresh = self._checked(f"c{number}", memory, type, scopes, update_memory_id)
        return replace(self, candidates=(*self.candidates, fresh))

    def reworded(
        self,
        candidate_id: str,
        memory: str,
        *,
        type: str,
        scopes: Iterable[str],
        update_memory_id: str = "",
    ) -> GateDraft:
        """The draft with other words, type, scopes and target for a candidate.

        Raises:
            DraftError: as for ``with_candidate``, or there is no such candidate.
        """
        present = self._candidate(candidate_id)
        changed = self._checked(candidate_id, memory, type, scopes, update_memory_id)
        return self._put(replace(changed, claims=present.claims))

    def bind(
        self,
        candidate_id: str,
        unit_id: str,
        span: tuple[int, int] | None = None,
        role: ClaimRole = ClaimRole.ASSERTION,
    ) -> GateDraft:
        """The draft with words of a unit, or the whole of it, supporting a candidate.

        A reason that was given for the unit goes: it is a candidate now.

        Raises:
            DraftError: no such candidate or unit, no words at ``span``, or a role that is not
                the unit's to play.
        """
        item, unit = self._candidate(candidate_id), self._unit(unit_id)
        start, end = span if span is not None else (0, len(unit.text))
        quote = unit.text[start:end] if 0 <= start < end <= len(unit.text) else ""
        if not quote.strip():
            raise DraftError("there are no words to quote there")
        if role not in roles_for(unit):
            raise DraftError("only the user's own words can confirm")
        claim = Claim(unit_id=unit_id, quote=quote, role=role, start=start, end=end)
        same = (unit_id, start, end)
        others = (c for c in item.claims if (c.unit_id, c.start, c.end) != same)
        bound = self._put(replace(item, claims=(*others, claim)))
        return replace(bound, reasons=tuple(r for r in self.reasons if r[0] != unit_id))

    def decide(self, unit_id: str, reason: str) -> GateDraft:
        """The draft with a reason for no change, or for deferring, as the row of a unit.

        Words of the unit that supported a candidate do so no more.

        Raises:
            DraftError: no such unit, or no such reason.
        """
        self._unit(unit_id)
        if reason not in NO_CHANGE_REASONS and reason not in DEFERRED_REASONS:
            raise DraftError(f"{reason} is no reason that the contract knows")
        candidates = tuple(
            replace(item, claims=tuple(c for c in item.claims if c.unit_id != unit_id))
            for item in self.candidates
        )
        kept = tuple(r for r in self.reasons if r[0] != unit_id)
        return replace(self, candidates=candidates, reasons=(*kept, (unit_id, reason)))

    def without(self, candidate_id: str) -> GateDraft:
        """The draft without a candidate; its units are open again.

        Raises:
            DraftError: there is no such candidate.
        """
        self._candidate(candidate_id)
        left = tuple(c for c in self.candidates if c.candidate_id != candidate_id)
        return replace(self, candidates=left)

    def on(self, units: Iterable[EvidenceUnit], taken: Iterable[str] = ()) -> GateDraft:
        """The same decisions over other units, where the units that they are about remain.

        Statements stay even when no words support them any more.
        """
        moved = GateDraft.of(units, taken)
        present = {unit.unit_id for unit in moved.units}
        return replace(
            moved,
            candidates=tuple(
                replace(item, claims=tuple(c for c in item.claims if c.unit_id in present))
                for item in self.candidates
            ),
            reasons=tuple(row for row in self.reasons if row[0] in present),
        )

    # The answer

    def answer(self) -> GateAnswer:
        """The draft as a Gate answer; of an incomplete one, what there is so far."""
        reasons = dict(self.reasons)
        supports: dict[str, list[str]] = {}
        for item in self.candidates:
            for unit_id in dict.fromkeys(claim.unit_id for claim in item.claims):
                supports.setdefault(unit_id, []).append(item.candidate_id)
        return GateAnswer(
            candidates=tuple(self._as_candidate(item) for item in self.candidates),
            coverage=tuple(
                _row(unit.unit_id, supports.get(unit.unit_id), reasons.get(unit.unit_id))
                for unit in self.units
                if unit.unit_id in supports or unit.unit_id in reasons
            ),
            bindings=tuple(
                Binding(candidate_id=item.candidate_id, claims=item.claims)
                for item in self.candidates
                if item.claims
            ),
            missing_unit_ids=tuple(unit.unit_id for unit in self.uncovered),
        )

    def to_json(self) -> bytes:
        """The draft as the one JSON object that the contract asks for."""
        return json.dumps(answer_to_json(self.answer()), indent=1).encode("ascii")

    def _as_candidate(self, item: DraftCandidate) -> Candidate:
        quoted = [self._unit(claim.unit_id) for claim in item.claims]
        return Candidate(
            candidate_id=item.candidate_id,
            memory=item.memory,
            evidence_event_ids=tuple(dict.fromkeys(unit.event_key for unit in quoted)),
            worth=True,
            duplicate=False,
            type=item.type,
            scopes=item.scopes,
            scope_source="insufficient_context" if UNSCOPED in item.scopes else "user",
            update_memory_id=item.update_memory_id or None,
        )

    # Checks

    def _checked(
        self, candidate_id: str, memory: str, type: str, scopes: Iterable[str], target: str
    ) -> DraftCandidate:
        words = memory.strip()
        if not words or _NOT_IN_A_LINE.search(words):
            raise DraftError("a statement is one line of words")
        if type not in CANDIDATE_TYPES:
            raise DraftError(f"the type is one of {', '.join(CANDIDATE_TYPES)}")
        where = tuple(dict.fromkeys(scopes))
        wrong = next((scope for scope in where if not _SCOPE.fullmatch(scope)), "")
        if wrong or not where:
            raise DraftError(
                "a scope is global, project:NAME, domain:NAME, portfolio:NAME or unscoped"
            )
        if UNSCOPED in where and len(where) > 1:
            raise DraftError("unscoped stands alone")
        named = target.strip()
        if _NOT_IN_A_LINE.search(named) or "/" in named or "\\" in named or named in (".", ".."):
            raise DraftError("the memory to update is given by its id")
        others = (c for c in self.candidates if c.candidate_id != candidate_id)
        if named and any(c.update_memory_id.casefold() == named.casefold() for c in others):
            raise DraftError("another candidate updates that memory already")
        return DraftCandidate(
            candidate_id=candidate_id,
            memory=words,
            type=type,
            scopes=where,
            update_memory_id=named,
        )

    def _candidate(self, candidate_id: str) -> DraftCandidate:
        found = self.candidate(candidate_id)
        if found is None:
            raise DraftError("the draft has no such candidate")
        return found

    def _unit(self, unit_id: str) -> EvidenceUnit:
        found = self.unit(unit_id)
        if found is None:
            raise DraftError("that unit may not be cited, or is accounted for already")
        return found

    def _put(self, changed: DraftCandidate) -> GateDraft:
        candidates = (
            changed if item.candidate_id == changed.candidate_id else item
            for item in self.candidates
        )
        return replace(self, candidates=tuple(candidates))


def as_statement(words: str) -> str:
    """The words of a clause as a memory would say them: without the mark by which it goes on."""
    return words.strip().rstrip(";；,，:：").rstrip()


def roles_for(unit: EvidenceUnit) -> tuple[ClaimRole, ...]:
    """The roles in which a unit's words can support a candidate, the likeliest first."""
    roles = [ClaimRole.ASSERTION, ClaimRole.SOURCE_EXCERPT]
    if unit.source_role != "user":
        return tuple(roles)
    if unit.origin in _QUOTATIONS:
        roles.reverse()
    return (*roles, ClaimRole.USER_CONFIRMATION)


def _row(unit_id: str, supports: list[str] | None, reason: str | None) -> CoverageRow:
    if supports:
        return CoverageRow(
            unit_id=unit_id, decision=Decision.CANDIDATE, candidate_ids=tuple(supports)
        )
    decision = Decision.NO_CHANGE if reason in NO_CHANGE_REASONS else Decision.DEFERRED
    return CoverageRow(unit_id=unit_id, decision=decision, reason=reason)
