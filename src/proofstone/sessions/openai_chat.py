"""OpenAI-style chats: messages of the Chat Completions API, items of the Responses API.

A file is one JSON document (a list of messages, an object with ``messages``, or with ``input``
and ``output``, or a list of such objects), or has a message or such an object in each line.
"""

from __future__ import annotations

from collections.abc import Iterator

from proofstone.sessions import injected
from proofstone.sessions.conversation import Conversation
from proofstone.sessions.shapes import Record, joined_text, mapping_of, parts_of, text_of
from proofstone.sessions.tool_records import ToolResult

SOURCE = "openai"

MESSAGE_LISTS = ("messages", "input", "output", "items", "choices")
"""The keys under which an object holds messages, in the order in which they were said."""

_ROLES = ("user", "assistant", "system", "developer", "tool", "function")
_OUTPUTS = (
    "function_call_output",
    "custom_tool_call_output",
    "computer_call_output",
    "mcp_call_output",
)
_HIDDEN = ("reasoning", "thinking")
_FAILED = ("failed", "error", "cancelled")
_UNFINISHED = ("incomplete", "in_progress")


class OpenAIChatParser:
    """Reads one message, item or conversation after another."""

    def __init__(self, conversation: Conversation, state: tuple[str, ...] = ()) -> None:
        self._conversation = conversation
        self._session = ""
        self._unnamed: str | None = None

    def state(self) -> tuple[str, ...]:
        """Files of this kind are read from the beginning."""
        return ()

    def feed(self, record: object) -> None:
        """Read a message, or a whole conversation."""
        conversation = self._conversation
        if not isinstance(record, dict):
            conversation.skip("not a JSON object")
            return
        lists = [key for key in MESSAGE_LISTS if isinstance(record.get(key), (list, str))]
        if lists and "role" not in record and "type" not in record:
            conversation.next_session()
            self._session = text_of(record, "conversation_id", "session_id", "thread_id")
            for message in _messages(record, lists):
                self._message(message)
            conversation.next_session()
            self._session = ""
        else:
            self._message(record)

    def end(self) -> None:
        """Nothing is held back."""

    def _message(self, message: Record) -> None:
        conversation = self._conversation
        if "role" not in message and "type" not in message:
            # A choice of a completion, or a message with its envelope.
            message = mapping_of(message.get("message"))
        role = message.get("role")
        kind = message.get("type")
        if role in _ROLES and kind in (None, "message"):
            self._by_role(str(role), message)
        elif kind in _OUTPUTS:
            conversation.result(
                text_of(message, "call_id", "id"), _result(message.get("output"), message)
            )
        elif kind in _HIDDEN:
            conversation.leave_out("hidden reasoning")
        elif isinstance(kind, str) and (kind.endswith("_call") or kind == "tool_use"):
            self._hosted_call(kind, message)
        elif isinstance(kind, str):
            conversation.leave_out("bookkeeping record")
        else:
            conversation.skip("neither a message nor an item: it has no known role or type")

    def _by_role(self, role: str, message: Record) -> None:
        conversation = self._conversation
        if role in ("system", "developer"):
            conversation.leave_out("system record")
        elif role == "user":
            self._user(message)
        elif role == "assistant":
            self._assistant(message)
        else:
            call_id = text_of(message, "tool_call_id")
            if role == "function" or not call_id:
                call_id = call_id or self._unnamed or ""
            conversation.result(call_id, _result(message.get("content"), message))

    def _user(self, message: Record) -> None:
        conversation = self._conversation
        texts: list[str] = []
        for part in parts_of(message.get("content")):
            if part.get("type") == "tool_result":
                conversation.result(
                    text_of(part, "tool_use_id"), _result(part.get("content"), part)
                )
                continue
            text, whole = joined_text([part])
            texts.append(text)
            if not whole:
                conversation.leave_out("image or file")
        text = "\n".join(filter(None, texts))
        own = injected.own_words(text)
        if own:
            conversation.user(
                own,
                turn_id=text_of(message, "id"),
                session_id=self._session,
                timestamp=text_of(message, "timestamp", "created_at"),
            )
        elif text.strip():
            conversation.leave_out("injected context or summary")

    def _assistant(self, message: Record) -> None:
        conversation = self._conversation
        if message.get("reasoning_content") or message.get("reasoning"):
            conversation.leave_out("hidden reasoning")
        calls = 0
        for part in parts_of(message.get("content")):
            kind = part.get("type")
            if kind == "refusal":
                conversation.agent(text_of(part, "refusal"))
            elif kind in _HIDDEN:
                conversation.leave_out("hidden reasoning")
            elif kind == "tool_use":
                calls += 1
                conversation.call(text_of(part, "name"), text_of(part, "id"), part.get("input"))
            else:
                text, whole = joined_text([part])
                conversation.agent(text)
                if not whole:
                    conversation.leave_out("image or file")
        conversation.agent(text_of(message, "refusal"))
        made = message.get("tool_calls")
        for call in made if isinstance(made, list) else ():
            calls += 1
            function = mapping_of(mapping_of(call).get("function"))
            custom = mapping_of(mapping_of(call).get("custom"))
            conversation.call(
                text_of(function, "name") or text_of(custom, "name"),
                text_of(mapping_of(call), "id"),
                function.get("arguments") or custom.get("input"),
            )
        old = mapping_of(message.get("function_call"))
        if old:
            # Calls of the first API have no id; the next result is theirs.
            calls += 1
            self._unnamed = f"line-{conversation.line}"
            conversation.call(text_of(old, "name"), self._unnamed, old.get("arguments"))
        if not calls:
            conversation.ended()

    def _hosted_call(self, kind: str, item: Record) -> None:
        """A call item; those of tools that the provider runs may carry their result."""
        conversation = self._conversation
        name = text_of(item, "name") or kind.removesuffix("_call")
        label = text_of(item, "server_label")
        call_id = text_of(item, "call_id", "id")
        conversation.call(
            f"mcp__{label}__{name}" if label else name,
            call_id,
            item.get("arguments") or item.get("input") or item.get("action"),
        )
        for key in ("output", "outputs", "results", "result"):
            if item.get(key):
                conversation.result(call_id, _result(item[key], item))
                return
        if item.get("error"):
            conversation.result(call_id, ToolResult("", failed=True))


def _messages(record: Record, lists: list[str]) -> Iterator[Record]:
    for key in lists:
        value = record[key]
        if isinstance(value, str):
            yield {"role": "assistant" if key == "output" else "user", "content": value}
            continue
        assert isinstance(value, list)
        for message in value:
            if isinstance(message, str):
                yield {"role": "user", "content": message}
            else:
                yield mapping_of(message)


def _result(content: object, beside: Record) -> ToolResult:
    text, whole = joined_text(content)
    status = beside.get("status")
    failed = (
        beside.get("is_error") is True
        or bool(beside.get("error"))
        or (isinstance(status, str) and status in _FAILED)
    )
    return ToolResult(
        text,
        failed=failed,
        partial=not whole or (isinstance(status, str) and status in _UNFINISHED),
    )
