"""A vault, or another program's store, as people work on it: all read, judged when asked for.

A workspace is one consistent view. It never writes; rulings go through
``proofstone.curation.rulings``, and a new view comes from ``reload`` or ``after``. What judges is
imported when something is judged: listing a vault is not to wait for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from proofstone.curation.ages import age_of
from proofstone.curation.opening import backing_of
from proofstone.curation.unread import Unread
from proofstone.domain.errors import ProofstoneError

if TYPE_CHECKING:
    from proofstone.curation.assessing import Assessor
    from proofstone.curation.backing import Backing
    from proofstone.curation.context import Context
    from proofstone.curation.memory_views import MemoryViews
    from proofstone.curation.views import MemoryJudgement, MemoryView, ProposalView, TurnView
    from proofstone.domain.conversation import Turn
    from proofstone.domain.gate_types import Cleaned, GateRecord
    from proofstone.domain.plan import FileChange, Ruling, RulingPlan
    from proofstone.domain.purging import PurgedContents
    from proofstone.domain.records import EvidenceRecord, Holdings, Memory, Problem, Proposal
    from proofstone.domain.rulings.terms import Held
    from proofstone.vault.journal import Journal
    from proofstone.vault.settings import Settings
    from proofstone.vault.sibling_file import TakenOver
    from proofstone.vault.vault import VaultContents


class Workspace:
    """Everything that a vault or a store holds, with turns, proposals and memories as views."""

    def __init__(
        self,
        backing: Backing,
        contents: VaultContents,
        context: Context,
        pending: tuple[FileChange, ...] = (),
    ) -> None:
        self.backing = backing
        self.contents = contents
        self.context = context
        self._pending = pending
        self._proposal_views: dict[str, ProposalView] = {}
        self._turn_views: dict[str, TurnView] = {}
        self._memory_judgements: dict[str, MemoryJudgement] = {}

    @classmethod
    def open(
        cls, path: Path, context: Context, progress: Callable[[int], None] | None = None
    ) -> Workspace:
        """Read the vault or the store at ``path``. Writes nothing.

        ``progress`` is called with the number of files read so far.

        Raises:
            ProofstoneError: there is neither at ``path``, or it cannot be read.
        """
        backing = backing_of(path)
        try:
            contents = backing.read(progress)
        except OSError as error:
            raise ProofstoneError(
                f"{path}: cannot be opened as a vault: {error.strerror or error}; "
                "make one with `proofstone init`"
            ) from error
        return cls(backing, contents, context)

    def reload(self) -> Workspace:
        """Read again what changed. The indexes of this view go over to the new one."""
        newer = Workspace(self.backing, self.backing.read(), self.context)
        assessor: Assessor | None = self.__dict__.get("assessor")
        if assessor is not None:
            newer.__dict__["assessor"] = assessor.successor(
                newer.holdings, newer.settings, newer.purged
            )
        return newer

    is_whole = True
    """Whether everything was read; False for a first look (``curation.first_look``)."""

    @property
    def knows_siblings(self) -> bool:
        """Whether siblings are told at once, without indexing every memory first."""
        return self.assessor.knows_siblings

    def prepare_verdicts(self) -> None:
        """``prepare`` without the index of siblings: enough for every verdict, and much sooner."""
        self.assessor.prepare_verdicts()

    def prepare(self, progress: Callable[[int], None] | None = None) -> None:
        """Make the indexes that judging needs, in a thread where time does not matter.

        Without it they are made when a proposal's match or siblings are first asked for, which
        takes seconds for 100,000 memories. ``progress`` is called with how many memories the index
        of siblings has, if it has to be made.
        """
        self.assessor.prepare(progress)

    def keep_index(self, progress: Callable[[int], None] | None = None) -> bool:
        """Bring the disposable indexes up to date for the next opening; whether one was written.

        Only for a vault that Proofstone has written in before, and one that is worth it. Call it
        behind the screen; reading never does. The index of siblings is kept if this view has made
        one. Raises ProofstoneError when the vault is locked.
        """
        from proofstone.vault import index, sibling_file
        from proofstone.vault.held_notes import rooms_of

        if not self._is_worth_an_index or not index.may_write(self.root):
            return False
        assessor: Assessor | None = self.__dict__.get("assessor")
        siblings = None if assessor is None else assessor.siblings_to_keep()
        beside = {} if siblings is None else {sibling_file.PATH: siblings}
        read = rooms_of(self.holdings)
        is_written = index.update(self.root, progress, beside=beside, read=read)
        if assessor is not None and siblings is not None and siblings.is_written and is_written:
            assessor.siblings_were_kept()
        return is_written

    def hold_less(self) -> None:
        """Put the texts of a large vault's notes aside, if they were read without an index.

        Only for a vault that Proofstone has written in before. Call it behind the screen, before
        ``prepare``: the indexes then have the room. Where it cannot be done nothing is other than
        before.
        """
        from proofstone.vault import index
        from proofstone.vault.held_notes import put_aside, rooms_of

        if self._is_worth_an_index and index.may_write(self.root):
            with suppress(OSError):
                put_aside(self.root, rooms_of(self.holdings))

    @property
    def _is_worth_an_index(self) -> bool:
        from proofstone.vault.index import WORTHWHILE

        notes = len(self.holdings.memories) + len(self.holdings.history)
        return self.is_vault and notes >= WORTHWHILE

    def _kept_siblings(self) -> TakenOver | None:
        """The index of siblings that lies beside the vault's notes, brought up to date."""
        from proofstone.vault import sibling_file

        if not self._is_worth_an_index:
            return None
        return sibling_file.take_over(self.root, self.holdings.memories)

    def after(self, changes: tuple[FileChange, ...]) -> Workspace:
        """What this view would be with ``changes`` written, without reading everything again."""
        pending = (*self._pending, *changes)
        contents = self.backing.after(self.contents, changes, pending)
        return Workspace(self.backing, contents, self.context, pending)

    def render(self, plan: RulingPlan) -> tuple[FileChange, ...]:
        """The file changes that carry ``plan`` out, on top of those that are pending.

        Raises:
            RulingRefused: the store has no place for something that the plan changes.
            ProofstoneError: a file is no longer the one that this view was made of.
        """
        return self.backing.render(plan, self.contents, self._pending)

    def refusal(self, action: str, subject: str) -> str:
        """Why the store cannot carry out ``action`` on ``subject``; empty when it can."""
        from proofstone.stores.port import Subject

        on = Subject.PROPOSAL if subject in self.proposals else Subject.MEMORY
        return self.unread.why_not or self.backing.capabilities.refusal(on, action)

    @cached_property
    def unread(self) -> Unread:
        """What could not be read, and is therefore not known to be absent."""
        return Unread.of(self.problems)

    def require_listed(self, what: str) -> None:
        """Refuse ``what`` (such as ``a purge``) while nobody can tell what a folder holds.

        Raises:
            ProofstoneError: a folder cannot be listed.
        """
        if self.unread.why_not:
            raise ProofstoneError(f"{what}: {self.unread.why_not}")

    def require_vault(self, what: str) -> None:
        """Refuse ``what`` (such as ``a purge``) in other programs' stores.

        Raises:
            ProofstoneError: this is no vault.
        """
        if not self.is_vault:
            raise ProofstoneError(
                f"{self.root}: {what} needs a Proofstone vault, and this is {self.backing.name}; "
                "make a vault with `proofstone init`, and bring this in with `proofstone import`"
            )

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

        self.backing.write(plan)

    def new_tombstones(self) -> tuple[FileChange, ...]:
        """The tombstones that are on disk by now and were not when this view was read."""
        return self.backing.new_tombstones(self.contents)

    def bytes_of(self, path: str) -> bytes | None:
        """A file that rulings name as it is on disk now, or None when it is not there."""
        from proofstone.vault.files import Files

        return Files().read(self.backing.file(path))

    @property
    def is_vault(self) -> bool:
        """Whether this is a vault, and not another program's store."""
        return self.state == self.root

    @property
    def state(self) -> Path:
        """The folder that has the journal: the vault's own, or a store's companion folder."""
        return self.backing.state

    @property
    def journal(self) -> Journal:
        """The journal of all rulings."""
        from proofstone.vault.journal import Journal

        return Journal(self.state)

    @property
    def journal_head(self) -> str:
        """The hash of the journal's last row, as it is on disk now."""
        return self.journal.tail().previous

    @property
    def root(self) -> Path:
        """The vault's folder, or the folder or file that is the store."""
        return self.backing.root

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
        from proofstone.domain.rulings.terms import Held

        return Held(self.holdings, self.assessor.memories_by_id, self.proposals)

    @cached_property
    def assessor(self) -> Assessor:
        """Judges proposals against everything held."""
        from proofstone.curation.assessing import Assessor

        return Assessor(self.holdings, self.settings, self.purged, self._kept_siblings)

    @cached_property
    def purged(self) -> PurgedContents:
        """Tells, by the vault's key, whether a text was purged."""
        from proofstone.curation.purged import purged_contents

        return purged_contents(self.state, self.holdings.tombstones)

    @cached_property
    def turns(self) -> tuple[TurnView, ...]:
        """Every captured turn, cleaned or not, by source, session and index."""
        present = self.contents.turns
        if self._cleaned:
            from proofstone.curation.turns import cleaned_turn

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
        from proofstone.curation.turns import cleaned_turn, view_cleaned, view_turn

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
            from proofstone.domain.gate_origin import stems_from

            proposal = self.proposals[proposal_id]
            view = self.assessor.proposal_view(proposal, self.context.now())
            if proposal.turn and not stems_from(proposal, self.contents.gate.get(proposal.turn)):
                view = replace(view, answer_is_replaced=True)
            self._proposal_views[proposal_id] = view
        return view

    @cached_property
    def queue(self) -> tuple[ProposalView, ...]:
        """The proposals that wait for a ruling, those that need a person most first."""
        waiting = (p.proposal_id for p in self.holdings.proposals if p.is_waiting)
        from proofstone.curation.queue import in_order_of_need

        return in_order_of_need(self.proposal(proposal_id) for proposal_id in waiting)

    @cached_property
    def memories(self) -> MemoryViews:
        """The memories in force, by title, each made into a view when it is asked for."""
        from proofstone.curation.memory_views import MemoryViews
        from proofstone.vault.survey import in_title_order

        versions: dict[str, list[Memory]] = defaultdict(list)
        for memory in self.holdings.history:
            versions[memory.active_memory_id].append(memory)
        now = self.context.now()
        by_title = in_title_order(self.holdings.memories)

        def view(memory: Memory) -> MemoryView:
            return self._memory_view(memory, versions.get(memory.memory_id, []), now)

        return MemoryViews(by_title, view, now)

    @cached_property
    def unreviewed(self) -> int:
        """How many memories in force a person still has to review."""
        from proofstone.vault.survey import count_unreviewed

        return count_unreviewed(self.holdings.memories)

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

    def named(self, identifier: str) -> Memory | Proposal | None:
        """The memory in force, the proposal or the earlier version that an id names.

        No record is made of any other: a log names few of many.
        """
        found = self.in_force(identifier) or self.proposals.get(identifier)
        return found or self._versions.get(identifier)

    def in_force(self, identifier: str) -> Memory | None:
        """The memory in force with this id."""
        return self.held.memory(identifier) if self.is_whole else None

    @cached_property
    def _versions(self) -> Mapping[str, Memory]:
        from proofstone.vault.unmade import by_id

        return by_id(self.holdings.history)

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
        from proofstone.curation.views import MemoryView

        records: Mapping[str, EvidenceRecord] = {}
        missing: tuple[str, ...] = ()
        if memory.evidence:
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
