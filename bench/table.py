"""``python -m bench.table FILE.json``: the figures of a run as Markdown, goal beside measured.

``--into PAGE`` puts them between the marks of a page instead of printing them; what else the page
says stays. Any benchmark's rows will do: each has ``figure``, ``measured`` and, where they make
sense, ``baseline``, ``ratio``, ``goal`` and ``met``. Where a row does not say itself whether its
goal is ``met``, the goal's words do: ``<= 1.5`` and ``>= 6 x`` bound the ratio (or what was
measured, where there is no ratio), ``<= 35 ms`` what was measured.
"""

from __future__ import annotations

import argparse
import json
import operator
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeGuard

SCHEMA = "proofstone/bench/1"
BEGIN, END = "<!-- figures:begin -->", "<!-- figures:end -->"
YES, NO, UNSAID = "yes", "**no**", "–"

_BOUND = re.compile(
    r"(?:[\w ]+:\s*)?(?P<sign><=|>=|≤|≥)?\s*(?P<number>\d[\d,]*(?:\.\d+)?)\s*(?P<unit>\S.*)?"
)
_SIGNS: Mapping[str, Callable[[float, float], bool]] = {
    "<=": operator.le,
    "≤": operator.le,
    ">=": operator.ge,
    "≥": operator.ge,
    "": operator.eq,
}
_TIMES = ("x", "×", "x linear", "× linear")
"""Units that say that a ratio is bounded."""

Row = Mapping[str, Any]


class ResultsError(ValueError):
    """The results, or the page that they go into, are not what they should be."""


def figures(results: Mapping[str, Any]) -> str:
    """The results of a run as Markdown: what it ran on, the goals met, a table a benchmark.

    Raises:
        ResultsError: these are no results of ``python -m bench``.
    """
    if results.get("schema") != SCHEMA:
        raise ResultsError(f"its schema is not {SCHEMA}")
    told = [is_met(row) for rows in results["results"].values() for row in rows]
    judged = [met for met in told if met is not None]
    free = len(told) - len(judged)
    lines = [
        f"Measured on: {results['machine']}. {sum(judged)} of {len(judged)} goals are met; "
        f"{free} {'figure has' if free == 1 else 'figures have'} none.",
    ]
    for name, rows in results["results"].items():
        lines += ["", f"### {name}", "", *_table(rows)]
    return "\n".join(lines) + "\n"


def is_met(row: Row) -> bool | None:
    """Whether a figure meets its goal; None where it has none, or one that is not a number's."""
    if isinstance(row.get("met"), bool):
        return bool(row["met"])
    bounds = [_is_within(part.strip(), row) for part in _parts(str(row.get("goal") or ""))]
    if not bounds or None in bounds:
        return None
    return all(bounds)


def _parts(goal: str) -> list[str]:
    """The parts of a goal such as ``<= 5 s, <= 1.2 x linear``; a number's comma parts nothing."""
    return [part for part in re.split(r",(?!\d{3}\b)", goal) if part.strip()]


def _is_within(bound: str, row: Row) -> bool | None:
    found = _BOUND.fullmatch(bound)
    if not found:
        return None
    limit = float(found["number"].replace(",", ""))
    unit = (found["unit"] or "").strip()
    ratio, measured = _leading_number(row.get("ratio")), row.get("measured")
    value = ratio if unit in _TIMES or (not unit and _is_number(ratio)) else measured
    return _SIGNS[found["sign"] or ""](value, limit) if _is_number(value) else None


def _leading_number(value: object) -> object:
    """The number that a ratio in words begins with, such as ``7.6 x faster``."""
    found = re.match(r"[0-9][0-9,]*(?:\.[0-9]+)?", value) if isinstance(value, str) else None
    return float(found[0].replace(",", "")) if found else value


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _table(rows: Sequence[Row]) -> Iterator[str]:
    yield "| what | baseline | figure | ratio | goal | met |"
    yield "|---|---:|---:|---:|---|---|"
    for row in rows:
        met = is_met(row)
        cells = (
            row.get("figure"),
            row.get("baseline"),
            row.get("measured"),
            row.get("ratio"),
            row.get("goal"),
            UNSAID if met is None else YES if met else NO,
        )
        yield f"| {' | '.join(map(_cell, cells))} |"


def _cell(value: object) -> str:
    if value is None or value == "":
        return UNSAID
    if _is_number(value):
        return f"{value:,}"
    text = " ".join(str(value).split()).replace("|", "\\|").replace("<=", "≤").replace(">=", "≥")
    return text.replace("<", "&lt;")


def put_into(page: str, made: str) -> str:
    """``page`` with ``made`` between its marks.

    Raises:
        ResultsError: the marks are not there, once each and in order.
    """
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end) or BEGIN in rest or END in after:
        raise ResultsError(f"it needs one line {BEGIN} and, below it, one line {END}")
    return f"{before}{BEGIN}\n{made}{END}{after}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, or put them into a page."""
    parser = argparse.ArgumentParser(prog="python -m bench.table", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE.json")
    parser.add_argument("--into", type=Path, metavar="PAGE")
    asked = parser.parse_args(arguments)
    at_fault = asked.file
    try:
        made = figures(json.loads(asked.file.read_text(encoding="utf-8")))
        if asked.into is None:
            print(made, end="")
            return 0
        at_fault = asked.into
        page = put_into(asked.into.read_text(encoding="utf-8"), made)
        asked.into.write_text(page, encoding="utf-8")
    except (OSError, ValueError, KeyError) as error:
        print(f"bench.table: {at_fault}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
