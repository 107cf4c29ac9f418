"""From messages to turns, the same for every format.

A turn is the user's messages up to the agent's last visible answer before the next one. So a user
message opens a new turn when the open one has an answer, and joins it when the agent has not
spoken yet. A turn is handed out when the next one opens, or at the end of the file when the
program said that the agent had finished (or the caller says so). A turn without an answer is
never handed out: it waits for one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import sha256

from proofstone.domain.observations import MAX_RECORDS
from proofstone.sessions.tool_records import (
    ToolCall,
    ToolResult,
    overflow_record,
    record_of,
    tool_call,
)
from proofstone.sessions.values import SessionTurn, Skipped

MAX_SIDE_CHARACTERS = 4_000_000
"""What one side says in a turn beyond this is left out and reported (docs/limits.md)."""


@dataclass(slots=True)
class _OpenTurn:
    line: int
    session_id: str
    turn_id: str
    timestamp: str
    users: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    calls: dict[str, ToolCall] = field(default_factory=dict)
    omitted: int = 0
    has_ended: bool = False


class Conversation:
    """Collects what a parser finds; ``line`` is the line that is being parsed.

    ``name`` is the file's name, and so the session's where the program does not name it. Names
    that people give (``is_own_name`` false) are told apart by the first message.
    """

    def __init__(self, name: str, *, is_own_name: bool = True) -> None:
        self.line = 0
        self.open_line: int | None = None
        """Where the turn that is not finished yet begins."""
        self.closed: list[SessionTurn] = []
        self.left_out: Counter[str] = Counter()
        self.skipped: list[Skipped] = []
        self.made_ids = False
        """Whether a turn's id had to be made of its words and their count so far."""
        self._name = name
        self._open: _OpenTurn | None = None
        self._is_own_name = is_own_name
        self._session = name if is_own_name else ""
        self._counts: Counter[str] = Counter()
        self._last_time = ""
        self._unanswered: dict[str, ToolCall] = {}

    def user(
        self, text: str, *, turn_id: str = "", session_id: str = "", timestamp: str = ""
    ) -> bool:
        """The user says something. True when that opened a new turn."""
        if not text.strip():
            return False
        turn = self._open
        opens = turn is None or bool(turn.answers)
        if turn is None or opens:
            self._close()
            self.open_line = self.line
            turn = self._open = _OpenTurn(
                self.line,
                session_id or self._session_of(text),
                turn_id or self._made_id(text, timestamp),
                timestamp,
            )
        self._add(turn, turn.users, text)
        return opens

    def agent(self, text: str) -> None:
        """The agent says something that the user sees."""
        if not text.strip():
            return
        if self._open is None:
            self.left_out["agent text that answers no message"] += 1
            return
        self._add(self._open, self._open.answers, text)

    def call(self, name: str, call_id: str, arguments: object = None) -> None:
        """The agent calls a tool."""
        turn = self._open
        if turn is None:
            self.left_out["tool call outside a turn"] += 1
            return
        turn.has_ended = False
        if call_id in turn.calls:
            return
        if len(turn.calls) >= MAX_RECORDS:
            turn.omitted += 1
            return
        turn.calls[call_id] = tool_call(name, call_id, arguments)

    def wants_result(self, call_id: str) -> bool:
        """Whether a result would be kept: most calls of a long turn are only counted."""
        turn = self._open
        return turn is None or call_id in turn.calls or not turn.omitted

    def result(self, call_id: str, result: ToolResult) -> None:
        """A tool gives something back."""
        turn = self._open
        if turn is None:
            self.left_out["tool result outside a turn"] += 1
            return
        call = turn.calls.get(call_id)
        if call is None:
            if turn.omitted:
                return
            late = self._unanswered.pop(call_id, None)
            self.call(late.name if late else "", call_id)
            call = turn.calls.get(call_id)
            if call is None:
                return
            call.from_memory = late is not None and late.from_memory
            call.by_sub_agent = late is not None and late.by_sub_agent
        if call.result is None:
            call.result = result

    def ended(self) -> None:
        """The program says that the agent has finished its turn."""
        if self._open is not None and self._open.answers:
            self._open.has_ended = True

    def leave_out(self, reason: str) -> None:
        """Something was left out by rule."""
        self.left_out[reason] += 1

    def skip(self, reason: str) -> None:
        """The present line cannot be read."""
        self.skipped.append(Skipped(self.line, reason))

    def next_session(self) -> None:
        """Another conversation begins in the same file."""
        self.finish(final=True)
        self._open = self.open_line = None
        self._session = self._name if self._is_own_name else ""
        self._counts.clear()

    def finish(self, *, final: bool) -> None:
        """The end of what there is to read; ``final`` says that nothing more will come."""
        if self._open is not None and self._open.answers and (final or self._open.has_ended):
            self._close()

    def _close(self) -> None:
        turn, self._open, self.open_line = self._open, None, None
        if turn is None:
            return
        records = [record_of(call) for call in turn.calls.values()]
        if turn.omitted:
            records.append(overflow_record(turn.omitted))
        self._unanswered = {
            call_id: call for call_id, call in turn.calls.items() if call.result is None
        }
        self.closed.append(
            SessionTurn(
                session_id=turn.session_id,
                turn_id=turn.turn_id,
                users=tuple(turn.users),
                answer="\n\n".join(turn.answers),
                line=turn.line,
                timestamp=turn.timestamp,
                records=tuple(records),
            )
        )

    def _add(self, turn: _OpenTurn, texts: list[str], text: str) -> None:
        turn.has_ended = False
        room = MAX_SIDE_CHARACTERS - sum(map(len, texts)) if texts else MAX_SIDE_CHARACTERS
        if len(text) > room:
            self.skip(f"one side of the turn has more than {MAX_SIDE_CHARACTERS:,} characters")
            text = text[:room]
        if text:
            texts.append(text)

    def _session_of(self, text: str) -> str:
        if not self._session:
            self._session = f"{self._name}-{_digest(text)[:8]}"
        return self._session

    def _made_id(self, text: str, timestamp: str) -> str:
        """An id from the time and the words, else from the words and how often they came before.

        Several messages of one instant happen where a program copied an older session.
        """
        digest = _digest(text)
        if timestamp != self._last_time:
            self._last_time = timestamp
            if timestamp:
                self._counts.clear()
        made = f"{timestamp}-{digest[:8]}" if timestamp else f"text-{digest[:24]}"
        self.made_ids = self.made_ids or not timestamp
        self._counts[made] += 1
        count = self._counts[made]
        return made if count == 1 else f"{made}-{count}"


def _digest(text: str) -> str:
    return sha256(text.strip().encode("utf-8", "surrogatepass")).hexdigest()
