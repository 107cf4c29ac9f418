"""The MCP *server-memory* graph: JSON lines of entities with observations, and of relations."""

from __future__ import annotations

from pathlib import Path

from proofstone.domain.records import Problem
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.json_values import Line, read_lines, text, texts, unreadable_line
from proofstone.stores.read_only import ReadOnlyStore

_SUFFIXES = (".jsonl", ".json", ".ndjson")
_TYPES = ("entity", "relation")
_LOOKED_AT = 64 * 1024


def recognises(path: Path) -> bool:
    """Whether the first lines of the file ``path`` are entities and relations."""
    if path.suffix.lower() not in _SUFFIXES or not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            head = stream.read(_LOOKED_AT)
    except OSError:
        return False
    compact = head.replace(b" ", b"")
    return b'"type":"entity"' in compact or b'"type":"relation"' in compact


class KnowledgeGraphStore(ReadOnlyStore):
    """The file of a knowledge graph."""

    kind = "mcp-memory"
    name = "MCP server-memory"

    def gather(self, found: Gathered) -> None:
        """A memory for each observation, with what it is about, and for each relation."""
        path = self.root.name
        for line in read_lines(self.root, path):
            if isinstance(line, Problem):
                found.problems.append(line)
                continue
            match text(line.value, "type"):
                case "entity":
                    self._entity(line, path, found)
                case "relation":
                    self._relation(line, path, found)
                case other:
                    fault = f"its type is {other!r}, not {' or '.join(_TYPES)}"
                    found.problems.append(unreadable_line(path, line.number, fault))

    def _entity(self, line: Line, path: str, found: Gathered) -> None:
        name, sort = text(line.value, "name"), text(line.value, "entityType")
        if not name:
            found.problems.append(_nameless(path, line))
            return
        about = f"{name} ({sort})" if sort else name
        observations = texts(line.value, "observations")
        if not observations:
            found.leave(path, line.number, f"{about} has no observations")
        found.take(
            Entry(
                text=f"{about}: {words}",
                path=path,
                line=line.number,
                digest=line.digest,
                title=f"{name}: {words}",
                keywords=(name,),
            )
            for words in observations
        )

    def _relation(self, line: Line, path: str, found: Gathered) -> None:
        words = " ".join(text(line.value, key) for key in ("from", "relationType", "to"))
        if len(words.split()) < 3:
            found.problems.append(_nameless(path, line))
            return
        found.take([Entry(text=words, path=path, line=line.number, digest=line.digest)])


def _nameless(path: str, line: Line) -> Problem:
    return unreadable_line(path, line.number, "it does not say what it is about")
