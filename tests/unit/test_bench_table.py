"""The page of figures: what is put into it, and when a goal counts as met."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.table import BEGIN, END, figures, is_met, main

DOCUMENT = Path(__file__).parents[2] / "docs" / "figures.md"

SAMPLE: dict[str, Any] = {
    "schema": "proofstone/bench/1",
    "machine": "CPython 3.11.7, 2 cores",
    "results": {
        "opening": [
            {"figure": "reopened, s", "baseline": 0.43, "measured": 0.6, "ratio": 1.4,
             "goal": "<= 1.5"},
            {"figure": "memory | MB", "baseline": "", "measured": 1220, "ratio": "",
             "goal": "<= 1,000 MB"},
        ],
        "stores": [{"figure": "a store, MB", "measured": 40}],
    },
}  # fmt: skip


def row(goal: str, ratio: object = "", measured: object = "", **more: object) -> dict[str, object]:
    """A row that has these."""
    return {
        "figure": "f",
        "baseline": 1,
        "goal": goal,
        "ratio": ratio,
        "measured": measured,
        **more,
    }


MET = [
    # A ratio that stands in words counts as its number, and not the seconds beside it.
    (row("<= 1.5", "0.97", 17.2), True),
    (row("<= 1.5", "1.61", 0.4), False),
    (row(">= 100 x", "100.5 x faster", 1.3), True),
    (row(">= 100 x", "1,099.5 x faster", 1.3), True),
    (row(">= 100 x", "82.1 x faster", 1.3), False),
    (row("<= 1.5", 1.5), True),
    (row("<= 1.5", 1.51), False),
    (row(">= 6 x", 5.9, 100), False),
    (row(">= 6 x", 6), True),
    (row("flat: <= 1.25 x", 1.1), True),
    (row("<= 35 ms", 300, 34.9), True),
    (row("<= 35 ms", 0.1, 36), False),
    (row("<= 1,000 MB", "", 999), True),
    (row("<= 5 s, <= 1.2 x linear", 1.1, 4), True),
    (row("<= 5 s, <= 1.2 x linear", 1.3, 4), False),
    (row("<= 5 s, <= 1.2 x linear", 1.1, 6), False),
    (row("1.0", 1.0, 200), True),
    (row("1.0", 0.99, 198), False),
    (row("<= 1.1", "", 1.2), False),
    (row("", 3, 4), None),
    (row(">= 2.5 x, equal units", 3), None),
    (row(">= 2.5 x, equal units", 3, met=False), False),
    (row(">= 6 x", None), None),
    ({"figure": "f", "measured": 4}, None),
]


@pytest.mark.parametrize(("told", "met"), MET)
def test_a_goal_is_met_by_the_number_that_it_bounds(told: dict[str, Any], met: bool | None) -> None:
    assert is_met(told) is met


def test_the_figures_stand_beside_their_goals() -> None:
    assert figures(SAMPLE) == (
        "Measured on: CPython 3.11.7, 2 cores. 1 of 2 goals are met; 1 figure has none.\n"
        "\n### opening\n\n"
        "| what | baseline | figure | ratio | goal | met |\n"
        "|---|---:|---:|---:|---|---|\n"
        "| reopened, s | 0.43 | 0.6 | 1.4 | ≤ 1.5 | yes |\n"
        "| memory \\| MB | – | 1,220 | – | ≤ 1,000 MB | **no** |\n"
        "\n### stores\n\n"
        "| what | baseline | figure | ratio | goal | met |\n"
        "|---|---:|---:|---:|---|---|\n"
        "| a store, MB | – | 40 | – | – | – |\n"
    )


def test_the_page_of_the_documents_takes_them_in_and_keeps_its_words(tmp_path: Path) -> None:
    results, page = tmp_path / "results.json", tmp_path / "figures.md"
    results.write_text(json.dumps(SAMPLE), encoding="utf-8")
    before = DOCUMENT.read_text(encoding="utf-8")
    page.write_text(before, encoding="utf-8")
    for _ in range(2):
        assert main([str(results), "--into", str(page)]) == 0
        after = page.read_text(encoding="utf-8")
        assert after == (
            before.split(BEGIN)[0] + f"{BEGIN}\n{figures(SAMPLE)}{END}" + before.split(END)[1]
        )


@pytest.mark.parametrize(
    ("results", "page", "says"),
    [
        ("{}", f"{BEGIN}\n{END}", "proofstone/bench/1"),
        ("no JSON", f"{BEGIN}\n{END}", "results.json"),
        (json.dumps(SAMPLE), "no marks", "needs one line"),
        (json.dumps(SAMPLE), f"{END}\n{BEGIN}", "needs one line"),
        (json.dumps(SAMPLE), f"{BEGIN}\n{BEGIN}\n{END}", "needs one line"),
    ],
)
def test_what_is_wrong_is_one_line_and_no_page_changes(
    results: str, page: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made, into = tmp_path / "results.json", tmp_path / "page.md"
    made.write_text(results, encoding="utf-8")
    into.write_text(page, encoding="utf-8")
    assert main([str(made), "--into", str(into)]) == 2
    told = capsys.readouterr().err
    assert says in told
    assert told.count("\n") == 1
    assert into.read_text(encoding="utf-8") == page
