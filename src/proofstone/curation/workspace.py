"""A vault as people work on it: everything read, judged when asked for.

A workspace is one consistent view. It never writes; rulings go through
``proofstone.curation.rulings``, and a new view comes from ``reload`` or ``after``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cached_property
from pathlib import Path

from proofstone.curation.ages import age_of
from proofstone.curation.assessing import Assessor
from proofstone.curation.context import Context
from proofstone.curation.purged import purged_contents
from proofstone.curation.queue import in_order_of_need
from proofstone.curation.turns import cleaned_turn, view_cleaned, view_turn
from proofstone.curation.views import MemoryJudgement, MemoryView, ProposalView, TurnView
from proofstone.domain.conversation import Turn
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.gate_types import Cleaned, GateRecord
from proofstone.domain.plan import FileChange, NoteKind, Ruling, RulingPlan
from proofstone.domain.purging import PurgedContents
from proofstone.domain.records import Holdings, Memory, Problem, Proposal
from proofstone.domain.rulings.terms import Held
from proofstone.vault import layout, transaction
from proofstone.vault.files import Files
from proofstone.vault.journal import Journal
from proofstone.vault.render import render
from proofstone.vault.settings import Settings
from proofstone.vault.staging import after
from proofstone.vault.vault import Vault, VaultContents
from proofstone.vault.walk import walk


class Workspace:
    """Everything that a vault holds, with turns, proposals and memories as views."""

    def __init__(
        self,
        vault: Vault,
        contents: VaultContents,
        context: Context,
        pending: tuple[FileChange, ...] = (),
    ) -> None:
        self.vault = vault
        self.contents = contents
        self.context = context
        self._pending = pending
        self._proposal_views: dict[str, ProposalView] = {}
        self._turn_views: dict[str, TurnView] = {}
        self._memory_judgements: dict[str, MemoryJudgement] = {}

    @classmethod
    def open(cls, path: Path, context: Context) -> Workspace:
        """Read the vault at ``path``. Writes nothing.

        Raises:
            ProofstoneError: there is no folder at ``path``, or it cannot be read.
        """
        vault = Vault(path)
        try:
            contents = vault.read()
        except OSError as error:
            raise ProofstoneError(
                f"{path}: cannot be opened as a vault: {error.strerror or error}; "
                "make one with `proofstone init`"
            ) from error
        return cls(vault, contents, context)

    def reload(self) -> Workspace:
        """Read everything again."""
        return Workspace(self.vault, self.vault.read(), self.context)

    def after(self, changes: tuple[FileChange, ...]) -> Workspace:
        """What this view would be with ``changes`` written, without reading the disk."""
        pending = (*self._pending, *changes)
        return Workspace(self.vault, after(self.contents, changes), self.context, pending)

    def render(self, plan: RulingPlan) -> tuple[FileChange, ...]:
        """The file changes that carry ``plan`` out, on top of those that are pending.

        Raises:
            ProofstoneError: a file is no longer the one that this view was made of.
        """
        return render(self.root, plan, paths=self.contents.paths, before=self._pending)

    def write(
        self,
        rulings: Sequence[tuple[Ruling, tuple[FileChange, ...]]],
        require: Callable[[], None] = lambda: None,
    ) -> None:
        """Write one group of rulings, durably, or leave everything as it was.

        ``require`` is called under the lock, when no other program can write any more; what it
        raises is passed on with nothing written.

        Raises:
            ProofstoneError: a file is no longer what was seen, or the vault cannot be written.
        """

        def plan() -> Sequence[tuple[Ruling, tuple[FileChange, ...]]]:
            require()
            return rulings

        transaction.apply_planned(self.root, plan)

    def new_tombstones(self) -> tuple[FileChange, ...]:
        """The tombstones that are on disk by now and were not when this view was read."""
        room = layout.ROOMS[NoteKind.TOMBSTONE]
        known = {stone.path for stone in self.holdings.tombstones}
        known.update(problem.path for problem in self.problems)
        return tuple(
            FileChange(path=found.path, before=None, after=self.bytes_of(found.path))
            for found in walk(self.root, room, ".md")
            if found.path not in known and not found.fault
        )

    def bytes_of(self, path: str) -> bytes | None:
        """A file of the vault as it is on disk now, or None when it is not there."""
        return Files().read(self.root / path)

    @property
    def journal(self) -> Journal:
        """The journal of all rulings."""
        return Journal(self.root)

    @property
    def journal_head(self) -> str:
        """The hash of the journal's last row, as it is on disk now."""
        return self.journal.tail().previous

    @property
    def root(self) -> Path:
        """The vault's folder."""
        return self.vault.root

    @property
    def holdings(self) -> Holdings:
        """The records as read."""
        return self.contents.holdings

    @property
    def settings(self) -> Settings:
        """The vault's settings."""
        return self.contents.settings

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read, or not wholly."""
        return self.contents.problems

    @cached_property
    def held(self) -> Held:
        """The records by id, for planning."""
        return Held.of(self.holdings)

    @cached_property
    def assessor(self) -> Assessor:
        """Judges proposals against everything held."""
        return Assessor(self.holdings, self.settings, self.purged)

    @cached_property
    def purged(self) -> PurgedContents:
        """Tells, by the vault's key, whether a text was purged."""
        return purged_contents(self.root, self.holdings.tombstones)

    @cached_property
    def turns(self) -> tuple[TurnView, ...]:
        """Every captured turn, cleaned or not, by source, session and index."""
        present = self.contents.turns
        if self._cleaned:
            gone = (cleaned_turn(record, kept) for record, kept in self._cleaned.values())
            present = tuple(
                sorted(
                    (*present, *gone),
                    key=lambda turn: (turn.source, turn.session_id, turn.turn_index, turn.turn_key),
                )
            )
        return tuple(self.turn(turn.reference) for turn in present)

    def turn(self, reference: str) -> TurnView:
        """The turn that ``reference`` (``source/session#index``) names.

        Raises:
            KeyError: there is no such turn.
        """
        view = self._turn_views.get(reference)
        if view is None:
            view = self._view_turn(reference)
            self._turn_views[reference] = view
        return view

    def _view_turn(self, reference: str) -> TurnView:
        memleaf = self.contents.memleaf.get(reference)
        waiting = self._waiting_by_turn.get(reference, 0)
        if reference in self._cleaned:
            record, kept = self._cleaned[reference]
            turn = cleaned_turn(record, kept)
            return view_cleaned(turn, record, kept, memleaf, waiting=waiting)
        turn = self._turns_by_reference[reference]
        return view_turn(turn, self.contents.gate.get(reference), memleaf, waiting=waiting)

    @cached_property
    def proposals(self) -> Mapping[str, Proposal]:
        """All proposals by id, ruled on or not."""
        return {proposal.proposal_id: proposal for proposal in self.holdings.proposals}

    def proposal(self, proposal_id: str) -> ProposalView:
        """The proposal ``proposal_id``, judged now.

        Raises:
            KeyError: there is no such proposal.
        """
        view = self._proposal_views.get(proposal_id)
        if view is None:
            proposal = self.proposals[proposal_id]
            view = self.assessor.proposal_view(proposal, self.context.now())
            self._proposal_views[proposal_id] = view
        return view

    @cached_property
    def queue(self) -> tuple[ProposalView, ...]:
        """The proposals that wait for a ruling, those that need a person most first."""
        waiting = (p.proposal_id for p in self.holdings.proposals if p.is_waiting)
        return in_order_of_need(self.proposal(proposal_id) for proposal_id in waiting)

    @cached_property
    def memories(self) -> tuple[MemoryView, ...]:
        """The memories in force, by title."""
        versions: dict[str, list[Memory]] = defaultdict(list)
        for memory in self.holdings.history:
            versions[memory.active_memory_id].append(memory)
        now = self.context.now()
        views = (
            self._memory_view(memory, versions.get(memory.memory_id, []), now)
            for memory in self.holdings.memories
        )
        return tuple(sorted(views, key=lambda view: (view.memory.title, view.memory_id)))

    def memory_judgement(self, memory_id: str) -> MemoryJudgement:
        """How the memory ``memory_id`` would fare if it were proposed today.

        Raises:
            KeyError: there is no such memory in force.
        """
        judgement = self._memory_judgements.get(memory_id)
        if judgement is None:
            memory = self.held.memory(memory_id)
            if memory is None:
                raise KeyError(memory_id)
            judgement = self.assessor.memory_judgement(memory)
            self._memory_judgements[memory_id] = judgement
        return judgement

    def judged(self, proposal: Proposal) -> ProposalView:
        """How ``proposal``, an edit that is not written yet, would be judged."""
        return self.assessor.proposal_view(proposal, self.context.now())

    @cached_property
    def _turns_by_reference(self) -> Mapping[str, Turn]:
        return {turn.reference: turn for turn in self.contents.turns}

    @cached_property
    def _cleaned(self) -> Mapping[str, tuple[GateRecord, Cleaned]]:
        """What is kept of the turns whose captured text was removed."""
        return {
            reference: (record, record.cleaned)
            for reference, record in self.contents.gate.items()
            if record.cleaned is not None and reference not in self._turns_by_reference
        }

    @cached_property
    def _waiting_by_turn(self) -> Mapping[str, int]:
        counts: dict[str, int] = defaultdict(int)
        for proposal in self.holdings.proposals:
            if proposal.is_waiting and proposal.turn:
                counts[proposal.turn] += 1
        return counts

    def _memory_view(self, memory: Memory, versions: list[Memory], now: datetime) -> MemoryView:
        records, missing = self.assessor.records_of(memory.evidence)
        due = memory.review.next_review if memory.review else ""
        return MemoryView(
            memory=memory,
            versions=tuple(sorted(versions, key=lambda version: version.archived_at, reverse=True)),
            records=tuple(records.values()),
            missing_evidence=missing,
            age=age_of(memory.created, now),
            review_is_due=bool(due) and due <= now.date().isoformat(),
        )
