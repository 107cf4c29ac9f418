"""A Claude Code memory folder: one Markdown file a memory, and the index ``MEMORY.md``.

Both shapes of frontmatter are read: flat keys, and the newer ``metadata`` map. What is wrong with
the index is shown: topics that it never links, links without a file, lines that are never loaded.
"""

from __future__ import annotations

from pathlib import Path

from proofstone.domain import managed_block
from proofstone.domain.plan import FileChange, NoteKind, RulingPlan
from proofstone.domain.purging import PurgeScope
from proofstone.domain.records import Problem, Tombstone
from proofstone.domain.rendered_topics import INDEX, LOADED_BYTES, LOADED_LINES, PREFIX
from proofstone.domain.rulings.terms import RulingMoment
from proofstone.stores import claude_index, claude_purge, claude_render, claude_topic, headers
from proofstone.stores.claude_topic import KINDS
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import MAX_TEXT_BYTES, TextFile, read_text
from proofstone.stores.port import (
    Capabilities,
    Keeping,
    Pending,
    StoreContents,
    StorePurge,
    Subject,
)
from proofstone.stores.source import Source

NAME = "Claude Code memory"

NO_PLACE = {
    (Subject.MEMORY, "contest"): f"{NAME} has no place for a contested memory",
}
"""What the format itself cannot hold, whoever writes it."""


def recognises(path: Path) -> bool:
    """Whether ``path`` is such a folder, by its index or by where it lies."""
    if not path.is_dir():
        return False
    if path.name == "memory" and path.parent.name in (".claude", "agent-memory"):
        return True
    if path.name == "memory" and path.parent.parent.name == "projects":
        return True
    index = read_text(path / INDEX, INDEX)
    if isinstance(index, Problem):
        return False
    return any(target.endswith(".md") for target in claude_index.targets(index.text))


class ClaudeFolderStore:
    """The memory folder ``root``."""

    kind = claude_topic.KIND
    name = NAME

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    @property
    def capabilities(self) -> Capabilities:
        """Everything but what the format has no place for."""
        return Capabilities(refused=NO_PLACE)

    @property
    def keeping(self) -> Keeping:
        """The words in force; what is said of them, and what no longer is in force, is not here."""
        return Keeping(kinds=frozenset((NoteKind.MEMORY,)))

    def read(self) -> StoreContents:
        """Every topic file, whatever the index says, and what is wrong with the index."""
        return self.read_with({})

    def read_with(self, pending: Pending) -> StoreContents:
        """What ``read`` would give with ``pending`` written."""
        source = Source(self.root, pending)
        found = Gathered(self.kind)
        topics: set[str] = set()
        for path in source.below(".md"):
            if path == INDEX:
                continue
            topics.add(path)
            read = source.text(path, MAX_TEXT_BYTES)
            if isinstance(read, Problem):
                found.problems.append(read)
            elif read is None or (managed_block.BEGIN in read.text and path.startswith(PREFIX)):
                found.leave(path, None, "written by `proofstone render`")
            else:
                found.take([self._topic(read, found)])
        self._check_index(source, found, topics)
        return found.contents()

    def tombstones(self, pending: Pending) -> tuple[Tombstone, ...]:
        """None: the format has no place for them."""
        return ()

    def render(self, plan: RulingPlan, pending: Pending) -> tuple[FileChange, ...]:
        """The topic files that change, and the index (``claude_render``)."""
        return claude_render.render(Source(self.root, pending), plan)

    def purge(self, scope: PurgeScope, moment: RulingMoment, reason: str) -> StorePurge:
        """The topic, its line in the index, and what else repeats the words (``claude_purge``)."""
        return claude_purge.purge(Source(self.root, {}), scope)

    def _topic(self, read: TextFile, found: Gathered) -> Entry:
        note = headers.split(read.text)
        for fault in note.faults:
            found.problems.append(fault.problem(read.path))
        if read.size > LOADED_BYTES:
            found.problems.append(_large_topic(read))
        body = note.body.strip("\n")
        description = note.text("description")
        kind = claude_topic.value_of(note, "type")
        return Entry(
            id=claude_topic.id_in(read.path, note),
            text=claude_topic.words_of(note),
            path=read.path,
            line=note.body_line if body else note.lines.get("description", 1),
            digest=read.digest,
            title=note.text("name") or Path(read.path).stem,
            kind=KINDS.get(kind, ""),
            tags=(kind,) if kind in KINDS else (),
            keywords=(description,) if description and body else (),
            updated=claude_topic.value_of(note, "modified"),
        )

    def _check_index(self, source: Source, found: Gathered, topics: set[str]) -> None:
        index = source.text(INDEX, MAX_TEXT_BYTES)
        if index is None:
            if topics:
                message = "there is no index, so nothing is loaded"
                found.problems.append(_problem("missing_index", INDEX, None, message))
            return
        if isinstance(index, Problem):
            found.problems.append(index)
            return
        found.leave(INDEX, None, "the index of the folder")
        lines = index.text.rstrip("\n").count("\n") + 1
        if lines > LOADED_LINES or index.size > LOADED_BYTES:
            message = (
                f"it has {lines} lines and {index.size} bytes; only the first {LOADED_LINES} lines"
                f" or {LOADED_BYTES // 1024} KB are loaded"
            )
            first_lost = LOADED_LINES + 1 if lines > LOADED_LINES else None
            found.problems.append(_problem("index_too_long", INDEX, first_lost, message))
        linked = _linked(index, source, found)
        for path in sorted(topics - linked):
            message = f"the index {INDEX} does not link it, so nobody is led to it"
            found.problems.append(_problem("unlinked_topic", path, None, message))


def _linked(index: TextFile, source: Source, found: Gathered) -> set[str]:
    """The files that the index links; a link that names none is a problem."""
    linked: set[str] = set()
    for number, line in enumerate(index.text.split("\n"), 1):
        for target in claude_index.targets(line):
            if "://" in target or not target.endswith(".md"):
                continue
            linked.add(target)
            inside = not target.startswith("/") and ".." not in target.split("/")
            if not inside or not source.has(target):
                message = f"it links {target}, and there is no such file in the folder"
                found.problems.append(_problem("dangling_link", INDEX, number, message))
    return linked


def _large_topic(read: TextFile) -> Problem:
    message = f"it has {read.size} bytes; over {LOADED_BYTES // 1024} KB a memory is read in part"
    return _problem("large_topic", read.path, None, message)


def _problem(code: str, path: str, line: int | None, message: str) -> Problem:
    advice = {
        "missing_index": "Write one, a line a topic: - [Title](file.md) — hook",
        "index_too_long": "Shorten it, or merge topics.",
        "unlinked_topic": f"Add a line to {INDEX}, or remove the file.",
        "dangling_link": "Remove the line, or bring the file back.",
        "large_topic": "Split it.",
    }[code]
    return Problem(
        code=code, path=path, line=line, message=message, advice=advice, severity="warning"
    )
