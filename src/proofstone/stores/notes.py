"""Folders of Markdown notes: basic-memory projects and Obsidian vaults.

A note's observations, ``- [category] words #tag (context)``, are a memory each; what else it says
is one. Relations, ``- kind [[Other note]]``, are links between notes and no statements.
"""

from __future__ import annotations

import re
from pathlib import Path

from proofstone.domain.capture_items import KINDS
from proofstone.stores import headers
from proofstone.stores.entries import Entry, Gathered
from proofstone.stores.files import TextFile, walk
from proofstone.stores.headers import Note
from proofstone.stores.read_only import ReadOnlyStore

_CATEGORY = r"[^\s\[\]()xX][^\[\]()\n]*|[xX][^\[\]()\n]+"
OBSERVATION = re.compile(rf"[ \t]*[-*][ \t]+\[(?P<category>{_CATEGORY})\][ \t]+(?P<words>\S.*)")
RELATION = re.compile(
    r"[ \t]*[-*][ \t]+(?:[\w-]+(?: [\w-]+)*[ \t]+)?\[\[[^\]\n]+\]\](?:[ \t]*\([^)\n]*\))?[ \t]*\Z"
)
_TAG = re.compile(r"(?<!\S)#(?P<tag>[\w/-]+)")
_CONVENTIONAL = ("observations", "relations")
_HEADING = re.compile(r"#{1,6}[ \t]+(?P<name>.*?)[ \t]*\Z")


def recognises(path: Path) -> bool:
    """Whether ``path`` is a folder of notes: an Obsidian vault, or any with Markdown files."""
    if not path.is_dir():
        return False
    return (path / ".obsidian").is_dir() or next(walk(path, (".md",)), None) is not None


class NotesStore(ReadOnlyStore):
    """The notes below a folder."""

    kind = "notes"
    name = "Markdown notes"

    def gather(self, found: Gathered) -> None:
        """Every observation of every note, and what else each note says."""
        for path, file in walk(self.root, (".md",)):
            read = self.text_of(file, path, found)
            if read is not None:
                self._gather_note(read, found)

    def _gather_note(self, read: TextFile, found: Gathered) -> None:
        note = headers.split(read.text)
        for fault in note.faults:
            found.problems.append(fault.problem(read.path))
        title = note.text("title") or Path(read.path).stem
        rest: list[str] = []
        fence = ""
        for number, line in enumerate(note.body.split("\n"), note.body_line):
            mark = line.lstrip()[:3]
            if mark in ("```", "~~~") and fence in ("", mark):
                fence = "" if fence else mark
            observation = None if fence else OBSERVATION.match(line)
            if observation:
                found.take([_observation(read, note, title, number, observation)])
                rest.append("")
            elif not fence and RELATION.match(line):
                found.leave(read.path, number, "a relation to another note")
                rest.append("")
            else:
                rest.append(line)
        self._gather_rest(read, note, title, rest, found)

    def _gather_rest(
        self, read: TextFile, note: Note, title: str, rest: list[str], found: Gathered
    ) -> None:
        words = _without_frame(rest, title)
        if not any(line.strip() for line in words):
            if not any(entry.path == read.path for entry in found.entries[-1:]):
                found.leave(read.path, None, "a note without words")
            return
        first = next(at for at, line in enumerate(words) if line.strip())
        found.take(
            [
                Entry(
                    text=re.sub(r"\n{3,}", "\n\n", "\n".join(words).strip("\n")),
                    path=read.path,
                    line=note.body_line + first,
                    digest=read.digest,
                    title=title,
                    tags=_tags(note),
                    created=note.text("created"),
                    updated=note.text("modified") or note.text("updated"),
                )
            ]
        )


def _observation(read: TextFile, note: Note, title: str, line: int, match: re.Match[str]) -> Entry:
    category = match["category"].strip()
    words = match["words"].strip()
    tags = [found["tag"] for found in _TAG.finditer(words)]
    return Entry(
        text=f"{title}: {words}",
        path=read.path,
        line=line,
        digest=read.digest,
        title=f"{title} ({category})",
        kind=category.casefold() if category.casefold() in KINDS else "",
        tags=tuple(dict.fromkeys((*tags, *_tags(note)))),
        keywords=(category,),
    )


def _tags(note: Note) -> tuple[str, ...]:
    return tuple(tag.removeprefix("#") for tag in note.texts("tags"))


def _without_frame(lines: list[str], title: str) -> list[str]:
    """The lines without the title's heading and without headings that only group observations."""
    kept = []
    for line in lines:
        heading = _HEADING.match(line)
        name = heading["name"].casefold() if heading else ""
        is_frame = heading is not None and (name in _CONVENTIONAL or name == title.casefold())
        kept.append("" if is_frame else line)
    return kept
