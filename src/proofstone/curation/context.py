"""Who acts, when, and through which door: passed in, never asked of the machine further down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


def system_clock() -> datetime:
    """The time now, in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Context:
    """The circumstances of a piece of work.

    ``clock`` gives an aware time; ``author`` is who rules; ``via`` names the door: ``workbench``,
    ``cli`` or ``mcp``.
    """

    clock: Callable[[], datetime]
    author: str
    via: str = "workbench"

    def now(self) -> datetime:
        """The time now, in UTC, whole seconds."""
        return self.clock().astimezone(UTC).replace(microsecond=0)

    def timestamp(self) -> str:
        """The time now as notes write it: RFC 3339, UTC, whole seconds."""
        return self.now().strftime("%Y-%m-%dT%H:%M:%SZ")
