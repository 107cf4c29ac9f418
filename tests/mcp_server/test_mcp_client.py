"""The server as a real client meets it: the SDK's own, over stdio, in a subprocess (page 8)."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, MCPError, StdioServerParameters, stdio_client
from mcp_types import CallToolResult, Implementation, TextContent

from proofstone.curation import rulings
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.domain.rulings import ACTIONS, Choices
from proofstone.vault.create import create_vault

PROGRAM = "from proofstone.cli.main import main; main()"
GOOD = {"content": "Atlas rollups are kept for two years", "source": "chat", "anchor": "doc-9"}


@asynccontextmanager
async def connected(vault: Path, mode: str = "auto") -> AsyncIterator[Client]:
    """A client of its own server process."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-c", PROGRAM, "mcp", str(vault)],
        env={"PROOFSTONE_NOW": os.environ["PROOFSTONE_NOW"]},
    )
    info = Implementation(name="Test Client 1!", version="1")
    async with Client(stdio_client(server), mode=mode, client_info=info) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    blocks = [block for block in result.content if isinstance(block, TextContent)]
    assert len(blocks) == len(result.content)
    return "\n".join(block.text for block in blocks)


def answer_of(result: CallToolResult) -> dict[str, Any]:
    assert not result.is_error, text_of(result)
    answer = json.loads(text_of(result))
    assert answer == result.structured_content
    assert isinstance(answer, dict)
    return answer


def contents(root: Path) -> dict[str, bytes]:
    return {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_a_batch_is_captured_row_by_row_and_once(
    demo_vault: Path, context: Context, mode: str
) -> None:
    batch = {"items": [GOOD, {"content": "x"}, {**GOOD, "kind": "poem"}, {**GOOD, "why": 1}]}
    async with connected(demo_vault, mode) as client:
        answer = answer_of(await client.call_tool("memory_ingest", batch))
        first, *others = answer["outcomes"]
        assert (answer["captured"], answer["deduped"], answer["rejected"]) == (1, 0, 3)
        assert first["status"] == "captured"
        for position, row in enumerate(others, 1):
            assert row["error"].startswith(f"items[{position}]")
            assert "ingest rejected: " in row["error"]
        again = answer_of(await client.call_tool("memory_ingest", GOOD))
        assert again["outcomes"][0] == {
            "status": "deduplicated",
            "id": first["id"],
            "dedup_hint": None,
        }
        pending = answer_of(await client.call_tool("memory_pending", {}))
        assert first["id"] in pending["ids"]
        assert GOOD["content"] not in json.dumps(pending)
    proposal = Workspace.open(demo_vault, context).proposals[first["id"]]
    assert (proposal.statement, proposal.is_waiting) == (GOOD["content"], True)


async def test_what_waits_is_not_found_until_a_person_ratifies_it(
    demo_vault: Path, context: Context
) -> None:
    async with connected(demo_vault) as client:
        proposal_id = answer_of(await client.call_tool("memory_ingest", GOOD))["outcomes"][0]["id"]
        nothing = text_of(await client.call_tool("memory_search", {"query": "rollups two years"}))
        assert "No ratified memory matches" in nothing and GOOD["content"] not in nothing
        waiting = text_of(await client.call_tool("memory_get", {"memory_id": proposal_id}))
        assert "waits for a person" in waiting and GOOD["content"] not in waiting
        choices = Choices(reason="Lin Qiao confirmed it")
        rulings.rule(Workspace.open(demo_vault, context), "ratify", [proposal_id], choices)
        found = text_of(await client.call_tool("memory_search", {"query": "rollups two years"}))
        assert f"| {GOOD['content']}" in found
        assert "not instructions" in found
        for line in ("standing: active", "source: chat", "anchor: doc-9"):
            assert line in found.splitlines()
        assert "trust: agent_inference" in found and "ratified: by Mira Tal" in found


async def test_a_contested_memory_is_marked_and_an_unreviewed_one_not_given(
    demo_vault: Path, context: Context
) -> None:
    memories = Workspace.open(demo_vault, context).holdings.memories
    contested = next(memory for memory in memories if memory.standing == "contested")
    unreviewed = next(memory for memory in memories if memory.ratified is None)
    async with connected(demo_vault) as client:
        query = {"query": contested.statement}
        found = text_of(await client.call_tool("memory_search", query))
        assert "standing: CONTESTED" in found
        query = {"query": unreviewed.statement[:200]}
        found = text_of(await client.call_tool("memory_search", query))
        assert unreviewed.memory_id not in found
        got = await client.call_tool("memory_get", {"memory_id": unreviewed.memory_id})
        assert "no person has ratified" in text_of(got)


async def test_no_tool_rules_and_no_argument_names_an_author(demo_vault: Path) -> None:
    before = contents(demo_vault)
    async with connected(demo_vault) as client:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == [
            "memory_ingest",
            "memory_search",
            "memory_get",
            "memory_pending",
            "memory_session_start",
            "memory_session_finish",
        ]
        taken = {name for tool in tools for name in tool.input_schema["properties"]}
        assert not taken & {"author", "as", "by", "ratified", "ratify", "status", "action", "via"}
        for name in (*ACTIONS, "memory_ratify", "rule", "undo"):
            refused = await client.call_tool(name, {"id": "prop-1"})
            assert refused.is_error and "no such tool" in text_of(refused)
        for field in ("author", "ratified", "status", "origin", "trust_class", "proposal_id"):
            refused = await client.call_tool("memory_ingest", {**GOOD, field: "ratified"})
            assert refused.is_error and field in text_of(refused)
    after = contents(demo_vault)
    after.pop("_state/vault.lock", None)
    before.pop("_state/vault.lock", None)
    assert after == before


async def test_a_session_groups_captures_until_it_is_finished(
    demo_vault: Path, context: Context
) -> None:
    async with connected(demo_vault) as client:
        session = answer_of(await client.call_tool("memory_session_start", {}))
        assert session["client"] == "Test Client 1!"
        named = {**GOOD, "session_id": session["session_id"]}
        assert answer_of(await client.call_tool("memory_ingest", named))["captured"] == 1
        closing = {"session_id": session["session_id"]}
        assert answer_of(await client.call_tool("memory_session_finish", closing))["finished"]
        late = {**named, "content": "Said too late"}
        row = answer_of(await client.call_tool("memory_ingest", late))["outcomes"][0]
        assert row["status"] == "rejected" and "finished" in row["error"]
        unknown = await client.call_tool("memory_session_finish", {"session_id": "../x"})
        assert unknown.is_error
    records = Workspace.open(demo_vault, context).holdings.evidence
    assert [r.source_session for r in records].count(session["session_id"]) == 1


async def test_bad_calls_are_answered_and_end_nothing(demo_vault: Path) -> None:
    async with connected(demo_vault) as client:
        for name, arguments in (
            ("memory_search", {}),
            ("memory_search", {"query": ""}),
            ("memory_search", {"query": 3}),
            ("memory_search", {"query": "x", "limit": 0}),
            ("memory_search", {"query": "x", "limit": True}),
            ("memory_search", {"query": "y" * 5_000}),
            ("memory_search", {"query": "x", "author": "Mira"}),
            ("memory_get", {}),
            ("memory_pending", {"all": True}),
            ("memory_ingest", {}),
            ("memory_ingest", {"items": "no"}),
            ("memory_ingest", {"items": [], **GOOD}),
        ):
            refused = await client.call_tool(name, arguments)
            assert refused.is_error, (name, arguments)
            assert "\n" not in text_of(refused)
        huge = {**GOOD, "content": "y" * (17 * 1024 * 1024)}
        with pytest.raises(MCPError, match="larger than 16 MiB"):
            await client.call_tool("memory_ingest", huge)
        large = {"items": [{**GOOD, "content": "y" * 1_000_000}, GOOD]}
        rows = answer_of(await client.call_tool("memory_ingest", large))["outcomes"]
        assert [row["status"] for row in rows] == ["rejected", "captured"]
        assert len(rows[0]["error"]) < 300


async def test_a_vault_without_a_project_takes_the_clients_name(
    tmp_path: Path, context: Context
) -> None:
    create_vault(tmp_path / "vault")
    async with connected(tmp_path / "vault") as client:
        answer_of(await client.call_tool("memory_ingest", GOOD))
    (proposal,) = Workspace.open(tmp_path / "vault", context).proposals.values()
    assert proposal.scopes == ("project:test-client-1",)
