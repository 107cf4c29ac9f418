"""Near-duplicates in a whole vault (spec page 9): what is in force and what waits, in clusters."""

from __future__ import annotations

from dataclasses import dataclass

from proofstone.curation.workspace import Workspace
from proofstone.domain.duplicates import Cluster, Progress, find
from proofstone.domain.records import Memory, Proposal


@dataclass(frozen=True, slots=True)
class Duplicates:
    """A cluster with the memories and proposals in it, in order of id."""

    cluster: Cluster
    members: tuple[Memory | Proposal, ...]


def duplicates(workspace: Workspace, progress: Progress | None = None) -> tuple[Duplicates, ...]:
    """Every cluster of memories in force and proposals that wait, the closest ones first."""
    holdings = workspace.holdings
    held: dict[str, Memory | Proposal] = {memory.memory_id: memory for memory in holdings.memories}
    held.update((p.proposal_id, p) for p in holdings.proposals if p.is_waiting)
    texts = (member.statement for member in held.values())
    return tuple(
        Duplicates(cluster, tuple(held[id] for id in cluster.ids))
        for cluster in find(tuple(held), texts, progress=progress)
    )
