"""The terms on which rulings are planned: choices, moments, assessments and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from proofstone.domain.gate_types import DEFERRED_REASONS, NO_CHANGE_REASONS
from proofstone.domain.plan import Ruling, Value
from proofstone.domain.records import Holdings, MatchKind, Memory, Proposal
from proofstone.domain.verification import VerifierReport

DEFER_REASONS: tuple[str, ...] = (*DEFERRED_REASONS, "needs_evidence", "needs_owner", "later")
"""Why a proposal may wait: the Gate's five reasons and three of a person's."""

DISMISS_REASONS = NO_CHANGE_REASONS
TOMBSTONE_REASONS: tuple[str, ...] = (
    "user_requested",
    "privacy_sensitive",
    "poisoned",
    "invalid",
    "other",
)
SHORT_ID_LENGTH = 6
"""Characters of an id's last part that a person types to confirm an L1 ruling."""

NEW_MEMORY = "new"
"""The target that asks for a second memory where an update or a strengthening was offered."""


class Need(StrEnum):
    """What a person still has to give before a ruling can be made."""

    REASON = "reason"
    CONFIRM = "confirm"
    TARGET = "target"
    EDITS = "edits"
    NOTHING = "nothing"
    """Nothing that a person could give would help."""


class RulingRefused(Exception):  # noqa: N818 - the spec's word: a ruling is refused
    """A ruling that may not be made, with the reason in words and what would help."""

    def __init__(self, why: str, need: Need = Need.NOTHING) -> None:
        super().__init__(why)
        self.why = why
        self.need = need


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a person chose beside the action.

    ``reason`` is words for ratify, supersede and edit, and one of the closed lists for defer,
    dismiss and tombstone. ``target`` names memories, or ``new``. ``edits`` maps note keys
    (``statement`` for the body) to new values. ``until`` is a date, YYYY-MM-DD.
    """

    reason: str = ""
    note: str = ""
    target: tuple[str, ...] = ()
    until: str = ""
    confirm: str = ""
    edits: Mapping[str, Value] = field(default_factory=dict)

    def recorded(self) -> dict[str, Value]:
        """What the journal keeps of them; the reason has a field of its own there."""
        kept: dict[str, Value] = {}
        if self.note:
            kept["note"] = self.note
        if self.target:
            kept["target"] = self.target
        if self.until:
            kept["until"] = self.until
        if self.edits:
            kept["edited"] = tuple(sorted(self.edits))
        return kept


@dataclass(frozen=True, slots=True, kw_only=True)
class RulingMoment:
    """When, by whom, through which door, and under which ids a ruling is made."""

    ruling_id: str
    group: str
    time: str
    author: str
    via: str

    @property
    def date(self) -> str:
        """The day of the ruling, YYYY-MM-DD, in UTC."""
        return self.time[:10]

    def ruling(self, action: str, subject: str, choices: Choices) -> Ruling:
        """The ruling as the journal keeps it."""
        return Ruling(
            ruling_id=self.ruling_id,
            group=self.group,
            time=self.time,
            author=self.author,
            via=self.via,
            action=action,
            subject=subject,
            reason=choices.reason,
            choices=choices.recorded(),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessment:
    """What the verifier and the matcher say of a proposal at the moment of the ruling."""

    report: VerifierReport
    match_kind: MatchKind = MatchKind.NEW
    matched: tuple[str, ...] = ()
    normalized_key: str = ""
    tainted: bool = False
    returned: str = ""
    """Why nearly the same words were tombstoned before; empty when they were not."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is held, looked up by id."""

    holdings: Holdings
    _memories: Mapping[str, Memory]
    _proposals: Mapping[str, Proposal]

    @classmethod
    def of(cls, holdings: Holdings) -> Held:
        """Index ``holdings`` once for any number of plans."""
        return cls(
            holdings,
            {memory.memory_id: memory for memory in holdings.memories},
            {proposal.proposal_id: proposal for proposal in holdings.proposals},
        )

    def memory(self, memory_id: str) -> Memory | None:
        """A memory in force, or None."""
        return self._memories.get(memory_id)

    def proposal(self, proposal_id: str) -> Proposal | None:
        """A proposal, waiting or ruled on, or None."""
        return self._proposals.get(proposal_id)

    def target(self, memory_id: str) -> Memory:
        """A memory in force.

        Raises:
            RulingRefused: it is not in force.
        """
        memory = self.memory(memory_id)
        if memory is None:
            raise RulingRefused(
                f"{memory_id} is not in force, so it cannot be the target", Need.TARGET
            )
        return memory


def short_id(identifier: str) -> str:
    """The part of an id that a person types to confirm: short, and said on the screen."""
    last = identifier.rpartition("-")[2]
    # Other programs begin all their ids alike: mem_20261010_…
    return (last.rpartition("_")[2] or last)[:SHORT_ID_LENGTH]
