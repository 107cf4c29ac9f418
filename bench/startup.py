"""The command line with nothing to do, against importing what it cannot do without (page 9)."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from bench.measure import in_turn, row
from proofstone.vault.create import create_vault

RUNS = 15
_SHOW = "import sys; from proofstone.cli.main import run; sys.exit(run(sys.argv[1:]))"


def run() -> list[dict[str, object]]:
    """``show`` on a new vault and on the demo vault; what Python and the imports take."""
    demo = str(Path(__file__).parents[1] / "demo-vault")
    with tempfile.TemporaryDirectory() as folder:
        empty = str(Path(folder) / "vault")
        create_vault(Path(empty))
        base, nothing, listed = in_turn(
            lambda: _started("import click, yaml"),
            lambda: _started(_SHOW, "show", "tombstones", empty),
            lambda: _started(_SHOW, "show", "memories", demo),
            runs=RUNS,
        )
    baseline = "(baseline: python -c 'import click, yaml')"
    return [
        row(f"show on an empty vault, s {baseline}", base, nothing, "<= 1.5"),
        row("show memories of the demo vault, s (the same)", base, listed, ""),
    ]


def _started(code: str, *arguments: str) -> None:
    subprocess.run([sys.executable, "-c", code, *arguments], check=True, stdout=subprocess.DEVNULL)
