"""Ids that come from content (spec pages 5 and 6).

The same thing proposed, ratified or retired twice, on two machines or in two branches, has one id
and so one file. An id is a short prefix and the first hex digits of a SHA-256 over compact JSON,
which keeps the parts apart whatever characters they hold.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from proofstone.domain.records import Layer

DIGITS = 24
"""Hex digits after the prefix: 96 bits, the length that memleaf gives its own history ids."""

PROPOSAL_PREFIX = "prop-"
MEMORY_PREFIX = "mem-"
HISTORY_PREFIX = "hist-"
TOMBSTONE_PREFIX = "tomb-"
INQUIRY_PREFIX = "inq-"

FOREIGN_PROPOSAL_PREFIX = "cap"
FOREIGN_MEMORY_PREFIX = "mem"
FOREIGN_REPORTED_PREFIX = "meta_"


def utf8(text: str) -> bytes:
    """The bytes of ``text``; a lone surrogate, which JSON escapes can smuggle in, is kept."""
    return text.encode("utf-8", "surrogatepass")


def content_hash(statement: str) -> str:
    """The SHA-256 of a statement's UTF-8 bytes, as 64 hex digits: what a tombstone remembers."""
    return hashlib.sha256(utf8(statement)).hexdigest()


def proposal_id(
    statement: str,
    *,
    profile: str = "",
    scopes: Iterable[str] = ("global",),
    layer: Layer = Layer.L2,
) -> str:
    """The id of a proposal: the same words for the same profile, scopes and layer are one."""
    parts = [profile, sorted(set(scopes)), layer.value, statement]
    return PROPOSAL_PREFIX + _digest("proposal", parts)


def memory_id_for(proposal_id: str) -> str:
    """The id of the memory that ratifying a proposal would create.

    ``prop-…`` becomes ``mem-…``. A pi-persistent-intelligence candidate ``cap…`` becomes ``mem…``,
    which is the id that program looks for, and ``meta_…``, which its reports propose for L1,
    becomes ``mem_meta_…``. Any other name is kept as it is.
    """
    if proposal_id.startswith(PROPOSAL_PREFIX):
        return MEMORY_PREFIX + proposal_id.removeprefix(PROPOSAL_PREFIX)
    if proposal_id.startswith(FOREIGN_PROPOSAL_PREFIX):
        return FOREIGN_MEMORY_PREFIX + proposal_id.removeprefix(FOREIGN_PROPOSAL_PREFIX)
    if proposal_id.startswith(FOREIGN_REPORTED_PREFIX):
        return f"{FOREIGN_MEMORY_PREFIX}_{proposal_id}"
    return proposal_id


def history_id(memory_id: str, revision: str) -> str:
    """The id of one version of a memory in history; ``revision`` is the version's SHA-256."""
    return HISTORY_PREFIX + _digest("history", [memory_id, revision])


def tombstone_id(deleted_id: str) -> str:
    """The id of the marker for ``deleted_id``.

    One per deleted id: a privacy purge replaces the audit marker, whose content hash would let
    the words be guessed.
    """
    return TOMBSTONE_PREFIX + _digest("tombstone", [deleted_id])


def inquiry_id(question: str, concerns: Iterable[str] = ()) -> str:
    """The id of an open question: the same question on the same things is one inquiry."""
    return INQUIRY_PREFIX + _digest("inquiry", [question, sorted(set(concerns))])


def _digest(what: str, parts: Sequence[object]) -> str:
    text = json.dumps([what, *parts], ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(utf8(text)).hexdigest()[:DIGITS]
