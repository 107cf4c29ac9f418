"""Tombstones by what they keep from coming back (spec pages 3, 5 and 6)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass

from proofstone.domain import ids
from proofstone.domain.records import Tombstone

SHORT_HASH = 32
"""Hex digits of the content hash that pi-persistent-intelligence keeps."""


def _none_purged(_statement: str) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True, slots=True)
class TombstoneIndex:
    """Tombstones by deleted id and by content hash.

    ``purged`` gives the ids of the purge markers whose keyed HMAC a statement has. The key lives in
    a file of the vault, so the caller brings the function.
    """

    by_id: Mapping[str, Tombstone]
    by_content: Mapping[str, Tombstone]
    purged: Callable[[str], Collection[str]] = _none_purged

    @classmethod
    def of(
        cls,
        tombstones: Iterable[Tombstone],
        purged: Callable[[str], Collection[str]] = _none_purged,
    ) -> TombstoneIndex:
        """Index tombstones; of several on one id or content, the first counts."""
        by_id: dict[str, Tombstone] = {}
        by_content: dict[str, Tombstone] = {}
        for tombstone in tombstones:
            by_id.setdefault(tombstone.deleted_id, tombstone)
            if tombstone.content_hash:
                by_content.setdefault(tombstone.content_hash, tombstone)
        return cls(by_id, by_content, purged)

    def for_id(self, deleted_id: str) -> Tombstone | None:
        """The tombstone of an id."""
        return self.by_id.get(deleted_id)

    def for_content(self, statement: str) -> tuple[str, ...]:
        """The ids of the tombstones, kept for audit or of a purge, whose content this is."""
        found: dict[str, None] = {}
        if self.by_content:
            digest = ids.content_hash(statement)
            for key in (digest, digest[:SHORT_HASH]):
                tombstone = self.by_content.get(key)
                if tombstone:
                    found[tombstone.tombstone_id] = None
        found.update(dict.fromkeys(self.purged(statement)))
        return tuple(found)
