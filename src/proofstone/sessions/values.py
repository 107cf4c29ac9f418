"""What a session reader gives: turns, and what it left out or could not read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTurn:
    """A finished turn of a session file, as it was said: not redacted, not escaped.

    ``turn_id`` is the program's own id where it has one, else made of the time or of the words;
    reading the file again gives the same. ``line`` is where the turn's first message stands,
    ``timestamp`` its time as written, or empty. ``records`` are tool records in the fields of
    ``domain.observations``, in the order of the calls.
    """

    session_id: str
    turn_id: str
    users: tuple[str, ...]
    answer: str
    line: int
    timestamp: str = ""
    records: tuple[Mapping[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Skipped:
    """A line that could not be read, by number from 1, and why."""

    line: int
    reason: str
