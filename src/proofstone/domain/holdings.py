"""Everything that a store holds as one value, and what could not be read of it.

Apart from the records themselves (``records``), so that an empty vault can be opened without them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofstone.domain.records import EvidenceRecord, Inquiry, Memory, Proposal, Tombstone


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """Something that a person should look at: where, what, and what to do about it."""

    code: str
    path: str
    message: str
    line: int | None = None
    advice: str = ""
    subject: str = ""
    severity: str = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """Everything that a store holds, as one value. Unreadable things are in ``problems``."""

    memories: tuple[Memory, ...] = ()
    history: tuple[Memory, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    evidence: tuple[EvidenceRecord, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    inquiries: tuple[Inquiry, ...] = ()
    problems: tuple[Problem, ...] = field(default=())
