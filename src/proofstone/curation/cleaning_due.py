"""Which settled turns may be cleaned, and why the others may not (spec page 2).

Whatever is in doubt is held back: a turn is due only when everything that could still need its
words has been looked at.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property

from proofstone.curation.views import TurnView
from proofstone.curation.workspace import Workspace
from proofstone.domain.conversation import Event
from proofstone.domain.gate_contract import check_answer, projection
from proofstone.domain.gate_types import GateAnswer, TurnState
from proofstone.domain.records import Proposal
from proofstone.vault import layout
from proofstone.vault.inbox import InboxFile, parse_inbox
from proofstone.vault.inbox_removal import without_events
from proofstone.vault.journal import COMMITTED
from proofstone.vault.processed import MemleafProgress, read_progress
from proofstone.vault.tool_evidence import CapturePolicy
from proofstone.vault.vault import MAX_INBOX_BYTES
from proofstone.vault.walk import read_file, walk

TurnIdentity = tuple[str, str, str, int]
"""Source, session, turn key and number: what makes events one turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DueTurn:
    """A turn that may be cleaned: settled and past retention. Times are RFC 3339, UTC.

    ``files`` are the inbox files that hold its events.
    """

    view: TurnView
    settled_at: str
    files: tuple[str, ...]

    @property
    def reference(self) -> str:
        """How commands name the turn."""
        return self.view.reference


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTurn:
    """A settled turn that keeps its text, and why."""

    reference: str
    why: str
    settled_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """The settled turns whose text is there: due, or held. ``before`` are the inbox files."""

    due: tuple[DueTurn, ...]
    held: tuple[HeldTurn, ...]
    before: Mapping[str, bytes]


def due_turns(workspace: Workspace, *, unprocessed: bool = False) -> Due:
    """Look at every settled turn. With ``unprocessed``, memleaf is not waited for where it has
    captured a turn and not come to it yet.
    """
    judge = _Judge(workspace, unprocessed=unprocessed)
    inbox = InboxTexts(workspace)
    settled = [
        (view, judge.settled_at(view))
        for view in workspace.turns
        if view.state is TurnState.SETTLED and not view.cleaned_at
    ]
    why = {view.reference: judge.why_held(view, at) for view, at in settled}
    faults = inbox.faults([view for view, _ in settled if not why[view.reference]])
    due: list[DueTurn] = []
    held: list[HeldTurn] = []
    for view, moment in settled:
        at = moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment is not None else ""
        reason = why[view.reference] or faults.get(view.reference, "")
        if reason:
            held.append(HeldTurn(reference=view.reference, why=reason, settled_at=at))
        else:
            due.append(DueTurn(view=view, settled_at=at, files=inbox.files_of(view)))
    return Due(due=tuple(due), held=tuple(held), before=inbox.data)


class _Judge:
    """Everything that decides whether a settled turn may be cleaned."""

    def __init__(self, workspace: Workspace, *, unprocessed: bool) -> None:
        self._workspace = workspace
        self._unprocessed = unprocessed
        self._proposals: dict[str, list[Proposal]] = defaultdict(list)
        self._quoted_by: dict[str, str] = {}
        for proposal in workspace.holdings.proposals:
            self._proposals[proposal.turn].append(proposal)
            if proposal.is_waiting:
                self._quoted_by.update(
                    (claim.unit_id, proposal.proposal_id) for claim in proposal.bindings
                )
        self._numbers = Counter(turn.reference for turn in workspace.contents.turns)

    def settled_at(self, view: TurnView) -> datetime | None:
        """When the turn was settled: its answer and correction, and the last ruling on each of its
        proposals, whichever came last. None when one of these times is missing.
        """
        gate = view.gate
        if gate is None:
            return None
        times = [gate.answered_at, gate.corrected_at or gate.answered_at]
        for proposal in self._proposals[view.reference]:
            # A ruling that was taken back and made again counts from then on.
            journalled = self._ruled_at.get(proposal.proposal_id, "")
            times += (proposal.ruled_at or journalled, journalled or proposal.ruled_at)
        moments = [_moment(time) for time in times]
        known = [moment for moment in moments if moment is not None]
        return max(known) if len(known) == len(moments) else None

    def why_held(self, view: TurnView, settled: datetime | None) -> str:
        """Why the turn keeps its text; empty when it may go."""
        return next(self._reasons(view, settled), "")

    def _reasons(self, view: TurnView, settled: datetime | None) -> Iterator[str]:
        if settled is None:
            yield "when it was settled cannot be told: a time of its answer or rulings is missing"
            return
        hours = timedelta(hours=self._workspace.settings.retention_hours)
        until = settled + hours
        if until > self._workspace.context.now():
            yield f"its text is kept until {until.strftime('%Y-%m-%dT%H:%M:%SZ')}"
        if self._numbers[view.reference] > 1:
            yield "another captured turn has the same number"
        answer = view.gate.answer if view.gate is not None else None
        if view.answer_is_stale or not _holds(view, answer):
            yield "its text is not what its answer was checked against; see `proofstone check`"
        yield from self._waiting(view, answer)
        yield from self._memleaf(view)

    def _waiting(self, view: TurnView, answer: GateAnswer | None) -> Iterator[str]:
        for unit in view.units:
            if unit.unit_id in self._quoted_by:
                yield f"proposal {self._quoted_by[unit.unit_id]} waits, and quotes it"
        if answer is not None and answer.candidates and self._doubtful:
            yield f"{self._doubtful} cannot be read, and may be a proposal of it"

    def _memleaf(self, view: TurnView) -> Iterator[str]:
        turn, outcome = view.turn, view.memleaf
        if self._memleaf_is_unreadable:
            yield "memleaf's record of what it has processed cannot be read; see `proofstone check`"
        if self._progress.is_writing:
            yield "memleaf was stopped while it was writing; let it finish"
        if outcome is None:
            waits = self._progress.waits_for(turn.source, turn.session_id, turn.turn_index)
            if waits and not self._unprocessed:
                yield "memleaf has not processed it yet (--unprocessed cleans it all the same)"
        elif outcome.status == "failed":
            yield "memleaf failed on it, and will try again"
        elif outcome.status != "processed":
            yield "memleaf is processing it"
        elif outcome.deferred or any(
            candidate.disposition == "DEFERRED" for candidate in outcome.candidates
        ):
            yield "memleaf has deferred a part of it"
        elif not outcome.cleanup_done_at:
            allowed = _moment(outcome.eligible_cleanup_at)
            if allowed is None:
                yield "memleaf keeps it open"
            elif allowed > self._workspace.context.now():
                yield f"memleaf keeps its text until {outcome.eligible_cleanup_at}"

    @cached_property
    def _ruled_at(self) -> Mapping[str, str]:
        """When the journal last says that a proposal was ruled on, by its id."""
        times: dict[str, str] = {}
        for entry in self._workspace.journal.read():
            if entry.state != COMMITTED:
                continue
            for change in entry.changes:
                if change.path.startswith("proposals/"):
                    name = change.path.rpartition("/")[2].removesuffix(".md")
                    times[name] = max(times.get(name, ""), entry.time)
        return times

    @cached_property
    def _doubtful(self) -> str:
        """A note among the proposals of which it cannot be told which turn it belongs to."""
        told = {proposal.path for proposal in self._workspace.holdings.proposals if proposal.turn}
        return next(
            (
                problem.path
                for problem in self._workspace.problems
                if problem.path.startswith("proposals/") and problem.path not in told
            ),
            "",
        )

    @cached_property
    def _progress(self) -> MemleafProgress:
        return read_progress(self._workspace.bytes_of(layout.PROCESSED) or b"{}")

    @cached_property
    def _memleaf_is_unreadable(self) -> bool:
        return any(problem.path == layout.PROCESSED for problem in self._workspace.problems)


class InboxTexts:
    """The inbox files as they are now, and which turns each of them holds."""

    def __init__(self, workspace: Workspace) -> None:
        self._root = workspace.root
        self.data: dict[str, bytes] = {}
        self._parsed: dict[str, InboxFile] = {}
        self._of_turn: dict[TurnIdentity, list[str]] = defaultdict(list)
        for found in walk(self._root, layout.INBOX, ".md"):
            try:
                data = read_file(self._root, found, MAX_INBOX_BYTES)
            except OSError:
                # It was not read for the turns either, and is named among the problems.
                continue
            self.data[found.path] = data
            parsed = self._parsed[found.path] = _parse(found.path, data)
            for identity in dict.fromkeys(_identity(event) for event in parsed.events):
                self._of_turn[identity].append(found.path)

    def files_of(self, view: TurnView) -> tuple[str, ...]:
        """The files that hold the turn's events, by path."""
        return tuple(self._of_turn[_identity_of(view)])

    def faults(self, views: Iterable[TurnView]) -> Mapping[str, str]:
        """Why turns cannot be taken out of their files, by reference; nothing of those that can."""
        of_file: dict[str, list[TurnView]] = defaultdict(list)
        for view in views:
            for path in self.files_of(view):
                of_file[path].append(view)
        faults: dict[str, str] = {}
        for path, members in of_file.items():
            why = self._fault(path, members)
            if why:
                faults.update((view.reference, why) for view in members)
        return faults

    def _fault(self, path: str, members: Iterable[TurnView]) -> str:
        before = self._parsed[path]
        if any(problem.code == "unreadable_event" for problem in before.problems):
            return f"{path} has an event that cannot be read; see `proofstone check`"
        going = {_identity_of(view) for view in members}
        keys = {event.event_key for view in members for event in view.turn.events}
        kept = tuple(event for event in before.events if _identity(event) not in going)
        after = _parse(path, without_events(self.data[path], keys))
        if (after.events, after.legacy) != (kept, before.legacy):
            return f"{path} would not read the same without it"
        return ""


def _parse(path: str, data: bytes) -> InboxFile:
    """An inbox file with the bodies of tool records, whatever may be shown of them."""
    folder, _, name = path.rpartition("/")
    source = folder.rpartition("/")[2]
    return parse_inbox(data, source, name.removesuffix(".md"), path, CapturePolicy())


def _identity(event: Event) -> TurnIdentity:
    return event.source, event.session_id, event.turn_key, event.turn_index


def _identity_of(view: TurnView) -> TurnIdentity:
    turn = view.turn
    return turn.source, turn.session_id, turn.turn_key, turn.turn_index


def _holds(view: TurnView, answer: GateAnswer | None) -> bool:
    if answer is None:
        return False
    keys = [event.event_key for event in view.turn.events]
    checked = check_answer(answer, turn_event_keys=keys, units=projection(view.units))
    return isinstance(checked, GateAnswer)


def _moment(text: str) -> datetime | None:
    """A time as notes write it; None when it is missing, or says nothing of its zone."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.astimezone(UTC) if moment.tzinfo is not None else None
