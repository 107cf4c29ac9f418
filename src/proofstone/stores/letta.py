"""Letta agent files (``.af``): the memory blocks of the agents in them.

Newer files have ``agents`` that name ``blocks`` by id; older ones are a single agent with its
blocks in ``core_memory``. Messages, tools and settings are not memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import StoreReadError
from proofstone.stores.json_values import inner, objects, text, texts
from proofstone.stores.read_only import ReadOnlyStore, read_json

SUFFIX = ".af"


def recognises(path: Path) -> bool:
    """Whether the file ``path`` is an agent file."""
    if path.suffix.lower() not in (SUFFIX, ".json") or not path.is_file():
        return False
    try:
        value, _ = read_json(path)
    except StoreReadError:
        return path.suffix.lower() == SUFFIX
    return isinstance(value, dict) and next(_blocks(value), None) is not None


class LettaStore(ReadOnlyStore):
    """An agent file."""

    kind = "letta"
    name = "Letta agent file"

    def gather(self, found: Gathered) -> None:
        """A memory for each block that has words."""
        value, digest = read_json(self.root)
        if not isinstance(value, dict):
            raise StoreReadError(f"{self.root}: no agent file; it must be a JSON object")
        owners = _owners(value)
        for position, block in enumerate(_blocks(value)):
            label = text(block, "label") or f"block {position}"
            place = f"{self.root.name}#{text(block, 'id') or label}"
            if not text(block, "value").strip():
                found.leave(place, None, "a block without words")
                continue
            about = text(block, "description")
            found.take(
                [
                    Entry(
                        text=text(block, "value").strip("\n"),
                        path=place,
                        line=None,
                        digest=digest,
                        title=" ".join(filter(None, (owners.get(text(block, "id")), label))),
                        keywords=(about,) if about else (),
                        created=text(block, "created_at"),
                        updated=text(block, "updated_at"),
                    )
                ]
            )
        for key in ("messages", "tools", "files", "sources"):
            if value.get(key):
                found.leave(f"{self.root.name}#{key}", None, "not memory")


def _blocks(value: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    inside = inner(value, "memory").get("blocks")
    for found in (value.get("blocks"), value.get("core_memory"), inside):
        yield from (block for block in objects(found) if "label" in block and "value" in block)


def _owners(value: Mapping[str, Any]) -> dict[str, str]:
    """The names of agents by the ids of their blocks."""
    owners: dict[str, str] = {}
    for agent in objects(value.get("agents")):
        for block_id in texts(agent, "block_ids"):
            owners.setdefault(block_id, text(agent, "name"))
    return owners
