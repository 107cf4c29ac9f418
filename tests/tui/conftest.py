"""Fixtures for tests of the workbench."""

from __future__ import annotations

import pytest
from tui_bench import Opening, opened


@pytest.fixture
def bench() -> Opening:
    """Open a workbench: ``async with bench(vault) as b``."""
    return opened
