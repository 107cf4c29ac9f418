"""A whole vault read without an index, against ``python-frontmatter`` on the same files (page 9).

The baseline reads each file and gives its keys and its text; ours besides makes records, hashes
every file, and finds what is wrong. Growth is shown over three sizes of vault.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import frontmatter

from bench import data
from bench.measure import exponent, in_turn, row, seconds
from proofstone.vault.vault import Vault


def run() -> list[dict[str, object]]:
    """The time of reading, beside the baseline's, and how it grows."""
    rows: list[dict[str, object]] = []
    times: list[float] = []
    for size in data.SIZES:
        root = data.vault(size)
        shutil.rmtree(root / "_index", ignore_errors=True)
        if size == data.SIZES[-1]:
            # The slow baseline is taken once at this size; its time is proportional to the files.
            theirs, ours = (
                seconds(lambda r=root: _by_frontmatter(r), 1),
                seconds(lambda r=root: Vault(r).read()),
            )
        else:
            theirs, ours = in_turn(
                lambda r=root: _by_frontmatter(r), lambda r=root: Vault(r).read()
            )
        times.append(ours)
        goal = ">= 6 x" if size == data.SIZES[-1] else ""
        figure = f"whole vault of {size:,} notes read, s (baseline: python-frontmatter)"
        rows.append(row(figure, theirs, ours, goal, faster=True))
    rows.append(
        {
            "figure": "reading grows with the number of notes to the power of",
            "baseline": 1.0,
            "measured": round(exponent(data.SIZES, times), 2),
            "ratio": "",
            "goal": "<= 1.1",
        }
    )
    return rows


def _by_frontmatter(root: Path) -> None:
    for path in (root / "knowledge").iterdir():
        frontmatter.load(str(path))
