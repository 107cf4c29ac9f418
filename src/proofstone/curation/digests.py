"""Ids of rulings and groups: from what they follow and what they do, so that none is drawn."""

from __future__ import annotations

import hashlib
import json

_DIGITS = 24


def ruling_digest(prefix: str, *parts: object) -> str:
    """``prefix-`` and 24 hex digits of SHA-256 over the compact JSON of ``parts``.

    One of the parts is the head of the journal, which makes the id of a ruling that is made, taken
    back and made again a new one each time.
    """
    text = json.dumps(parts, ensure_ascii=False, separators=(",", ":"))
    return f"{prefix}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:_DIGITS]}"
