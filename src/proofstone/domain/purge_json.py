"""JSON values without purged words (spec page 6, purge)."""

from __future__ import annotations

from proofstone.domain.purge_text import blacked_out
from proofstone.domain.purge_words import PurgedWords


def purged_json(value: object, words: PurgedWords) -> object:
    """A JSON value with every text in it blacked out where it holds the words, keys too."""
    if isinstance(value, str):
        return blacked_out(value, words.spans(value))
    if isinstance(value, list):
        return [purged_json(item, words) for item in value]
    if isinstance(value, dict):
        return {
            blacked_out(key, words.spans(key)): purged_json(item, words)
            for key, item in value.items()
        }
    return value
