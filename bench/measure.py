"""What the benchmarks share: repeated timing, and rows beside their goals."""

from __future__ import annotations

import gc
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from time import perf_counter

RUNS = 5


def seconds(work: Callable[[], object], runs: int = RUNS) -> float:
    """The median time of ``runs`` runs of ``work``."""
    times: list[float] = []
    for _ in range(runs):
        gc.collect()
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return statistics.median(times)


def in_turn(*works: Callable[[], object], runs: int = RUNS) -> tuple[float, ...]:
    """The median times of several works, done in turn so that a busy moment meets them all."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for work, measured in zip(works, times, strict=True):
            gc.collect()
            start = perf_counter()
            work()
            measured.append(perf_counter() - start)
    return tuple(map(statistics.median, times))


def row(
    figure: str, baseline: float, measured: float, goal: str, *, faster: bool = False
) -> dict[str, object]:
    """A row in seconds: how many times the baseline, or how many times faster than it."""
    ratio = f"{baseline / measured:.1f} x faster" if faster else f"{measured / baseline:.2f}"
    return {
        "figure": figure,
        "baseline": round(baseline, 4),
        "measured": round(measured, 4),
        "ratio": ratio,
        "goal": goal,
    }


def exponent(sizes: tuple[int, ...], times: list[float]) -> float:
    """How time grows with size: 1 is linear, 2 quadratic. From the first and the last size."""
    import math

    return math.log(times[-1] / times[0]) / math.log(sizes[-1] / sizes[0])


def python(code: str, *arguments: str) -> str:
    """What a fresh Python prints that runs ``code``."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    return done.stdout
