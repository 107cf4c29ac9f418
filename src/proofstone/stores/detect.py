"""Which program's store a path is (spec page 8, Other stores)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from proofstone.domain.errors import ProofstoneError
from proofstone.stores import (
    claude_folder,
    codex,
    cursor,
    hermes,
    instructions,
    knowledge_graph,
    letta,
    mem0,
    nmemory,
    notes,
    pi,
)
from proofstone.stores.port import Store

# The most telling marks first: a folder of notes is whatever nothing else has claimed.
_FORMATS: tuple[tuple[Callable[[Path], bool], Callable[[Path], Store]], ...] = (
    (pi.recognises, pi.PiStore),
    (nmemory.recognises, nmemory.NMemoryStore),
    (codex.recognises, codex.CodexStore),
    (hermes.recognises, hermes.HermesStore),
    (claude_folder.recognises, claude_folder.ClaudeFolderStore),
    (cursor.recognises, cursor.CursorStore),
    (letta.recognises, letta.LettaStore),
    (knowledge_graph.recognises, knowledge_graph.KnowledgeGraphStore),
    (mem0.recognises, mem0.Mem0Store),
    (instructions.recognises, instructions.InstructionsStore),
    (notes.recognises, notes.NotesStore),
)

_KNOWN = (
    "a pi-persistent-intelligence root, an nMEMORY file, a memory folder of Claude Code, Codex or"
    " Hermes, CLAUDE.md or AGENTS.md, Cursor rules, a folder of Markdown notes, an MCP memory"
    " graph, a mem0 export or a Letta agent file"
)
_VAULT_ROOMS = ("knowledge", "inbox")


class UnknownStoreError(ProofstoneError):
    """A path is no store that can be read."""


def detect(path: Path) -> Store:
    """The store at ``path``, a file or a folder.

    Raises:
        UnknownStoreError: nothing is there, it is a vault of our own, or it is no known format.
    """
    if not path.exists():
        raise UnknownStoreError(f"{path}: there is nothing here; check the path")
    real = path.resolve()
    if is_vault(real):
        raise UnknownStoreError(f"{path}: is a vault itself; open it with `proofstone open`")
    for recognises, store in _FORMATS:
        if recognises(real):
            return store(real)
    raise UnknownStoreError(f"{path}: no store that is known here; name {_KNOWN}")


def is_vault(path: Path) -> bool:
    """Whether ``path`` is a memleaf or Proofstone vault."""
    if (path / "proofstone.yaml").is_file():
        return True
    return (path / "config.yaml").is_file() and all((path / room).is_dir() for room in _VAULT_ROOMS)
