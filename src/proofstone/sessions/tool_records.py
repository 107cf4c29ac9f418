"""Tool calls and results as observation records (spec page 2, Observations).

What a program says of a result decides its status; where it says nothing, the result counts as a
success, as it did for the agent that was given it. Only a whole and successful result may become
evidence; what comes from a memory is marked as such, so that no memory can prove itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from proofstone.domain.observations import MAX_BODY, MAX_FIELD

BODY_WINDOW = MAX_BODY + 512
"""Characters of a body that are kept until secrets are masked, so that one that is cut in two by
the limit is still known for what it is."""

_MEMORY_TOOL = re.compile(
    r"(?:^|[^a-z])(?:memleaf|proofstone|nmemory|mem0|openmemory|letta|zep|basic-?memory|memor(?:y|ies)"
    r"|recall|remember)(?:[^a-z]|$)"
)
_MEMORY_PLACE = re.compile(
    r"(?:^|[\s/\\'\"=:(])(?:MEMORY|memory_summary|CLAUDE|CLAUDE\.local|AGENTS|GEMINI)\.md\b"
    r"|[/\\]\.memleaf[/\\]|[/\\]memor(?:y|ies)[/\\][^\s'\"]+\.(?:md|jsonl?)\b"
)
_SUB_AGENT = frozenset(
    ("task", "agent", "workflow", "spawn_agent", "wait_agent", "send_input", "close_agent")
)
_CUT = re.compile(
    r"<persisted-output>|<response clipped>|Output too large|\[Old tool result content cleared\]"
    r"|[\[(<](?:\.{3}|…)?\s?(?:[\w ]{0,20}\b)?(?:truncated|omitted|clipped)\b"
    r"|\d[\d,]* (?:more )?(?:lines|characters|chars|bytes|tokens) (?:truncated|omitted|not shown)",
)
_CUT_WORDS = (
    *("truncated", "omitted", "clipped", "not shown", "persisted-output", "too large", "cleared]"),
)
_WHITE = re.compile(r"[\s\x00-\x1f\x7f]+")
_MAX_ARGUMENT = 4_096


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gave back. ``failed`` and ``partial`` are what the program says of it."""

    text: str
    failed: bool = False
    partial: bool = False


@dataclass(slots=True)
class ToolCall:
    """A call, and its result once it is there."""

    name: str
    call_id: str
    from_memory: bool = False
    by_sub_agent: bool = False
    result: ToolResult | None = field(default=None)


def tool_call(name: str, call_id: str, arguments: object) -> ToolCall:
    """A call as it is made; its name and arguments say whether it asks a memory."""
    name, asks_memory, by_sub_agent = _tool(name[: 4 * MAX_FIELD])
    return ToolCall(
        name,
        _field(call_id),
        from_memory=asks_memory or _reads_memory(arguments),
        by_sub_agent=by_sub_agent,
    )


@lru_cache(maxsize=256)
def _tool(name: str) -> tuple[str, bool, bool]:
    """A tool's name as it is kept, whether it is a memory's, and whether it is a sub-agent."""
    name = _field(name)
    plain = name.casefold()
    return name, _MEMORY_TOOL.search(plain) is not None, plain in _SUB_AGENT


def record_of(call: ToolCall) -> dict[str, str]:
    """The observation record of a call.

    A sub-agent's report and an empty result are records without evidence (retention
    ``metadata``): the one is no observation, the other has nothing to observe.
    """
    record = {"source_type": "tool_result", "retention": "bounded"}
    if call.name:
        record["tool_name"] = call.name
    if call.call_id:
        record["call_id"] = call.call_id
    result = call.result
    if result is None:
        kind = "retrieved_memory" if call.from_memory else "unknown"
        return record | {"kind": kind, "result_status": "unknown", "completeness": "missing"}
    body = result.text.strip()
    is_cut = len(body) > MAX_BODY
    partial = result.partial or is_cut or _says_it_is_cut(body)
    status = "error" if result.failed else "truncated" if partial else "success"
    is_evidence = bool(body) and status == "success" and call.name and call.call_id
    record |= {
        "kind": "retrieved_memory"
        if call.from_memory
        else "external_observation"
        if is_evidence
        else "unknown",
        "result_status": status,
        "execution_status": "error" if result.failed else "success",
        "completeness": "partial" if partial else "complete",
    }
    if call.by_sub_agent or not (body or result.failed or partial):
        record |= {"kind": "unknown", "retention": "metadata"}
    elif body:
        record["content"] = body[:BODY_WINDOW]
    return record


def overflow_record(omitted: int) -> dict[str, str]:
    """Stands for ``omitted`` calls beyond those that an event keeps."""
    return {
        "tool_name": "evidence.inventory",
        "call_id": "overflow",
        "kind": "unknown",
        "result_status": "truncated",
        "completeness": "partial",
        "omitted_count": str(omitted),
    }


def _says_it_is_cut(body: str) -> bool:
    """Whether the program that gave the result says in it that something is left out."""
    return any(word in body for word in _CUT_WORDS) and _CUT.search(body) is not None


def _reads_memory(arguments: object) -> bool:
    return any(_MEMORY_PLACE.search(text) is not None for text in _texts(arguments))


def _texts(arguments: object) -> Iterator[str]:
    """The short strings among a call's arguments: paths and commands, not the files it writes."""
    if isinstance(arguments, str):
        if len(arguments) <= _MAX_ARGUMENT:
            yield arguments
    elif isinstance(arguments, dict):
        for value in arguments.values():
            yield from _texts(value)
    elif isinstance(arguments, list):
        for value in arguments[:16]:
            yield from _texts(value)


def _field(text: str) -> str:
    return _WHITE.sub(" ", text[: 4 * MAX_FIELD]).strip()[:MAX_FIELD]
