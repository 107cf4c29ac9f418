"""Whether a proposal comes from the answer that a turn has now (docs/gate.md, Asking again)."""

from __future__ import annotations

from proofstone.domain import ids
from proofstone.domain.gate_types import Candidate, GateRecord
from proofstone.domain.records import Proposal


def stems_from(proposal: Proposal, record: GateRecord | None) -> bool:
    """Whether the accepted answer of ``record`` has the very candidate that became ``proposal``.

    True as well where there is no accepted answer to compare with, as for turns that another
    program put before its own Gate. Edits do not count: both the words that were first proposed
    and the id that is made of them stay with a proposal.
    """
    if record is None or record.answer is None or not proposal.candidate_id:
        return True
    words = (proposal.statement, proposal.original_statement)
    return any(
        candidate.candidate_id == proposal.candidate_id
        and (candidate.memory in words or proposal.proposal_id == _id_of(candidate, proposal))
        for candidate in record.answer.candidates
    )


def _id_of(candidate: Candidate, proposal: Proposal) -> str:
    scopes = candidate.scopes or ("global",)
    return ids.proposal_id(candidate.memory, profile=proposal.profile, scopes=scopes)
