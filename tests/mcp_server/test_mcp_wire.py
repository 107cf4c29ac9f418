"""The server against clients that break the protocol, and against being killed (page 4 and 8)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from proofstone.curation.capture import capture
from proofstone.curation.check import check
from proofstone.curation.context import Context
from proofstone.curation.workspace import Workspace
from proofstone.vault.create import create_vault

PROGRAM = "from proofstone.cli.main import main; main()"
PATIENCE = 120.0
"""Seconds after which a server that does not answer is killed, so that the test fails."""


class Wire:
    """A server process, spoken to byte by byte."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        assert process.stdin and process.stdout
        self._in, self._out = process.stdin, process.stdout
        self._next = 0

    def send(self, line: bytes) -> None:
        self._in.write(line + b"\n")
        self._in.flush()

    def read(self) -> dict[str, Any]:
        line = self._out.readline()
        assert line, "the server has ended"
        answer = json.loads(line)
        assert isinstance(answer, dict)
        return answer

    def request(self, method: str, params: dict[str, Any]) -> int:
        self._next += 1
        message = {"jsonrpc": "2.0", "id": self._next, "method": method, "params": params}
        self.send(json.dumps(message).encode())
        return self._next

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        asked = self.request("tools/call", {"name": name, "arguments": arguments})
        answer = self.read()
        assert answer["id"] == asked, answer
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def greet(self) -> None:
        client = {"name": "raw", "version": "1"}
        opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        asked = self.request("initialize", opening)
        assert self.read()["id"] == asked
        self.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')


@contextmanager
def server(vault: Path) -> Iterator[Wire]:
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "mcp", str(vault)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(os.environ),
    )
    watchdog = threading.Timer(PATIENCE, process.kill)
    watchdog.start()
    try:
        yield Wire(process)
    finally:
        watchdog.cancel()
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                continue


def batch(count: int) -> list[dict[str, Any]]:
    return [
        {"content": f"Fact {n} of the flight log, gate {n % 7}", "source": "log", "anchor": f"#{n}"}
        for n in range(count)
    ]


def test_what_was_asked_is_answered_though_nothing_more_arrives(tmp_path: Path) -> None:
    create_vault(tmp_path / "vault")
    with server(tmp_path / "vault") as wire:
        wire.greet()
        asked = [
            wire.request(
                "tools/call", {"name": "memory_ingest", "arguments": {"items": batch(40)}}
            ),
            *(
                wire.request("tools/call", {"name": "memory_pending", "arguments": {}})
                for _ in range(5)
            ),
        ]
        # Whoever takes a request back waits for no answer, and the server must not either.
        wire.send(
            b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": %d}}'
            % asked.pop()
        )
        rest, _ = wire.process.communicate()
    answered = {answer["id"]: answer for answer in map(json.loads, rest.splitlines())}
    assert set(asked) <= set(answered)
    assert answered[asked[-1]]["result"]["structuredContent"]["open"] == 40


MALFORMED = (
    b"{",
    b"not json at all",
    b"\xff\xfe\x00",
    b"[" * 50_000,
    b"[]",
    b"null",
    b'{"jsonrpc": "2.0"}',
    b'{"jsonrpc": "1.0", "id": 1, "method": "ping"}',
    b'{"jsonrpc": "2.0", "id": 9, "method": 7}',
    b'{"jsonrpc": "2.0", "id": 9, "method": "ping", "params": "\\ud800"}',
)


def test_malformed_frames_are_answered_and_survived(demo_vault: Path) -> None:
    with server(demo_vault) as wire:
        for frame in MALFORMED[:4]:
            wire.send(frame)
            assert wire.read()["error"]["code"] == -32700
        wire.greet()
        for frame in MALFORMED:
            wire.send(frame)
            assert "error" in wire.read()
        wire.send(b"")
        wire.send(b"   ")
        result = wire.call("memory_pending", {})
        assert result["structuredContent"]["open"] > 0


def test_a_line_without_end_is_thrown_away_and_told(demo_vault: Path) -> None:
    with server(demo_vault) as wire:
        wire.greet()
        head = b'{"jsonrpc": "2.0", "id": "big", "method": "tools/call", "params": "'
        wire.send(head + b"y" * (40 * 1024 * 1024))
        answer = wire.read()
        assert answer["id"] == "big"
        assert "16 MiB" in answer["error"]["message"]
        assert wire.call("memory_pending", {})["structuredContent"]["open"] > 0


def test_wrong_shapes_inside_a_call_end_nothing(demo_vault: Path) -> None:
    deep: Any = "x"
    for _ in range(150):
        deep = [deep]
    with server(demo_vault) as wire:
        wire.greet()
        for params in (
            {"name": 3},
            {},
            {"name": "memory_search", "arguments": [1]},
            {"name": "memory_ingest", "arguments": None},
            {"name": "memory_ingest", "arguments": {"items": [deep, None, 1e308]}},
            {"name": "memory_ingest", "arguments": {"items": [{"content": deep}]}},
            {"name": "\x1b[2J\n", "arguments": {}},
        ):
            asked = wire.request("tools/call", params)
            answer = wire.read()
            assert answer["id"] == asked
            assert "\x1b" not in json.dumps(answer, ensure_ascii=False)
        assert wire.call("memory_pending", {})["structuredContent"]["open"] > 0


def test_leaving_in_the_middle_of_a_line_ends_the_server_quietly(demo_vault: Path) -> None:
    with server(demo_vault) as wire:
        wire.greet()
        assert wire.process.stdin is not None
        wire.process.stdin.write(b'{"jsonrpc": "2.0", "id": 5, "meth')
        wire.process.stdin.close()
        assert wire.process.wait(PATIENCE) == 0


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_a_server_killed_in_a_capture_leaves_all_of_it_or_none(
    tmp_path: Path, context: Context, share: float
) -> None:
    vault = tmp_path / "vault"
    create_vault(vault)
    items = batch(120)
    with server(vault) as wire:
        wire.greet()
        wire.request("tools/call", {"name": "memory_ingest", "arguments": {"items": items}})
        # Killed when some of the files are there, under whatever names; or just after it is done.
        while len(list((vault / "proposals").iterdir())) < share * len(items):
            if (vault / "_state" / "proofstone" / "journal.jsonl").is_file() and not share:
                break
        wire.process.kill()
        wire.process.wait()
    workspace = Workspace.open(vault, context)
    assert len(workspace.proposals) in (0, len(items))
    assert {problem.code for problem in workspace.problems} <= {"recovered_ruling"}
    answer = capture(vault, {"items": items}, context)
    assert answer["captured"] + answer["deduped"] == len(items)
    workspace = Workspace.open(vault, context)
    assert sorted(p.statement for p in workspace.proposals.values()) == sorted(
        item["content"] for item in items
    )
    assert check(workspace) == ()
    leftovers = [p for p in vault.rglob("*") if p.name.endswith(".tmp")]
    assert leftovers == []
