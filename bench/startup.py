"""The command line with nothing to do, against importing what it cannot do without (page 9).

Modules are compiled once before, as an installed program's are. Each start is a process of its
own; times are medians, taken in turn with the baseline's.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import proofstone
from bench.measure import in_turn, row
from proofstone.vault.create import create_vault

RUNS = 15
_RUN = "import sys; from proofstone.cli.main import run; sys.exit(run(sys.argv[1:]))"
_KEPT = "PYTHONDONTWRITEBYTECODE"


def run() -> list[dict[str, object]]:
    """``show`` on a new vault and on the demo vault, help; what Python and the imports take."""
    compileall.compile_dir(str(Path(proofstone.__file__).parent), quiet=2)
    demo = str(Path(__file__).parents[1] / "demo-vault")
    with tempfile.TemporaryDirectory() as folder:
        empty = str(Path(folder) / "vault")
        create_vault(Path(empty))
        works = {
            "show turns of an empty vault, as JSON": ("show", "turns", empty, "--json"),
            "show tombstones of an empty vault": ("show", "tombstones", empty),
            "--help": ("--help",),
            "--version": ("--version",),
            "capture --help": ("capture", "--help"),
            "show memories of the demo vault": ("show", "memories", demo),
        }
        base, *times = in_turn(
            lambda: _started("import click, yaml"),
            *(
                lambda arguments=arguments: _started(_RUN, *arguments)
                for arguments in works.values()
            ),
            runs=RUNS,
        )
    baseline = "(baseline: python -c 'import click, yaml')"
    return [
        row(f"{name}, s {baseline}", base, taken, "" if "demo" in name else "<= 1.5")
        for name, taken in zip(works, times, strict=True)
    ]


def _started(code: str, *arguments: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != _KEPT}
    subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
    )
