"""Exports of mem0: its memories as a JSON list, below ``results`` or ``memories``, or as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from proofstone.domain.records import Problem
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import StoreReadError
from proofstone.stores.json_values import Line, inner, objects, read_lines, text, texts
from proofstone.stores.read_only import ReadOnlyStore, read_json

_LISTS = ("results", "memories")
_WORDS = ("memory", "data", "text")
_LINE_SUFFIXES = (".jsonl", ".ndjson")


def recognises(path: Path) -> bool:
    """Whether the file ``path`` holds memories as mem0 exports them."""
    if not path.is_file():
        return False
    if path.suffix.lower() in _LINE_SUFFIXES:
        first = next((x for x in read_lines(path, path.name) if isinstance(x, Line)), None)
        return first is not None and bool(_words(first.value))
    if path.suffix.lower() != ".json":
        return False
    try:
        value, _ = read_json(path)
    except StoreReadError:
        return False
    return any(_words(item) for item in _items(value))


class Mem0Store(ReadOnlyStore):
    """The file of an export."""

    kind = "mem0"
    name = "mem0 export"

    def gather(self, found: Gathered) -> None:
        """A memory for each item that has words."""
        path = self.root.name
        if self.root.suffix.lower() in _LINE_SUFFIXES:
            lines = list(read_lines(self.root, path))
        else:
            value, digest = read_json(self.root)
            lines = [Line(at, digest, item) for at, item in enumerate(_items(value), 1)]
            relations = value.get("relations") if isinstance(value, dict) else None
            if relations:
                found.leave(path, None, f"{len(relations)} relations of the graph store")
        has_lines = self.root.suffix.lower() in _LINE_SUFFIXES
        for line in lines:
            if isinstance(line, Problem):
                found.problems.append(line)
                continue
            words = _words(line.value)
            if not words:
                found.leave(path, line.number if has_lines else None, "an item without words")
                continue
            found.take([_entry(line, words, path, line.number if has_lines else None)])


def _items(value: object) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        for name in _LISTS:
            yield from objects(value.get(name))
    else:
        yield from objects(value)


def _words(item: Mapping[str, Any]) -> str:
    """The memory's text: at the top of an item, or in the payload of a vector store's row."""
    for holder in (item, inner(item, "payload")):
        for key in _WORDS:
            if text(holder, key):
                return text(holder, key)
    return ""


def _entry(line: Line, words: str, path: str, number: int | None) -> Entry:
    item = line.value
    identifier = text(item, "id")
    return Entry(
        id=f"mem0-{identifier}" if identifier else "",
        text=words,
        path=path if number is not None or not identifier else f"{path}#{identifier}",
        line=number,
        digest=line.digest,
        keywords=texts(item, "categories"),
        created=text(item, "created_at"),
        updated=text(item, "updated_at"),
        valid_to=text(item, "expiration_date"),
    )
