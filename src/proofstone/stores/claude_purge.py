"""A privacy purge inside a Claude Code memory folder (spec pages 6 and 8).

The topic goes with its line in the index, as when it is no longer in force. Other topics, and the
rest of the index, lose the words where they repeat them.
"""

from __future__ import annotations

from collections.abc import Callable

from proofstone.domain.errors import ProofstoneError
from proofstone.domain.plan import FileChange
from proofstone.domain.purge_text import blacked_out
from proofstone.domain.purging import PurgeScope
from proofstone.domain.records import Problem
from proofstone.domain.rendered_topics import INDEX
from proofstone.stores import claude_index
from proofstone.stores.claude_render import topic_id
from proofstone.stores.files import MAX_TEXT_BYTES
from proofstone.stores.port import StorePurge
from proofstone.stores.source import Source

_Change = Callable[[str], str]


def purge(source: Source, scope: PurgeScope) -> StorePurge:
    """What a purge of ``scope`` changes: topics first, then the index.

    Raises:
        ProofstoneError: a topic that goes, or the index, cannot be read.
    """
    words = scope.words
    topics = [path for path in source.below(".md") if topic_id(source, path) in scope.memory_ids]
    changes: list[FileChange] = []
    told: list[tuple[str, str]] = []
    others: list[tuple[str, str]] = []
    for path in topics:
        changes.append(FileChange(path=path, before=_needed(source, path), after=None))
        told.append((path, "the topic: removed"))

    def without(text: str) -> str:
        for path in topics:
            text = claude_index.without(text, path)
        return blacked_out(text, words.spans(text))

    for path in source.everything():
        data = source.data(path, MAX_TEXT_BYTES)
        if path in topics:
            continue
        if not isinstance(data, bytes):
            others.append((path, "it cannot be looked through"))
            continue
        holds = words.are_in(data.decode("utf-8", "replace"))
        if path == INDEX:
            after = _changed(path, data, without)
        elif not holds:
            continue
        elif "/." in f"/{path}" or not path.endswith(".md"):
            others.append((path, "it is no topic"))
            continue
        else:
            after = _changed(path, data, lambda text: blacked_out(text, words.spans(text)))
        if after != data:
            changes.append(FileChange(path=path, before=data, after=after))
            what = "the index: without it" if path == INDEX else "the words are blacked out"
            told.append((path, what))
    in_step = sorted(changes, key=lambda change: change.path == INDEX)
    return StorePurge(changes=tuple(in_step), told=tuple(told), others=tuple(others))


def _needed(source: Source, path: str) -> bytes:
    data = source.data(path, MAX_TEXT_BYTES)
    if not isinstance(data, bytes):
        why = data.message if isinstance(data, Problem) else "it is gone"
        raise ProofstoneError(f"{path}: {why}; nothing was purged")
    return data


def _changed(path: str, data: bytes, change: _Change) -> bytes:
    try:
        return change(data.decode("utf-8")).encode("utf-8")
    except UnicodeDecodeError:
        raise ProofstoneError(
            f"{path} is not UTF-8, so nobody can say what it holds; correct it first"
        ) from None
