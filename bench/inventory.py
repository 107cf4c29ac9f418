"""The evidence inventory against memleaf's ``analyze_turn_evidence`` (spec page 9).

Speeds are megabytes (UTF-8) per second of processor time, medians of five, both sides in turn on
the same text; the units of the two are compared. Growth is the exponent fitted to the times of
texts of 0.1 to 10 MB: 1 is linear; processor caches that no longer hold the units add a few
hundredths. The garbage collector rests meanwhile on both sides, as in ``timeit``: what it costs
depends on what else the process holds.
"""

from __future__ import annotations

import gc
import math
import random
import statistics
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from time import process_time

from memleaf.admission import analyze_turn_evidence

from proofstone.domain.conversation import Event, Role
from proofstone.domain.inventory import inventory

RUNS = 5
SPEED_GOAL = 2.5
GROWTH_GOAL = 1.1
SIZES_MB = (0.1, 0.3, 1.0, 3.0, 10.0)

_SEED = 20261127
_ENGLISH = (
    *("the", "to", "of", "and", "a", "in", "is", "it", "we", "that", "for", "on", "with", "as"),
    *("at", "be", "this", "are", "by", "from", "not", "or", "have", "when", "our", "build"),
    *("release", "Orion", "ships", "Tuesdays", "branch", "tests", "which", "pipeline", "review"),
    *("file", "config", "should", "weekly", "deploy", "owner", "before", "staging", "runner"),
    *("cache", "14:00", "v2.1", "1,250", "how", "example", "notes", "budget", "please", "list"),
    *("token", "schema", "index", "restart", "always", "never", "keep", "module", "src/app.py"),
    *("timeout", "region", "customer", "after", "merge", "rollback", "what", "metric", "alert"),
)
_CHINESE = (
    "的是在发布测试数据库缓存合并分支部署服务配置权限日志监控用户接口版本"
    "回滚备份每周请查询如何吗例不要"
)


def run() -> list[dict[str, object]]:
    """Rows of figure, baseline, measured, ratio and goal."""
    rows = [
        _speed(name, role, make(1_000_000))
        for name, make in TEXTS.items()
        for role in (Role.USER, Role.ASSISTANT)
    ]
    rows += [_growth(name, make) for name, make in (TEXTS | SHAPES).items()]
    return rows


def _speed(name: str, role: Role, text: str) -> dict[str, object]:
    event = Event(event_key="evt-1", role=role, content=text)
    mapping = {"event_key": "evt-1", "role": str(role), "content": text}
    ours: list[float] = []
    theirs: list[float] = []
    for _ in range(RUNS):
        theirs.append(_seconds(lambda: analyze_turn_evidence([mapping])))
        ours.append(_seconds(lambda: inventory([event])))
    equal = _ids(inventory([event])) == _ids(analyze_turn_evidence([mapping]))
    size = len(text.encode("utf-8")) / 1e6
    baseline = size / statistics.median(theirs)
    measured = size / statistics.median(ours)
    return {
        "figure": f"{name} as {role}, MB/s; {'equal units' if equal else 'UNITS DIFFER'}",
        "baseline": round(baseline, 2),
        "measured": round(measured, 2),
        "ratio": round(measured / baseline, 2),
        "goal": f">= {SPEED_GOAL:g} x, equal units",
        "met": equal and measured >= SPEED_GOAL * baseline,
    }


def _growth(name: str, make: Callable[[int], str]) -> dict[str, object]:
    logs: list[tuple[float, float]] = []
    for megabytes in SIZES_MB:
        text = make(int(megabytes * 1_000_000))
        event = Event(event_key="evt-1", role=Role.USER, content=text)
        work = partial(inventory, [event])
        repeats = RUNS if megabytes <= 1 else 1
        seconds = statistics.median(_seconds(work) for _ in range(repeats))
        logs.append((math.log(len(text)), math.log(seconds)))
    exponent = statistics.linear_regression(*zip(*logs, strict=True)).slope
    return {
        "figure": f"{name}, growth from {SIZES_MB[0]:g} to {SIZES_MB[-1]:g} MB (exponent)",
        "baseline": 1.0,
        "measured": round(exponent, 3),
        "ratio": round(exponent, 2),
        "goal": f"<= {GROWTH_GOAL:g}",
    }


def _seconds(work: Callable[[], object]) -> float:
    gc.collect()
    gc.disable()
    try:
        started = process_time()
        work()
        return process_time() - started
    finally:
        gc.enable()


def _ids(units: Iterable[object]) -> list[tuple[object, ...]]:
    names = ("unit_id", "origin", "start", "end", "text", "section_path", "syntax")
    return [tuple(getattr(unit, name) for name in names) for unit in units]


def _conversation(size: int) -> str:
    """English prose with bullets, headings, quotations, code, and a fifth in Chinese."""
    chance = random.Random(_SEED)
    weights = list(accumulate(1 / rank for rank in range(1, len(_ENGLISH) + 1)))
    lines: list[str] = []
    written = 0
    while written < size:
        line = chance.choice(("", "", "", "- ", "> ", "1. ", "## Notes: ", "  "))
        for _ in range(chance.randint(1, 4)):
            if chance.random() < 0.2:
                line += "".join(chance.choices(_CHINESE, k=chance.randint(6, 18)))
                line += chance.choice("。，；？")
            else:
                words = chance.choices(_ENGLISH, cum_weights=weights, k=chance.randint(5, 18))
                line += " ".join(words) + chance.choice((". ", ". ", ", ", "; ", "? "))
        if chance.random() < 0.05:
            line = f"```\n{line}\n```"
        lines.append(line)
        written += len(line.encode("utf-8")) + 1
    return "\n".join(lines)


def _repeated(piece: str) -> Callable[[int], str]:
    length = len(piece.encode("utf-8"))
    return lambda size: piece * (size // length)


TEXTS: dict[str, Callable[[int], str]] = {
    "conversation": _conversation,
    "sentences": _repeated("Orion ships on Tuesdays at 14:00. "),
    "Chinese": _repeated("猎户座改为周一发布，请帮我查询发布日期。"),
    "short lines": _repeated("- ok then\n"),
}
SHAPES: dict[str, Callable[[int], str]] = {
    "one clause": _repeated("orion "),
    "blank lines": _repeated("\n"),
    "commas": _repeated(","),
    "numbers without a colon": _repeated("1. "),
    "clauses found in bullets": _repeated("1. 1\n"),
}
