"""How long ago something was."""

from __future__ import annotations

from datetime import datetime, timedelta


def age_of(timestamp: str, now: datetime) -> timedelta:
    """How long ago ``timestamp`` (RFC 3339) was; zero when it is missing, wrong or ahead."""
    try:
        then = datetime.fromisoformat(timestamp)
    except ValueError:
        return timedelta()
    if then.tzinfo is None:
        then = then.replace(tzinfo=now.tzinfo)
    return max(now - then, timedelta())


def in_words(age: timedelta) -> str:
    """An age as one number and one letter, such as ``3d``, ``5h`` or ``2m``."""
    minutes = int(age.total_seconds() // 60)
    if minutes < 60:
        return f"{minutes}m"
    if minutes < 48 * 60:
        return f"{minutes // 60}h"
    return f"{minutes // (24 * 60)}d"
