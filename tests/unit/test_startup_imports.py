"""Commands that list a vault import only what they need (spec page 9, command line)."""

from __future__ import annotations

import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import proofstone
from proofstone.cli.main import cli
from proofstone.curation import author
from proofstone.domain.late_pattern import _Late, late_pattern
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
READING = (
    "proofstone.domain.records",
    "proofstone.domain.gate_types",
    "proofstone.vault.room_reader",
    "proofstone.vault.plain_note",
    "proofstone.stores.port",
    "yaml",
    "subprocess",
)
"""What a vault with notes, YAML of other hands, or a ruling needs."""

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


@pytest.mark.parametrize("more", [(), ("--json",)])
def test_an_empty_list_needs_nothing_that_reads_notes_or_judges(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    create_vault(tmp_path / "vault")
    loaded = modules("show", "turns", str(tmp_path / "vault"), *more)
    assert "proofstone.vault.vault" in loaded
    assert loaded.isdisjoint((*LIBRARIES, *JUDGING, *READING))


def test_the_list_of_commands_loads_none_of_them() -> None:
    loaded = modules("--help")
    assert {name for name in loaded if name.startswith("proofstone.")} <= {
        "proofstone.cli",
        "proofstone.cli.main",
        "proofstone.domain",
        "proofstone.domain.errors",
    }


def test_the_list_of_commands_names_each_with_what_it_does() -> None:
    told = CliRunner().invoke(cli, ["--help"]).output
    for name in cli.list_commands(click.Context(cli)):
        assert re.search(rf"^  {name} +[A-Z].+\.$", told, re.M), name


def test_every_late_pattern_compiles() -> None:
    for found in pkgutil.walk_packages(proofstone.__path__, "proofstone."):
        source = Path(found.module_finder.path) / f"{found.name.rpartition('.')[2]}.py"  # type: ignore[union-attr]
        if source.is_file() and "late_pattern(" in source.read_text(encoding="utf-8"):
            values = vars(importlib.import_module(found.name)).values()
            late = [value for value in values if isinstance(value, _Late)]
            assert all(isinstance(one.pattern, str | bytes) for one in late), found.name


def test_a_late_pattern_is_compiled_once_and_does_what_the_compiled_one_does() -> None:
    late = late_pattern(r"(?P<word>[a-z]+)", re.IGNORECASE)
    compiled = re.compile(r"(?P<word>[a-z]+)", re.IGNORECASE)
    assert late.sub("-", "Ab 1 cd") == compiled.sub("-", "Ab 1 cd")
    assert late.groupindex == compiled.groupindex
    assert late.search is late.search


def test_whoever_is_named_is_asked_of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(author, "_git_name", lambda: pytest.fail("git was asked"))
    assert author.resolve_author("Ada  Byron", {}) == "Ada Byron"
    assert author.resolve_author(None, {author.AUTHOR_VARIABLE: "Ada"}) == "Ada"
