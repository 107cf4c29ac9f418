"""Evidence units: exact fragments with offsets, an origin and a partition (spec page 2)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Origin(StrEnum):
    """Where a unit's words come from. For user text it is a hint on syntax, not on meaning."""

    USER_ASSERTION = "user_assertion"
    USER_QUERY = "user_query"
    USER_DOCUMENT = "user_document"
    QUOTED_OR_EXAMPLE = "quoted_or_example"
    ASSISTANT_SYNTHESIS = "assistant_synthesis"
    RETRIEVED_MEMORY = "retrieved_memory"
    EXTERNAL_OBSERVATION = "external_observation"
    UNKNOWN = "unknown"


class Partition(StrEnum):
    """May a unit be cited (physical), read only (context), or is its source not whole?"""

    PHYSICAL = "physical"
    CONTEXT = "context"
    UNRESOLVED = "unresolved"


class EvidenceUnit(NamedTuple):
    """An exact clause of an event or an observation.

    A named tuple, since the inventory of a long text makes hundreds of thousands of them and a
    frozen dataclass takes five times as long to make.

    ``start`` and ``end`` are offsets in characters (code points) in the text of the event, or of
    the observation's content when ``source_role`` is ``external``.
    """

    unit_id: str
    event_key: str
    source_role: str
    origin: Origin
    start: int
    end: int
    text: str
    section_path: tuple[str, ...] = ()
    syntax: str = "plain"
    tool_name: str | None = None
    call_id: str | None = None
    record_id: str | None = None

    @property
    def partition(self) -> Partition:
        """The boundary of provenance that this unit falls on (spec page 2, Partition)."""
        if self.origin is Origin.UNKNOWN:
            return Partition.UNRESOLVED
        if self.source_role == "user" or self.origin is Origin.EXTERNAL_OBSERVATION:
            return Partition.PHYSICAL
        return Partition.CONTEXT
