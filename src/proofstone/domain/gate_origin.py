"""Whether a proposal comes from the answer that a turn has now (docs/gate.md, Asking again)."""

from __future__ import annotations

from proofstone.domain import ids
from proofstone.domain.gate_types import GateRecord
from proofstone.domain.records import Proposal


def stems_from(proposal: Proposal, record: GateRecord | None) -> bool:
    """Whether the accepted answer of ``record`` has the very candidate that became ``proposal``.

    True as well where there is no accepted answer to compare with, as for turns that another
    program put before its own Gate. Edits do not count: an id is made of what was first proposed.
    """
    if record is None or record.answer is None or not proposal.candidate_id:
        return True
    return any(
        candidate.candidate_id == proposal.candidate_id
        and proposal.proposal_id
        == ids.proposal_id(
            candidate.memory,
            profile=proposal.profile,
            scopes=candidate.scopes or ("global",),
        )
        for candidate in record.answer.candidates
    )
