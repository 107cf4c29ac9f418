"""What a key costs in the workbench, in a pseudo-terminal of 120x40.

Bytes that a key writes to the terminal, on the demo vault: the baseline is the same workbench when
everything that Textual paints is let through. Then processor time for each key, with many rows and
with few: the baseline is the same key where there are 100. Keys are pressed in the two workbenches
in turn, so that a busy moment meets both. The time to the last byte is a 95th percentile.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from bench import data
from bench.terminal import ESCAPE, WORKBENCH, Cost, Workbench, median
from proofstone.curation.demo import copy_demo

FEW, MEMORIES, PROPOSALS, UNITS = 100, 100_000, 50_000, 10_000
KEYS = 40
"""Presses of which the figures of processor time are taken."""

BYTES_GOAL, CPU_GOAL, PAINT_GOAL, STEP_GOAL = 4_000, 1.2, 0.050, 0.050
UNSPARED = (
    "import proofstone.tui.terminal_app as terminal; terminal.thrifty_driver = lambda base: base; "
    + WORKBENCH
)
DOWN, UP = "j", "k"
READY = " waiting"
"""What the header says once the queue is there."""


class Keys(NamedTuple):
    """Keys to measure, after others that lead there."""

    name: str
    lead: Sequence[str]
    pressed: Sequence[str]
    is_move: bool = True
    """Whether the goal for a cursor move is its goal."""


def moves(times: int) -> list[str]:
    """Down and up again."""
    return [*DOWN * times, *UP * times]


ON_DEMO = (
    Keys("queue j/k (other panes follow)", ("2", "g"), moves(12)),
    Keys("evidence j/k", ("3", "g"), moves(4)),
    Keys("gate j/k", ("4", "g"), moves(4)),
    Keys("focus by tab", (), ["\t"] * 14),
    Keys("memories j/k", ("M", "g"), moves(6)),
    Keys("log j/k", (ESCAPE, "L", "g"), moves(6)),
    Keys("palette opened", (ESCAPE,), ["\x10"], is_move=False),
)


def run() -> list[dict[str, object]]:
    """Bytes for each key, then processor time beside few rows."""
    with tempfile.TemporaryDirectory() as folder:
        rows = list(_bytes(copy_demo(Path(folder) / "demo-vault")))
        rows += _memories()
        rows += _queue(Path(folder))
        rows += _turn(Path(folder))
    return rows


# Bytes


def _bytes(vault: Path) -> Iterator[dict[str, object]]:
    with _opened(vault) as spared, _opened(vault, UNSPARED) as unspared:
        for keys in ON_DEMO:
            ours, whole = (_pressed(bench, keys) for bench in (spared, unspared))
            written, most = median(ours).written, max(cost.written for cost in ours)
            baseline = median(whole).written
            yield {
                "figure": f"bytes a key: {keys.name}, unspared -> median (most {most:,})",
                "baseline": baseline,
                "measured": written,
                "ratio": f"{written / baseline:.2f}" if baseline else "",
                "goal": f"<= {BYTES_GOAL:,} bytes" if keys.is_move else "",
                **({"met": written <= BYTES_GOAL} if keys.is_move else {}),
            }


def _pressed(bench: Workbench, keys: Keys) -> list[Cost]:
    for key in keys.lead:
        bench.press(key)
    return [bench.press(key) for key in keys.pressed]


# Processor time


def _memories() -> list[dict[str, object]]:
    few, many = data.vault(FEW), data.vault(MEMORIES)
    with _opened(few) as one, _opened(many) as other:
        return _compared(one, other, "memories j/k", f"{FEW} -> {MEMORIES:,} memories", ("M", "g"))


def _queue(folder: Path) -> list[dict[str, object]]:
    for name, number in (("few", FEW), ("many", PROPOSALS)):
        data.write_vault(folder / name, FEW, number)
    about = f"{FEW} -> {PROPOSALS:,} proposals"
    with _opened(folder / "few") as one, _opened(folder / "many") as other:
        return _compared(one, other, "queue j/k", about, ("2", "g"))


def _turn(folder: Path) -> list[dict[str, object]]:
    few, many = (_vault_with_turn(folder, number) for number in (FEW, UNITS))
    about = f"{FEW} -> {UNITS:,} units"
    with _opened(few) as one, _opened(many) as other:
        rows = _compared(one, other, "evidence j/k", about, ("1", "3", "g"))
        rows += _compared(one, other, "gate j/k", about, ("3", "0", "\r", "4", "g"))
        rows.append(_steps(one, other, about))
    return rows


def _steps(one: Workbench, other: Workbench, about: str) -> dict[str, object]:
    """A reason given for one unit after the other: a dialog opens, and enter decides."""
    decided: tuple[list[Cost], list[Cost]] = [], []
    for bench in (one, other):
        bench.press("3")
    for _ in range(KEYS // 4):
        for bench, costs in zip((one, other), decided, strict=True):
            bench.press("0")
            costs.append(bench.press("\r"))
    few, many = (median(costs).cpu for costs in decided)
    return {
        **_row(f"CPU of a step of a draft: {about}", few, many),
        "goal": f"<= {STEP_GOAL * 1e3:.0f} ms more",
        "met": many - few <= STEP_GOAL,
    }


def _compared(
    one: Workbench, other: Workbench, name: str, about: str, lead: Sequence[str]
) -> list[dict[str, object]]:
    """Processor time of moves with few and with many, and how soon the many are painted."""
    few: list[Cost] = []
    many: list[Cost] = []
    for bench in (one, other):
        for key in (*lead, *moves(3)):
            bench.press(key)
    for key in moves(KEYS // 2):
        few.append(one.press(key))
        many.append(other.press(key))
    painted = _high(few, lambda cost: cost.paint), _high(many, lambda cost: cost.paint)
    return [
        {
            **_row(f"CPU a key: {name}, {about}", median(few).cpu, median(many).cpu),
            "goal": f"<= {CPU_GOAL}",
        },
        {
            **_row(f"key to paint, 95th percentile: {name}, {about}", *painted),
            "goal": f"<= {PAINT_GOAL * 1e3:.0f} ms",
            "met": painted[1] <= PAINT_GOAL,
        },
    ]


def _row(figure: str, baseline: float, measured: float) -> dict[str, object]:
    return {
        "figure": figure,
        "baseline": round(baseline, 4),
        "measured": round(measured, 4),
        "ratio": f"{measured / baseline:.2f}",
    }


def _high(costs: Sequence[Cost], of: Callable[[Cost], float]) -> float:
    return sorted(map(of, costs))[len(costs) * 95 // 100]


# Workbenches and what they are opened on


@contextmanager
def _opened(vault: Path, code: str = WORKBENCH) -> Iterator[Workbench]:
    """A workbench whose queue is there, and which has come to rest."""
    with Workbench(vault, code=code) as bench:
        bench.wait_for(READY)
        bench.settle()
        yield bench


def _vault_with_turn(folder: Path, units: int) -> Path:
    """A vault with one captured turn of so many units."""
    said = " ".join(
        f"Rule number {number} says that the build of service {number * 7 % 1_000} waits for "
        f"check {number * 13 % 997}."
        for number in range(units)
    )
    messages = [{"role": "user", "content": said}, {"role": "assistant", "content": "Noted."}]
    session, vault = folder / f"{units}.json", folder / f"turn-{units}"
    session.write_text(json.dumps({"messages": messages}), encoding="utf-8")
    for command in (["init", str(vault)], ["sessions", "--final", str(vault), str(session)]):
        code = [sys.executable, "-c", WORKBENCH, *command]
        subprocess.run(code, check=True, capture_output=True)
    return vault
