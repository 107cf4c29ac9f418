"""Pages of the documents that are made from the program are up to date."""

from __future__ import annotations

from pathlib import Path

import pytest

from proofstone.tui.pages import MEANING, PAGES
from proofstone.tui.themes import COLOURS


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_up_to_date(name: str) -> None:
    page = Path(__file__).parents[2] / "docs" / f"{name}.md"
    assert page.read_text(encoding="utf-8") == PAGES[name](), (
        f"run python -m proofstone.tui.pages {name} > docs/{name}.md"
    )


def test_every_colour_is_explained() -> None:
    assert set(MEANING) == set(COLOURS)
