"""The one kind of error that people are shown: what, where, and what to do, in one line."""

from __future__ import annotations


class ProofstoneError(Exception):
    """Something that a person can understand and act on; its text is one line, no traceback."""
