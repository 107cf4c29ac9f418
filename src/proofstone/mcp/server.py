"""The MCP server: one vault, one agent, on standard input and output (spec page 8, MCP server).

Every call is answered; what goes wrong in one is told in one line and ends nothing. There is no
tool that rules, and none that could say who does.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)

from proofstone import __version__
from proofstone.curation import capture_sessions
from proofstone.curation.agents import DEFAULT_LIMIT, Reader
from proofstone.curation.capture import LOCK_SECONDS, CaptureDesk
from proofstone.curation.context import Context
from proofstone.curation.live import LiveNotes
from proofstone.domain.errors import ProofstoneError
from proofstone.domain.shown import shown_text
from proofstone.mcp.tools import INSTRUCTIONS, TOOLS, argument_fault
from proofstone.mcp.wire import messages
from proofstone.vault import layout

_log = logging.getLogger(__name__)

Request = ServerRequestContext[Any]


def serve(root: Path, context: Context) -> None:
    """Serve the vault in ``root`` until the client leaves.

    Raises ProofstoneError when there is no vault.
    """
    if not layout.is_vault(root):
        raise ProofstoneError(f"{root}: there is no vault here; make one with `proofstone init`")
    try:
        anyio.run(_serve, Tools(root, context))
    except* (BrokenPipeError, anyio.BrokenResourceError):
        _log.debug("the client has gone: nobody is left to answer")


async def _serve(tools: Tools) -> None:
    server = make_server(tools)
    async with messages() as (arriving, answers):
        await server.run(arriving, answers, server.create_initialization_options())


def make_server(tools: Tools) -> Server[Any]:
    """The SDK's server with our tools."""
    # One call at a time: the indexes of a vault are not made for two.
    turn = anyio.Lock()

    async def list_tools(_: Request, __: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(
            tools=[
                Tool(
                    name=name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.takes,
                    output_schema=tool.gives,
                    annotations=ToolAnnotations(
                        title=tool.title,
                        read_only_hint=tool.only_reads,
                        destructive_hint=False,
                        idempotent_hint=tool.is_idempotent,
                        open_world_hint=False,
                    ),
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def call_tool(request: Request, params: CallToolRequestParams) -> CallToolResult:
        client = request.session.client_params
        name = client.client_info.name if client is not None else ""
        async with turn:
            # Not abandoned when the client leaves: what was begun is finished, and then the
            # server ends.
            return await anyio.to_thread.run_sync(
                tools.call, params.name, params.arguments or {}, name
            )

    return Server(
        "proofstone",
        version=__version__,
        title="Proofstone",
        instructions=INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


class Tools:
    """The tools of one vault, as calls and answers."""

    def __init__(self, root: Path, context: Context) -> None:
        notes = LiveNotes(root)
        self._root = root
        self._context = context
        self._desk = CaptureDesk(notes, context)
        self._reader = Reader(notes, context)

    def call(self, name: str, arguments: Mapping[str, Any], client: str) -> CallToolResult:
        """Answer one call; whatever is wrong with it is the answer too."""
        try:
            if name not in TOOLS:
                return _refused(f"{name[:60]}: there is no such tool; try {', '.join(TOOLS)}")
            if name == "memory_ingest":
                return _json(self._desk.capture(dict(arguments), client=client or None))
            fault = argument_fault(name, arguments)
            if fault:
                return _refused(f"{name}: {fault}")
            return self._answer(name, arguments, client)
        except ProofstoneError as error:
            return _refused(f"{name}: {error}")
        except OSError as error:
            return _refused(f"{name}: the vault cannot be read or written: {error.strerror}")
        except Exception:
            # A fault of ours: it is logged whole where a person can see it, and ends nothing.
            _log.exception("%s failed", name)
            return _refused(f"{name}: it failed for a reason that the server's log tells")

    def _answer(self, name: str, arguments: Mapping[str, Any], client: str) -> CallToolResult:
        match name:
            case "memory_search":
                return _texts(
                    self._reader.search(
                        arguments["query"],
                        limit=arguments.get("limit", DEFAULT_LIMIT),
                        project=arguments.get("project", ""),
                    )
                )
            case "memory_get":
                return _texts(self._reader.get(arguments["memory_id"]))
            case "memory_pending":
                return _json(self._reader.pending())
            case "memory_session_start":
                return _json(
                    capture_sessions.start(
                        self._root, self._context, client=client, timeout=LOCK_SECONDS
                    )
                )
            case _:
                return _json(
                    capture_sessions.finish(
                        self._root,
                        self._context,
                        arguments["session_id"],
                        timeout=LOCK_SECONDS,
                    )
                )


def _json(answer: Mapping[str, Any]) -> CallToolResult:
    text = json.dumps(answer, ensure_ascii=False)
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(answer)
    )


def _texts(texts: list[str]) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=text) for text in texts])


def _refused(message: str) -> CallToolResult:
    line = shown_text(" ".join(message.split()))
    return CallToolResult(content=[TextContent(type="text", text=line)], is_error=True)
