"""Taking events out of an inbox file: their blocks and marks go, every other byte stays."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator

from proofstone.vault.inbox import Block, blocks

_LINE_END = re.compile(r"(\r\n|\r|\n)")
_MARK_LINE = re.compile(r"<!--\s*memleaf:event-key:v1:([0-9a-fA-F]{64})\s*-->[ \t]*")


def without_events(data: bytes, keys: Collection[str]) -> bytes:
    """An inbox file without the events whose keys (64 hex digits, lower case) are ``keys``.

    With a block go its compatibility mark and one blank line after it, so that the file reads as
    if the event had never been written. Blocks that cannot be read stay. A second time changes
    nothing.
    """
    parts = _LINE_END.split(data.decode("utf-8", "surrogateescape"))
    lines, ends = parts[::2], [*parts[1::2], ""]
    gone = _gone(lines, keys)
    if not gone:
        return data
    kept = (
        line + end
        for number, (line, end) in enumerate(zip(lines, ends, strict=True))
        if number not in gone
    )
    return "".join(kept).encode("utf-8", "surrogateescape")


def _gone(lines: list[str], keys: Collection[str]) -> set[int]:
    """The numbers of the lines that go."""
    inside: set[int] = set()
    gone: set[int] = set()
    for block, first, end in _placed_blocks("\n".join(lines)):
        (gone if _key(block) in keys else inside).update(range(first, end))
    for number, line in enumerate(lines):
        mark = None if number in inside or number in gone else _MARK_LINE.fullmatch(line)
        if mark is None or mark[1].casefold() not in keys:
            continue
        gone.add(number)
        if number + 1 < len(lines) and not lines[number + 1].strip():
            gone.add(number + 1)
    return gone


def _placed_blocks(text: str) -> Iterator[tuple[Block, int, int]]:
    """Each block with its first line and the one after its last."""
    line, counted = 0, 0
    for block in blocks(text):
        line += text.count("\n", counted, block.start)
        counted = block.start
        raw = text[block.start : block.end]
        yield block, line, line + raw.count("\n") + (not raw.endswith("\n"))


def _key(block: Block) -> str:
    if block.fault:
        return ""
    try:
        metadata = json.loads(block.metadata)
    except (ValueError, RecursionError):
        return ""
    key = metadata.get("event_key") if isinstance(metadata, dict) else None
    return key.casefold() if isinstance(key, str) else ""
