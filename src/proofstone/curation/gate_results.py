"""What comes of asking a model about turns, and how far a run is (spec page 8, Gate client)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from proofstone.curation.gate import GateResult
from proofstone.domain.gate_types import GateRefusal


class Outcome(StrEnum):
    """What came of asking about one turn, or of asking for its correction."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    FAILED = "failed"
    """No whole answer came; nothing was stored."""
    SKIPPED = "skipped"
    CANCELLED = "cancelled"


class Stage(StrEnum):
    """Where a turn is in a run."""

    ASKING = "asking"
    WAITING = "waiting"
    """The endpoint asked us to slow down."""
    ANSWERING = "answering"
    """Some of the answer has come."""
    CORRECTING = "correcting"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnResult:
    """What came of one turn. ``why`` says why it failed or was skipped, in one line.

    ``result`` is what the vault made of the last answer that was accepted in this run.
    ``correction`` is what came of the one correction, None when none was asked for, and
    ``correction_why`` why it failed. ``refusal`` is the answer's, or else the correction's.
    """

    turn: str
    outcome: Outcome
    why: str = ""
    result: GateResult | None = None
    refusal: GateRefusal | None = None
    correction: Outcome | None = None
    correction_why: str = ""

    @property
    def proposals(self) -> tuple[str, ...]:
        """The new proposals."""
        return () if self.result is None else self.result.proposals

    @property
    def missing_unit_ids(self) -> tuple[str, ...]:
        """The units that are still without a row: the turn stays open."""
        return () if self.result is None else self.result.missing_unit_ids


@dataclass(frozen=True, slots=True, kw_only=True)
class GateProgress:
    """A step of a run. ``seconds`` is the wait that a WAITING turn is in, ``characters`` how much
    has come of the answer of an ANSWERING one; ``result`` comes with DONE."""

    turn: str
    stage: Stage
    done: int
    total: int
    seconds: float = 0.0
    characters: int = 0
    result: TurnResult | None = None
