"""Every fault of an endpoint, what comes of it, and what the vault holds afterwards.

``python -m tests.gate.faults`` runs each against a fresh copy of the demo vault and prints the
table; the tests take the same lists.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from proofstone.curation.context import Context
from proofstone.curation.demo import DEMO_AUTHOR, DEMO_NOW
from proofstone.curation.gate_results import Outcome, TurnResult
from proofstone.curation.gate_run import run_turns
from proofstone.curation.workspace import Workspace
from tests.conftest import contents
from tests.gate import models, server
from tests.gate.conftest import FakeTime, settings_for
from tests.gate.server import Reply

DEMO_VAULT = Path(__file__).parents[2] / "demo-vault"
TURN = "claude-code/atlas-load#4"
"""The demo vault's turn that waits for the Gate. It has three units."""

GOOD: Sequence[tuple[str, tuple[Reply, ...], int]] = (
    ("whole", (server.whole(models.good),), 1),
    ("streamed", (server.streamed(models.good),), 1),
    ("streamed character by character", (server.streamed(models.good, size=1),), 1),
    ("streamed to a reason", (server.streamed(models.good, end="finish_reason"),), 1),
    (
        "no JSON mode",
        (
            server.only_without(
                "response_format", "response_format is not supported", server.whole(models.good)
            ),
        ),
        2,
    ),
    (
        "no JSON mode, said as 422 about json_object",
        (
            server.only_without(
                "response_format",
                "'json_object' is not one of 'text'",
                server.streamed(models.good),
                422,
            ),
        ),
        2,
    ),
    (
        "no streams",
        (server.only_without("stream", "you may not stream this", server.whole(models.good)),),
        2,
    ),
    (
        "neither",
        (
            server.only_without(
                "response_format",
                "json mode is off",
                server.only_without("stream", "stream: unknown", server.whole(models.good)),
            ),
        ),
        3,
    ),
    (
        "slow down twice",
        (
            server.status(429, b"", retry_after="2"),
            server.status(429, b"", retry_after="Fri, 27 Nov 2026 09:00:03 GMT"),
            server.whole(models.good),
        ),
        3,
    ),
)

REFUSED: Sequence[tuple[str, Reply, str]] = (
    ("fenced", server.whole(models.fenced), "invalid_json"),
    ("fenced, streamed", server.streamed(models.fenced), "invalid_json"),
    ("prose around it", server.whole(models.in_prose), "invalid_json"),
    ("cut short by its length", server.streamed(models.cut_short), "invalid_json"),
    ("a key twice", server.whole(models.with_a_key_twice), "invalid_json"),
    ("refused in words", server.whole(f"{models.MARK}: I cannot."), "invalid_json"),
    ("refused in its own field", server.whole(None, refusal=models.MARK), "empty_content"),
    ("nothing said", server.whole(""), "empty_content"),
    ("nothing streamed", server.streamed(""), "empty_content"),
    ("thoughts and no answer", server.whole(None, reasoning_content="{}"), "empty_content"),
    ("an invented unit", server.whole(models.invented_unit), "unknown_unit"),
    ("an invented quote", server.whole(models.invented_quote), "invalid_span"),
    ("another turn's event", server.whole(models.other_turn), "candidate_evidence"),
    ("an invented reason", server.whole(models.invented_reason), "invalid_reason"),
    ("a candidate that rules", server.whole(models.self_ratified), "unknown_fields"),
    ("rulings beside it", server.whole(models.with_rulings), "unknown_fields"),
    ("a lone surrogate", server.whole('{"candidates": "\ud800"}'), "invalid_json"),
)

QUOTA = {"code": "insufficient_quota", "message": "You exceeded your quota"}
FAILED: Sequence[tuple[str, tuple[Reply, ...], str, int]] = (
    ("500", (server.status(500, b"<html>oh no</html>"),), "HTTP 500", 1),
    ("503 that says when", (server.status(503, b"", retry_after="1"),), "HTTP 503", 1),
    ("401", (server.status(401, {"code": "invalid_api_key"}),), "let us in", 1),
    ("404", (server.status(404, {"code": "model_not_found"}),), "model_not_found", 1),
    ("400", (server.status(400, {"code": "context_length_exceeded"}),), "context_length", 1),
    ("400 about a thing not asked", (server.status(400, {"message": "max_tokens"}),), "400", 1),
    (
        "JSON mode refused even when it was not asked for",
        (server.status(400, {"message": "response_format"}),),
        "HTTP 400",
        2,
    ),
    ("redirected", (server.status(307, b"", location="http://127.0.0.1:9/v1"),), "elsewhere", 1),
    ("cut before any answer", (server.cut_before_any_answer,), "cut", 1),
    ("cut in the body", (server.cut_in_the_body,), "cut", 1),
    ("cut in the stream", (server.cut_in_the_stream,), "cut", 1),
    ("a stream that only ends", (server.streamed(models.good, end=""),), "cut", 1),
    ("an error in the stream", (server.streamed("", end='{"error": {"code": 1}}'),), "error", 1),
    ("a page", (server.status(200, b"<html></html>"),), "no chat completion", 1),
    ("another JSON", (server.status(200, b'{"object": "list"}'),), "no chat completion", 1),
    ("no UTF-8", (server.status(200, b'{"choices": "\xff"}'),), "no chat completion", 1),
    ("deep JSON", (server.status(200, b"[" * 100_000),), "no chat completion", 1),
    ("far too much", (server.status(200, b" " * (8 * 1024 * 1024 + 1)),), "8 MiB", 1),
    ("slow down for ever", (server.status(429, b"", retry_after="0"),), "HTTP 429", 4),
    ("slow down, but not how long", (server.status(429, b""),), "HTTP 429", 4),
    ("slow down too long", (server.status(429, b"", retry_after="3600"),), "3600 s", 1),
    ("no credit", (server.status(429, QUOTA, retry_after="1"),), "credit", 1),
)

SLOW: Sequence[tuple[str, Reply]] = (
    ("nothing within the time limit", server.hold),
    ("a stream that stops within the time limit", server.trickle),
)

CORRECTED: Sequence[tuple[str, tuple[Reply, ...]]] = (
    ("units left out, then corrected", (server.whole(models.partial), server.whole(models.good))),
    ("units left out twice", (server.whole(models.partial_again),)),
    (
        "units left out, the correction fenced",
        (server.whole(models.partial), server.whole(models.fenced)),
    ),
    (
        "units left out, the correction cut",
        (server.whole(models.partial), server.cut_in_the_stream),
    ),
)


@dataclass(frozen=True)
class Row:
    """What came of one fault: outcome, the identifier or the reason, requests, files changed."""

    fault: str
    outcome: str
    said: str
    requests: int
    holds: str


def report(most: int | None = None) -> Iterator[Row]:
    """Run every fault, or the first ``most`` of each kind, each against a vault of its own."""
    for name, replies, _ in GOOD[:most]:
        yield _run(name, replies)
    for name, replies in CORRECTED:
        yield _run(name, replies)
    for name, reply, _ in REFUSED[:most]:
        yield _run(name, (reply,))
    for name, replies, _, _ in FAILED[:most]:
        yield _run(name, replies)
    for name, reply in SLOW[:most]:
        yield _run(name, (reply,), timeout=0.05)


def _run(fault: str, replies: Sequence[Reply], **settings: object) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(DEMO_VAULT, vault)
        workspace = Workspace.open(vault, Context(lambda: DEMO_NOW, DEMO_AUTHOR))
        before = contents(vault)
        with server.serving(*replies) as endpoint:
            (result,) = run_turns(
                workspace,
                [TURN],
                settings_for(endpoint.base_url, **settings),
                timing=FakeTime().timing if not settings else None,
            )
        return Row(
            fault,
            result.outcome.value,
            _said(result),
            len(endpoint.requests),
            _holds(before, contents(vault), workspace.reload()),
        )


def _said(result: TurnResult) -> str:
    if result.correction is not None:
        why = result.refusal.identifier if result.refusal else result.correction_why
        missing = len(result.missing_unit_ids)
        left = f"{missing} left open" if missing else "none left open"
        return f"correction {result.correction.value}, {left}{f': {why}' * bool(why)}"
    return result.refusal.identifier if result.refusal else result.why


def _holds(before: dict[str, bytes], now: dict[str, bytes], after: Workspace) -> str:
    """What is in the vault that was not there, in words; that nothing else changed is checked."""
    if now == before:
        return "nothing, to the byte"
    changed = {path for path in before if now.get(path) != before[path]}
    rooms = {path.split("/")[0] for path in now.keys() - before.keys()}
    assert changed <= {"_state/proofstone/journal.jsonl"}, changed
    record = after.turn(TURN).gate
    assert record is not None
    kept = [refusal.identifier for _, refusal in record.refusals]
    if record.answer is None:
        assert rooms <= {"gate", "_state"}, rooms
        return f"the identifier {', '.join(kept)}"
    rows, proposals = len(record.answer.coverage), len(after.queue) - _WAITING
    told = f"the answer ({rows} of 3 rows), {proposals} proposal"
    return f"{told}, the identifier {', '.join(kept)}" if kept else told


_WAITING = 19
"""The proposals that wait in the demo vault."""


def main() -> int:
    """Print the table; 1 when a call that failed left something, or an outcome is unexpected."""
    rows = list(report())
    heads = ("fault", "outcome", "requests", "the vault holds", "said")
    cells = [(r.fault, r.outcome, str(r.requests), r.holds, r.said) for r in rows]
    widths = [max(len(row[n]) for row in (heads, *cells)) for n in range(4)]
    for row in (heads, *cells):
        padded = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False))
        print("  ".join((*padded, row[4])))
    kept = [row for row in rows if row.outcome == Outcome.FAILED and row.holds[:7] != "nothing"]
    print(f"{len(rows)} faults; {len(kept)} left something that they should not have")
    return 1 if kept else 0


if __name__ == "__main__":
    sys.exit(main())
