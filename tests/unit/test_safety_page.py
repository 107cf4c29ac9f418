"""docs/safety.md names tests that exist, and leaves no promise without one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/safety.md").read_text(encoding="utf-8")
NAMED = sorted(set(re.findall(r"`([a-z_]+/[a-z_]+\.py)(?:::(test_\w+))?`", PAGE)))
ROWS = [
    line
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| promise ")
]


def test_the_page_names_tests() -> None:
    assert len(NAMED) > 40


@pytest.mark.parametrize(("file", "test"), NAMED)
def test_a_named_test_exists(file: str, test: str) -> None:
    source = (ROOT / "tests" / file).read_text(encoding="utf-8")
    if test:
        assert re.search(rf"^(?:async )?def {test}\(", source, re.MULTILINE)


@pytest.mark.parametrize("row", ROWS)
def test_every_promise_has_a_test_and_a_figure(row: str) -> None:
    promise, tests, figure = (cell.strip() for cell in row.strip("| ").split(" | "))
    assert promise
    assert figure
    assert re.search(r"`[a-z_]+/[a-z_]+\.py", tests)
