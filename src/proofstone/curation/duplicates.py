"""Near-duplicates in a whole vault (spec page 9): what is in force and what waits, in clusters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from proofstone.curation.workspace import Workspace
from proofstone.domain.duplicates import Cluster, Progress, find
from proofstone.domain.duplicates_kept import KeptDuplicates, TextOf
from proofstone.domain.records import Memory, Proposal
from proofstone.vault.bulk import bulk_loading
from proofstone.vault.spoken import ids_of, spoken
from proofstone.vault.unmade import changed_between


@dataclass(frozen=True, slots=True)
class Duplicates:
    """A cluster with the memories and proposals in it, in order of id."""

    cluster: Cluster
    members: tuple[Memory | Proposal, ...]


def duplicates(workspace: Workspace, progress: Progress | None = None) -> Iterator[Duplicates]:
    """Every cluster of memories in force and proposals that wait, the closest ones first.

    ``progress`` counts the statements. The members of a cluster are looked up when it is given.
    """
    with bulk_loading():
        clusters = find(tuple(_ids(workspace)), _statements(workspace), progress=progress)
    return _with_members(workspace, clusters)


class DuplicatesFollowed:
    """The near-duplicates of a vault that stays open: a newer view costs only what changed.

    Without ``proposals`` only memories in force are compared with one another. ``progress`` counts
    each statement half when it was indexed and half when it was compared; what it raises ends the
    search.
    """

    def __init__(
        self, workspace: Workspace, progress: Progress | None = None, *, proposals: bool = True
    ) -> None:
        self._workspace = workspace
        self._proposals = proposals
        with bulk_loading():
            ids, said = _ids(workspace, proposals), _statements(workspace, proposals)
            # The words alone, for as long as this takes: records made for them would stay.
            texts = dict(zip(ids, said, strict=True))
            indexed, compared = _in_halves(texts, progress)
            self._kept = KeptDuplicates(texts, indexed, progress=compared)

    @property
    def clusters(self) -> list[Cluster]:
        """The clusters by id in the view that was followed last, the closest ones first."""
        return self._kept.clusters

    @property
    def found(self) -> Iterator[Duplicates]:
        """The same with their members, which are looked up when each is given."""
        return _with_members(self._workspace, self._kept.clusters)

    def follow(self, workspace: Workspace) -> None:
        """Go on to a newer view of the same vault."""
        before, self._workspace = self._workspace, workspace
        memories, gone = changed_between(before.holdings.memories, workspace.holdings.memories)
        was, waiting = self._waiting(before), self._waiting(workspace)
        changed = {memory.memory_id: memory.statement for memory in memories}
        for id, proposal in waiting.items():
            if id not in was or was[id].statement != proposal.statement:
                changed[id] = proposal.statement
        gone += (id for id in was if id not in waiting)
        self._kept.change(changed, gone, self._text)

    def _waiting(self, workspace: Workspace) -> dict[str, Proposal]:
        return _waiting(workspace) if self._proposals else {}

    def _text(self, id: str) -> str:
        return _member(self._workspace, id).statement


def _in_halves(
    texts: Mapping[str, str], progress: Progress | None
) -> tuple[TextOf, Progress | None]:
    """What gives the texts, telling how many were given once, and what tells the comparing."""
    if progress is None:
        return texts.__getitem__, None
    tell, size, given = progress, len(texts), count(1)

    def text_of(id: str) -> str:
        place = next(given)
        if place <= size:
            tell(place // 2, size)
        return texts[id]

    def compared(done: int, _of: int) -> None:
        tell((size + done) // 2, size)

    return text_of, compared


def _waiting(workspace: Workspace) -> dict[str, Proposal]:
    return {p.proposal_id: p for p in workspace.holdings.proposals if p.is_waiting}


def _ids(workspace: Workspace, proposals: bool = True) -> Iterator[str]:
    yield from ids_of(workspace.holdings.memories)
    if proposals:
        yield from _waiting(workspace)


def _statements(workspace: Workspace, proposals: bool = True) -> Iterator[str]:
    """What the memories say, then what the proposals do, in the order of ``_ids``."""
    yield from (memory.statement for memory in spoken(workspace.holdings.memories))
    if proposals:
        yield from (proposal.statement for proposal in _waiting(workspace).values())


def _with_members(workspace: Workspace, clusters: Iterable[Cluster]) -> Iterator[Duplicates]:
    for cluster in clusters:
        yield Duplicates(cluster, tuple(_member(workspace, id) for id in cluster.ids))


def _member(workspace: Workspace, id: str) -> Memory | Proposal:
    return workspace.held.memory(id) or workspace.proposals[id]
