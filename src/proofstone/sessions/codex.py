"""Codex: ``rollout-*.jsonl``, one record a line: ``{"timestamp", "type", "payload"}``.

The same words stand in a ``response_item`` (what the model was given and gave) and an
``event_msg`` (what the screen showed). Either may be missing, depending on the version, so both
are read, and a text counts as often as it stands on the side that has it more often. The oldest
files have bare items without an envelope.
"""

from __future__ import annotations

import json
import re
from collections import Counter

from proofstone.sessions import injected
from proofstone.sessions.conversation import Conversation
from proofstone.sessions.shapes import Record, joined_text, mapping_of, text_of
from proofstone.sessions.tool_records import ToolResult

SOURCE = "codex"

_CALLS = ("function_call", "custom_tool_call", "local_shell_call", "web_search_call")
_OUTPUTS = ("function_call_output", "custom_tool_call_output")
_ENDS = ("task_complete", "turn_complete", "turn_aborted")
_STARTS = ("task_started", "turn_started")
_EXIT = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d+)[ \t]*$", re.M)
_RUNNING = re.compile(r"^Process running with session ID ", re.M)
_HEAD = 600
"""Characters at the beginning of an output in which a command's exit code is looked for."""
_IMAGE_TAG = re.compile(r"</?image(?:\s[^<>]{0,400})?>")


class CodexParser:
    """Reads one record after another into a conversation.

    ``state`` is that of an earlier parser at the place where this one goes on.
    """

    def __init__(self, conversation: Conversation, state: tuple[str, ...] = ()) -> None:
        self._conversation = conversation
        session, turn_id, opened, sub_agent = state if len(state) == 4 else ("", "", "0", "")
        self._session = session
        self._turn_id = turn_id
        self._opened = int(opened) if opened.isdecimal() else 0
        self._is_sub_agent = bool(sub_agent)
        self._items: Counter[tuple[str, str]] = Counter()
        self._events: Counter[tuple[str, str]] = Counter()

    def state(self) -> tuple[str, ...]:
        """What a later parser must know to go on from here."""
        return (
            self._session,
            self._turn_id,
            str(self._opened),
            "sub-agent" if self._is_sub_agent else "",
        )

    def feed(self, record: object) -> None:
        """Read one line's value."""
        conversation = self._conversation
        if not isinstance(record, dict):
            conversation.skip("not a JSON object")
            return
        kind = record.get("type")
        payload = record.get("payload")
        timestamp = text_of(record, "timestamp")
        if not isinstance(payload, dict):
            if isinstance(payload, (str, int, float, list)):
                conversation.skip("the payload is not an object")
                return
            kind, payload = self._bare(record)
        if kind == "session_meta":
            self._meta(payload)
        elif self._is_sub_agent:
            conversation.leave_out("sub-agent side chain")
        elif kind == "response_item":
            self._item(payload, timestamp)
        elif kind == "event_msg":
            self._event(payload, timestamp)
        elif kind == "turn_context":
            self._begin(text_of(payload, "turn_id"))
            conversation.leave_out("injected context or summary")
        elif kind == "compacted":
            conversation.leave_out("injected context or summary")
        else:
            conversation.leave_out("bookkeeping record")

    def end(self) -> None:
        """Nothing is held back."""

    def _bare(self, record: Record) -> tuple[str, Record]:
        """A line of the oldest files: an item, or the session's first line."""
        if "type" in record:
            return "response_item", record
        if "id" in record and "record_type" not in record:
            return "session_meta", record
        return "", {}

    def _meta(self, payload: Record) -> None:
        # A forked session carries its parent's line too: the first is the file's own.
        if not self._session:
            self._session = text_of(payload, "id", "session_id")
            self._is_sub_agent = "subagent" in mapping_of(payload.get("source"))
        self._conversation.leave_out("bookkeeping record")

    def _begin(self, turn_id: str) -> None:
        if turn_id and turn_id != self._turn_id:
            self._turn_id = turn_id
            self._opened = 0

    def _item(self, payload: Record, timestamp: str) -> None:
        conversation = self._conversation
        kind = payload.get("type")
        if kind == "message":
            self._message(payload, timestamp)
        elif kind in _CALLS:
            name = text_of(payload, "name") or str(kind).removesuffix("_call")
            namespace = text_of(payload, "namespace")
            arguments = payload.get("arguments") or payload.get("input") or payload.get("action")
            conversation.call(
                f"{namespace}.{name}" if namespace else name,
                text_of(payload, "call_id", "id"),
                arguments,
            )
        elif kind in _OUTPUTS:
            conversation.result(text_of(payload, "call_id"), result_of(payload.get("output")))
        elif kind == "reasoning":
            conversation.leave_out("hidden reasoning")
        else:
            conversation.leave_out("bookkeeping record")

    def _message(self, payload: Record, timestamp: str) -> None:
        role = payload.get("role")
        text, whole = joined_text(payload.get("content"))
        if not whole:
            self._conversation.leave_out("image or file")
        if role == "user":
            self._user(_IMAGE_TAG.sub("", text), timestamp, self._items, self._events)
        elif role == "assistant":
            self._agent(text, self._items, self._events)
        else:
            self._conversation.leave_out("system record")

    def _event(self, payload: Record, timestamp: str) -> None:
        conversation = self._conversation
        kind = payload.get("type")
        if kind == "user_message":
            # Images are told of by placeholder only here, so they cannot make a text differ.
            self._user(text_of(payload, "message"), timestamp, self._events, self._items)
        elif kind == "agent_message":
            self._agent(text_of(payload, "message"), self._events, self._items)
        elif kind in _ENDS:
            conversation.ended()
            self._turn_id, self._opened = "", 0
        elif kind in _STARTS:
            self._begin(text_of(payload, "turn_id"))
        elif kind in ("agent_reasoning", "agent_reasoning_raw_content"):
            conversation.leave_out("hidden reasoning")
        else:
            conversation.leave_out("bookkeeping record")

    def _user(
        self,
        text: str,
        timestamp: str,
        here: Counter[tuple[str, str]],
        there: Counter[tuple[str, str]],
    ) -> None:
        own = injected.own_request(text)
        if not own:
            if text.strip():
                self._conversation.leave_out("injected context or summary")
            return
        if _is_echo("user", own, here, there):
            return
        native = self._turn_id
        if native and self._opened:
            native = f"{native}#{self._opened + 1}"
        opened = self._conversation.user(
            own, turn_id=native, session_id=self._session, timestamp=timestamp
        )
        if opened:
            self._opened += 1
            self._items.clear()
            self._events.clear()
            here["user", own] += 1

    def _agent(
        self,
        text: str,
        here: Counter[tuple[str, str]],
        there: Counter[tuple[str, str]],
    ) -> None:
        text = text.strip()
        if text and not _is_echo("agent", text, here, there):
            self._conversation.agent(text)


def result_of(output: object) -> ToolResult:
    """The result that an ``output`` field holds: text, text with an envelope, parts, or object."""
    failed = False
    if isinstance(output, str) and output.startswith("{") and '"metadata"' in output:
        try:
            enveloped = json.loads(output)
        except (ValueError, RecursionError):
            enveloped = None
        if isinstance(enveloped, dict) and "output" in enveloped:
            code = mapping_of(enveloped.get("metadata")).get("exit_code")
            failed = isinstance(code, int) and code != 0
            output = enveloped["output"]
    if isinstance(output, dict):
        failed = output.get("success") is False
        output = output.get("content", output.get("output", ""))
    text, whole = joined_text(output)
    head = text[:_HEAD]
    exit_code = _EXIT.search(head)
    if exit_code:
        failed = failed or exit_code[1] != "0"
    return ToolResult(text, failed=failed, partial=not whole or _RUNNING.search(head) is not None)


def _is_echo(
    who: str,
    text: str,
    here: Counter[tuple[str, str]],
    there: Counter[tuple[str, str]],
) -> bool:
    """Count a text on its side, and say whether the other side had it already."""
    here[who, text] += 1
    return here[who, text] <= there[who, text]
