"""The taint scanner on the labelled sentences of ``tests/data/taint`` (spec page 4, Taint).

The baseline is a scanner of five words ("ignore", "system", "trusted", "send", "tool"), so that one
sees what the rules are worth. ``tests/data/taint/README.md`` says which sets the rules were fitted
to, and what they scored before that.
"""

from __future__ import annotations

import json
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

from proofstone.domain import taint

DATA = Path(__file__).parent.parent / "tests" / "data" / "taint"
PRECISION_GOAL = 0.97
RECALL_GOAL = 0.85
ROUNDS = 5
_WORDS = re.compile(r"ignore|system|trusted|send|tool", re.IGNORECASE)


def run() -> list[dict[str, object]]:
    """Precision and recall per set and over all, and the speed on harmless text."""
    rows: list[dict[str, object]] = []
    everything: list[tuple[str, bool]] = []
    for path in sorted(DATA.glob("*.jsonl")):
        sentences = _sentences(path)
        everything += sentences
        rows += _figures(path.stem, sentences)
    rows += _figures("all sets", everything)
    text = " ".join(sentence for sentence, is_hostile in everything if not is_hostile)
    rows.append(_speed(text))
    return rows


def _sentences(path: Path) -> list[tuple[str, bool]]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [(row["text"], row["hostile"]) for row in map(json.loads, lines)]


def _figures(name: str, sentences: list[tuple[str, bool]]) -> list[dict[str, object]]:
    base = _measure(sentences, lambda text: bool(_WORDS.search(text)))
    ours = _measure(sentences, lambda text: bool(taint.scan(text)))
    goals = (PRECISION_GOAL, RECALL_GOAL)
    return [
        {
            "figure": f"taint {what}, {name} ({len(sentences)} sentences)",
            "baseline": round(before, 3),
            "measured": round(now, 3),
            "ratio": round(now / before, 2) if before else None,
            "goal": f">= {goal}",
            "met": now >= goal,
        }
        for what, before, now, goal in zip(("precision", "recall"), base, ours, goals, strict=True)
    ]


def _measure(
    sentences: list[tuple[str, bool]], is_flagged: Callable[[str], bool]
) -> tuple[float, float]:
    flagged = [is_hostile for text, is_hostile in sentences if is_flagged(text)]
    hostile = sum(is_hostile for _, is_hostile in sentences)
    return sum(flagged) / len(flagged) if flagged else 0.0, sum(flagged) / hostile


def _speed(text: str) -> dict[str, object]:
    def seconds(work: Callable[[], object]) -> float:
        times = []
        for _ in range(ROUNDS):
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        return statistics.median(times)

    folded = seconds(lambda: text.casefold().split())
    scanned = seconds(lambda: taint.scan(text))
    return {
        "figure": f"taint scan of {len(text)} harmless characters, ms per 1,000 (baseline: split)",
        "baseline": round(folded / len(text) * 1e6, 3),
        "measured": round(scanned / len(text) * 1e6, 3),
        "ratio": round(scanned / folded, 1) if folded else None,
        "goal": "",
    }
