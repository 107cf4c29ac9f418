"""The seven checks of the verifier, one function each (spec page 3, The verifier).

Each takes the same case and returns one finding. What a finding says is written for people; its
failure reasons are identifiers for programs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from proofstone.domain import evidence_scope, ids, support, trust
from proofstone.domain.evidence_records import text_of
from proofstone.domain.governance import MATCHES_FOR_REVIEW, Governance
from proofstone.domain.matching import MatchResult
from proofstone.domain.records import (
    Durability,
    EvidenceRecord,
    Memory,
    Polarity,
    Proposal,
    Redaction,
    TrustClass,
)
from proofstone.domain.siblings import RewordedReturn
from proofstone.domain.tombstone_index import TombstoneIndex
from proofstone.domain.trust import Risk
from proofstone.domain.verification import Check, Finding, Verdict

TRUST_THRESHOLD = trust.TRUST[TrustClass.PASSING_TOOL_OR_TEST_OUTCOME].weight
"""The weight of the lowest class that is not one of the five lowest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Everything that bears on one proposal or memory.

    ``found`` and ``missing`` divide the evidence that it cites; ``returned`` is what was tombstoned
    in nearly the same words; ``risk`` is the poisoning risk that holds, with its reasons.
    """

    subject: Proposal | Memory
    found: tuple[EvidenceRecord, ...]
    missing: tuple[str, ...]
    match: MatchResult
    tombstones: TombstoneIndex
    returned: RewordedReturn | None
    governance: Governance
    profile: str
    project: str
    risk: Risk
    risk_reasons: tuple[str, ...]

    @property
    def is_strict(self) -> bool:
        """Whether what is not shown counts against the proposal."""
        return self.governance == "strict"


def source_support(case: Case) -> Finding:
    """Check 1: do the statement's words occur in the evidence that it cites?"""
    if not case.subject.evidence:
        return _no_evidence(case)
    looked_at = tuple(record.evidence_id for record in case.found)
    against = tuple(r.evidence_id for r in case.found if r.polarity is Polarity.CONTRADICTS)
    qualifying = tuple(r.evidence_id for r in case.found if r.polarity is Polarity.QUALIFIES)
    measured = support.measure(
        case.subject.statement,
        (text_of(record) for record in case.found if record.evidence_id not in against),
        short_words=case.is_strict,
    )
    enough = measured.is_enough and (measured.counted > 0 or not case.is_strict)
    reasons: list[str] = []
    said: list[str] = []
    lifts: list[str] = []
    if case.missing:
        reasons.append("missing_evidence")
        said.append(f"{_count(len(case.missing), 'cited record')} cannot be found.")
        lifts.append(f"restore {', '.join(case.missing)}, or cite other evidence")
    if case.found:
        said.append(_support_in_words(measured))
        if not enough:
            lifts.append("cite a record that says it, or edit the statement to what was said")
        if against:
            said.append(f"Contradicted by {', '.join(against)}.")
            lifts.append("reword the statement, or drop the record that contradicts it")
        if against or not enough:
            reasons.append("source_not_supportive")
    if qualifying:
        said.append(f"Qualified by {', '.join(qualifying)}: read it beside the statement.")
    return Finding(
        check=Check.SOURCE_SUPPORT,
        verdict=Verdict.FLAG if reasons else Verdict.PASS,
        failure_reasons=tuple(reasons),
        measured=measured.share if case.found else None,
        threshold=support.THRESHOLD,
        looked_at=looked_at + case.missing,
        matched=measured.matched,
        weak=measured.weak,
        qualified_by=qualifying,
        explanation=" ".join(said),
        lifts="; ".join(lifts),
    )


def trust_boundary(case: Case) -> Finding:
    """Check 2: may the source be believed, and does it speak for the scope and layer asked for?"""
    trust_class = case.subject.trust_class
    reasons: list[str] = []
    said: list[str] = []
    lifts: list[str] = []
    if trust_class is None:
        said.append("No trust class is given.")
        if case.is_strict:
            reasons.append("strict_governance_missing_trust_metadata")
            lifts.append("say where the claim comes from")
    else:
        said.append(f"Source: {trust.TRUST[trust_class].meaning}.")
        if trust_class in trust.LOW_TRUST:
            reasons.append("low_trust_source")
            lifts.append("cite a stronger source, such as the user's own words")
    beyond = evidence_scope.problems(
        case.subject, case.found, profile=case.profile, project=case.project
    )
    if beyond:
        reasons.append("scope_unsupported")
        said.append(f"Reaches too far: {'; '.join(beyond)}.")
        lifts.append("narrow the scope or layer, or cite evidence from where it should hold")
    quiet = Verdict.NOT_APPLICABLE if trust_class is None else Verdict.PASS
    return Finding(
        check=Check.TRUST_BOUNDARY,
        verdict=Verdict.FLAG if reasons else quiet,
        failure_reasons=tuple(reasons),
        measured=None if trust_class is None else trust.TRUST[trust_class].weight,
        threshold=TRUST_THRESHOLD,
        looked_at=tuple(record.evidence_id for record in case.found),
        explanation=" ".join(said),
        lifts="; ".join(lifts),
    )


def durability(case: Case) -> Finding:
    """Check 3: is the claim meant to last?"""
    return _durability(case.subject.durability_signal)


@lru_cache(maxsize=16)
def _durability(signal: Durability | None) -> Finding:
    flagged = signal in trust.NOT_DURABLE
    if signal is None:
        explanation = "Nothing says how long it is meant to hold."
    elif flagged:
        explanation = f"It is meant for now ({signal.value}), not to last."
    elif signal is Durability.UNKNOWN:
        explanation = "How long it is meant to hold is unknown: a person decides."
    else:
        explanation = f"It is meant to last ({signal.value})."
    quiet = Verdict.NOT_APPLICABLE if signal is None else Verdict.PASS
    return Finding(
        check=Check.DURABILITY,
        verdict=Verdict.FLAG if flagged else quiet,
        failure_reasons=("temporary_durability",) if flagged else (),
        measured=None if signal is None else signal.value,
        threshold="project, repository, user_global or long_term",
        explanation=explanation,
        lifts="a person states that it is meant to last" if flagged else "",
    )


def poisoning(case: Case) -> Finding:
    """Check 4: could this have been planted?"""
    return _poisoning(case.risk, case.risk_reasons)


@lru_cache(maxsize=256)
def _poisoning(risk: Risk, reasons: tuple[str, ...]) -> Finding:
    flagged = risk == "high"
    why = f" {' '.join(reasons)}" if reasons else ""
    return Finding(
        check=Check.POISONING,
        verdict=Verdict.FLAG if flagged else Verdict.PASS,
        failure_reasons=("high_poisoning_risk",) if flagged else (),
        measured=risk,
        threshold="high",
        explanation=f"Poisoning risk is {risk}.{why}",
        lifts="support it with a source that others cannot write to" if flagged else "",
    )


def conflict(case: Case) -> Finding:
    """Check 5: does what is already held have to be decided on first?"""
    match = case.match
    flagged = match.kind in MATCHES_FOR_REVIEW or bool(match.target_problem)
    said = [f"Match: {match.kind.value.replace('_', ' ')}"]
    said += match.reasons
    if match.target_problem:
        said.append(f"but {match.target_problem}")
    return Finding(
        check=Check.CONFLICT,
        verdict=Verdict.FLAG if flagged else Verdict.PASS,
        failure_reasons=("match_requires_review",) if flagged else (),
        measured=match.kind.value,
        threshold="new, duplicate, updates_existing or strengthens_existing",
        looked_at=match.matched or match.targets,
        explanation=f"{', '.join(said)}.",
        lifts=_conflict_lifts(match) if flagged else "",
    )


def redaction(case: Case) -> Finding:
    """Check 6: does it lean on words that were removed? A block."""
    removed = tuple(
        record.evidence_id for record in case.found if record.redaction_status is not Redaction.NONE
    )
    quiet = Verdict.PASS if case.found else Verdict.NOT_APPLICABLE
    return Finding(
        check=Check.REDACTION,
        verdict=Verdict.BLOCK if removed else quiet,
        failure_reasons=("redacted_or_deleted_evidence",) if removed else (),
        measured=len(removed),
        threshold=0,
        looked_at=removed or tuple(record.evidence_id for record in case.found),
        explanation=(
            f"{_count(len(removed), 'cited record')} redacted or deleted."
            if removed
            else "No cited record is redacted or deleted."
        ),
        lifts=f"propose it again without {', '.join(removed)}" if removed else "",
    )


def tombstone(case: Case) -> Finding:
    """Check 7: was this, or what it points at, tombstoned? A block; re-worded, a flag."""
    subject = case.subject
    own_id = subject.memory_id if isinstance(subject, Memory) else subject.proposal_id
    named = dict.fromkeys(
        (own_id, ids.memory_id_for(own_id), *case.match.targets, *case.match.matched)
    )
    found: dict[str, str] = {}
    for id in named:
        stone = case.tombstones.for_id(id)
        if stone:
            found[stone.tombstone_id] = f"{id} was tombstoned ({stone.reason.replace('_', ' ')})"
    for tombstone_id in case.tombstones.for_content(subject.statement):
        found.setdefault(tombstone_id, "the same words were tombstoned")
    if not found and case.returned:
        return _reworded(case.returned)
    return Finding(
        check=Check.TOMBSTONE,
        verdict=Verdict.BLOCK if found else Verdict.PASS,
        failure_reasons=("tombstoned_recreation",) if found else (),
        measured=len(found),
        threshold=0,
        looked_at=tuple(found) or tuple(named),
        explanation=(
            f"Not to come back: {'; '.join(dict.fromkeys(found.values()))}."
            if found
            else "Neither it, nor what it points at, nor its words were tombstoned."
        ),
        lifts="undo the ruling that made the tombstone; a purge cannot be undone" if found else "",
    )


CHECKS: tuple[Callable[[Case], Finding], ...] = (
    source_support,
    trust_boundary,
    durability,
    poisoning,
    conflict,
    redaction,
    tombstone,
)
"""All seven, in the order in which they are reported."""


def _no_evidence(case: Case) -> Finding:
    return Finding(
        check=Check.SOURCE_SUPPORT,
        verdict=Verdict.FLAG if case.is_strict else Verdict.NOT_APPLICABLE,
        failure_reasons=("missing_evidence",) if case.is_strict else (),
        threshold=support.THRESHOLD,
        explanation="It cites no evidence.",
        lifts="bind it to the words that say it" if case.is_strict else "",
    )


def _support_in_words(measured: support.Support) -> str:
    if measured.share is None:
        return "It has no words that could be looked for in its evidence."
    weak = f", {len(measured.weak)} of them only inside longer words" if measured.weak else ""
    return (
        f"Supported by its evidence in {measured.found} of {measured.counted} words"
        f" ({measured.share:.0%}{weak}; {support.THRESHOLD:.0%} needed)."
    )


def _conflict_lifts(match: MatchResult) -> str:
    if match.target_problem:
        return "name a memory that is in force, or remove the name"
    return "decide between them: supersede the memory, change the statement, or dismiss it"


def _reworded(returned: RewordedReturn) -> Finding:
    reason = returned.reason.replace("_", " ") or "no reason was given"
    return Finding(
        check=Check.TOMBSTONE,
        verdict=Verdict.FLAG,
        failure_reasons=("reworded_return",),
        measured=returned.score,
        threshold=0.5,
        looked_at=(returned.id,),
        explanation=(
            f"It says again, in other words, what was tombstoned as {returned.id} ({reason})."
        ),
        lifts="answer, in the ruling's reason, why it was tombstoned",
    )


def _count(number: int, noun: str) -> str:
    return f"1 {noun}" if number == 1 else f"{number} {noun}s"
