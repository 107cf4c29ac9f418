"""The wire: lines of JSON on standard input, of bounded length, whatever a client sends.

The SDK reads lines of any length and drops those that are no messages without a word. Here a line
that is too long is thrown away as it arrives, and both are answered with an error, so that a
client is not left waiting and the server goes on.
"""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, BinaryIO

import anyio
import anyio.to_thread
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from proofstone.curation.capture import MAX_PAYLOAD_BYTES

MAX_MESSAGE_BYTES = MAX_PAYLOAD_BYTES + 64 * 1024
"""A payload and what stands around it (docs/limits.md)."""

LAST_ANSWERS_SECONDS = 60
"""How long what was asked may still be answered once nothing more arrives."""

_CANCELLED = "notifications/cancelled"
_HEAD = 4096
_DISCARD = 1024 * 1024
_ID = re.compile(rb'"id"\s*:\s*(?:(\d{1,15})|"([^"\\]{1,200})")')
_TOO_LONG = "\0too long"


class _Lines:
    """Standard input as lines; one that is too long becomes a mark that no client can send."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.heads: list[bytes] = []

    def __aiter__(self) -> _Lines:
        return self

    async def __anext__(self) -> str:
        line = await anyio.to_thread.run_sync(self._next)
        if line is None:
            raise StopAsyncIteration
        return line

    def _next(self) -> str | None:
        while True:
            line = self._stream.readline(MAX_MESSAGE_BYTES + 1)
            if not line:
                return None
            if len(line) > MAX_MESSAGE_BYTES:
                self.heads.append(line[:_HEAD])
                while line and not line.endswith(b"\n"):
                    line = self._stream.readline(_DISCARD)
                return _TOO_LONG
            if line.strip():
                return line.decode("utf-8", "replace")


class _Unanswered:
    """The requests that the server has been given and has not answered."""

    def __init__(self) -> None:
        self._open: set[int | str] = set()
        self._answered = anyio.Event()

    def arrived(self, message: JSONRPCMessage) -> None:
        """Note what a client asks for, or does not want any more."""
        if isinstance(message, JSONRPCRequest):
            self._open.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._open.discard((message.params or {}).get("requestId", ""))

    def went(self, message: JSONRPCMessage) -> None:
        """Note what has been answered."""
        if isinstance(message, (JSONRPCResponse, JSONRPCError)) and message.id is not None:
            self._open.discard(message.id)
            if not self._open:
                self._answered.set()

    async def all_answered(self) -> None:
        """Return when nothing is left to be answered, or when it takes too long."""
        with anyio.move_on_after(LAST_ANSWERS_SECONDS):
            while self._open:
                self._answered = anyio.Event()
                await self._answered.wait()


@asynccontextmanager
async def messages() -> AsyncIterator[tuple[Any, Any]]:
    """The streams that the server runs on: what arrives, and where answers go.

    When nothing more arrives, the server is told so only after it has answered what it was asked:
    the SDK would drop answers that are still being worked out.
    """
    lines = _Lines(sys.stdin.buffer)
    unanswered = _Unanswered()
    # The SDK asks no more of its input than to be iterated over.
    async with stdio_server(stdin=lines) as (arriving, written):  # type: ignore[arg-type]
        send, receive = anyio.create_memory_object_stream[SessionMessage | Exception](0)
        answers, going = anyio.create_memory_object_stream[SessionMessage](0)

        async def relay() -> None:
            async with send:
                async for item in arriving:
                    if isinstance(item, Exception):
                        await written.send(SessionMessage(_refusal(lines)))
                    else:
                        unanswered.arrived(item.message)
                        await send.send(item)
                await unanswered.all_answered()

        async def write() -> None:
            async with written, going:
                async for item in going:
                    await written.send(item)
                    unanswered.went(item.message)

        async with anyio.create_task_group() as group:
            group.start_soon(relay)
            group.start_soon(write)
            yield receive, answers
            group.cancel_scope.cancel()


def _refusal(lines: _Lines) -> JSONRPCError:
    """The answer to a line that is no message."""
    if not lines.heads:
        error = ErrorData(code=PARSE_ERROR, message="the line is no JSON-RPC message")
        return JSONRPCError(jsonrpc="2.0", id=None, error=error)
    found = _ID.search(lines.heads.pop(0))
    number, text = found.groups() if found else (None, None)
    limit = MAX_PAYLOAD_BYTES // (1024 * 1024)
    error = ErrorData(
        code=INVALID_REQUEST,
        message=f"the message is larger than {limit} MiB; nothing of it was read. Send less",
    )
    request_id: int | str | None = None
    if number is not None:
        request_id = int(number)
    elif text is not None:
        request_id = text.decode("utf-8", "replace")
    return JSONRPCError(jsonrpc="2.0", id=request_id, error=error)
