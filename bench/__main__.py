"""``python -m bench``: the figures of spec page 9, each beside its baseline in the same run.

Without arguments every benchmark runs; arguments name those that should. The table goes to the
screen, the same rows as JSON to ``bench/results.json``, after each benchmark, so that one that is
stopped takes no other's rows with it. Rows of benchmarks that were not asked for stay.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import platform
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results.json"
HELPERS = ("__init__", "__main__")
COLUMNS = ("figure", "baseline", "measured", "ratio", "goal")


def names() -> list[str]:
    """The benchmarks: every module of this folder that has a ``run``."""
    return sorted(
        path.stem
        for path in HERE.glob("*.py")
        if path.stem not in HELPERS and "\ndef run(" in path.read_text(encoding="utf-8")
    )


def machine() -> str:
    """What the figures were measured on."""
    return f"{platform.python_implementation()} {platform.python_version()}, {os.cpu_count()} cores"


def table(rows: list[dict[str, object]]) -> str:
    """Rows as aligned columns."""
    cells = [[str(row.get(column, "")) for column in COLUMNS] for row in rows]
    widths = [max(len(line[i]) for line in (COLUMNS, *cells)) for i in range(len(COLUMNS))]
    lines = (COLUMNS, tuple("-" * width for width in widths), *cells)
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )


def main() -> int:
    """Run what was asked for."""
    known = names()
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(known)}")
    asked = parser.parse_args().names or known
    unknown = [name for name in asked if name not in known]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    if len(asked) > 1:
        # Each in a process of its own: what one leaves in memory would slow the next, and a child
        # of a large process counts as large itself.
        codes = [subprocess.call([sys.executable, "-m", "bench", name]) for name in asked]
        return int(any(codes))
    (name,) = asked
    results = measured_before()
    print(f"\n{name} ({machine()})", flush=True)
    rows = results[name] = importlib.import_module(f"bench.{name}").run()
    print(table(rows), flush=True)
    keep(results)
    return 0


def measured_before() -> dict[str, list[dict[str, object]]]:
    """The rows of an earlier run on such a machine; none when there was none."""
    try:
        report = json.loads(RESULTS.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return dict(report["results"]) if report.get("machine") == machine() else {}


def keep(results: dict[str, list[dict[str, object]]]) -> None:
    """Write the rows down, in the benchmarks' order."""
    ordered = {name: results[name] for name in names() if name in results}
    report = {"schema": "proofstone/bench/1", "machine": machine(), "results": ordered}
    text = json.dumps(report, ensure_ascii=False, indent=1, default=str)
    RESULTS.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
