"""Claude Code: ``~/.claude/projects/<project>/<session>.jsonl``, one record a line.

A message of the agent comes as several records, one for each block of its content; a tool's
result comes inside a record of the user's role.
"""

from __future__ import annotations

from proofstone.sessions import injected
from proofstone.sessions.conversation import Conversation
from proofstone.sessions.shapes import Record, joined_text, mapping_of, parts_of, text_of
from proofstone.sessions.tool_records import ToolResult

SOURCE = "claude-code"

_ENDS = ("end_turn", "stop_sequence", "max_tokens", "refusal")
_ENDING_SYSTEM = ("turn_duration", "stop_hook_summary")
_CALLS = ("tool_use", "server_tool_use", "mcp_tool_use")
_HIDDEN = ("thinking", "redacted_thinking")


class ClaudeCodeParser:
    """Reads one record after another into a conversation."""

    def __init__(self, conversation: Conversation, state: tuple[str, ...] = ()) -> None:
        self._conversation = conversation
        self._uuids: set[str] = set()

    def state(self) -> tuple[str, ...]:
        """Nothing has to be carried from one turn to the next."""
        return ()

    def feed(self, record: object) -> None:
        """Read one line's value."""
        conversation = self._conversation
        if not isinstance(record, dict):
            conversation.skip("not a JSON object")
            return
        kind = record.get("type")
        if kind not in ("assistant", "user", "attachment", "system"):
            conversation.leave_out(_kind_name(kind))
            return
        if record.get("isSidechain") is True:
            conversation.leave_out("sub-agent side chain")
            return
        uuid = record.get("uuid")
        if not isinstance(uuid, str):
            uuid = ""
        if uuid and uuid in self._uuids:
            conversation.leave_out("repeated record")
            return
        if kind == "assistant":
            self._assistant(record)
        elif kind == "user":
            self._user(record, uuid)
        elif kind == "attachment":
            self._attachment(record, uuid)
        else:
            if record.get("subtype") in _ENDING_SYSTEM:
                conversation.ended()
            conversation.leave_out("system record")
        if uuid:
            self._uuids.add(uuid)

    def end(self) -> None:
        """Nothing is held back."""

    def _assistant(self, record: Record) -> None:
        conversation = self._conversation
        message = record.get("message")
        if not isinstance(message, dict):
            message = {}
        if record.get("isApiErrorMessage") is True or message.get("model") == "<synthetic>":
            conversation.leave_out("message of the program")
            return
        for part in parts_of(message.get("content")):
            kind = part.get("type")
            if kind in _HIDDEN:
                conversation.leave_out("hidden reasoning")
            elif kind == "text":
                conversation.agent(text_of(part, "text"))
            elif kind in _CALLS:
                name = text_of(part, "name")
                if kind == "mcp_tool_use":
                    name = f"mcp__{text_of(part, 'server_name')}__{name}"
                conversation.call(name, text_of(part, "id"), part.get("input"))
            elif isinstance(kind, str) and kind.endswith("_tool_result"):
                self._result(part, record)
            else:
                conversation.leave_out("image or file")
        if message.get("stop_reason") in _ENDS:
            conversation.ended()

    def _user(self, record: Record, uuid: str) -> None:
        conversation = self._conversation
        if (
            record.get("isMeta") is True
            or record.get("isCompactSummary") is True
            or record.get("isVisibleInTranscriptOnly") is True
        ):
            conversation.leave_out("injected context or summary")
            return
        texts: list[str] = []
        for part in parts_of(mapping_of(record.get("message")).get("content")):
            kind = part.get("type")
            if kind == "tool_result":
                self._result(part, record)
                if part.get("is_error") is True:
                    texts.append(injected.said_instead(joined_text(part.get("content"))[0]))
            elif kind == "text":
                texts.append(text_of(part, "text"))
            else:
                conversation.leave_out("image or file")
        text = "\n".join(filter(None, texts)) if texts else ""
        if not text:
            # Most records of the user's role only bring what a tool gave back.
            return
        if injected.is_interruption(text):
            conversation.ended()
        origin = mapping_of(record.get("origin")).get("kind")
        own = injected.own_words(text) if origin in (None, "human") else ""
        if own:
            self._said(own, record, uuid)
        elif text.strip():
            conversation.leave_out("injected context or summary")

    def _attachment(self, record: Record, uuid: str) -> None:
        """A message typed while the agent was at work is kept as an attachment only."""
        attachment = mapping_of(record.get("attachment"))
        is_typed = (
            attachment.get("type") == "queued_command"
            and attachment.get("commandMode") in (None, "prompt")
            and mapping_of(attachment.get("origin")).get("kind") in (None, "human")
        )
        own = injected.own_words(joined_text(attachment.get("prompt"))[0]) if is_typed else ""
        if own:
            self._said(own, record, uuid)
        else:
            self._conversation.leave_out("injected context or summary")

    def _said(self, text: str, record: Record, uuid: str) -> None:
        opened = self._conversation.user(
            text,
            turn_id=uuid,
            session_id=text_of(record, "sessionId"),
            timestamp=text_of(record, "timestamp"),
        )
        if opened:
            # Records are repeated close to each other, so one turn's ids are enough.
            self._uuids.clear()

    def _result(self, part: Record, record: Record) -> None:
        call_id = text_of(part, "tool_use_id")
        if not self._conversation.wants_result(call_id):
            return
        content = part.get("content")
        text, whole = joined_text(content)
        beside = mapping_of(record.get("toolUseResult"))
        is_error = part.get("is_error") is True or _is_error_content(content)
        partial = beside.get("truncated") is True or beside.get("interrupted") is True
        self._conversation.result(
            call_id,
            ToolResult(text, failed=is_error, partial=partial or not whole),
        )


def _is_error_content(content: object) -> bool:
    kind = mapping_of(content).get("type")
    return isinstance(kind, str) and kind.endswith("_error")


def _kind_name(kind: object) -> str:
    if kind == "summary":
        return "injected context or summary"
    if kind == "file-history-snapshot":
        return "file snapshot"
    return "bookkeeping record" if isinstance(kind, str) else "record without a type"
