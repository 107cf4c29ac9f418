"""Reading a session file from where it was left, turn by turn, in constant memory."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from proofstone.sessions.conversation import Conversation
from proofstone.sessions.formats import JSON_DOCUMENT, TEXT, Format
from proofstone.sessions.lines import Item, json_document, json_lines, text_lines
from proofstone.sessions.openai_chat import MESSAGE_LISTS
from proofstone.sessions.values import SessionTurn, Skipped

MAX_SKIPPED = 1_000
"""Skipped lines that are listed for one file; more are counted."""

_TAIL = 4_096
_BUFFER_BYTES = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Mark:
    """Where reading goes on: the first line of what is not captured yet.

    ``state`` is the parser's there; ``tail`` a digest of the bytes before, by which a file that
    was replaced is known.
    """

    offset: int = 0
    line: int = 1
    state: tuple[str, ...] = ()
    tail: str = ""


START = Mark()


@dataclass(slots=True)
class Reading:
    """One pass over a file; the fields are filled while ``turns`` is walked through.

    ``final`` says that nothing more will be written to the file, ``follows`` that more will, so
    that the end of a plain transcript is not the end of its last turn. ``waiting`` is the line
    where a turn begins that is not finished, ``mark`` where the next pass may go on;
    ``skipped_count`` counts also the lines that ``skipped`` does not list.
    """

    path: Path
    format: Format
    final: bool = False
    follows: bool = False
    since: Mark = START
    skipped: list[Skipped] = field(default_factory=list)
    skipped_count: int = 0
    left_out: Mapping[str, int] = field(default_factory=dict)
    waiting: int | None = None
    mark: Mark = START
    size: int = 0

    def turns(self) -> Iterator[SessionTurn]:
        """Every finished turn, in order. Raises OSError when the file cannot be read."""
        with self.path.open("rb", buffering=_BUFFER_BYTES) as stream:
            self.size = os.fstat(stream.fileno()).st_size
            since = self.since
            if not self.format.grows or tail_digest(self.path, since.offset) != since.tail:
                since = START
            suffix = self.path.suffix.casefold()
            items: Iterable[Item]
            if suffix in JSON_DOCUMENT:
                items = json_document(stream, MESSAGE_LISTS)
            elif suffix in TEXT:
                items = text_lines(stream)
            else:
                items = json_lines(stream, since.offset, since.line)
            yield from self._walk(items, since)

    def _walk(self, items: Iterable[Item], since: Mark) -> Iterator[SessionTurn]:
        conversation = Conversation(self.path.stem, is_own_name=self.format.names_sessions)
        parser = self.format.parser(conversation, since.state)
        feed, state, closed = parser.feed, parser.state, conversation.closed
        opened = since
        end_offset, end_line = since.offset, since.line
        open_line: int | None = None
        for line, start, end, value, fault, is_unfinished in items:
            before = state()
            conversation.line = line
            if fault:
                if is_unfinished and not self.final:
                    conversation.leave_out("line that is still being written")
                    break
                conversation.skip(fault)
            else:
                feed(value)
                # Let go of before the next one is read, whose texts may then take its place.
                del value
                if conversation.open_line != open_line:
                    open_line = conversation.open_line
                    opened = Mark(start, line, before)
            end_offset, end_line = end, line + 1
            if closed:
                yield from closed
                closed.clear()
            if conversation.skipped:
                self._take_skipped(conversation)
        end_state = parser.state()
        parser.end()
        if self.final or not (self.follows and not self.format.says_ends):
            conversation.finish(final=self.final)
        yield from closed
        self._take_skipped(conversation)
        self.left_out = dict(conversation.left_out)
        self.waiting = conversation.open_line
        if self.format.grows and not conversation.made_ids:
            here = opened if self.waiting is not None else Mark(end_offset, end_line, end_state)
            tail = tail_digest(self.path, here.offset)
            self.mark = Mark(here.offset, here.line, here.state, tail)

    def _take_skipped(self, conversation: Conversation) -> None:
        room = MAX_SKIPPED - len(self.skipped)
        self.skipped.extend(conversation.skipped[:room])
        self.skipped_count += len(conversation.skipped)
        conversation.skipped.clear()


def tail_digest(path: Path, offset: int) -> str:
    """A digest of the bytes just before ``offset``; empty at the beginning of the file."""
    if not offset:
        return ""
    with path.open("rb") as stream:
        start = max(0, offset - _TAIL)
        stream.seek(start)
        return sha256(stream.read(offset - start)).hexdigest()


def read_lines(
    format_: Format, values: Iterable[object], name: str = "session", *, final: bool = True
) -> tuple[tuple[SessionTurn, ...], Counter[str]]:
    """The turns of values that are in memory already, and what was left out, by reason."""
    conversation = Conversation(name, is_own_name=format_.names_sessions)
    parser = format_.parser(conversation, ())
    for line, value in enumerate(values, 1):
        conversation.line = line
        parser.feed(value)
    parser.end()
    conversation.finish(final=final)
    return tuple(conversation.closed), conversation.left_out
