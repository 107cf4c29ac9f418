"""What a privacy purge concerns: the notes that go, the words, the turns (spec page 6, purge).

A purge is of a memory or a proposal, with all its versions, the proposals that it came from, and
everything else that says the same words. Nothing here is written.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from proofstone.domain import evidence_records, ids, inquiries, note_fields
from proofstone.domain.plan import Value
from proofstone.domain.purge_text import says
from proofstone.domain.purge_words import PurgedWords
from proofstone.domain.records import (
    EvidenceRecord,
    Holdings,
    Inquiry,
    Memory,
    Proposal,
    ProposalStatus,
    Redaction,
    Statement,
    Tombstone,
)
from proofstone.domain.rulings.terms import RulingMoment, RulingRefused

MODE = "privacy_purge"
ANSWER = "purged"
"""What closes an inquiry about what was purged."""

_ORIGINS = frozenset(("gate", "capture", "import", "consolidation", "person"))
_CUT = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class PurgeScope:
    """Everything that a purge concerns.

    ``subject`` is what was asked for. ``memory_ids`` are the memories that go, with all their
    ``memories`` (in force) and ``versions`` (in history). ``turns`` (by reference) and
    ``event_keys`` say where the words were captured.
    """

    subject: str
    memory_ids: frozenset[str]
    memories: tuple[Memory, ...]
    versions: tuple[Memory, ...]
    proposals: tuple[Proposal, ...]
    records: tuple[EvidenceRecord, ...]
    inquiries: tuple[Inquiry, ...]
    turns: frozenset[str]
    event_keys: frozenset[str]
    words: PurgedWords

    @property
    def statements(self) -> tuple[Memory | Proposal, ...]:
        """All memories, versions and proposals that go."""
        return (*self.memories, *self.versions, *self.proposals)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the memories and proposals that go."""
        return self.memory_ids | {proposal.proposal_id for proposal in self.proposals}


def scope_of(holdings: Holdings, subject: str) -> PurgeScope:
    """What a purge of ``subject``, a memory (also one in history) or a proposal, concerns.

    Raises:
        RulingRefused: nothing of that id holds any words.
    """
    gathered = _Gathered(holdings)
    gathered.start(subject)
    gathered.add_all_that_say_the_same()
    records = gathered.records()
    said = [text for member in gathered.members() for text in _said(member)]
    words = PurgedWords.of(
        said,
        (
            *(text for member in gathered.members() for text in _told(member)),
            *(text for record in records for text in _excerpts(record)),
        ),
    )
    gathered.add_all_that_are_nothing_else(words)
    members = gathered.members()
    if not any(member.statement for member in members):
        raise RulingRefused(f"{subject} holds no words any more: it was purged already")
    records = gathered.records()
    return PurgeScope(
        subject=subject,
        memory_ids=frozenset(gathered.memory_ids),
        memories=gathered.memories(),
        versions=gathered.versions(),
        proposals=gathered.proposals(),
        records=records,
        inquiries=tuple(
            inquiry
            for inquiry in holdings.inquiries
            if not (gathered.memory_ids | gathered.proposal_ids).isdisjoint(inquiry.concerns)
        ),
        turns=frozenset(_turns(members, records)),
        event_keys=frozenset(
            source.event_key.casefold() for member in members for source in member.sources
        ),
        words=words,
    )


def emptied_proposal(proposal: Proposal, moment: RulingMoment, reason: str) -> dict[str, Value]:
    """The keys of what is left of a proposal: that it was, and that it was purged."""
    return note_fields.proposal_fields(
        Proposal(
            proposal_id=proposal.proposal_id,
            statement="",
            status=ProposalStatus.TOMBSTONED,
            origin=proposal.origin if proposal.origin in _ORIGINS else "import",
            layer=proposal.layer,
            scopes=(),
            type="",
            created=proposal.created,
            updated=moment.time,
            memory_id=proposal.memory_id,
            ruled_by=moment.author,
            ruled_at=moment.time,
            ruling=moment.ruling_id,
            ruling_reason=reason,
        )
    )


def emptied_record(record: EvidenceRecord) -> dict[str, Value]:
    """The keys of what is left of an evidence record: where it came from, and no word of it.

    The unit's id goes too: it is a digest of the words.
    """
    place = record.source_ref.partition(":u-")[0]
    emptied = evidence_records.redacted(record, Redaction.DELETED)
    return note_fields.evidence_fields(replace(emptied, unit_id="", source_ref=place))


def emptied_inquiry(inquiry: Inquiry, moment: RulingMoment, words: PurgedWords) -> dict[str, Value]:
    """The keys of what is left of an inquiry about what was purged: the question, answered."""
    question = inquiry.question
    if words.overlap(question) or words.are_in(question):
        question = f"A question about {', '.join(inquiry.concerns)}."
    return note_fields.inquiry_fields(
        replace(
            inquiry,
            question=question,
            context="",
            status=inquiries.ANSWERED,
            answered=moment.time,
            answer=ANSWER,
        )
    )


def markers(
    scope: PurgeScope, key: bytes, moment: RulingMoment, reason: str
) -> tuple[Tombstone, ...]:
    """The markers of a purge: one for each id, and one for each further text that it had."""
    latest: dict[str, str] = {}
    for version in sorted(scope.versions, key=lambda version: version.archived_at):
        if version.active_memory_id in scope.memory_ids:
            latest[version.active_memory_id] = version.statement
    latest |= {memory.memory_id: memory.statement for memory in scope.memories}
    latest |= {proposal.proposal_id: proposal.statement for proposal in scope.proposals}
    for identifier in scope.memory_ids:
        latest.setdefault(identifier, "")
    made = [
        _marker(ids.tombstone_id(identifier), identifier, statement, key, moment, reason)
        for identifier, statement in sorted(latest.items())
    ]
    marked = {marker.content_hmac for marker in made}
    for statement in sorted({text for member in scope.statements for text in _said(member)}):
        digest = content_hmac(key, statement)
        if digest not in marked and says(statement):
            marked.add(digest)
            name = f"{ids.TOMBSTONE_PREFIX}{digest[: ids.DIGITS]}"
            made.append(_marker(name, "", statement, key, moment, reason))
    return tuple(made)


def content_hmac(key: bytes, statement: str) -> str:
    """The keyed HMAC-SHA256 of a statement's UTF-8 bytes: what the marker of a purge remembers."""
    return hmac.new(key, ids.utf8(statement), hashlib.sha256).hexdigest()


class PurgedContents:
    """Which purge markers a text has, told by the key alone. Callable, for ``TombstoneIndex``."""

    def __init__(self, tombstones: Iterable[Tombstone], key: bytes | None) -> None:
        self._key = key
        self._markers: dict[str, list[str]] = {}
        for stone in tombstones:
            if stone.content_hmac:
                self._markers.setdefault(stone.content_hmac, []).append(stone.tombstone_id)

    @property
    def is_blind(self) -> bool:
        """Whether there are markers, and no key to compare them by."""
        return bool(self._markers) and self._key is None

    def __call__(self, statement: str) -> tuple[str, ...]:
        if not self._markers or self._key is None:
            return ()
        return tuple(self._markers.get(content_hmac(self._key, statement), ()))


def _marker(
    name: str, deleted_id: str, statement: str, key: bytes, moment: RulingMoment, reason: str
) -> Tombstone:
    return Tombstone(
        tombstone_id=name,
        deleted_id=deleted_id,
        deleted_at=moment.time,
        mode=MODE,
        reason=reason,
        by=moment.author,
        # A text without a letter says nothing that could come back.
        content_hmac=content_hmac(key, statement) if says(statement) else "",
    )


class _Gathered:
    """The members of a purge while they are being found."""

    def __init__(self, holdings: Holdings) -> None:
        self._holdings = holdings
        self.memory_ids: set[str] = set()
        self.proposal_ids: set[str] = set()
        self._version_ids: set[str] = set()

    def start(self, subject: str) -> None:
        """Begin with what was asked for."""
        held = self._holdings
        for proposal in held.proposals:
            if proposal.proposal_id == subject:
                self.proposal_ids.add(subject)
                made = ids.memory_id_for(subject)
                if any(made in (m.memory_id, m.active_memory_id) for m in _all_versions(held)):
                    self.memory_ids.add(made)
                return
        for memory in _all_versions(held):
            if subject in (memory.memory_id, memory.active_memory_id):
                self.memory_ids.add(memory.active_memory_id or memory.memory_id)
                return
        raise RulingRefused(f"{subject} is neither a proposal nor a memory, in force or in history")

    def add_all_that_say_the_same(self) -> None:
        """Add proposals that became it, and whatever has the same words, until nothing is new."""
        while True:
            before = len(self.memory_ids) + len(self.proposal_ids) + len(self._version_ids)
            contents = {text for member in self.members() for text in _said(member)}
            for memory in self._holdings.memories:
                if memory.statement in contents:
                    self.memory_ids.add(memory.memory_id)
            for version in self._holdings.history:
                if version.statement in contents:
                    self._version_ids.add(version.memory_id)
            for proposal in self._holdings.proposals:
                made = {proposal.memory_id, ids.memory_id_for(proposal.proposal_id)}
                if made & self.memory_ids or contents.intersection(_said(proposal)):
                    self.proposal_ids.add(proposal.proposal_id)
            if before == len(self.memory_ids) + len(self.proposal_ids) + len(self._version_ids):
                return

    def add_all_that_are_nothing_else(self, words: PurgedWords) -> None:
        """Add what would be left empty: statements that are one of the quotes or excerpts."""
        for memory in self._holdings.memories:
            if memory.statement and words.is_whole(memory.statement):
                self.memory_ids.add(memory.memory_id)
        for version in self._holdings.history:
            if version.statement and words.is_whole(version.statement):
                self._version_ids.add(version.memory_id)
        for proposal in self._holdings.proposals:
            if proposal.statement and words.is_whole(proposal.statement):
                self.proposal_ids.add(proposal.proposal_id)

    def memories(self) -> tuple[Memory, ...]:
        return tuple(m for m in self._holdings.memories if m.memory_id in self.memory_ids)

    def versions(self) -> tuple[Memory, ...]:
        return tuple(
            version
            for version in self._holdings.history
            if version.active_memory_id in self.memory_ids
            or version.memory_id in self._version_ids | self.memory_ids
        )

    def proposals(self) -> tuple[Proposal, ...]:
        return tuple(p for p in self._holdings.proposals if p.proposal_id in self.proposal_ids)

    def members(self) -> tuple[Memory | Proposal, ...]:
        return (*self.memories(), *self.versions(), *self.proposals())

    def records(self) -> tuple[EvidenceRecord, ...]:
        """The evidence that any member rests on."""
        cited = {evidence_id for member in self.members() for evidence_id in member.evidence}
        return tuple(
            record
            for record in self._holdings.evidence
            if record.evidence_id in cited or not self.memory_ids.isdisjoint(record.memory_ids)
        )


def _all_versions(holdings: Holdings) -> Iterator[Memory]:
    yield from holdings.memories
    yield from holdings.history


def _said(member: Statement) -> Iterator[str]:
    """The statements of a member: its words, and a proposal's as first proposed."""
    if member.statement:
        yield member.statement
    if isinstance(member, Proposal) and member.original_statement:
        yield member.original_statement


def _told(member: Statement) -> Iterator[str]:
    """What else repeats a member's words: its title and its quotes."""
    yield member.title.removesuffix(_CUT)
    if isinstance(member, Proposal):
        for claim in member.bindings:
            yield claim.quote


def _excerpts(record: EvidenceRecord) -> Iterator[str]:
    """The words of a record. Its summary names places, unless it is all that the record says."""
    yield record.source_excerpt or record.source_summary


def _turns(
    members: Iterable[Memory | Proposal], records: Iterable[EvidenceRecord]
) -> Iterator[str]:
    for member in members:
        if isinstance(member, Proposal) and member.turn:
            yield member.turn
    for record in records:
        place = record.source_ref.partition(":u-")[0]
        if "#" in place:
            yield place
