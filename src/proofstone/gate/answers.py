"""What is done about an endpoint's answer that is no completion: by its status alone."""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from proofstone.gate.errors import CallFailedError
from proofstone.gate.settings import KEY_VARIABLES

JSON_MODE = "response_format"
STREAM = "stream"
FEATURES: dict[str, object] = {JSON_MODE: {"type": "json_object"}, STREAM: True}
"""What is asked for where it is offered: each is given up, once, when an endpoint refuses it."""

MAX_WAITS = 3
"""How often an endpoint that asks us to slow down is asked again."""

NO_CREDIT = "insufficient_quota"
"""The code of a 429 that no waiting ends."""

_WORDS = {JSON_MODE: re.compile(rb"response_format|json[_ ](?:object|mode)", re.I)}
_WORDS[STREAM] = re.compile(rb"\bstream", re.I)
_CODE = re.compile(r"[a-z][a-z0-9_.]{0,39}")


def feature_refused(status: int, body: bytes, asked: Collection[str]) -> str:
    """The feature that a request was refused for, of those it ``asked`` for; else empty."""
    if status not in (400, 422):
        return ""
    return next((name for name in FEATURES if name in asked and _WORDS[name].search(body)), "")


def wait_asked(retry_after: str, waits: int, now: datetime) -> float:
    """How many seconds a 429 asks us to wait; ``waits`` is how often we have waited already.

    ``Retry-After`` is a number of seconds or a date. Without one that can be read the wait is 1,
    2, then 4 seconds.
    """
    text = retry_after.strip()
    if re.fullmatch(r"[0-9]{1,9}(?:\.[0-9]{1,9})?", text):
        return float(text)
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return float(2**waits)
    if date.tzinfo is None:
        date = date.replace(tzinfo=UTC)
    return max(0.0, (date - now).total_seconds())


def failure(status: int, code: str) -> CallFailedError:
    """Why a request failed, and what a person can do about it."""
    said = f"HTTP {status}, {code}" if code else f"HTTP {status}"
    if status in (401, 403):
        return CallFailedError(
            f"the endpoint does not let us in ({said}); set {' or '.join(KEY_VARIABLES)} to a key"
            " that it knows"
        )
    if status == 429:
        advice = (
            "see to its credit" if code == NO_CREDIT else "ask about fewer turns at once, or later"
        )
        return CallFailedError(f"the endpoint takes no more requests ({said}); {advice}")
    if status in (404, 405):
        return CallFailedError(
            f"there is no such model or address ({said}); check the model's name, and the "
            "base URL, which usually ends in /v1"
        )
    if 300 <= status < 400:
        return CallFailedError(
            f"the endpoint points elsewhere ({said}), which is not followed; give that address "
            "as the base URL"
        )
    if status >= 500:
        return CallFailedError(f"the endpoint failed ({said}); nothing was stored, run it later")
    return CallFailedError(f"the endpoint refused the request ({said}); nothing was stored")


def error_code(body: bytes, key: str) -> str:
    """The error's code as endpoints name it, when it is plainly a code and not a text or key."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return ""
    error = value.get("error") if isinstance(value, dict) else None
    if not isinstance(error, dict):
        return ""
    for name in ("code", "type"):
        code = error.get(name)
        if isinstance(code, str) and _CODE.fullmatch(code) and not (key and key in code):
            return code
    return ""
