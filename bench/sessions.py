"""Capturing a session file of 200 MB (spec page 9).

The file is made from a seed in the shape of Claude Code's: most of its bytes are tool results
(each twice), hidden reasoning, file snapshots and bookkeeping, as in real ones. The baseline is
reading the same file and ``json.loads`` of each line, in the same run; the measured time is the
whole command's work: reading, masking secrets, writing durable inbox files. Memory is the peak of
a process of its own.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from time import process_time

from proofstone.curation.context import Context
from proofstone.curation.sessions import SessionCapture
from proofstone.vault.create import create_vault

MEGABYTES = int(os.environ.get("PROOFSTONE_BENCH_SESSION_MB", "200"))
RUNS = 3
GOAL = 1.5
GOAL_MEMORY_MB = 100

_SEED = 20261120
_TEXT = (
    "the of and to in is that it was for on are as with they be at this have from or by not but"
    " what all were when we there can an your which their said if do will each about how up out"
    " them then many some so these would other into has more her two like him see time could no"
    " make than first been its who now people my made over did down only way find use test build"
    " release branch commit deploy config parse value index cache query thread"
)
_WORDS = tuple(_TEXT.split())
_CALLS = 30
"""Tool calls in a turn."""
_SCREENSHOT = 120_000
_FILE = 16_000
"""An edit's record holds the whole file as it was."""
_SUSPECT = 200
"""One line of code in so many gives a value to a token."""
_SECRET = 4_000
"""One line in so many has a secret in it."""
_MEMORY_PROGRAM = """
import resource, sys
from pathlib import Path
from bench.sessions import capture
capture(Path(sys.argv[1]), Path(sys.argv[2]))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)
"""


def run() -> list[dict[str, object]]:
    """Rows of figure, baseline, measured, ratio and goal; times in seconds of CPU, memory in MB."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        session = place / "session.jsonl"
        size = write_session(session, MEGABYTES * 1_000_000)
        rounds = [(_baseline(session), _fresh(session, place / f"vault-{n}")) for n in range(RUNS)]
        rounds.sort(key=lambda pair: pair[1] / pair[0])
        baseline, measured = rounds[RUNS // 2]
        again = _timed(lambda: capture(session, place / "vault-0"))
        with session.open("ab") as stream:
            stream.write(b"".join(_turn(random.Random(1), 10**6)))
        grown = _timed(lambda: capture(session, place / "vault-0"))
        memory = _peak(session, place / "vault-memory")
    what = f"session file of {size / 1e6:,.0f} MB"
    return [
        _row(what, baseline, measured, f"<= {GOAL} x"),
        _row(f"{what}, nothing new", baseline, again, ""),
        _row(f"{what}, one turn more", baseline, grown, ""),
        {
            "figure": f"{what}, peak memory in MB",
            "baseline": "",
            "measured": memory,
            "ratio": "",
            "goal": f"<= {GOAL_MEMORY_MB}",
        },
    ]


def capture(session: Path, vault: Path) -> int:
    """Capture a session file; the number of turns written."""
    if not vault.exists():
        create_vault(vault)
    context = Context(clock=lambda: datetime(2026, 11, 27, tzinfo=UTC), author="bench", via="cli")
    return sum(report.turns for report in SessionCapture(vault, context).capture([session]))


def write_session(path: Path, size: int) -> int:
    """Write a session file of about ``size`` bytes; its true size."""
    chance = random.Random(_SEED)
    written = number = 0
    with path.open("wb") as stream:
        while written < size:
            for line in _turn(chance, number):
                written += stream.write(line)
            number += 1
    return written


def _baseline(session: Path) -> float:
    def read() -> None:
        with session.open("rb") as stream:
            for line in stream:
                json.loads(line)

    return _timed(read)


def _fresh(session: Path, vault: Path) -> float:
    return _timed(lambda: capture(session, vault))


def _timed(work: object) -> float:
    assert callable(work)
    started = process_time()
    work()
    return process_time() - started


def _peak(session: Path, vault: Path) -> int:
    done = subprocess.run(
        [sys.executable, "-c", _MEMORY_PROGRAM, str(session), str(vault)],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parent.parent,
    )
    return int(done.stdout)


def _row(figure: str, baseline: float, measured: float, goal: str) -> dict[str, object]:
    return {
        "figure": figure,
        "baseline": round(baseline, 3),
        "measured": round(measured, 3),
        "ratio": round(measured / baseline, 2),
        "goal": goal,
    }


def _turn(chance: random.Random, number: int) -> Iterator[bytes]:
    """The lines of one turn: a question, tool calls, an answer, and what is around them."""
    maker = _Lines(chance, number)
    yield maker.record("file-history-snapshot", snapshot={"backups": maker.code(3_000)})
    yield maker.record("user", message={"role": "user", "content": maker.prose(240)})
    for call in range(_CALLS):
        identity = f"toolu_{number:07}{call:03}"
        yield maker.said({"type": "thinking", "thinking": maker.prose(900), "signature": "E" * 400})
        if call % 4 == 0:
            yield maker.said({"type": "text", "text": maker.prose(200)})
        path = f"/home/mira/orion/src/module_{chance.randrange(900)}.py"
        is_edit = call % 4 == 3
        name = "Edit" if is_edit else "Read"
        yield maker.said(
            {"type": "tool_use", "id": identity, "name": name, "input": {"file_path": path}},
            "tool_use",
        )
        body = maker.code(600 if is_edit else chance.choice((300, 900, 2_500, 4_000, 9_000)))
        beside: dict[str, object] = {"type": "text", "file": {"filePath": path, "content": body}}
        if is_edit:
            beside = {"filePath": path, "newString": body, "originalFile": maker.code(_FILE)}
        part: dict[str, object] = {"tool_use_id": identity, "type": "tool_result", "content": body}
        if call == _CALLS - 1 and number % 2:
            data = chance.randbytes(_SCREENSHOT * 3 // 4).hex()[:_SCREENSHOT]
            image = {"type": "base64", "media_type": "image/png", "data": data}
            part["content"] = [{"type": "image", "source": image}]
        yield maker.record(
            "user",
            message={"role": "user", "content": [part]},
            toolUseResult=beside,
        )
    yield maker.said({"type": "text", "text": maker.prose(1_200)}, "end_turn")
    yield maker.record("system", subtype="turn_duration", durationMs=chance.randrange(90_000))


class _Lines:
    """Makes records and their texts."""

    def __init__(self, chance: random.Random, number: int) -> None:
        self._chance = chance
        self._number = number
        self._count = 0

    def prose(self, length: int) -> str:
        words = self._chance.choices(_WORDS, k=length // 6)
        return " ".join(words).capitalize() + "."

    def code(self, length: int) -> str:
        chance = self._chance
        lines = []
        for number in range(length // 45):
            name, other = chance.choices(_WORDS, k=2)
            indent = "    " * chance.randrange(3)
            if not chance.randrange(_SUSPECT):
                name, other = "api", "token"
            line = f"{indent}{name}_{other} = self.{other}({name}, {number})  # {name}"
            if not chance.randrange(_SECRET):
                line = f'{indent}"api_key": "{chance.randbytes(20).hex()}",'
            lines.append(line)
        return "\n".join(lines)

    def said(self, part: dict[str, object], stop: str | None = None) -> bytes:
        message = {
            "id": f"msg_{self._number:08}",
            "type": "message",
            "role": "assistant",
            "model": "claude-sonnet-4-6",
            "content": [part],
            "stop_reason": stop,
            "usage": {"input_tokens": 4, "cache_read_input_tokens": 118_200, "output_tokens": 210},
        }
        return self.record("assistant", message=message, requestId="req_011CUx")

    def record(self, kind: str, **fields: object) -> bytes:
        self._count += 1
        record = {
            "parentUuid": f"{self._number:08x}-0000-4000-8000-{self._count - 1:012x}",
            "isSidechain": False,
            "userType": "external",
            "cwd": "/home/mira/orion",
            "sessionId": "7d0a1c52-4b1e-4f0e-9a51-3f7f2f6f8a10",
            "version": "2.0.74",
            "gitBranch": "main",
            "type": kind,
            **fields,
            "uuid": f"{self._number:08x}-0000-4000-8000-{self._count:012x}",
            "timestamp": "2026-11-20T09:00:00.120Z",
        }
        return json.dumps(record, separators=(",", ":")).encode() + b"\n"
