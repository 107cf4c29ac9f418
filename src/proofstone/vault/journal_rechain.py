"""Rows that came from another branch's journal: chained anew, and still provable.

When two branches are merged, the rows of one follow the rows of the other. Each row that moves
gets a new ``seq``, ``previous`` and ``hash``, and keeps those that it had under ``merged_from``,
one triple for every time that it moved. Nothing else of it changes, so the row as it was written
can be put together again and must have the hash that it had: who changes it, and chains everything
after it anew, still has to forge the hash that the other branch knew it by.
"""

from __future__ import annotations

from proofstone.vault.journal import Row, seal

MERGED_FROM = "merged_from"
"""The key of a moved row: ``[[seq, previous, hash], …]``, the oldest first."""

Place = tuple[int, str, str]
"""A row's ``seq``, ``previous`` and ``hash`` in one chain."""


def rechained(row: Row, seq: int, previous: str) -> tuple[bytes, str]:
    """The line that ``row`` becomes at another place of another chain, and its new hash."""
    moved = {key: value for key, value in row.items() if key != "hash"}
    places = [*_raw_places(row), [row["seq"], row["previous"], row["hash"]]]
    return seal({**moved, MERGED_FROM: places, "seq": seq, "previous": previous})


def first_hash(row: Row) -> str:
    """The hash under which ``row`` was first written, wherever it has moved since: what it is."""
    places = places_of(row)
    return places[0][2] if places else str(row.get("hash", ""))


def places_of(row: Row) -> tuple[Place, ...]:
    """Where ``row`` stood before, oldest first; nothing when that cannot be read."""
    places: list[Place] = []
    for place in _raw_places(row):
        if not isinstance(place, list) or len(place) != 3:
            return ()
        seq, previous, own = place
        if not isinstance(seq, int) or not isinstance(previous, str) or not isinstance(own, str):
            return ()
        places.append((seq, previous, own))
    return tuple(places)


def is_as_written(row: Row) -> bool:
    """Whether ``row`` is, but for its places, what it was in every chain that it stood in."""
    if MERGED_FROM not in row:
        return True
    places = places_of(row)
    body = {key: value for key, value in row.items() if key not in ("hash", MERGED_FROM)}
    for count, (seq, previous, own) in enumerate(places):
        earlier = {MERGED_FROM: _raw_places(row)[:count]} if count else {}
        _, found = seal({**body, **earlier, "seq": seq, "previous": previous})
        if found != own:
            return False
    return bool(places)


def _raw_places(row: Row) -> list[object]:
    places = row.get(MERGED_FROM)
    return places if isinstance(places, list) else []
