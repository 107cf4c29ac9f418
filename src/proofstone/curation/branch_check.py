"""What a merge of two branches can leave behind without a conflict: rulings that divide.

Files are merged one by one. So a proposal may end up in both of its rooms, and a memory that one
curator put in force may stand beside the note in which the other turned it away. Each of these is
whole by itself; only together are they a contradiction that a person has to settle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from proofstone.domain import ids
from proofstone.domain.records import Holdings, Problem, Proposal, ProposalStatus

_TURNED_AWAY = (ProposalStatus.DISMISSED, ProposalStatus.TOMBSTONED)
_PUT_IN_FORCE = (ProposalStatus.RATIFIED, ProposalStatus.SUPERSEDING)


def divided_rulings(
    holdings: Holdings, may_be: Callable[[str], bool] = lambda _id: False
) -> tuple[Problem, ...]:
    """Proposals that are in two rooms, or whose ruling and memory contradict each other.

    ``may_be`` tells of an id whether it may be that of a note that cannot be read.
    """
    return (*_in_two_rooms(holdings), *_against_their_memory(holdings, may_be))


def _in_two_rooms(holdings: Holdings) -> Iterator[Problem]:
    first: dict[str, Proposal] = {}
    for proposal in holdings.proposals:
        other = first.setdefault(proposal.proposal_id, proposal)
        if other is not proposal:
            yield Problem(
                code="ruled_and_waiting",
                path=other.path,
                subject=proposal.proposal_id,
                message=f"this proposal is in {proposal.path} too, with the status "
                f"{proposal.status.value}.",
                advice="Keep the note that people agreed on, and remove the other.",
            )


def _against_their_memory(holdings: Holdings, may_be: Callable[[str], bool]) -> Iterator[Problem]:
    in_force = {memory.memory_id: memory for memory in holdings.memories}
    known = in_force.keys() | {stone.deleted_id for stone in holdings.tombstones}
    for version in holdings.history:
        known |= {version.memory_id, version.active_memory_id}
    for proposal in holdings.proposals:
        own = in_force.get(ids.memory_id_for(proposal.proposal_id))
        if proposal.status in _TURNED_AWAY and own is not None and own.ratified is not None:
            yield Problem(
                code="ruled_both_ways",
                path=proposal.path,
                subject=proposal.proposal_id,
                message=f"it was {proposal.status.value}, and its memory {own.memory_id} was "
                f"ratified by {own.ratified.by} and is in force.",
                advice="Agree on one: restore this note as ratified, or tombstone the memory.",
            )
        elif (
            proposal.status in _PUT_IN_FORCE
            and proposal.memory_id
            and proposal.memory_id not in known
            and not may_be(proposal.memory_id)
        ):
            yield Problem(
                code="ruled_without_memory",
                path=proposal.path,
                subject=proposal.proposal_id,
                message=f"it was {proposal.status.value} as {proposal.memory_id}, which is "
                "neither in force nor in history.",
                advice="Restore the memory from version control or a backup.",
            )
