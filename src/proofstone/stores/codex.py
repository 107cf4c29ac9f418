"""Codex's ``memories`` folder: ``MEMORY.md``, ``memory_summary.md`` and what they come from.

``MEMORY.md`` has a group of tasks under each ``# Task Group:`` heading, with the lines ``scope:``
and ``applies_to:`` below it, and lists under headings of fixed names. Summaries of single sessions
and merged raw memories are what the two files were made from; they are not read again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from proofstone.stores import markdown_entries
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import TextFile
from proofstone.stores.markdown import Block
from proofstone.stores.read_only import ReadOnlyStore

HANDBOOK, SUMMARY = "MEMORY.md", "memory_summary.md"
RAW = "raw_memories.md"
_DERIVED = (RAW, "rollout_summaries", "skills", "extensions")

_GROUP = re.compile(r"#[ \t]+Task Group:[ \t]*(?P<name>.*)")
_ABOUT = re.compile(r"(?P<key>scope|applies_to):[ \t]*(?P<value>\S.*)")
_VERSION = re.compile(r"v\d+\Z")
_REFERENCES = ("rollout_summary_files", "keywords")
_INDEX = "what's in memory"


def recognises(path: Path) -> bool:
    """Whether ``path`` is such a folder."""
    if not path.is_dir():
        return False
    if any((path / name).exists() for name in (SUMMARY, RAW, "rollout_summaries")):
        return True
    return path.name == "memories" and path.parent.name == ".codex"


class CodexStore(ReadOnlyStore):
    """The ``memories`` folder of Codex."""

    kind = "codex-memories"
    name = "Codex memories"

    def gather(self, found: Gathered) -> None:
        """The handbook's and the summary's statements, each with the group it holds for."""
        for name in (HANDBOOK, SUMMARY):
            file = self.root / name
            if file.exists():
                read = self.text_of(file, name, found)
                if read is not None:
                    found.take(_statements(read, found))
        for name in _DERIVED:
            if (self.root / name).exists():
                found.leave(name, None, f"what {HANDBOOK} and {SUMMARY} are made from")


def _statements(read: TextFile, found: Gathered) -> Iterator[Entry]:
    groups = _groups(read.text)
    for entry in markdown_entries.entries(
        read.text, path=read.path, digest=read.digest, found=found, skip=_skip
    ):
        about = next((when for start, when in reversed(groups) if start <= (entry.line or 0)), ())
        yield replace(entry, applies_when=about)


def _groups(text: str) -> list[tuple[int, tuple[str, ...]]]:
    """For each group of tasks: the line it starts on, and what it applies to."""
    groups: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if _GROUP.match(line):
            groups.append((number, ()))
        elif groups and (about := _ABOUT.match(line)):
            start, when = groups[-1]
            groups[-1] = (start, (*when, f"{about['key']}: {about['value']}"))
    return groups


def _skip(block: Block) -> str:
    nearest = block.headings[-1].casefold() if block.headings else ""
    if nearest in _REFERENCES:
        return "references and search words of a task"
    if any(heading.casefold() == _INDEX for heading in block.headings):
        return "the index of the folder"
    if all(_ABOUT.match(line) for line in block.lines):
        return "says what its group applies to"
    if _VERSION.match(block.text):
        return "the version of the file"
    return ""
