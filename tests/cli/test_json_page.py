"""``docs/json.md`` names every field that ``--json`` prints, and every schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from proofstone.curation.show import KINDS
from tests.conftest import Proofstone

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "json.md").read_text(encoding="utf-8")
NOTES = (ROOT / "docs" / "reference" / "notes.md").read_text(encoding="utf-8")


def named(text: str) -> set[str]:
    """Every name that stands in code, without the marks of a list."""
    return {
        name for code in re.findall(r"`([^`]+)`", text) for name in re.findall(r"[a-z_0-9]+", code)
    }


def section(kind: str) -> str:
    """What the page says of a kind."""
    for part in PAGE.split("\n### ")[1:]:
        title, _, text = part.partition("\n")
        if kind in title.split(", "):
            return text.split("\n## ")[0]
    raise AssertionError(f"no section for {kind}")


def keys(value: object) -> Iterator[str]:
    """Every key of a JSON value, at any depth but within an answer, which is the contract's own."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            if key != "answer":
                yield from keys(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys(inner)


@pytest.mark.parametrize("kind", KINDS)
def test_every_field_of_a_list_is_explained(
    kind: str, demo_vault: Path, proofstone: Proofstone
) -> None:
    items = proofstone("show", kind, demo_vault, "--json").items
    assert items
    text = section(kind)
    explained = named(text) | (named(NOTES) if "note's keys" in text else set())
    assert {key for item in items for key in item} - explained == set()
    assert set(keys(items)) - named(PAGE) - named(NOTES) == set()


def test_every_schema_is_on_a_page() -> None:
    pages = "".join(page.read_text("utf-8") for page in (ROOT / "docs").rglob("*.md"))
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src").rglob("*.py"))
    schemas = set(re.findall(r"proofstone/[a-z-]+/\d+", code))
    assert len(schemas) > 5
    assert {schema for schema in schemas if schema not in pages} == set()
