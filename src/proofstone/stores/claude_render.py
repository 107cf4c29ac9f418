"""Rulings in a Claude Code memory folder: topic files, and the index kept in step.

A topic that is no longer in force is removed with its line in the index: the program loads every
file that it finds. Its bytes stay in the objects of the companion folder, for undo.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import (
    ChangeNote,
    CreateNote,
    FileChange,
    NoteKind,
    Operation,
    RulingPlan,
    Value,
)
from proofstone.domain.records import Problem
from proofstone.domain.rendered_topics import INDEX
from proofstone.domain.rulings.steps import title_of
from proofstone.domain.rulings.terms import Need, RulingRefused
from proofstone.stores import claude_index, claude_topic, headers
from proofstone.stores.files import MAX_TEXT_BYTES, TextFile
from proofstone.stores.source import Source

EDITABLE = ("statement", "title", "kind")
"""What of a memory can be edited: the rest has no place in a topic."""

_NEW_INDEX = "# Memory\n\n"
_SLUG = re.compile(r"[^a-z0-9]+")
_SLUG_LENGTH = 48


def render(source: Source, plan: RulingPlan) -> tuple[FileChange, ...]:
    """The changes that carry ``plan`` out: topics first, then the index.

    Nothing when the plan concerns only what the format has no place for.

    Raises:
        RulingRefused: a person asked for what has no place in a topic.
        ProofstoneError: a topic is no longer what the plan was made for, or the index cannot be
            kept in step.
    """
    if plan.ruling.action == "edit":
        _require_editable(plan)
    drawing = _Drawing(source, plan)
    for operation in plan.operations:
        drawing.draw(operation)
    return drawing.changes()


def topic_id(source: Source, path: str) -> str:
    """The id of the topic at ``path``; that of its file name where it cannot be read."""
    read = source.text(path, MAX_TEXT_BYTES)
    if not isinstance(read, TextFile):
        return claude_topic.id_of(path)
    return claude_topic.id_in(path, headers.split(read.text))


class _Drawing:
    """The files that a plan touches, as they are and as they become."""

    def __init__(self, source: Source, plan: RulingPlan) -> None:
        self._source = source
        self._time = plan.ruling.time
        self._before: dict[str, bytes | None] = {}
        self._after: dict[str, bytes | None] = {}

    def draw(self, operation: Operation) -> None:
        if operation.ref.kind is not NoteKind.MEMORY:
            return
        match operation:
            case CreateNote():
                self._add(operation)
            case ChangeNote(moved_to=None):
                self._change(operation)
            case ChangeNote(keep_source=False):
                path = self._seen(operation)
                self._after[path] = None
                self._index(lambda text: claude_index.without(text, path))

    def changes(self) -> tuple[FileChange, ...]:
        last = sorted(self._before, key=lambda path: path == INDEX)
        return tuple(
            FileChange(path=path, before=self._before[path], after=self._after[path])
            for path in last
            if self._before[path] != self._after[path]
        )

    def _add(self, operation: CreateNote) -> None:
        fields = operation.fields
        _require_place(fields)
        title = str(fields.get("title") or title_of(operation.body))
        hook = title_of(operation.body)
        kind = str(fields.get("kind", ""))
        path = self._free_path(title, operation.ref.id)
        text = claude_topic.new_topic(
            operation.ref.id,
            title,
            hook,
            operation.body,
            kind,
            self._time,
            nested=self._is_nested(),
        )
        self._read(path)
        self._after[path] = text.encode("utf-8")
        self._index(lambda index: claude_index.extended(index or _NEW_INDEX, path, title, hook))

    def _change(self, operation: ChangeNote) -> None:
        title = operation.set.get("title")
        kind = operation.set.get("kind")
        if operation.body is None and title is None and kind is None:
            self._seen(operation)
            return
        path = self._seen(operation)
        text = claude_topic.edited(
            self._text(path),
            statement=operation.body,
            title=None if title is None else str(title),
            kind=None if kind is None else str(kind),
            modified=self._time,
        )
        self._after[path] = text.encode("utf-8")
        if title is not None:
            self._index(lambda index: claude_index.renamed(index, path, str(title)))

    def _index(self, change: Callable[[str], str]) -> None:
        self._read(INDEX)
        text = self._text(INDEX) if self._after[INDEX] is not None else ""
        changed = change(text)
        if changed != text:
            self._after[INDEX] = changed.encode("utf-8")

    def _seen(self, operation: ChangeNote) -> str:
        """The path of a topic, which must be the one that the person saw."""
        for path in self._source.below(".md"):
            if topic_id(self._source, path) == operation.ref.id:
                self._read(path)
                before = self._before[path]
                if before is None or hashlib.sha256(before).hexdigest() != operation.revision:
                    break
                return path
        raise ProofstoneError(
            f"{operation.ref.id} was changed, by another hand, since it was read; look again "
            "before ruling"
        )

    def _text(self, path: str) -> str:
        data = self._after[path]
        assert data is not None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError:
            raise ProofstoneError(
                f"{path} is not UTF-8, so it cannot be kept in step; correct it first"
            ) from None

    def _read(self, path: str) -> None:
        if path in self._before:
            return
        data = self._source.data(path, MAX_TEXT_BYTES)
        if isinstance(data, Problem):
            raise ProofstoneError(f"{path}: {data.message}; nothing was written")
        self._before[path] = self._after[path] = data

    def _is_nested(self) -> bool:
        """Whether the folder uses the newer shape of header: where it is mixed, most files do."""
        shapes: list[bool] = []
        for path in self._source.below(".md"):
            read = self._source.text(path, MAX_TEXT_BYTES)
            if path == INDEX or read is None or isinstance(read, Problem):
                continue
            note = headers.split(read.text)
            if note.has_header:
                shapes.append("metadata" in note.fields)
        return sum(shapes) * 2 >= len(shapes)

    def _free_path(self, title: str, memory_id: str) -> str:
        slug = _SLUG.sub("_", title.lower()).strip("_")[:_SLUG_LENGTH].rstrip("_")
        base = slug or _SLUG.sub("_", memory_id.lower()).strip("_")
        number, path = 1, f"{base}.md"
        while self._source.has(path) or path in self._after or path.upper() == INDEX.upper():
            number += 1
            path = f"{base}_{number}.md"
        return path


def _require_place(fields: Mapping[str, Value]) -> None:
    """Refuse what a topic cannot say, lest it be put in force as something else.

    Raises:
        RulingRefused: naming what it is.
    """
    scopes = fields.get("scopes")
    elsewhere = (
        [scope for scope in scopes if scope != "global"] if isinstance(scopes, tuple) else []
    )
    if elsewhere or fields.get("layer") == "L1":
        what = ", ".join(map(str, elsewhere)) or "layer L1"
        raise RulingRefused(
            f"a topic has no place for {what}; import it into a vault, and render it from there",
        )


def _require_editable(plan: RulingPlan) -> None:
    edited = plan.ruling.choices.get("edited")
    keys = edited if isinstance(edited, tuple) else (edited,)
    unknown = [str(key) for key in keys if key is not None and key not in EDITABLE]
    if unknown:
        raise RulingRefused(
            f"a topic has no place for {', '.join(unknown)}; these can be edited: "
            f"{', '.join(EDITABLE)}",
            Need.EDITS,
        )
