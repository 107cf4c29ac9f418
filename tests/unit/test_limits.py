"""The page of limits says what the code does, and no limit of the code is missing from it."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import proofstone

PAGE = Path(__file__).parents[2] / "docs/limits.md"
UNITS = {"KiB": 1024, "MiB": 1024 * 1024}
INNER = {"proofstone.vault.quick_record.MAX_KEPT_LINES"}
"""Bounds of caches: nobody meets them."""
LAYERS = ("domain", "vault", "curation", "gate", "sessions", "stores", "mcp")


def rows() -> dict[str, str]:
    """The limit that the page gives, by the constant's full name."""
    found: dict[str, str] = {}
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = re.fullmatch(r"`([\w.]+)`", cells[-1])
        if len(cells) == 4 and name is not None:
            assert cells[0] and cells[2], line
            assert f"proofstone.{name[1]}" not in found, line
            found[f"proofstone.{name[1]}"] = cells[1]
    return found


def number(limit: str) -> float:
    """A limit as the page writes it: ``8 MiB``, ``20,000 characters``, ``10 s``."""
    value, _, unit = limit.partition(" ")
    return float(value.replace(",", "")) * UNITS.get(unit, 1)


@pytest.mark.parametrize("name", rows())
def test_a_limit_on_the_page_is_the_codes(name: str) -> None:
    module, _, constant = name.rpartition(".")
    assert getattr(importlib.import_module(module), constant) == number(rows()[name])


def test_every_limit_of_the_code_is_on_the_page() -> None:
    named: set[str] = set()
    for found in pkgutil.walk_packages(proofstone.__path__, "proofstone."):
        if found.name.split(".")[1] not in LAYERS:
            continue
        source = Path(importlib.util.find_spec(found.name).origin)  # type: ignore[union-attr, arg-type]
        text = source.read_text(encoding="utf-8")
        constants = re.findall(r"^(MAX_[A-Z_]+)(?:: \w+)? = ", text, re.M)
        named |= {f"{found.name}.{constant}" for constant in constants}
    assert len(named) > 30
    assert named - INNER - rows().keys() == set()
