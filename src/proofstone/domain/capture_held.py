"""What a vault holds, as far as captures need to know it (spec page 4, Capture)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from proofstone.domain import ids
from proofstone.domain.late_siblings import LateSiblings
from proofstone.domain.records import (
    Holdings,
    Memory,
    Proposal,
    ProposalStatus,
    Standing,
    Statement,
)
from proofstone.domain.siblings import SiblingIndex
from proofstone.domain.tombstone_index import TombstoneIndex


@dataclass(frozen=True, slots=True)
class HeldItem:
    """A memory, or a proposal that waits, as far as captures need to know it.

    ``is_memory`` says that it is in force; ``is_active`` that it may be offered as a sibling;
    ``digest`` is the hash of its words. ``fetch`` gives the whole of it, by its id.
    """

    id: str
    is_memory: bool
    is_active: bool
    digest: str
    fetch: Callable[[str], Statement]

    @property
    def statement(self) -> Statement:
        """The memory or the proposal itself."""
        return self.fetch(self.id)

    @property
    def project(self) -> str:
        """The project of its scopes, empty when it has none."""
        return self.statement.project


@dataclass(slots=True)
class Held:
    """What the vault holds, indexed for captures; kept up to date with `add` and `remove`.

    ``sessions`` says of each capture session whether it is open. ``known_ids`` has every id that a
    capture may supersede, history included.
    """

    tombstones: TombstoneIndex
    sessions: Mapping[str, bool] = field(default_factory=dict)
    by_content: dict[str, HeldItem] = field(default_factory=dict)
    by_id: dict[str, HeldItem] = field(default_factory=dict)
    known_ids: set[str] = field(default_factory=set)
    siblings: SiblingIndex | LateSiblings = field(default_factory=SiblingIndex)

    @classmethod
    def of(
        cls,
        holdings: Holdings,
        *,
        tombstones: TombstoneIndex | None = None,
        sessions: Mapping[str, bool] | None = None,
    ) -> Held:
        """Index everything that a store holds."""
        held = cls(tombstones or TombstoneIndex.of(holdings.tombstones), sessions or {})
        for memory in holdings.memories:
            held.add(memory)
        for proposal in holdings.proposals:
            held.add(proposal)
        for version in holdings.history:
            held.known_ids.update(filter(None, (version.memory_id, version.active_memory_id)))
        return held

    def add(self, subject: Memory | Proposal) -> None:
        """Take in a memory or a proposal that is new or has changed."""
        digest = ids.content_hash(subject.statement)
        if isinstance(subject, Memory):
            is_active = subject.standing is Standing.ACTIVE
            item = HeldItem(subject.memory_id, True, is_active, digest, lambda _: subject)
        elif subject.is_waiting:
            item = HeldItem(subject.proposal_id, False, False, digest, lambda _: subject)
        else:
            self._add_ruled(subject)
            return
        self.take(item, subject.statement, subject.created)

    def take(self, item: HeldItem, text: str, created: str) -> None:
        """Take in an item that says ``text`` and was created at the time ``created``."""
        self.remove(item.id)
        self.by_id[item.id] = item
        self.known_ids.add(item.id)
        self.by_content[item.digest] = item
        self.siblings.add(item.id, text, created)

    def remove(self, id: str) -> None:
        """Forget an item; an id that is not held changes nothing."""
        item = self.by_id.pop(id, None)
        if item is None:
            return
        self.known_ids.discard(id)
        self.siblings.remove(id)
        if self.by_content.get(item.digest) is item:
            del self.by_content[item.digest]

    def _add_ruled(self, proposal: Proposal) -> None:
        """A ratified statement that was edited before is still the same capture when it returns."""
        memory = self.by_id.get(proposal.memory_id)
        ratified = (ProposalStatus.RATIFIED, ProposalStatus.SUPERSEDING)
        if memory is not None and proposal.status in ratified:
            for text in filter(None, (proposal.original_statement, proposal.statement)):
                self.by_content.setdefault(ids.content_hash(text), memory)
