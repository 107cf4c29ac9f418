"""When what waits has grown into a backlog (spec page 7, Review without fatigue)."""

from __future__ import annotations

from datetime import timedelta

OLD_AFTER = timedelta(days=14)
"""Longer than this nothing should wait: by then nobody remembers what it was about."""

MANY = 50
"""More than this is no longer decided on in one sitting."""


def warning(waiting: int, oldest: timedelta) -> str:
    """What is wrong with ``waiting`` proposals of which one waits for ``oldest``; else empty."""
    told = []
    if oldest > OLD_AFTER:
        told.append(f"oldest {oldest.days} days")
    if waiting > MANY:
        told.append(f"over {MANY} wait")
    return ", ".join(told)
