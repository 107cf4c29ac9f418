"""A Claude Code memory folder: one Markdown file a memory, and the index ``MEMORY.md``.

Both shapes of frontmatter are read: flat keys, and the newer ``metadata`` map. What is wrong with
the index is shown: topics that it never links, links without a file, lines that are never loaded.
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from proofstone.domain import managed_block
from proofstone.domain.records import Problem
from proofstone.domain.rendered_topics import INDEX, LOADED_BYTES, LOADED_LINES, PREFIX
from proofstone.stores import headers
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import TextFile, read_text, walk
from proofstone.stores.headers import Note
from proofstone.stores.port import Capabilities, StoreContents, Subject, import_instead

NAME = "Claude Code memory"

NO_PLACE = {
    (Subject.MEMORY, "contest"): f"{NAME} has no place for a contested memory",
}
"""What the format itself cannot hold, whoever writes it."""

LINK = re.compile(r"(?<!!)\[[^\]\n]*\]\((?P<target><[^>\n]+>|[^)\s]+)[^)\n]*\)")

_KINDS = {"user": "", "feedback": "constraint", "project": "fact", "reference": "doc"}


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
    return any(_target(match).endswith(".md") for match in LINK.finditer(index.text))


class ClaudeFolderStore:
    """The memory folder ``root``."""

    kind = "claude-memory"
    name = NAME

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    @property
    def capabilities(self) -> Capabilities:
        """Reading only, as far as this store goes by itself."""
        return Capabilities(read_only=import_instead(NAME), refused=NO_PLACE)

    def read(self) -> StoreContents:
        """Every topic file, whatever the index says, and what is wrong with the index."""
        found = Gathered(self.kind)
        topics: set[str] = set()
        for path, file in walk(self.root, (".md",)):
            if path == INDEX:
                continue
            topics.add(path)
            read = read_text(file, path)
            if isinstance(read, Problem):
                found.problems.append(read)
            elif managed_block.BEGIN in read.text and path.startswith(PREFIX):
                found.leave(path, None, "written by `proofstone render`")
            else:
                found.take([self._topic(read, found)])
        self._check_index(found, topics)
        return found.contents()

    def _topic(self, read: TextFile, found: Gathered) -> Entry:
        note = headers.split(read.text)
        for fault in note.faults:
            found.problems.append(fault.problem(read.path))
        if read.size > LOADED_BYTES:
            found.problems.append(_large_topic(read))
        body = note.body.strip("\n")
        description = note.text("description")
        kind = _of(note, "type")
        return Entry(
            text=body or description,
            path=read.path,
            line=note.body_line if body else note.lines.get("description", 1),
            digest=read.digest,
            title=note.text("name") or Path(read.path).stem,
            kind=_KINDS.get(kind, ""),
            tags=(kind,) if kind in _KINDS else (),
            keywords=(description,) if description and body else (),
            updated=_of(note, "modified"),
        )

    def _check_index(self, found: Gathered, topics: set[str]) -> None:
        file = self.root / INDEX
        if not file.exists() and not file.is_symlink():
            if topics:
                message = "there is no index, so nothing is loaded"
                found.problems.append(_problem("missing_index", INDEX, None, message))
            return
        index = read_text(file, INDEX)
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
        linked = self._linked(index, found)
        for path in sorted(topics - linked):
            message = f"the index {INDEX} does not link it, so nobody is led to it"
            found.problems.append(_problem("unlinked_topic", path, None, message))

    def _linked(self, index: TextFile, found: Gathered) -> set[str]:
        """The files that the index links; a link that names none is a problem."""
        linked: set[str] = set()
        for number, line in enumerate(index.text.split("\n"), 1):
            for match in LINK.finditer(line):
                target = _target(match)
                if "://" in target or not target.endswith(".md"):
                    continue
                linked.add(target)
                inside = not target.startswith("/") and ".." not in target.split("/")
                if not inside or not (self.root / target).is_file():
                    message = f"it links {target}, and there is no such file in the folder"
                    found.problems.append(_problem("dangling_link", INDEX, number, message))
        return linked


def _target(match: re.Match[str]) -> str:
    target = unquote(match["target"].strip("<>")).partition("#")[0]
    return target.removeprefix("./")


def _of(note: Note, key: str) -> str:
    """A value of the older flat keys, or of the newer ``metadata`` map."""
    value = note.inner("metadata").get(key)
    return value.strip() if isinstance(value, str) else note.text(key)


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
