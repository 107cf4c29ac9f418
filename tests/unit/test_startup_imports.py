"""Commands that list a vault import only what they need (spec page 9, command line)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from proofstone.vault.create import create_vault

DEMO = Path(__file__).parents[2] / "demo-vault"
LIBRARIES = ("textual", "rich", "detect_secrets", "httpx", "mcp", "rapidfuzz", "watchfiles")
"""What the workbench and other doors need, and lists do not."""
JUDGING = (
    "proofstone.curation.assessing",
    "proofstone.domain.taint_rules",
    "proofstone.domain.matching",
    "proofstone.domain.verifier",
    "proofstone.stores.detect",
    "proofstone.vault.transaction",
    "proofstone.vault.inbox",
)

CODE = """
import sys
from proofstone.cli.main import run
code = run(sys.argv[1:])
print("\\n".join(sorted(sys.modules)), file=sys.stderr)
sys.exit(code)
"""


def modules(*arguments: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", CODE, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


@pytest.mark.parametrize("kind", ["memories", "tombstones", "evidence", "turns"])
def test_a_list_needs_no_library_of_the_workbench(kind: str) -> None:
    loaded = modules("show", kind, str(DEMO))
    assert "proofstone.vault.vault" in loaded
    assert loaded.isdisjoint(LIBRARIES)


def test_an_empty_list_needs_nothing_that_judges(tmp_path: Path) -> None:
    create_vault(tmp_path / "vault")
    loaded = modules("show", "tombstones", str(tmp_path / "vault"))
    assert loaded.isdisjoint((*LIBRARIES, *JUDGING))
